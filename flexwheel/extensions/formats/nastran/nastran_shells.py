"""Shells of a Nastran file: CQUAD4, CTRIA3, CQUAD8 and CTRIA6 with a plain PSHELL."""

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.extensions.formats.mesh_text import parse_ids
from flexwheel.extensions.formats.nastran.nastran_cards import BulkCard, integer, real
from flexwheel.extensions.formats.raw_mesh import LostCards, RawFlats, RawShells

_NAMES = {3: "CTRIA3", 4: "CQUAD4", 6: "CTRIA6", 8: "CQUAD8"}


def is_plate(card: BulkCard) -> bool:
    """Whether a PSHELL is a homogeneous plate: one material of membrane and bending, its own thickness, no more; it may
    have a nonstructural mass."""
    mid, bending, stiff = (card.field(k) for k in (1, 3, 4))
    return bool(mid) and mid == bending and stiff in ("", "1.", "1.0") and not card.field(6) and not card.field(10)


def take_plate(bulk, card: BulkCard) -> None:
    """Thickness and material of a PSHELL; its nonstructural mass as density, which needs a material of its own."""
    number, thickness, more = integer(card, 0), real(card, 2), real(card, 7)
    bulk.material_of[number], bulk.thickness[number] = integer(card, 1), thickness
    if more and not (more > 0.0 and thickness > 0.0):
        raise MeshError(f"{card.at()}: PSHELL {number}: NSM must be positive, on a thickness, got {more:g}")
    if more:
        bulk.nonstructural[number] = more / thickness


def take_shells(bulk) -> tuple[RawShells, ...]:
    """Shells whose property is read, without thicknesses of their own, out of the flats; ZOFFS is taken.

    bulk : nastran_scan._Bulk
    """
    found: dict[int, list] = {3: [], 4: [], 6: [], 8: []}
    left, first = [], bulk.flats[0].at() if bulk.flats else ""
    for card in bulk.flats:
        count = {name: size for size, name in _NAMES.items()}.get(card.name, 0)
        late = 4 if count == 8 else 0  # thicknesses at the corners stand before ZOFFS there
        number, of = integer(card, 0), integer(card, 1, integer(card, 0))
        whole = count and of in bulk.thickness and all(card.fields[2 : 2 + count]) and len(card.fields) >= 2 + count
        if whole and not any(card.fields[4 + count + late :] + card.fields[2 + count : 2 + count + late]):
            nodes, offset = parse_ids(card.fields[2 : 2 + count]), real(card, 3 + count + late)
            found[count].append((number, nodes, bulk.thickness[of], offset))
            bulk.of_property.setdefault(of, []).append(number)
        else:
            left.append(card)
    bulk.flats = left
    bulk.properties |= set(bulk.thickness)
    taken = {number for rows in found.values() for number, *_ in rows}
    bulk.dropped_ids = [i for i in bulk.dropped_ids if i not in taken]
    parts = ((size, [np.array(c) for c in zip(*rows, strict=True)]) for size, rows in found.items() if rows)
    return tuple(RawShells(_NAMES[size], first, *part) for size, part in parts)


def flats_of(bulk) -> tuple[list[RawFlats], list[LostCards]]:
    """Shells without a property, which may mark faces of solids, and those with one."""
    found: dict[str, RawFlats] = {}
    lost = []
    for card in bulk.flats:
        if integer(card, 1, integer(card, 0)) in bulk.properties:
            lost.append(LostCards(card.name, 1, card.at(), "stiffness and mass"))
            continue
        count = {"CQUAD4": 4, "CQUADR": 4, "CTRIA3": 3, "CTRIAR": 3, "CTRIA6": 6}.get(card.name, 8)
        nodes = [int(f) for f in card.fields[2 : 2 + count] if f.isdecimal() and len(f) < 19]
        flats = found.setdefault(card.name, RawFlats(card.name, [], []))
        flats.nodes.append(nodes)
        flats.places.append(card.at())
    return list(found.values()), lost
