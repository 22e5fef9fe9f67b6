"""Volume integrals of the floating frame, exact for the mesh: rigid positions lie in the space of the shape functions.

With the mass between nodes m (N, N) [kg] and nodal fields F, G: int rho F G dV = F^T m G. All inertia forces of a
flexible body follow from these integrals, see vehicle/floating_frame.py.

Source: Shabana, Dynamics of Multibody Systems, 4th ed. 2013, section 5.3 (inertia shape integrals).
"""

import numpy as np
import scipy.sparse as sp

from flexwheel.body.reduced_body import InertiaInvariants


def scalar_mass_matrix(mass: sp.spmatrix) -> sp.csr_matrix:
    """Mass between nodes (N, N) from a mass matrix (3 N, 3 N) that couples equal axes only."""
    return mass.tocsr()[::3, ::3]


def mass_centre_inertia(scalar_mass: sp.spmatrix, nodes: np.ndarray):
    """Mass [kg], centre (3,) [m] and inertia about the centre (3, 3) [kg m2] of nodes (N, 3)."""
    reference = nodes.mean(axis=0)
    x = nodes - reference
    nodal = np.asarray(scalar_mass.sum(axis=0)).ravel()
    mass = float(nodal.sum())
    offset = nodal @ x / mass
    x = x - offset
    p = x.T @ (scalar_mass @ x)
    p = (p + p.T) / 2
    return mass, reference + offset, np.trace(p) * np.eye(3) - p


def inertia_invariants(scalar_mass: sp.spmatrix, positions: np.ndarray, shapes: np.ndarray, inertia, first=None):
    """InertiaInvariants of modes `shapes` (N, 3, H) about positions (N, 3) from the origin of the frame.

    inertia (N, 3, H) [kg]: scalar_mass times the shapes.
    first (3,) [kg m]: mass times offset of the mass centre, where it is known better than from the sum.

    Verified in tests/verification/test_reduction_verified.py against nodal sums.
    """
    count, _, modes = shapes.shape
    moved = inertia.reshape(count, 3 * modes)
    nodal = np.asarray(scalar_mass.sum(axis=0)).ravel()
    p_xx = positions.T @ (scalar_mass @ positions)
    p_hh = (shapes.reshape(count, 3 * modes).T @ moved).reshape(3, modes, 3, modes).transpose(0, 2, 1, 3)  # 004 (6)
    return InertiaInvariants(
        mass=float(nodal.sum()),
        s_h=(nodal @ shapes.reshape(count, 3 * modes)).reshape(3, modes),
        p_xx=(p_xx + p_xx.T) / 2,
        p_xh=(positions.T @ moved).reshape(3, 3, modes),
        p_hh=np.ascontiguousarray(p_hh),
        s_x=_without_rounding(nodal @ positions if first is None else np.asarray(first), nodal, positions),
    )


def _without_rounding(first, nodal, positions):
    """First moment (3,) with what is rounding of a centred body set to zero."""
    size = np.abs(nodal).sum() * np.abs(positions).max(axis=0).max()
    return np.where(np.abs(first) > 1e-12 * size, first, 0.0)
