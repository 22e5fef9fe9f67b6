"""Contact of a wheel standing on a rail under a given vertical load."""

import numpy as np

from flexwheel.base.errors import ContactError
from flexwheel.base.variables import PATCH
from flexwheel.contact.contact_tables import frictionless, make_contact_result, make_contact_scratch
from flexwheel.contact.wheel_rail import OK, STATUS_TEXT, WheelMotion, wheel_rail_contact
from flexwheel.numerics.kernels import handle

HIGHEST = 0.035  # [m] from where a wheel is let down: it stands on its flange tip at 0.028
LOAD_WITHIN = 1e-3  # of the load: what an equilibrium may lack


def static_contact(tables, radius, vertical_load, *, lateral_shift=0.0, yaw=0.0, roll=0.0):
    """Height of the wheel under a vertical load, and its contact patches.

    Parameters
    ----------
    tables : ContactTables
    radius : float [m]
    vertical_load : float [N]       vertical contact force on the wheel, creep forces left out
    lateral_shift : float [m]       of the wheel to the field side from the centred position; positive brings the
                                    flange to the rail
    yaw, roll : float [rad]         left-like frame

    Returns
    -------
    height : float [m]              d_z of `wheel_rail_contact`
    wrench : (6,) [N, N m]          on the wheel about its profile origin
    patches : dict of (n,) arrays   one per column of variables.PATCH

    Raises
    ------
    ContactError                    when no height gives the load
    """
    if not (np.isfinite(vertical_load) and vertical_load > 0.0):
        raise ContactError(f"static contact: vertical load must be a positive number, got {vertical_load!r} N")
    tables = frictionless(tables)
    result = make_contact_result()
    law = handle(tables), radius, handle(make_contact_scratch(tables)), handle(result)  # as a run calls it
    motion = WheelMotion(np.array([0.0, lateral_shift, 0.0, roll, 0.0, yaw]), np.zeros(6), np.zeros(3), 1.0)

    def load(height):
        motion.d[2] = height
        status, count = wheel_rail_contact(*law[:2], motion, *law[2:])
        return result.wrench[2], status, count

    # from above: the wheel comes down until the load is passed, then bisection
    high, low = HIGHEST, None
    for height in np.arange(HIGHEST, -0.02, -2e-4):
        if load(height)[0] >= vertical_load:
            low = height
            break
        high = height
    if low is None:
        raise ContactError(
            f"static contact: no height carries {vertical_load:g} N at a lateral shift of {1e3 * lateral_shift:g} mm "
            f"and a yaw of {1e3 * yaw:g} mrad"
        )
    for _ in range(60):
        middle = 0.5 * (low + high)
        if load(middle)[0] >= vertical_load:
            low = middle
        else:
            high = middle
    found, status, count = load(low)
    if status != OK:
        raise ContactError(f"static contact: {STATUS_TEXT[status]} at a shift of {1e3 * lateral_shift:g} mm")
    if count == 0 or abs(found - vertical_load) > LOAD_WITHIN * vertical_load:
        raise ContactError(
            f"static contact: no height carries {vertical_load:g} N at a lateral shift of {1e3 * lateral_shift:g} mm "
            f"and a yaw of {1e3 * yaw:g} mrad; within 1 nm the vertical force jumps from {load(low + 1e-9)[0]:g} to "
            f"{found:g} N"
        )
    patches = {name: result.patches[:count, k].copy() for k, name in enumerate(PATCH._fields)}
    return low, result.wrench.copy(), patches
