"""Constraints between nodes in an Abaqus (CalculiX) file: surfaces tied, couplings, rigid bodies, equations, MPCs.

Source: Abaqus keywords reference guide (*SURFACE, *TIE, *COUPLING, *KINEMATIC, *DISTRIBUTING, *RIGID BODY, *EQUATION,
*MPC). Verified in tests/verification/test_assembly_verified.py.
"""

import re
from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.face_shapes import faces_of
from flexwheel.extensions.formats.abaqus.abaqus_assembly import Names
from flexwheel.extensions.formats.abaqus.abaqus_cards import Card, fields
from flexwheel.extensions.formats.import_steps.collapsed import proper_elements, proper_faces
from flexwheel.extensions.formats.mesh_text import parse_id, parse_real
from flexwheel.extensions.formats.raw_mesh import LostCards, RawEquation, RawMean, RawRigid, RawTie

CONTACT = "CONTACT PAIR"
DECLARED = ("KINEMATIC", "DISTRIBUTING")
CONSTRAINTS = (
    "TIE", CONTACT, "COUPLING", "KINEMATIC COUPLING", "DISTRIBUTING COUPLING", "RIGID BODY", "EQUATION", "MPC"
)  # fmt: skip
_TRANSLATIONS, _ROTATIONS = {"1", "2", "3"}, {"4", "5", "6"}
_FACE = re.compile(r"S[1-6]$")


class NamedSurface(NamedTuple):
    """A *SURFACE card."""

    card: Card
    instance: str = ""  # of its part


class Constraint(NamedTuple):
    """A card of CONSTRAINTS."""

    card: Card
    kind: Card | None = None  # *KINEMATIC or *DISTRIBUTING of a *COUPLING
    instance: str = ""  # of its part


class Unread(ValueError):
    """Why a constraint is not taken over."""


def take_surface(surfaces: dict[str, NamedSurface], card: Card) -> None:
    """Keep a *SURFACE card under its name."""
    surfaces[card.get("NAME").upper()] = NamedSurface(card)


def read_constraints(path, constraints, surfaces, names: Names, nodes_of, elements_of, elements, directions, couplers):
    """Constraints of a file.

    Parameters
    ----------
    path : Path
    constraints : list of Constraint
    surfaces : {name: NamedSurface}
    names : Names                      how words of the assembly are read
    nodes_of, elements_of : SetResolver
    elements : tuple of RawElements
    directions : function(node id)     its directions 1 2 3 as columns (3, 3)
    couplers : {id: node id}           elements DCOUP3D

    Returns
    -------
    ties : list of RawTie, RawRigid, RawEquation
    carriers : {node id: (card, node ids)}   what reference nodes of couplings and rigid bodies move with
    lost : list of LostCards           constraints that are not read, with the reason
    """
    if not constraints:
        return [], {}, []
    reader = _Reader(path, surfaces, names, nodes_of, elements_of, elements)
    reader.directions, reader.couplers = directions, couplers
    lost = []
    for item in constraints:
        try:
            _READERS[item.card.keyword](reader, item)
        except Unread as error:
            lost.append(LostCards(f"*{item.card.keyword}", 1, item.card.at(), f"a constraint: {error}"))
    return reader.ties, reader.carriers, lost


