"""Nastran bulk data scanned with its ids, coordinate systems, properties, materials and sets."""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import Material
from flexwheel.body.mesh_format import WARNING
from flexwheel.extensions.formats.element_order import from_nastran
from flexwheel.extensions.formats.id_ranges import IdRange, range_list, unfolded
from flexwheel.extensions.formats.mesh_text import MeshText, parse_id, parse_ids, read_mesh_text
from flexwheel.extensions.formats.nastran.nastran_beams import BEAMS, PROPERTIES, take_beams
from flexwheel.extensions.formats.nastran.nastran_cards import (  # fmt: skip
    BulkCard,
    bulk_cards,
    id_list,
    include_name,
    integer,
    real,
)
from flexwheel.extensions.formats.nastran.nastran_extras import (
    Extras,
    carried_by,
    case_selections,
    constraints,
    is_flat,
    mat1,
    point_masses,
    tied_nodes,
)
from flexwheel.extensions.formats.nastran.nastran_shells import flats_of, is_plate, take_plate, take_shells
from flexwheel.extensions.formats.nastran.nastran_springs import read_springs
from flexwheel.extensions.formats.nastran.nastran_systems import Definition, directions_at, resolve, systems_by_nodes
from flexwheel.extensions.formats.raw_mesh import LostCards, RawElements, RawMesh, counted, stacked

_SOLID = {
    "CHEXA": {8: "hex8", 20: "hex20"},
    "CPENTA": {6: "wedge6", 15: "wedge15"},
    "CTETRA": {4: "tet4", 10: "tet10"},
    **dict.fromkeys(("CPYRAM", "CPYRA"), {5: "pyramid5", 13: "pyramid13"}),
}
_QUIET = {"ENDDATA", "GRDSET", "BEGIN BULK"}
_INCLUDE = re.compile(r"^[ \t]*INCLUDE\b", re.M | re.I)


@dataclass
class _Bulk:
    """What has been read so far."""

    path: Path
    grid_ids: list[int] = field(default_factory=list)
    grid_system: list[int] = field(default_factory=list)
    grid: list[tuple[float, float, float]] = field(default_factory=list)
    default_system: int = 0
    turned: dict[int, int] = field(default_factory=dict)  # node: system of its displacements
    systems: dict[int, Definition] = field(default_factory=dict)
    systems_by_nodes: list[BulkCard] = field(default_factory=list)
    elements: dict[str, list] = field(default_factory=dict)
    of_property: dict[int, list[int]] = field(default_factory=dict)
    material_of: dict[int, int] = field(default_factory=dict)
    materials: dict[str, Material | None] = field(default_factory=dict)
    sets: list[tuple[int, list, int]] = field(default_factory=list)  # number, members, 1 nodes 2 elements 0 unsaid
    dropped_ids: list[int] = field(default_factory=list)
    dropped_nodes: list[int] = field(default_factory=list)
    flats: list[BulkCard] = field(default_factory=list)
    beams: list[BulkCard] = field(default_factory=list)
    beam_properties: dict[int, BulkCard] = field(default_factory=dict)
    extras: Extras = field(default_factory=Extras)
    lost: list[LostCards] = field(default_factory=list)
    supports: list[tuple[str, str]] = field(default_factory=list)
    properties: set[int] = field(default_factory=set)  # of shells and membranes that are not read
    thickness: dict[int, float] = field(default_factory=dict)  # of shells, by property
    nonstructural: dict[int, float] = field(default_factory=dict)  # mass of shells by volume, by property
    ignored: dict[str, list[int]] = field(default_factory=dict)
    mass_factor: float = 1.0
    last: str = ""  # name of the last card
    notes: list[str] = field(default_factory=list)


