"""Abaqus (and CalculiX) input scanned with its ids, sets, sections and materials.

Flat input, or an assembly of instances (abaqus_assembly.py). What would put nodes elsewhere than written, or add
nodes and elements this reader does not make, is refused; masses and constraints are read (abaqus_constraints.py); what
else carries stiffness or mass is told apart (abaqus_extras.py) and judged in lost_content.py.
"""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import Material
from flexwheel.body.mesh_format import WARNING
from flexwheel.extensions.formats.abaqus.abaqus_assembly import Names
from flexwheel.extensions.formats.abaqus.abaqus_beams import LINE, beam_card, beams_of_deck, rod_card, rods_of_deck
from flexwheel.extensions.formats.abaqus.abaqus_cards import (
    Card,
    abaqus_cards,
    element_records,
    fields,
    include_name,
    node_records,
    real_records,
)
from flexwheel.extensions.formats.abaqus.abaqus_constraints import (
    CONSTRAINTS,
    DECLARED,
    Constraint,
    read_constraints,
    take_surface,
)
from flexwheel.extensions.formats.abaqus.abaqus_deck import Deck, Scan, close_instance, take_assembly
from flexwheel.extensions.formats.abaqus.abaqus_extras import (
    carried_by,
    discrete_elements,
    lost,
    point_masses,
    shell_offset,
)
from flexwheel.extensions.formats.abaqus.abaqus_sets import SetResolver, add_members, open_set
from flexwheel.extensions.formats.abaqus.abaqus_shells import take_out, take_shells
from flexwheel.extensions.formats.abaqus.abaqus_springs import SPRINGS, held_nodes, read_springs
from flexwheel.extensions.formats.abaqus.abaqus_systems import node_directions, node_system
from flexwheel.extensions.formats.mesh_text import parse_id, read_mesh_text
from flexwheel.extensions.formats.raw_mesh import RawFlats, RawMesh, counted, stacked

_SOLID = {"4": "tet4", "5": "pyramid5", "6": "wedge6", "8": "hex8", "10": "tet10", "15": "wedge15", "20": "hex20"}
_SOLID_TYPE = re.compile(r"C3D(4|5|6|8|10|15|20)([A-Z]*)$")
_NOT_SOLID = re.compile(
    r"(S[34689]|STRI|SFM3D|M3D|R3D|RB[23]D|B[23][123]|PIPE|ELBOW|T[23]D|MASS|ROTARYI|HEATCAP|SPRING|DASHPOT|"
    r"CONN|JOINT|GAP|ITS|DCOUP|DGAP|FRAME|ACIN|SURF|CAX|CPS|CPE)"
)
_DISCRETE = re.compile(r"(HEATCAP|SPRING|DASHPOT|CONN|JOINT|GAP|ITS|DGAP)")
_INCLUDE = re.compile(r"^[ \t]*\*[ \t]*INCLUDE\b", re.M | re.I)
_REFUSED = {
    "NGEN": "makes nodes",
    "NFILL": "makes nodes",
    "NCOPY": "makes nodes",
    "NMAP": "moves nodes",
    "ELGEN": "makes elements",
    "ELCOPY": "makes elements",
    "PARAMETER": "replaces numbers by names",
    "MANIFEST": "reads another file",
    "IMPORT": "reads another analysis",
    "SUBSTRUCTURE PATH": "reads another analysis",
}
_INITIAL_STRESS = ("STRESS", "PLASTIC STRAIN", "HARDENING", "SOLUTION")
_SILENT = {"HEADING", "PREPRINT", "RESTART"}
_ENDS_WHOLE = {"NODE", "ELEMENT", "NSET", "ELSET", "ELASTIC", "DENSITY", "MASS", "ROTARY INERTIA"}


