"""Neural networks: a classifier gives the class of a configuration and so the number of its minima, and the class's
network their places.

Inputs tan^2 yaw (a change of the yaw's sign mirrors the points along the track), roll and the wheel's lateral shift
without what roll adds; outputs the wheel coordinates of the minima of the vertical difference, ascending.

Source: Falomi, Malvezzi and Meli 2011, Wear 271, section 4; the classifier is a network in place of their planes.
Verified in tests/contact/test_detection_network_verified.py.
"""

from flexwheel.contact.gap import FAST
from flexwheel.numerics.kernels import kernel

OUTSIDE = -1
UNSURE = -2
_SATURATED = 6.5


@kernel(fastmath=FAST, forceinline=True)
def fast_tanh(x):
    """tanh by its Pade approximant of order 9/8; error below 2e-6."""
    x = min(max(x, -_SATURATED), _SATURATED)
    s = x * x
    top = x * (34459425.0 + s * (4729725.0 + s * (135135.0 + s * (990.0 + s))))
    bottom = 34459425.0 + s * (16216200.0 + s * (945945.0 + s * (13860.0 + 45.0 * s)))
    return top / bottom


@kernel(fastmath=FAST, forceinline=True)
def box_coordinates(pair, centre, half, pose):
    """Coordinates of a pose in the box of networks and table, -1 ... 1 inside."""
    shift = pose.y - pair.offset - pose.radius * pose.sin_roll
    a = (pose.tan_yaw * pose.tan_yaw - centre[0]) / half[0]
    return a, (pose.sin_roll - centre[1]) / half[1], (shift - centre[2]) / half[2]


@kernel(fastmath=FAST)
def _layer(hidden, a, b, u, values):
    for i in range(hidden.shape[0]):
        values[i] = fast_tanh(hidden[i, 0] * a + hidden[i, 1] * b + hidden[i, 2] * u + hidden[i, 3])


@kernel(fastmath=FAST)
def _output(weights, values):
    n = weights.size - 1
    total = weights[n]
    for i in range(n):
        total += weights[i] * values[i]
    return total


@kernel(fastmath=FAST)
def network_minima(tables, pose, margin, values, places):
    """Wheel coordinates of the minima of the vertical difference by networks.

    Parameters
    ----------
    tables : DetectionTables or its handle
    pose : Pose
    margin : float         lead of the highest class over the next (each is about 0 ... 1) that counts as sure; 0: any
    values : (h,)          scratch, at least as many as neurons
    places : (m,) [m]      out

    Returns
    -------
    int                    number of minima; OUTSIDE the range of the networks; UNSURE
    """
    classes = tables.classes.shape[0]
    a, b, u = box_coordinates(tables.pair, tables.centre, tables.half, pose)
    if classes == 0 or not (abs(a) <= 1.0 and abs(b) <= 1.0 and abs(u) <= 1.0):
        return OUTSIDE
    _layer(tables.classifier, a, b, u, values)
    best, highest, second = 0, -1e9, -1e9
    for k in range(classes):
        value = _output(tables.classes[k], values)
        if value > highest:
            best, highest, second = k, value, highest
        elif value > second:
            second = value
    if highest - second < margin:
        return UNSURE
    count = min(tables.class_points[best], places.size)
    _layer(tables.hidden[best], a, b, u, values)
    for k in range(count):
        places[k] = _output(tables.output[best, k], values)
    return count
