"""A new force element is its own file and a line in the list: that of `examples/plugin`, put in the list by this test.

Force, tangent and linear analysis against the closed form k x + q x^3; the explicit and the implicit step agree on a
coach that has one. docs/extending.md prints the file and the line.
"""

from pathlib import Path

import numpy as np
import pytest
from flexwheel_example.cubic_spring import CUBIC_SPRING
from force_steps import forces

from flexwheel.assess.linear.suspension_matrices import suspension_matrices
from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.kernels import handle
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.keys.reader import read_scenario
from flexwheel.vehicle.elements.columns import Poses, Weights, make_suspension_state
from flexwheel.vehicle.elements.force_law import MOST_ROWS, ROW_COLUMNS
from flexwheel.vehicle.elements.kinds import FORCE_ELEMENTS
from flexwheel.vehicle.step.simulate import LoopSettings, simulate
from flexwheel.vehicle.suspension import link, tangent_rows
from flexwheel.vehicle.suspension_elements import pack_suspension, read_element
from flexwheel.vehicle.suspension_linear import linear_elements
from flexwheel.vehicle.vehicle_file import FOLDER

ROOT = Path(__file__).resolve().parents[2]
K, Q = 1e5, 4e9
LINE = dict(body_a="a", point_a_m=[0, 0, 0], body_b="b", point_b_m=[0, 0, 0])
SPEC = dict(kind="cubic_spring", stiffness_n_per_m=K, cubic_n_per_m3=Q, **LINE)
ELEMENT = """
[elements.stiffening_spring]
kind = "cubic_spring"
body_a = "front_bogie"
other_body = "car_body"
point_a_m = [0.0, 0.3, 0.0]
point_b_m = [0.0, 0.9, 0.0]
stiffness_n_per_m = 1e5
cubic_n_per_m3 = {q}
"""


@pytest.fixture(autouse=True)
def listed(monkeypatch):
    monkeypatch.setitem(FORCE_ELEMENTS.declared, "cubic_spring", CUBIC_SPRING)


@pytest.mark.parametrize("x", [-0.01, 0.0, 0.004])
def test_force_tangent_and_linear_stiffness(x):
    elements = pack_suspension([read_element(SPEC, {"a": 0, "b": 1}, "test")], np.array([[0.0] * 3, [0.0, 0.0, 1.0]]))
    poses = Poses(np.array([[0.0] * 3, [0, 0, 1.0 + x]]), np.array([np.eye(3)] * 2), np.zeros((2, 3)), np.zeros((2, 3)))
    state, rows = make_suspension_state(elements), np.zeros((MOST_ROWS, ROW_COLUMNS))
    assert forces(elements, poses, state)[1, 2] == pytest.approx(-K * x - Q * x**3, rel=1e-12)
    slope = K + 3 * Q * x * x
    weights = Weights(1e-3, 1e-6, 0.0, 0.0)
    assert tangent_rows(handle(link(elements)), 0, handle(poses), handle(state), weights, rows) == 1
    assert rows[0, 0] == pytest.approx(1e-6 * slope, rel=1e-12)
    stiffness, _ = suspension_matrices(linear_elements(elements), poses, state)
    assert stiffness[8, 8] == pytest.approx(slope, rel=1e-6)


def test_its_keys_are_checked():
    with pytest.raises(ScenarioError, match="cubic_n_per_m3"):
        read_element({k: v for k, v in SPEC.items() if k != "cubic_n_per_m3"}, {"a": 0, "b": 1}, "test")
    with pytest.raises(ScenarioError, match="unknown key 'cubic' of a cubic_spring"):
        read_element({**SPEC, "cubic": 1.0}, {"a": 0, "b": 1}, "test")


def test_explicit_and_implicit_step_read_the_same_law(tmp_path):
    text = (FOLDER / "manchester_v1.toml").read_text()
    ends = []
    for q, integrator in ((Q, "newmark"), (Q, "dormand_prince"), (0.0, "newmark")):
        (tmp_path / "coach.toml").write_text(text + ELEMENT.format(q=q))
        settings = [f"vehicle.file={tmp_path / 'coach.toml'}", f"run.integrator={integrator}"]
        s = build_simulation(read_scenario(ROOT / "examples" / "manchester_s_curve.toml", settings), {})
        s.state.history[:, 0, 1] += 0.02  # the car body to the left: the spring is stretched
        loop = LoopSettings(stride=40, explicit=integrator != "newmark")
        run = simulate(s.model, s.assembly, s.state, s.rail_state, s.contact_work, s.work, 0.02, loop)
        assert run.complete
        ends.append(run.records.velocities[-1, 1])
    # the implicit step starts from the accelerations of rest: at most half a step of forty
    assert ends[0] == pytest.approx(ends[1], rel=0.5 / 40)
    assert abs(ends[2] / ends[0] - 1.0) > 0.01  # the springs hold a share of the car body


def test_the_page_prints_it():
    lines = (ROOT / "examples" / "plugin" / "flexwheel_example" / "cubic_spring.py").read_text().splitlines()
    assert "\n".join(f"+{line}" for line in lines) in (ROOT / "docs" / "extending.md").read_text()
