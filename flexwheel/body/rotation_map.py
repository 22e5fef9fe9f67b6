"""How modes turn with the mesh: the one-step map of paper 004, eqs (23)-(24), and the generator of any angle.

Turning the field by one sector takes node k to the displacement A(step) r_p(k), p(k) the node one step back.
X_p = H^T M A H_p is its projection on the modes. If the modes span a space closed under this turn, X_p is orthogonal
and equals expm(J step) with a skew J; the modes then turn by any angle without damping.
"""

from typing import NamedTuple

import numpy as np
import scipy.linalg as la

from flexwheel.body.revolution import Revolution


class StepMap(NamedTuple):
    """Turn of the modes by one sector."""

    matrix: np.ndarray  # (H, H) X_p
    defect: float  # largest M-norm of the part of a turned mode outside the basis


def step_map(revolution: Revolution, shapes: np.ndarray, inertia: np.ndarray) -> StepMap:
    """One-step map of M-orthonormal modes (N, 3, H), `inertia` the mass times them; the mass turns with the mesh."""
    count, _, modes = shapes.shape
    previous = np.empty(count, dtype=np.int64)
    previous[revolution.following] = np.arange(count)
    c, s = np.cos(revolution.step), np.sin(revolution.step)
    chunks = [slice(start, start + 512) for start in range(0, count, 512)]  # small enough to stay in the processor
    flat = lambda field: field.reshape(-1, modes)  # noqa: E731

    def turned(field, nodes):
        turned = field[previous[nodes]]  # 004 (17)-(19)
        x = c * turned[:, 0] + s * turned[:, 2]
        turned[:, 2] = c * turned[:, 2] - s * turned[:, 0]
        turned[:, 0] = x
        return flat(turned)

    matrix, square = np.zeros((modes, modes)), np.zeros(modes)
    for nodes in chunks:
        matrix += flat(inertia[nodes]).T @ turned(shapes, nodes)  # 004 (23), (24)
    for nodes in chunks:
        outside = turned(shapes, nodes) - flat(shapes[nodes]) @ matrix  # 004 (20)
        square += np.einsum("ij,ij->j", outside, turned(inertia, nodes) - flat(inertia[nodes]) @ matrix)
    defect = np.sqrt(np.abs(square)).max(initial=0.0)  # 004 (21)
    return StepMap(matrix, float(defect))


def order_and_generator(matrix: np.ndarray, step: float) -> tuple[np.ndarray, np.ndarray]:
    """Circumferential order (H,), -1 where it is no integer, and skew generator (H, H) from a one-step map."""
    logarithm = np.real(la.logm(matrix)) / step if len(matrix) else np.zeros((0, 0))
    generator = (logarithm - logarithm.T) / 2
    order = np.sqrt(np.einsum("ij,ij->j", generator, generator))
    nearest = np.round(order).astype(int)
    return np.where(np.abs(order - nearest) < 1e-3, nearest, -1), generator
