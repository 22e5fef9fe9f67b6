"""Ansys archives (.cdb, as CDWRITE writes them, blocked) scanned with ids, components, materials and rigid beams.

Source: Ansys command reference, CDWRITE, NBLOCK, EBLOCK, CMBLOCK, MPDATA, RLBLOCK; element reference, SOLID185 to
SOLID187, MASS21, MPC184. Verified in tests/verification/test_cdb_unv_med_verified.py.
"""

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import scipy

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import Material
from flexwheel.body.mesh_format import WARNING
from flexwheel.extensions.formats.mesh_text import decoded, read_mesh_bytes
from flexwheel.extensions.formats.others.cdb_blocks import CdbLines, element_block, integer_block, node_block, real_sets
from flexwheel.extensions.formats.raw_mesh import LostCards, RawFlats, RawMass, RawMesh, RawRigid, counted, stacked

_SOLID = {5, 45, 46, 62, 64, 65, 72, 73, 92, 95, 98, 185, 186, 187, 190, 226, 227, 285}
_KIND = {4: "tet4", 8: "hex8", 10: "tet10", 20: "hex20"}
_MARKS = {151, 152, 153, 154, 156, 200, 201}  # mesh only, surfaces that carry loads
_NAMES = {
    "LINK": {1, 8, 10, 11, 180}, "BEAM": {3, 4, 23, 24, 44, 54, 188, 189}, "PIPE": {16, 18, 20, 59, 60, 288, 289},
    "SHELL": {28, 41, 43, 63, 91, 93, 99, 143, 150, 181, 281}, "COMBIN": {7, 14, 37, 39, 40, 214, 250},
    "MATRIX": {27, 50}, "TARGE": {169, 170}, "CONTA": {171, 172, 173, 174, 175, 176, 177, 178}, "MPC": {184},
    "FLUID": {29, 30, 38, 79, 80, 81, 116, 129, 130, 138, 136, 220, 221}, "PRETS": {179},
    "PLANE": {2, 25, 42, 82, 83, 145, 146, 182, 183}, "SURF": _MARKS - {200, 201}, "MESH": {200}, "FOLLW": {201},
    "SOLID": {69, 70, 87, 90, 96, 97, 117, 122, 123, 147, 148, 231, 232, 278, 279} | _SOLID, "MASS": {21, 71},
}  # fmt: skip
_UNITS = {"SI": "m", "MKS": "m", "MPA": "mm"}
_SUPPORTS, _CONSTRAINTS = {"D"}, {"CE", "CP", "CEQN", "CERIG", "RBE3"}
_MASS, _RIGID = 21, 184


@dataclass
class _Archive:
    """What has been read so far."""

    lines: CdbLines
    ids: list = field(default_factory=list)
    places: list = field(default_factory=list)
    types: dict[int, int] = field(default_factory=dict)
    options: dict[tuple[int, int], int] = field(default_factory=dict)
    elements: list = field(default_factory=list)  # of CdbElement
    components: dict[str, tuple[str, np.ndarray]] = field(default_factory=dict)
    constants: dict[int, list[float]] = field(default_factory=dict)  # real constants by set
    materials: dict[int, dict[str, float]] = field(default_factory=dict)
    ignored: dict[str, list[int]] = field(default_factory=dict)
    lost: list[LostCards] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    unit: str = ""
    newtons: bool = True


def scan_cdb(path: Path) -> RawMesh:
    """Read the solids of an Ansys archive.

    Returns
    -------
    RawMesh   SOLID185, SOLID186, SOLID187, SOLID285 and their forerunners, collapsed ones among them; components;
              MP and MPDATA; MASS21; MPC184 of rigid beams

    Raises
    ------
    MeshError  unblocked archives, blocks that end early, unknown element types; with the line
    """
    content = read_mesh_bytes(path)
    if b"\0" in content:
        raise MeshError(f"{path}: binary data where an Ansys archive (text) was expected")
    archive = _Archive(CdbLines(path, decoded(content).split("\n")))
    while (words := archive.lines.command()) is not None:
        _take(archive, words)
    if not archive.ids:
        raise MeshError(f"{path}: no NBLOCK with nodes, expected an archive of CDWRITE (DB, blocked)")
    node_ids = np.array(archive.ids, dtype=np.int64)
    nodes = np.array(archive.places, dtype=float).reshape(-1, 3)
    solids, others = _sorted_out(archive)
    masses, ties, flats = _others(archive, others, dict(zip(archive.ids, nodes, strict=True)))
    of_material: dict[int, list[int]] = {}
    for e in (e for group in solids.values() for e in group):
        of_material.setdefault(e.material, []).append(e.number)
    node_sets = {name: ids for name, (kind, ids) in archive.components.items() if kind == "NODE"}
    element_sets = {name: ids for name, (kind, ids) in archive.components.items() if kind != "NODE"}
    _keep_marks(element_sets, node_sets, {e.number: e.nodes for e in others})
    element_sets |= {f"MATERIAL_{k}": np.array(ids) for k, ids in of_material.items() if len(of_material) > 1}
    return RawMesh(
        format="Ansys archive",
        node_ids=node_ids,
        nodes=nodes,
        elements=stacked({k: [([e.number for e in g], [e.nodes for e in g])] for k, g in solids.items()}),
        node_sets=node_sets,
        element_sets=element_sets,
        materials={str(k): _material(archive, k, values) for k, values in archive.materials.items()},
        sections=tuple((np.array(ids), str(k)) for k, ids in of_material.items() if k in archive.materials),
        dropped_nodes=np.unique(np.array([n for e in others for n in e.nodes], dtype=np.int64)),
        dropped_elements=np.array([e.number for e in others], dtype=np.int64),
        masses=masses,
        ties=ties,
        flats=flats,
        lost=tuple(archive.lost),
        notes=tuple(archive.notes + ([f"not read: {counted(archive.ignored)}"] if archive.ignored else [])),
        length_unit=archive.unit,
    )


