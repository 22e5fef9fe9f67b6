"""glTF 2.0 files of deformed wheelsets, found through PAGES of base/kind.py; begin with `gltf_page.py`."""
