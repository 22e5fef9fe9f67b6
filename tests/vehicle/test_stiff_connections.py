"""Iterations of a step that converge slowly: motors hung in bogies on bushings of 1e9 N/m, creep forces that saturate;
what does not converge is said and counted."""

import numpy as np
import pytest

from flexwheel.assess.linear.suspension_matrices import suspension_matrices
from flexwheel.base.errors import ConvergenceError, ScenarioError
from flexwheel.numerics.kernels import handle
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.simulation import phase_lines
from flexwheel.vehicle.build_vehicle import vehicle_elements
from flexwheel.vehicle.elements.columns import Poses, Weights, make_suspension_state
from flexwheel.vehicle.elements.force_law import MOST_ROWS, ROW_COLUMNS
from flexwheel.vehicle.step import coupling_renewal
from flexwheel.vehicle.step.balance import balance, balance_arguments
from flexwheel.vehicle.step.simulate import LoopSettings, simulate
from flexwheel.vehicle.suspension import link, tangent_rows
from flexwheel.vehicle.suspension_elements import pack_suspension, read_element
from flexwheel.vehicle.vehicle_file import FOLDER

MOTOR = """
[bodies.motor]
mass_kg = 800.0
roll_inertia_kg_m2 = 50.0
pitch_inertia_kg_m2 = 60.0
yaw_inertia_kg_m2 = 60.0
position_m = [-0.88, 0.0, 0.55]
"""
BEARING = """
[elements.motor_bearing]
kind = "spring"
body_a = "motor"
other_body = "front_bogie"
x_m = [-0.3, 0.3]
point_a_m = [0.0, 0.25, 0.0]
point_b_m = [0.0, 0.25, 0.0]
stiffness_n_per_m = [1e9, 1e9, 1e9]
static_share = "motor"
"""
SCENARIO = """
[run]
speed_kmh = 100.0
duration_s = {duration}
step_s = {step}
output_step_s = {step}
[vehicle]
file = "coach.toml"
[track]
model = "rigid"
layout = [
    {{ kind = "straight", length_m = 2.0 }},
    {{ kind = "transition", length_m = 5.0 }},
    {{ kind = "arc", length_m = 200.0, radius_m = 600.0, cant_mm = 60.0 }},
]
[irregularity]
spectrum = "erri_b176"
roughness = "none"
ramp_m = 5.0
{more}
"""


def coach(tmp_path, step=1e-3, duration=0.2, more="", edit=lambda text: text):
    text = (FOLDER / "manchester_v1.toml").read_text()
    text = text.replace("\n[wheelsets.wheelset_1]", MOTOR + "[wheelsets.wheelset_1]")
    (tmp_path / "coach.toml").write_text(edit(text + BEARING))
    path = tmp_path / "run.toml"
    path.write_text(SCENARIO.format(step=step, duration=duration, more=more))
    return build_simulation(read_scenario(path, []), {})


def run(s, duration, **settings):
    loop = LoopSettings(stride=1, **settings)
    return simulate(s.model, s.assembly, s.state, s.rail_state, s.contact_work, s.work, duration, loop)


def test_bushing_of_1e9_runs_at_a_millisecond(tmp_path):
    """Diverged within five steps before the iteration matrix held the bushing."""
    s = coach(tmp_path)
    found = run(s, 0.2)
    assert found.complete
    assert found.unconverged == 0
    assert found.iterations_mean < 3.0  # a Newton step, and one more where contact asks for it
    names = list(s.assembly.unit_names)
    motor, bogie = (s.assembly.units.offset[names.index(name)] for name in ("motor", "front_bogie"))
    swing = found.records.coordinates[:, motor + 2] - found.records.coordinates[:, bogie + 2]
    lever = found.records.coordinates[:, bogie + 5] * 0.4  # the motor stands 0.4 m before the bogie's centre
    # 1e9 N/m twice on each side: some micrometres under the motor's acceleration
    assert np.ptp(swing + lever) < 2e-5


def test_the_result_does_not_depend_on_the_iteration_matrix(tmp_path, monkeypatch):
    """At 50 us both iterations converge: the same steps to their tolerance."""
    runs = []
    for slow in (0.0, np.inf):
        monkeypatch.setattr(coupling_renewal, "SLOW", slow)
        s = coach(tmp_path, 5e-5, 0.005)
        runs.append(run(s, 0.005, tolerance=1e-6, limit=60))
        assert bool(s.work.coupling.active[0]) == (slow == 0.0)
        assert runs[-1].unconverged == 0
    with_all, without = (r.records.wrench for r in runs)
    assert runs[0].iterations_mean <= runs[1].iterations_mean
    # 1e-6 N a step, a hundred steps, amplified by nothing
    assert np.abs(with_all - without).max() < 1e-3