def scan_abaqus(path: Path) -> RawMesh:
    """Read the solids of an Abaqus input file.

    Returns
    -------
    RawMesh  C3D4, C3D6, C3D8, C3D10, C3D15, C3D20 with any suffix (R, I, H, M, ...)

    Raises
    ------
    MeshError  generated nodes or elements, unknown element types, records with a wrong number of nodes,
               instances of parts that are not there; all with the line

    Source: Abaqus keywords reference guide (*NODE, *ELEMENT, *NSET, *ELSET, *PART, *INSTANCE, *SOLID SECTION).
    Verified in tests/verification/test_mesh_import_formats_verified.py and test_mesh_import_bad_input.py.
    """
    text = read_mesh_text(path, _INCLUDE, include_name)
    cards = list(abaqus_cards(text))
    scan = Scan(Deck(path), sum(card.keyword == "INSTANCE" for card in cards))
    for card in cards:
        _take(scan, card)
        scan.last_keyword = card.keyword
    close_instance(scan)
    deck = scan.whole
    if not cards:
        raise MeshError(f"{path}: no Abaqus keyword (*NODE, *ELEMENT, ...) in the file")
    if scan.parts and not scan.count:
        raise MeshError(f"{path}: parts ({', '.join(scan.parts)}) without an *INSTANCE of them")
    if text.ends_open and scan.last_keyword in _ENDS_WHOLE and not scan.in_step:
        raise MeshError(
            f"{text.at(len(text.lines))}: the file ends within a line of *{scan.last_keyword}: is the file truncated? "
            "(if it is whole, end the line)"
        )
    deck.notes += [f"included: {name}" for name in text.files]
    node_ids, elements = np.array(deck.node_ids, dtype=np.int64), stacked(deck.elements)
    dropped = [*deck.dropped_elements, *deck.discrete]
    members = SetResolver(
        deck.element_sets, np.concatenate([np.array(dropped, dtype=np.int64), *(e.ids for e in elements)])
    )
    shells = take_shells(deck, members)
    places = dict(zip(deck.node_ids, deck.nodes, strict=True)) if deck.kinds else {}
    beams, unbent = beams_of_deck(deck.beam_cards, deck.dropped_elements, deck.kinds, places, members)
    rods, unread_rods = rods_of_deck(deck.rod_cards, deck.dropped_elements, deck.kinds, places, members)
    beams, unbent = (*beams, *rods), unbent + unread_rods
    take_out(deck, {i: tuple(deck.dropped_elements[i]) for b in beams for i in b.ids.tolist()}, LINE)
    discarded = np.array([*deck.dropped_elements, *deck.discrete], dtype=np.int64)
    nodes_of = SetResolver(deck.node_sets, node_ids)
    named = [*deck.sections, *((c.members, c.material, c.place) for c in deck.beam_cards)]
    sections = tuple((members(name, place), material) for name, material, place in named)
    node_sets, element_sets = nodes_of.all(), members.all()
    _keep_as_node_sets(deck, node_sets, element_sets)
    needed = deck.mass_cards or deck.springs
    positions = dict(zip(deck.node_ids, deck.nodes, strict=True)) if needed else {}
    directions = _directions(deck, nodes_of)
    ties, carriers, unread = read_constraints(
        path,
        deck.constraints,
        deck.surfaces,
        scan.names,
        nodes_of,
        members,
        elements,
        directions,
        {i: row[0] for i, row in deck.dropped_elements.items() if len(row) == 1},
    )
    masses, unused = point_masses(
        deck.mass_cards, deck.discrete, lambda card: members(card.get("ELSET"), card.at()), positions, carriers
    )
    solid = {n for e in (*elements, *beams, *shells) for n in np.unique(e.nodes).tolist()} if deck.springs else set()
    ground = held_nodes(deck.supports, nodes_of, deck.node_sets) - solid
    at = lambda card: members(card.get("ELSET"), card.at())  # noqa: E731
    springs, unsprung = read_springs(deck.spring_cards, deck.springs, at, positions, directions, ground)
    return RawMesh(
        format="Abaqus input",
        node_ids=node_ids,
        nodes=np.array(deck.nodes, dtype=float).reshape(-1, 3),
        elements=elements,
        node_sets=node_sets,
        element_sets=element_sets,
        materials={name.upper(): _material(name, values, deck) for name, values in deck.materials.items()},
        sections=sections,
        dropped_nodes=np.unique(np.array([i for row in deck.dropped_elements.values() for i in row], dtype=np.int64)),
        dropped_elements=discarded,
        masses=tuple(masses),
        ties=tuple(ties),
        flats=tuple(deck.flats),
        shells=shells,
        beams=beams,
        lost=tuple(deck.lost + unbent + unread + unused + unsprung),
        springs=tuple(springs),
        notes=tuple(deck.notes + _notes(scan)),
        ends_with_elements="whole" * (scan.last_keyword == "ELEMENT"),
    )


