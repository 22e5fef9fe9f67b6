"""Jumps of the touch points of a rigid wheelset from one lateral shift to the next.

Verified in tests/contact/test_contact_geometry_verified.py.
"""

from dataclasses import dataclass, replace

import numpy as np

from flexwheel.contact.geometry import contact_geometry

_JUMP = 5e-4  # [m] on the wheel


@dataclass(frozen=True)
class Jump:
    """The touch point of one wheel moves at once: from one place to another when the shift passes `shift`."""

    side: str
    shift: float
    y_wheel_before: float
    y_wheel_after: float
    y_rail_before: float
    y_rail_after: float


def contact_jumps(left, right, geometry):
    """Jumps of the touch points between neighbouring shifts of a ContactGeometry.

    A step of more than 0.5 mm on a wheel is halved until the shift is known to 0.1 um; it is a jump when it is
    still there.

    Returns
    -------
    list of Jump, by shift
    """
    found = []
    for side in ("left", "right"):
        steps = np.abs(np.diff(getattr(geometry, side).y_wheel))
        for k in np.flatnonzero(steps > _JUMP):
            jump = _bisect_jump(left, right, geometry, side, k)
            if jump is not None:
                found.append(jump)
    return sorted(found, key=lambda jump: jump.shift)


def _bisect_jump(left, right, geometry, side, k):
    """The largest jump between shifts k and k + 1, or None where the point only moves fast."""
    low, high = geometry.shift[k], geometry.shift[k + 1]
    before, after = (_pick(getattr(geometry, side), i) for i in (k, k + 1))
    while abs(high - low) > 1e-7:
        middle = 0.5 * (low + high)
        there = _pick(getattr(contact_geometry(left, right, [middle], yaw=geometry.yaw), side), 0)
        if abs(there.y_wheel - before.y_wheel) > abs(after.y_wheel - there.y_wheel):
            high, after = middle, there
        else:
            low, before = middle, there
        if abs(after.y_wheel - before.y_wheel) < _JUMP:
            return None
    return Jump(
        side, 0.5 * (low + high), float(before.y_wheel), float(after.y_wheel), float(before.y_rail), float(after.y_rail)
    )


def _pick(points, k):
    return replace(points, **{name: getattr(points, name)[k] for name in points.__dataclass_fields__})