@pytest.mark.parametrize(("slow", "said"), [(0.0, True), (np.inf, False)])
def test_wheelsets_that_do_not_stay_in_phase_are_said(tmp_path, monkeypatch, slow, said):
    """Stiff connections in the iteration matrix leave the integrator's beta to every coordinate."""
    monkeypatch.setattr(coupling_renewal, "SLOW", slow)
    s = coach(tmp_path, 5e-5)
    run(s, 5e-4, in_phase=True)
    assert bool(phase_lines(s)) == said


def test_what_does_not_converge_is_named_and_counts(tmp_path, monkeypatch):
    monkeypatch.setattr(coupling_renewal, "SLOW", np.inf)  # the iteration matrix as it was
    s = coach(tmp_path)
    found = run(s, 0.2, limit=2)
    assert not found.complete
    assert "steps before it did not converge, most often" in found.message
    assert "at body motor" in found.message or "at body front_bogie" in found.message
    assert "whose stiffest force element for this step is 'motor_bearing motor" in found.message
    assert "left the rail at" not in found.message or "not to be trusted" in found.message


def test_unconverged_steps_end_a_run_as_incomplete(tmp_path):
    """One iteration cannot converge here: all steps count, unless the user takes that share."""
    found = run(coach(tmp_path, 5e-4), 0.02, limit=1, tolerance=1e-6)
    assert len(found.records.time) == 40
    assert not found.complete
    assert found.message.startswith("40 of 40 steps did not converge; most often")
    accepted = run(coach(tmp_path, 5e-4), 0.02, limit=1, tolerance=1e-6, unconverged_share=1.0)
    assert accepted.complete
    assert accepted.unconverged == 40


LINE = dict(body_a="a", point_a_m=[0.3, 0.9, 0.1], body_b="b", point_b_m=[0.1, 0.8, -0.2])
ELEMENTS = (
    dict(kind="spring", stiffness_n_per_m=[2e5, 3e5, 5e5], damping_n_s_per_m=[1e3, 2e3, 0.0], axes_of="b", **LINE),
    dict(kind="spring", stiffness_n_per_m=[0, 0, 1e6], rotational_stiffness_n_m_per_rad=[1e5, 2e5, 3e5], **LINE),
    dict(kind="damper", damping_n_s_per_m=3e4, **LINE),
    dict(kind="traction_rod", stiffness_n_per_m=2e7, damping_n_s_per_m=1e3, **LINE),
    dict(kind="friction_damper", friction_force_n=4e3, series_stiffness_n_per_m=5e6, **LINE),
    dict(kind="bump_stop", axis=[0, 1, 0.2], clearance_m=0.0, stiffness_n_per_m=4e6, **LINE),
)


@pytest.mark.parametrize("spec", ELEMENTS, ids=[f"{k} {e['kind']}" for k, e in enumerate(ELEMENTS)])
def test_tangents_are_the_derivatives_of_the_forces(spec):
    """Without force in the nominal pose nothing comes of the geometry: kappa d d^T = beta dt^2 K + gamma dt C."""
    positions = np.array([[1.0, 0.0, 0.6], [1.2, 0.1, 1.5]])
    elements = pack_suspension([read_element(spec, {"a": 0, "b": 1}, "test")], positions)
    if spec["kind"] == "bump_stop":
        positions[1] += 1e-5 * np.array([0.0, 1.0, 0.2])  # closed, hardly loaded
    pose = Poses(positions, np.array([np.eye(3)] * 2), np.zeros((2, 3)), np.zeros((2, 3)))
    state = make_suspension_state(elements)
    dt = 1e-3
    bd, gd = 0.25 * dt * dt, 0.5 * dt
    rows, found = np.zeros((MOST_ROWS, ROW_COLUMNS)), np.zeros((12, 12))
    handles = handle(link(elements)), 0, handle(pose), handle(state)
    for r in range(tangent_rows(*handles, Weights(dt, bd, gd, 0.0), rows)):
        g, arm_a, arm_b = rows[r, 1:4], rows[r, 4:7], rows[r, 7:10]
        if rows[r, 10]:
            d = np.concatenate([np.zeros(3), -g, np.zeros(3), g])
        else:
            d = np.concatenate([-g, -np.cross(arm_a, g), g, np.cross(arm_b, g)])
        found += rows[r, 0] * np.outer(d, d)
    stiffness, damping = suspension_matrices(elements, pose, state)
    wanted = bd * stiffness + gd * damping
    assert found == pytest.approx(wanted, abs=1e-4 * np.abs(wanted).max())  # of the stop's load and rounding


