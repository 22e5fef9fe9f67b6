"""Contact geometry of a rigid wheelset on rigid rails: where it touches, against lateral shift and yaw.

At a shift Y (to the left) and a yaw, height Z and roll follow from both wheels touching. The first-touch point of a
wheel is where the vertical distance between its contact locus (`gap`) and the rail is smallest.

Track axes: x forward, y left, z up; angles and contact angles of both wheels as in the left-like frame of the room
(the right wheel mirrored), where the contact angle is positive at the gauge corner.

Verified in tests/contact/test_contact_geometry_verified.py.
"""

from dataclasses import dataclass

import numpy as np
import scipy

from flexwheel.base.disagreements import disagree
from flexwheel.base.errors import ContactError
from flexwheel.contact.profiles.profile import profile_height

LARGEST_ROLL = 0.06  # [rad]
CLEARANCE = 0.0, 0.060  # [m] of flanges in the gauge
_BESIDE = 1.0  # [m] distance where the rail has no surface


@dataclass(frozen=True)
class WheelPair:
    """One wheel over its rail, left-like frame."""

    wheel: object  # Profile
    rail: object  # Profile, inclined, origin at its crown
    placement: object  # its radius is that of the tread datum


@dataclass(frozen=True)
class TouchPoints:
    """First-touch points of one wheel, left-like frame, (n,) each."""

    x: np.ndarray  # [m] ahead of the wheel's profile origin
    y_rail: np.ndarray  # [m] from the rail crown, field side positive
    z_rail: np.ndarray  # [m] above the crown
    y_wheel: np.ndarray  # [m] from the tread datum, field side positive
    angle: np.ndarray  # [rad] contact angle, positive at the gauge corner
    radius: np.ndarray  # [m] rolling radius


@dataclass(frozen=True)
class ContactGeometry:
    """Rigid contact of a wheelset over lateral shifts, (n,) each."""

    shift: np.ndarray  # [m] of the wheelset to the left
    yaw: float  # [rad] to the left
    roll: np.ndarray  # [rad] about x
    lift: np.ndarray  # [m] height of the axle's centre above the crowns, minus the left wheel's radius
    left: TouchPoints
    right: TouchPoints

    @property
    def delta_r(self):
        """Rolling radius left minus right (n,) [m]."""
        return self.left.radius - self.right.radius


def profile_origin(placement, shift, lift, roll, yaw):
    """Pose d = (x, y, z, roll, pitch, yaw) of the left wheel's profile origin P, as `wheel_rail_contact` takes it.

    For the right wheel turn the signs of shift, roll and yaw.
    """
    arm = wheel_arm(placement, roll, yaw)
    return np.array([0.0, shift + arm[1] - placement.wheel_y, lift + placement.radius + arm[2], roll, 0.0, yaw])


def wheel_arm(placement, roll, yaw):
    """Profile origin P of the left wheel from the wheelset's centre, track axes (3,) [m]."""
    cr, sr, cy, sy = np.cos(roll), np.sin(roll), np.cos(yaw), np.sin(yaw)
    turn = np.array([[cy, -sy * cr, sy * sr], [sy, cy * cr, -cy * sr], [0.0, sr, cr]])  # Rz(yaw) Rx(roll)
    return turn @ np.array([0.0, placement.wheel_y, -placement.radius])


def contact_locus(pair, y, roll, yaw, eta):
    """Points x, y, z of the wheel's contact locus, z above the height P has at d_z = 0; y from the rail crown.

    Parameters
    ----------
    pair : WheelPair
    y : float [m]          lateral position d_y of P
    roll, yaw : float [rad]
    eta : (n,) float [m]   on the wheel

    Returns
    -------
    (3, n) float [m]       relative to P in x, to the crown in y and z
    """
    height, slope, _ = profile_height(pair.wheel, eta)
    return np.array(_locus(pair.placement, y, roll, yaw, eta, height, slope))