def _directions(deck: Deck, nodes_of: SetResolver):
    """function(node id): directions 1 2 3 of a node as columns (3, 3), after *TRANSFORM."""
    of = {i: card for card in deck.transforms for i in nodes_of(card.get("NSET"), card.at()).tolist()}
    places = dict(zip(deck.node_ids, deck.nodes, strict=True)) if of else {}

    def directions(node):
        card = of.get(int(node))
        return node_directions(card, np.array(places[int(node)])) if card and int(node) in places else np.eye(3)

    return directions


def _take(scan: Scan, card: Card) -> None:
    word, deck = card.keyword, scan.deck
    if word == "STEP":
        scan.in_step = True
        deck.notes.append(f"not read: *STEP and what follows it (line {card.line}): loads, boundary conditions, output")
    elif word == "END STEP":
        scan.in_step = False
    elif scan.in_step:
        return
    elif word in _REFUSED:
        raise MeshError(f"{card.at()}: *{word} {_REFUSED[word]}, which this reader does not follow")
    elif word in ("PART", "END PART", "INSTANCE", "END INSTANCE", "ASSEMBLY", "END ASSEMBLY"):
        take_assembly(scan, card)
    elif word == "NODE":
        _take_nodes(scan, card)
    elif word == "ELEMENT":
        _take_elements(scan, card)
    elif word in ("NSET", "ELSET"):
        _take_set(scan, card)
    elif word == "SURFACE":
        take_surface(deck.surfaces, card)
    elif word == "MATERIAL":
        deck.material = card.get("NAME")
        deck.materials[deck.material] = {}
    elif word in ("ELASTIC", "DENSITY") and deck.material:
        deck.materials[deck.material][word] = (card, real_records(card))
    elif word == "SOLID SECTION":
        if card.get("ORIENTATION"):
            deck.notes.append(f"ORIENTATION of *SOLID SECTION in line {card.line} dropped: materials are isotropic")
        if "COMPOSITE" in card.parameters:
            deck.lost.append(lost(card, "*SOLID SECTION, COMPOSITE", "layers of other materials"))
        deck.sections.append((card.get("ELSET").upper(), card.get("MATERIAL").upper(), card.at()))
        deck.rod_cards.append(rod_card(card))
    elif word == "SHELL SECTION" and not set(card.parameters) - {"ELSET", "MATERIAL", "OFFSET"}:
        name, size = card.get("ELSET").upper(), (real_records(card) or [[0.0]])[0][0]
        deck.sections.append((name, card.get("MATERIAL").upper(), card.at()))
        deck.thicknesses.append((name, size, -size * shell_offset(card), card.at()))
    elif word in ("BEAM SECTION", "BEAM GENERAL SECTION") and (
        found := beam_card(card, deck.materials, scan.count > 0)
    ):
        deck.beam_cards.append(found)
    elif word in ("MASS", "ROTARY INERTIA"):
        deck.mass_cards.append(card)
    elif word in DECLARED and deck.constraints and scan.last_keyword == "COUPLING":
        deck.constraints[-1] = deck.constraints[-1]._replace(kind=card)
    elif word in CONSTRAINTS:
        deck.constraints.append(Constraint(card))
    elif word in ("BOUNDARY", "SUBMODEL"):
        deck.notes.append(f"{WARNING}*{word} (line {card.line}): supports are not taken over: the body is free")
        deck.supports += [fields(line) for line in card.data if word == "BOUNDARY"]
    elif word == "INITIAL CONDITIONS" and card.get("TYPE").upper() in _INITIAL_STRESS:
        deck.notes.append(f"{WARNING}*{word} (line {card.line}): not taken over: stress is without the initial one")
    elif word == "SYSTEM":
        deck.system = node_system(card)
    elif word in ("SPRING", "DASHPOT"):
        deck.spring_cards.append(card)
    elif word == "TRANSFORM":
        deck.transforms.append(card)
    elif carried_by(card):
        deck.lost.append(lost(card))
    elif word not in _SILENT:
        deck.ignored.setdefault("*" + word, []).append(card.line)


