"""Press fits: surfaces that overlap before assembly by an interference, pressed onto one another without friction.

The nodes of the first surface of a tie slide along the second one while they are pushed off it by the interference; the
stress and the contact pressure of that free body stay as prestress. Afterwards, in modes and runs, the tie holds in all
directions, by friction.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from flexwheel.base.errors import MeshError
from flexwheel.body.eigen import free_dofs, submatrix
from flexwheel.body.face_shapes import faces_of, shapes_on_face
from flexwheel.body.mesh import Mesh, Tie
from flexwheel.body.mesh_format import WARNING
from flexwheel.body.rigid_motion import rigid_modes
from flexwheel.body.statics import solve_refined
from flexwheel.body.ties import free_coordinates, held_together

COARSER = 1.15  # spacing of nodes of the first surface over that of the second: beyond, nodes pass through
DRIFT = 1e-7  # of the stiffness of a node: what holds it along the surface, so that a hub does not slide off
CORNERS = {3: [(0, 0), (1, 0), (0, 1)], 4: [(-1, -1), (1, -1), (1, 1), (-1, 1)]}
MIDDLES = {3: [(0.5, 0), (0.5, 0.5), (0, 0.5)], 4: [(0, -1), (1, 0), (0, 1), (-1, 0)]}
_G = np.sqrt(0.6)
POINTS = {
    3: ([(1 / 6, 1 / 6), (2 / 3, 1 / 6), (1 / 6, 2 / 3)], [1 / 6] * 3),
    4: ([(a, b) for a in (-_G, 0.0, _G) for b in (-_G, 0.0, _G)], [a * b / 81 for a in (5, 8, 5) for b in (5, 8, 5)]),
}
"""Places and weights on a face of three or four sides by which its mass matrix is integrated."""


@dataclass(frozen=True)
class PressFit:
    """Interference of a tie."""

    pair: str  # name of the tie, or its two surfaces as FIRST/SECOND
    interference: float  # [m] of the radius (gap closed), positive: the surfaces overlap


class _Surface(NamedTuple):
    """First surface of a tie, d nodes."""

    normal: np.ndarray  # (d, 3) unit, into the body of these nodes
    mass: np.ndarray  # (d, d) of its faces [m2]
    average: np.ndarray  # (d, d) mean of a field near each node


class Fitted(NamedTuple):
    """Free body with its fits assembled."""

    displacement: np.ndarray  # (N, 3) [m]
    nodes: dict[str, np.ndarray]  # pair -> rows of the nodes of its first surface
    pressure: dict[str, np.ndarray]  # pair -> contact pressure [Pa] there, averaged over about an element
    mean: dict[str, float]  # pair -> mean over the area [Pa]

    def said(self) -> list[str]:
        """Lines for an audit."""
        lines = []
        for pair, p in self.pressure.items():
            pulled = int((p < 0.0).sum())
            lines.append(
                f"press fit {pair}: contact pressure {self.mean[pair] / 1e6:.4g} MPa in the mean, "
                f"{p.min() / 1e6:.4g} to {p.max() / 1e6:.4g} at its {len(p)} nodes"
            )
            if pulled:
                lines.append(f"{WARNING}press fit {pair}: {pulled} nodes would open; they are held")
        return lines


def press_fits(mesh: Mesh, stiffness, fits) -> Fitted:
    """Static solution of the free body with its press fits.

    Parameters
    ----------
    mesh : Mesh
    stiffness : (3 N, 3 N) sparse [N/m]     without ties
    fits : sequence of PressFit

    Raises
    ------
    MeshError           a pair that no tie of the mesh has, one named twice, first surfaces without a whole face

    Verified in tests/verification/test_press_fit_verified.py.
    """
    found = [(fit, tie_rows(mesh, fit.pair)) for fit in fits]
    loose = [k for _, rows in found for k in rows]
    if len(set(loose)) < len(loose):
        raise MeshError(f"press_fits: {mesh.ties[max(loose, key=loose.count)].name} stands in two of them")
    recover = free_coordinates(mesh, tuple(loose))
    size = recover.shape[1]
    first = size - 3 * sum(len(mesh.ties[k].nodes) for k in loose)
    surfaces, given = {}, np.zeros(size)
    change = sp.lil_matrix((size, size))  # coordinates of nodes on a fit: along two tangents and the normal
    change.setdiag(1.0)
    own, normal_columns = {}, []
    for fit, rows in found:
        for k in rows:
            nodes = mesh.ties[k].nodes
            surfaces[k] = _surface(mesh, mesh.ties[k])
            own[k] = first + np.arange(3 * len(nodes)).reshape(-1, 3)
            for columns, normal in zip(own[k], surfaces[k].normal, strict=True):
                change[np.ix_(columns, columns)] = _axes(normal)
            given[own[k][:, 2]] = fit.interference
            normal_columns.append(own[k][:, 2])
            first += 3 * len(nodes)
    recover = (recover @ change.tocsr()).tocsr()
    matrix = held_together(recover, stiffness)
    held = np.concatenate([*normal_columns, _support(mesh, recover)])
    free = free_dofs(size, held)
    sliding = np.isin(free, np.concatenate([c[:, :2].ravel() for c in own.values()]))
    inner = submatrix(matrix, free)
    inner = (inner + sp.diags(np.where(sliding, DRIFT * inner.diagonal(), 0.0))).tocsr()
    given[free] = solve_refined(inner, -(matrix @ given)[free])
    force = matrix @ given
    nodes, pressure, mean = {}, {}, {}
    for fit, rows in found:
        loads = [force[own[k][:, 2]] for k in rows]
        nodes[fit.pair] = np.concatenate([mesh.ties[k].nodes for k in rows])
        parts = [surfaces[k].average @ np.linalg.solve(surfaces[k].mass, f) for k, f in zip(rows, loads, strict=True)]
        pressure[fit.pair] = np.concatenate(parts)
        mean[fit.pair] = sum(map(np.sum, loads)) / sum(surfaces[k].mass.sum() for k in rows)
    return Fitted((recover @ given).reshape(-1, 3), nodes, pressure, mean)


def tie_rows(mesh: Mesh, pair: str) -> list[int]:
    """Places in mesh.ties of a pair; MeshError where there is none."""
    wanted = pair.strip().upper()
    ties = [(k, tie) for k, tie in enumerate(mesh.ties) if isinstance(tie, Tie)]
    rows = [k for k, tie in ties if wanted in (tie.name.partition(" ")[2].upper(), tie.pair.upper())]
    if not rows:
        known = ", ".join(f"{t.name.partition(' ')[2]} ({t.pair})" for _, t in ties) or "none"
        raise MeshError(f"press_fits: no tie of the mesh is called {pair!r}; its ties: {known}")
    return rows


def _support(mesh, recover):
    """Six coordinates (free displacements of nodes) that hold the body without strain."""
    single = (np.diff(recover.indptr) == 1) & (abs(recover).sum(axis=1).A1 == 1.0)
    dofs = np.flatnonzero(single)
    motion = rigid_modes(mesh.nodes, mesh.nodes.mean(axis=0))[dofs]
    chosen = dofs[la.qr((motion / np.abs(motion).max(axis=0)).T, mode="r", pivoting=True)[1][:6]]
    return recover[chosen].indices


def _axes(normal):
    """Two tangents and the normal as columns (3, 3)."""
    tangent = np.cross(normal, np.eye(3)[np.argmin(np.abs(normal))])
    tangent /= np.linalg.norm(tangent)
    return np.column_stack([tangent, np.cross(normal, tangent), normal])


def _surface(mesh, tie):
    """_Surface of a tie."""
    place = np.full(len(mesh.nodes), -1)
    place[tie.nodes] = np.arange(len(tie.nodes))
    normal, mass = np.zeros((len(tie.nodes), 3)), np.zeros((len(tie.nodes),) * 2)
    average, spacing = mass.copy(), []
    for block in mesh.blocks:
        for face in faces_of(block.kind):
            rows = place[block.connectivity[:, face]]
            rows = rows[(rows >= 0).all(axis=1)]
            if not len(rows):
                continue
            sides = 3 if len(face) in (3, 6) else 4
            at = CORNERS[sides] + (MIDDLES[sides] if len(face) > 4 else [])
            corners = mesh.nodes[tie.nodes[rows]]
            np.add.at(normal, rows, -_area(corners, np.array(at, dtype=float)))
            spacing.append(_spacing(corners, len(face)))
            points, weights = (np.array(x, dtype=float) for x in POINTS[sides])
            shape, _ = shapes_on_face(points, len(face))
            area = np.linalg.norm(_area(corners, points), axis=2) * weights
            for matrix, left in ((mass, shape), (average, shape**2)):
                np.add.at(matrix, (rows[:, :, None], rows[:, None, :]), np.einsum("fp,pa,pb->fab", area, left, shape))
    length = np.linalg.norm(normal, axis=1)
    bare = (length == 0.0) | (mass.diagonal() == 0.0)
    if bare.any():
        node = mesh.node_ids[tie.nodes[np.argmax(bare)]]
        raise MeshError(f"press_fits: {tie.name}: node {node} is on no face that is tied whole; raise the tolerance")
    second = np.unique(tie.faces, axis=0)
    wide = np.where(second[:, 4] == second[:, 0], 3, 6)  # whether mid nodes stand behind the corners
    others = np.concatenate([_spacing(mesh.nodes[second[wide == n]], n) for n in (3, 6)]).mean()
    own = np.concatenate(spacing).mean()
    if own > COARSER * others:
        raise MeshError(
            f"press_fits: {tie.name}: nodes of the first surface {1e3 * own:.3g} mm apart, of the second "
            f"{1e3 * others:.3g} mm, which would pass between them: name the finer surface first"
        )
    return _Surface(normal / length[:, None], mass, average / average.sum(axis=1, keepdims=True))


def _spacing(corners, width):
    """Mean distance (F,) of the nodes of faces (F, n, 3) of `width` nodes, by two of their sides."""
    sides = np.linalg.norm(np.diff(corners[:, :3], axis=1), axis=2)
    return np.sqrt(sides.prod(axis=1)) / (2 if width > 4 else 1)


def _area(corners, at):
    """Normals (F, P, 3) of faces (F, n, 3) at places (P, 2), as long as the area per unit of the places."""
    slope = np.einsum("pnk,fnc->fpkc", shapes_on_face(at, corners.shape[1])[1], corners)
    return np.cross(slope[:, :, 0], slope[:, :, 1])
