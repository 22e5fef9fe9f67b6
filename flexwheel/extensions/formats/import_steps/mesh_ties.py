"""Ties, rigid sets and equations of a file on the rows of the mesh.

Nodes that a tie holds are moved onto the surface they follow.
"""

import collections
from dataclasses import replace
from pathlib import Path

import numpy as np
import scipy

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import Equation, RigidSet, Tie
from flexwheel.body.mesh_format import WARNING
from flexwheel.extensions.formats.import_steps.place_on_faces import DEFAULT_TOLERANCE, place_on_faces, side_length
from flexwheel.extensions.formats.raw_mesh import RawEquation, RawMesh, RawRigid


def build_ties(path: Path, raw: RawMesh, node_ids: np.ndarray, nodes: np.ndarray, scale: float):
    """Ties of a mesh.

    Parameters
    ----------
    node_ids : (N,)        of the mesh
    nodes : (N, 3) [m]     moved in place where a tie brings them onto a surface
    scale : float [m]      the file's unit of length

    Returns
    -------
    ties : tuple of Tie, RigidSet, Equation
    notes : list of str    for the audit

    A node that follows already is not tied a second time, and no node is tied to a face it belongs to.

    Raises
    ------
    MeshError              a node that is not defined or that no solid holds; a tie that holds no node
    """
    rows = _Rows(path, node_ids)
    taken = np.zeros(len(node_ids), dtype=bool)
    ties, notes = [], []
    known, axes = (
        set(node_ids.tolist()),
        collections.Counter(t.nodes[0] for t in raw.ties if isinstance(t, RawEquation)),
    )
    named = collections.Counter(int(n) for t in raw.ties for n in np.ravel(t.nodes))
    for item in sorted(raw.ties, key=lambda t: not isinstance(t, RawRigid)):
        if isinstance(item, RawEquation):
            if item.nodes[0] not in known and named[item.nodes[0]] == axes[item.nodes[0]]:
                notes.append(f"left out: {item.name}, a node that follows and moves nothing")
                continue
            each = list(dict.fromkeys(item.nodes))
            whole = np.zeros((len(each), 3))
            np.add.at(whole, [each.index(n) for n in item.nodes], item.coefficients)
            ties.append(Equation(item.name, rows(item, each), whole))
            continue
        if isinstance(item, RawRigid):
            inside = np.isin(item.nodes, node_ids)
            own, first = np.unique(rows(item, item.nodes[inside]), return_index=True)
            found = RigidSet(item.name, own, None if item.stretch is None else item.stretch[inside][first])
            if item.stretch is None:
                notes.append(f"{item.name}: {len(found.nodes)} nodes move as one rigid body")
        else:
            found, said = _tie(item, rows, nodes, taken, scale)
            notes += said
        taken[found.nodes] = True
        ties.append(found)
    return tuple(_solved(ties)), notes


def _solved(ties):
    """Equations of one first node in oblique directions solved for displacements of it that differ."""
    first = {}
    for tie in ties:
        if isinstance(tie, Equation):
            first.setdefault(int(tie.nodes[0]), []).append(tie)
    for own in first.values():
        rows = np.array([tie.coefficients[0] for tie in own])
        if len(own) == 1 or np.all(np.count_nonzero(rows, axis=1) == 1):
            yield from own
            continue
        if len(own) > 3 or np.linalg.matrix_rank(rows) < len(own):
            raise MeshError(f"{own[0].name}: {len(own)} equations of its first node, which are not independent")
        pivots = scipy.linalg.qr(rows, pivoting=True)[2][: len(own)]
        inverse = np.linalg.inv(rows[:, pivots])
        nodes = list(dict.fromkeys(int(n) for tie in own for n in tie.nodes))
        whole = np.zeros((len(own), len(nodes), 3))
        for k, tie in enumerate(own):
            np.add.at(whole[k], [nodes.index(int(n)) for n in tie.nodes], tie.coefficients)
        for tie, coefficients in zip(own, np.einsum("kj,jna->kna", inverse, whole), strict=True):
            yield replace(tie, nodes=np.array(nodes), coefficients=coefficients)
    yield from (tie for tie in ties if not isinstance(tie, Equation))


def links_of(tie: Tie | RigidSet | Equation) -> np.ndarray:
    """Rows of nodes (L, n) that a tie holds together."""
    return np.hstack([tie.nodes[:, None], tie.faces]) if isinstance(tie, Tie) else tie.nodes[None]


class _Rows:
    """Rows of node ids."""

    def __init__(self, path, node_ids):
        self._path, self._ids, self._order = path, node_ids, np.argsort(node_ids)

    def __call__(self, item, ids):
        ids = np.asarray(ids, dtype=np.int64)
        place = np.searchsorted(self._ids, ids, sorter=self._order)
        found = self._order[np.minimum(place, len(self._order) - 1)]
        if np.any(self._ids[found] != ids):
            missing = ids[self._ids[found] != ids].flat[0]
            raise MeshError(f"{item.place}: {item.name}: node {missing} belongs to no solid, expected a node of one")
        return found


def _tie(item, rows, nodes, taken, scale):
    """Tie of a surface, and what the audit says of it."""
    faces = [rows(item, f) for f in item.faces]
    own = np.unique(rows(item, item.nodes))
    on_faces = np.zeros(len(nodes), dtype=bool)
    for f in faces:
        on_faces[f] = True
    twice = own[taken[own] & ~on_faces[own]]
    own = own[~taken[own] & ~on_faces[own]]
    side = side_length(nodes, faces)
    limit = DEFAULT_TOLERANCE * side if item.tolerance is None else item.tolerance * scale
    placed = place_on_faces(nodes[own], nodes, faces)
    near = placed.distance <= limit
    if not near.any():
        closest = 1e3 * placed.distance.min() if len(own) else np.inf
        raise MeshError(
            f"{item.place}: {item.name}: no node lies within {1e3 * limit:.3g} mm of the other surface (the nearest at "
            f"{closest:.3g} mm), expected surfaces that touch: raise POSITION TOLERANCE, or mend the mesh"
        )
    tied = Tie(item.name, own[near], placed.faces[near], placed.weights[near], item.pair)
    moved = placed.distance[near].max()
    nodes[tied.nodes] = placed.place[near]
    notes = [f"{item.name}: {len(tied.nodes)} nodes tied, moved onto the surface by at most {1e3 * moved:.3g} mm"]
    if not near.all():
        notes.append(
            f"{WARNING}{item.name}: {int((~near).sum())} of {len(own)} nodes lie more than {1e3 * limit:.3g} mm off "
            "the other surface and are not tied (POSITION TOLERANCE)"
        )
    if len(twice):
        notes.append(f"{WARNING}{item.name}: {len(twice)} nodes follow by an earlier tie already and are left with it")
    return tied, notes
