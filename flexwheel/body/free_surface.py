"""Free surface of a mesh: where it carries no load its stress is plane, and where it has a corner the stress no limit.

At a node of a free surface of normal n the strain in the surface follows from displacements in it, the strain along n
from what lies below; the condition sigma n = 0 replaces the latter. With s = n . sigma n of the averaged stress,

    sigma' = P sigma P - nu / (1 - nu) s P,    P = I - n n^T

is plane stress under the strain found in the surface. At a convex edge both normals are free, the stress uniaxial.

A re-entrant edge without a radius has a stress that grows without limit as elements shrink, as h^(lambda - 1) with
Williams' exponent lambda sin(a) + sin(lambda a) = 0 of the material angle a. One is named where halving the elements
raises the stress by more than 5 %, unless it is a chord of an arc: a neighbour across the edge turns the same way by at
least half as much, and neither by more than 45 degrees.

Source: Williams 1952, Journal of Applied Mechanics 19(4), 526-528.
Verified in tests/verification/test_stress_error_verified.py.
"""

from dataclasses import dataclass, field

import numpy as np
import scipy
import scipy.sparse as sp

from flexwheel.body.elements import EDGES
from flexwheel.body.mesh import Mesh
from flexwheel.body.stress import STRESS_PAIRS
from flexwheel.body.surface import outer_faces

LEAST_RISE = 1.05  # of the stress at a corner as elements are halved
ARC = np.radians(45.0)  # largest turn between two chords of an arc, and between faces of one smooth surface


def corner_turn(rise=LEAST_RISE):
    """Turn [rad] of a re-entrant edge whose stress rises by `rise` as elements are halved."""
    power = 1.0 - np.log2(rise)
    brentq = scipy.optimize.brentq
    return brentq(lambda turn: power * np.sin(np.pi + turn) + np.sin(power * (np.pi + turn)), 1e-6, np.pi / 2)


@dataclass(frozen=True)
class FreeSurface:
    """What the outer surface says of the stress at its nodes."""

    faces: dict  # `outer_faces` of the mesh
    rows: np.ndarray  # (n,) nodes where the stress is plane or uniaxial, ascending
    projector: np.ndarray  # (n, 3, 3) onto what is not normal to the surface
    relief: np.ndarray  # (n, 3) axes whose normal stress is taken off the others, zero where there is none
    poissons_ratio: np.ndarray  # (n,)
    corners: np.ndarray  # (c,) nodes of corners without a radius, ascending
    turn: np.ndarray  # (c,) [rad] of the re-entrant edge there
    driven: np.ndarray  # (k,) nodes that carry loads, are held or follow other parts
    submodels: dict = field(default_factory=dict)  # node -> rows (6, D) of its stress and error: `with_submodels`

    def turn_at(self, node_rows):
        """(n,) [rad] of the corner at nodes, 0 where there is none."""
        size = dict(zip(self.corners.tolist(), self.turn.tolist(), strict=True))
        return np.array([size.get(int(row), 0.0) for row in node_rows])

    def matrix(self, node_rows):
        """(6 n, 6 n) block-diagonal csr_matrix that makes the stress of nodes that of the free surface."""
        node_rows = np.atleast_1d(node_rows)
        blocks = np.tile(np.eye(6), (len(node_rows), 1, 1))
        if len(self.rows):
            at = np.minimum(np.searchsorted(self.rows, node_rows), len(self.rows) - 1)
            there = np.flatnonzero(self.rows[at] == node_rows)
            blocks[there] = _plane(self.projector[at[there]], self.relief[at[there]], self.poissons_ratio[at[there]])
        return sp.block_diag(list(blocks), format="csr") if len(node_rows) else sp.csr_matrix((0, 0))

    def applied(self, stress):
        """Nodal stress (N, 6, ...) of the whole mesh with that of the free surface."""
        blocks, out = _plane(self.projector, self.relief, self.poissons_ratio), np.array(stress)
        out[self.rows] = np.einsum("nij,nj...->ni...", blocks, out[self.rows])
        return out


