"""Motion of a wheel's profile against its rail: rates against differences over time, in a curve."""

import numpy as np
import pytest

from flexwheel.track.layout import make_layout
from flexwheel.track.segments import Arc, Straight, Transition
from flexwheel.vehicle.step.balance import balance, balance_arguments
from flexwheel.verification.single_wheelset import SingleWheelset, build

SPEED, STEP = 20.0, 1e-5  # [m/s, s] an error of (speed step)^2 (1/s): rates turn with the curve, 1e-9 m/s


@pytest.mark.parametrize("place", [30.0, 100.0], ids=["transition", "arc"])
def test_the_rate_of_the_pose_is_that_of_the_pose(place):
    """A yawed wheelset leads with one wheel by 15 mm, where the rail has curved away and turned."""
    built = build(SingleWheelset(), SPEED)
    layout = make_layout([Straight(10.0), Transition(50.0), Arc(200.0, 300.0, "left", 120.0)])
    model, state, work = built.model._replace(layout=layout), built.state, built.work
    arguments = balance_arguments(model, state, work, built.contact_work)
    state.wrench[:] = 0.0  # no static residual
    q = np.array([place, 2e-3, 1e-3, 0.02, 3e-3, 0.0])
    rate = np.array([SPEED, 0.05, -0.03, 0.4, 0.1, SPEED / 0.45])

    def at(time):
        work.q[:], work.qd[:], work.qdd[:] = q + time * rate, rate, 0.0
        balance(*arguments, np.zeros((4, 4)), np.zeros((1, 2, 3, 4)), 0.0, np.zeros((1, 2, 6)))
        return work.pose[0].copy(), work.gap_rate[0].copy()

    wanted = (at(STEP)[0] - at(-STEP)[0]) / (2.0 * STEP)
    found = at(0.0)[1]
    # the curvature counts as standing still: in the transition 1/(300 m 50 m) 20 m/s (15 mm)^2 / 2 = 1.5e-7 m/s, and
    # 2e-5 rad/s of roll and yaw; rounding of positions of 1 m: 1e-16 / 1e-5
    assert found[:, :3] == pytest.approx(wanted[:, :3], abs=1e-6)
    assert found[:, 3:] == pytest.approx(wanted[:, 3:], abs=1e-4)
