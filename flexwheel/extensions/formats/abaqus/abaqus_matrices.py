"""Abaqus text of a reduced body, read and written, and CalculiX's files of the same kinds.

Linear user elements, as *SUBSTRUCTURE MATRIX OUTPUT writes them (*USER ELEMENT, *MATRIX, the nodes in comments);
*MATRIX INPUT with *MATRIX ASSEMBLE; the bare lines of *MATRIX OUTPUT, FORMAT=MATRIX INPUT, told by the file's name
(_STIF, _MASS, _DMPV, _DMPS); .sti and .mas of CalculiX's SOLVER=MATRIXSTORAGE with the .dof beside them. *NODE gives
places, a *NSET of one node a name, the set FURTHER_COORDINATES nodes that are none.

Source: Abaqus keywords reference guide, *MATRIX, *MATRIX INPUT, *MATRIX ASSEMBLE, *USER ELEMENT; CalculiX CrunchiX
2.20 user's manual, *SUBSTRUCTURE MATRIX OUTPUT, *FREQUENCY.
"""

import re
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from flexwheel.base.errors import MeshError
from flexwheel.base.input_files import regular_file
from flexwheel.base.output_files import write_whole
from flexwheel.body.superelement import Superelement
from flexwheel.extensions.formats.abaqus.abaqus_cards import abaqus_cards, fields, include_name, node_records
from flexwheel.extensions.formats.matrix_parts import LabelledMatrix, MatrixParts
from flexwheel.extensions.formats.mesh_text import parse_id, parse_real, read_mesh_text

_INCLUDE = re.compile(r"^[ \t]*\*[ \t]*INCLUDE\b", re.M | re.I)
_TYPES = {
    "STIFFNESS": "stiffness",
    "MASS": "mass",
    "VISCOUS DAMPING": "damping",
    "STRUCTURAL DAMPING": "structural",
}
_NAMES = {"_STIF": "stiffness", "_MASS": "mass", "_DMPV": "damping", "_DMPS": "structural"}
_MOVED = ("PART", "INSTANCE", "SYSTEM", "NGEN", "NCOPY", "NMAP", "TRANSFORM")
FURTHER = "FURTHER_COORDINATES"


def read_abaqus(path: Path, parts: MatrixParts) -> None:
    """Take matrices, places and names of an .inp or .mtx file into `parts`. Raises MeshError with file and line."""
    text = read_mesh_text(path, _INCLUDE, include_name)
    cards = list(abaqus_cards(text))
    bare = [n for n, line in enumerate(text.lines, 1) if line.strip() and not line.lstrip().startswith("*")]
    first = cards[0].line if cards else len(text.lines) + 1
    if bare and bare[0] < first:
        lines = [(n, text.lines[n - 1]) for n in bare if n < first]
        parts.add(_kind_of_file(path), _sparse(path, text, lines, path.stem, False))
    labels, unsymmetric, named, kinds = None, False, {}, {}
    for number, card in enumerate(cards):
        if card.keyword in _MOVED:
            raise MeshError(f"{card.at()}: *{card.keyword} is not read beside matrices: write nodes where they are")
        if card.keyword == "NODE":
            ids, places = node_records(card)
            parts.place |= {n: np.array(x) for n, x in zip(ids, places, strict=True)}
            parts.further |= set(ids) if card.get("NSET").upper() == FURTHER else set()
        elif card.keyword == "NSET" and "GENERATE" not in card.parameters:
            _take_set(card, parts)
        elif card.keyword == "USER ELEMENT":
            end = cards[number + 1].line if number + 1 < len(cards) else len(text.lines) + 1
            nodes = _element_nodes(text.lines[card.line : end - 1])
            labels, unsymmetric = _element_labels(card, nodes), "UNSYM" in card.parameters
        elif card.keyword == "MATRIX":
            kind = _TYPES.get(card.get("TYPE").upper())
            if kind is None or labels is None:
                raise MeshError(f"{card.at()}: *MATRIX must follow *USER ELEMENT and have TYPE=STIFFNESS or MASS")
            matrix = _dense(card, len(labels), unsymmetric)
            parts.add(kind, LabelledMatrix(labels, matrix, f"{path}: *MATRIX, TYPE={card.get('TYPE')}"))
        elif card.keyword == "MATRIX INPUT":
            named[card.get("NAME").upper()] = _input(path, text, card)
        elif card.keyword == "MATRIX ASSEMBLE":
            kinds |= {card.parameters[word].upper(): kind for word, kind in _TYPES.items() if word in card.parameters}
    for name, matrix in named.items():
        if name in kinds:
            parts.add(kinds[name], matrix)
        else:
            parts.unread.append(f"{name} (no *MATRIX ASSEMBLE says what it is)")


