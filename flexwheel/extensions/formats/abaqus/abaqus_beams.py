"""Beams of an Abaqus (CalculiX) file: B31, B32 and their variants with *BEAM SECTION or *BEAM GENERAL SECTION; rods
T3D2 with the area of their *SOLID SECTION.

Source: Abaqus keywords reference guide; CalculiX user's manual 2.20, *BEAM SECTION and *BEAM GENERAL SECTION.
Verified in tests/verification/test_beams_verified.py.
"""

import re
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import Material
from flexwheel.extensions.formats.abaqus.abaqus_cards import Card, real_records
from flexwheel.extensions.formats.import_steps import beam_sections
from flexwheel.extensions.formats.import_steps.beam_sections import BeamSection
from flexwheel.extensions.formats.raw_mesh import LostCards, RawBeams

BEAM = re.compile(r"B3(1|2)R?H?$")
LINE = re.compile(r"B3[12]R?H?$|T3D\d")
_OPTIONS = {
    "ELSET",
    "MATERIAL",
    "SECTION",
    "OFFSET1",
    "OFFSET2",
    "POISSON",
    "TEMPERATURE",
    "DENSITY",
    "NODAL THICKNESS",
}
_DOWN = (0.0, 0.0, -1.0)  # first direction where none is given


class BeamCard(NamedTuple):
    """Section of the beams of a set."""

    members: str
    section: BeamSection
    normal: np.ndarray  # (3,)
    material: str
    place: str


def beam_card(card: Card, materials: dict, assembly: bool) -> BeamCard | None:
    """Section of a card; None where its kind or an option is not read. E, G and density of the card go to `materials`.

    assembly : whether the file has instances, as only Abaqus writes them
    """
    kind, general = card.get("SECTION", "GENERAL").upper(), card.keyword == "BEAM GENERAL SECTION"
    if set(card.parameters) - _OPTIONS or "NODAL THICKNESS" in card.parameters or not card.data:
        return None
    lines = real_records(card)
    sizes = lines[0]
    if general and kind == "GENERAL":
        section = _general(card, sizes)
    else:
        section = _shaped(card, kind, sizes, assembly)
    if section is None:
        return None
    if fault := beam_sections.wrong(section):
        raise MeshError(f"{card.at()}: *{card.keyword}: {fault}")
    normal = np.array((lines[1] if len(lines) > 1 else list(_DOWN))[:3] + [0.0] * 3)[:3]
    normal = normal if normal.any() else np.array(_DOWN)
    if not np.isfinite(normal).all():
        raise MeshError(f"{card.at()}: *{card.keyword} has no finite direction")
    material = card.get("MATERIAL")
    if general and not material:
        if len(lines) < 3 or len(lines[2]) < 2 or not card.get("DENSITY"):
            raise MeshError(f"{card.at()}: *{card.keyword} must give E, G in its third line and DENSITY, or MATERIAL")
        young, shear = lines[2][:2]
        if not shear > 0.0:
            raise MeshError(f"{card.at()}: *{card.keyword}: G must be positive, got {shear:g}")
        material = f"*{card.keyword} line {card.line}"
        materials[material] = Material(young, young / (2.0 * shear) - 1.0, _real(card, "DENSITY"), material)
    return BeamCard(card.get("ELSET").upper(), section, normal, material.upper(), card.at())


def rod_card(card: Card) -> BeamCard:
    """Area of a *SOLID SECTION, for the rods among its elements; nan where it gives none."""
    lines = real_records(card) if card.data else [[np.nan]]
    section = beam_sections.bar(lines[0][0])
    return BeamCard(card.get("ELSET").upper(), section, np.zeros(3), card.get("MATERIAL").upper(), card.at())


def rods_of_deck(cards: list[BeamCard], dropped: dict[int, list[int]], kinds: dict[int, str], places: dict, members):
    """Rods of the sets that cards of *SOLID SECTION name, as `beams_of_deck`."""
    rows, lost = [], []
    if not any(kind.startswith("T") for kind in kinds.values()):
        return (), lost
    for number, card in enumerate(cards):
        own = [i for i in members(card.members, card.place).tolist() if kinds.get(i, "").startswith("T")]
        for element in own:
            nodes = dropped.get(element, [])
            if not kinds[element].startswith("T3D2") or len(nodes) != 2 or not 0.0 < card.section.area < np.inf:
                what = f"stiffness or mass of element {element}, which is no T3D2 with an area"
                lost.append(LostCards("*SOLID SECTION", 1, card.place, what))
                break
            if missing := [n for n in nodes if n not in places]:
                raise MeshError(f"{card.place}: rod {element} names node {missing[0]}, which is not defined")
            ends = np.array([places[n] for n in nodes], dtype=float)
            rows.append((element, nodes, [ends[0], ends.mean(axis=0), ends[1]], number))
    if not rows:
        return (), lost
    ids, nodes, axis, of = (np.array(column) for column in zip(*rows, strict=True))
    sections, place = tuple(card.section for card in cards), cards[int(of[0])].place
    return (RawBeams("T3D2", place, ids, nodes, axis, np.zeros((len(ids), 3)), of, sections, rods=True),), lost


