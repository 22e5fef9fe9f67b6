"""What files of matrices hold, each a part of it, joined to a Superelement."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import scipy.sparse as sp

from flexwheel.base.errors import MeshError
from flexwheel.body.superelement import RecoveryPoint, Superelement

OWN = {"PMOTX": 3, "PSTRX": 6, "FMOMX": 3}
"""Rectangular matrices of this package and their rows a group: translation and stress of a point, first moments."""


def kind_of_name(name: str) -> str | None:
    """Kind of a square matrix by its name in Nastran; None where the name says none."""
    for start, kind in (("K4", "structural"), ("K", "stiffness"), ("M", "mass"), ("B", "damping")):
        if name.upper().startswith(start):
            return kind
    return None


@dataclass(frozen=True)
class LabelledMatrix:
    """A symmetric matrix with the coordinate of each row."""

    labels: Sequence[tuple[int, int]] | None  # (node, component; 0 of a further coordinate); None: the file has none
    matrix: object  # (D, D) dense or sparse
    source: str  # file, and name of the matrix in it


@dataclass
class MatrixParts:
    """What was found so far; units of the files."""

    matrices: dict[str, LabelledMatrix] = field(default_factory=dict)  # by kind
    place: dict[int, np.ndarray] = field(default_factory=dict)
    axes: dict[int, np.ndarray] = field(default_factory=dict)  # (3, 3) columns: axes of a node's components
    order: list[tuple[int, int]] = field(default_factory=list)  # coordinates of matrices without labels
    further: set[int] = field(default_factory=set)  # nodes that are further coordinates, and have no place
    attachments: dict[str, int] = field(default_factory=dict)
    columns: dict[str, dict] = field(default_factory=dict)  # of OWN: (number, row) -> {label: value}
    stacked: dict[str, np.ndarray] = field(default_factory=dict)  # of OWN without labels: groups of rows
    recovered: dict[int, int] = field(default_factory=dict)  # node id -> first of its six rows in MUG1
    unread: list[str] = field(default_factory=list)  # names of matrices that say nothing
    notes: list[str] = field(default_factory=list)

    def add(self, kind: str, found: LabelledMatrix) -> None:
        """Take a matrix in; two of a kind are refused."""
        if kind in self.matrices:
            raise MeshError(f"{found.source}: a second {kind} matrix beside that of {self.matrices[kind].source}")
        self.matrices[kind] = found


def joined(parts: MatrixParts) -> Superelement:
    """The superelement of all parts, components along the axes of the places.

    Raises MeshError where stiffness or mass is missing, or rows have no coordinates.
    """
    for kind in ("stiffness", "mass"):
        if kind not in parts.matrices:
            held = ", ".join(f"{k} of {m.source}" for k, m in parts.matrices.items()) or "none"
            unread = f"; not read: {', '.join(parts.unread)}, names begin with K, M, B, K4" if parts.unread else ""
            way = f"no {kind} matrix in `matrices` ({held}{unread}): add the file that holds it"
            if kind == "mass" and "*MATRIX," in held:
                way += "; CalculiX writes no mass of a substructure: read .sti and .mas of *FREQUENCY, "
                way += "SOLVER=MATRIXSTORAGE, or the mesh"
            raise MeshError(way)
    labels = {kind: _labels(parts, found) for kind, found in parts.matrices.items()}
    union = list(dict.fromkeys(label for own in labels.values() for label in own))
    row = {label: k for k, label in enumerate(union)}
    node, component = (np.array(column, dtype=np.int64) for column in zip(*union, strict=True))
    loose = sorted(set(node[component > 0].tolist()) - set(parts.place) - parts.further)
    if loose:
        shown = ", ".join(map(str, loose[:8])) + (" ..." if loose[8:] else "")
        parts.notes.append(f"nodes without a place are further coordinates: {shown}")
    component[np.isin(node, [*loose, *parts.further])] = 0
    for number in parts.further:
        parts.place.pop(number, None)
    found = {}
    for kind, own in labels.items():
        matrix = parts.matrices[kind].matrix
        rows = [row[label] for label in own]
        if rows != list(range(len(union))):
            to = sp.csr_matrix((np.ones(len(own)), (rows, range(len(own)))), (len(union), len(own)))
            matrix = to @ matrix @ to.T
        found[kind] = matrix
    turn = _turn(parts.axes, node, component)
    if turn is not None:
        found = {kind: turn @ (matrix @ turn.T) for kind, matrix in found.items()}
    _name_stacked(parts, node)
    own = {name: _grouped(parts, name, count, row, turn) for name, count in OWN.items()}
    still = np.full((6, len(union)), np.nan)
    points = tuple(
        RecoveryPoint(str(n), parts.place[n], rows, own["PSTRX"].get(n, still)) for n, rows in own["PMOTX"].items()
    )
    moments = np.array([own["FMOMX"].get(a, still[:3]) for a in (1, 2, 3)]) if own["FMOMX"] else None
    if parts.unread:
        parts.notes.append(f"matrices not read: {', '.join(parts.unread)}")
    return Superelement(
        found["stiffness"], found["mass"], node, component, parts.place, found.get("damping"), found.get("structural"),
        parts.attachments, points, moments, tuple(parts.notes),
    )  # fmt: skip


def _grouped(parts, name, count, row, turn):
    """(count, D) rows of every number of a matrix of OWN."""
    found = {}
    for (number, k), values in parts.columns.get(name, {}).items():
        if not 1 <= k <= count or (name != "FMOMX" and number not in parts.place):
            raise MeshError(f"matrix {name} has a column {number}, {k}, which is no component of a placed point")
        own = found.setdefault(number, np.zeros((count, len(row))))
        for label, value in values.items():
            if label not in row:
                raise MeshError(f"matrix {name} has a row {label}, which the stiffness has not")
            own[k - 1, row[label]] = value
    return found if turn is None else {number: rows @ turn.T for number, rows in found.items()}


def _name_stacked(parts, node):
    """Number the groups of rows of matrices without labels: points are the placed nodes that carry no coordinate."""
    moved = parts.stacked.pop("MUG1", None)
    for number, first in parts.recovered.items() if moved is not None and "PMOTX" not in parts.stacked else ():
        if number in parts.place and number not in node and first + 3 <= len(moved):
            rows = parts.axes.get(number, np.eye(3)) @ moved[first : first + 3]
            for k, row in enumerate(rows.tolist(), 1):
                parts.columns.setdefault("PMOTX", {})[number, k] = dict(zip(parts.order, row, strict=True))
    for name, rows in parts.stacked.items():
        free = sorted(set(parts.place) - set(node.tolist()))
        numbers = (1, 2, 3) if name == "FMOMX" else free[: len(rows) // OWN[name]]
        if rows.shape != (OWN[name] * len(numbers), len(parts.order)):
            raise MeshError(f"matrix {name} of {rows.shape} for {len(free)} points, {len(parts.order)} coordinates")
        for k, row in enumerate(rows):
            own = {label: value for label, value in zip(parts.order, row.tolist(), strict=True) if value}
            parts.columns.setdefault(name, {})[numbers[k // OWN[name]], k % OWN[name] + 1] = own


def _labels(parts, found):
    size = found.matrix.shape[0]
    labels = parts.order if found.labels is None else found.labels
    if found.labels is None and not labels:
        raise MeshError(
            f"{found.source}: its {size} rows have no labels: add the file of their coordinates (EXTRN or ASET, as the "
            "punch of EXTSEOUT has them) to `matrices`"
        )
    if len(labels) != size:
        raise MeshError(f"{found.source}: {size} rows for {len(labels)} coordinates")
    return labels


def _turn(axes, node, component):
    """(D, D) from components along the nodes' own axes to those of the places; None where they are the same."""
    turn, any_turned = sp.lil_matrix((len(node), len(node))), False
    turn.setdiag(1.0)
    for number in dict.fromkeys(node[component > 0].tolist()):
        if number not in axes:
            continue
        any_turned = True
        for first in (1, 4):
            rows = [np.flatnonzero((node == number) & (component == first + k)) for k in range(3)]
            there = sum(len(r) for r in rows)
            if there not in (0, 3):
                raise MeshError(
                    f"node {number} has {there} of the components {first} to {first + 2}, in a coordinate system of "
                    "its own: keep all three, or none"
                )
            if there:
                turn[np.ix_(np.concatenate(rows), np.concatenate(rows))] = axes[number]
    return turn.tocsr() if any_turned else None