def free_surface(mesh: Mesh, loaded=()) -> FreeSurface:
    """Free surface of a mesh.

    Parameters
    ----------
    mesh : Mesh
    loaded : (k,) int       nodes that carry loads or are held; those of ties, couplings and masses need not be named
    """
    outer = outer_faces(mesh)
    faces, normal, middle = _faces(mesh, outer)
    first, second, turn, ends, corner = _edges(faces, normal, middle)
    square, node = normal[:, :, None] * normal[:, None], faces.ravel()
    weight = _corner_angles(mesh.nodes[faces]).ravel()
    of_node = sp.csr_matrix((weight, (node, np.arange(len(node)) // 4)), (len(mesh.nodes), len(faces)))
    total = (of_node @ square.reshape(-1, 9)).reshape(-1, 3, 3)
    count = np.asarray(of_node.sum(axis=1)).ravel()
    mids, edge = _mid_nodes(mesh, ends)
    total[mids], count[mids] = square[first[edge]] + square[second[edge]], 2.0
    sharp = np.zeros(len(mesh.nodes), dtype=bool)
    sharp[ends[corner | (turn > ARC)]] = True
    sharp[mids] = (corner | (turn > ARC))[edge]
    kept = (count > 0) & ~sharp
    driven = np.union1d(np.asarray(loaded, dtype=np.int64), _joined(mesh))
    kept[driven] = False
    rows = np.flatnonzero(kept)
    share, axes = np.linalg.eigh(total[rows] / count[rows, None, None])
    two = share[:, 1] > np.sin(ARC / 2) ** 2
    taken = np.stack([np.zeros(len(rows)), two, np.ones(len(rows))], axis=1)
    projector = np.eye(3) - np.einsum("nik,nk,njk->nij", axes, taken, axes)
    size = np.full(len(mesh.nodes), -1.0)
    np.maximum.at(size, ends[corner].ravel(), np.repeat(turn[corner], 2))
    size[mids] = np.where(corner[edge], turn[edge], size[mids])
    corners = np.flatnonzero(size > 0)
    relief = axes[:, :, 2] * ~two[:, None]
    return FreeSurface(outer, rows, projector, relief, _poissons_ratio(mesh)[rows], corners, size[corners], driven)


def _plane(projector, axis, nu):
    """(n, 6, 6) of the condition."""
    out, taken = np.zeros((len(nu), 6, 6)), nu / (1.0 - nu)
    for i, (a, b) in enumerate(STRESS_PAIRS):
        for j, (c, d) in enumerate(STRESS_PAIRS):
            out[:, i, j] = projector[:, a, c] * projector[:, b, d]
            along = axis[:, c] * axis[:, d]
            if c != d:
                out[:, i, j] += projector[:, a, d] * projector[:, b, c]
                along = 2.0 * along
            out[:, i, j] -= taken * along * projector[:, a, b]
    return out


def _faces(mesh, outer):
    """Outer faces (F, 4), triangles with their last corner twice, outward normals (F, 3) and middles (F, 3)."""
    faces = np.concatenate([outer[4][0], outer[3][0][:, [0, 1, 2, 2]]])
    inside = np.concatenate([outer[4][1], outer[3][1]])
    x = mesh.nodes[faces]
    middle = np.concatenate([x[: len(outer[4][0])].mean(axis=1), x[len(outer[4][0]) :, :3].mean(axis=1)])
    normal = np.cross(x[:, 2] - x[:, 0], x[:, 3] - x[:, 1])
    normal[len(outer[4][0]) :] = np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0])[len(outer[4][0]) :]
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-300)
    return faces, normal * np.sign(((middle - inside) * normal).sum(axis=1, keepdims=True)), middle


