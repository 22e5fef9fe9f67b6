"""Universal files of I-DEAS (.unv) scanned with labels, groups and unit.

Datasets 2411 and 781 (nodes), 2412 and 780 (elements), 2429, 2430, 2432, 2435, 2452, 2467, 2477 (groups), 164 (units).
Materials (1710) are not read: give them from outside.

Source: Universal file datasets summary, UC-SDRL, University of Cincinnati. Verified in
tests/verification/test_cdb_unv_med_verified.py.
"""

import re
from pathlib import Path

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.elements import EDGES
from flexwheel.body.mesh_format import WARNING
from flexwheel.extensions.formats.element_order import CORNERS
from flexwheel.extensions.formats.mesh_text import decoded, parse_ids, parse_real, read_mesh_bytes
from flexwheel.extensions.formats.raw_mesh import LostCards, RawFlats, RawMesh, stacked

_SOLID = {111: "tet4", 112: "wedge6", 115: "hex8", 118: "tet10", 113: "wedge15", 116: "hex20"}
_NODES = {"tet4": 4, "wedge6": 6, "hex8": 8, "tet10": 10, "wedge15": 15, "hex20": 20}
_BEAMS = {11, 21, 22, 23, 24, 25}  # with a line of their own before the nodes
_MARKS = {11, 41, 42, 44, 45, 91, 92, 94, 95, *range(51, 57), *range(61, 66), *range(81, 86)}
_NAMES = {11: "rod", 21: "beam", 22: "beam", 23: "beam", 24: "beam", 121: "rigid bar", 122: "rigid element",
          136: "spring", 137: "spring", 138: "spring", 139: "spring", 141: "damper", 142: "damper", 161: "lumped mass",
          114: "cubic wedge", 117: "cubic brick"}  # fmt: skip
_GROUPS = {2429: 2, 2430: 2, 2432: 2, 2435: 4, 2452: 4, 2467: 4, 2477: 4}  # numbers of an entity
_SUPPORTS, _CONSTRAINTS = {755, 757, 2417}, {754, 756}
_SI_LENGTH = {1.0: "m", 10.0: "dm", 100.0: "cm", 1000.0: "mm"}


def scan_unv(path: Path) -> RawMesh:
    """Read the solids of a universal file.

    Returns
    -------
    RawMesh   linear and parabolic tetrahedra, wedges, bricks; groups of nodes and elements; a group of faces stays as
              the set of their nodes; MATERIAL_n, elements of one material number, where there are several

    Raises
    ------
    MeshError  no universal file, a dataset that does not end, records cut short; with the line
    """
    content = read_mesh_bytes(path)
    if b"\0" in content:
        raise MeshError(f"{path}: binary data where a universal file (text) was expected")
    file = _Universal(path)
    for number, rows, first in _datasets(path, decoded(content).split("\n")):
        file.take(number, rows, first)
    if not file.node_ids:
        raise MeshError(f"{path}: no dataset 2411 or 781 with nodes in the file")
    return file.mesh()


def _datasets(path, lines):
    """(number, lines, row of the first) of every dataset."""
    ends = [k for k, line in enumerate(lines) if line.strip() == "-1"]
    if len(ends) < 2 or any(line.strip() for line in lines[: ends[0]]):
        raise MeshError(f"{path}: no datasets between lines '-1', expected a universal file")
    if len(ends) % 2:
        raise MeshError(f"{path}:{ends[-1] + 1}: a dataset that does not end: is the file truncated?")
    for start, end in zip(ends[::2], ends[1::2], strict=True):
        word = (lines[start + 1].split() or [""])[0]
        if not re.fullmatch(r"\d{1,5}b?", word):
            raise MeshError(f"{path}:{start + 2}: '{word[:20]}' is no number of a dataset")
        yield int(word.rstrip("b")), lines[start + 2 : end], start + 3


