"""A raw mesh judged: what would give a wrong model silently is refused in one line with its ids."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import scipy

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh_properties import vertex_jacobians
from flexwheel.extensions.formats.element_order import mirrored
from flexwheel.extensions.formats.raw_mesh import RawElements, RawMesh

SMALLEST, LARGEST = 0.1, 40.0  # [m] extent of a wheelset, a car body
_TRUNCATED = 0.1  # share of nodes without element above which a file looks cut off


def check_ids(path: Path, raw: RawMesh) -> None:
    """Refuse files without solids, coordinates that are no numbers, and ids given twice."""
    if not raw.elements and not raw.beams:
        found = [note for note in raw.notes if note.startswith("dropped")]
        found += dict.fromkeys(f"{item.name}: {item.carries}" for item in raw.lost)
        raise MeshError(f"{path}: no solid elements in the file ({'; '.join(found) or 'no element at all'})")
    if not len(raw.node_ids):
        raise MeshError(f"{path}: no nodes in the file")
    bad = np.flatnonzero(~np.isfinite(raw.nodes).all(axis=1))
    if len(bad):
        values = ", ".join(f"{v:g}" for v in raw.nodes[bad[0]])
        raise MeshError(f"{path}: node {raw.node_ids[bad[0]]} has coordinates ({values}), expected finite numbers")
    element_ids = np.concatenate([*(e.ids for e in raw.elements), *(np.unique(b.ids) for b in raw.beams)])
    for what, ids in (("node", raw.node_ids), ("element", element_ids)):
        unique, count = np.unique(ids, return_counts=True)
        if (count > 1).any():
            twice = unique[count > 1]
            raise MeshError(
                f"{path}: {what} id {twice[0]} is defined {count[count > 1][0]} times ({len(twice)} such ids)"
            )


def rows_of(path: Path, raw: RawMesh, elements: RawElements) -> np.ndarray:
    """(E, n) rows of raw.nodes of the elements' nodes; undefined nodes are refused."""
    order = np.argsort(raw.node_ids)
    place = np.searchsorted(raw.node_ids, elements.nodes, sorter=order)
    rows = order[np.minimum(place, len(order) - 1)]
    missing = np.argwhere(raw.node_ids[rows] != elements.nodes)
    if len(missing):
        e, n = missing[0]
        raise MeshError(
            f"{path}: element {elements.ids[e]} refers to node {elements.nodes[e, n]}, which is not defined "
            f"({len(missing)} such references)"
        )
    return rows


def check_copies(path: Path, elements: RawElements) -> None:
    """Refuse two elements on the same nodes: their stiffness and mass would count twice."""
    _, first, same = np.unique(np.sort(elements.nodes, axis=1), axis=0, return_index=True, return_inverse=True)
    copies = np.flatnonzero(first[same.reshape(-1)] != np.arange(len(elements.ids)))
    if len(copies):
        original = elements.ids[first[same.reshape(-1)[copies[0]]]]
        raise MeshError(
            f"{path}: elements {original} and {elements.ids[copies[0]]} have the same nodes ({len(copies)} such copies)"
        )


def check_extent(path: Path, nodes: np.ndarray, length_unit: str) -> None:
    """Refuse a body that is no wheelset in the stated unit; nodes (N, 3) in m."""
    extent = np.ptp(nodes, axis=0).max()
    if not SMALLEST <= extent <= LARGEST:
        raise MeshError(
            f"{path}: the body is {extent:.6g} m long with length_unit = '{length_unit}', expected {SMALLEST} to "
            f"{LARGEST} m: is the length_unit right?"
        )


