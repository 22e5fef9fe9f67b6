"""GRID: local minima found by comparing tabulated values, of the vertical difference or of the normal distance.

The reference of the comparison. Nothing but values of the function is used: every sample lower than its neighbours is a
minimum, and is closed in by finer and finer samples around it. Along the circle of each wheel coordinate the function
is taken at its least, on the locus of eq 10; `grid_surface` tabulates the whole surface instead and shows that this
leaves nothing out.

Source: the method Falomi, Malvezzi and Meli 2011, Wear 271, section 5.1 compare with.
Verified in tests/verification/test_detection.py.
"""

from numba import njit

from flexwheel.contact.detection.dist import normal_distance
from flexwheel.contact.detection.locus import OFF, advances, first_and_last_node, vertical_difference
from flexwheel.contact.gap import FAST

_ZOOMS = 5
_PARTS = 4  # samples on each side of a zoom


@njit(cache=True, fastmath=FAST, error_model="numpy", forceinline=True)
def difference_or_off(wheel, rail, pair, pose, eta):
    """Vertical difference [m] over the rail, OFF beside it."""
    difference, _, y, _, _, _ = vertical_difference(wheel, rail, pair, pose, eta)
    return difference if pair.rail_start <= y <= pair.rail_end else OFF


@njit(cache=True, fastmath=FAST, error_model="numpy")
def distance_or_off(wheel, rail, pair, pose, eta):
    """Normal distance [m] where the wheel is below the rail, the larger vertical difference elsewhere."""
    difference = difference_or_off(wheel, rail, pair, pose, eta)
    return normal_distance(wheel, rail, pair, pose, eta) if difference < 0.0 else difference


@njit(cache=True, fastmath=FAST, error_model="numpy", forceinline=True)
def _value(wheel, rail, pair, pose, eta, normal):
    return distance_or_off(wheel, rail, pair, pose, eta) if normal else difference_or_off(wheel, rail, pair, pose, eta)


@njit(cache=True, fastmath=FAST, error_model="numpy")
def _zoom(wheel, rail, pair, pose, eta, step, normal):
    """Lowest of finer and finer samples around a sampled minimum: wheel coordinate and value."""
    best = _value(wheel, rail, pair, pose, eta, normal)
    for _ in range(_ZOOMS):
        step /= _PARTS
        middle = eta
        for k in range(-_PARTS + 1, _PARTS):
            value = _value(wheel, rail, pair, pose, middle + k * step, normal)
            if value < best:
                best, eta = value, middle + k * step
    return eta, best


@njit(cache=True, fastmath=FAST, error_model="numpy")
def grid_minima(tables, pose, step, normal, places, depths):
    """Local minima over samples `step` apart.

    Parameters
    ----------
    tables : DetectionTables or its handle
    pose : Pose
    step : float [m]       of the wheel coordinate
    normal : bool          True: of the normal distance, indented ones only; False: all of the vertical difference
    places : (m,) [m]      out: wheel coordinate of each, ascending
    depths : (m,) [m]      out: minus the value there

    Returns
    -------
    int                    number of minima; m + 1 when there are more than fit
    """
    wheel, rail, pair = tables.wheel, tables.rail, tables.pair
    first, last = first_and_last_node(wheel, pair, pose)
    start = pair.wheel_start + first / pair.inverse_step
    samples = int((last - first) / pair.inverse_step / step + 1e-9)
    count = 0
    before = here = OFF
    falling = False  # whether the function last fell: a level stretch counts once
    for i in range(samples + 1):
        after = _value(wheel, rail, pair, pose, start + i * step, normal)
        if after > here and falling and here < OFF and before < OFF and after < OFF:
            eta, value = _zoom(wheel, rail, pair, pose, start + (i - 1) * step, step, normal)
            if (not normal or value <= 0.0) and advances(wheel, rail, pair, pose, eta):
                if count == places.size:
                    return count + 1
                places[count], depths[count] = eta, -value
                count += 1
        if after != here:
            falling = after < here
        before, here = here, after
    return count
