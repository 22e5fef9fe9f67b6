"""Local minima of the vertical difference by searches over the wheel's surface from evenly spaced starts.

Source: the methods Falomi, Malvezzi and Meli 2011, Wear 271, section 5.1 compare with.
Verified in tests/assess/test_detection_verified.py.
"""

from flexwheel.assess.detection.compass import compass_descend
from flexwheel.assess.detection.simplex import simplex_descend
from flexwheel.contact.detection.locus import OFF, first_and_last_node
from flexwheel.contact.detection.profile_surface import surface_difference
from flexwheel.contact.gap import FAST
from flexwheel.numerics.kernels import kernel

START_SPACING = 4e-3  # [m] between the starts of a search
EDGE = 1e-4  # [m] a search that ends this near to the edge has found no minimum
SAME = 1e-3  # [m] two ends of searches nearer than this are one minimum


@kernel(fastmath=FAST)
def search_minima(by_simplex, tables, pose, places, values):
    """Local minima of the vertical difference.

    Parameters
    ----------
    by_simplex : bool      simplex, else compass searches
    tables : DetectionTables or its handle
    pose : Pose
    places : (m,) [m]      out: wheel coordinate of each, ascending
    values : (m,) [m]      out: vertical difference there

    Returns
    -------
    int                    number of minima; m + 1 when there are more than fit
    """
    pair = tables.pair
    first, last = first_and_last_node(pair, pose)
    low = pair.wheel_start + first / pair.inverse_step
    high = pair.wheel_start + last / pair.inverse_step
    count = 0
    for k in range(int((high - low) / START_SPACING)):
        start = low + (k + 0.5) * START_SPACING
        if by_simplex:
            x, eta, value = simplex_descend(pair, pose, start)
        else:
            x, eta, value = compass_descend(pair, pose, start)
        count = _keep_minimum(pair, pose, x, eta, value, places, values, count)
    return count


@kernel(fastmath=FAST)
def _keep_minimum(pair, pose, x, eta, value, places, values, count):
    """Enter the end of a search among the minima, ascending, unless it is at the rail's edge or known already.

    Returns
    -------
    int        number of minima; places.size + 1 when there are more than fit
    """
    for side in (-EDGE, EDGE):
        if surface_difference(pair, pose, x, eta + side) == OFF:
            return count
    for k in range(min(count, places.size)):
        if abs(places[k] - eta) < SAME:
            if value < values[k]:
                places[k], values[k] = eta, value
            return count
    if count >= places.size:
        return places.size + 1
    k = count
    while k > 0 and places[k - 1] > eta:
        places[k], values[k] = places[k - 1], values[k - 1]
        k -= 1
    places[k], values[k] = eta, value
    return count + 1
