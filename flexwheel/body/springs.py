"""Springs and beams of a mesh as part of its stiffness matrix."""

import numpy as np
import scipy.sparse as sp

from flexwheel.body.mesh import Mesh


def spring_matrix(mesh: Mesh) -> sp.csr_matrix:
    """Stiffness (3 N, 3 N) [N/m] of springs and beams; the force of a spring on its first node is S (u_2 - u_1), on
    the second the opposite.

    Verified in tests/verification/test_deck_features_verified.py and test_beams_joined_verified.py.
    """
    each = [(s.nodes, np.kron([[1.0, -1.0], [-1.0, 1.0]], s.stiffness)) for s in mesh.springs]
    parts = [tuple(np.array(part) for part in zip(*each, strict=True))] if each else []
    if mesh.beams is not None:
        parts.append((mesh.beams.nodes, mesh.beams.stiffness))
    total = sp.csr_matrix((mesh.dof_count,) * 2)
    for nodes, blocks in parts:
        dofs = (3 * nodes[:, :, None] + np.arange(3)).reshape(len(nodes), -1)
        at = np.repeat(dofs, dofs.shape[1], axis=1).ravel(), np.tile(dofs, dofs.shape[1]).ravel()
        total = total + sp.csr_matrix((blocks.ravel(), at), shape=total.shape)
    return total
