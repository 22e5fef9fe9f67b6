"""The notebooks of docs/notebooks run in their order of cells and check themselves; first_run has its own test."""

from flexwheel.base.shipped import MESHES
from tests.notebooks import NOTEBOOKS, cells_of, shown_by


def test_notebooks_run_and_keep_what_they_show(tmp_path, monkeypatch):
    """In one Python; a cell whose last line is an expression has an output stored, of no error, and others none."""
    (tmp_path / "meshes").symlink_to(MESHES)
    monkeypatch.chdir(tmp_path)
    names = {path.stem for path in NOTEBOOKS.glob("*.ipynb")} - {"first_run"}
    assert names == {"own_wheelset", "own_vehicle", "spectra", "study"}
    for name in sorted(names):
        for cell, value in shown_by(cells_of(name), {}):
            kinds = [set(output["data"]) for output in cell["outputs"]]
            assert bool(kinds) == (value is not None), (name, cell["source"])
            assert not kinds or ("image/png" in kinds[0]) == hasattr(value, "_repr_png_"), (name, cell["source"])
