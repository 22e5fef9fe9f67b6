"""Elements that name a node several times: hexahedra collapsed to wedges, pyramids, tetrahedra; wedges to the latter.

The faces that keep three or four different corners say what an element is. Mid nodes of edges that stay are kept, those
of edges that vanish must be their corner. The solid is the same, its volume too; its shape functions are those of
the proper element, which meet those of their neighbours on every face.
"""

from pathlib import Path

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.elements import EDGES, LINEAR_KIND, REFERENCE_NODES
from flexwheel.body.surface import CORNER_FACES
from flexwheel.extensions.formats.raw_mesh import RawElements

_TARGETS = {(6, 2, 3): "wedge6", (5, 4, 1): "pyramid5", (4, 4, 0): "tet4"}  # nodes, triangles, quadrangles
_SECOND = {"wedge6": "wedge15", "pyramid5": "pyramid13", "tet4": "tet10"}


def proper_elements(path: Path, elements: tuple[RawElements, ...]) -> tuple[tuple[RawElements, ...], list[str]]:
    """Elements without repeated nodes, and notes.

    Raises
    ------
    MeshError       an element that collapses to nothing of a known kind
    """
    parts: dict[str, list[RawElements]] = {}
    notes = []
    for block in elements:
        ordered = np.sort(block.nodes, axis=1)
        collapsed = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
        parts.setdefault(block.kind, []).append(RawElements(block.kind, block.ids[~collapsed], block.nodes[~collapsed]))
        if not collapsed.any():
            continue
        ids, nodes = block.ids[collapsed], block.nodes[collapsed]
        patterns, which = np.unique((nodes[:, :, None] == nodes[:, None]).argmax(axis=2), axis=0, return_inverse=True)
        counts: dict[str, int] = {}
        for number, pattern in enumerate(patterns):
            own = which.reshape(-1) == number
            kind, columns = _target(path, block.kind, pattern, ids[own])
            parts.setdefault(kind, []).append(RawElements(kind, ids[own], nodes[own][:, columns]))
            counts[kind] = counts.get(kind, 0) + int(own.sum())
        listed = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        notes.append(f"collapsed: {len(ids)} {block.kind} elements that name a node twice read as {listed}")
    merged = (
        RawElements(kind, np.concatenate([p.ids for p in blocks]), np.concatenate([p.nodes for p in blocks]))
        for kind, blocks in parts.items()
    )
    return tuple(block for block in merged if len(block.ids)), notes


def proper_faces(faces: np.ndarray) -> list[np.ndarray]:
    """Faces (F, 4 | 8) of node ids, those with one side collapsed as triangles (F', 3 | 6); others as they are."""
    if faces.shape[1] not in (4, 8):
        return [faces]
    found, whole = [], np.ones(len(faces), dtype=bool)
    for side in range(4):
        same = whole & (faces[:, side] == faces[:, (side + 1) % 4])
        whole &= ~same
        left = [k for k in range(faces.shape[1]) if k not in ((side + 1) % 4, 4 + side)]
        if side == 3:  # the first corner is the one left out: its sides stay in order
            left = [k for k in range(faces.shape[1]) if k not in (3, 7)]
        found.append(faces[same][:, left])
    return [f for f in (faces[whole], *found) if len(f)]


def _target(path, kind, pattern, ids):
    """Kind that elements with this pattern of equal nodes are, and the columns of its nodes."""
    linear = LINEAR_KIND[kind]
    reference = REFERENCE_NODES[linear]
    corners = pattern[: len(reference)]
    faces = [[int(corners[k]) for k in face] for face in map(list, _outward(linear))]
    faces = [[a for a, b in zip(face, [*face[1:], face[0]], strict=True) if a != b] for face in faces]
    faces = [face for face in faces if len(face) > 2]
    triangles, quadrangles = ([f for f in faces if len(f) == n] for n in (3, 4))
    nodes = sorted(set(corners.tolist()))
    target = _TARGETS.get((len(nodes), len(triangles), len(quadrangles)))
    different = {frozenset(f) for f in faces}
    if target is None or len(different) < len(faces) or sum(map(len, different)) < sum(map(len, faces)):
        _refuse(path, kind, ids, f"{len(nodes)} different corners that make no wedge, pyramid or tetrahedron")
    base = (quadrangles if target == "pyramid5" else triangles)[0][::-1]
    if target == "wedge6":
        upright = [(a, b) for f in quadrangles for a, b in zip(f, [*f[1:], f[0]], strict=True)]
        top = [next(b for pair in upright for a, b in (pair, pair[::-1]) if a == k and b not in base) for k in base]
    else:
        top = [k for k in nodes if k not in base]
    columns = base + top
    if kind == linear:
        return target, columns
    mids: dict[frozenset, set] = {}
    for k, edge in enumerate(EDGES[kind]):
        ends = frozenset(int(corners[c]) for c in edge)
        mids.setdefault(ends, set()).add(int(pattern[len(reference) + k]))
    if any(len(ends) == 1 and own != set(ends) for ends, own in mids.items()):
        _refuse(path, kind, ids, "a mid node of its own on an edge that has vanished")
    edges = [mids[frozenset((columns[a], columns[b]))] for a, b in EDGES[_SECOND[target]]]
    if any(len(own) > 1 for own in edges):
        _refuse(path, kind, ids, "two mid nodes on edges that have become one")
    return _SECOND[target], columns + [own.pop() for own in edges]


def _outward(linear):
    """Faces whose corners turn right about the way out."""
    x = REFERENCE_NODES[linear]
    for face in CORNER_FACES[linear]:
        a, b, c = x[list(face[:3])]
        out = np.cross(b - a, c - a) @ (x[list(face)].mean(axis=0) - x.mean(axis=0)) > 0
        yield face if out else face[::-1]


def _refuse(path, kind, ids, what):
    raise MeshError(
        f"{path}: {kind} element {ids.min()} names a node twice and has {what} ({len(ids)} such elements): mesh it "
        "as a wedge, pyramid or tetrahedron"
    )