def _locus(placement, y, roll, yaw, eta, height, slope):
    """x, y, z of the contact locus from the wheel's height and slope at eta; all may be arrays of one shape."""
    radius = placement.radius + height
    sine = np.tan(yaw) * (np.sin(roll) - np.cos(roll) * slope)
    cosine = np.sqrt(np.maximum(1.0 - sine**2, 0.0))
    down = -height + radius * (1.0 - cosine)
    side = np.cos(roll) * eta - np.sin(roll) * down
    ahead = radius * sine
    return (
        np.cos(yaw) * ahead - np.sin(yaw) * side,
        placement.offset + y + np.sin(yaw) * ahead + np.cos(yaw) * side,
        np.sin(roll) * eta + np.cos(roll) * down,
    )


def locus_bend(pair, roll, yaw, eta):
    """Curvature of the wheel's surface along the rail over that around the axle at points eta (n,) of the locus.

    Not positive where the locus runs back (module text of `gap`): the points there are no nearest ones.
    """
    height, slope, second = profile_height(pair.wheel, eta)
    sine = np.tan(yaw) * (np.sin(roll) - np.cos(roll) * slope)
    along = np.cos(yaw) * np.sqrt(np.maximum(1.0 - sine**2, 0.0)) + np.sin(yaw) * np.sin(roll) * sine
    bend = along**2 - np.sin(yaw) ** 2 * (pair.placement.radius + height) * second
    return np.where(sine**2 < 1.0, bend, -1.0)


def first_touch(pair, y, roll, yaw):
    """Height of P at which the wheel touches, and where.

    Parameters
    ----------
    pair : WheelPair
    y : float [m]             lateral position d_y of P
    roll, yaw : float [rad]

    Returns
    -------
    height : float [m]        d_z of P
    eta : float [m]           on the wheel
    """
    eta = pair.wheel.y
    _, at, z = _locus(pair.placement, y, roll, yaw, eta, pair.wheel.height, pair.wheel.slope)
    gap = z - np.interp(at, pair.rail.y, pair.rail.height, left=-_BESIDE, right=-_BESIDE)
    k = int(np.argmin(gap))
    if not gap[k] < 0.5 * _BESIDE:
        raise ContactError(f"the wheel at {1e3 * y:g} mm is not over the rail {pair.rail.name}")
    span = max(2, int(3e-4 / np.median(np.diff(eta))))
    low, high = eta[max(k - span, 0)], eta[min(k + span, eta.size - 1)]
    for _ in range(3):  # finer and finer, without assuming a smooth curvature
        fine = np.linspace(low, high, 41)
        _, at, z = contact_locus(pair, y, roll, yaw, fine)
        gap = z - profile_height(pair.rail, at)[0]
        k = int(np.nanargmin(gap))
        low, high = fine[max(k - 1, 0)], fine[min(k + 1, fine.size - 1)]
    shift = 0.0
    if 0 < k < fine.size - 1:
        bend = gap[k - 1] - 2.0 * gap[k] + gap[k + 1]
        shift = 0.5 * (gap[k - 1] - gap[k + 1]) / bend if bend > 0.0 else 0.0
    return -float(gap[k]), float(fine[k] + shift * (fine[1] - fine[0]))


def contact_geometry(left, right, shifts, *, yaw=0.0) -> ContactGeometry:
    """Touch points of a rigid wheelset over lateral shifts.

    Parameters
    ----------
    left, right : WheelPair     each in its own left-like frame
    shifts : (n,) float [m]     to the left
    yaw : float [rad]           to the left

    Raises
    ------
    ContactError                where the wheelset stands on no height with both wheels touching
    """
    shifts = np.atleast_1d(np.asarray(shifts, float))
    if not (np.all(np.isfinite(shifts)) and np.isfinite(yaw)):
        raise ContactError("contact geometry: shift and yaw must be finite")
    if np.abs(shifts).max() > 0.03 or abs(yaw) > 0.2:
        raise ContactError(
            f"contact geometry: shift and yaw must be at most 30 mm and 200 mrad, got "
            f"{1e3 * np.abs(shifts).max():g} mm and {1e3 * yaw:g} mrad"
        )
    rows, roll = [], 0.0
    for shift in shifts:
        roll = _rest_roll(left, right, shift, yaw, roll)
        lift, eta_left = _height(left, shift, roll, yaw)
        lift_right, eta_right = _height(right, -shift, -roll, -yaw)
        rows.append((roll, max(lift, lift_right) - left.placement.radius, eta_left, eta_right))
    roll, lift, eta_left, eta_right = np.array(rows).T
    return ContactGeometry(
        shift=shifts,
        yaw=float(yaw),
        roll=roll,
        lift=lift,
        left=_points(left, shifts, roll, yaw, eta_left),
        right=_points(right, -shifts, -roll, -yaw, eta_right),
    )


