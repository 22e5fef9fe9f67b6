"""Nodes that carry the rotation of the ends of beams, and the beams on the rows of a mesh.

About every node of a beam three new ones move with it as one rigid body; what a rigid set, a node set or a mass does
to the node of the file it does to them. At a node of shells they join the knot of these.
"""

from dataclasses import fields, replace
from pathlib import Path

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import Beams, Material
from flexwheel.extensions.formats.import_steps.beam_matrices import AROUND, BeamLines, beam_matrices, rod_matrices
from flexwheel.extensions.formats.raw_mesh import LostCards, RawBeams, RawEquation, RawMean, RawMesh, RawRigid, RawTie

SHORTEST = 1e-9  # of the largest coordinate
ALONG = 1e-6  # sine of the angle between a beam and the first direction of its section


def frame_beams(path: Path, raw: RawMesh) -> tuple[RawMesh, list[str]]:
    """The raw mesh with frames at the nodes of its beams, and a note. Beams on nodes of solids are content that would
    be lost: they hang there as on a hinge.

    Raises
    ------
    MeshError       a beam without length or along its first direction; a node of a beam that follows others
    """
    if not raw.beams:
        return raw, []
    solid = np.unique(np.concatenate([e.nodes.ravel() for e in raw.elements] or [np.zeros(0, dtype=np.int64)]))
    through = {int(i): t for t in raw.ties if isinstance(t, RawRigid) and t.stretch is not None for i in t.nodes}
    hinges = np.setdiff1d(solid, list(through))  # at a knot shells hold the rotation
    kept, lost = [], list(raw.lost)
    for beams in raw.beams:
        on = np.isin(beams.nodes, () if beams.rods else hinges)
        if on.any():
            node = beams.nodes[on][0]
            what = f"a beam that ends in node {node} of a solid as in a hinge: hold it by a rigid set of nodes there"
            lost.append(LostCards(beams.card, int(on.any(axis=1).sum()), beams.place, what))
        good = np.flatnonzero(~on.any(axis=1))
        kept.append(_picked(beams, good))
    kept = [_checked(path, raw, b) for b in kept if len(b.ids)]
    raw = replace(raw, lost=tuple(lost), beams=())
    rods = tuple(replace(b, frames=np.repeat(b.nodes[:, :, None], 3, axis=2)) for b in kept if b.rods)
    kept = [b for b in kept if not b.rods]
    said = [f"rods: {sum(len(b.ids) for b in rods)}"] if rods else []
    if not kept:
        return replace(raw, beams=rods), said
    nodes, frames = _frames(raw, kept)
    new = np.arange(3 * len(nodes)).reshape(-1, 3) + raw.node_ids.max() + 1
    of = dict(zip(nodes.tolist(), new, strict=True))
    ties, bound = [], set()
    for tie in raw.ties:
        tie, own = _with_frames(tie, of)
        bound |= own
        ties.append(tie)
    for node in nodes.tolist():
        if node not in bound:
            name = f"beams at node {node}"
            ties.append(RawRigid("beam", name, str(path), np.append(of[node], node), np.zeros((4, 3, 0))))
    count = sum(len(b.ids) for b in kept)
    alone = {node: own for node, own in of.items() if node not in through}
    return replace(
        raw,
        node_ids=np.concatenate([raw.node_ids, new.ravel()]),
        nodes=np.vstack([raw.nodes, frames.reshape(-1, 3)]),
        node_sets={name: _all_of(ids, alone) for name, ids in raw.node_sets.items()},
        masses=tuple(_carried(m, alone) for m in raw.masses),
        ties=tuple(ties),
        beams=(*rods, *(replace(b, frames=np.array([[of[int(i)] for i in row] for row in b.nodes])) for b in kept)),
    ), [*said, f"beams: {count} between {len(nodes)} nodes"]


def beams_of(
    path: Path, raw: RawMesh, node_ids: np.ndarray, nodes: np.ndarray, material: list[Material], scale: float
) -> Beams | None:
    """Beams on the rows of a mesh.

    Parameters
    ----------
    node_ids, nodes : (N,), (N, 3) [m]   of the mesh
    material : list of Material          of each beam [SI]; empty: none is known
    scale : float [m]                    the file's unit of length

    Raises
    ------
    MeshError       no material
    """
    if not raw.beams:
        return None
    if not material:
        raise MeshError(f"{path}: beams ({raw.beams[0].card}) have no material: give one from outside")
    order = np.argsort(node_ids)
    frames = np.concatenate([b.frames for b in raw.beams])
    sections = [b.sections[k] for b in raw.beams for k in b.section]
    column = lambda values: np.array(list(values), dtype=float)  # noqa: E731
    area = column(s.area for s in sections) * scale**2
    shear = column(s.shear(m.poissons_ratio) for s, m in zip(sections, material, strict=True))
    young, nu = column(m.youngs_modulus for m in material), column(m.poissons_ratio for m in material)
    lines = BeamLines(
        ids=np.concatenate([b.ids for b in raw.beams]),
        frames=order[np.searchsorted(node_ids, frames, sorter=order)],
        axis=np.concatenate([b.axis for b in raw.beams]) * scale,
        normal=np.concatenate([b.normal for b in raw.beams]),
        area=area,
        second=column(s.second for s in sections) * scale**4,
        torsion=column(s.torsion for s in sections) * scale**4,
        shear=shear * area[:, None],
        young=young,
        modulus=young / (2.0 * (1.0 + nu)),
        density=column(m.density for m in material),
        line_mass=column(s.line_mass for s in sections) / scale**2,
        rod=np.concatenate([np.full(len(b.ids), b.rods) for b in raw.beams]),
        free=np.concatenate([np.zeros((len(b.ids), 12), bool) if b.free is None else b.free for b in raw.beams]),
    )
    found = []
    for own, matrices in ((~lines.rod, beam_matrices), (lines.rod, rod_matrices)):
        if own.any():
            found.append(matrices(nodes, BeamLines(*(part[own] for part in lines))))
    return (
        found[0]
        if len(found) == 1
        else Beams(*(np.concatenate(pair) for pair in zip(*map(_fields, found), strict=True)))
    )