def test_torque_goes_to_the_driven_wheelset_and_back_to_its_frame(tmp_path):
    def drive(text):
        return text.replace("[wheelsets.wheelset_3]", "[wheelsets.wheelset_3]\ndriven = true")

    more = '[drive]\nkind = "axle_torque"\n'
    with pytest.raises(ScenarioError, match="no wheelset of .* is driven"):
        coach(tmp_path, more=more)
    s = coach(tmp_path, more=more, edit=drive)
    names = s.assembly.unit_names
    torque = {}
    for slow in (0.0, 1.0):
        s.work.q[:], s.work.qd[:], s.work.qdd[:] = s.state.history[0]
        s.work.qd[0] -= slow
        arguments = balance_arguments(s.model, s.state, s.work, s.contact_work)
        balance(*arguments, np.zeros((4, 4)), np.zeros((4, 2, 3, 4)), 0.0, np.zeros((4, 2, 6)))
        torque[slow] = s.work.applied[:, 4].copy()
    change = dict(zip(names, torque[1.0] - torque[0.0], strict=False))
    expected = 2.0e4 * 1.0 * 0.46  # gain times the speed that lacks times the radius
    assert change["wheelset_3"] == pytest.approx(expected, rel=1e-6)
    assert change["rear_bogie"] == pytest.approx(-expected, rel=1e-2)  # the slower car body pulls its damper and rod
    for name in ("wheelset_1", "wheelset_2", "wheelset_4"):
        assert abs(change[name]) < 1e-6 * expected


def test_a_vehicle_hung_from_the_ground_is_said(tmp_path):
    def hang(stiffness, preload):
        crane = '\n[elements.crane]\nkind = "spring"\nbody_a = "car_body"\nsides = "middle"\n'
        crane += "point_a_m = [0.0, 0.0, 1.0]\npoint_b_m = [0.0, 0.0, 1.0]\n"
        crane += f"stiffness_n_per_m = [0.0, 0.0, {stiffness}]\npreload_n = [0.0, 0.0, {preload}]\n"
        return lambda text: text + crane

    s = coach(tmp_path, edit=hang(1e6, -3e5))
    assert any("'crane car_body' at car_body alone" in line for line in s.warnings)
    with pytest.raises(ConvergenceError, match="'crane car_body' at car_body alone"):
        coach(tmp_path, edit=hang(1e6, -1e6))


def test_the_weight_of_body_a_is_carried_not_doubled(tmp_path):
    s = coach(tmp_path)
    bearings = [e for e in vehicle_elements(s.vehicle, s.assembly) if e.name.startswith("motor_bearing")]
    assert len(bearings) == 4
    assert [e.preload[2] for e in bearings] == pytest.approx([-800.0 * 9.81 / 4.0] * 4)  # on the bogie: downwards


def on_laws(tmp_path, slope, step=5e-5):
    """AS4 at rest on pads of a tabulated law, `slope` [kN/mm]; the linear pads have 100 or so."""
    more = f"[track.fastener.vertical]\nlaw_mm_kn = [[-1.0, -{slope}], [0.0, 0.0], [1.0, {slope}]]\n"
    text = SCENARIO.format(step=step, duration=0.01, more=more)
    rails = 'model = "flexible"\nrail_mass = "consistent"'  # the mass matched to long steps is refused
    (tmp_path / "run.toml").write_text(text.replace('model = "rigid"', rails).replace("coach.toml", "as4"))
    return build_simulation(read_scenario(tmp_path / "run.toml", []), {})


def test_supports_that_do_not_settle_are_refused(tmp_path):
    """The iteration over the supports diverges at rest: blamed on the gauge before."""
    with pytest.raises(ConvergenceError, match="nonlinear supports of the rails"):
        on_laws(tmp_path, 1e6)


def test_supports_that_fail_in_the_run_count(tmp_path):
    """Their failure was dropped: 0 steps not converged. At rest, with a step of its own, they settle."""
    found = run(on_laws(tmp_path, 7e3, step=2e-4), 0.01)
    assert not found.complete
    assert "at the nonlinear supports of the rails" in found.message


def test_a_run_shorter_than_a_sample_is_refused(tmp_path):
    with pytest.raises(ScenarioError, match="ends before its first sample"):
        coach(tmp_path, 1e-3, 4e-4)
