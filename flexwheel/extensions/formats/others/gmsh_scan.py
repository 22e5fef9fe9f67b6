"""Gmsh meshes of format 2.2 and 4.1, ASCII and binary, scanned with their tags and physical groups.

Physical volumes become element sets; physical points, lines and surfaces become sets of their nodes, since the
elements that carry them are not solid.
"""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import NODES_PER_ELEMENT
from flexwheel.extensions.formats.element_order import GMSH_TYPE, from_gmsh
from flexwheel.extensions.formats.id_ranges import once
from flexwheel.extensions.formats.mesh_text import parse_id
from flexwheel.extensions.formats.others.gmsh_file import GmshFile, open_gmsh
from flexwheel.extensions.formats.raw_mesh import RawElements, RawFlats, RawMesh

_SOLID = {number: kind for kind, number in GMSH_TYPE.items()}
_FLAT = {  # type -> name, dimension, nodes
    15: ("point", 0, 1),
    1: ("line", 1, 2),
    8: ("line3", 1, 3),
    26: ("line4", 1, 4),
    2: ("triangle", 2, 3),
    9: ("triangle6", 2, 6),
    20: ("triangle9", 2, 9),
    21: ("triangle10", 2, 10),
    3: ("quad", 2, 4),
    16: ("quad8", 2, 8),
    10: ("quad9", 2, 9),
}
_GROUP = ("POINT", "LINE", "SURFACE", "VOLUME")


@dataclass
class _Found:
    """Nodes and elements by type, with the physical groups of each element."""

    node_ids: list[np.ndarray] = field(default_factory=list)
    nodes: list[np.ndarray] = field(default_factory=list)
    elements: dict[int, list] = field(default_factory=dict)  # type -> [(ids, nodes, physical tags)]


def scan_gmsh(path: Path) -> RawMesh:
    """Read the solids of a Gmsh file.

    Returns
    -------
    RawMesh  tetrahedra, hexahedra and prisms, linear and quadratic (10, 20 and 15 nodes)

    Raises
    ------
    MeshError  other format versions, truncated sections, pyramids and complete quadratic elements (27, 18 nodes)

    Source: Gmsh reference manual, "MSH file format" (4.1) and "MSH file format version 2 (legacy)".
    Verified in tests/verification/test_mesh_import_formats_verified.py.
    """
    file = open_gmsh(path)
    names, found = _physical_names(file), _Found()
    if "Nodes" not in file.sections or "Elements" not in file.sections:
        missing = "Nodes" if "Nodes" not in file.sections else "Elements"
        raise MeshError(f"{path}: no ${missing} section: is the file truncated?")
    if file.version == "2.2":
        _read_22(file, found)
    else:
        _read_41(file, found)
    merged = _merge_repeated(found)
    notes = [merged] if merged else []
    notes += [f"read: {len(e.ids)} elements as {e.kind}" for e in _solids(found)]
    node_sets, element_sets = _groups(found, names)
    flat_ids, flat_nodes, flats = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)], []
    for number in found.elements:
        if number in _FLAT:
            count = sum(len(ids) for ids, _, _ in found.elements[number])
            notes.append(
                f"dropped: {count} elements of type {_FLAT[number][0]} (not solid; their groups kept as node sets)"
            )
            flat_ids += [ids for ids, _, _ in found.elements[number]]
            flat_nodes += [nodes.ravel() for _, nodes, _ in found.elements[number] if number != 15]
            if number != 15:  # a point carries nothing
                rows = np.concatenate([nodes for _, nodes, _ in found.elements[number]])
                flats.append(RawFlats(_FLAT[number][0], rows, [f"{path}, section $Elements"] * len(rows)))
    skipped = [s for s in file.sections if s not in ("MeshFormat", "PhysicalNames", "Entities", "Nodes", "Elements")]
    if skipped:
        notes.append(f"not read: sections {', '.join('$' + s for s in skipped)}")
    return RawMesh(
        format=f"Gmsh {file.version} {'binary' if file.binary else 'ASCII'}",
        node_ids=np.concatenate(found.node_ids or [np.empty(0, dtype=np.int64)]),
        nodes=np.concatenate(found.nodes or [np.empty((0, 3))]),
        elements=tuple(_solids(found)),
        node_sets=node_sets,
        element_sets=element_sets,
        dropped_nodes=np.unique(np.concatenate(flat_nodes)),
        dropped_elements=np.unique(np.concatenate(flat_ids)),
        flats=tuple(flats),
        notes=tuple(notes),
    )