def scan_nastran(path: Path) -> RawMesh:
    """Read the solids of a Nastran bulk data file.

    Returns
    -------
    RawMesh  CHEXA 8 and 20, CPENTA 6 and 15, CTETRA 4 and 10; GRID of any CORD1x and CORD2x in basic coordinates

    Raises
    ------
    MeshError  superelements, unknown elements or systems, missing mid nodes, an end within a card; with the line

    Source: MSC Nastran quick reference guide, bulk data entries.
    Verified in tests/verification/test_mesh_import_formats_verified.py and test_mesh_import_bad_input.py.
    """
    text = read_mesh_text(path, _INCLUDE, include_name)
    names = _comment_names(text)
    case, bulk_lines, begun, ended = _sections(text)
    bulk = _Bulk(path)
    for card in bulk_cards(text, bulk_lines):
        _take(bulk, card)
        bulk.last = card.name
    own = [bulk.default_system if s == -1 else s for s in bulk.grid_system]
    bulk.systems |= systems_by_nodes(bulk.systems_by_nodes, bulk.grid_ids, own, bulk.grid)
    nodes = _basic_coordinates(bulk)
    grid_ids = np.array(bulk.grid_ids, dtype=np.int64)
    elements = tuple(RawElements(e.kind, e.ids, from_nastran(e.kind, e.nodes)) for e in stacked(bulk.elements))
    shells = take_shells(bulk)
    flats, sections_of_flats = flats_of(bulk)
    needed = bulk.beams or bulk.extras.masses or bulk.extras.averages or bulk.extras.equations or bulk.extras.springs
    positions = dict(zip(bulk.grid_ids, nodes, strict=True)) if needed else {}

    def directions(node):
        return directions_at(resolve(path, bulk.systems, bulk.turned.get(node, 0)), positions.get(node), node)

    beams, unbent = take_beams(bulk, positions, directions)
    masses, unread = point_masses(bulk.extras, positions, bulk.systems, path, bulk.mass_factor)
    ties, unbound, unselected = constraints(bulk.extras, text, case, directions)
    system = lambda number: s.axes if (s := resolve(path, bulk.systems, number)).kind == "R" else None  # noqa: E731
    springs = read_springs(bulk.extras.springs, bulk.extras.spring_properties, positions, directions, system)
    discarded = np.unique(np.array(bulk.dropped_ids, dtype=np.int64))
    every_element = np.concatenate([discarded, *(e.ids for e in elements)])
    node_sets, element_sets = _named_sets(bulk, names, _case_sets(bulk, case), grid_ids, every_element)
    node_sets |= tied_nodes(bulk.extras)
    for number, ids in ((number, ids) for number, ids in bulk.of_property.items() if number > 0):
        element_sets[names.get(("PROP", number), f"PROPERTY_{number}")] = np.array(ids, dtype=np.int64)
    materials = {
        k: m and replace(m, name=names.get(("MAT", int(k)), m.name), density=m.density * bulk.mass_factor)
        for k, m in bulk.materials.items()
    }
    sections = []
    for number, ids in bulk.of_property.items():
        if number not in bulk.material_of:
            continue
        name, more = str(bulk.material_of[number]), bulk.mass_factor * bulk.nonstructural.get(number, 0.0)
        if more and (own := materials.get(name)):
            name = f"{name} of PSHELL {number}"
            materials[name] = replace(own, name=name, density=own.density + more)
        sections.append((np.array(ids, dtype=np.int64), name))
    if not ended:
        _check_end(bulk, text, begun)
    return RawMesh(
        format="Nastran bulk data",
        node_ids=grid_ids,
        nodes=nodes,
        elements=elements,
        node_sets=node_sets,
        element_sets=element_sets,
        materials=materials,
        sections=tuple(sections),
        dropped_nodes=np.unique(np.array(bulk.dropped_nodes, dtype=np.int64)),
        dropped_elements=discarded,
        masses=tuple(masses),
        flats=tuple(flats),
        shells=shells,
        beams=beams,
        ties=tuple(ties),
        springs=tuple(springs),
        lost=tuple(case_selections(text, case) + bulk.lost + sections_of_flats + unbent + unread + unbound),
        notes=(
            *bulk.notes,
            *_supports(bulk),
            *unselected,
            *(f"included: {n}" for n in text.files),
            *_notes(bulk, elements),
        ),  # fmt: skip
        ends_with_elements="" if ended else "cut" if begun else "whole",
    )


