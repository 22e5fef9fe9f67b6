"""Look-up table: numbers and places of the minima at the nodes of a grid over yaw, roll and lateral shift.

The grid is sheared along the shift by a multiple of the roll, so that the borders between numbers of minima run along
it.

Inside a cell whose eight corners agree in the number, and whose places differ by less than a jump from one branch of
minima to another, the places are interpolated linearly in all three directions; other cells are unsure.

Verified in tests/contact/test_detection_network_verified.py.
"""

from flexwheel.contact.detection.network import OUTSIDE, UNSURE, box_coordinates
from flexwheel.contact.gap import FAST
from flexwheel.numerics.kernels import kernel

_JUMP = 4e-3  # [m] between corners of a cell


@kernel(fastmath=FAST, forceinline=True)
def _cell(value, nodes):
    """Cell of a coordinate -1 ... 1, and the place 0 ... 1 in it."""
    t = 0.5 * (value + 1.0) * (nodes - 1)
    i = min(max(int(t), 0), nodes - 2)
    return i, t - i


@kernel(fastmath=FAST)
def table_minima(tables, pose, nearest, places):
    """Wheel coordinates of the minima of the vertical difference from the table.

    Parameters
    ----------
    tables : DetectionTables or its handle
    pose : Pose
    nearest : bool         in an unsure cell give the nearest corner's minima instead of UNSURE
    places : (m,) [m]      out

    Returns
    -------
    int                    number of minima; OUTSIDE the range of the table; UNSURE
    """
    counts, stored = tables.counts, tables.places
    na, nb, nu = counts.shape
    a, b, u = box_coordinates(tables.pair, tables.centre, tables.half, pose)
    if na == 0 or not (abs(a) <= 1.0 and abs(b) <= 1.0 and abs(u) <= 1.0):
        return OUTSIDE
    i, ta = _cell(a, na)
    j, tb = _cell(b, nb)
    k, tu = _cell((u + tables.shear[0] * b) * tables.shear[1], nu)
    count = counts[i, j, k]
    same = True
    for corner in range(1, 8):
        same = same and counts[i + (corner & 1), j + ((corner >> 1) & 1), k + (corner >> 2)] == count
    if same:
        for m in range(min(count, places.size)):
            total, low, high = 0.0, stored[i, j, k, m], stored[i, j, k, m]
            for corner in range(8):
                da, db, du = corner & 1, (corner >> 1) & 1, corner >> 2
                value = stored[i + da, j + db, k + du, m]
                low, high = min(low, value), max(high, value)
                weight = (ta if da else 1.0 - ta) * (tb if db else 1.0 - tb) * (tu if du else 1.0 - tu)
                total += weight * value
            same = same and high - low < _JUMP
            places[m] = total
    if same:
        return min(count, places.size)
    if not nearest:
        return UNSURE
    i, j, k = i + (ta > 0.5), j + (tb > 0.5), k + (tu > 0.5)
    count = min(counts[i, j, k], places.size)
    for m in range(count):
        places[m] = stored[i, j, k, m]
    return count
