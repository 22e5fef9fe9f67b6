"""Roll and speed of rotation of a wheelset on exact patches: both wheels at one height of the axle, no torque about it.

Nothing of the runs' contact model is needed: the roll starts from rigid contact, the speed from pure rolling
there, where no better start is given.

Verified in tests/verification/test_wheelset_load_verified.py.
"""

import numpy as np

from flexwheel.base.errors import ContactError
from flexwheel.contact.geometry import contact_geometry, first_touch, wheel_arm

MIRROR = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])
ONE_HEIGHT = 1e-7  # [m] by which the wheels' axle may differ: that of a load within 1e-3
_ROUNDS = 25  # of roll against height


def rolling_spin(wheels, case):
    """Speed of rotation [rad/s] of pure rolling at the mean radius of the first touches.

    Parameters
    ----------
    wheels : list of LoadedWheel
    case : LoadCase
    """
    radii = []
    for wheel in wheels:
        d, profile = wheel.pose(case, case.roll or 0.0), wheel.pair.wheel
        eta = first_touch(wheel.pair, d[1], d[3], d[5])[1]
        radii.append(wheel.pair.placement.radius + np.interp(eta, profile.y, profile.height))
    return case.speed / float(np.mean(radii))


def exact_wheels(wheels, case, spin, loads, near=None):
    """Exact patches of all wheels at one height of the axle, found by secants.

    Parameters
    ----------
    wheels : list of LoadedWheel   left, right or both
    case : LoadCase
    spin : float [rad/s]
    loads : dict                   [N] by side
    near : float [rad]             roll to start from; None: that of rigid contact

    Returns
    -------
    results : tuple of WheelLoad
    lifts : tuple of float [m]     height of the axle over each wheel's rail
    roll : float [rad]

    Raises
    ------
    ContactError                   no roll
    """
    free = case.roll is None and len(wheels) == 2
    roll, before = case.roll or 0.0, None
    if free:
        pairs = [wheel.pair for wheel in wheels]
        roll = contact_geometry(*pairs, [case.shift], yaw=case.yaw).roll[0] if near is None else near
    for _ in range(_ROUNDS):
        found = [wheel.exact(case, float(roll), spin, loads[wheel.side]) for wheel in wheels]
        results, lifts = zip(*found, strict=True)
        apart = lifts[0] - lifts[-1]
        if not free or abs(apart) < ONE_HEIGHT:
            return results, lifts, float(roll)
        slope = -2.0 * pairs[0].placement.wheel_y if before is None else (apart - before[1]) / (roll - before[0])
        before, roll = (roll, apart), roll - float(np.clip(apart / slope, -1e-3, 1e-3))
    raise ContactError(f"the wheelset finds no roll under its loads at a shift of {1e3 * case.shift:g} mm")


def exact_free_spin(wheels, case, spin, roll, loads):
    """As `exact_wheels` from a speed of rotation [rad/s] and a roll [rad] or None; last the speed without torque.

    Raises
    ------
    ContactError   no such speed within twelve secants
    """
    tried = []
    for _ in range(12):
        results, lifts, roll = exact_wheels(wheels, case, spin, loads, roll)
        torque = 0.0
        for wheel, result in zip(wheels, results, strict=True):
            own = np.concatenate([result.force, result.moment])
            torque += axle_torque(wheel, case, roll, own if wheel.side == "left" else MIRROR * own)
        reach = sum(wheel.rolling.friction * loads[wheel.side] * wheel.pair.placement.radius for wheel in wheels)
        if abs(torque) < 2e-3 * reach:
            break
        tried.append((spin, torque))
        if len(tried) == 1:
            spin += 1e-4 * spin * np.sign(torque)
        else:
            (s0, t0), (s1, t1) = tried[-2:]
            slope = (t1 - t0) / (s1 - s0)
            step = -t1 / slope if slope < 0.0 else 5e-4 * s1 * np.sign(t1)
            spin = s1 + float(np.clip(step, -5e-3 * s1, 5e-3 * s1))
    else:
        raise ContactError(f"wheelset at {1e3 * case.shift:g} mm: no speed of rotation without torque; give the spin")
    return results, lifts, roll, spin


def axle_torque(wheel, case, roll, wrench):
    """Torque about the axle [N m] of one wheel's wrench about P, left-like frame."""
    roll, yaw = wheel.sign * roll, wheel.sign * case.yaw
    axle = np.array([-np.sin(yaw) * np.cos(roll), np.cos(yaw) * np.cos(roll), np.sin(roll)])
    return float(axle @ (wrench[3:] + np.cross(wheel_arm(wheel.pair.placement, roll, yaw), wrench[:3])))