class _Universal:
    """What has been read so far."""

    def __init__(self, path):
        self.path, self.node_ids, self.places = path, [], []
        self.elements, self.of_material, self.others = {}, {}, []
        self.groups, self.lost, self.notes, self.unit = [], [], [], ""

    def take(self, number, lines, first):
        """One dataset; first: number of its first line."""
        records = _Records(self.path, lines, first)
        if number in (2411, 781):
            self._nodes(records)
        elif number in (2412, 780):
            self._elements(records)
        elif number in _GROUPS:
            self._groups(records, _GROUPS[number])
        elif number == 164:
            self._units(records)
        elif number in _SUPPORTS:
            self.notes.append(
                f"{WARNING}dataset {number} ({records.at()}): supports are not taken over: the body is free"
            )
        elif number in _CONSTRAINTS:
            self.lost.append(LostCards(f"dataset {number}", 1, records.at(), "a constraint"))
        else:
            said = " (materials: give E, nu and density from outside)" if number in (1703, 1710, 1716) else ""
            self.notes.append(f"not read: dataset {number} (line {first}){said}")

    def _nodes(self, records):
        while not records.done():
            self.node_ids.append(records.ints(4)[0])
            self.places.append(records.reals(3, 3))

    def _elements(self, records):
        while not records.done():
            place = records.at()
            (label, code), (material, _, count) = (head := records.ints(6, 8))[:2], head[-3:]  # 780 has two more
            if code in _BEAMS:
                records.ints(0)
            nodes = []
            while len(nodes) < count:
                nodes += records.ints(1, count - len(nodes))
            if code not in _SOLID:
                self.others.append((label, code, nodes, place))
                continue
            kind = _SOLID[code]
            if len(nodes) != count or count != _NODES[kind]:
                raise MeshError(
                    f"{place}: element {label} of type {code} has {len(nodes)} nodes, expected {_NODES[kind]}"
                )
            ids, rows = self.elements.setdefault(kind, [([], [])])[0]
            ids.append(label)
            rows.append([nodes[k] for k in _COLUMNS[kind]])
            self.of_material.setdefault(material, []).append(label)

    def _groups(self, records, width):
        while not records.done():
            count = records.ints(8)[7]
            name, numbers = records.next().strip(), []
            while len(numbers) < width * count:
                numbers += records.ints(width, width * count - len(numbers))
            entities = [numbers[k : k + 2] for k in range(0, width * count, width)]
            self.groups.append(
                (name, [i for kind, i in entities if kind == 7], [i for kind, i in entities if kind == 8])
            )

    def _units(self, records):
        records.next()
        length, force = records.reals(2)[:2]
        self.unit = _SI_LENGTH.get(round(length, 9), "in" if abs(length * 0.0254 - 1.0) < 1e-6 else "")
        if not self.unit:
            raise MeshError(f"{records.at()}: a length of 1/{length:g} m is not known, expected m, dm, cm, mm or inch")

    def mesh(self):
        """All of it as a RawMesh."""
        node_sets, element_sets, dropped = {}, {}, {label: nodes for label, _, nodes, _ in self.others}
        for name, nodes, members in self.groups:
            solid = [i for i in members if i not in dropped]
            marked = [n for i in members if i in dropped for n in dropped[i]]
            if nodes or marked:
                node_sets[name] = np.unique(np.array(nodes + marked, dtype=np.int64))
            if solid:
                element_sets[name] = np.unique(np.array(solid, dtype=np.int64))
        if len(self.of_material) > 1:
            element_sets |= {f"MATERIAL_{k}": np.array(ids) for k, ids in self.of_material.items()}
        marks, lost = {}, {}
        for _, code, nodes, place in self.others:
            if code in _MARKS or code in _BEAMS:
                marks.setdefault(code, []).append((nodes, place))
            else:
                lost.setdefault(_NAMES.get(code, "element type"), []).append((code, place))
        flats = tuple(
            RawFlats(f"{_NAMES.get(c, 'shell')} {c}", [n for n, _ in r], [p for _, p in r]) for c, r in marks.items()
        )
        carried = (
            LostCards(f"{n} {r[0][0]}", len(r), r[0][1], "stiffness, mass or a constraint") for n, r in lost.items()
        )
        return RawMesh(
            format="universal file",
            node_ids=np.array(self.node_ids, dtype=np.int64),
            nodes=np.array(self.places, dtype=float).reshape(-1, 3),
            elements=stacked(self.elements),
            node_sets=node_sets,
            element_sets=element_sets,
            dropped_nodes=np.unique(np.array([n for row in dropped.values() for n in row], dtype=np.int64)),
            dropped_elements=np.array(list(dropped), dtype=np.int64),
            flats=flats,
            lost=(*self.lost, *carried),
            notes=tuple(self.notes),
            length_unit=self.unit,
        )


class _Records:
    """Lines of a dataset, read one after the other."""

    def __init__(self, path, lines, first):
        self.path, self.lines, self.first, self.row = path, lines, first, 0

    def at(self):
        """`file:line` of the next line."""
        return f"{self.path}:{self.first + self.row}"

    def done(self):
        while self.row < len(self.lines) and not self.lines[self.row].strip():
            self.row += 1
        return self.row == len(self.lines)

    def next(self):
        if self.row == len(self.lines):
            raise MeshError(f"{self.at()}: the dataset ends within a record: is the file truncated?")
        self.row += 1
        return self.lines[self.row - 1]

    def ints(self, least, most=np.inf):
        """Whole numbers of the next line."""
        return self._numbers(least, most, parse_ids, "whole numbers")

    def reals(self, least, most=np.inf):
        """Reals of the next line."""
        return self._numbers(least, most, lambda words: [parse_real(w) for w in words], "reals")

    def _numbers(self, least, most, convert, what):
        place, words = self.at(), self.next().split()
        try:
            numbers = convert(words)
        except ValueError as error:
            raise MeshError(f"{place}: {error}") from None
        if not least <= len(numbers) <= most:
            raise MeshError(f"{place}: {len(numbers)} {what}, expected {least}")
        return numbers


def _parabolic(kind):
    """Columns that bring a parabolic element, numbered around its rings with mid nodes in between, to package order."""
    corners = CORNERS[kind]
    ring = {"tet10": 3, "wedge15": 3, "hex20": 4}[kind]
    order, upright = [], [(k, k + ring) if kind != "tet10" else (k, 3) for k in range(ring)]
    for start in range(0, corners if kind != "tet10" else 3, ring):
        for k in range(ring):
            order += [start + k, frozenset((start + k, start + (k + 1) % ring))]
        order += [frozenset(pair) for pair in upright] if start == 0 else []
    order += [3] if kind == "tet10" else []
    return [order.index(k) for k in range(corners)] + [order.index(frozenset(edge)) for edge in EDGES[kind]]


_COLUMNS = {kind: _parabolic(kind) if kind in EDGES else list(range(n)) for kind, n in _NODES.items()}
