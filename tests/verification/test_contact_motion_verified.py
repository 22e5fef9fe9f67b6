"""Motion of a wheel's profile against its rail: rates against differences over time, in a curve."""

import numpy as np
import pytest

from flexwheel.track.layout import make_layout
from flexwheel.track.segments import Arc, Straight, Transition
from flexwheel.vehicle.step.balance import balance, balance_arguments, on_rail_heads
from flexwheel.verification.single_wheelset import SingleWheelset, build

SPEED, STEP = 20.0, 1e-5  # [m/s, s] an error of (speed step)^2 (1/s): rates turn with the curve, 1e-9 m/s


@pytest.mark.parametrize("place", [30.0, 100.0], ids=["transition", "arc"])
def test_the_rate_of_the_pose_is_that_of_the_pose(place):
    """A yawed wheelset leads with one wheel by 15 mm, where the rail has curved away and turned; the rails turn too."""
    built = build(SingleWheelset(), SPEED)
    layout = make_layout([Straight(10.0), Transition(50.0), Arc(200.0, 300.0, "left", 120.0)])
    model, state, work = built.model._replace(layout=layout), built.state, built.work
    arguments = balance_arguments(model, state, work, built.contact_work)
    state.wrench[:] = 0.0  # no static residual
    q = np.array([place, 2e-3, 1e-3, 0.02, 3e-3, 0.0])
    rate = np.array([SPEED, 0.05, -0.03, 0.4, 0.1, SPEED / 0.45])

    heads = np.zeros((1, 2, 3, 4))
    heads[0, :, 0], heads[0, :, 1] = (1e-4, 3e-4, -4e-4, -6e-3), (0.01, 0.02, -0.03, 0.3)
    heads[0, :, 2] = 0.0, 1e-4, -1e-3, 4e-3  # along the track

    def at(time):
        moved = heads.copy()
        moved[:, :, 0] += time * (heads[:, :, 1] + SPEED * heads[:, :, 2])
        work.q[:], work.qd[:], work.qdd[:] = q + time * rate, rate, 0.0
        balance(*arguments, np.zeros((4, 4)), moved, 0.0, np.zeros((1, 2, 6)))
        return work.pose[0].copy(), work.gap_rate[0].copy()

    wanted = (at(STEP)[0] - at(-STEP)[0]) / (2.0 * STEP)
    found = at(0.0)[1]
    # the curvature counts as standing still: in the transition 1/(300 m 50 m) 20 m/s (15 mm)^2 / 2 = 1.5e-7 m/s, and
    # 2e-5 rad/s of roll and yaw; rounding of positions of 1 m: 1e-16 / 1e-5
    assert found[:, :3] == pytest.approx(wanted[:, :3], abs=1e-6)
    assert found[:, 3:] == pytest.approx(wanted[:, 3:], abs=1e-4)


ROLL = -0.01  # [rad] of the left rail, by which the right wheel rises
MOTION = np.array([5.0, 4e-3, 0.44935, 0.0, 1e-3, 0.0])  # height of the axle above the crowns
RATES = np.array([SPEED, 0.02, -0.01, 0.0, 0.05, 1.0002 * SPEED / 0.45])


@pytest.fixture(scope="module")
def wheelset():
    built = build(SingleWheelset(), SPEED)
    return built, balance_arguments(built.model, built.state, built.work, built.contact_work)


def forces_at(wheelset, motion, rates, head):
    """Wrench of the left rail (6,) on the wheel, track axes; head (3, 4): displacement, velocity and slope of it."""
    built, arguments = wheelset
    built.state.wrench[:] = 0.0
    built.work.q[:], built.work.qd[:], built.work.qdd[:] = motion, rates, 0.0
    heads, forces = np.zeros((1, 2, 3, 4)), np.zeros((1, 2, 6))
    heads[0, 0] = head
    balance(*arguments, np.zeros((4, 4)), heads, 0.0, forces)
    return forces[0, 0]