def read_calculix(path: Path, parts: MatrixParts) -> None:
    """Take a .sti or .mas file with the coordinates of the .dof beside it into `parts`."""
    labels = []
    beside = regular_file(path.with_suffix(".dof"), f"the coordinates of {path.name}", MeshError)
    for number, line in enumerate(beside.read_text(encoding="latin-1").split("\n"), 1):
        node, _, component = line.strip().partition(".")
        if not line.strip():
            continue
        if not (node.isdecimal() and len(node) < 19 and component in ("1", "2", "3", "4", "5", "6")):
            raise MeshError(f"{beside}:{number}: a line must be NODE.COMPONENT, got {line.strip()[:40]!r}")
        labels.append((int(node), int(component)))
    try:
        lines = path.read_text(encoding="ascii").split("\n")
        table = np.loadtxt(lines, ndmin=2) if any(lines) else np.zeros((0, 0))
    except (OSError, ValueError) as error:
        raise MeshError(f"{path}: lines must be row, column, value: {' '.join(str(error).split())[:120]}") from None
    size = len(labels)
    if table.shape[1:] != (3,):
        raise MeshError(f"{path}: lines must be row, column, value, got {table.shape[-1]} columns")
    at = table[:, :2].astype(np.int64) - 1
    if len(at) and (at.min() < 0 or at.max() >= size):
        raise MeshError(f"{path}: rows run from {at.min() + 1} to {at.max() + 1}, {beside.name} has {size} coordinates")
    upper = sp.csr_matrix((table[:, 2], at.T), (size, size))
    kind = {".sti": "stiffness", ".mas": "mass"}[path.suffix.lower()]
    parts.add(kind, LabelledMatrix(labels, upper + sp.triu(upper, 1).T + sp.tril(upper, -1).T, str(path)))


def write_abaqus(path: Path, body: Superelement) -> None:
    """Write nodes, names and matrices as *MATRIX INPUT; points of recovery and first moments have no form there."""
    label = [(n, max(c, 1)) for n, c in zip(body.node.tolist(), body.component.tolist(), strict=True)]
    centre = np.mean([*body.place.values()], axis=0)
    lines = ["** reduced body, units N, kg, m, s", "*NODE"]
    lines += [f"{n}, {x:.16e}, {y:.16e}, {z:.16e}" for n, (x, y, z) in body.place.items()]
    further = body.node[body.component == 0].tolist()
    if further:
        lines.append(f"*NODE, NSET={FURTHER}")
        lines += [f"{n}, {centre[0]:.16e}, {centre[1]:.16e}, {centre[2]:.16e}" for n in further]
    for name, node in body.attachments.items():
        lines += [f'*NSET, NSET="{name}"', f"{node}"]
    assembled = []
    for word, kind in _TYPES.items():
        matrix = getattr(body, kind)
        if matrix is None:
            continue
        lines.append(f"*MATRIX INPUT, NAME={kind.upper()}, TYPE=SYMMETRIC")
        lower = sp.tril(sp.csr_matrix(matrix)).tocsr()
        for i, j in zip(*lower.nonzero(), strict=True):
            lines.append(f"{label[i][0]}, {label[i][1]}, {label[j][0]}, {label[j][1]}, {lower[i, j]:.16e}")
        assembled.append(f"{word}={kind.upper()}")
    lines.append("*MATRIX ASSEMBLE, " + ", ".join(assembled))
    write_whole(path, lambda target: target.write_text("\n".join(lines) + "\n", encoding="utf-8"))


def _kind_of_file(path):
    for word, kind in _NAMES.items():
        if word in path.stem.upper():
            return kind
    raise MeshError(
        f"{path}: a matrix without a keyword: the name of its file must hold {', '.join(_NAMES)}, which says what it is"
    )


def _take_set(card, parts):
    words = [word for line in card.data for word in fields(line)]
    name = card.get("NSET")
    if name.upper() == FURTHER:
        parts.further |= {int(word) for word in words if word.isdecimal()}
    elif len(words) == 1 and words[0].isdecimal():
        parts.attachments[name] = int(words[0])


def _element_nodes(below):
    """Node ids of the comment after ** ELEMENT NODES."""
    found, taking = [], False
    for line in below:
        word = line.strip()
        if taking and re.fullmatch(r"\*\*[\s\d,]*", word):
            found += [int(n) for n in re.findall(r"\d+", word)]
        else:
            taking = "ELEMENT NODES" in word.upper() and word.startswith("**")
    return found


