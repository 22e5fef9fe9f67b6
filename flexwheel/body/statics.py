"""Static solution of a held body, and of a free body under loads that its inertia balances."""

import numpy as np

from flexwheel.base.errors import ConvergenceError, MeshError
from flexwheel.body.eigen import free_dofs, submatrix
from flexwheel.body.mesh import Mesh
from flexwheel.body.multifrontal import multifrontal_cholesky
from flexwheel.body.ties import free_coordinates, held_columns, held_together

_RESIDUAL = 1e-6  # relative; a body that is not held leaves far more


def static_solution(mesh: Mesh, stiffness, clamped_dofs, loads):
    """Displacement under static loads.

    Parameters
    ----------
    mesh : Mesh
    stiffness : (D, D) sparse [N/m]
    clamped_dofs : array of int        DOF held at zero
    loads : (D,) or (D, L) [N]

    Returns
    -------
    displacement : same shape as loads [m]

    Raises
    ------
    MeshError                          nothing clamped, loads of the wrong size, or a body left free to move
    """
    clamped = np.unique(np.asarray(clamped_dofs, dtype=int))
    loads = np.asarray(loads, dtype=float)
    if loads.shape[0] != mesh.dof_count:
        raise MeshError(f"loads have {loads.shape[0]} rows, the mesh {mesh.dof_count} DOF")
    if len(clamped) < 6:
        raise MeshError(f"{len(clamped)} DOF are clamped: a solid body needs at least 6 to be held")
    recover = free_coordinates(mesh)
    stiffness = held_together(recover, stiffness)
    forces = loads if recover is None else recover.T @ loads
    free = free_dofs(len(forces), held_columns(mesh, recover, clamped)[0])
    displacement = np.zeros_like(forces)
    try:
        displacement[free] = solve_refined(submatrix(stiffness, free), forces[free])
    except ConvergenceError as error:
        raise MeshError(f"static solution: a part is left free to move ({error})") from error
    return displacement if recover is None else recover @ displacement


def solve_refined(matrix, right_side):
    """Direct solution, refined once; refuses what the residual shows to be singular."""
    factor = multifrontal_cholesky(matrix)
    solution = factor.solve(right_side)
    solution = solution + factor.solve(right_side - matrix @ solution)
    scale = np.linalg.norm(right_side)
    residual = np.linalg.norm(right_side - matrix @ solution)
    if not residual <= _RESIDUAL * scale:
        raise ConvergenceError(f"singular to working precision: residual {residual / scale:.1e} of the load")
    return solution


def load_vector(mesh: Mesh, loads):
    """Load vector from (original node id, axis 0-2, newton) triples.

    Raises
    ------
    MeshError          an id that the mesh has not, an axis other than 0, 1, 2, a force that is not finite
    """
    vector = np.zeros(mesh.dof_count)
    row_of = {int(node): row for row, node in enumerate(mesh.node_ids)}
    for node, axis, force in loads:
        if int(node) not in row_of:
            raise MeshError(f"load on node {node}: the mesh has no such node (ids {min(row_of)}..{max(row_of)})")
        if axis not in (0, 1, 2):
            raise MeshError(f"load on node {node}: axis must be 0, 1 or 2 (x, y, z), got {axis!r}")
        if not np.isfinite(force):
            raise MeshError(f"load on node {node}: force {force} N is not finite")
        vector[3 * row_of[int(node)] + axis] += force
    return vector
