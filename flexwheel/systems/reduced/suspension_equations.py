"""Suspension forces as straight-line code, lateral and vertical part apart.

The suspension is linear about the nominal pose, F = F0 - K q - C q', with the small coordinates of every unit in
one common frame; the lateral part (y, roll, yaw) and the vertical part (z, pitch) of K and C do not couple in a vehicle
that is symmetric about its middle plane, and what couples them otherwise is left out (`coupling_left_out`).
"""

import numpy as np

from flexwheel.systems.symbolic.expression import constant, symbol

LATERAL, VERTICAL = (0, 1, 2), (3, 4)  # of y, roll, yaw, z, pitch
SMALL = 1e-9  # of the largest entry: taken as zero


def suspension_forces(graph, stiffness, damping, preload):
    """Force expressions, one for each unit and coordinate.

    Parameters
    ----------
    stiffness, damping : (5 U, 5 U)     units in order; coordinates y, roll, yaw, z, pitch
    preload : (5 U,)                    forces in the nominal pose [N, N m]

    Returns
    -------
    list of Expression (5 U)            of symbols q0, q1, ... and q0', q1', ...
    """
    n = len(preload)
    part = np.array([0 if k % 5 in LATERAL else 1 for k in range(n)])
    k = kept(stiffness, part)
    c = kept(damping, part)
    q = [symbol(graph, f"q{i}") for i in range(n)]
    qd = [symbol(graph, f"q{i}'") for i in range(n)]
    result = []
    for i in range(n):
        total = constant(graph, preload[i])
        for j in np.flatnonzero(k[i]):
            total = total - float(k[i, j]) * q[j]  # 001 (suspension)
        for j in np.flatnonzero(c[i]):
            total = total - float(c[i, j]) * qd[j]
        result.append(total)
    return result


def kept(matrix, part):
    """Matrix without what couples the two parts and without rounding dust."""
    scale = np.sqrt(np.abs(np.outer(np.diag(matrix), np.diag(matrix)))) + 1e-300
    return np.where((part[:, None] == part) & (np.abs(matrix) > SMALL * np.maximum(scale, 1.0)), matrix, 0.0)


def coupling_left_out(matrix):
    """Largest entry that couples lateral and vertical coordinates, relative to its diagonal entries."""
    n = len(matrix)
    part = np.array([0 if k % 5 in LATERAL else 1 for k in range(n)])
    d = np.sqrt(np.abs(np.diag(matrix)))
    scale = np.outer(d, d)
    cross = (part[:, None] != part) & (scale > 0.0)
    return float(np.max(np.abs(matrix[cross]) / scale[cross], initial=0.0))