def _height(pair, shift, roll, yaw):
    """Height of the axle's centre above the crowns at which this wheel touches, and the place on the wheel."""
    d = profile_origin(pair.placement, shift, 0.0, roll, yaw)
    height, eta = first_touch(pair, d[1], roll, yaw)
    return height - d[2] + pair.placement.radius, eta


def _rest_roll(left, right, shift, yaw, near):
    """Roll at which both wheels touch at the same height."""

    def difference(roll):
        return _height(left, shift, roll, yaw)[0] - _height(right, -shift, -roll, -yaw)[0]

    for reach in (2e-4, 2e-3, LARGEST_ROLL):
        low, high = max(near - reach, -LARGEST_ROLL), min(near + reach, LARGEST_ROLL)
        try:
            ends = difference(low), difference(high)
        except ContactError:
            continue
        if ends[0] >= 0.0 >= ends[1]:
            return scipy.optimize.brentq(difference, low, high, xtol=1e-12, rtol=1e-12)
    raise ContactError(f"the wheelset does not rest on both rails at a shift of {1e3 * shift:g} mm")


def _points(pair, shift, roll, yaw, eta):
    """TouchPoints at the places eta (n,) on the wheel."""
    y = np.array([profile_origin(pair.placement, s, 0.0, r, yaw)[1] for s, r in zip(shift, roll, strict=True)])
    height, slope, _ = profile_height(pair.wheel, eta)
    x, y_rail, _ = _locus(pair.placement, y, roll, yaw, eta, height, slope)
    z_rail, rail_slope, _ = profile_height(pair.rail, y_rail)
    return TouchPoints(
        x=x,
        y_rail=y_rail,
        z_rail=z_rail,
        y_wheel=eta,
        angle=np.arctan(rail_slope),
        radius=pair.placement.radius + height,
    )


def gauge_clearance(wheel, placement, gauge):
    """Track gauge minus distance of the flanges' active faces, 10 mm below the tread datum [m].

    EN 15302 takes the conicity at 3 mm where it is 7 mm or more, at half of what exceeds 1 mm below that, and at
    2 mm below 5 mm.
    """
    throat = wheel.y < 0.0
    y, height = wheel.y[throat], wheel.height[throat]
    tip = int(np.argmax(height))
    if height[tip] < 0.010:
        raise ContactError(f"profile {wheel.name}: has no flange 10 mm below the tread datum")
    face = np.interp(-0.010, -height[tip:], y[tip:])
    return gauge - 2.0 * (placement.wheel_y + face)


def check_gauge(wheel, placement, gauge, place, accepted=()):
    """Refuse a gauge that does not fit the flanges, or return the warning of one that is accepted.

    In service the gauge lies between 1426 and 1470 mm (EN 13848-5) and the distance of the flanges' active faces
    between 1410 and 1426 mm (EN 15313): the clearance is 0 to 60 mm.

    Parameters
    ----------
    wheel : Profile
    placement : Placement
    gauge : float [m]
    place : str              key or option of the gauge
    accepted : sequence of str

    Returns
    -------
    list of str
    """
    try:
        clearance = gauge_clearance(wheel, placement, gauge)
    except ContactError:  # a profile without flange
        return []
    if CLEARANCE[0] <= clearance <= CLEARANCE[1]:
        return []
    faces = 1e3 * (gauge - clearance)
    text = (
        f"{place} = {1e3 * gauge:g} mm, but the flanges' active faces stand {faces:.1f} mm apart: the clearance of "
        f"{1e3 * clearance:.1f} mm is not within {1e3 * CLEARANCE[0]:g} to {1e3 * CLEARANCE[1]:g} mm"
    )
    return [disagree("gauge", text, accepted)]
