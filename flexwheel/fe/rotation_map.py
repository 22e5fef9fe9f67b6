"""How modes turn with the mesh: the one-step map of paper 004, eqs (23)-(24), and the generator of any angle.

Turning the field by one sector takes node k to the displacement A(step) r_p(k), p(k) the node one step back.
X_p = H^T M A H_p is its projection on the modes. If the modes span a space closed under this turn, X_p is orthogonal
and equals expm(J step) with a skew J; the modes then turn by any angle without damping.
"""

from typing import NamedTuple

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from flexwheel.fe.revolution import Revolution


class StepMap(NamedTuple):
    """Turn of the modes by one sector."""

    matrix: np.ndarray  # (H, H) X_p
    defect: float  # largest M-norm of the part of a turned mode outside the basis


def step_map(revolution: Revolution, scalar_mass: sp.spmatrix, shapes: np.ndarray) -> StepMap:
    """One-step map of M-orthonormal modes (N, 3, H)."""
    count, _, modes = shapes.shape
    previous = np.empty(count, dtype=np.int64)
    previous[revolution.following] = np.arange(count)
    c, s = np.cos(revolution.step), np.sin(revolution.step)
    turn = np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])
    turned = (turn @ shapes[previous]).reshape(count, 3 * modes)  # 004 (17)-(19)
    flat = shapes.reshape(3 * count, modes)
    matrix = flat.T @ (scalar_mass @ turned).reshape(3 * count, modes)  # 004 (23), (24)
    outside = turned.reshape(3 * count, modes)
    outside -= flat @ matrix  # 004 (20)
    moved = (scalar_mass @ turned).reshape(3 * count, modes)
    defect = np.sqrt(np.abs(np.einsum("ij,ij->j", outside, moved))).max(initial=0.0)  # 004 (21)
    return StepMap(matrix, float(defect))


def order_and_generator(matrix: np.ndarray, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Circumferential order (H,), -1 where it is no integer, and skew generator (H, H) from a one-step map."""
    logarithm = np.real(la.logm(matrix)) / step if len(matrix) else np.zeros((0, 0))
    generator = (logarithm - logarithm.T) / 2
    order = np.sqrt(np.einsum("ij,ij->j", generator, generator))
    nearest = np.round(order).astype(int)
    return np.where(np.abs(order - nearest) < 1e-3, nearest, -1), generator