def _nodes_of_type(path: Path, number: int) -> int:
    if number in _SOLID:
        return NODES_PER_ELEMENT[_SOLID[number]]
    if number in _FLAT:
        return _FLAT[number][2]
    raise MeshError(
        f"{path}: Gmsh element type {number} is not read (pyramids and complete quadratic elements are not; "
        "Mesh.SecondOrderIncomplete=1 writes hexahedra of 20 and prisms of 15 nodes)"
    )


def _read_22(file: GmshFile, found: _Found) -> None:
    """$Nodes: id and coordinates; $Elements: id, type, number of tags, tags (first: physical group), nodes."""
    reader = file.reader("Nodes")
    count = reader.integer_line()
    ids, nodes = reader.numbered_points(count)
    reader.finish()
    found.node_ids.append(ids)
    found.nodes.append(nodes)
    reader = file.reader("Elements")
    count = reader.integer_line()
    seen: dict[int, list[list[int]]] = {}
    done = 0
    while done < count:
        if file.binary:
            number, following, tags = reader.ints(3).tolist()
            if tags < 0 or following < 1:
                raise MeshError(f"{file.path}: section $Elements: {following} elements with {tags} tags")
            width = 1 + tags + _nodes_of_type(file.path, number)
            rows = reader.ints(following * width).reshape(following, width)
            done += following
            _add(found, number, rows[:, 0], rows[:, 1 + tags :], rows[:, 1] if tags else 0 * rows[:, 0])
        else:
            element, number, tags = reader.ints(3).tolist()
            if tags < 0:
                raise MeshError(f"{file.path}: section $Elements: element {element} has {tags} tags")
            values = reader.ints(tags + _nodes_of_type(file.path, number)).tolist()
            seen.setdefault(number, []).append([element, values[0] if tags else 0, *values[tags:]])
            done += 1
    reader.finish()
    for number, rows in seen.items():
        table = np.array(rows, dtype=np.int64)
        _add(found, number, table[:, 0], table[:, 2:], table[:, 1])


def _read_41(file: GmshFile, found: _Found) -> None:
    """Blocks by geometric entity; the physical groups are those of the entity."""
    groups = _entity_groups(file)
    reader = file.reader("Nodes")
    for _ in range(int(reader.sizes(4)[0])):
        dimension, _, parametric = reader.ints(3).tolist()
        if not 0 <= dimension <= 3:
            raise MeshError(f"{file.path}: section $Nodes: an entity of dimension {dimension}")
        count = int(reader.sizes(1)[0])
        found.node_ids.append(reader.sizes(count))
        width = 3 + (dimension if parametric else 0)
        found.nodes.append(reader.reals(count * width).reshape(count, width)[:, :3])
    reader.finish()
    reader = file.reader("Elements")
    for _ in range(int(reader.sizes(4)[0])):
        dimension, entity, number = reader.ints(3).tolist()
        count, width = int(reader.sizes(1)[0]), 1 + _nodes_of_type(file.path, number)
        rows = reader.sizes(count * width).reshape(count, width)
        for tag in groups.get((dimension, entity), []) or [0]:
            _add(found, number, rows[:, 0], rows[:, 1:], np.full(count, tag))
    reader.finish()