def _take(archive: _Archive, words: list[str]) -> None:
    lines, word = archive.lines, words[0].upper()
    if word == "NBLOCK":
        ids, places = node_block(lines, words)
        archive.ids += ids
        archive.places += places
    elif word == "EBLOCK":
        archive.elements += element_block(lines, words)
    elif word == "CMBLOCK":
        ids = integer_block(lines, lines.whole(words, 3))
        archive.components[words[1].strip().upper()] = words[2].strip().upper()[:4], ids
    elif word == "RLBLOCK":
        archive.constants |= real_sets(lines, words)
    elif word == "R" and len(words) > 2:
        archive.constants[lines.whole(words, 1)] = [lines.real(words, k) for k in range(2, len(words))]
    elif word == "ET":
        name = re.sub(r"^[A-Z]+", "", words[2].strip().upper()) if len(words) > 2 else ""
        archive.types[lines.whole(words, 1)] = lines.whole([name], 0)
    elif word == "KEYOP" and len(words) > 3:
        archive.options[lines.whole(words, 1), lines.whole(words, 2)] = lines.whole(words, 3)
    elif word in ("MP", "MPDATA"):
        _take_property(archive, words)
    elif word == "/UNITS" and len(words) > 1:
        system = words[1].strip().upper()
        archive.unit, archive.newtons = _UNITS.get(system, ""), system in _UNITS
        archive.notes.append(f"/UNITS,{system}" + ("" if archive.newtons else ": materials of it are not used"))
    elif word in ("N", "EN", "E") and words[-1].strip() != "-1" and not _ends(words):
        raise MeshError(f"{lines.at()}: {word} gives nodes or elements one by one; write the archive blocked (CDWRITE)")
    elif word in _SUPPORTS:
        if not any("supports" in note for note in archive.notes):
            archive.notes.append(f"{WARNING}D ({lines.at()}): supports are not taken over: the body is free")
    elif word in _CONSTRAINTS:
        if len(words) < 3 or words[2].strip().upper() != "NODE":
            archive.lost.append(LostCards(word, 1, lines.at(), "a constraint"))
    elif word[:1].isalpha() and word not in ("N", "EN"):
        archive.ignored.setdefault(word, []).append(lines.row)


def _ends(words):
    return "-1" in (w.strip() for w in words[1:])


def _take_property(archive, words):
    """MP,LAB,MAT,C0 or MPDATA,R5.0,1,LAB,MAT,1,C0."""
    lines = archive.lines
    rest = [w.strip() for w in words[1:]]
    while rest and (not rest[0] or rest[0][0].isdigit() or rest[0].upper() in ("R5.0", "UNBL")):
        rest.pop(0)
    label = rest[0].upper() if rest else ""
    if label not in ("EX", "EY", "EZ", "DENS", "NUXY", "PRXY"):
        return
    place = 3 if words[0].upper() == "MPDATA" else 2
    values = archive.materials.setdefault(lines.whole(rest, 1), {})
    if words[0].upper() == "MPDATA" and lines.whole(rest, 2) > 1:
        return  # of higher temperatures
    if any(rest[place + 1 :]):
        archive.notes.append(f"material {rest[1]} depends on temperature: its first {label} is used")
    values[label] = lines.real(rest, place)


def _material(archive, number, values):
    """Isotropic elastic material with density, or None with a note."""
    young, density = values.get("EX"), values.get("DENS")
    poisson = values.get("PRXY", values.get("NUXY"))
    other = [values[k] for k in ("EY", "EZ") if k in values]
    reason = (
        "EX, DENS or PRXY is missing"
        if None in (young, density, poisson)
        else "not isotropic"
        if set(other) - {young}
        else ""
    )
    if not archive.newtons:
        reason = "force is not newton"
    if reason:
        archive.notes.append(f"material {number} not used: {reason}")
        return None
    return Material(young, poisson, density, f"MAT_{number}")


