"""Cells of a profile on the fine uniform grid of the contact kernels (columns gap.CELL)."""

import numpy as np

from flexwheel.contact.gap import CELL
from flexwheel.contact.profiles.profile import profile_height

FINE_STEP = 5e-5  # [m]
STEEPEST = 12.0  # slope beyond which a profile is left out


def touchable(profile, middle):
    """First and last y [m] of the part around the point number `middle` that is not too steep for a wheel to touch."""
    flat = np.abs(profile.slope) < STEEPEST
    first = middle - int(np.argmin(flat[middle::-1])) + 1 if not flat[: middle + 1].all() else 0
    last = middle + int(np.argmin(flat[middle:])) - 1 if not flat[middle:].all() else flat.size - 1
    return profile.y[first], profile.y[last]


def uniform_cells(profile):
    """Start [m] and cells (n, 6) on the fine uniform grid, of the part a wheel can touch."""
    start, end = touchable(profile, int(np.argmin(np.abs(profile.y))))
    y = start + FINE_STEP * np.arange(int((end - start) / FINE_STEP + 1e-9) + 1)
    height, slope, _ = profile_height(profile, np.minimum(y, end))
    cells = cells_of(height, slope)
    if profile.kind == "wheel":
        second = np.gradient(slope, FINE_STEP)
        cells[:, CELL.second], cells[:, CELL.second_step] = second, np.diff(second, append=second[-1])
    return float(start), cells


def cells_of(height, slope):
    """Cells (n, 6) of heights [m] and slopes (n,) at the nodes of the grid."""
    bent = FINE_STEP * slope
    rise = np.diff(height, append=height[-1] + bent[-1])
    after = np.append(bent[1:], bent[-1])
    cosine = 1.0 / np.sqrt(1.0 + slope**2)
    columns = (
        height,
        slope,
        3.0 * rise - 2.0 * bent - after,
        bent + after - 2.0 * rise,
        cosine,
        np.diff(cosine, append=cosine[-1]),
    )
    return np.ascontiguousarray(np.stack(columns, axis=1))
