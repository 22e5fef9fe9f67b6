"""Springs of a Nastran file: CELAS1 with PELAS, CELAS2, CBUSH with PBUSH.

Source: MSC Nastran quick reference guide, CELAS1, CELAS2, CBUSH, PBUSH. Verified in
tests/verification/test_deck_features_verified.py.
"""

import numpy as np

from flexwheel.extensions.formats.import_steps.mesh_springs import along
from flexwheel.extensions.formats.nastran.nastran_cards import BulkCard, integer, real
from flexwheel.extensions.formats.raw_mesh import RawSpring


def read_springs(cards: list[BulkCard], properties: dict[str, BulkCard], positions: dict, directions, axes_of):
    """Springs of a file; a spring whose stiffness is not read has None.

    Parameters
    ----------
    cards : list of BulkCard           CELAS1, CELAS2, CBUSH
    properties : {"PELAS n": card}     and PBUSH
    positions : {node id: (3,)}        basic, file units
    directions : function(node id)     its directions 1 2 3 as columns (3, 3)
    axes_of : function(number)         axes (3, 3) of a rectangular coordinate system; None of another
    """
    readers = {"CBUSH": _bush, "CELAS1": _elas, "CELAS2": _elas}
    return [readers[card.name](card, properties, positions, directions, axes_of) for card in cards]


def _elas(card, properties, positions, directions, axes_of):
    nodes = tuple(integer(card, k) for k in (2, 4) if card.field(k).strip() not in ("", "0"))
    own = [card.field(k) for k in (3, 5) if card.field(k - 1).strip() not in ("", "0")]
    stiffness = None
    value = _property(card, properties, "PELAS") if card.name == "CELAS1" else real(card, 1)
    if value is not None and len(nodes) == 2 and own[0] == own[1] in ("1", "2", "3") and set(nodes) <= set(positions):
        a, b = (directions(n)[:, int(own[0]) - 1] for n in nodes)
        stiffness = value * np.outer(a, a) if np.allclose(a, b, atol=1e-9) else None
    return RawSpring(card.name, f"{card.name} {card.field(0)}", card.at(), nodes, stiffness)


def _property(card, properties, name):
    """Stiffness of a PELAS, which may hold two; None where it is not there."""
    number = card.field(1).strip() or card.field(0)
    for found in (c for key, c in properties.items() if key.startswith(name)):
        for start in (0, 4):
            if found.field(start).strip() == number:
                return real(found, start + 1)
    return None


def _bush(card, properties, positions, directions, axes_of):
    nodes = tuple(integer(card, k) for k in (2, 3) if card.field(k).strip())
    found = properties.get(f"PBUSH {card.field(1).strip() or card.field(0)}")
    stiffness, values = None, None
    if found is not None and found.field(1).upper() == "K" and not any(map(str.strip, found.fields[8:])):
        values = [real(found, k) for k in range(2, 8)]
    if values and not any(values[3:]) and len(nodes) == 2 and set(nodes) <= set(positions):
        ends = [np.asarray(positions[n]) for n in nodes]
        if np.array_equal(*ends):
            number = card.field(7).strip()
            axes = axes_of(int(number)) if number.isdecimal() else None
            stiffness = axes @ np.diag(values[:3]) @ axes.T if axes is not None else None
        elif not any(values[1:]):
            stiffness = along(*ends, values[0])
    return RawSpring("CBUSH", f"CBUSH {card.field(0)}", card.at(), nodes, stiffness)