class _Reader:
    """Names, sets and elements of a file, and what has been found."""

    def __init__(self, path, surfaces, names, nodes_of, elements_of, elements):
        self.surfaces, self.names, self.nodes_of, self.elements_of = surfaces, names, nodes_of, elements_of
        self.elements, self.proper = elements, proper_elements(path, elements)[0]
        self.ties, self.carriers = [], {}

    def nodes(self, word, item, row=None):
        """Node ids that a word stands for: an id or a set."""
        return self._ids(self.nodes_of, word, item, row)

    def _ids(self, sets, word, item, row):
        placed, own = self.names(word, item.card, row, item.instance)
        if not own.isdigit():
            return sets(placed.name(own.upper()), item.card.at(row))
        try:
            return np.array([parse_id(own) + placed.base], dtype=np.int64)
        except (ValueError, OverflowError) as error:
            raise MeshError(f"{item.card.at(row)}: {error}") from None

    def surface(self, name, item):
        """Node ids of a surface, and its faces as arrays (F, n) of node ids; none of a surface of nodes."""
        for key in (f"{item.instance}.{name.upper()}", name.upper()):
            if key in self.surfaces:
                break
        else:
            raise Unread(f"surface '{name}' is not in the file; its surfaces: {', '.join(self.surfaces) or 'none'}")
        found = self.surfaces[key]
        card, of = found.card, Constraint(found.card, None, found.instance)
        kind = card.get("TYPE", "ELEMENT").upper()
        if kind == "NODE":
            ids = [self.nodes(fields(line)[0], of) for line in card.data if fields(line)]
            return np.unique(np.concatenate([*ids, np.zeros(0, dtype=np.int64)])), []
        if kind != "ELEMENT" or set(card.parameters) - {"NAME", "TYPE", "INTERNAL"}:
            raise Unread(f"surface '{name}' with options that are not read ({', '.join(card.parameters)})")
        faces = []
        for line, row in zip(card.data, card.data_lines, strict=True):
            word, *label = fields(line) or [""]
            faces += self._faces(self._element_ids(word, of, row), label[0].upper() if label else "", card.at(row))
        if not faces:
            raise Unread(f"surface '{name}' holds no face of a solid")
        return np.unique(np.concatenate([f.ravel() for f in faces])), faces

    def _element_ids(self, word, item, row):
        return self._ids(self.elements_of, word, item, row)

    def _faces(self, ids, label, place):
        """Faces S1 to S6 of elements; without a label all those that no second element has."""
        if label and not _FACE.match(label):
            raise Unread(f"a surface of sides {label}, not S1 to S6")
        found = []
        for block in self.elements if label else self.proper:
            nodes = block.nodes[np.isin(block.ids, ids)]
            every = faces_of(block.kind)
            if label and len(nodes):
                if int(label[1]) > len(every):
                    raise MeshError(f"{place}: side {label} of a {block.kind}, which has {len(every)}")
                found += proper_faces(nodes[:, every[int(label[1]) - 1]])
            elif len(nodes):
                found += self._outer(nodes, every)
        return found

    def _outer(self, nodes, every):
        corners = {3: [], 4: []}
        for block in self.proper:
            for face in faces_of(block.kind):
                size = 3 if len(face) in (3, 6) else 4
                corners[size].append(np.sort(block.nodes[:, face[:size]], axis=1))
        single = {}
        for size, parts in corners.items():
            unique, count = np.unique(np.concatenate(parts or [np.zeros((0, size), int)]), axis=0, return_counts=True)
            single[size] = set(map(tuple, unique[count == 1].tolist()))
        out = []
        for face in every:
            size = 3 if len(face) in (3, 6) else 4
            rows = nodes[:, face]
            out.append(rows[[tuple(sorted(r[:size])) in single[size] for r in rows.tolist()]])
        return [rows for rows in out if len(rows)]


def _tie(reader, item):
    card = item.card
    for option in {"CYCLIC SYMMETRY", "TIED NSET", "MULTISTAGE", "FLUID PERIODIC"} & set(card.parameters):
        raise Unread(f"*TIE with {option}")
    tolerance = card.get("POSITION TOLERANCE")
    for line, row in zip(card.data, card.data_lines, strict=True):
        names = fields(line)
        if len(names) != 2:
            raise MeshError(f"{card.at(row)}: *{card.keyword} must name two surfaces, got '{line.strip()[:60]}'")
        nodes, _ = reader.surface(names[0], item)
        _, faces = reader.surface(names[1], item)
        if not faces:
            raise Unread(f"the second surface, '{names[1]}', is one of nodes: nodes can follow faces only")
        pair = "/".join(names)
        name = f"*{card.keyword} {card.get('NAME') or pair}"
        try:
            far = parse_real(tolerance) if tolerance else None
        except ValueError as error:
            raise MeshError(f"{card.at()}: POSITION TOLERANCE: {error}") from None
        reader.ties.append(RawTie(f"*{card.keyword}", name, card.at(row), nodes, tuple(faces), pair, far))


def _coupling(reader, item):
    card = item.card
    reference = reader.nodes(card.get("REF NODE"), item) if card.get("REF NODE") else np.zeros(0, int)
    if len(reference) != 1:
        raise Unread(f"REF NODE = '{card.get('REF NODE')}' is not one node")
    if set(card.parameters) - {"CONSTRAINT NAME", "REF NODE", "SURFACE"}:
        raise Unread(f"with options that are not read ({', '.join(card.parameters)})")
    nodes, _ = reader.surface(card.get("SURFACE"), item)
    if item.kind is None:
        raise Unread("neither *KINEMATIC nor *DISTRIBUTING follows")
    if item.kind.parameters:
        raise Unread(f"*{item.kind.keyword} with options that are not read ({', '.join(item.kind.parameters)})")
    _bind(reader, item, int(reference[0]), nodes, item.kind)


