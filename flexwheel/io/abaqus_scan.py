"""Abaqus (and CalculiX) input scanned with its ids, sets, sections and materials.

Flat input, or one part with one untransformed instance. What would put nodes elsewhere than written, or add
nodes and elements this reader does not make, is refused; what only adds loads, ties or output is reported.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from flexwheel.errors import MeshError
from flexwheel.fe.mesh import Material
from flexwheel.io.abaqus_cards import Card, abaqus_cards, element_records, fields, node_records, real_records
from flexwheel.io.raw_mesh import RawMesh, counted, read_text, stacked

_SOLID = {"4": "tet4", "6": "wedge6", "8": "hex8", "10": "tet10", "15": "wedge15", "20": "hex20"}
_SOLID_TYPE = re.compile(r"C3D(4|6|8|10|15|20)([A-Z]*)$")
_NOT_SOLID = re.compile(
    r"(S[34689]|STRI|SFM3D|M3D|R3D|RB[23]D|B[23][123]|PIPE|ELBOW|T[23]D|MASS|ROTARYI|HEATCAP|SPRING|DASHPOT|"
    r"CONN|JOINT|GAP|ITS|DCOUP|DGAP|FRAME|ACIN|SURF|CAX|CPS|CPE)"
)
_REFUSED = {
    "INCLUDE": "reads another file",
    "SYSTEM": "moves the nodes that follow",
    "NGEN": "makes nodes",
    "NFILL": "makes nodes",
    "NCOPY": "makes nodes",
    "NMAP": "moves nodes",
    "ELGEN": "makes elements",
    "ELCOPY": "makes elements",
    "PARAMETER": "replaces numbers by names",
    "MANIFEST": "reads another file",
    "IMPORT": "reads another analysis",
    "SUBMODEL": "reads another analysis",
    "SUBSTRUCTURE PATH": "reads another analysis",
}
_TIES = {"COUPLING", "KINEMATIC", "DISTRIBUTING", "KINEMATIC COUPLING", "DISTRIBUTING COUPLING", "MPC", "EQUATION"}
_TIES |= {"TIE", "RIGID BODY", "EMBEDDED ELEMENT", "SHELL TO SOLID COUPLING", "FASTENER", "CONTACT PAIR"}
_MASSES = {"MASS", "ROTARY INERTIA", "NONSTRUCTURAL MASS", "POINT MASS", "SPRING", "DASHPOT"}
_SILENT = {"HEADING", "PREPRINT", "END PART", "RESTART"}


@dataclass
class _Deck:
    """What has been read so far."""

    path: Path
    node_ids: list[int] = field(default_factory=list)
    nodes: list[list[float]] = field(default_factory=list)
    elements: dict[str, list] = field(default_factory=dict)
    types: dict[str, int] = field(default_factory=dict)
    dropped: dict[str, int] = field(default_factory=dict)
    dropped_elements: dict[int, list[int]] = field(default_factory=dict)  # id -> nodes
    node_sets: dict[str, _Set] = field(default_factory=dict)
    element_sets: dict[str, _Set] = field(default_factory=dict)
    sections: list[tuple[str, str, int]] = field(default_factory=list)
    materials: dict[str, dict] = field(default_factory=dict)
    surfaces: list[str] = field(default_factory=list)
    ignored: dict[str, list[int]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    material: str = ""
    instances: int = 0
    parts: int = 0
    in_assembly: bool = False
    in_instance: bool = False
    in_step: bool = False
    last_keyword: str = ""


@dataclass
class _Set:
    """Members of a set: ids, and names of other sets."""

    name: str
    line: int
    ids: list[int] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    dropped: bool = False


def scan_abaqus(path: Path) -> RawMesh:
    """Read the solids of an Abaqus input file.

    Parameters
    ----------
    path : Path

    Returns
    -------
    RawMesh  C3D4, C3D6, C3D8, C3D10, C3D15, C3D20 with any suffix (R, I, H, M, ...)

    Raises
    ------
    MeshError  parts or instances with a transform, *INCLUDE, *SYSTEM, generated nodes or elements, unknown element
               types, records with a wrong number of nodes; all with the line

    Source: Abaqus keywords reference guide (*NODE, *ELEMENT, *NSET, *ELSET, *PART, *INSTANCE, *SOLID SECTION).
    Verified in tests/verification/test_mesh_import_formats.py and tests/property/test_mesh_import_bad_input.py.
    """
    deck = _Deck(path)
    text = read_text(path)
    for card in abaqus_cards(text):
        _take(deck, card)
        deck.last_keyword = card.keyword
    if not deck.last_keyword:
        raise MeshError(f"{path}: no Abaqus keyword (*NODE, *ELEMENT, ...) in the file")
    sections = tuple((_resolve(deck, deck.element_sets, e, (), n), m) for e, m, n in deck.sections)
    node_sets, element_sets = _resolved(deck, deck.node_sets), _resolved(deck, deck.element_sets)
    _keep_as_node_sets(deck, node_sets, element_sets)
    return RawMesh(
        format="Abaqus input",
        node_ids=np.array(deck.node_ids, dtype=np.int64),
        nodes=np.array(deck.nodes, dtype=float).reshape(-1, 3),
        elements=stacked(deck.elements),
        node_sets=node_sets,
        element_sets=element_sets,
        materials={name.upper(): _material(name, values, deck) for name, values in deck.materials.items()},
        sections=sections,
        dropped_nodes=np.unique(np.array([i for row in deck.dropped_elements.values() for i in row], dtype=np.int64)),
        dropped_elements=np.array(list(deck.dropped_elements), dtype=np.int64),
        notes=tuple(deck.notes + _notes(deck)),
        ends_with_elements=("whole" if text.endswith("\n") else "cut") * (deck.last_keyword == "ELEMENT"),
    )


def _take(deck: _Deck, card: Card) -> None:
    """Read one card into the deck."""
    word = card.keyword
    if word == "STEP":
        deck.in_step = True
        deck.notes.append(f"not read: *STEP and what follows it (line {card.line}): loads, boundary conditions, output")
    elif word == "END STEP":
        deck.in_step = False
    elif deck.in_step:
        return
    elif word in _REFUSED:
        raise MeshError(f"{deck.path}:{card.line}: *{word} {_REFUSED[word]}, which this reader does not follow")
    elif word in ("PART", "INSTANCE", "END INSTANCE", "ASSEMBLY", "END ASSEMBLY"):
        _take_assembly(deck, card)
    elif word == "NODE":
        _take_nodes(deck, card)
    elif word == "ELEMENT":
        _take_elements(deck, card)
    elif word in ("NSET", "ELSET"):
        _take_set(deck, card)
    elif word == "SURFACE":
        deck.surfaces.append(card.get("NAME"))
    elif word == "MATERIAL":
        deck.material = card.get("NAME")
        deck.materials[deck.material] = {}
    elif word in ("ELASTIC", "DENSITY") and deck.material:
        deck.materials[deck.material][word] = (card, real_records(deck.path, card))
    elif word == "SOLID SECTION":
        if card.get("ORIENTATION"):
            deck.notes.append(f"ORIENTATION of *SOLID SECTION in line {card.line} dropped: materials are isotropic")
        deck.sections.append((card.get("ELSET").upper(), card.get("MATERIAL").upper(), card.line))
    elif word not in _SILENT:
        deck.ignored.setdefault("*" + word, []).append(card.line)


def _take_assembly(deck: _Deck, card: Card) -> None:
    """One part with one untransformed instance is flat input under another name; anything else is refused."""
    if card.keyword in ("ASSEMBLY", "END ASSEMBLY"):
        deck.in_assembly = card.keyword == "ASSEMBLY"
    deck.in_instance = card.keyword == "INSTANCE"
    deck.parts += card.keyword == "PART"
    deck.instances += card.keyword == "INSTANCE"
    if card.keyword == "INSTANCE" and card.data:
        raise MeshError(
            f"{deck.path}:{card.data_lines[0]}: *INSTANCE '{card.get('NAME')}' is moved or turned by its data line; "
            "write the mesh as flat input (no parts and assemblies)"
        )
    if deck.parts > 1 or deck.instances > 1:
        raise MeshError(
            f"{deck.path}:{card.line}: second *{card.keyword} '{card.get('NAME')}': ids of parts overlap; write the "
            "mesh as flat input (no parts and assemblies)"
        )


def _take_nodes(deck: _Deck, card: Card) -> None:
    if deck.in_assembly and not deck.in_instance:
        deck.notes.append(f"{len(card.data)} reference nodes of the assembly dropped (line {card.line})")
        _open_set(deck, deck.node_sets, card.get("NSET"), card.line).dropped = True
        return
    if card.get("INPUT"):
        raise MeshError(f"{deck.path}:{card.line}: *NODE, INPUT={card.get('INPUT')} reads another file")
    system = card.get("SYSTEM", "R").upper()
    if system not in ("R", "C"):
        raise MeshError(f"{deck.path}:{card.line}: *NODE, SYSTEM={system}: spherical coordinates are not read")
    ids, rows = node_records(deck.path, card)
    if system == "C" and rows:
        r, theta, z = np.array(rows).T
        theta = np.radians(theta)
        rows = np.column_stack([r * np.cos(theta), r * np.sin(theta), z]).tolist()
        deck.notes.append(f"{len(ids)} nodes converted from cylindrical coordinates (line {card.line})")
    deck.node_ids += ids
    deck.nodes += rows
    if card.get("NSET"):
        _open_set(deck, deck.node_sets, card.get("NSET"), card.line).ids += ids


def _take_elements(deck: _Deck, card: Card) -> None:
    if card.get("INPUT"):
        raise MeshError(f"{deck.path}:{card.line}: *ELEMENT, INPUT={card.get('INPUT')} reads another file")
    kind_name = card.get("TYPE").upper()
    solid = _SOLID_TYPE.match(kind_name)
    if not solid and not _NOT_SOLID.match(kind_name):
        raise MeshError(
            f"{deck.path}:{card.line}: element TYPE={kind_name or '(none)'} is not known; solids are C3D4, C3D6, C3D8, "
            "C3D10, C3D15, C3D20 with their variants"
        )
    if kind_name == "C3D15V":
        raise MeshError(f"{deck.path}:{card.line}: element TYPE=C3D15V (variable number of nodes) is not read")
    if not solid:
        deck.dropped[kind_name] = deck.dropped.get(kind_name, 0) + len(card.data)
        members = [[int(f) for f in fields(line) if f.isdigit()] for line in card.data]
        deck.dropped_elements |= {row[0]: row[1:] for row in members if row}
        if card.get("ELSET"):
            members_of_set = _open_set(deck, deck.element_sets, card.get("ELSET"), card.line)
            members_of_set.ids += [row[0] for row in members if row]
        return
    kind = _SOLID[solid.group(1)]
    ids, rows = element_records(deck.path, card, int(solid.group(1)))
    deck.elements.setdefault(kind, []).append((ids, rows))
    deck.types[kind_name] = deck.types.get(kind_name, 0) + len(ids)
    if card.get("ELSET"):
        _open_set(deck, deck.element_sets, card.get("ELSET"), card.line).ids += ids


def _take_set(deck: _Deck, card: Card) -> None:
    sets = deck.node_sets if card.keyword == "NSET" else deck.element_sets
    name = card.get(card.keyword)
    if not name:
        raise MeshError(f"{deck.path}:{card.line}: *{card.keyword} without a name")
    if card.keyword == "NSET" and card.get("ELSET"):
        raise MeshError(
            f"{deck.path}:{card.line}: *NSET, ELSET={card.get('ELSET')}: nodes of an element set are not read"
        )
    if deck.in_assembly and name.upper() in sets:
        deck.notes.append(f"set '{name}' of the assembly (line {card.line}) kept as 'ASSEMBLY.{name}'")
        name = f"ASSEMBLY.{name}"
    members = _open_set(deck, sets, name, card.line)
    of_assembly = deck.in_assembly and not deck.in_instance and not card.get("INSTANCE")
    if of_assembly and card.data and fields(card.data[0])[0].isdigit():
        deck.notes.append(f"set '{name}' of reference nodes of the assembly dropped (line {card.line})")
        members.dropped = True
        return
    for line, number in zip(card.data, card.data_lines, strict=True):
        entries = [entry.rpartition(".")[2] if deck.instances else entry for entry in fields(line)]
        if "GENERATE" in card.parameters:
            members.ids += _generated(deck.path, number, entries)
            continue
        for entry in entries:
            if entry.lstrip("+-").isdigit():
                members.ids.append(int(entry))
            elif entry:
                members.names.append(entry.strip('"').upper())


def _generated(path: Path, line: int, entries: list[str]) -> list[int]:
    """Ids first, first + step, ... last of a GENERATE line."""
    try:
        first, last, step = ([int(e) for e in entries] + [1])[:3]
    except ValueError as error:
        raise MeshError(f"{path}:{line}: GENERATE needs first, last[, step], got '{', '.join(entries)}'") from error
    if step < 1 or last < first:
        raise MeshError(f"{path}:{line}: GENERATE {first}, {last}, {step} makes no ids")
    return list(range(first, last + 1, step))


def _open_set(deck: _Deck, sets: dict[str, _Set], name: str, line: int) -> _Set:
    return sets.setdefault(name.upper(), _Set(name, line)) if name else _Set("", line)


def _keep_as_node_sets(deck: _Deck, node_sets: dict, element_sets: dict) -> None:
    """A set of dropped elements only, say of skin shells, stays as the set of their nodes."""
    for name, ids in list(element_sets.items()):
        members = ids.tolist()
        if members and name not in node_sets and all(i in deck.dropped_elements for i in members):
            nodes = dict.fromkeys(n for i in members for n in deck.dropped_elements[i])
            node_sets[name] = np.array(list(nodes), dtype=np.int64)
            del element_sets[name]
            deck.notes.append(f"set '{name}' of dropped elements kept as the set of their {len(nodes)} nodes")


def _resolved(deck: _Deck, sets: dict[str, _Set]) -> dict[str, np.ndarray]:
    """Every set that is not empty by having lost its members."""
    found = {members.name: (members, _resolve(deck, sets, key, ())) for key, members in sets.items()}
    return {name: ids for name, (members, ids) in found.items() if len(ids) or not members.dropped}


def _resolve(deck: _Deck, sets: dict[str, _Set], key: str, within: tuple[str, ...], line: int = 0) -> np.ndarray:
    """Ids of a set with those of the sets it names, in file order, each once."""
    if key not in sets:
        where = line or sets[within[-1]].line
        raise MeshError(f"{deck.path}:{where}: set '{key}' is named but not defined")
    if key in within:
        raise MeshError(f"{deck.path}:{sets[key].line}: set '{key}' contains itself")
    members = sets[key]
    parts = [np.array(members.ids, dtype=np.int64)]
    parts += [_resolve(deck, sets, name, (*within, key)) for name in members.names]
    ids = np.concatenate(parts)
    _, first = np.unique(ids, return_index=True)
    return ids[np.sort(first)]


def _material(name: str, values: dict, deck: _Deck) -> Material | None:
    """Isotropic elastic material with density, or None with a note saying what is missing."""
    elastic, density = values.get("ELASTIC"), values.get("DENSITY")
    kind = elastic[0].get("TYPE", "ISOTROPIC").upper() if elastic else ""
    if not elastic or not kind.startswith("ISO") or not density or not elastic[1] or not density[1]:
        missing = "*ELASTIC" if not elastic else "*DENSITY" if not density else f"*ELASTIC, TYPE={kind}"
        deck.notes.append(f"material '{name}' not used: {missing} is missing or not isotropic")
        return None
    if len(elastic[1]) > 1 or len(density[1]) > 1:
        deck.notes.append(f"material '{name}' depends on temperature: its first line is used")
    young, poisson = (elastic[1][0] + [0.0])[:2]
    return Material(young, poisson, density[1][0][0], name)


def _notes(deck: _Deck) -> list[str]:
    """Lines of the audit on what was converted and what was left out."""
    notes = []
    for name, count in deck.types.items():
        kind = _SOLID[_SOLID_TYPE.match(name).group(1)]
        notes.append(f"read: {count} elements TYPE={name} as {kind}" + _variant(name))
    for name, count in deck.dropped.items():
        notes.append(f"dropped: {count} elements TYPE={name} (not solid)")
    if deck.surfaces:
        notes.append(f"not read: *SURFACE {', '.join(deck.surfaces)}")
    for label, words in (("couplings and ties", _TIES), ("concentrated masses and springs", _MASSES)):
        cards = {k: v for k, v in deck.ignored.items() if k[1:] in words}
        if cards:
            notes.append(f"not read: {label}: {counted(cards)}")
    if "*TRANSFORM" in deck.ignored:
        notes.append("*TRANSFORM turns the axes of loads and boundary conditions only, which are not read")
    rest = {k: v for k, v in deck.ignored.items() if k[1:] not in _TIES | _MASSES}
    if rest:
        notes.append(f"not read: {counted(rest)}")
    if deck.instances:
        notes.append("one part with one instance, not moved: read as flat input")
    return notes


def _variant(name: str) -> str:
    """Reminder that integration and hourglass choices of the file are not taken over."""
    suffix = _SOLID_TYPE.match(name).group(2)
    return f" (variant '{suffix}' of the formulation is an option of flexwheel, not of the file)" if suffix else ""
