"""Result files: what is written reads back, whole or not at all."""

import h5py
import netCDF4
import numpy as np
import pytest
import xarray as xr
from synthetic import synthetic_body, synthetic_results

from flexwheel.base.errors import FlexwheelError, ScenarioError
from flexwheel.base.kind import KINDS
from flexwheel.base.output_files import write_whole
from flexwheel.base.variables import variables
from flexwheel.results.dataset import make_dataset
from flexwheel.results.evaluate.histories import with_control_nodes
from flexwheel.results.files import open_results, read_results, write_blocks, write_results
from tests import cf_rules


@pytest.fixture(scope="module")
def run():
    body = synthetic_body()
    return with_control_nodes(synthetic_results(body, duration=0.05), {"front": body})


def test_round_trip(run, tmp_path):
    path = write_results(run, tmp_path)
    assert path == tmp_path / "results.nc"
    assert not cf_rules.broken(path)
    back = read_results(tmp_path)
    assert set(back.data_vars) == set(run.data_vars)
    for name in run.data_vars:
        tolerance = 2e-7 if variables()[name].storage == "f4" else 0
        np.testing.assert_allclose(back[name].values, run[name].values, rtol=tolerance, atol=0)
        assert back[name].attrs["units"] == run[name].attrs["units"] != ""
        assert back[name].attrs["long_name"]
    assert back.attrs["complete"] is True
    assert list(back.wheel.values) == ["front left", "front right", "rear left", "rear right"]


def test_only_what_shrinks_is_compressed(tmp_path):
    """Noise keeps more than WORTH of its size, a count hardly anything; both read back bit by bit."""
    labels = {"time": np.arange(4000) * 0.1, "wheelset": ["w"], "body": ["w"]}
    noise = np.random.default_rng(1).normal(size=(4000, 1, 3))
    arrays = {"body_position": noise, "patch_count": np.zeros((4000, 2), dtype=np.int32)}
    path = write_results(make_dataset("vehicle", arrays, labels, attributes={"sample_step_s": 0.1}), tmp_path / "r.nc")
    with netCDF4.Dataset(path) as file:
        assert not file["body_position"].filters()["zlib"] and file["patch_count"].filters()["zlib"]
        np.testing.assert_array_equal(file["body_position"][:], noise)
        assert not np.any(file["patch_count"][:])


def test_patches_that_a_wheel_does_not_have_take_no_space(tmp_path):
    """Three blocks: a second patch of one of two wheels in the middle one; no patch at all in the last one."""
    force = np.full((3000, 2, 3), np.nan, dtype=np.float32)
    force[:2000, :, 0] = np.random.default_rng(1).normal(size=(2000, 2))
    force[1000:2000, 1, 1] = 7.0
    labels = {"time": np.arange(3000) * 0.1, "wheel": ["w left", "w right"]}
    arrays = {"patch_normal_force": force}
    whole = make_dataset("vehicle", arrays, labels, attributes={"sample_step_s": 0.1})
    path = write_blocks((whole.isel(time=slice(k, k + 1000)) for k in (0, 1000, 2000)), tmp_path / "r.nc")
    with h5py.File(path) as file:
        assert file["patch_normal_force"].id.get_storage_size() == 4 * (2 * 2000 + 1000 + 1000)  # and a first one
    with xr.open_dataset(path) as back:
        assert back.patch_normal_force.values.tobytes() == force.tobytes()


def test_opened_results_are_those_read_but_for_the_index_of_times(run, tmp_path):
    opened, back = open_results(write_results(run, tmp_path)), read_results(tmp_path)
    assert set(opened.xindexes) == set(back.xindexes) - {"time"}
    xr.testing.assert_identical(opened.sel(force="Y").load(), back.drop_indexes("time").sel(force="Y"))
    last = float(back.time[-1])
    xr.testing.assert_identical(opened.set_xindex("time").sel(time=last).load(), back.sel(time=last))


def test_names_of_what_is_not_stored_are_coordinates_again(tmp_path):
    """A flexible wheelset of which output.variables leaves out every variable."""
    labels = {"time": np.arange(3) * 0.1, "wheelset": ["w"], "body": ["w"], "flexible": ["w"]}
    labels["mesh_mode"] = ("flexible", ["eulerian"])
    arrays = {"body_position": np.zeros((3, 1, 3))}
    attributes = {"output_variables": "body_position", "sample_step_s": 0.1}
    path = write_results(make_dataset("vehicle", arrays, labels, attributes=attributes), tmp_path / "r.nc")
    assert read_results(path).mesh_mode.values.tolist() == ["eulerian"]
    assert "mesh_mode" in open_results(path).coords


def test_every_variable_has_a_unit_and_a_meaning():
    for kind, value in KINDS.items():
        table = value.variables
        assert len({variable.name for variable in table}) == len(table), kind
        for variable in table:
            assert variable.units and variable.meaning and np.dtype(variable.storage), variable.name


def test_interrupted_run_is_marked(run, tmp_path):
    stopped = run.copy()
    stopped.attrs = {**run.attrs, "complete": False, "status": "interrupted at t = 0.05 s"}
    write_results(stopped, tmp_path)
    back = read_results(tmp_path)
    assert back.attrs["complete"] is False
    assert back.attrs["status"] == "interrupted at t = 0.05 s"


def test_file_is_netcdf4_that_others_read(run, tmp_path):
    import netCDF4

    with netCDF4.Dataset(write_results(run, tmp_path)) as file:
        assert file.data_model == "NETCDF4"
        assert file.complete == "true"
        assert file["wheel_force"].units == "N"


def test_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "results.nc"
    path.write_text("old")

    def half_way(target):
        target.write_text("half")
        raise OSError(28, "No space left on device")

    with pytest.raises(FlexwheelError, match="No space left"):
        write_whole(path, half_way)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_interrupt_during_write_leaves_no_part(tmp_path):
    def interrupted(target):
        target.write_text("half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "results.nc", interrupted)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "expected"),
    [(None, "holds no results.nc"), (b"not netCDF", "cannot be read as netCDF"), (b"", "cannot be read as netCDF")],
)
def test_unreadable_files_are_refused(content, expected, tmp_path):
    if content is not None:
        (tmp_path / "results.nc").write_bytes(content)
    with pytest.raises(ScenarioError, match=expected):
        read_results(tmp_path)


def test_foreign_netcdf_is_refused(tmp_path):
    import xarray as xr

    xr.Dataset({"x": ("t", [1.0, 2.0])}).to_netcdf(tmp_path / "results.nc", engine="netcdf4")
    with pytest.raises(ScenarioError, match="netCDF of another program"):
        read_results(tmp_path)


def test_wrong_shape_is_named():
    labels = {"time": np.arange(3.0), "wheelset": ["front", "rear"], "body": ["front", "rear"]}
    with pytest.raises(
        FlexwheelError, match=r"wheel_force has shape \(3, 4, 2\), expected \(time 3, wheel 4, force 3\)"
    ):
        make_dataset("vehicle", {"wheel_force": np.zeros((3, 4, 2))}, labels)
    with pytest.raises(FlexwheelError, match="unknown variable 'force'"):
        make_dataset("vehicle", {"force": np.zeros(3)}, labels)