def _corner_angles(x):
    """Angle (F, 4) [rad] of each face (F, 4, 3) at its corners; 0 at the second of two that are one."""
    ahead, behind = np.roll(x, -1, axis=1) - x, np.roll(x, 1, axis=1) - x
    one = np.linalg.norm(behind, axis=2) == 0.0
    ahead = np.where((np.linalg.norm(ahead, axis=2) == 0.0)[..., None], np.roll(x, -2, axis=1) - x, ahead)
    size = np.linalg.norm(ahead, axis=2) * np.linalg.norm(behind, axis=2)
    cosine = (ahead * behind).sum(axis=2) / np.maximum(size, 1e-300)
    return np.where(one, 0.0, np.arccos(np.clip(cosine, -1.0, 1.0)))


def _edges(faces, normal, middle):
    """Edges that two faces share: these faces, the turn [rad] positive where re-entrant, end nodes (e, 2), and whether
    it is a corner without a radius."""
    pairs = np.sort(np.stack([faces, np.roll(faces, -1, axis=1)], axis=-1), axis=-1)
    key = (pairs[..., 0] * (faces.max(initial=0) + 1) + pairs[..., 1]).ravel()
    key[(pairs[..., 0] == pairs[..., 1]).ravel()] = -1
    order = np.argsort(key, kind="stable")
    number, first, count = np.unique(key[order], return_index=True, return_counts=True)
    first = first[(count == 2) & (number >= 0)]
    slots = order[first], order[first + 1]
    a, b = (slot // 4 for slot in slots)
    size = np.arccos(np.clip((normal[a] * normal[b]).sum(axis=1), -1.0, 1.0))
    turn = np.where(((middle[b] - middle[a]) * (normal[a] - normal[b])).sum(axis=1) > 0, size, -size)
    of_slot = np.zeros(faces.size)
    of_slot[slots[0]] = of_slot[slots[1]] = turn
    of_face = of_slot.reshape(-1, 4)
    across = np.roll(of_face, 2, axis=1)
    triangle = faces[:, 2] == faces[:, 3]
    sides = of_face[triangle][:, [0, 1, 3]]
    across[np.ix_(triangle, [0, 1, 3])] = np.maximum(np.roll(sides, 1, axis=1), np.roll(sides, 2, axis=1))
    beyond = np.maximum(across.ravel()[slots[0]], across.ravel()[slots[1]])
    arc = (beyond >= 0.5 * turn * (1.0 - 1e-6)) & (beyond <= ARC) & (turn <= ARC)
    return a, b, turn, pairs.reshape(-1, 2)[slots[0]], (turn > corner_turn()) & ~arc


def _mid_nodes(mesh, ends):
    """Mid nodes of the outer edges `ends` (e, 2), and the edge of each."""
    count = len(mesh.nodes)
    keys = ends[:, 0] * count + ends[:, 1]
    order = np.argsort(keys)
    mids, edge = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for block in mesh.blocks if len(keys) else ():
        corners = len(block.connectivity[0]) - len(EDGES.get(block.kind, ()))
        for k, (a, b) in enumerate(EDGES.get(block.kind, ())):
            low, high = np.sort(block.connectivity[:, [a, b]], axis=1).T
            at = order[np.minimum(np.searchsorted(keys[order], low * count + high), len(keys) - 1)]
            there = keys[at] == low * count + high
            mids.append(block.connectivity[there, corners + k])
            edge.append(at[there])
    return np.concatenate(mids), np.concatenate(edge)


def _joined(mesh):
    """Nodes on which other parts or masses act."""
    some = [np.atleast_1d(m.node if m.nodes is None else m.nodes) for m in mesh.masses]
    some += [np.ravel(spring.nodes) for spring in mesh.springs]
    some += [np.ravel(part) for tie in mesh.ties for part in (tie.nodes, getattr(tie, "faces", []))]
    return np.concatenate([np.empty(0, np.int64), *some]).astype(np.int64)


def _poissons_ratio(mesh):
    """(N,) mean over the elements of a node."""
    total, count = np.zeros(len(mesh.nodes)), np.zeros(len(mesh.nodes))
    for block in mesh.blocks:
        nodes = block.connectivity.ravel()
        total += mesh.materials[block.material].poissons_ratio * np.bincount(nodes, minlength=len(total))
        count += np.bincount(nodes, minlength=len(total))
    return total / np.maximum(count, 1.0)
