"""Nastran bulk data scanned with its ids, coordinate systems, properties, materials and sets."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from flexwheel.errors import MeshError
from flexwheel.fe.mesh import Material
from flexwheel.io.element_order import from_nastran
from flexwheel.io.nastran_cards import BulkCard, bulk_cards, expand_thru, id_list, integer, real
from flexwheel.io.nastran_systems import Definition, resolve
from flexwheel.io.raw_mesh import RawElements, RawMesh, counted, read_text, stacked

_SOLID = {
    "CHEXA": {8: "hex8", 20: "hex20"},
    "CPENTA": {6: "wedge6", 15: "wedge15"},
    "CTETRA": {4: "tet4", 10: "tet10"},
}
_NOT_SOLID = re.compile(
    r"(CQUAD[48R]?|CTRIA[36R]?|CSHEAR|CBAR|CBEAM3?|CBEND|CROD|CONROD|CTUBE|CBUSH(1D|2D)?|CELAS[1-4]|CDAMP[1-5]|CGAP|"
    r"CVISC|CMASS[1-4]|CONM[12]|PLOTEL\d?|CFAST|CWELD|CSEAM|CRAC2D|CTRIAX6?|CQUADX)$"
)
_TIES = re.compile(r"(RBE[123]|RBAR1?|RROD|RTRPLT1?|RSPLINE|RSSCON|RJOINT|MPC(ADD)?)$")
_MASSES = re.compile(r"(CONM[12]|CMASS[1-4]|NSM.*)$")
_QUIET = {"ENDDATA", "GRDSET", "BEGIN BULK"}
_C_CARDS = {"CSUPER", "CSUPEXT", "CREEP", "CYJOIN", "CYAX", "CYSYM", "CONV", "CONVM", "CLOAD"}  # no elements


@dataclass
class _Bulk:
    """What has been read so far."""

    path: Path
    grid_ids: list[int] = field(default_factory=list)
    grid_system: list[int] = field(default_factory=list)
    grid: list[tuple[float, float, float]] = field(default_factory=list)
    default_system: int = 0
    turned_displacements: int = 0
    systems: dict[int, Definition] = field(default_factory=dict)
    elements: dict[str, list] = field(default_factory=dict)
    of_property: dict[int, list[int]] = field(default_factory=dict)
    material_of: dict[int, int] = field(default_factory=dict)
    materials: dict[str, Material | None] = field(default_factory=dict)
    sets: list[tuple[int, str, list[int], int]] = field(default_factory=list)
    dropped: dict[str, list[int]] = field(default_factory=dict)
    dropped_ids: list[int] = field(default_factory=list)
    dropped_nodes: list[int] = field(default_factory=list)
    ignored: dict[str, list[int]] = field(default_factory=dict)
    mass_factor: float = 1.0
    notes: list[str] = field(default_factory=list)


def scan_nastran(path: Path) -> RawMesh:
    """Read the solids of a Nastran bulk data file.

    Parameters
    ----------
    path : Path

    Returns
    -------
    RawMesh  CHEXA 8 and 20, CPENTA 6 and 15, CTETRA 4 and 10; GRID of any CORD2R, CORD2C, CORD2S in basic coordinates

    Raises
    ------
    MeshError  INCLUDE, superelements, unknown elements or systems, missing mid nodes, no ENDDATA; with the line

    Source: MSC Nastran quick reference guide, bulk data entries.
    Verified in tests/verification/test_mesh_import_formats.py and tests/property/test_mesh_import_bad_input.py.
    """
    text = read_text(path)
    names = _comment_names(text)
    case, bulk_lines = _sections(path, text)
    bulk = _Bulk(path)
    for card in bulk_cards(path, bulk_lines):
        _take(bulk, card)
    nodes = _basic_coordinates(bulk)
    elements = tuple(RawElements(e.kind, e.ids, from_nastran(e.kind, e.nodes)) for e in stacked(bulk.elements))
    node_sets, element_sets = _named_sets(bulk, names, case)
    for number, ids in bulk.of_property.items():
        element_sets[names.get(("PROP", number), f"PROPERTY_{number}")] = np.array(ids, dtype=np.int64)
    materials = {k: _renamed(m, names.get(("MAT", int(k)))) for k, m in bulk.materials.items()}
    sections = [
        (np.array(ids, dtype=np.int64), str(bulk.material_of[number]))
        for number, ids in bulk.of_property.items()
        if number in bulk.material_of
    ]
    return RawMesh(
        format="Nastran bulk data",
        node_ids=np.array(bulk.grid_ids, dtype=np.int64),
        nodes=nodes,
        elements=elements,
        node_sets=node_sets,
        element_sets=element_sets,
        materials={k: _scaled(m, bulk.mass_factor) for k, m in materials.items()},
        sections=tuple(sections),
        dropped_nodes=np.unique(np.array(bulk.dropped_nodes, dtype=np.int64)),
        dropped_elements=np.unique(np.array(bulk.dropped_ids, dtype=np.int64)),
        notes=tuple(bulk.notes + _notes(bulk, elements)),
    )


def _sections(path: Path, text: str) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """Case control and bulk data lines with their numbers, comments and blank lines removed."""
    lines = [(n, line.partition("$")[0].rstrip()) for n, line in enumerate(text.splitlines(), 1)]
    lines = [pair for pair in lines if pair[1]]
    heads = [(k, n, line.split()) for k, (n, line) in enumerate(lines) if line.lstrip()[:1].upper() in "BEI"]
    begin, end = -1, None
    for k, n, words in heads:
        first, second = (*map(str.upper, words), "")[:2]
        if first == "INCLUDE":
            raise MeshError(f"{path}:{n}: INCLUDE reads another file, which this reader does not follow")
        if first == "BEGIN" and second.startswith("SUPER"):
            raise MeshError(f"{path}:{n}: superelements (BEGIN SUPER) are not read")
        if first == "BEGIN" and begin < 0:
            begin = k
        if first.startswith("ENDDATA") and end is None:
            end = k
    if end is None and begin >= 0:
        raise MeshError(f"{path}: no ENDDATA after BEGIN BULK: is the file truncated?")
    return lines[: max(begin, 0)], lines[begin + 1 : end]


def _take(bulk: _Bulk, card: BulkCard) -> None:
    """Read one card."""
    if card.name == "GRID":
        bulk.grid_ids.append(integer(bulk.path, card, 0))
        bulk.grid_system.append(integer(bulk.path, card, 1, -1))
        bulk.grid.append((real(bulk.path, card, 2), real(bulk.path, card, 3), real(bulk.path, card, 4)))
        bulk.turned_displacements += card.field(5).strip() not in ("", "0")
    elif card.name in _SOLID:
        _take_solid(bulk, card)
    elif card.name in ("CORD2R", "CORD2C", "CORD2S"):
        points = np.array([real(bulk.path, card, k) for k in range(2, 11)]).reshape(3, 3)
        number = integer(bulk.path, card, 0)
        bulk.systems[number] = Definition(card.name[-1], integer(bulk.path, card, 1, 0), points, card.line)
    elif card.name == "GRDSET":
        bulk.default_system = integer(bulk.path, card, 1, 0)
    elif card.name == "PSOLID":
        if "FLUID" in card.field(6).upper():
            raise MeshError(f"{bulk.path}:{card.line}: PSOLID {card.field(0)} is a fluid")
        bulk.material_of[integer(bulk.path, card, 0)] = integer(bulk.path, card, 1)
    elif card.name == "MAT1":
        bulk.materials[str(integer(bulk.path, card, 0))] = _mat1(bulk, card)
    elif card.name in ("MAT3", "MAT9", "MAT11"):
        bulk.materials[str(integer(bulk.path, card, 0))] = None
        bulk.notes.append(f"material {card.name} {card.field(0)} not used: not isotropic")
    elif card.name == "PARAM" and card.field(0).upper() == "WTMASS":
        bulk.mass_factor = real(bulk.path, card, 1, 1.0)
        bulk.notes.append(f"PARAM,WTMASS,{bulk.mass_factor:g}: densities multiplied by it")
    elif card.name in ("SET1", "SET3"):
        kind = {"GRID": 1, "ELEM": 2}.get(card.field(1).upper(), 0) if card.name == "SET3" else 0
        ids = id_list(bulk.path, card, 2 if card.name == "SET3" else 1)
        bulk.sets.append((integer(bulk.path, card, 0), "SET", ids, kind))
    elif _NOT_SOLID.match(card.name) or _TIES.match(card.name):
        if _NOT_SOLID.match(card.name):
            bulk.dropped.setdefault(card.name, []).append(card.line)
        else:
            bulk.ignored.setdefault(card.name, []).append(card.line)
        numbers = [int(f) for f in card.fields if f.isdigit()]
        bulk.dropped_ids += numbers[:1]
        bulk.dropped_nodes += numbers[1:]
    elif card.name.startswith("C") and not card.name.startswith("CORD") and card.name not in _C_CARDS:
        raise MeshError(
            f"{bulk.path}:{card.line}: element card {card.name} is not known; solids are CHEXA, CPENTA, CTETRA"
        )
    elif card.name not in _QUIET:
        bulk.ignored.setdefault(card.name, []).append(card.line)


def _take_solid(bulk: _Bulk, card: BulkCard) -> None:
    allowed = _SOLID[card.name]
    words = card.fields[2 : 2 + max(allowed)]
    count = max((k + 1 for k, word in enumerate(words) if word), default=0)
    if count not in allowed or any(not word for word in words[:count]):
        given = sum(1 for word in words if word)
        raise MeshError(
            f"{bulk.path}:{card.line}: {card.name} {card.field(0)} has {given} nodes, expected "
            + " or ".join(str(n) for n in allowed)
        )
    kind = allowed[count]
    try:
        row = [int(word) for word in words[:count]]
    except ValueError as error:
        raise MeshError(f"{bulk.path}:{card.line}: {card.name} {card.field(0)}: node ids are not integers") from error
    element = integer(bulk.path, card, 0)
    ids, rows = bulk.elements.setdefault(kind, [([], [])])[0]
    ids.append(element)
    rows.append(row)
    bulk.of_property.setdefault(integer(bulk.path, card, 1, element), []).append(element)


def _mat1(bulk: _Bulk, card: BulkCard) -> Material:
    """MAT1: E, G, nu, density; one of E, G, nu may be left out."""
    young, shear, poisson = (real(bulk.path, card, k, np.nan) for k in (1, 2, 3))
    if np.isnan(poisson):
        poisson = young / (2 * shear) - 1
    if np.isnan(young):
        young = 2 * (1 + poisson) * shear
    return Material(young, poisson, real(bulk.path, card, 4), f"MAT1_{card.field(0)}")


def _basic_coordinates(bulk: _Bulk) -> np.ndarray:
    """(N, 3) nodes in the basic system."""
    nodes = np.array(bulk.grid, dtype=float).reshape(-1, 3)
    system = np.array(bulk.grid_system, dtype=np.int64)
    system[system == -1] = bulk.default_system
    for number in np.unique(system[system != 0]):
        own = system == number
        definition = resolve(bulk.path, bulk.systems, int(number))
        nodes[own] = definition.to_basic(nodes[own])
        bulk.notes.append(f"converted: {own.sum()} nodes from coordinate system {number} (CORD2{definition.kind})")
    if bulk.turned_displacements:
        bulk.notes.append(f"displacement systems (CD) of {bulk.turned_displacements} nodes dropped")
    return nodes


def _comment_names(text: str) -> dict[tuple[str, int], str]:
    """Names in HyperMesh comments: (PROP, MAT, SET1 nodes, SET2 elements; number) -> name."""
    names = {}
    for kind, number, name in re.findall(r'^\$HMNAME\s+(PROP|MAT)\s*(\d+)\s*"([^"]*)"', text, re.M):
        names[kind, int(number)] = name
    for number, kind, name in re.findall(r'^\$HMSET\s+(\d+)\s+([12])\s+"([^"]*)"', text, re.M):
        names["SET" + kind, int(number)] = name
    return names


def _named_sets(bulk: _Bulk, names: dict, case: list[tuple[int, str]]) -> tuple[dict, dict]:
    """Node and element sets; a set whose kind nothing tells is one of nodes if all its ids are nodes."""
    node_sets: dict[str, np.ndarray] = {}
    element_sets: dict[str, np.ndarray] = {}
    known_nodes = set(bulk.grid_ids)
    for number, _, ids, kind in bulk.sets + _case_sets(bulk, case):
        kind = kind or next((k for k in (1, 2) if (f"SET{k}", number) in names), 0)
        of_nodes = kind == 1 or (kind == 0 and known_nodes.issuperset(ids))
        if kind == 0:
            bulk.notes.append(f"set {number} does not say of what: taken as {'nodes' if of_nodes else 'elements'}")
        name = names.get((f"SET{1 if of_nodes else 2}", number), f"SET_{number}")
        (node_sets if of_nodes else element_sets)[name] = np.array(ids, dtype=np.int64)
    return node_sets, element_sets


def _case_sets(bulk: _Bulk, case: list[tuple[int, str]]) -> list[tuple[int, str, list[int], int]]:
    """`SET n = a, b, c THRU d` of the case control section."""
    sets, joined = [], " ".join(line.strip() for _, line in case)
    for number, body in re.findall(r"\bSET\s+(\d+)\s*=\s*((?:\d+(?:\s+THRU\s+\d+)?[\s,]*)+)", joined, re.I):
        words = body.replace(",", " ").upper().split()
        try:
            sets.append((int(number), "SET", expand_thru(words), 0))
        except ValueError:
            bulk.notes.append(f"case control SET {number} not read")
    return sets


def _renamed(material: Material | None, name: str | None) -> Material | None:
    if material is None or name is None:
        return material
    return Material(material.youngs_modulus, material.poissons_ratio, material.density, name)


def _scaled(material: Material | None, factor: float) -> Material | None:
    if material is None:
        return None
    return Material(material.youngs_modulus, material.poissons_ratio, material.density * factor, material.name)


def _notes(bulk: _Bulk, elements: tuple[RawElements, ...]) -> list[str]:
    notes = [f"read: {len(e.ids)} elements as {e.kind}" for e in elements]
    if bulk.dropped:
        notes.append(f"dropped: elements that are not solid: {counted(bulk.dropped)}")
    ties = {k: v for k, v in bulk.ignored.items() if _TIES.match(k)}
    masses = {k: v for k, v in {**bulk.ignored, **bulk.dropped}.items() if _MASSES.match(k)}
    rest = {k: v for k, v in bulk.ignored.items() if k not in ties and k not in masses}
    for label, cards in (("couplings and ties", ties), ("concentrated masses", masses), ("other cards", rest)):
        if cards:
            notes.append(f"not read: {label}: {counted(cards)}")
    return notes
