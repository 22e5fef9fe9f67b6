"""EN 13979-1 statics against CalculiX 2.20 (Debian calculix-ccx) on the same mesh, loads and clamping.

Mesh meshes/wheelset_coarse.inp as C3D8 and C3D6, nodes of the middle plane held, *STATIC with the three cases as
*CLOAD, nodal stresses of the .frd file put through the same criterion: numbers of a run made for this test.
"""

from pathlib import Path

import pytest

from flexwheel.assess.wheel_standard import WheelCase, web_stress_ranges
from flexwheel.base.errors import ScenarioError
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.mesh_format import read_mesh

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
    found = web_stress_ranges(mesh, 1, 98.1e3, CASES, FormulationOptions(hex8="full"))
    for ours, (y, radius, size) in zip(found, CALCULIX, strict=False):
        assert (ours["y_m"], ours["radius_m"]) == pytest.approx((y, radius), abs=1e-4)
        assert ours["range_pa"] == pytest.approx(size, rel=0.02)  # what two codes may differ by
        assert ours["case"] == "curve"


def test_load_below_zero_is_refused(mesh):
    with pytest.raises(ScenarioError, match="wheel load must be 10 to 500 kN"):
        web_stress_ranges(mesh, 1, -1.0, CASES)