def _sections(text: MeshText) -> tuple[list[tuple[int, str]], list[tuple[int, str]], bool, bool]:
    """Case control and bulk data lines with their rows, without comments; whether BEGIN and ENDDATA were there."""
    lines = [(n, line.partition("$")[0].rstrip()) for n, line in enumerate(text.lines, 1)]
    lines = [pair for pair in lines if pair[1]]
    heads = [(k, n, line.split()) for k, (n, line) in enumerate(lines) if line.lstrip()[:1].upper() in "BE"]
    begin, end = -1, None
    for k, n, words in heads:
        first, second = (*map(str.upper, words), "")[:2]
        if first == "BEGIN" and second.startswith("SUPER"):
            raise MeshError(f"{text.at(n)}: superelements (BEGIN SUPER) are not read")
        if first == "BEGIN" and begin < 0:
            begin = k
        if first.startswith("ENDDATA") and end is None:
            end = k
    return lines[: max(begin, 0)], lines[begin + 1 : end], begin >= 0, end is not None


def _take(bulk: _Bulk, card: BulkCard) -> None:
    if card.name == "GRID":
        _check_width(card, 8)
        bulk.grid_ids.append(integer(card, 0))
        bulk.grid_system.append(integer(card, 1, -1))
        bulk.grid.append((real(card, 2), real(card, 3), real(card, 4)))
        if card.field(5).strip() not in ("", "0"):
            bulk.turned[bulk.grid_ids[-1]] = integer(card, 5)
        if set("123") & set(card.field(6)):
            bulk.supports.append(("GRID PS", card.at()))
    elif card.name in _SOLID:
        _take_solid(bulk, card)
    elif card.name in ("CORD2R", "CORD2C", "CORD2S"):
        points = np.array([real(card, k) for k in range(2, 11)]).reshape(3, 3)
        number = integer(card, 0)
        bulk.systems[number] = Definition(card.name[-1], (integer(card, 1, 0),) * 3, points, card.at(), card.name)
    elif card.name in ("CORD1R", "CORD1C", "CORD1S"):
        bulk.systems_by_nodes.append(card)
    elif card.name == "GRDSET":
        bulk.default_system = integer(card, 1, 0)
        if set("123") & set(card.field(6)):
            bulk.supports.append(("GRDSET PS", card.at()))
    elif card.name == "PSOLID":
        if "FLUID" in card.field(6).upper():
            raise MeshError(f"{card.at()}: PSOLID {card.field(0)} is a fluid")
        bulk.material_of[integer(card, 0)] = integer(card, 1)
    elif card.name == "PSHELL" and is_plate(card):
        take_plate(bulk, card)
    elif card.name == "MAT1":
        bulk.materials[str(integer(card, 0))] = mat1(card)
    elif card.name in ("MAT3", "MAT9", "MAT11"):
        bulk.materials[str(integer(card, 0))] = None
        bulk.notes.append(f"material {card.name} {card.field(0)} not used: not isotropic")
    elif card.name == "PARAM" and card.field(0).upper() == "WTMASS":
        bulk.mass_factor = real(card, 1, 1.0)
        if not 0.0 < bulk.mass_factor < float("inf"):
            raise MeshError(f"{card.at()}: PARAM,WTMASS,{bulk.mass_factor:g}: expected a positive number")
        bulk.notes.append(f"PARAM,WTMASS,{bulk.mass_factor:g}: densities multiplied by it")
    elif card.name in ("SET1", "SET3"):
        kind = {"GRID": 1, "ELEM": 2}.get(card.field(1).upper(), 0) if card.name == "SET3" else 0
        ids = id_list(card, 2 if card.name == "SET3" else 1)
        bulk.sets.append((integer(card, 0), ids, kind))
    elif card.name == "CONM2":
        bulk.extras.masses.append(card)
        bulk.dropped_ids.append(integer(card, 0))
        bulk.dropped_nodes.append(integer(card, 1))
    elif card.name == "RBE3":
        bulk.extras.averages.append(card)
        bulk.dropped_nodes.append(integer(card, 2))
        bulk.dropped_ids.append(integer(card, 0))
    elif card.name == "RBE2":
        bulk.extras.rigid.append(card)
        bulk.dropped_ids.append(integer(card, 0))
        bulk.dropped_nodes.append(integer(card, 1))
    elif card.name in ("CELAS1", "CELAS2", "CBUSH"):
        bulk.extras.springs.append(card)
        _discard(bulk, card)
    elif card.name in ("PELAS", "PBUSH"):
        bulk.extras.spring_properties[f"{card.name} {card.field(0)}"] = card
    elif card.name in ("MPC", "MPCADD"):
        bulk.extras.equations.append(card)
    elif card.name in ("SPC", "SPC1", "SPCADD"):
        bulk.supports.append((card.name, card.at()))
    elif card.name in BEAMS:
        bulk.beams.append(card)
        _discard(bulk, card)
    elif card.name in PROPERTIES:
        bulk.beam_properties[integer(card, 0)] = card
    elif is_flat(card):
        bulk.flats.append(card)
        _discard(bulk, card)
    elif what := carried_by(card.name):
        if card.name.startswith("C") and what.startswith("not known"):
            raise MeshError(f"{card.at()}: element card {card.name} is not known; solids are CHEXA, CPENTA, CTETRA")
        bulk.lost.append(LostCards(card.name, 1, card.at(), what))
        _discard(bulk, card)
    elif card.name not in _QUIET:
        if re.match(r"P(SHELL|COMP|LPLANE|SHEAR|PLANE)", card.name):
            bulk.properties.add(integer(card, 0))
        if card.name.startswith("PLOTEL"):
            _discard(bulk, card)
        bulk.ignored.setdefault(card.name, []).append(card.line)


