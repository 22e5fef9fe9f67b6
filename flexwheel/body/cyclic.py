"""Fourier harmonics of a mesh of revolution: one small real symmetric problem per circumferential order n.

Field of order n and phase p, in the *section frame* of the node's angle alpha (see reduced_body.py):

    u_x = a_x sin(n alpha + p),   u_y = a_y cos(n alpha + p),   u_z = a_z cos(n alpha + p)

Phases 0 and -pi/2 are the cosine and sine member of a pair; the field turned by +theta about y has phase p - n theta.
A sector is its own mirror image, so both members have the same real matrices and no complex arithmetic is needed.
Amplitudes: 3*orbit + axis of the section frame, then one per axle node: lateral motion for n = 0, sideways motion
a (body frame: -a sin p, 0, a cos p) for n = 1, none for n >= 2.

Source: Thomas 1979, International Journal for Numerical Methods in Engineering 14, 81-102 (cyclic symmetry).
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from flexwheel.body.revolution import Revolution

COSINE, SINE = 0.0, -np.pi / 2


class HarmonicBlock(NamedTuple):
    """Stiffness and mass of one order in amplitude space; both phases of a pair share them."""

    order: int
    phases: tuple[float, ...]  # one phase for n = 0 and n = S/2, two otherwise
    dof: np.ndarray  # (D,) amplitudes of this block within those of the order
    stiffness: sp.csc_matrix  # (D, D) a^T K a = twice the strain energy of the full turn
    mass: sp.csc_matrix  # (D, D)


class SectorMatrix:
    """A symmetric matrix of one sector, ready to be folded into any order."""

    def __init__(self, revolution: Revolution, nodes: np.ndarray, matrix: sp.spmatrix):
        self.revolution, self.nodes, self.matrix = revolution, nodes, matrix.tocsr()
        self._prepare()

    def _prepare(self):
        """Entries in section frames, sorted by place in the folded matrix and by angle between their nodes."""
        rev = self.revolution
        orbit, alpha = (of_all[self.nodes] for of_all in rev.places)
        turn = _section_axes(orbit, alpha)
        local = (turn.T @ self.matrix @ turn).tocoo()
        i, j = local.row // 3, local.col // 3
        keep = (orbit[i] >= 0) & (orbit[j] >= 0)
        i, j, value = i[keep], j[keep], local.data[keep]
        axis_i, axis_j = local.row[keep] % 3, local.col[keep] % 3
        size = 3 * rev.orbits
        place = (3 * orbit[i] + axis_i).astype(np.int64) * size + 3 * orbit[j] + axis_j
        places, where = np.unique(place, return_inverse=True)
        half_steps = np.round(2 * (alpha[i] - alpha[j]) / rev.step).astype(int)
        odd = (axis_i == 0) != (axis_j == 0)  # sine meets cosine
        sign = np.where(axis_i == 0, 1.0, -1.0)
        self._cosine, self._sine = {}, {}
        for h in np.unique(half_steps):
            for table, mask, weight in ((self._cosine, ~odd, 1.0), (self._sine, odd, sign)):
                chosen = mask & (half_steps == h)
                data = np.bincount(where[chosen], (value * weight)[chosen], len(places))
                if data.any():
                    table[abs(h)] = table.get(abs(h), 0.0) + (data if h >= 0 or table is self._cosine else -data)
        self._indices = (places % size).astype(np.int32)
        self._indptr = np.searchsorted(places, size * np.arange(size + 1)).astype(np.int32)
        self._size = size

    def folded(self, order: int) -> sp.csr_matrix:
        """Matrix of `order` in amplitude space, all amplitudes."""
        scale = self.revolution.sections * (1.0 if _single(self.revolution, order) else 0.5)
        if order < 2 and len(self.revolution.axis):
            rows = [harmonic_rows(self.revolution, self.nodes, order, p) for p in (COSINE, SINE)]
            return (scale * sum(a.T @ self.matrix @ a for a in rows)).tocsr()
        half = order * self.revolution.step / 2
        data = sum(np.cos(half * h) * d for h, d in self._cosine.items())
        data = data + sum(np.sin(half * h) * d for h, d in self._sine.items())
        return sp.csr_matrix((scale * data, self._indices, self._indptr), shape=(self._size,) * 2)


def harmonic_blocks(stiffness: SectorMatrix, mass: SectorMatrix, order: int) -> list[HarmonicBlock]:
    """Independent problems of one order: two single families for n = 0 and n = S/2, else one pair."""
    k, m = stiffness.folded(order), mass.folded(order)
    blocks = []
    for phases, dof in families(stiffness.revolution, order):
        whole = len(dof) == k.shape[0]
        blocks.append(
            HarmonicBlock(
                order, phases, dof, (k if whole else k[dof][:, dof]).tocsc(), (m if whole else m[dof][:, dof]).tocsc()
            )
        )
    return blocks


def families(revolution: Revolution, order: int) -> list[tuple[tuple[float, ...], np.ndarray]]:
    """Phases and amplitudes of the independent problems of one order."""
    size = amplitude_count(revolution, order)
    if not _single(revolution, order):
        return [((COSINE, SINE), np.arange(size))]
    out = []
    for phase in (COSINE, SINE):
        psi = order * revolution.offset + phase
        active = np.zeros((revolution.orbits, 3), dtype=bool)
        active[:, 0] = np.abs(np.sin(psi)) > 1e-6
        active[:, 1:] = (np.abs(np.cos(psi)) > 1e-6)[:, None]
        on_axis = np.full(size - active.size, order == 0 and phase == COSINE)
        dof = np.flatnonzero(np.concatenate([active.ravel(), on_axis]))
        if len(dof):
            out.append(((phase,), dof))
    return out


def amplitude_count(revolution: Revolution, order: int) -> int:
    return 3 * revolution.orbits + (len(revolution.axis) if order < 2 else 0)


def harmonic_rows(revolution: Revolution, nodes: np.ndarray, order: int, phase: float) -> sp.csr_matrix:
    """Body-frame displacements (3*len(nodes), amplitudes) of the field of `order` and `phase`."""
    orbit, alpha = (of_all[nodes] for of_all in revolution.places)
    off = np.flatnonzero(orbit >= 0)
    a, k = alpha[off], orbit[off]
    s, c = np.sin(order * a + phase), np.cos(order * a + phase)
    rows = [3 * off, 3 * off, 3 * off + 1, 3 * off + 2, 3 * off + 2]
    columns = [3 * k, 3 * k + 2, 3 * k + 1, 3 * k, 3 * k + 2]
    values = [np.cos(a) * s, np.sin(a) * c, c, -np.sin(a) * s, np.cos(a) * c]
    if order < 2:
        on = np.flatnonzero(orbit < 0)
        rank = np.full(len(revolution.following), -1)
        rank[revolution.axis] = np.arange(len(revolution.axis))
        column = 3 * revolution.orbits + rank[np.asarray(nodes)[on]]
        ones = np.ones(len(on))
        if order == 0:
            rows, columns, values = rows + [3 * on + 1], columns + [column], values + [ones * np.cos(phase)]
        else:
            rows, columns = rows + [3 * on, 3 * on + 2], columns + [column, column]
            values = values + [-ones * np.sin(phase), ones * np.cos(phase)]
    shape = (3 * len(nodes), amplitude_count(revolution, order))
    entries = np.concatenate(values), (np.concatenate(rows), np.concatenate(columns))
    return sp.csr_matrix(sp.coo_matrix(entries, shape=shape))


def expand(revolution: Revolution, order: int, phase: float, amplitudes: np.ndarray, out: np.ndarray):
    """Fill out (N, 3, m) with body-frame displacements of the whole mesh; amplitudes (A, m)."""
    ring = amplitudes[: 3 * revolution.orbits].reshape(revolution.orbits, 3, -1)
    offset, own = np.unique(revolution.offset, return_inverse=True)  # few: sines of them alone
    alpha = revolution.step * np.arange(revolution.sections)[:, None] + offset
    psi = order * alpha + phase
    sa, ca, sine, cosine = (table[:, own, None] for table in (np.sin(alpha), np.cos(alpha), np.sin(psi), np.cos(psi)))
    x, z = ring[:, 0] * sine, ring[:, 2] * cosine
    out[revolution.ring, 0] = ca * x + sa * z
    out[revolution.ring, 1] = ring[:, 1] * cosine
    out[revolution.ring, 2] = ca * z - sa * x
    out[revolution.axis] = 0.0
    on_axis = amplitudes[3 * revolution.orbits :]
    if order == 0:
        out[revolution.axis, 1] = np.cos(phase) * on_axis
    elif order == 1:
        out[revolution.axis, 0] = -np.sin(phase) * on_axis
        out[revolution.axis, 2] = np.cos(phase) * on_axis


def rigid_amplitudes(revolution: Revolution, order: int, phases: tuple[float, ...], centre_y: float) -> np.ndarray:
    """Rigid motions contained in a block, (A, 1 or 2 or 0): unit translation and rotation about (0, centre_y, 0).

    n = 0: lateral translation (cosine) or rotation about y (sine). n = 1, cosine member: translation z and rotation
    about x; its sine member is the same turned by 90 degrees: translation x and rotation about -z.
    """
    if order > 1:
        return np.zeros((amplitude_count(revolution, order), 0))
    ring = np.zeros((revolution.orbits, 3, 2))
    arm, axis_arm = revolution.y - centre_y, revolution.axis_y - centre_y
    if order == 0 and phases == (COSINE,):
        ring[:, 1, 0] = 1.0
        return np.concatenate([ring[:, :, :1].reshape(-1, 1), np.ones((len(axis_arm), 1))])
    if order == 0:
        ring[:, 0, 0] = revolution.radius
        return np.concatenate([ring[:, :, :1].reshape(-1, 1), np.zeros((len(axis_arm), 1))])
    ring[:, 0, 0], ring[:, 2, 0] = -1.0, 1.0
    ring[:, 0, 1], ring[:, 1, 1], ring[:, 2, 1] = -arm, revolution.radius, arm
    return np.concatenate([ring.reshape(-1, 2), np.column_stack([np.ones(len(axis_arm)), axis_arm])])


def whole_scalar_mass(revolution: Revolution, nodes: np.ndarray, mass: sp.spmatrix) -> sp.csr_matrix:
    """Mass between nodes (N, N) of the whole mesh [kg] from the mass matrix of one sector (DOF, equal axes)."""
    sector = mass.tocsr()[::3, ::3].tocoo()
    count = len(revolution.following)
    successor = nodes
    rows, columns = [], []
    for _ in range(revolution.sections):
        rows.append(successor[sector.row])
        columns.append(successor[sector.col])
        successor = revolution.following[successor]
    values = np.tile(sector.data, revolution.sections)
    return sp.csr_matrix((values, (np.concatenate(rows), np.concatenate(columns))), shape=(count, count))


def _single(revolution, order):
    return order == 0 or 2 * order == revolution.sections


def _section_axes(orbit, alpha):
    """Block diagonal of Ry(alpha), identity for axle nodes."""
    a = np.where(orbit >= 0, alpha, 0.0)
    blocks = np.zeros((len(a), 3, 3))
    blocks[:, 0, 0] = blocks[:, 2, 2] = np.cos(a)
    blocks[:, 0, 2], blocks[:, 2, 0], blocks[:, 1, 1] = np.sin(a), -np.sin(a), 1.0
    count = len(a)
    return sp.bsr_matrix((blocks, np.arange(count), np.arange(count + 1)), shape=(3 * count, 3 * count)).tocsr()
