"""Rigid motions of a mesh."""

import numpy as np


def rigid_modes(nodes, point=(0.0, 0.0, 0.0)):
    """Unit translations along x, y, z and unit rotations about x, y, z through `point`.

    Parameters
    ----------
    nodes : (N, 3) [m]
    point : (3,) [m]

    Returns
    -------
    modes : (3 N, 6)   columns 0-2 [m/m], columns 3-5 [m/rad]: theta x (node - point)
    """
    x, y, z = (np.asarray(nodes, dtype=float) - np.asarray(point, dtype=float)).T
    modes = np.zeros((len(x), 3, 6))
    modes[:, [0, 1, 2], [0, 1, 2]] = 1.0
    modes[:, 1, 3], modes[:, 2, 3] = -z, y
    modes[:, 0, 4], modes[:, 2, 4] = z, -x
    modes[:, 0, 5], modes[:, 1, 5] = -y, x
    return modes.reshape(-1, 6)