def _supports(bulk: _Bulk) -> list[str]:
    """Warning on supports, which are not taken over."""
    if not bulk.supports:
        return []
    name, place = bulk.supports[0]
    many = f" and {len(bulk.supports) - 1} more" if len(bulk.supports) > 1 else ""
    return [f"{WARNING}{name} ({place}){many}: supports are not taken over: the body is free"]


def _discard(bulk: _Bulk, card: BulkCard) -> None:
    """Keep the ids of an element that is not kept, so that sets may name them."""
    numbers = [int(f) for f in card.fields if f.isdecimal() and len(f) < 19]
    bulk.dropped_ids += numbers[:1]
    bulk.dropped_nodes += numbers[1:]


def _check_end(bulk: _Bulk, text: MeshText, begun: bool) -> None:
    """A file without ENDDATA is taken where it ends between cards and nothing its cards name is missing."""
    where = f"{bulk.path}: no ENDDATA{' after BEGIN BULK' if begun else ''}"
    if text.ends_open:
        raise MeshError(f"{where}, and the last line has no end: is the file truncated?")
    if not begun:
        return
    if bulk.last in _SOLID or bulk.last == "GRID":
        raise MeshError(f"{where}, and the file ends with a {bulk.last}: is the file truncated?")
    solid = set(bulk.of_property)
    bare = solid - set(bulk.material_of) if bulk.material_of else set()
    without = {str(bulk.material_of[p]) for p in solid & set(bulk.material_of)} - set(bulk.materials)
    if bare or without:
        missing = f"PSOLID {min(bare)}" if bare else f"MAT1 {min(without)}"
        raise MeshError(f"{where}, and {missing} is missing: is the file truncated?")
    bulk.notes.append(f"WARNING: {where}: all its cards are whole and what they name is there; is the file complete?")


def _check_width(card: BulkCard, width: int) -> None:
    """Refuse a card with more fields than it has: a line of another card hangs on to it."""
    if any(card.fields[width:]):
        raise MeshError(f"{card.at()}: {card.name} {card.field(0)} has over {width} fields; are its lines its own?")