def _entity_groups(file: GmshFile) -> dict[tuple[int, int], list[int]]:
    """Physical tags of every (dimension, entity)."""
    groups: dict[tuple[int, int], list[int]] = {}
    if "Entities" not in file.sections:
        return groups
    reader = file.reader("Entities")
    for dimension, count in enumerate(reader.sizes(4).tolist()):
        for _ in range(count):
            tag = int(reader.ints(1)[0])
            reader.reals(3 if dimension == 0 else 6)
            groups[dimension, tag] = [abs(t) for t in reader.ints(int(reader.sizes(1)[0])).tolist()]
            if dimension:
                reader.ints(int(reader.sizes(1)[0]))
    return groups


def _add(found: _Found, number: int, ids: np.ndarray, nodes: np.ndarray, groups: np.ndarray) -> None:
    parts = found.elements.setdefault(number, [])
    parts.append((ids.astype(np.int64), nodes.astype(np.int64), groups.astype(np.int64)))


def _merge_repeated(found: _Found) -> str:
    """One element where a file repeats it for each of its physical groups; note for the audit.

    Format 2.2 gives the copies ids of their own, a reading by entities the same id; both would count twice.
    """
    repeated = 0
    for number, parts in found.elements.items():
        if number not in _SOLID:
            continue
        ids, nodes = np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])
        groups = np.concatenate([p[2] for p in parts])
        _, first, same = np.unique(nodes, axis=0, return_index=True, return_inverse=True)
        original = first[same.reshape(-1)]
        copy = (original != np.arange(len(ids))) & (groups != groups[original])
        if copy.any():
            repeated += int((copy & (ids != ids[original])).sum())
            ids = np.where(copy, ids[original], ids)
            found.elements[number] = [(ids, nodes, groups)]
    return f"merged: {repeated} copies of elements that are in several physical groups" if repeated else ""


def _solids(found: _Found) -> list[RawElements]:
    """Solid elements by kind; one in several physical groups once."""
    solids = []
    for number in found.elements:
        if number in _SOLID:
            ids, nodes, groups = (np.concatenate(part) for part in zip(*found.elements[number], strict=True))
            _, first = np.unique(np.column_stack([ids, nodes]), axis=0, return_index=True)
            keep = np.sort(first) if len(np.unique(groups)) > 1 else slice(None)
            solids.append(RawElements(_SOLID[number], ids[keep], from_gmsh(_SOLID[number], nodes[keep])))
    return solids


def _physical_names(file: GmshFile) -> dict[tuple[int, int], str]:
    """(dimension, tag) -> name."""
    names = {}
    for line in file.text("PhysicalNames").split("\n")[1:]:
        if not line.strip():
            continue
        try:
            dimension, tag, name = line.split(maxsplit=2)
            names[parse_id(dimension), parse_id(tag)] = name.strip().strip('"')
        except ValueError:
            raise MeshError(
                f"{file.path}: section $PhysicalNames: '{line.strip()[:60]}', expected dimension, tag and a name"
            ) from None
    return names


def _groups(found: _Found, names: dict[tuple[int, int], str]) -> tuple[dict, dict]:
    """Node sets of points, lines and surfaces, element sets of volumes; members in order of appearance."""
    node_parts: dict[str, list[np.ndarray]] = {name: [] for (d, _), name in names.items() if d < 3}
    element_parts: dict[str, list[np.ndarray]] = {name: [] for (d, _), name in names.items() if d == 3}
    for number, parts in found.elements.items():
        dimension = 3 if number in _SOLID else _FLAT[number][1]
        target = element_parts if dimension == 3 else node_parts
        for ids, nodes, groups in parts:
            for tag in np.unique(groups[groups != 0]):
                name = names.get((dimension, int(tag)), f"PHYSICAL_{_GROUP[dimension]}_{tag}")
                own = groups == tag
                target.setdefault(name, []).append(ids[own] if dimension == 3 else nodes[own].ravel())
    return _once(node_parts), _once(element_parts)


def _once(parts: dict[str, list[np.ndarray]]) -> dict[str, np.ndarray]:
    return {name: once(np.concatenate(pieces)) for name, pieces in parts.items() if pieces}