def about_x(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def turned_about_the_crown(wheelset, rate):
    """MOTION and RATES after the wheelset has turned by ROLL with the left rail, and turns on at a rate [rad/s]."""
    built, motion, rates = wheelset[0], MOTION.copy(), RATES.copy()
    arm = np.array([0.0, MOTION[1] - built.model.wheelsets.lateral[0, 0] + built.model.contact[0].offset, MOTION[2]])
    turned = about_x(ROLL) @ arm
    motion[1:3] += (turned - arm)[1:]
    rates[1:3] = (about_x(ROLL) @ [0.0, *RATES[1:3]] + np.cross([rate, 0.0, 0.0], turned))[1:]
    motion[4] += ROLL
    rates[4] += rate
    return motion, rates


def test_a_rail_and_its_wheel_turned_together_keep_their_force(wheelset):
    """Turned about the rail's crown, at the same rate: the force turns with them, normal, creep and spin."""
    wanted = forces_at(wheelset, MOTION, RATES, np.zeros((3, 4))).copy()
    head = np.array([[0.0, 0.0, 0.0, ROLL], [0.0, 0.0, 0.0, 0.3], [0.0, 0.0, 0.0, 0.0]])
    found = forces_at(wheelset, *turned_about_the_crown(wheelset, 0.3), head)
    found = np.concatenate([about_x(-ROLL) @ found[:3], about_x(-ROLL) @ found[3:]])
    assert wanted[2] > 1e4 and np.abs(wanted[:2]).min() > 1e3
    assert found == pytest.approx(wanted, rel=1e-6, abs=1e-6 * np.linalg.norm(wanted[:3]))


def test_what_a_wheel_loses_is_what_its_contact_and_rail_take(wheelset):
    """Power of the wrench on the wheel, of the rail head's force on its motion, and of the contact's slip."""
    built, _ = wheelset
    motion, rates = turned_about_the_crown(wheelset, 0.0)
    motion[5] = 5e-3
    head = np.array([[0.0, 3e-4, -4e-4, ROLL], [0.01, -0.02, 0.03, 0.2], [0.0, 0.0, 0.0, 0.0]])
    motion[1:3] += head[0, 1:3]
    held = head.copy()
    held[1] = 0.0
    turn = np.kron(np.eye(2), about_x(ROLL))
    forces_at(wheelset, motion, rates, held)
    velocity = turn @ built.work.rate[0, 0]  # of the wheel alone, track axes
    wrench = forces_at(wheelset, motion, rates, head).copy()
    slip = -wrench @ turn @ built.work.rate[0, 0]
    rail = on_rail_heads(built.model, built.work, np.tile(wrench, (1, 2, 1)))[0, 0]
    assert abs(rail[3] * head[1, 3]) > 1.0
    assert -wrench @ velocity == pytest.approx(slip + rail @ head[1], rel=1e-9)


def test_a_rail_at_rest_bears_the_moment_about_its_crown(wheelset):
    """Head by its static compliance under the wrenches, whose place on it moves with it."""
    built, arguments = wheelset
    compliance = np.diag([1e-8, 4e-8, 2e-8, 3e-6])
    compliance[1, 3] = compliance[3, 1] = 1.5e-7
    built.work.q[:], built.work.qd[:], built.work.qdd[:] = MOTION, RATES, 0.0
    built.state.wrench[:] = [500.0, 8e3, 6e4, 300.0, 0.0, 0.0]
    balance(*arguments, compliance, np.zeros((1, 2, 3, 4)), 0.0, np.zeros((1, 2, 6)))
    wanted = on_rail_heads(built.model, built.work, built.state.wrench) @ compliance
    rigid = -built.state.wrench[:, :, :4] @ compliance
    assert built.work.rail[:, :, 0] == pytest.approx(wanted, rel=1e-9)
    assert np.abs(wanted - rigid).max() > 1e-4