def drop_orphans(path: Path, raw: RawMesh, used: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Mask of the nodes to keep, and notes; used (N,) marks nodes of solid elements."""
    notes = []
    of_dropped = ~used & np.isin(raw.node_ids, raw.dropped_nodes)
    orphans = ~used & ~of_dropped
    if orphans.any() and raw.ends_with_elements:
        said = f"{orphans.sum()} of {len(used)} nodes belong to no element, and nothing after them ends the file"
        if raw.ends_with_elements == "cut" or orphans.sum() > _TRUNCATED * len(used):
            raise MeshError(f"{path}: {said}: is the file truncated?")
        notes.append(f"WARNING: {said}: is the file truncated?")
    elif raw.ends_with_elements == "whole":
        notes.append("WARNING: nothing follows the elements: is the file truncated? A cut between lines leaves no mark")
    if orphans.any():
        many = "WARNING: " if orphans.sum() > _TRUNCATED * len(used) else ""
        notes.append(f"{many}dropped: {orphans.sum()} orphan nodes (in no element): {_some(raw.node_ids[orphans])}")
    if of_dropped.any():
        notes.append(f"dropped: {of_dropped.sum()} nodes of dropped elements: {_some(raw.node_ids[of_dropped])}")
    return used, notes


def oriented(path: Path, nodes: np.ndarray, elements: RawElements, rows: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Connectivity with positive volume: a mirrored numbering common to all elements is turned and reported.

    So is one of single tetrahedra, whose numbering alone says nothing of their shape, where none of them overlap.
    """
    determinant = vertex_jacobians(elements.kind, nodes[rows])
    size = np.abs(determinant).max(axis=1, keepdims=True)
    worst = (determinant / np.where(size > 0, size, 1.0)).min(axis=1)
    if (worst > 1e-9).all():
        return rows, []
    if (determinant < -1e-9 * size).all():
        turned = mirrored(elements.kind, rows)
        note = (
            f"converted: all {len(rows)} {elements.kind} elements had mirrored node order (negative volume), renumbered"
        )
        return turned, [note]
    whole = (determinant > 1e-9 * size).all(axis=1)
    flipped = (determinant < -1e-9 * size).all(axis=1)
    if elements.kind.startswith("tet") and (whole | flipped).all() and not _overlap(nodes, rows[:, :4]):
        turned = rows.copy()
        turned[flipped] = mirrored(elements.kind, rows[flipped])
        count = f"{flipped.sum()} of {len(rows)}"
        return turned, [f"converted: {count} {elements.kind} elements had mirrored node order, renumbered"]
    bad = np.flatnonzero(worst <= 1e-9)
    raise MeshError(
        f"{path}: {elements.kind} element {elements.ids[bad[0]]} is inverted or degenerate (Jacobian "
        f"{determinant[bad[0]].min():.3g} at a vertex); {len(bad)} of {len(rows)} elements: {_some(elements.ids[bad])}"
    )


def _overlap(nodes, corners):
    """Whether two tetrahedra (E, 4) that share a face lie on the same side of it."""
    parts = np.array([(1, 2, 3, 0), (0, 2, 3, 1), (0, 1, 3, 2), (0, 1, 2, 3)])
    rows = corners[:, parts].reshape(-1, 4)
    face = np.sort(rows[:, :3], axis=1)
    a, b, c = (nodes[face[:, k]] for k in range(3))
    side = np.einsum("fc,fc->f", np.cross(b - a, c - a), nodes[rows[:, 3]] - a) > 0
    _, which, count = np.unique(face, axis=0, return_inverse=True, return_counts=True)
    above = np.bincount(which.reshape(-1), weights=side)
    return bool(np.any((count > 2) | ((count == 2) & (above != 1))))


def check_connected(path: Path, node_ids: np.ndarray, nodes: np.ndarray, cells: list[np.ndarray]) -> None:
    """Refuse parts that share no node; cells: (E, n) rows of nodes, every node used."""
    first = np.concatenate([np.repeat(c[:, :1], c.shape[1] - 1, axis=1).ravel() for c in cells])
    other = np.concatenate([c[:, 1:].ravel() for c in cells])
    graph = scipy.sparse.coo_matrix((np.ones(len(first), dtype=np.int8), (first, other)), shape=(len(nodes),) * 2)
    count, label = scipy.sparse.csgraph.connected_components(graph, directed=False)
    if count == 1:
        return
    sizes = np.bincount(label)
    largest = np.argsort(-sizes)
    close = scipy.spatial.cKDTree(nodes).query_pairs(1e-6 * np.ptp(nodes, axis=0).max(), output_type="ndarray")
    apart = int((label[close[:, 0]] != label[close[:, 1]]).sum()) if len(close) else 0
    hint = f"; {apart} pairs of nodes coincide across them: merge the nodes" if apart else ""
    listed = ", ".join(f"{sizes[k]} nodes (with node {node_ids[np.argmax(label == k)]})" for k in largest[:3])
    raise MeshError(f"{path}: the mesh falls into {count} parts that share no node: {listed}{hint}")


def kept_sets(
    path: Path, raw: RawMesh, known_nodes: np.ndarray, known_elements: np.ndarray
) -> tuple[RawMesh, list[str]]:
    """Sets without the dropped nodes and elements; ids the file never defines are refused."""
    notes: list[str] = []
    cleaned = []
    for what, sets, known, defined in (
        ("node", raw.node_sets, known_nodes, raw.node_ids),
        ("element", raw.element_sets, known_elements, np.concatenate([known_elements, raw.dropped_elements])),
    ):
        kept = {}
        for name, ids in sets.items():
            strange = ids[~np.isin(ids, np.concatenate([defined, raw.dropped_nodes]) if what == "node" else defined)]
            if len(strange):
                raise MeshError(f"{path}: {what} set '{name}' names {what} {strange[0]}, which is not defined")
            inside = ids[np.isin(ids, known)]
            if len(inside) < len(ids):
                notes.append(
                    f"{what} set '{name}': {len(ids) - len(inside)} of {len(ids)} members dropped with their {what}s"
                )
            if len(inside):
                kept[name] = inside
        cleaned.append(kept)
    return replace(raw, node_sets=cleaned[0], element_sets=cleaned[1]), notes


def _some(ids: np.ndarray, count: int = 5) -> str:
    more = ", ..." if len(ids) > count else ""
    return ", ".join(str(i) for i in np.sort(ids)[:count]) + more
