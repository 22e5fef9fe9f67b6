"""What Abaqus keywords beside nodes, solids, sets and materials carry; concentrated masses read from them."""

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.extensions.formats.abaqus.abaqus_cards import Card, fields
from flexwheel.extensions.formats.mesh_text import parse_real
from flexwheel.extensions.formats.raw_mesh import NOTHING, LostCards, RawMass, carrying_cards

_CARRIES = {word: what for what, words in reversed(carrying_cards("abaqus").items()) for word in words}


def carried_by(card: Card) -> str:
    """What a keyword carries that this package does not take over; '' for nothing."""
    word = card.keyword
    if word == "INITIAL CONDITIONS" and card.get("TYPE").upper() in ("TEMPERATURE", "VELOCITY", "FIELD"):
        return ""
    if word in _CARRIES:
        return _CARRIES[word].replace(NOTHING, "")
    return "stiffness or mass" if word.endswith(" SECTION") else "not known to this reader"


def lost(card: Card, name: str = "", carries: str = "", count: int = 1) -> LostCards:
    """The card as lost content."""
    return LostCards(name or f"*{card.keyword}", count, card.at(), carries or carried_by(card))


def shell_offset(card: Card) -> float:
    """OFFSET of a *SHELL SECTION: of its nodes from the middle surface, along the normal, in thicknesses."""
    word = card.get("OFFSET", "0").upper()
    try:
        value = {"SPOS": 0.5, "SNEG": -0.5}[word] if word.isalpha() else parse_real(word)
    except (ValueError, KeyError):
        value = np.nan
    if not abs(value) <= 10.0:
        raise MeshError(f"{card.at()}: *SHELL SECTION, OFFSET must be SPOS, SNEG or a number up to 10, got {word[:20]}")
    return value


def discrete_elements(card: Card, id_of) -> dict[int, int]:
    """Node of each element of an *ELEMENT card of TYPE=MASS or ROTARYI; id_of(word, card, row) reads an id."""
    found = {}
    for line, row in zip(card.data, card.data_lines, strict=True):
        try:
            element, node = (id_of(word, card, row) for word in fields(line))
        except ValueError:
            raise MeshError(f"{card.at(row)}: TYPE={card.get('TYPE')} needs an element and one node") from None
        found[element] = node
    return found


def point_masses(
    cards: list[Card], elements: dict[int, tuple[int, str]], members, positions, carriers
) -> tuple[list, list]:
    """Masses of *MASS and *ROTARY INERTIA cards.

    Parameters
    ----------
    cards : list of Card
    elements : {id: (node id, TYPE)}      discrete elements
    members : function(card)              element ids of the card's set
    positions : {node id: (3,)}           file units
    carriers : {node id: (card, node ids)}   what a reference node of a constraint moves with

    Returns
    -------
    masses : list of RawMass
    lost : list of LostCards              cards with options that are not read; elements without a card
    """
    masses, left, used = [], [], set()
    for card in cards:
        if set(card.parameters) - {"ELSET", "ALPHA"}:
            left.append(lost(card, carries=f"with options that are not read ({', '.join(card.parameters)})"))
            continue
        kind = "MASS" if card.keyword == "MASS" else "ROTARYI"
        values = _values(card)
        for element in members(card):
            node, own = elements.get(int(element), (0, ""))
            if own != kind:
                raise MeshError(f"{card.at()}: *{card.keyword}: element {element} is not of TYPE={kind}")
            if node not in positions:
                raise MeshError(f"{card.at()}: *{card.keyword}: node {node} is not defined")
            used.add(int(element))
            inertia = np.zeros((3, 3))
            if kind == "ROTARYI":
                a, b, c, ab, ac, bc = values
                inertia = np.array([[a, ab, ac], [ab, b, bc], [ac, bc, c]])
            name = f"*{card.keyword} element {element}"
            mass = values[0] if kind == "MASS" else 0.0
            place, carrier = np.array(positions[node], float), reversed(carriers.get(node, ("", None)))
            masses.append(RawMass(f"*{card.keyword}", name, card.at(), node, mass, place, inertia, *carrier))
    for element, (_, kind) in elements.items():
        if element not in used:
            what = "an element without its *MASS or *ROTARY INERTIA"
            left.append(LostCards(kind, 1, f"element {element}", what))
    return masses, left


def _values(card: Card) -> list[float]:
    """One mass, or six moments 11 22 33 12 13 23 (products of inertia with their sign in the matrix)."""
    count = 1 if card.keyword == "MASS" else 6
    if len(card.data) != 1:
        raise MeshError(f"{card.at()}: *{card.keyword} has {len(card.data)} data lines, expected 1")
    try:
        values = [parse_real(word) for word in fields(card.data[0])]
    except ValueError as error:
        raise MeshError(f"{card.at()}: *{card.keyword}: {error}") from None
    if not values or len(values) > count or not np.isfinite(values).all():
        raise MeshError(f"{card.at()}: *{card.keyword} has {len(values)} values, expected up to {count} finite numbers")
    values += [0.0] * (count - len(values))
    if min(values[: 1 if count == 1 else 3]) < 0:
        raise MeshError(f"{card.at()}: *{card.keyword} is negative")
    return values
