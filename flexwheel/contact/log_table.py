"""Tables over a uniform grid of logarithms, cubic between their rows."""

import numpy as np

from flexwheel.contact.gap import FAST
from flexwheel.numerics.kernels import kernel

LOG_MIN, LOG_MAX, LOG_COUNT = -12.0, 12.0, 481
RATIOS = np.exp(np.linspace(LOG_MIN, LOG_MAX, LOG_COUNT))
"""Numbers at whose logarithms the rows stand."""
_ROWS_PER_UNIT = (LOG_COUNT - 1) / (LOG_MAX - LOG_MIN)


@kernel(fastmath=FAST, forceinline=True)
def _cubic_place(rows, logarithm):
    """Row i and the weights of rows i - 1 ... i + 2 of a table."""
    t = (logarithm - LOG_MIN) * _ROWS_PER_UNIT
    t = min(max(t, 1.0), rows - 2.000001)
    i = int(t)
    t -= i
    w0 = 0.5 * t * (-1.0 + t * (2.0 - t))
    w1 = 1.0 + 0.5 * t * t * (-5.0 + 3.0 * t)
    w2 = 0.5 * t * (1.0 + t * (4.0 - 3.0 * t))
    w3 = 0.5 * t * t * (t - 1.0)
    return i, w0, w1, w2, w3


@kernel(fastmath=FAST)
def log_table_2(table, logarithm):
    """First two columns of a table."""
    i, w0, w1, w2, w3 = _cubic_place(table.shape[0], logarithm)
    a = w0 * table[i - 1, 0] + w1 * table[i, 0] + w2 * table[i + 1, 0] + w3 * table[i + 2, 0]
    b = w0 * table[i - 1, 1] + w1 * table[i, 1] + w2 * table[i + 1, 1] + w3 * table[i + 2, 1]
    return a, b


@kernel(fastmath=FAST)
def log_table_4(table, logarithm):
    """First four columns of a table."""
    i, w0, w1, w2, w3 = _cubic_place(table.shape[0], logarithm)
    a = w0 * table[i - 1, 0] + w1 * table[i, 0] + w2 * table[i + 1, 0] + w3 * table[i + 2, 0]
    b = w0 * table[i - 1, 1] + w1 * table[i, 1] + w2 * table[i + 1, 1] + w3 * table[i + 2, 1]
    c = w0 * table[i - 1, 2] + w1 * table[i, 2] + w2 * table[i + 1, 2] + w3 * table[i + 2, 2]
    d = w0 * table[i - 1, 3] + w1 * table[i, 3] + w2 * table[i + 1, 3] + w3 * table[i + 2, 3]
    return a, b, c, d
