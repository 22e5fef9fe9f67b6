"""Weights of sums over Chebyshev points: strips across a patch, cells along a strip."""

import numpy as np


def fejer(n):
    """Places in (0, 1) and weights (n,) of Fejer's first quadrature rule: Chebyshev points, exact to degree n - 1.

    Close to exact for a semi-ellipse too, which ends with a vertical slope. Source: Fejer 1933, Math. Z. 37, 287-309.
    """
    theta = (2.0 * np.arange(n) + 1.0) * np.pi / (2.0 * n)
    m = np.arange(1, n // 2 + 1)
    weight = 1.0 - 2.0 * np.sum(np.cos(2.0 * np.outer(theta, m)) / (4.0 * m * m - 1.0), axis=1)
    return 0.5 - 0.5 * np.cos(theta), weight / n
