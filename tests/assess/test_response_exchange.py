"""A response in MATLAB and universal files: read back by scipy and pyuff, values, units and degrees of freedom."""

import sys

import numpy as np
import pytest
from scipy.io import loadmat

from flexwheel.assess.response_exchange import write_matlab, write_universal
from flexwheel.base.errors import ScenarioError
from flexwheel.results.response_dataset import VARIABLES, response_dataset

LABELS = {
    "frequency": 2.5 * np.arange(1, 9),
    "band": np.array([10.0, 12.5]),
    "wheelset": ["front", "rear"],
    "control_node": ["front web", "rear web"],
    "body_point": ["car_body seat", "frame middle"],
}
SIZES = {
    "frequency": 8, "band": 2, "wheel": 4, "axis": 3, "rail": 4, "part": 2, "wheelset": 2, "side": 2, "load_side": 2,
    "load_axis": 3, "control_node": 2, "head": 4, "head_force": 4, "place": 3, "direction": 2, "point": 2,
    "stress_component": 6, "body_point": 2,
}  # fmt: skip


@pytest.fixture(scope="module")
def results():
    random = np.random.default_rng(17)
    arrays = {name: random.normal(size=[SIZES[d] for d in dims]) for name, (dims, *_) in VARIABLES.items()}
    return response_dataset(arrays, LABELS, {"title": "made up", "notes": ["one", "two"]})


def test_matlab_holds_every_variable_with_its_unit(results, tmp_path):
    write_matlab(results, tmp_path / "response.mat")
    found = loadmat(tmp_path / "response.mat", simplify_cells=True)
    np.testing.assert_array_equal(found["frequency_hz"], LABELS["frequency"])
    for name, variable in results.data_vars.items():
        one = found[name]
        whole = (
            variable.values if "part" not in variable.dims else variable.values[..., 0] + 1j * variable.values[..., 1]
        )
        np.testing.assert_array_equal(one["value"], whole)
        assert one["units"] == variable.units and one["meaning"] == variable.long_name
        assert list(one["dims"]) == [dim for dim in variable.dims if dim != "part"]
    assert list(found["labels"]["wheel"]) == ["front left", "front right", "rear left", "rear right"]
    assert list(found["about"]["notes"]) == ["one", "two"]


def test_universal_file_holds_every_transfer_function(results, tmp_path):
    pyuff = pytest.importorskip("pyuff")
    write_universal(results, tmp_path / "response.uff")
    header, units, *sets = pyuff.UFF(str(tmp_path / "response.uff")).read_sets()
    assert header["type"] == 151 and header["model_name"] == "made up"
    assert (units["type"], units["units_code"], units["length"], units["force"]) == (164, 1, 1.0, 1.0)
    # wheels 2 x 6 x 6, nodes 2 x 3 x 6, rail heads 4 places x 4 x 4, forces 4 x 3 x 4
    assert len(sets) == 72 + 36 + 64 + 48 and {s["type"] for s in sets} == {58}
    at = {(s["id4"], s["rsp_node"], s["rsp_dir"], s["ref_node"], s["ref_dir"]): s for s in sets}
    assert len(at) == len(sets)

    def same(key, variable, labels, above, below):
        one = at[key]
        part = results[variable].sel(labels)
        whole = part.sel(part="real").values + 1j * part.sel(part="imaginary").values
        np.testing.assert_allclose(one["data"], whole, rtol=1e-11)  # twelve digits
        np.testing.assert_allclose(one["x"], LABELS["frequency"], rtol=1e-5)
        assert (one["ordinate_axis_units_lab"], one["orddenom_axis_units_lab"]) == (above, below)
        assert one["func_type"] == 4 and one["abscissa_axis_units_lab"] == "Hz"

    rear = {"wheelset": "rear", "side": "right", "axis": "y", "load_side": "left", "load_axis": "z"}
    same(("wheel_receptance", 4, 2, 3, 3), "wheel_receptance", rear, "m", "N")
    assert at["wheel_receptance", 4, 2, 3, 3]["id1"] == "rear right y per rear left z"
    node = {"control_node": "rear web", "axis": "x", "load_side": "right", "load_axis": "z"}
    same(("node_receptance", 102, 1, 4, 3), "node_receptance", node, "m", "N")
    moving = {"head": "y", "head_force": "roll moment"}
    same(("rail_receptance_moving", 201, 2, 201, 4), "rail_receptance_moving", moving, "m", "N m")
    standing = {"place": "mid-bay", "head": "roll", "head_force": "z"}
    same(("rail_receptance", 213, 4, 213, 3), "rail_receptance", standing, "rad", "N")
    force = {"wheel": "rear left", "axis": "z", "rail": "right vertical"}
    same(("force_per_irregularity", 3, 3, 302, 3), "force_per_irregularity", force, "N", "m")


def test_without_pyuff_one_line_says_what_to_install(results, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyuff", None)
    with pytest.raises(ScenarioError, match=r"flexwheel\[export\]"):
        write_universal(results, tmp_path / "response.uff")
    assert not list(tmp_path.iterdir())