def _take_nodes(scan: Scan, card: Card) -> None:
    deck, base = scan.deck, scan.names.base if scan.of_assembly else 0
    if card.get("INPUT"):
        raise MeshError(f"{card.at()}: *NODE, INPUT={card.get('INPUT')} reads another file")
    system = card.get("SYSTEM", "R").upper()
    if system not in ("R", "C"):
        raise MeshError(f"{card.at()}: *NODE, SYSTEM={system}: spherical coordinates are not read")
    ids, rows = node_records(card)
    ids = [i + base for i in ids] if base else ids
    if system == "C" and rows:
        r, theta, z = np.array(rows).T
        theta = np.radians(theta)
        rows = np.column_stack([r * np.cos(theta), r * np.sin(theta), z]).tolist()
        deck.notes.append(f"{len(ids)} nodes converted from cylindrical coordinates (line {card.line})")
    if deck.system is not None and rows:
        origin, axes = deck.system
        rows = (origin + np.array(rows) @ axes.T).tolist()
        deck.notes.append(f"{len(ids)} nodes converted from the *SYSTEM before line {card.line}")
    deck.node_ids += ids
    deck.nodes += rows
    if card.get("NSET"):
        open_set(deck.node_sets, card.get("NSET"), card.at()).items += ids


def _take_elements(scan: Scan, card: Card) -> None:
    deck = scan.deck
    if card.get("INPUT"):
        raise MeshError(f"{card.at()}: *ELEMENT, INPUT={card.get('INPUT')} reads another file")
    kind_name = card.get("TYPE").upper()
    solid = _SOLID_TYPE.match(kind_name)
    if not solid and not _NOT_SOLID.match(kind_name):
        raise MeshError(
            f"{card.at()}: element TYPE={kind_name or '(none)'} is not known; solids are C3D4, C3D6, C3D8, "
            "C3D10, C3D15, C3D20 with their variants"
        )
    if kind_name == "C3D15V":
        raise MeshError(f"{card.at()}: element TYPE=C3D15V (variable number of nodes) is not read")
    if scan.of_assembly and kind_name not in ("MASS", "ROTARYI"):
        deck.lost.append(lost(card, kind_name, "elements of the assembly, not of its part", len(card.data)))
        return
    if not solid:
        _take_not_solid(scan, card, kind_name)
        return
    kind = _SOLID[solid.group(1)]
    if kind == "hex8" and card.data and all(len(fields(line)) in (11, 12) for line in card.data):
        deck.notes.append(f"nodes of incompatible modes of TYPE={kind_name} (line {card.line}) dropped")
        card = replace(card, data=[",".join(fields(line)[:9]) for line in card.data])
    ids, rows = element_records(card, int(solid.group(1)))
    deck.elements.setdefault(kind, []).append((ids, rows))
    deck.types[kind_name] = deck.types.get(kind_name, 0) + len(ids)
    if card.get("ELSET"):
        open_set(deck.element_sets, card.get("ELSET"), card.at()).items += ids