def _real(card, key):
    try:
        return float(card.get(key, "0"))
    except ValueError:
        raise MeshError(f"{card.at()}: *{card.keyword}, {key} must be a number, got {card.get(key)[:20]}") from None


def _general(card, sizes):
    if len(sizes) < 5 or any(sizes[5:]):
        raise MeshError(
            f"{card.at()}: *{card.keyword}: A, I11, I12, I22, J expected, and no warping, got {len(sizes)} values"
        )
    area, of_first, product, of_second, torsion = sizes[:5]
    return beam_sections.general(area, of_second, of_first, product, torsion, (1.0, 1.0))


def _shaped(card, kind, sizes, assembly):
    """Section of a shape by its name; None for one that is not read."""
    section, reach = None, (0.0, 0.0)
    if not all(s > 0.0 for s in sizes):
        raise MeshError(f"{card.at()}: *{card.keyword}, SECTION={kind} must have positive sizes, got {sizes}")
    if kind == "RECT" and len(sizes) in (1, 2):
        reach = sizes[0], sizes[-1]
        section = beam_sections.rectangle(*reach)
    elif kind == "CIRC" and len(sizes) in (1, 2):
        if len(sizes) == 1 and not assembly:
            raise MeshError(
                f"{card.at()}: *{card.keyword}, SECTION=CIRC of one value is a radius to Abaqus and a diameter to "
                "CalculiX: write two values, the diameters along both directions"
            )
        reach = (sizes[0], sizes[1]) if len(sizes) == 2 else (2.0 * sizes[0],) * 2
        section = beam_sections.ellipse(*reach)
    elif kind == "PIPE" and len(sizes) == 2 and sizes[1] < sizes[0]:
        reach = (2.0 * sizes[0],) * 2
        section = beam_sections.tube(sizes[0], sizes[0] - sizes[1])
    elif kind == "BOX" and len(sizes) == 6 and sizes[2] == sizes[4] and sizes[3] == sizes[5]:
        reach = sizes[0], sizes[1]
        if 2.0 * sizes[2] < reach[0] and 2.0 * sizes[3] < reach[1]:
            section = beam_sections.box(*reach, sizes[2], sizes[3])
    elif kind == "I" and len(sizes) == 7 and sizes[2] == sizes[3] and sizes[4] == sizes[5]:
        if 2.0 * sizes[0] == sizes[1] and 2.0 * sizes[4] < sizes[1] and sizes[6] <= sizes[2]:
            section = beam_sections.i_section(sizes[1], sizes[2], sizes[4], sizes[6])
    if section is None:
        return None
    offset = tuple(-_real(card, f"OFFSET{k + 1}") * reach[k] for k in (0, 1))
    return replace(section, offset=offset)


def beams_of_deck(cards: list[BeamCard], dropped: dict[int, list[int]], kinds: dict[int, str], places: dict, members):
    """Beams of the sets that the cards name.

    Parameters
    ----------
    cards : list of BeamCard
    dropped : {id: node ids}      elements that are not solid
    kinds : {id: TYPE}            of them
    places : {node id: (3,)}
    members : function(set, place)

    Returns
    -------
    beams : tuple of RawBeams
    lost : list of LostCards      cards of elements that are no beams in space
    """
    rows, lost = [], []
    for number, card in enumerate(cards):
        for element in members(card.members, card.place).tolist():
            found = BEAM.match(kinds.get(element, ""))
            nodes = dropped.get(element, [])
            if not found or len(nodes) != int(found.group(1)) + 1:
                what = (
                    f"stiffness or mass of element {element}, which is no B31 or B32 without a node for its direction"
                )
                lost.append(LostCards("*BEAM SECTION", 1, card.place, what))
                break
            if missing := [n for n in nodes if n not in places]:
                raise MeshError(f"{card.place}: beam {element} names node {missing[0]}, which is not defined")
            line = np.array([places[n] for n in nodes], dtype=float)
            if len(nodes) == 2:
                rows.append((element, nodes, [line[0], line.mean(axis=0), line[1]], number))
                continue
            quarter = [0.375 * line[k] + 0.75 * line[1] - 0.125 * line[2 - k] for k in (0, 2)]
            rows.append((element, nodes[:2], [line[0], quarter[0], line[1]], number))
            rows.append((element, nodes[1:], [line[1], quarter[1], line[2]], number))
    if not rows:
        return (), lost
    ids, nodes, axis, of = (np.array(column) for column in zip(*rows, strict=True))
    normal = np.array([card.normal for card in cards])[of]
    sections = tuple(card.section for card in cards)
    axis = beam_sections.shifted(axis, normal, np.array([s.offset for s in sections])[of])
    return (RawBeams("*BEAM SECTION", cards[0].place, ids, nodes, axis, normal, of, sections),), lost
