"""Equivalent stress of von Mises."""

import numpy as np


def von_mises(stress):
    """Equivalent stress (...,) [Pa] of stress (..., 6) in the order xx yy zz xy yz zx [Pa]."""
    xx, yy, zz, xy, yz, zx = np.moveaxis(np.asarray(stress), -1, 0)
    normal = 0.5 * ((xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2)
    return np.sqrt(normal + 3.0 * (xy**2 + yz**2 + zx**2))
