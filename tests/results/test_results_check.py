"""Result files that are not whole: one line that says what is wrong, whatever was changed in them."""

import netCDF4
import numpy as np
import pytest
from synthetic import synthetic_body, synthetic_results

from flexwheel.base.errors import ScenarioError
from flexwheel.base.kind import KINDS, VEHICLE
from flexwheel.base.variables import SCHEMA_VERSION
from flexwheel.results.check_results import check_results
from flexwheel.results.evaluate.histories import with_control_nodes
from flexwheel.results.files import open_results, read_results, whole_part, write_results


@pytest.fixture(scope="module")
def run():
    body = synthetic_body()
    return with_control_nodes(synthetic_results(body, duration=0.02), {"front": body})


def changed(change):
    """The Dataset after a change in place."""

    def apply(run):
        run = run.copy(deep=True)
        return change(run) or run

    return apply


CASES = {
    "variable missing": (lambda r: r.drop_vars("wheel_force"), "variable wheel_force missing"),
    "several missing": (lambda r: r.drop_vars(["patch_area", "irregularity"]), "variable patch_area and 1 more"),
    "modal missing": (lambda r: r.drop_vars("modal_velocity"), "variable modal_velocity missing"),
    "time turned": (lambda r: r.assign_coords(time=r.time.values[::-1]), "even steps"),
    "time uneven": (lambda r: r.assign_coords(time=r.time.values**1.1), "even steps"),
    "time not a number": (lambda r: r.assign_coords(time=np.where(r.time < 0.01, r.time, np.nan)), "finite"),
    "time of words": (lambda r: r.assign_coords(time=[f"t{k}" for k in range(r.sizes["time"])]), "finite numbers"),
    "no wheelset": (lambda r: r.drop_vars("wheelset"), "no coordinate wheelset"),
    "points without names": (lambda r: r.drop_vars("point"), "point has no names"),
    "wheels swapped": (lambda r: r.assign_coords(wheel=list(r.wheel.values[::-1])), "left and right"),
    "body twice": (lambda r: r.assign_coords(body=["front", "front", "rear"]), "body has a name twice"),
    "strange mesh mode": (lambda r: r.assign_coords(mesh_mode=("flexible", ["spun"])), "mesh_mode"),
    "force labels": (lambda r: r.assign_coords(force=["Q", "Y", "longitudinal"]), "wheel_force: force is not"),
    "dimensions": (lambda r: r.assign(patch_area=r.patch_area.transpose()), "patch_area has dimensions"),
    "text for numbers": (lambda r: r.assign(irregularity=r.irregularity.astype(str)), "irregularity is of type"),
    "no number": (lambda r: r.assign(wheel_force=r.wheel_force * np.nan), "wheel_force has values"),
    "no pressure": (lambda r: r.assign(patch_peak_pressure=r.patch_peak_pressure * np.nan), "patch_peak_pressure has"),
    "version": (lambda r: r.assign_attrs(schema_version=99), "schema_version must be 2.*got 99"),
    "version of words": (lambda r: r.assign_attrs(schema_version="one"), "schema_version must be 2.*got 'one'"),
    "settling of words": (lambda r: r.assign_attrs(settling_s="soon"), "settling_s"),
    "settling many": (lambda r: r.assign_attrs(settling_s=np.array([1.0, 2.0])), "settling_s"),
    "no patch": (lambda r: r.isel(patch=slice(0, 0)), "patch is empty"),
    "no flexible wheelset": (lambda r: r.isel(flexible=slice(0, 0)), "is empty|mesh_mode"),
    "one point": (lambda r: r.isel(point=[0]), "point is not rotating, fixed"),
    "settling negative": (lambda r: r.assign_attrs(settling_s=-1.0), "settling_s"),
    "scenario a number": (lambda r: r.assign_attrs(scenario=3.0), "attribute scenario"),
}


@pytest.mark.parametrize("name", CASES)
def test_changed_results_are_refused(name, run, tmp_path):
    change, expected = CASES[name]
    path = write_results(changed(change)(run), tmp_path)
    with pytest.raises(ScenarioError, match=expected) as caught:
        read_results(path)
    assert str(path) in str(caught.value) and "\n" not in str(caught.value)


def test_nan_may_stand_where_a_run_was_stopped(run, tmp_path):
    stopped = run.copy(deep=True)
    stopped["wheel_force"][-1] = np.nan
    stopped.attrs.update(complete=False, status="a wheel left the rail")
    assert read_results(write_results(stopped, tmp_path)).attrs["complete"] is False


def test_time_that_cannot_be_decoded(run, tmp_path):
    path = write_results(run, tmp_path)
    with netCDF4.Dataset(path, "a") as file:
        file["time"].units = "fortnights since the flood"
    with pytest.raises(ScenarioError) as caught:
        read_results(path)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != VEHICLE])
def test_other_kinds_with_their_mark_only(kind, tmp_path):
    with netCDF4.Dataset(tmp_path / "results.nc", "w") as file:
        file.setncatts({"kind": kind, "schema_version": SCHEMA_VERSION, "complete": "true"})
    with pytest.raises(ScenarioError, match="not whole results of 'flexwheel run': no attribute title"):
        read_results(tmp_path)


@pytest.mark.parametrize("name", ["results.nc", "train.nc", "reduced.nc", "realtime.nc"])
def test_files_of_older_versions_say_so(name, tmp_path):
    with netCDF4.Dataset(tmp_path / name, "w") as file:
        file.setncatts({"kind": "train", "complete": "true"} if name != "results.nc" else {"schema_version": 1})
    with pytest.raises(ScenarioError, match=r"schema_version must be 2.*got .*1.*; run the scenario again"):
        read_results(tmp_path)


@pytest.mark.parametrize("value", ["nan", "yes", 1.0, np.nan])
def test_whether_a_run_is_complete_is_said_or_refused(value, run, tmp_path):
    path = write_results(run.assign_attrs(complete=value), tmp_path)
    with pytest.raises(ScenarioError, match="attribute complete"):
        read_results(path)


def test_a_damaged_file_opens_or_is_refused(run, tmp_path):
    """Sixteen bytes overwritten anywhere: netCDF raises what it likes, the reader one error."""
    whole, rng, refused = write_results(run, tmp_path).read_bytes(), np.random.default_rng(3), 0
    for k in range(40):
        at = int(rng.integers(0, min(len(whole), 2**15 if k % 2 else len(whole)) - 16))
        path = tmp_path / f"damaged{k}.nc"
        path.write_bytes(whole[:at] + rng.bytes(16) + whole[at + 16 :])
        for read in (open_results, read_results):
            try:
                read(path).close()
            except ScenarioError as error:
                refused += 1
                assert str(path) in str(error)
    assert refused > 5


def test_a_killed_run_with_more_patches_than_it_has_room_for_is_refused(run, tmp_path):
    count = run.patch_count.copy(deep=True)
    count[0, 0] = 2**30
    part = whole_part(run.assign(patch_count=count))
    assert part.sizes["patch"] == run.sizes["patch"]
    with pytest.raises(ScenarioError):
        check_results(part, tmp_path)
