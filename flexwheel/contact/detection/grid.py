"""GRID: local minima found by comparing tabulated values, of the vertical difference or of the normal distance.

The reference of the comparison. Nothing but values of the function is used: every sample lower than its neighbours is a
minimum, and is closed in by finer and finer samples around it. Along the circle of each wheel coordinate the function
is taken at its least, on the locus of eq 10; `grid_surface` tabulates the whole surface instead and shows that this
leaves nothing out.

Source: the method Falomi, Malvezzi and Meli 2011, Wear 271, section 5.1 compare with.
Verified in tests/assess/test_detection_verified.py.
"""

from flexwheel.contact.detection.diff import enter_minimum
from flexwheel.contact.detection.dist import normal_distance, rail_distance
from flexwheel.contact.detection.locus import OFF, advances, first_and_last_node, vertical_difference
from flexwheel.contact.detection.profile_surface import surface_difference, surface_place
from flexwheel.contact.gap import FAST
from flexwheel.numerics.kernels import kernel

_ZOOMS = 5
_FINER = 16  # parts of an interval in which the function may turn
_PARTS = 4  # samples on each side of a zoom


@kernel(fastmath=FAST, forceinline=True)
def difference_or_off(pair, pose, eta):
    """Vertical difference [m] over the rail, OFF beside it."""
    found = vertical_difference(pair, pose, eta)
    return found.value if pair.rail_start <= found.y <= pair.rail_end else OFF


@kernel(fastmath=FAST)
def distance_or_off(pair, pose, eta):
    """Normal distance [m] where the wheel is below the rail, the larger vertical difference elsewhere."""
    difference = difference_or_off(pair, pose, eta)
    return normal_distance(pair, pose, eta) if difference < 0.0 else difference


@kernel(fastmath=FAST, forceinline=True)
def _value(pair, pose, eta, normal):
    return distance_or_off(pair, pose, eta) if normal else difference_or_off(pair, pose, eta)


@kernel(fastmath=FAST)
def _zoom(pair, pose, eta, step, normal):
    """Lowest of finer and finer samples around a sampled minimum: wheel coordinate and value."""
    best = _value(pair, pose, eta, normal)
    for _ in range(_ZOOMS):
        step /= _PARTS
        middle = eta
        for k in range(-_PARTS + 1, _PARTS):
            value = _value(pair, pose, middle + k * step, normal)
            if value < best:
                best, eta = value, middle + k * step
    return eta, best


@kernel(fastmath=FAST)
def grid_minima(tables, pose, step, normal, places, depths):
    """Local minima over samples `step` apart, 16 times closer where the samples leave room for a turn between them.

    There is room where the function changes over an interval by less than this change itself changes to both sides.

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
    pair = tables.pair
    first, last = first_and_last_node(pair, pose)
    start = pair.wheel_start + first / pair.inverse_step
    samples = int((last - first) / pair.inverse_step / step + 1e-9)
    count = 0
    old = left = right = OFF  # three samples in a row before the newest
    before = here = OFF  # the two latest of the finer sequence
    falling = False  # whether the function last fell: a level stretch counts once
    spacing = step  # before `here`
    for i in range(samples + 2):
        new = _value(pair, pose, start + i * step, normal) if i <= samples else OFF
        # the samples are left at i - 2 and right at i - 1: can the function turn between them?
        change = right - left
        parts = _FINER if abs(change) < abs(change - (left - old)) + abs(new - right - change) else 1
        if not (left < OFF and right < OFF):
            parts = 1
        for m in range(1, parts + 1):
            eta = start + (i - 2 + m / parts) * step
            after = _value(pair, pose, eta, normal) if m < parts else right
            if after > here and falling and here < OFF and before < OFF and after < OFF:
                width = max(spacing, step / parts)
                low, value = _zoom(pair, pose, eta - step / parts, width, normal)
                if (not normal or value <= 0.0) and advances(pair, pose, low):
                    count = enter_minimum(places, depths, count, low, -value)
                    if count > places.size:
                        return count
            if after != here:
                falling = after < here
            before, here, spacing = here, after, step / parts
        old, left, right = left, right, new
    return count


@kernel(fastmath=FAST)
def _surface_value(pair, pose, x, eta, normal):
    """Vertical difference or normal distance of any point of the wheel's lower surface."""
    difference = surface_difference(pair, pose, x, eta)
    if not normal or difference >= 0.0:
        return difference
    return -rail_distance(pair, *surface_place(pair, pose, x, eta))


@kernel(fastmath=FAST)
def _least_along(pair, pose, eta, normal):
    """Least value over samples along the circle of one wheel coordinate, closed in three times."""
    middle, step, best = 0.0, 4e-3, OFF
    for _ in range(5):
        centre = middle
        for k in range(-10, 11):
            value = _surface_value(pair, pose, centre + k * step, eta, normal)
            if value < best:
                best, middle = value, centre + k * step
        step *= 0.15
    return best


@kernel
def grid_surface(tables, pose, step, normal, places, depths):
    """Local minima as `grid_minima`, from values over the whole surface of the wheel, without eq 10."""
    pair = tables.pair
    first, last = first_and_last_node(pair, pose)
    start = pair.wheel_start + first / pair.inverse_step
    count = 0
    before = here = OFF
    for i in range(int((last - first) / pair.inverse_step / step + 1e-9) + 1):
        after = _least_along(pair, pose, start + i * step, normal)
        if after > here and here < before and before < OFF and after < OFF and (not normal or here <= 0.0):
            if count == places.size:
                return count + 1
            places[count], depths[count] = start + (i - 1) * step, -here
            count += 1
        before, here = here, after
    return count
