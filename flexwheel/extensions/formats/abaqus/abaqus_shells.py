"""Shells of an Abaqus (CalculiX) file, out of the elements that are not solid."""

import re
from dataclasses import replace

import numpy as np

from flexwheel.extensions.formats.abaqus.abaqus_deck import Deck
from flexwheel.extensions.formats.abaqus.abaqus_sets import SetResolver
from flexwheel.extensions.formats.raw_mesh import LostCards, RawShells

_SHELL = re.compile(r"S[3468]R?$")


def take_shells(deck: Deck, members: SetResolver) -> tuple[RawShells, ...]:
    """Shells of the sets that a *SHELL SECTION names, taken out of the elements that are dropped."""
    found = {3: [], 4: [], 6: [], 8: []}
    for name, thickness, offset, place in deck.thicknesses:
        for number in members(name, place).tolist():
            row = deck.dropped_elements.get(number, ())
            if len(row) in found:
                found[len(row)].append((number, row, thickness, offset))
            else:
                carries = f"stiffness or mass of element {number}, which is no shell of 3, 4, 6 or 8 nodes"
                deck.lost.append(LostCards("*SHELL SECTION", 1, place, carries))
                break
    take_out(deck, {number: tuple(row) for rows in found.values() for number, row, *_ in rows}, _SHELL)
    parts = ([np.array(column) for column in zip(*rows, strict=True)] for rows in found.values() if rows)
    return tuple(RawShells("*SHELL SECTION", deck.thicknesses[0][3], *part) for part in parts)


def take_out(deck: Deck, elements: dict[int, tuple], kind: re.Pattern) -> None:
    """Elements that are read, of types like `kind`, out of those dropped."""
    taken = set(elements.values())
    for number in elements:
        deck.dropped_elements.pop(number, None)
    if taken:
        kept = [[(n, at) for n, at in zip(f.nodes, f.places, strict=True) if tuple(n) not in taken] for f in deck.flats]
        deck.flats = [
            replace(f, nodes=[n for n, _ in k], places=[at for _, at in k])
            for f, k in zip(deck.flats, kept, strict=True)
            if k
        ]
        left = {f.kind: len(f.nodes) for f in deck.flats}
        deck.dropped = {k: left.get(k, 0) if kind.match(k) else n for k, n in deck.dropped.items()}
        deck.dropped = {kind: count for kind, count in deck.dropped.items() if count}
