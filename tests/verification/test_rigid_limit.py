"""A flexible wheelset without modes is the rigid one; the time step's equations against the spinning free body."""

import numpy as np
import pytest

from flexwheel.bodies.linear_rotor import linearised_matrices, whirl_frequencies
from flexwheel.verification.rigid_limit import (
    coarse_body,
    free_frequencies,
    stiffened,
    swinging_run,
    wheelset_of,
    without_modes,
)


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


@pytest.mark.parametrize("kmh", [10.0, 200.0])
def test_whirl_in_the_coordinates_of_the_time_step(body, kmh):
    speed = kmh / 3.6
    case = wheelset_of(body)
    found = free_frequencies(type(case)(**{**vars(case), "lateral_stiffness": 0.0, "yaw_stiffness": 0.0}), speed)[:12]
    wanted = whirl_frequencies(*linearised_matrices(body, speed / body.treads[0].radius, "non_rotating"))[0]
    # the carried load at the contacts adds a pendulum's stiffness
    assert found == pytest.approx(wanted[wanted > 20.0][:12], rel=1e-4)