def _fields(beams):
    return [getattr(beams, own.name) for own in fields(beams)]


def _picked(beams, rows):
    own = {name: getattr(beams, name)[rows] for name in ("ids", "nodes", "axis", "normal", "section")}
    return replace(beams, **own, free=None if beams.free is None else beams.free[rows])


def _checked(path, raw, beams: RawBeams):
    order = np.argsort(raw.node_ids)
    found = order[np.minimum(np.searchsorted(raw.node_ids, beams.nodes, sorter=order), len(order) - 1)]
    missing = beams.nodes[raw.node_ids[found] != beams.nodes]
    if len(missing):
        raise MeshError(f"{path}: a beam names node {missing[0]}, which is not defined")
    chord = beams.axis[:, 2] - beams.axis[:, 0]
    length = np.linalg.norm(chord, axis=1)
    wrong = ~(length > SHORTEST * np.abs(raw.nodes).max())
    if wrong.any():
        raise MeshError(f"{path}: beam {beams.ids[np.argmax(wrong)]} has no length")
    across = np.linalg.norm(np.cross(chord, beams.normal), axis=1)
    size = length * np.linalg.norm(beams.normal, axis=1)
    wrong = (~(across > ALONG * size) | ~(size > 0.0)) & (not beams.rods)
    if wrong.any():
        raise MeshError(
            f"{path}: beam {beams.ids[np.argmax(wrong)]} runs along the direction of its section ({beams.card}): give "
            "a direction across it"
        )
    return beams


def _frames(raw, all_beams):
    """Nodes of beams, and places (n, 3, 3) of the three nodes about each, across the beams there."""
    nodes, size, square = np.unique(np.concatenate([b.nodes.ravel() for b in all_beams])), 0.0, 0.0
    for beams in all_beams:
        along = beams.axis[:, 2] - beams.axis[:, 0]
        along /= np.linalg.norm(along, axis=1, keepdims=True)
        radius = np.array([np.sqrt(np.trace(s.second) / s.area) for s in beams.sections])[beams.section]
        for side in (0, 1):
            at = np.searchsorted(nodes, beams.nodes[:, side])
            size = size + np.bincount(at, radius, len(nodes)) / np.bincount(at, minlength=len(nodes)).clip(1)
            own = np.zeros((len(nodes), 3, 3))
            np.add.at(own, at, along[:, :, None] * along[:, None])
            square = square + own
    axes = np.linalg.eigh(square)[1]
    ring = np.array([np.cos(AROUND), np.sin(AROUND)])
    arms = size[:, None, None] * np.swapaxes(axes[:, :, :2] @ ring, 1, 2)
    order = np.argsort(raw.node_ids)
    return nodes, raw.nodes[order[np.searchsorted(raw.node_ids, nodes, sorter=order)]][:, None] + arms


def _with_frames(tie, of):
    """The tie with the frames of its nodes, and the nodes of beams it holds."""
    if isinstance(tie, RawMean):
        if tie.node not in of:
            return tie, set()
        if not tie.turns:
            raise MeshError(f"{tie.place}: {tie.name} leaves the rotation of node {tie.node} of a beam free")
        return replace(tie, targets=(*tie.targets, *of[tie.node].tolist())), {tie.node}
    own = [int(i) for i in np.ravel(tie.nodes) if int(i) in of] if not isinstance(tie, RawTie) else []
    if isinstance(tie, RawTie):
        if any(int(i) in of for part in (tie.nodes, *tie.faces) for i in np.ravel(part)):
            raise MeshError(f"{tie.place}: {tie.name}: node of a beam, expected nodes of solids: take a rigid set")
    elif isinstance(tie, RawEquation):
        if tie.nodes[0] in of:
            raise MeshError(
                f"{tie.place}: {tie.name}: node of a beam, which cannot follow: put another node of it first, or take "
                "a rigid set"
            )
        return tie, set()
    elif own:
        if tie.pinned is not None and np.isin(own, tie.pinned).any():
            node = next(i for i in own if i in tie.pinned)
            raise MeshError(
                f"{tie.place}: {tie.name} leaves the rotation of node {node} of a beam free: bind directions 1 to 6"
            )
        more = np.concatenate([of[i] for i in own])
        stretch = tie.stretch
        if stretch is not None:
            stretch = np.concatenate([stretch, np.zeros((len(more), *stretch.shape[1:]))])
        tie = replace(tie, nodes=np.concatenate([np.ravel(tie.nodes), more]), stretch=stretch)
    return tie, set(own)


def _all_of(ids, frames):
    return np.array([j for i in ids.tolist() for j in frames.get(i, [i])], dtype=np.int64)


def _carried(mass, frames):
    if mass.carriers is None:
        return replace(mass, carriers=frames[mass.node]) if mass.node in frames else mass
    return replace(mass, carriers=_all_of(np.asarray(mass.carriers), frames))
