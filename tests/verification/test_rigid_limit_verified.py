"""A flexible wheelset without modes is the rigid one; the time step's equations against the spinning free body."""

from dataclasses import replace

import numpy as np
import pytest

from flexwheel.assess.linear.linear_rotor import linearised_matrices, whirl_frequencies
from flexwheel.vehicle.step.balance import balance, balance_arguments
from flexwheel.verification.rigid_limit import (
    coarse_body,
    free_frequencies,
    stiffened,
    swinging_run,
    wheelset_of,
    without_modes,
)
from flexwheel.verification.single_wheelset import build


@pytest.fixture(scope="module")
def body():
    return coarse_body()


@pytest.fixture(scope="module")
def rigid(body):
    return swinging_run(wheelset_of(body, flexible=False))


def test_no_modes_is_rigid(body, rigid):
    wanted, force, start = rigid
    found, contact, _ = swinging_run(wheelset_of(without_modes(body)), start)
    # rounding, carried by the wander of the first-touch point on its search grid
    assert found[:, 1] == pytest.approx(wanted[:, 1], abs=1e-5 * np.abs(wanted[:, 1]).max())
    assert contact[..., 1] == pytest.approx(force[..., 1], abs=1e-4 * np.abs(force[..., 1]).max())


def test_stiffer_wheelsets_approach_the_rigid_one(body, rigid):
    wanted = rigid[0][:, 1]
    gap = [np.abs(swinging_run(wheelset_of(stiffened(body, k)))[0][:, 1] - wanted).max() for k in (1.0, 100.0, 1e4)]
    assert gap[0] > 0.01 * np.abs(wanted).max()  # flexibility matters
    assert gap[1] < 0.05 * gap[0]
    assert gap[2] == pytest.approx(0.01 * gap[1], rel=0.2)  # inversely with stiffness once small


@pytest.mark.parametrize(("kmh", "centrifugal"), [(10.0, "both"), (200.0, "both"), (200.0, "paper"), (200.0, "none")])
def test_whirl_in_the_coordinates_of_the_time_step(body, kmh, centrifugal):
    speed = kmh / 3.6
    case = replace(wheelset_of(body), lateral_stiffness=0.0, yaw_stiffness=0.0, centrifugal=centrifugal)
    found = free_frequencies(case, speed)[:12]
    matrices = linearised_matrices(body, speed / body.treads[0].radius, "non_rotating", centrifugal)
    wanted = whirl_frequencies(*matrices)[0]
    # the carried load at the contacts adds a pendulum's stiffness
    assert found == pytest.approx(wanted[wanted > 20.0][:12], rel=1e-4)
    # torsion stands still in space: softened by the whole spin, by none, or held by the prestress of the wheels
    torsion, spin = body.frequency_hz[body.order == 0].min(), speed / body.treads[0].radius / (2.0 * np.pi)
    expected = np.sqrt(torsion**2 - spin**2) if centrifugal == "paper" else torsion
    # prestress and softening of real wheels differ by a few per mille of the frequency
    limit = 5e-3 if centrifugal == "both" else 1e-4
    assert np.abs(found / expected - 1.0).min() < limit


def test_power_of_the_contact_wrench(body):
    """Generalised force of each mode, y, z, roll and yaw: the wrench times the profile's motion, by differences."""
    built = build(wheelset_of(body), 20.0, step=1e-4)
    model, state, work = built.model, built.state, built.work
    arguments = balance_arguments(model, state, work, built.contact_work)
    q, none = state.history[0, 0].copy(), np.zeros((1, 2, 3, 4))
    forces, modes = np.zeros((1, 2, 6)), range(1, 6 + len(body.frequency_hz))

    def at(coordinates, wrench):
        work.q[:], work.qd[:], work.qdd[:] = coordinates, state.history[0, 1], 0.0
        state.wrench[:] = wrench
        assert balance(*arguments, np.zeros((4, 4)), none, 0.0, forces) == 0
        return work.residual.copy(), work.pose[0].copy()

    rng = np.random.default_rng(2)
    for side in range(2):
        wrench = np.zeros((1, 2, 6))
        wrench[0, side] = rng.normal(size=6) * np.array([1e4, 1e4, 1e5, 500.0, 0.0, 500.0])
        mirror = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0]) if side == 1 else np.ones(6)
        supplied = at(q, 0.0 * wrench)[0] - at(q, wrench)[0]
        found, wanted = supplied[list(modes)], np.empty(len(modes))
        for row, k in enumerate(modes):
            step = 1e-5 * (np.arange(len(q)) == k)
            motion = (at(q + step, wrench)[1][side] - at(q - step, wrench)[1][side]) / 2e-5
            wanted[row] = wrench[0, side] @ (mirror * motion)
        # spin carries the profile's points, not its axes
        wanted[4] = (work.shift[0, side, 2] - body.treads[side].radius) * wrench[0, side, 0]
        # the pose is linear in the modes: rounding of a position of 0.5 m over a step of 1e-5
        assert found == pytest.approx(wanted, abs=1e-6 * np.abs(wanted).max())