def _take_set(scan: Scan, card: Card) -> None:
    deck = scan.deck
    sets = deck.node_sets if card.keyword == "NSET" else deck.element_sets
    name = card.get(card.keyword)
    if not name:
        raise MeshError(f"{card.at()}: *{card.keyword} without a name")
    if card.keyword == "NSET" and card.get("ELSET"):
        raise MeshError(f"{card.at()}: *NSET, ELSET={card.get('ELSET')}: nodes of an element set are not read")
    if scan.of_assembly and name.upper() in sets:
        deck.notes.append(f"set '{name}' of the assembly (line {card.line}) kept as 'ASSEMBLY.{name}'")
        name = f"ASSEMBLY.{name}"
    add_members(open_set(sets, name, card.at()), card, scan.names if scan.of_assembly else Names())


def _take_not_solid(scan: Scan, card: Card, kind: str) -> None:
    """Elements of masses, springs and the like, and those that may mark faces of solids."""
    deck = scan.deck
    if kind not in ("MASS", "ROTARYI", *SPRINGS):
        deck.dropped[kind] = deck.dropped.get(kind, 0) + len(card.data)
    if kind in ("MASS", "ROTARYI"):
        found = discrete_elements(card, scan.id_of)
        deck.discrete |= {element: (node, kind) for element, node in found.items()}
    else:
        try:
            rows = [[parse_id(word) for word in fields(line) if word] for line in card.data]
        except ValueError as error:
            raise MeshError(f"{card.at()}: elements TYPE={kind}: {error}") from None
        found = {row[0]: row[1:] for row in rows if row}
        deck.dropped_elements |= found
        if kind in SPRINGS:
            deck.springs |= {element: (kind, row, card.at()) for element, row in found.items()}
        elif kind == "DCOUP3D":  # named by its *DISTRIBUTING COUPLING
            pass
        elif _DISCRETE.match(kind):
            deck.lost.append(lost(card, kind, "stiffness, damping or a constraint", len(card.data)))
        else:
            deck.kinds |= dict.fromkeys(found, kind) if LINE.match(kind) else {}
            deck.flats.append(RawFlats(kind, list(found.values()), [card.at()] * len(found)))
    if card.get("ELSET"):
        open_set(deck.element_sets, card.get("ELSET"), card.at()).items += list(found)


def _keep_as_node_sets(deck: Deck, node_sets: dict, element_sets: dict) -> None:
    """A set of dropped elements only, say of skin shells, stays as the set of their nodes."""
    kept = {}
    for name, ids in list(element_sets.items()):
        members = ids.tolist()
        if members and name not in node_sets and all(i in deck.dropped_elements for i in members):
            nodes = dict.fromkeys(n for i in members for n in deck.dropped_elements[i])
            node_sets[name] = np.array(list(nodes), dtype=np.int64)
            del element_sets[name]
            kept[name] = len(nodes)
    if kept:
        first, count = next(iter(kept.items()))
        rest = f" and {len(kept) - 1} more" if len(kept) > 1 else ""
        each = f"{count} nodes" if not rest else "nodes"
        deck.notes.append(f"set '{first}'{rest} of dropped elements kept as the set of their {each}")


def _material(name: str, values: dict, deck: Deck) -> Material | None:
    """Isotropic elastic material with density, or None with a note saying what is missing."""
    if isinstance(values, Material):
        return values
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


def _notes(scan: Scan) -> list[str]:
    """Lines of the audit on what was converted and what was left out."""
    notes, deck = [], scan.whole
    for name, count in deck.types.items():
        kind = _SOLID[_SOLID_TYPE.match(name).group(1)]
        notes.append(f"read: {count} elements TYPE={name} as {kind}" + _variant(name))
    for name, count in deck.dropped.items():
        notes.append(f"dropped: {count} elements TYPE={name} (not solid)")
    if deck.ignored:
        notes.append(f"not read: {counted(deck.ignored)}")
    return notes


def _variant(name: str) -> str:
    """Reminder that integration and hourglass choices of the file are not taken over."""
    suffix = _SOLID_TYPE.match(name).group(2)
    return f" (variant '{suffix}' of the formulation is an option of flexwheel, not of the file)" if suffix else ""
