"""Springs of an Abaqus (CalculiX) file: SPRING1, SPRING2, SPRINGA with their *SPRING; dashpots to ground.

Source: Abaqus keywords reference guide, *SPRING. Verified in tests/verification/test_deck_features_verified.py.
"""

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.extensions.formats.abaqus.abaqus_cards import Card, real_records
from flexwheel.extensions.formats.import_steps.mesh_springs import along
from flexwheel.extensions.formats.raw_mesh import LostCards, RawSpring

SPRINGS = {"SPRING1": 1, "SPRING2": 2, "SPRINGA": 2, "DASHPOT1": 1, "DASHPOT2": 2, "DASHPOTA": 2}
"""Nodes of the types of springs and dashpots."""


def read_springs(cards: list[Card], elements: dict, members, positions: dict, directions, ground):
    """Springs of a file.

    Parameters
    ----------
    cards : list of Card                    *SPRING, *DASHPOT
    elements : {id: (TYPE, node ids, place)}
    members : function(card)                element ids of the card's set
    positions : {node id: (3,)}
    directions : function(node id)          its directions 1 2 3 as columns (3, 3)
    ground : set of node ids                held nodes that no solid has

    Returns
    -------
    springs : list of RawSpring
    lost : list of LostCards                nonlinear springs, elements without a card
    """
    springs, lost, used = [], [], set()
    for card in cards:
        numbers = members(card).tolist() if set(card.parameters) == {"ELSET"} and card.data else []
        if not numbers or not set(numbers) <= set(elements):
            what = "stiffness or damping of what is no linear spring"
            lost.append(LostCards(f"*{card.keyword}", 1, card.at(), what))
            continue
        lines = real_records(card)
        for number in numbers:
            kind, nodes, place = elements[number]
            if len(nodes) != SPRINGS[kind] or any(n not in positions for n in nodes):
                raise MeshError(f"{place}: {kind} {number} must have {SPRINGS[kind]} nodes of the file, got {nodes}")
            used.add(number)
            if SPRINGS[kind] == 1 or ground & set(nodes):
                springs.append(RawSpring(kind, f"{kind} {number}", place, tuple(nodes[:1]), None))
                continue
            if card.keyword == "DASHPOT":
                lost.append(LostCards("*DASHPOT", 1, card.at(), "damping"))
                continue
            line = lines[0 if kind == "SPRINGA" else 1] if len(lines) > (kind != "SPRINGA") else [np.nan]
            if not np.isfinite(line[0]) or line[0] < 0.0:
                raise MeshError(f"{card.at()}: *SPRING of {kind} must have a stiffness of at least 0, got {line[0]:g}")
            stiffness = None
            if kind == "SPRINGA":
                stiffness = along(*(np.array(positions[n]) for n in nodes), line[0])
            elif kind == "SPRING2" and lines[0][0] == lines[0][-1] and lines[0][0] in (1, 2, 3):
                a, b = (directions(n)[:, int(lines[0][0]) - 1] for n in nodes)
                stiffness = line[0] * np.outer(a, a) if np.allclose(a, b, atol=1e-9) else None
            springs.append(RawSpring(kind, f"{kind} {number}", place, tuple(nodes), stiffness))
    for number in elements.keys() - used:
        kind, _, place = elements[number]
        lost.append(LostCards(kind, 1, place, "an element without its *SPRING or *DASHPOT"))
    return springs, lost


def held_nodes(lines: list[list[str]], nodes_of, sets) -> set[int]:
    """Nodes that lines of *BOUNDARY (node or set, first and last direction) hold in all translations."""
    axes: dict[int, set] = {}
    for word, *rest in (line for line in lines if line):
        numbers = [int(n) for n in rest[:2] if n.isdecimal() and len(n) < 19]
        if rest and rest[0].upper() in ("ENCASTRE", "PINNED"):
            numbers = [1, 3]
        held = {k for k in (1, 2, 3) if numbers and numbers[0] <= k <= numbers[-1]}
        nodes = [int(word)] if word.isdecimal() and len(word) < 19 else []
        nodes = nodes_of(word, word).tolist() if word.upper() in sets else nodes
        for node in nodes if held else ():
            axes.setdefault(node, set()).update(held)
    return {node for node, own in axes.items() if len(own) == 3}