def _take_solid(bulk: _Bulk, card: BulkCard) -> None:
    allowed = _SOLID[card.name]
    _check_width(card, 2 + max(allowed))
    words = card.fields[2 : 2 + max(allowed)]
    count = max((k + 1 for k, word in enumerate(words) if word), default=0)
    if count not in allowed or any(not word for word in words[:count]):
        given = sum(1 for word in words if word)
        raise MeshError(
            f"{card.at()}: {card.name} {card.field(0)} has {given} nodes, expected "
            + " or ".join(str(n) for n in allowed)
        )
    kind = allowed[count]
    try:
        row = parse_ids(words[:count])
    except ValueError as error:
        raise MeshError(f"{card.at()}: {card.name} {card.field(0)}: {error}") from None
    element = integer(card, 0)
    ids, rows = bulk.elements.setdefault(kind, [([], [])])[0]
    ids.append(element)
    rows.append(row)
    bulk.of_property.setdefault(integer(card, 1, element), []).append(element)


def _basic_coordinates(bulk: _Bulk) -> np.ndarray:
    """(N, 3) nodes in the basic system."""
    nodes = np.array(bulk.grid, dtype=float).reshape(-1, 3)
    system = np.array(bulk.grid_system, dtype=np.int64)
    system[system == -1] = bulk.default_system
    for number in np.unique(system[system != 0]).tolist():
        own = system == number
        definition = resolve(bulk.path, bulk.systems, number)
        nodes[own] = definition.to_basic(nodes[own])
        bulk.notes.append(
            f"converted: {own.sum()} nodes from coordinate system {number} ({bulk.systems[int(number)].card})"
        )
    return nodes


def _comment_names(text: MeshText) -> dict[tuple[str, int], str]:
    """Names in HyperMesh comments: (PROP, MAT, SET1 nodes, SET2 elements; number) -> name."""
    names, whole = {}, "\n".join(line for line in text.lines if line[:3] == "$HM")
    for kind, number, name in re.findall(r'^\$HMNAME\s+(PROP|MAT)\s*(\d+)\s*"([^"]*)"', whole, re.M):
        names[kind, int(number)] = name
    for number, kind, name in re.findall(r'^\$HMSET\s+(\d+)\s+([12])\s+"([^"]*)"', whole, re.M):
        names["SET" + kind, int(number)] = name
    return names


def _named_sets(bulk: _Bulk, names: dict, case: list, node_ids: np.ndarray, element_ids: np.ndarray) -> tuple:
    """Node and element sets; a set whose kind nothing tells is one of nodes if all its ids are nodes."""
    node_sets: dict[str, np.ndarray] = {}
    element_sets: dict[str, np.ndarray] = {}
    known_nodes = set(bulk.grid_ids)
    for number, items, kind in bulk.sets + case:
        kind = kind or next((k for k in (1, 2) if (f"SET{k}", number) in names), 0)
        of_nodes = kind == 1 or (
            kind == 0 and all(i.within(node_ids).any() if isinstance(i, IdRange) else i in known_nodes for i in items)
        )
        if kind == 0:
            bulk.notes.append(f"set {number} does not say of what: taken as {'nodes' if of_nodes else 'elements'}")
        name = names.get((f"SET{1 if of_nodes else 2}", number), f"SET_{number}")
        (node_sets if of_nodes else element_sets)[name] = unfolded(items, node_ids if of_nodes else element_ids)
    return node_sets, element_sets


def _case_sets(bulk: _Bulk, case: list[tuple[int, str]]) -> list[tuple[int, list, int]]:
    """`SET n = a, b, c THRU d EXCEPT e` of the case control section; lines that end in a comma go on."""
    sets, texts = [], [line.strip() for _, line in case]
    for k, line in enumerate(texts):
        found = re.match(r"SET\s+(\d{1,18})\s*=\s*(.*)", line, re.I)
        if not found:
            continue
        body, last = found.group(2), k
        while body.endswith(",") and last + 1 < len(texts):
            last += 1
            body += " " + texts[last]
        try:
            sets.append((int(found.group(1)), range_list(body.replace(",", " ").upper().split(), parse_id), 0))
        except ValueError as error:
            bulk.notes.append(f"case control SET {found.group(1)} not read: {error}")
    return sets


def _notes(bulk: _Bulk, elements: tuple[RawElements, ...]) -> list[str]:
    notes = [f"read: {len(e.ids)} elements as {e.kind}" for e in elements]
    if bulk.ignored:
        notes.append(f"not read: {counted(bulk.ignored)}")
    return notes
