"""Shells of a Nastran file: CQUAD4 and CTRIA3 with a plain PSHELL."""

import numpy as np

from flexwheel.formats.mesh_text import parse_ids
from flexwheel.formats.nastran.nastran_cards import BulkCard, integer, real
from flexwheel.formats.raw_mesh import RawShells


def is_plate(card: BulkCard) -> bool:
    """Whether a PSHELL is a homogeneous plate: one material of membrane and bending, its own thickness, no more."""
    words = [card.field(k) for k in range(len(card.fields))]
    mid, bending, stiff = (words + [""] * 6)[1], (words + [""] * 6)[3], (words + [""] * 6)[4]
    return bool(mid) and mid == bending and stiff in ("", "1.", "1.0") and not any(words[6:7])


def take_shells(bulk) -> tuple[RawShells, ...]:
    """Shells whose property is read, without thicknesses of their own, out of the flats; ZOFFS is taken.

    bulk : nastran_scan._Bulk
    """
    found: dict[int, list] = {3: [], 4: []}
    left, first = [], bulk.flats[0].at() if bulk.flats else ""
    for card in bulk.flats:
        count = {"CQUAD4": 4, "CTRIA3": 3}.get(card.name, 0)
        number, of = integer(card, 0), integer(card, 1, integer(card, 0))
        if count and of in bulk.thickness and not any(card.fields[4 + count :]):
            nodes, offset = parse_ids(card.fields[2 : 2 + count]), real(card, 3 + count)
            found[count].append((number, nodes, bulk.thickness[of], offset))
            bulk.of_property.setdefault(of, []).append(number)
        else:
            left.append(card)
    bulk.flats = left
    bulk.properties |= set(bulk.thickness)
    taken = {number for rows in found.values() for number, *_ in rows}
    bulk.dropped_ids = [i for i in bulk.dropped_ids if i not in taken]
    parts = ((size, [np.array(c) for c in zip(*rows, strict=True)]) for size, rows in found.items() if rows)
    return tuple(RawShells({3: "CTRIA3", 4: "CQUAD4"}[size], first, *part) for size, part in parts)
