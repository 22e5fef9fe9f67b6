"""What a mesh file says, before anything is judged: original ids throughout, lengths in the file's unit."""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from flexwheel.body.mesh import Material

NOTHING = "nothing"
"""What a card carries that is harmless."""


def carrying_cards(format: str) -> dict[str, list[str]]:
    """What is carried -> cards of "nastran" or "abaqus", by cards.toml."""
    return tomllib.loads(Path(__file__).with_name("cards.toml").read_text(encoding="utf-8"))[format]


def _no_ids() -> np.ndarray:
    return np.empty(0, dtype=np.int64)


@dataclass(frozen=True)
class RawElements:
    """Elements of one kind, as one or several cards of the file gave them."""

    kind: str  # key of NODES_PER_ELEMENT
    ids: np.ndarray  # (E,) int64
    nodes: np.ndarray  # (E, n) int64 node ids, package order


@dataclass(frozen=True)
class RawShells:
    """Shells of three or four corners, of the second order with nodes in the middles of their sides."""

    card: str  # that carries them, as messages print it
    place: str  # `file:line` of the first
    ids: np.ndarray  # (E,)
    nodes: np.ndarray  # (E, 3 | 4 | 6 | 8) node ids, corners first
    thickness: np.ndarray  # (E,) file units
    offset: np.ndarray  # (E,) of the middle surface from the nodes, along the normal, file units


@dataclass(frozen=True)
class RawBeams:
    """Beams between two nodes."""

    card: str  # that carries them, as messages print it
    place: str  # `file:line` of the first
    ids: np.ndarray  # (B,); both parts of a beam with a node in its middle have one id
    nodes: np.ndarray  # (B, 2) node ids
    axis: np.ndarray  # (B, 3, 3) start, middle and end of the line of centroids, file units
    normal: np.ndarray  # (B, 3) first direction of the section
    section: np.ndarray  # (B,) places in `sections`
    sections: tuple  # of import_steps.beam_sections.BeamSection, file units
    frames: np.ndarray | None = None  # (B, 2, 3) ids of the nodes that carry the rotation of the ends
    free: np.ndarray | None = None  # (B, 12) pins, as of BeamLines
    rods: bool = False  # stiff along their line alone; frames are the nodes themselves, three times


@dataclass(frozen=True)
class RawFlats:
    """Elements of one kind that are not solid and have no section."""

    kind: str  # as messages print it
    nodes: list  # of sequences of node ids
    places: list  # `file:line` of each element, or of its card


@dataclass(frozen=True)
class RawMass:
    """A concentrated mass, in units of the file."""

    card: str  # as messages print it
    name: str  # card and id
    place: str  # `file:line`
    node: int  # id of the node it is given at
    mass: float
    position: np.ndarray  # (3,) of its centre
    inertia: np.ndarray  # (3, 3) about its centre, axes of the mesh
    carriers: np.ndarray | None = None  # node ids whose mean motion the node follows; None: the node itself
    carried_by: str = ""  # card of the constraint that says so


@dataclass(frozen=True)
class RawTie:
    """A surface of nodes that follows a surface of faces."""

    card: str  # as messages print it
    name: str  # card and name
    place: str  # `file:line`
    nodes: np.ndarray  # (d,) node ids
    faces: tuple[np.ndarray, ...]  # of (F, 3 | 4 | 6 | 8) node ids
    pair: str = ""  # its two surfaces as FIRST/SECOND
    tolerance: float | None = None  # distance beyond which a node is not tied, file units; None: the default


@dataclass(frozen=True)
class RawRigid:
    """Nodes that move as one rigid body."""

    card: str
    name: str
    place: str
    nodes: np.ndarray  # node ids; those without solids drop out
    stretch: np.ndarray | None = None  # (n, 3, g) as of mesh.RigidSet
    pinned: np.ndarray | None = None  # node ids whose own rotation it leaves free


@dataclass(frozen=True)
class RawMean:
    """A node that follows the mean motion of others, by least squares."""

    card: str
    name: str
    place: str
    node: int
    nodes: np.ndarray  # (n,) node ids that it follows
    turns: bool  # its rotation follows, too
    targets: tuple[int, ...] = ()  # ids of the nodes that stand for `node`


@dataclass(frozen=True)
class RawEquation:
    """The sum of coefficients[k] . u[nodes[k]] is zero, the first node follows the others."""

    card: str
    name: str
    place: str
    nodes: tuple[int, ...]
    coefficients: np.ndarray  # (m, 3)


@dataclass(frozen=True)
class RawSpring:
    """A spring between two nodes, or from one to ground."""

    card: str
    name: str
    place: str
    nodes: tuple[int, ...]
    stiffness: np.ndarray | None  # (3, 3) force by the difference of their displacements, file units; None: not read


@dataclass(frozen=True)
class LostCards:
    """Cards of one name that carry something this package does not take over."""

    name: str  # as messages print it
    count: int
    place: str  # `file:line` of the first
    carries: str  # what would be lost


@dataclass(frozen=True)
class RawMesh:
    """Solids of a mesh file with ids, sets, materials and notes for the audit."""

    format: str  # as the audit names it
    node_ids: np.ndarray  # (N,) int64
    nodes: np.ndarray  # (N, 3) file units
    elements: tuple[RawElements, ...]
    node_sets: dict[str, np.ndarray] = field(default_factory=dict)  # name -> node ids
    element_sets: dict[str, np.ndarray] = field(default_factory=dict)  # name -> element ids
    materials: dict[str, Material | None] = field(default_factory=dict)  # file units; None: not isotropic elastic
    sections: tuple[tuple[np.ndarray, str], ...] = ()  # element ids, name of their material
    dropped_nodes: np.ndarray = field(default_factory=_no_ids)  # node ids of elements not kept
    dropped_elements: np.ndarray = field(default_factory=_no_ids)  # ids of elements not kept
    masses: tuple[RawMass, ...] = ()
    ties: tuple[RawTie | RawRigid | RawMean | RawEquation, ...] = ()
    springs: tuple[RawSpring, ...] = ()
    flats: tuple[RawFlats, ...] = ()
    shells: tuple[RawShells, ...] = ()
    beams: tuple[RawBeams, ...] = ()
    lost: tuple[LostCards, ...] = ()
    notes: tuple[str, ...] = ()
    length_unit: str = ""  # as the file itself says, key of LENGTH_UNITS; '' where it does not
    ends_with_elements: str = ""  # not empty: nothing follows the elements; "cut": not even the end of their line

    def held_nodes(self) -> np.ndarray:
        """Ids of the nodes of solids and beams, ascending."""
        parts = [e.nodes.ravel() for e in self.elements]
        parts += [b.nodes.ravel() for b in self.beams] + [b.frames.ravel() for b in self.beams if b.frames is not None]
        return np.unique(np.concatenate([_no_ids(), *parts]))


def stacked(parts: dict[str, list[tuple[list[int], list[list[int]]]]]) -> tuple[RawElements, ...]:
    """Collected ids and nodes by kind as arrays, kinds in order of appearance."""
    return tuple(
        RawElements(
            kind,
            np.array([i for ids, _ in pieces for i in ids], dtype=np.int64),
            np.array([row for _, rows in pieces for row in rows], dtype=np.int64),
        )
        for kind, pieces in parts.items()
        if any(ids for ids, _ in pieces)
    )


def counted(cards: dict[str, list[int]]) -> str:
    """`NAME (count, first at line n)` of cards and their lines."""
    return ", ".join(f"{name} ({len(lines)}, first in line {lines[0]})" for name, lines in cards.items())