def _kinematic_coupling(reader, item):
    """The older form: lines of a set or node and its directions first to last, to a reference node."""
    card = item.card
    reference = reader.nodes(card.get("REF NODE"), item) if card.get("REF NODE") else np.zeros(0, int)
    if len(reference) != 1 or set(card.parameters) != {"REF NODE"}:
        raise Unread(f"with options that are not read ({', '.join(card.parameters)})")
    nodes, loose = [], []
    for line, row in zip(card.data, card.data_lines, strict=True):
        word, *directions = fields(line) or [""]
        kind = Card("KINEMATIC", {}, card.line, [", ".join(directions)] if directions else [], [row], card.text)
        held = {str(k) for k in _range(kind.data[0], kind)} if directions else _TRANSLATIONS | _ROTATIONS
        if not held >= _TRANSLATIONS:
            raise Unread(f"of the directions {', '.join(directions)} only, not of all translations")
        loose += [] if held >= _ROTATIONS else ["1, 3"]
        nodes.append(reader.nodes(word, item, row))
    kind = Card("KINEMATIC", {}, card.line, loose, [card.line] * len(loose), card.text)
    _bind(reader, item, int(reference[0]), np.unique(np.concatenate([*nodes, np.zeros(0, int)])), kind)


def _distributing_coupling(reader, item):
    """The older form: lines of a set or node and its weight, to the node of an element DCOUP3D."""
    card = item.card
    elements = reader._element_ids(card.get("ELSET"), item, None) if card.get("ELSET") else np.zeros(0, int)
    if len(elements) != 1 or int(elements[0]) not in reader.couplers:
        raise Unread(f"ELSET = '{card.get('ELSET')}' is not one element DCOUP3D")
    nodes, weights = [], set()
    for line, row in zip(card.data, card.data_lines, strict=True):
        word, *rest = fields(line) or [""]
        nodes.append(reader.nodes(word, item, row))
        try:
            weights.add(parse_real(rest[0]) if rest else 1.0)
        except ValueError as error:
            raise MeshError(f"{card.at(row)}: *DISTRIBUTING COUPLING: {error}") from None
    if len(weights) > 1:
        raise Unread("weights differ")
    kind = Card("DISTRIBUTING", {}, card.line, [], [], card.text)
    _bind(reader, item, reader.couplers[int(elements[0])], np.unique(np.concatenate([*nodes, np.zeros(0, int)])), kind)


def _bind(reader, item, reference, nodes, kind):
    """A reference node bound to nodes, as a rigid body with them or by their mean."""
    card = f"*{item.card.keyword}"
    name = f"{card} {item.card.get('CONSTRAINT NAME') or reference}"
    held = {str(k) for line in kind.data for k in _range(line, kind)}
    if held and not held >= _TRANSLATIONS:
        raise Unread(f"of the directions {', '.join(sorted(held))} only, not of all translations")
    nodes = nodes[nodes != reference]
    turns = not held or held >= _ROTATIONS
    if kind.keyword == "KINEMATIC":
        pinned = None if turns else nodes
        reader.ties.append(RawRigid(card, name, item.card.at(), np.append(nodes, reference), pinned=pinned))
    else:
        reader.ties.append(RawMean(card, name, item.card.at(), reference, nodes, turns))
    reader.carriers[reference] = card, nodes


def _range(line, card):
    """Directions first to last of a data line."""
    try:
        numbers = [parse_id(word) for word in fields(line)[:2]]
    except ValueError as error:
        raise MeshError(f"{card.at()}: *{card.keyword}: directions must be 1 to 6, {error}") from None
    return range(numbers[0], numbers[-1] + 1) if numbers else range(0)


