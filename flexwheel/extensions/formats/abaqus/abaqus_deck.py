"""What has been read of an Abaqus file so far: the whole, its parts, the instance that is open."""

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.extensions.formats.abaqus.abaqus_assembly import Instance, Names, id_span, moved_sets, placed_instance
from flexwheel.extensions.formats.abaqus.abaqus_beams import BeamCard
from flexwheel.extensions.formats.abaqus.abaqus_cards import Card
from flexwheel.extensions.formats.abaqus.abaqus_constraints import Constraint, NamedSurface
from flexwheel.extensions.formats.abaqus.abaqus_extras import lost
from flexwheel.extensions.formats.abaqus.abaqus_sets import SetMembers
from flexwheel.extensions.formats.mesh_text import parse_id
from flexwheel.extensions.formats.raw_mesh import LostCards, RawFlats


@dataclass
class Deck:
    """What has been read so far."""

    path: Path
    node_ids: list[int] = field(default_factory=list)
    nodes: list[list[float]] = field(default_factory=list)
    elements: dict[str, list] = field(default_factory=dict)
    types: dict[str, int] = field(default_factory=dict)
    dropped: dict[str, int] = field(default_factory=dict)
    dropped_elements: dict[int, list[int]] = field(default_factory=dict)  # id -> nodes
    discrete: dict[int, tuple[int, str]] = field(default_factory=dict)  # id -> node, TYPE
    flats: list[RawFlats] = field(default_factory=list)
    lost: list[LostCards] = field(default_factory=list)
    mass_cards: list[Card] = field(default_factory=list)
    spring_cards: list[Card] = field(default_factory=list)
    springs: dict[int, tuple[str, list[int], str]] = field(default_factory=dict)  # id -> TYPE, nodes, place
    supports: list[list[str]] = field(default_factory=list)  # lines of *BOUNDARY
    transforms: list[Card] = field(default_factory=list)
    system: tuple[np.ndarray, np.ndarray] | None = None  # origin, axes of the nodes that follow
    node_sets: dict[str, SetMembers] = field(default_factory=dict)
    element_sets: dict[str, SetMembers] = field(default_factory=dict)
    sections: list[tuple[str, str, str]] = field(default_factory=list)
    beam_cards: list[BeamCard] = field(default_factory=list)
    rod_cards: list[BeamCard] = field(default_factory=list)  # of *SOLID SECTION
    kinds: dict[int, str] = field(default_factory=dict)  # TYPE of beams
    thicknesses: list[tuple[str, float, float, str]] = field(default_factory=list)  # shells, thickness, offset, place
    materials: dict[str, dict] = field(default_factory=dict)
    surfaces: dict[str, NamedSurface] = field(default_factory=dict)
    constraints: list[Constraint] = field(default_factory=list)
    ignored: dict[str, list[int]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    material: str = ""

    def all_ids(self):
        """Ids of nodes and elements."""
        yield from self.node_ids
        for pieces in self.elements.values():
            for ids, _ in pieces:
                yield from ids
        yield from self.dropped_elements
        yield from self.discrete


@dataclass
class Scan:
    """The decks of a file: of its parts, of the instance that is open, and of the whole."""

    whole: Deck
    count: int  # *INSTANCE cards of the file
    parts: dict[str, Deck] = field(default_factory=dict)
    names: Names = field(default_factory=Names)
    open_deck: Deck | None = None
    open_instance: Card | None = None
    in_assembly: bool = False
    in_step: bool = False
    last_keyword: str = ""

    @property
    def deck(self) -> Deck:
        """The deck that takes what follows."""
        return self.open_deck or self.whole

    @property
    def of_assembly(self) -> bool:
        """Whether what follows belongs to the assembly itself."""
        return self.in_assembly and self.open_deck is None

    def id_of(self, word: str, card: Card, row: int | None = None, default: str = "") -> int:
        """Id that a word of the assembly stands for; ValueError where it is none."""
        if not self.of_assembly:
            return parse_id(word)
        instance, own = self.names(word, card, row, default)
        return parse_id(own) + instance.base


def take_assembly(scan: Scan, card: Card) -> None:
    """Open or close a part, an instance, the assembly."""
    close_instance(scan)
    scan.open_deck = None
    name = card.get("NAME").upper()
    if card.keyword in ("ASSEMBLY", "END ASSEMBLY"):
        scan.in_assembly = card.keyword == "ASSEMBLY"
    elif card.keyword == "PART":
        if name in scan.parts:
            raise MeshError(f"{card.at()}: second *PART '{card.get('NAME')}', expected names of their own")
        scan.open_deck = scan.parts[name] = Deck(scan.whole.path)
    elif card.keyword == "INSTANCE":
        if card.get("PART").upper() not in scan.parts:
            raise MeshError(
                f"{card.at()}: *INSTANCE '{card.get('NAME')}' of the part '{card.get('PART')}', expected one of "
                f"{', '.join(scan.parts) or 'none: the file holds no *PART'}"
            )
        if name in scan.names.instances:
            raise MeshError(f"{card.at()}: second *INSTANCE '{card.get('NAME')}', expected names of their own")
        span = id_span(scan.parts.values())
        placed = placed_instance(card, len(scan.names.instances), span, alone=scan.count == 1)
        scan.names.instances[name] = placed
        scan.names.base = span * scan.count
        scan.open_deck, scan.open_instance = Deck(scan.whole.path), card


def close_instance(scan: Scan) -> None:
    """Put the part of the instance that is open, and what the instance adds, into the whole."""
    card, scan.open_instance = scan.open_instance, None
    if card is None:
        return
    name, part = card.get("NAME").upper(), scan.parts[card.get("PART").upper()]
    placed = scan.names.instances[name]
    for deck in (part, scan.open_deck):
        _put(scan.whole, deck, placed, name)
    scan.whole.notes.append(
        f"instance {card.get('NAME')} of part {card.get('PART')}: {len(part.node_ids)} nodes"
        + (f", ids of the part plus {placed.base}" if placed.base else "")
        + (", moved by its data lines" if card.data else "")
    )


def _put(whole: Deck, part: Deck, placed: Instance, name: str) -> None:
    """Add the content of a part where an instance of it stands."""
    base, turned = placed.base, not np.array_equal(placed.turn, np.eye(3))
    shifted = lambda ids: [i + base for i in ids]  # noqa: E731
    whole.node_ids += shifted(part.node_ids)
    whole.nodes += placed.place(part.nodes).tolist()
    for kind, pieces in part.elements.items():
        moved = [(shifted(ids), [shifted(row) for row in rows]) for ids, rows in pieces]
        whole.elements.setdefault(kind, []).extend(moved)
    for counts, own in ((whole.types, part.types), (whole.dropped, part.dropped)):
        for key, count in own.items():
            counts[key] = counts.get(key, 0) + count
    whole.dropped_elements |= {i + base: shifted(row) for i, row in part.dropped_elements.items()}
    whole.discrete |= {i + base: (node + base, kind) for i, (node, kind) in part.discrete.items()}
    whole.flats += [replace(flat, nodes=[shifted(row) for row in flat.nodes]) for flat in part.flats]
    whole.lost += part.lost
    for card in part.mass_cards:
        if card.keyword == "ROTARY INERTIA" and turned:
            whole.lost.append(lost(card, carries="an inertia in the axes of a turned instance"))
        named = {**card.parameters, "ELSET": placed.name(card.get("ELSET").upper())}
        whole.mass_cards.append(replace(card, parameters=named))
    whole.springs |= {i + base: (kind, shifted(row), at) for i, (kind, row, at) in part.springs.items()}
    for card in part.spring_cards:
        if turned and any(kind == "SPRING2" for kind, _, _ in part.springs.values()):
            whole.lost.append(lost(card, carries="stiffness in the axes of a turned instance"))
        named = {**card.parameters, "ELSET": placed.name(card.get("ELSET").upper())}
        whole.spring_cards.append(replace(card, parameters=named))
    whole.node_sets |= moved_sets(part.node_sets, placed)
    whole.element_sets |= moved_sets(part.element_sets, placed)
    whole.sections += [(placed.name(members), material, place) for members, material, place in part.sections]
    whole.thicknesses += [(placed.name(members), *rest) for members, *rest in part.thicknesses]
    whole.kinds |= {i + base: kind for i, kind in part.kinds.items()}
    whole.beam_cards += [
        c._replace(members=placed.name(c.members), normal=placed.turn @ c.normal) for c in part.beam_cards
    ]
    whole.rod_cards += [c._replace(members=placed.name(c.members)) for c in part.rod_cards]
    whole.materials |= part.materials
    whole.surfaces |= {f"{name}.{key}": s._replace(instance=name) for key, s in part.surfaces.items()}
    for item in part.constraints:
        if item.card.keyword == "EQUATION" and part.transforms:
            whole.lost.append(lost(item.card, carries="a constraint in the axes of a *TRANSFORM of its part"))
        else:
            whole.constraints.append(item._replace(instance=name))
    for key, lines in part.ignored.items():
        whole.ignored[key] = sorted({*whole.ignored.get(key, []), *lines})
    whole.notes += [note for note in part.notes if note not in whole.notes]
