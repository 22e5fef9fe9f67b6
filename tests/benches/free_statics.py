"""Static solution of a free body under loads that its inertia balances (inertia relief)."""

from __future__ import annotations

import numpy as np
import scipy.linalg

from flexwheel.body.eigen import free_dofs, submatrix
from flexwheel.body.statics import solve_refined


def free_static_solution(stiffness, mass, rigid, loads):
    """Elastic displacement of a free body, its loads balanced by rigid acceleration (inertia relief).

    Parameters
    ----------
    stiffness, mass : (D, D) sparse
    rigid : (D, 6)                     rigid motions (see rigid_modes)
    loads : (D,) or (D, L) [N]

    Returns
    -------
    displacement : same shape as loads [m]    M-orthogonal to the rigid motions
    """
    loads = np.asarray(loads, dtype=float)
    inertia = mass @ rigid
    gram = rigid.T @ inertia
    balanced = loads - inertia @ np.linalg.solve(gram, rigid.T @ loads)
    _, _, pivots = scipy.linalg.qr(rigid.T, mode="economic", pivoting=True)
    free = free_dofs(stiffness.shape[0], pivots[: rigid.shape[1]])  # statically determinate support
    displacement = np.zeros_like(loads)
    displacement[free] = solve_refined(submatrix(stiffness, free), balanced[free])
    return displacement - rigid @ np.linalg.solve(gram, inertia.T @ displacement)
