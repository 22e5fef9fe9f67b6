"""What files of matrices hold, each a part of it, joined to a Superelement."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import scipy.sparse as sp

from flexwheel.base.errors import MeshError
from flexwheel.body.superelement import RecoveryPoint, Superelement

KINDS = {"stiffness": "K", "mass": "M", "damping": "B", "structural": "K4"}
"""Kind of a matrix and how its name begins in Nastran."""


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
    attachments: dict[str, int] = field(default_factory=dict)
    points: tuple[RecoveryPoint, ...] = ()
    first_moments: np.ndarray | None = None
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
            raise MeshError(f"no {kind} matrix in `matrices` ({held}): add the file that holds it")
    labels = {kind: _labels(parts, found) for kind, found in parts.matrices.items()}
    union = list(dict.fromkeys(label for own in labels.values() for label in own))
    row = {label: k for k, label in enumerate(union)}
    node, component = (np.array(column, dtype=np.int64) for column in zip(*union, strict=True))
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
    return Superelement(
        found["stiffness"], found["mass"], node, component, parts.place, found.get("damping"), found.get("structural"),
        parts.attachments, parts.points, parts.first_moments, tuple(parts.notes),
    )  # fmt: skip


def _labels(parts, found):
    size = found.matrix.shape[0]
    labels = parts.order if found.labels is None else found.labels
    if found.labels is None and not labels:
        raise MeshError(
            f"{found.source}: its {size} rows have no labels: add the file of their coordinates (EXTRN or ASET, the "
            ".asm of EXTSEOUT) to `matrices`"
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
