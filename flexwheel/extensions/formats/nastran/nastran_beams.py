"""Beams of a Nastran file: CBAR with PBAR or PBARL, CBEAM of constant section with PBEAM or PBEAML; rods CROD, CONROD.

Element axes: x from end A to end B, y in the plane of x and the orientation vector; plane 1 is that of x and y.

Source: MSC Nastran quick reference guide, CBAR, CBEAM, PBAR, PBARL, PBEAM, PBEAML.
Verified in tests/verification/test_beams_verified.py.
"""

from dataclasses import replace

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.extensions.formats.import_steps import beam_sections
from flexwheel.extensions.formats.import_steps.beam_sections import BeamSection
from flexwheel.extensions.formats.nastran.nastran_cards import BulkCard, integer, real
from flexwheel.extensions.formats.raw_mesh import LostCards, RawBeams

BEAMS = {"CBAR": ("PBAR", "PBARL"), "CBEAM": ("PBEAM", "PBEAML"), "CROD": ("PROD",), "CONROD": ("CONROD",)}
PROPERTIES = {name for names in BEAMS.values() for name in names}
_RODS = ("CROD", "CONROD")
_SIZES = {"BAR": 2, "BOX": 4, "I": 6, "I1": 4, "ROD": 1, "TUBE": 2, "TUBE2": 2, "T": 4, "CHAN": 4, "CHAN1": 4}
"""Shapes of PBARL and PBEAML that are read, and how many sizes they have."""
_OPEN = ("T", "CHAN", "CHAN1")
"""Those whose shear centre is not their centroid: to CBAR it is, to CBEAM not."""


class UnreadBeam(Exception):
    """A card that means more than is read."""


def take_beams(bulk, positions: dict, directions) -> tuple[tuple[RawBeams, ...], list[LostCards]]:
    """Beams of the cards kept; their properties join the others.

    bulk : nastran_scan._Bulk
    positions : {node id: (3,)}      basic coordinates, file units
    directions : function(node id)   its directions 1 2 3 as columns (3, 3)
    """
    rows, lost, sections, where, taken = [], [], [], {}, set()
    for card in bulk.beams:
        number, of = integer(card, 0), integer(card, 1, integer(card, 0))
        if card.name == "CONROD":  # its own property, under a number no other has
            of = -number
            bulk.beam_properties[of] = card
        try:
            if of not in where:
                where[of] = len(sections)
                sections.append(_section(bulk.beam_properties.get(of), BEAMS[card.name], bulk.mass_factor))
            if not isinstance(sections[where[of]], BeamSection):
                raise sections[where[of]]
            rows.append((card, number, *_line(card, positions, directions), where[of]))
        except UnreadBeam as error:
            lost.append(LostCards(card.name, 1, card.at(), f"a beam that is not read: {error}"))
            continue
        taken.add(number)
        bulk.of_property.setdefault(of, []).append(number)
        bulk.material_of[of] = integer(bulk.beam_properties[of], 3 if card.name == "CONROD" else 1)
    bulk.dropped_ids = [i for i in bulk.dropped_ids if i not in taken]
    known = [s if isinstance(s, BeamSection) else beam_sections.rectangle(1.0, 1.0) for s in sections]
    found = []
    for name in BEAMS:
        own = [row for row in rows if row[0].name == name]
        if own:
            cards, *columns = (list(column) for column in zip(*own, strict=True))
            parts, free = map(np.array, columns), np.array([_pins(card) for card in cards])
            found.append(RawBeams(name, cards[0].at(), *parts, tuple(known), free=free, rods=name in _RODS))
    return tuple(found), lost


def _line(card: BulkCard, positions, directions):
    """Nodes, line of centroids (3, 3) and orientation (3,) of an element."""
    nodes = tuple(integer(card, k) for k in ((1, 2) if card.name == "CONROD" else (2, 3)))
    if missing := [n for n in nodes if n not in positions]:
        raise MeshError(f"{card.at()}: {card.name} {card.field(0)}: node {missing[0]} is not defined")
    ends = [np.asarray(positions[n], dtype=float) for n in nodes]
    if card.name in _RODS:
        return nodes, np.array([ends[0], 0.5 * (ends[0] + ends[1]), ends[1]]), np.zeros(3)
    if card.field(7).strip().upper() not in ("", "GGG"):
        raise UnreadBeam(f"OFFT or BIT {card.field(7)}, expected GGG")
    if any(w.strip().strip("0") for w in card.fields[16:]):
        raise UnreadBeam("scalar points SA, SB of warping")
    other = card.field(4).strip()
    if other.isdecimal() and not card.field(5).strip() and not card.field(6).strip():
        if int(other) not in positions:
            raise MeshError(f"{card.at()}: {card.name} {card.field(0)}: node {other} is not defined")
        normal = np.asarray(positions[int(other)], dtype=float) - ends[0]
    elif other:
        normal = _finite(card, directions(nodes[0]), 4)
    else:
        raise UnreadBeam("without an orientation vector or node of its own")
    ends = [x + _finite(card, directions(n), k) for x, n, k in zip(ends, nodes, (10, 13), strict=True)]
    return nodes, np.array([ends[0], 0.5 * (ends[0] + ends[1]), ends[1]]), normal


def _pins(card):
    """(12,) motions that PA and PB let go."""
    words = [card.field(k).strip().strip("0") if card.name not in _RODS else "" for k in (8, 9)]
    if any(set(word) - set("123456") for word in words):
        raise MeshError(f"{card.at()}: {card.name} {card.field(0)}: pin flags must be of 1 to 6, got {' '.join(words)}")
    return [str(k) in word for word in words for k in range(1, 7)]


