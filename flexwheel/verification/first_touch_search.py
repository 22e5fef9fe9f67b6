"""First touch of a wheel on a rail by search over both surfaces: points of the wheel in space, rail height below them.

Nothing of `contact.detection` is used: no contact locus, no derivative, no table; the profiles are read by cubic
interpolation. It takes thousands of times as long.
"""

import numpy as np
from scipy.optimize import minimize

from flexwheel.contact.profiles.profile import profile_height

ANGLES = np.linspace(-0.08, 0.08, 161)  # [rad] about the axle, from the lowest point of the wheel
ACROSS = 1e-4  # [m] between sections of the first pass


def vertical_gap(wheel, rail, place, pose, angle, eta):
    """Height [m] of a point of the wheel above the rail, and its x, y [m]; y from the rail's crown.

    Parameters
    ----------
    wheel, rail : Profile
    place : Placement
    pose : (yaw [rad], roll [rad], shift [m])     of the wheelset; its centre at the height of the nominal radius
    angle, eta : (...) float [rad], [m]           section of the wheel, lateral coordinate on its profile
    """
    yaw, roll, shift = pose
    radius = place.radius + profile_height(wheel, eta)[0]
    ahead, side, down = radius * np.sin(angle), place.wheel_y + eta, -radius * np.cos(angle)
    side, down = np.cos(roll) * side - np.sin(roll) * down, np.sin(roll) * side + np.cos(roll) * down
    x, y = np.cos(yaw) * ahead - np.sin(yaw) * side, np.sin(yaw) * ahead + np.cos(yaw) * side
    y = y + shift - place.rail_y
    head = profile_height(rail, np.clip(y, rail.y[0], rail.y[-1]))[0]
    return np.where((y < rail.y[0]) | (y > rail.y[-1]), np.inf, place.radius + down - head), x, y


def first_touch(wheel, rail, place, pose):
    """Least vertical gap [m] over both surfaces, and x (from the profile origin's), y [m] of its point."""
    eta = np.arange(wheel.y[0] + ACROSS, wheel.y[-1] - ACROSS, ACROSS)
    gap = np.nan_to_num(vertical_gap(wheel, rail, place, pose, ANGLES[:, None], eta)[0], nan=np.inf)
    row, column = np.unravel_index(np.argmin(gap), gap.shape)

    def at(z):
        value = vertical_gap(wheel, rail, place, pose, 1e-2 * z[0], 1e-3 * z[1])[0]
        return float(value) if np.isfinite(value) else 1.0

    start = np.array([1e2 * ANGLES[row], 1e3 * eta[column]])
    simplex = start + np.array([[0.0, 0.0], [0.05, 0.0], [0.0, 0.05]])
    options = {"initial_simplex": simplex, "xatol": 1e-7, "fatol": 1e-14, "maxiter": 2000}
    found = minimize(at, start, method="Nelder-Mead", options=options)
    least, x, y = vertical_gap(wheel, rail, place, pose, 1e-2 * found.x[0], 1e-3 * found.x[1])
    yaw, roll, _ = pose
    origin = -np.sin(yaw) * (np.cos(roll) * place.wheel_y + np.sin(roll) * place.radius)
    return float(least), float(x - origin), float(y)
