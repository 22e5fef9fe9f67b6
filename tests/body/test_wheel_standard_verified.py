"""EN 13979-1 statics against CalculiX 2.20 (Debian calculix-ccx) on the same mesh, loads and clamping.

Mesh meshes/wheelset_coarse.inp as C3D8 and C3D6, nodes of the middle plane held, *STATIC with the three cases as
*CLOAD, nodal stresses of the .frd file put through the same criterion: numbers of a run made for this test.
"""

import json
from pathlib import Path

import pytest

from flexwheel.assess.evaluate.strength_grades import verdict
from flexwheel.assess.wheel_standard import WheelCase, web_stress_ranges
from flexwheel.base.errors import ScenarioError
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.mesh_format import read_mesh
from flexwheel.face.cli import make_app

MESH = Path(__file__).parents[2] / "meshes" / "wheelset_coarse.inp"
CALCULIX = [(0.7416, 0.2013, 102.6714e6), (0.7829, 0.2013, 73.4813e6), (0.7458, 0.2675, 70.3568e6)]
"""y [m], radius [m], range [Pa] under Q = 98.1 kN on the left wheel."""
CASES = (
    WheelCase("straight", 1.25),
    WheelCase("curve", 1.25, -0.6, 0.038, 0.010),
    WheelCase("switch", 1.25, 0.36, 0.070, 0.010),
)


@pytest.fixture(scope="module")
def mesh():
    return read_mesh(MESH)[0]


def test_ranges_of_the_web_are_those_of_calculix(mesh):
    found = web_stress_ranges(mesh, 1, 98.1e3, CASES, FormulationOptions(hex8="full"), surface=False)
    for ours, (y, radius, size) in zip(found, CALCULIX, strict=False):
        assert (ours["y_m"], ours["radius_m"]) == pytest.approx((y, radius), abs=1e-4)
        assert ours["range_pa"] == pytest.approx(size, rel=0.02)  # what two codes may differ by
        assert ours["case"] == "curve"


def test_load_below_zero_is_refused(mesh):
    with pytest.raises(ScenarioError, match="--wheel-load-kn must be 10 to 500, got"):
        web_stress_ranges(mesh, 1, -1.0, CASES)


@pytest.mark.parametrize("inwards, below", [(0.038, -0.010), (0.010, 0.038), (-0.038, 0.010)])
def test_a_place_beside_the_wheel_is_refused(mesh, inwards, below):
    with pytest.raises(ScenarioError, match="the lateral force must act on the wheel.s section, .* mm beside it"):
        web_stress_ranges(mesh, 1, 60e3, [WheelCase("curve", 1.0, -0.5, inwards, below)])


def test_error_of_the_mesh_is_part_of_the_verdict(capsys):
    """Ranges have the estimated error of their stress: a limit that it passes is open."""
    words = ["en13979", str(MESH), "--wheel-load-kn", "60", "--case", "curve:1:-0.5:38:10", "--grade", "ER7", "--json"]
    make_app()([*words, "--grades", "assumed"], standalone_mode=False)
    first = json.loads(capsys.readouterr().out)["rings"][0]
    assert 0.5 < first["stress_error"] < 2.0 and first["mark"].startswith("mesh error")  # three layers over the web
    assert first["verdict"] == verdict(first["utilisation"], first["stress_error"]) == "holds"
    assert verdict(0.7, first["stress_error"]) == "open"