def _finite(card, axes, first):
    """Vector (3,) of three fields in axes (3, 3)."""
    own = np.array([real(card, first + k) for k in range(3)])
    if not np.isfinite(own).all():
        raise MeshError(f"{card.at()}: {card.name} {card.field(0)}: direction or offset is no finite vector")
    return axes @ own


def _section(card: BulkCard | None, names, factor):
    """Section of a property; an UnreadBeam where it is not read."""
    if card is None or card.name not in names:
        return UnreadBeam(f"without a {' or '.join(names)}")
    try:
        section = {"PBAR": _bar, "PBEAM": _beam, "PROD": _rod, "CONROD": _rod}.get(card.name, _shape)(card)
    except UnreadBeam as error:
        return error
    if fault := beam_sections.wrong(section):
        raise MeshError(f"{card.at()}: {card.name} {card.field(0)}: {fault}")
    return replace(section, line_mass=factor * section.line_mass)


def _rod(card):
    start = 2 if card.name == "PROD" else 4
    if real(card, start + 1):
        raise UnreadBeam(f"torsion J of {card.name} {card.field(0)}")
    return beam_sections.bar(real(card, start), real(card, start + 3))


def _bar(card):
    area, first, second, torsion, line_mass = (real(card, k) for k in range(2, 7))
    shear = [real(card, k) or np.inf for k in (16, 17)]
    return beam_sections.general(area, first, second, real(card, 18), torsion, shear, line_mass)


def _beam(card):
    values = [real(card, k) for k in range(2, 8)]  # A, I1, I2, I12, J, NSM
    at = 8 if card.field(8).strip().upper() in ("YES", "YESA", "NO") else 16
    while (word := card.field(at).strip().upper()) in ("YES", "YESA", "NO"):
        given = [real(card, at + 2 + k, v) if card.field(at + 2 + k).strip() else v for k, v in enumerate(values)]
        if not np.allclose(given, values, rtol=1e-6, atol=0.0):
            raise UnreadBeam(f"its PBEAM {card.field(0)} has a section that changes along it")
        at += 16 if word == "YES" else 8
    if any(real(card, at + k) for k in (2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15)):
        raise UnreadBeam(f"its PBEAM {card.field(0)} has a mass or a neutral axis off the line, or S1, S2 of a taper")
    shear = [real(card, at + k) if card.field(at + k).strip() else 1.0 for k in (0, 1)]
    area, first, second, product, torsion, line_mass = values
    return beam_sections.general(area, first, second, product, torsion, [k or np.inf for k in shear], line_mass)


def _shape(card):
    kind = card.field(3).strip().upper()
    if kind in _OPEN and card.name == "PBEAML":
        raise UnreadBeam(f"its PBEAML {card.field(0)} of shape {kind} has a shear centre off its line")
    if kind not in _SIZES:
        raise UnreadBeam(f"its {card.name} {card.field(0)} is of shape {kind}, expected {', '.join(_SIZES)}")
    count = _SIZES[kind]
    sizes = [real(card, 8 + k) for k in range(count)]
    if any(w.strip() for w in card.fields[9 + count :]):
        raise UnreadBeam(f"its {card.name} {card.field(0)} has more than one section")
    if not min(sizes[: 1 if kind == "TUBE" else None]) > 0.0:
        raise MeshError(f"{card.at()}: {card.name} {card.field(0)} must have positive sizes, got {sizes}")
    hollow = {"BOX": [(3, 3, 0), (2, 2, 1)], "I": [(4, 5, 0)], "CHAN": [(3, 3, 1)]}.get(kind, ())  # two walls, size
    solid = {"T": [(2, 1), (3, 0)], "CHAN": [(2, 0)], "CHAN1": [(2, 3)], "I1": [(2, 3)]}.get(kind, ())  # wall, size
    thick = any(not sizes[a] + sizes[b] < sizes[c] for a, b, c in hollow)
    if thick or any(not sizes[a] < sizes[b] for a, b in solid):
        raise MeshError(f"{card.at()}: {card.name} {card.field(0)} has walls as thick as the section, got {sizes}")
    if kind == "BAR":
        section = beam_sections.rectangle(sizes[1], sizes[0])
    elif kind == "BOX":
        section = beam_sections.box(sizes[1], sizes[0], sizes[2], sizes[3])
    elif kind == "I":
        height, lower, upper, web, below, above = sizes
        if lower != upper or below != above:
            raise UnreadBeam(f"its {card.name} {card.field(0)} is an I of two different flanges")
        section = beam_sections.turned(beam_sections.i_section(height, lower, below, web))
    elif kind in (*_OPEN, "I1"):
        section = beam_sections.walls(*_walls(kind, *sizes))
    else:
        section = beam_sections.tube(sizes[0], {"ROD": 0.0, "TUBE": sizes[-1], "TUBE2": sizes[0] - sizes[-1]}[kind])
    return replace(section, line_mass=real(card, 8 + count))


def _walls(kind, a, b, c, d):
    """Rectangles (y, z, size along y and z) of an open shape of four sizes."""
    if kind == "T":  # flange a wide and c thick, b high, web d thick
        return (0.5 * (b - c), 0.0, b - c, d), (b - 0.5 * c, 0.0, c, a)
    if kind == "CHAN":  # flanges a wide and d thick, b high, web c thick
        flanges = (((sign * 0.5 * (b - d)), 0.5 * a, d, a) for sign in (1.0, -1.0))
        return *flanges, (0.0, 0.5 * c, b - 2.0 * d, c)
    flange = 0.5 * (d - c)  # flanges a wider than the web, which is b thick and c high; d high in all
    place = 0.5 * (a + b) if kind == "CHAN1" else 0.5 * b
    flanges = (((sign * 0.5 * (c + flange)), place, flange, a + b) for sign in (1.0, -1.0))
    return *flanges, (0.0, 0.5 * b, c, b)
