"""Bogie frame of shells with nine attachments against CalculiX: free frequencies, deflection, stress.

CalculiX 2.20, S8R (which it expands into C3D20R and knots), run 2026-11-26 on the frame in shells of 25 mm
(`bogie_frame_lines(0.025)` with nodes in the middles of the sides), half the size of the shipped mesh. From 50 to 25 mm
its figures change by 0.7 % at most, at the sloped flange by 1.4 %. Loads are spread evenly over the 25 nodes of each
set of the shipped mesh; deflections are their means.
"""

from pathlib import Path

import numpy as np
import pytest

from flexwheel.body.flexible_body import BodyOptions, reduce_body
from flexwheel.body.mesh_format import read_mesh
from flexwheel.body.stress import von_mises
from flexwheel.verification.meshes.bogie_frame import DROP, HEIGHT, LOW, SLOPE, THICKNESS, bogie_frame_lines

FILE = Path(__file__).resolve().parents[2] / "meshes" / "bogie_frame.inp"
CALCULIX_HZ = (
    32.53885, 61.45779, 67.49478, 73.42495, 78.86831, 81.14690,
    85.58447, 122.5373, 139.9720, 177.5293, 198.9288, 200.3174,
)  # fmt: skip
CALCULIX_DEFLECTION = {"vertical": 1.146067e-3, "twist": 3.224152e-3}  # [m]
CALCULIX_MISES = {
    ("vertical", "side beam"): 34.25013e6,
    ("vertical", "slope"): 19.55946e6,
    ("twist", "cross member"): 34.30131e6,
}  # [Pa]
NORMAL = np.array([DROP, 0.0, SLOPE[0] - SLOPE[1]]) / np.hypot(DROP, SLOPE[1] - SLOPE[0])  # of the slope, downwards
PLACES = {
    "side beam": (0.0, 1.0, LOW - 0.5 * THICKNESS),
    "slope": np.array([0.75, 1.0, LOW + DROP * (0.75 - SLOPE[0]) / (SLOPE[1] - SLOPE[0])]) + 0.5 * THICKNESS * NORMAL,
    "cross member": (0.35, 0.5, LOW + HEIGHT + 0.5 * THICKNESS),
}
PRIMARY = [f"PRIMARY_{end}_{side}" for end in ("FRONT", "REAR") for side in ("LEFT", "RIGHT")]
SIGN = {"vertical": np.ones(4), "twist": np.array([1.0, -1.0, -1.0, 1.0])}
LOAD = 25e3  # [N] on each primary spring's seat; vertical: held by those of the secondary


@pytest.fixture(scope="module")
def frame():
    mesh, _ = read_mesh(FILE)
    away = [np.linalg.norm(mesh.nodes - place, axis=1) for place in PLACES.values()]
    assert max(a.min() for a in away) < 1e-8
    points = {name: int(mesh.node_ids[np.argmin(a)]) for name, a in zip(PLACES, away, strict=True)}
    sets = {name: name for name in mesh.node_sets if name != "PLATES"}
    assert len(sets) == 9
    return reduce_body(mesh, BodyOptions(sets, points, modes_up_to_hz=250.0))


def under(frame, case):
    """Modes (H,) under the loads of a case, which are balanced."""
    force = dict(zip(PRIMARY, LOAD * SIGN[case], strict=True))
    if case == "vertical":
        force |= {f"SECONDARY_{side}": -2.0 * LOAD for side in ("LEFT", "RIGHT")}
    modal = sum(value * frame.place_rows[frame.place_name.index(name), 2] for name, value in force.items())
    return modal / (2.0 * np.pi * frame.frequency_hz) ** 2


def test_the_shipped_file_is_what_the_generator_writes():
    assert FILE.read_text(encoding="ascii") == "\n".join(bogie_frame_lines()) + "\n"


def test_free_frequencies(frame):
    assert frame.mass == pytest.approx(2615.0, rel=1e-4)
    np.testing.assert_allclose(frame.frequency_hz[: len(CALCULIX_HZ)], CALCULIX_HZ, rtol=0.01)


@pytest.mark.parametrize("case", CALCULIX_DEFLECTION)
def test_deflection_under_balanced_loads(frame, case):
    """Of the primary seats against the secondary ones; under twist that of the four, each with its sign."""
    moved = frame.place_rows[:, 2] @ under(frame, case)
    of = lambda names: moved[[frame.place_name.index(n) for n in names]]  # noqa: E731
    found = np.mean(SIGN[case] * of(PRIMARY))
    if case == "vertical":
        found -= of(["SECONDARY_LEFT", "SECONDARY_RIGHT"]).mean()
    assert found == pytest.approx(CALCULIX_DEFLECTION[case], rel=0.01)


@pytest.mark.parametrize("case, place", CALCULIX_MISES)
def test_stress(frame, case, place):
    """Outer faces of a bottom flange, of a sloped one and of a cross member's top."""
    stress = frame.stress_rows[list(PLACES).index(place)] @ under(frame, case)
    assert von_mises(stress) == pytest.approx(CALCULIX_MISES[case, place], rel=0.01)
