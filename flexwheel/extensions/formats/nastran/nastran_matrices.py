"""Nastran's punch of a reduced body, read and written: DMIG, GRID, SPOINT, and the order of EXTRN or ASET.

Matrices are told by the first letters of their names, as EXTSEOUT gives them: K stiffness, M mass, B damping, K4
structural damping, where they are square. Three rectangular ones are of this package: a column is what its pair of
numbers names, its rows are coordinates. PMOTX translation and PSTRX stress of a point, FMOMX first moments a, b.

Source: MSC Nastran quick reference guide, bulk data entries DMIG, GRID, SPOINT, EXTRN, ASET1; case control EXTSEOUT.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from flexwheel.base.errors import MeshError
from flexwheel.base.output_files import write_whole
from flexwheel.body.superelement import Superelement
from flexwheel.extensions.formats.id_ranges import IdRange, unfolded
from flexwheel.extensions.formats.matrix_parts import OWN, LabelledMatrix, MatrixParts, kind_of_name
from flexwheel.extensions.formats.mesh_text import read_mesh_text
from flexwheel.extensions.formats.nastran.nastran_cards import bulk_cards, id_list, include_name, integer, real
from flexwheel.extensions.formats.nastran.nastran_systems import Definition, directions_at, resolve, systems_by_nodes

_INCLUDE = re.compile(r"^[ \t]*INCLUDE\b", re.M | re.I)
_ORDERED = ("ASET", "BSET", "CSET", "QSET")
_SQUARE, _SYMMETRIC, _COMPLEX = (1, 6), 6, (3, 4)


@dataclass
class _Dmig:
    form: int
    entries: dict = field(default_factory=dict)  # (row label, column label) -> value


def read_nastran(path: Path, parts: MatrixParts) -> None:
    """Take matrices, places and the order of coordinates of a punch or bulk data file into `parts`.

    Raises MeshError with file and line.
    """
    text = read_mesh_text(path, _INCLUDE, include_name)
    lines = [(n, line.partition("$")[0].rstrip()) for n, line in enumerate(text.lines, 1)]
    lines = [(n, line) for n, line in lines if line and not line.upper().startswith(("BEGIN", "ENDDATA", "CEND"))]
    matrices, grids, systems, extrn, sets, spread, scalars, by_nodes = {}, {}, {}, [], set(), [], [], []
    for card in bulk_cards(text, lines):
        if card.name == "DMIG":
            _take_dmig(card, matrices)
        elif card.name == "GRID":
            grids[integer(card, 0)] = (
                integer(card, 1, 0), np.array([real(card, k) for k in (2, 3, 4)]), integer(card, 5, 0)
            )  # fmt: skip
        elif card.name in ("CORD2R", "CORD2C", "CORD2S"):
            points = np.array([real(card, k) for k in range(2, 11)]).reshape(3, 3)
            origin = (integer(card, 1, 0),) * 3
            systems[integer(card, 0)] = Definition(card.name[-1], origin, points, card.at(), card.name)
        elif card.name in ("CORD1R", "CORD1C", "CORD1S"):
            by_nodes.append(card)
        elif card.name == "EXTRN":
            extrn += _pairs(card)
        elif card.name in _ORDERED:
            sets |= set(_pairs(card))
        elif card.name.rstrip("1") in _ORDERED:
            spread.append(card)
        elif card.name == "SPOINT":
            scalars += id_list(card, 0)
        elif card.name == "DTI" and card.field(0).strip().upper() == "TUG1" and card.field(1).strip() == "2":
            parts.recovered |= _recovered(card)
    if by_nodes:
        columns = [[row[k] for row in grids.values()] for k in (0, 1)]
        systems |= systems_by_nodes(by_nodes, [*grids], *columns)
    for number, (system, place, own) in grids.items():
        parts.place[number] = resolve(path, systems, system).to_basic(place[None])[0]
        if own:
            parts.axes[number] = directions_at(resolve(path, systems, own), parts.place[number], number)
    known = np.array([*grids, *(n for item in scalars for n in _ids(item))], dtype=np.int64)
    for card in spread:
        ids = unfolded(id_list(card, 1), known)
        sets |= {pair for n in ids.tolist() for pair in _components(card, n, card.field(0).strip())}
    parts.order = extrn or parts.order or sorted(sets)
    for name, matrix in matrices.items():
        if name not in OWN:
            _add(parts, path, name, matrix)
            continue
        for (row, column), value in matrix.entries.items():
            parts.columns.setdefault(name, {}).setdefault(column, {})[row] = value


def _pairs(card):
    """(node, component) of fields that pair an id with components."""
    found = []
    for k in range(0, len(card.fields) - 1, 2):
        if card.field(k).strip():
            found += _components(card, integer(card, k), card.field(k + 1).strip())
    return found


def _ids(item):
    return range(item.first, item.last + 1, item.step) if isinstance(item, IdRange) else (item,)


def _recovered(card):
    """Node id -> first row of its six in MUG1; of the record 2 of TUG1: type (1 a grid), id, components, row."""
    words = [word.strip() for word in card.fields[2:] if word.strip() and word.strip().upper() != "ENDREC"]
    rows = [words[k : k + 4] for k in range(0, len(words) - 3, 4)]
    return {int(n): int(row) - 1 for kind, n, count, row in rows if kind == "1" and count == "6" and row.isdigit()}


def _components(card, node, text):
    if not re.fullmatch(r"[0-6]*", text):
        raise MeshError(f"{card.at()}: {card.name}: components must be digits of 1 to 6, got {text!r}")
    return [(node, int(c)) for c in text or "0"]


def _take_dmig(card, matrices):
    name, second = card.field(0).strip().upper(), card.field(1).strip()
    if second == "0":
        if name in matrices:
            raise MeshError(f"{card.at()}: a second head of the matrix {name}")
        if integer(card, 3, 1) in _COMPLEX:
            raise MeshError(f"{card.at()}: matrix {name} is complex; real ones are read")
        matrices[name] = _Dmig(integer(card, 2, 1))
        return
    if name not in matrices:
        raise MeshError(f"{card.at()}: a column of the matrix {name or 'without name'} before its head")
    matrix, column = matrices[name], (integer(card, 1), integer(card, 2, 0))
    if len(card.fields) % 4:
        card.fields += [""] * (4 - len(card.fields) % 4)
    for k in range(4, len(card.fields), 4):
        if not card.field(k).strip():
            if any(word.strip() for word in card.fields[k : k + 4]):
                raise MeshError(f"{card.at()}: an entry of the matrix {name} without the id of its row")
            continue
        row = (integer(card, k), integer(card, k + 1, 0))
        if (row, column) in matrix.entries:
            raise MeshError(f"{card.at()}: matrix {name} has the entry {row}, {column} twice")
        matrix.entries[row, column] = real(card, k + 2)


def _add(parts, path, name, matrix):
    """A square matrix whose name says what it is."""
    kind = kind_of_name(name)
    if kind is None or matrix.form not in _SQUARE:
        parts.unread.append(name)
        return
    if not matrix.entries:
        raise MeshError(f"{path}: matrix {name} has no entries: is the file truncated?")
    labels = sorted({label for pair in matrix.entries for label in pair})
    place = {label: k for k, label in enumerate(labels)}
    rows, columns = (np.array([place[pair[side]] for pair in matrix.entries]) for side in (0, 1))
    values = np.array([*matrix.entries.values()])
    if matrix.form == _SYMMETRIC:
        for row, column in matrix.entries:
            if row != column and (column, row) in matrix.entries:
                raise MeshError(f"{path}: symmetric matrix {name} has the entry {row}, {column} on both sides")
        off = rows != columns
        rows, columns = np.concatenate([rows, columns[off]]), np.concatenate([columns, rows[off]])
        values = np.concatenate([values, values[off]])
    whole = sp.csr_matrix((values, (rows, columns)), (len(labels),) * 2)
    parts.add(kind, LabelledMatrix(labels, whole, f"{path}: {name}"))


def write_nastran(path: Path, body: Superelement) -> None:
    """Write a punch that an assembly run includes: GRID, SPOINT, DMIG of stiffness, mass, damping, recovery."""
    ids = _point_ids(body)
    lines = ["$ reduced body, units N, kg, m, s: K2GG = KAAX, M2GG = MAAX, B2GG = BAAX", *coordinate_cards(body)]
    for kind, name in (("stiffness", "KAAX"), ("mass", "MAAX"), ("damping", "BAAX"), ("structural", "K4AAX")):
        matrix = getattr(body, kind)
        if matrix is not None:
            dense = matrix.toarray() if sp.issparse(matrix) else matrix
            lines += [f"DMIG    {name:8}       0       6       2       0"]
            for j in range(len(dense)):
                lines += _column(name, (body.node[j], body.component[j]), body, dense[:, j], j)
    own = {"PMOTX": [(ids[p.name], p.motion) for p in body.points]}
    own["PSTRX"] = [(ids[p.name], p.stress) for p in body.points if np.isfinite(p.stress).all()]
    own["FMOMX"] = [] if body.first_moments is None else [(a + 1, rows) for a, rows in enumerate(body.first_moments)]
    for name, groups in own.items():
        if groups:
            lines += [f"DMIG    {name:8}       0       9       2       0{'':16}{OWN[name] * len(groups):8d}"]
        for number, rows in groups:
            for k, row in enumerate(rows, 1):
                lines += _column(name, (number, k), body, row, 0)
    write_whole(path, lambda target: target.write_text("\n".join(lines) + "\n", encoding="ascii", errors="replace"))


def coordinate_cards(body: Superelement, order=False) -> list[str]:
    """Lines of GRID and SPOINT of the nodes, points and further coordinates; order: EXTRN too."""
    ids = _point_ids(body)
    lines = [f"$ attachment {name}: node {node}" for name, node in body.attachments.items()]
    lines += [f"$ point {name}: {number}, columns of PMOTX and PSTRX" for name, number in ids.items()]
    places = {**body.place, **{ids[p.name]: p.position for p in body.points}}
    for node, (x, y, z) in places.items():
        words = [_real(value).replace("D", "E") for value in (x, y, z)]
        lines += [f"GRID*   {node:16d}{'':16}{words[0]}{words[1]}", f"*       {words[2]}"]
    lines += [f"SPOINT  {number:8d}" for number in body.node[body.component == 0].tolist()]
    if order:
        pairs = [f"{n:8d}{c:8d}" for n, c in zip(body.node.tolist(), body.component.tolist(), strict=True)]
        rows = ["".join(pairs[k : k + 4]) for k in range(0, len(pairs), 4)]
        lines += [f"{'EXTRN' if k == 0 else '':8}{row}" for k, row in enumerate(rows)]
    return lines


def _point_ids(body):
    """Name of a point -> id, after all others."""
    first = int(max(body.node.max(), *body.place)) + 1
    return {p.name: first + k for k, p in enumerate(body.points)}


def _column(name, label, body, values, first):
    """Cards of one column, entries from row `first` on."""
    rows = first + np.flatnonzero(values[first:])
    if not len(rows):
        return []
    head = [f"DMIG*   {name:16}{label[0]:16d}{label[1]:16d}"]
    return head + [f"*       {body.node[i]:16d}{body.component[i]:16d}{_real(values[i])}" for i in rows]


def _real(value):
    """Sixteen columns, with the exponent of a double."""
    return f"{value:16.{9 if value < 0 else 10}E}".replace("E", "D")