def _rigid_body(reader, item):
    card = item.card
    reference = reader.nodes(card.get("REF NODE"), item) if card.get("REF NODE") else np.zeros(0, int)
    nodes = [reader.nodes(card.get(key), item) for key in ("NSET", "TIE NSET", "PIN NSET") if card.get(key)]
    if card.get("ELSET"):
        ids = reader._element_ids(card.get("ELSET"), item, None)
        nodes += [block.nodes[np.isin(block.ids, ids)].ravel() for block in reader.elements]
    if set(card.parameters) - {"REF NODE", "ROT NODE", "NSET", "TIE NSET", "PIN NSET", "ELSET"} or len(reference) > 1:
        raise Unread(f"with options that are not read ({', '.join(card.parameters)})")
    if not nodes or not sum(map(len, nodes)):
        raise Unread("of elements that are not solid")
    nodes = np.unique(np.concatenate(nodes))
    reader.ties.append(
        RawRigid(
            "*RIGID BODY",
            f"*RIGID BODY {card.get('NSET') or card.get('ELSET')}",
            card.at(),
            np.append(nodes, reference),
        )
    )
    for node in reference:
        reader.carriers[int(node)] = "*RIGID BODY", nodes[nodes != node]


def _equation(reader, item):
    card = item.card
    words = [(word, row) for line, row in zip(card.data, card.data_lines, strict=True) for word in fields(line)]
    while words:
        try:
            count = parse_id(words[0][0])
            terms = [words[1 + 3 * k : 4 + 3 * k] for k in range(count)]
            axes = [parse_id(axis) for _, (axis, _), _ in terms]
            factors = [parse_real(factor) for _, _, (factor, _) in terms]
        except ValueError as error:
            raise MeshError(
                f"{card.at(words[0][1])}: *EQUATION must be a count and as many NODE, DIRECTION, FACTOR: {error}"
            ) from None
        if count < 1:
            raise MeshError(f"{card.at(words[0][1])}: *EQUATION must have at least one term, got {count}")
        if not set(axes) <= {1, 2, 3}:
            raise Unread(f"of rotations or temperatures (directions {', '.join(map(str, axes))})")
        sets = [reader.nodes(word, item, row) for (word, row), _, _ in terms]
        longest = max(map(len, sets))
        if any(len(ids) not in (1, longest) for ids in sets):
            raise MeshError(
                f"{card.at(words[0][1])}: *EQUATION between sets of {', '.join(str(len(s)) for s in sets)} nodes, "
                "expected the same number in each"
            )
        coefficients = np.zeros((count, 3))
        coefficients[np.arange(count), np.array(axes) - 1] = factors
        for k in range(longest):
            nodes = tuple(int(ids[k if len(ids) > 1 else 0]) for ids in sets)
            turn = reader.names.instances[item.instance].turn if item.instance else np.eye(3)
            own = np.array([turn @ reader.directions(n) @ c for n, c in zip(nodes, coefficients, strict=True)])
            name = f"*EQUATION of node {nodes[0]}"
            reader.ties.append(RawEquation("*EQUATION", name, card.at(words[0][1]), nodes, own))
        words = words[1 + 3 * count :]


def _mpc(reader, item):
    card = item.card
    rigid = {}
    for line, row in zip(card.data, card.data_lines, strict=True):
        kind, *rest = fields(line) or [""]
        sets = [reader.nodes(word, item, row) for word in rest]
        if kind.upper() in ("TIE", "PIN") and len(sets) == 2 and len(sets[1]) in (1, len(sets[0])):
            for k, node in enumerate(sets[0]):
                other = int(sets[1][k if len(sets[1]) > 1 else 0])
                for axis in np.eye(3):
                    name = f"*MPC {kind.upper()} of node {node}"
                    reader.ties.append(
                        RawEquation("*MPC", name, card.at(row), (int(node), other), np.array([axis, -axis]))
                    )
        elif kind.upper() == "BEAM" and len(sets) == 2 and len(sets[1]) == 1:
            rigid.setdefault(int(sets[1][0]), []).append(sets[0])
        elif kind.upper() != "MEANROT":  # which drives a mean rotation, and leaves a free body free
            raise Unread(f"*MPC of kind {kind}, expected TIE, PIN or BEAM")
    for reference, parts in rigid.items():
        nodes = np.unique(np.concatenate(parts))
        reader.ties.append(RawRigid("*MPC", f"*MPC BEAM to node {reference}", card.at(), np.append(nodes, reference)))
        reader.carriers[reference] = "*MPC", nodes[nodes != reference]


_READERS = {
    "TIE": _tie,
    CONTACT: _tie,
    "COUPLING": _coupling,
    "KINEMATIC COUPLING": _kinematic_coupling,
    "DISTRIBUTING COUPLING": _distributing_coupling,
    "RIGID BODY": _rigid_body,
    "EQUATION": _equation,
    "MPC": _mpc,
}
