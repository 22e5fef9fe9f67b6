"""Sphinx: Markdown pages by MyST, docstrings by autodoc, equations as MathML, which browsers draw without a network."""

import sys
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parent)]

import flexwheel  # noqa: E402

project = "flexwheel"
author = "the authors of flexwheel"
copyright = "2026, the authors of flexwheel; BSD-3-Clause"
release = version = flexwheel.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode", "mathml"]
source_suffix = {".md": "markdown"}
html_theme = "furo"
html_title = f"flexwheel {release}"
html_math_renderer = "mathml"
html_copy_source = False
math_numfig = True
math_eqref_format = "({number})"
math_number_all = False
numfig = True
numfig_secnum_depth = 1
myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence", "deflist", "attrs_block"]
myst_heading_anchors = 4
myst_dmath_double_inline = True
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
napoleon_numpy_docstring = True
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_custom_sections = ["Keys", "Units"]
nitpicky = False
viewcode_line_numbers = True