def _element_labels(card, nodes):
    """Coordinates of a linear user element: those of its first node, and from which node of it on they are others."""
    try:
        count = parse_id(card.get("NODES"))
        rows = [[parse_id(word) for word in fields(line)] for line in card.data]
    except ValueError as error:
        raise MeshError(f"{card.at()}: *USER ELEMENT: {error}") from None
    if len(nodes) != count:
        raise MeshError(f"{card.at()}: *USER ELEMENT of {count} nodes, the comment ** ELEMENT NODES has {len(nodes)}")
    if not rows:
        raise MeshError(f"{card.at()}: *USER ELEMENT without the components of its first node")
    begins = {1: rows[0]} | {row[0]: row[1:] for row in rows[1:] if row}
    labels, own = [], []
    for number, node in enumerate(nodes, 1):
        own = begins.get(number, own)
        labels += [(node, component) for component in own]
    if any(not 1 <= component <= 6 for _, component in labels):
        raise MeshError(f"{card.at()}: *USER ELEMENT: components must be 1 to 6")
    if len(set(labels)) != len(labels):
        raise MeshError(f"{card.at()}: *USER ELEMENT has a component of a node twice")
    return labels


def _dense(card, size, unsymmetric):
    """Matrix of the entries of a *MATRIX: whole, or column by column down from its first row to the diagonal."""
    try:
        values = [parse_real(word) for line in card.data for word in fields(line)]
    except ValueError as error:
        raise MeshError(f"{card.at()}: *MATRIX, TYPE={card.get('TYPE')}: {error}") from None
    half, whole = size * (size + 1) // 2, size * size
    expected = f"{half} or {whole}" if unsymmetric else half
    if len(values) != half and not (unsymmetric and len(values) == whole):
        raise MeshError(
            f"{card.at()}: *MATRIX, TYPE={card.get('TYPE')} has {len(values)} entries, expected {expected} for {size} "
            "coordinates: is the file truncated?"
        )
    if len(values) == whole:
        return np.array(values).reshape(size, size)
    out = np.zeros((size, size))
    out[np.tril_indices(size)] = values
    return out + np.tril(out, -1).T


def _input(path, text, card):
    """LabelledMatrix of a *MATRIX INPUT."""
    if card.get("INPUT"):
        own = path.parent / card.get("INPUT")
        text = read_mesh_text(regular_file(own, "a file of *MATRIX INPUT", MeshError), _INCLUDE, include_name)
        lines = [(n, line) for n, line in enumerate(text.lines, 1) if line.strip() and not line.startswith("*")]
    else:
        lines = list(zip(card.data_lines, card.data, strict=True))
    try:
        factor = parse_real(card.get("SCALE FACTOR", "1"))
    except ValueError as error:
        raise MeshError(f"{card.at()}: SCALE FACTOR: {error}") from None
    found = _sparse(path, text, lines, card.get("NAME"), card.get("TYPE").upper() == "UNSYMMETRIC")
    return LabelledMatrix(found.labels, factor * found.matrix, found.source)


def _sparse(path, text, lines, name, whole):
    """LabelledMatrix of lines of node, component, node, component, entry; one half or both of a symmetric one."""
    entries = {}
    for number, line in lines:
        words = fields(line) if "," in line else line.split()
        try:
            if len(words) != 5:
                raise ValueError(f"a line has {len(words)} numbers, expected node, component, node, component, entry")
            a, i, b, j = (parse_id(word) for word in words[:4])
            value = parse_real(words[4])
        except ValueError as error:
            raise MeshError(f"{text.at(number)}: matrix {name}: {error}") from None
        if not (1 <= i <= 6 and 1 <= j <= 6):
            raise MeshError(f"{text.at(number)}: matrix {name}: components must be 1 to 6, got {i} and {j}")
        entries[(a, i), (b, j)] = value
    if not entries:
        raise MeshError(f"{path}: matrix {name} has no entries: is the file truncated?")
    if not whole:
        entries |= {(b, a): value for (a, b), value in entries.items() if (b, a) not in entries}
    labels = sorted({label for pair in entries for label in pair})
    row = {label: k for k, label in enumerate(labels)}
    at = [[row[pair[side]] for pair in entries] for side in (0, 1)]
    matrix = sp.csr_matrix(([*entries.values()], at), (len(labels),) * 2)
    return LabelledMatrix(labels, matrix, f"{path}: {name}")