def _sorted_out(archive):
    """Solids by kind, and the other elements."""
    solids, others = {}, []
    for e in archive.elements:
        if e.type not in archive.types:
            raise MeshError(f"{archive.lines.at(e.row)}: element {e.number} is of type {e.type}, which no ET defines")
        code = archive.types[e.type]
        if code not in _SOLID:
            others.append(e)
            continue
        corners = [n for n in e.nodes if n]
        count = len(e.nodes)
        if count in (10, 20) and not any(e.nodes[count * 2 // 5 :]):
            count = count * 2 // 5
        if count not in _KIND or len([n for n in e.nodes[:count] if n]) < count:
            raise MeshError(
                f"{archive.lines.at(e.row)}: element {e.number} (SOLID{code}) has {len(corners)} nodes, expected 4, 8, "
                "10 or 20: mid nodes are there for all of its edges or for none"
            )
        solids.setdefault(_KIND[count], []).append(e._replace(nodes=e.nodes[:count]))
    return solids, others


def _others(archive, others, positions):
    """Point masses, rigid sets and elements that mark faces; what else carries is lost."""
    masses, marks, links, lost = [], {}, [], {}
    for e in others:
        code, place = archive.types[e.type], archive.lines.at(e.row)
        if code in _MARKS:
            marks.setdefault(_named(code), []).append((e.nodes, place))
        elif code == _MASS and (found := _mass(archive, e, positions)) is not None:
            masses.append(found)
        elif code == _RIGID and archive.options.get((e.type, 1), 0) == 1 and len(e.nodes) == 2:
            links.append(e.nodes)
        else:
            lost.setdefault(_named(code), []).append(place)
    archive.lost += [LostCards(name, len(p), p[0], _carries(name)) for name, p in lost.items()]
    ties, carriers = _rigid(links, archive.lines.path)
    masses = [_carried(m, carriers) for m in masses]
    flats = tuple(
        RawFlats(name, [list(dict.fromkeys(n for n in nodes if n)) for nodes, _ in rows], [p for _, p in rows])
        for name, rows in marks.items()
        if name != "MESH200"
    )
    return tuple(masses), ties, flats


def _named(code):
    family = next((name for name, codes in _NAMES.items() if code in codes), "element type ")
    return f"{family}{code}"


def _carries(name):
    what = {"TARGE": "a contact", "CONTA": "a contact", "MPC18": "a constraint that is no rigid beam (KEYOPT(1) = 1)"}
    if name[:5] in ("SOLID", "FLUID"):
        return "elements of another physics"
    return what.get(name[:5], "stiffness or mass")


def _mass(archive, e, positions):
    """RawMass of a MASS21, None for one that is not the same in all directions."""
    values, option = archive.constants.get(e.constants), archive.options.get((e.type, 3), 0)
    if values is None or option not in (0, 2) or e.nodes[0] not in positions:
        return None
    values = (values + [0.0] * 6)[:6]
    inertia = np.diag(values[3:6]) if option == 0 else np.zeros((3, 3))
    if option == 0 and len(set(values[:3])) > 1:
        return None
    place = np.array(positions[e.nodes[0]], dtype=float)
    return RawMass("MASS21", f"MASS21 {e.number}", archive.lines.at(e.row), e.nodes[0], values[0], place, inertia)


def _rigid(links, path):
    """Nodes that rigid beams join as rigid sets, and what each of them moves with."""
    if not links:
        return (), {}
    ids, ends = np.unique(np.array(links), return_inverse=True)
    ends = ends.reshape(-1, 2)
    graph = scipy.sparse.coo_matrix((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(len(ids),) * 2)
    count, label = scipy.sparse.csgraph.connected_components(graph, directed=False)
    groups = [ids[label == k] for k in range(count)]
    ties = tuple(RawRigid("MPC184", f"MPC184 at node {g[0]}", str(path), g) for g in groups)
    return ties, {int(n): g for g in groups for n in g}


def _carried(mass, carriers):
    nodes = carriers.get(mass.node)
    return mass if nodes is None else replace(mass, carriers=nodes[nodes != mass.node], carried_by="MPC184")


def _keep_marks(element_sets, node_sets, dropped):
    """A component of elements that are not solid stays as the component of their nodes."""
    for name, ids in list(element_sets.items()):
        if len(ids) and name not in node_sets and all(int(i) in dropped for i in ids):
            node_sets[name] = np.unique(np.array([n for i in ids for n in dropped[int(i)] if n], dtype=np.int64))
            del element_sets[name]
