"""Files of reduced bodies that are broken: one line each, which names the file."""

import netCDF4
import numpy as np
import pytest
from small_superelement import small_body

from flexwheel.base.errors import MeshError
from flexwheel.body.matrix_files.matrix_import import read_matrices, write_matrices
from flexwheel.body.reduce_superelement import MatrixOptions, reduce_superelement


def refused(files, message, **options):
    """The one line that files end in, which matches `message`."""
    with pytest.raises(MeshError, match=message) as told:
        body = read_matrices(files, **options)
        reduce_superelement(body, MatrixOptions({"left": (1,), "right": (2,)}))
    line = str(told.value)
    assert "\n" not in line and len(line) < 500
    return line


def of_netcdf(change):
    def broken(path):
        write_matrices(path, small_body())
        with netCDF4.Dataset(path, "r+") as file:
            change(file)

    return broken


def cut(path):
    write_matrices(path, small_body())
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def renamed(name):
    return of_netcdf(lambda file: file.renameVariable(name, "other"))


def put(name, at, value):
    return of_netcdf(lambda file: file[name].__setitem__(at, value))


NETCDF = {
    "cut": (cut, "damaged"),
    "text": (lambda path: path.write_text("stiffness\n"), "no netCDF file"),
    "empty": (lambda path: path.write_bytes(b""), "no netCDF file"),
    "another": (of_netcdf(lambda file: file.setncattr("format", "results")), "attribute format must be"),
    "no mass": (renamed("mass"), "variable mass is missing"),
    "no coordinates": (renamed("coordinate_node"), "coordinate_node is missing"),
    "nan": (put("stiffness", (0, 0), np.nan), "stiffness must be finite"),
    "component": (put("coordinate_component", 0, 9), "component must be 1 to 6"),
    "twice": (put("coordinate_component", 1, 1), "component 1 twice"),
    "unplaced": (put("node_id", 1, 5), "no place of node 2"),
    "not symmetric": (put("mass", (0, 5), 50.0), "must be symmetric"),
    "half a point": (renamed("point_motion"), "must be given with point_name"),
    "negative": (put("stiffness", (12, 12), -4e5), "not positive"),
}


@pytest.mark.parametrize("broken, message", NETCDF.values(), ids=list(NETCDF))
def test_a_broken_netcdf_file_is_refused_in_one_line(tmp_path, broken, message):
    broken(tmp_path / "car.nc")
    line = refused([tmp_path / "car.nc"], message)
    assert "car.nc" in line or message == "not positive"


def test_the_small_body_is_whole():
    body = reduce_superelement(small_body(), MatrixOptions({"left": (1,), "right": (2,)}, {"tip": "tip"}))
    assert body.mass == pytest.approx(180.0)
    assert (body.damping_ratio > 0.0).all()


def test_files_that_do_not_go_together_are_refused(tmp_path):
    write_matrices(tmp_path / "a.nc", small_body())
    refused([tmp_path / "a.nc", tmp_path / "a.nc"], "is whole by itself")
    refused([tmp_path / "a.nc"], "is in SI units", unit="mm")
    refused([tmp_path / "none.nc"], "there is no such file")
    refused([tmp_path], "is a folder")
    (tmp_path / "a.doc").write_text("x")
    refused([tmp_path / "a.doc"], "is read from .nc")
    with pytest.raises(MeshError, match="is written as .nc"):
        write_matrices(tmp_path / "a.doc", small_body())
