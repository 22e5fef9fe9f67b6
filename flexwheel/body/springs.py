"""Springs between nodes of a mesh as part of its stiffness matrix."""

import numpy as np
import scipy.sparse as sp

from flexwheel.body.mesh import Mesh


def spring_matrix(mesh: Mesh) -> sp.csr_matrix:
    """Stiffness (3 N, 3 N) [N/m] of the springs of a mesh: force on the first node S (u_2 - u_1), on the second the
    opposite.

    Verified in tests/verification/test_deck_features_verified.py.
    """
    rows, columns, values = [], [], []
    for spring in mesh.springs:
        dofs = (3 * np.asarray(spring.nodes)[:, None] + np.arange(3)).ravel()
        block = np.kron([[1.0, -1.0], [-1.0, 1.0]], spring.stiffness)
        rows.append(np.repeat(dofs, 6))
        columns.append(np.tile(dofs, 6))
        values.append(block.ravel())
    at = np.concatenate(rows), np.concatenate(columns)
    return sp.csr_matrix((np.concatenate(values), at), shape=(mesh.dof_count,) * 2)
