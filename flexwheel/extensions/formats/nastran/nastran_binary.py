"""Nastran's OP4 and OP2 files of matrices, through pyYeti, which is imported at their first use.

They hold matrices by name without the coordinates of their rows: these stand in a bulk data file beside them, as the
punch that EXTSEOUT writes with them, in the order of EXTRN or ASET. Names as in nastran_matrices.py; of KXX and MXX,
KAA and MAA .. the two that belong together are taken.

Source: MSC Nastran DMAP programmer's guide, modules OUTPUT2 and OUTPUT4.
"""

import warnings
from pathlib import Path

import numpy as np

from flexwheel.base.errors import FlexwheelError, MeshError
from flexwheel.base.output_files import write_whole
from flexwheel.body.superelement import Superelement
from flexwheel.extensions.formats.matrix_parts import OWN, LabelledMatrix, MatrixParts, kind_of_name
from flexwheel.extensions.formats.nastran.nastran_matrices import coordinate_cards

_LEAST = 7  # rows of a matrix of a flexible body


def read_op4(path: Path, parts: MatrixParts) -> None:
    """Take the matrices of an OP4 file, text or binary, into `parts`. Raises MeshError in one line."""
    op4 = _pyyeti("op4", path)
    _take(path, parts, _read(path, "OP4", lambda: op4.read(str(path))))


def read_op2(path: Path, parts: MatrixParts) -> None:
    """Take the matrices of an OP2 file into `parts`, also those of DMIGs in it. Raises MeshError in one line."""
    op2 = _pyyeti("op2", path)
    found = _read(path, "OP2", lambda: op2.rdmats(str(path)))
    if found:
        _take(path, parts, found)
        return
    frames = _read(path, "OP2", lambda: _pyyeti("bulk", path).rddmig(str(path)))
    if not any(kind_of_name(name) == "stiffness" for name in frames):  # tables are called M and the matrix's name
        frames = {name[1:]: frame for name, frame in frames.items()}
    for name, frame in frames.items():
        kind = kind_of_name(name)
        if kind is None or not frame.index.equals(frame.columns) or np.iscomplexobj(frame.values):
            parts.unread.append(name.upper())
            continue
        labels = [(int(node), int(component)) for node, component in frame.index]
        parts.add(kind, LabelledMatrix(labels, frame.values, f"{path}: {name.upper()}"))


def write_op4(path: Path, body: Superelement) -> None:
    """Write the matrices, binary, and a .asm of their coordinates beside it. Raises FlexwheelError."""
    op4 = _pyyeti("op4", path)
    dense = lambda a: a.toarray() if hasattr(a, "toarray") else np.asarray(a)  # noqa: E731
    named = {"KAAX": body.stiffness, "MAAX": body.mass, "BAAX": body.damping, "K4AAX": body.structural}
    named = {name: dense(matrix) for name, matrix in named.items() if matrix is not None}
    if body.points:
        named["PMOTX"] = np.concatenate([p.motion for p in body.points])
        if all(np.isfinite(p.stress).all() for p in body.points):
            named["PSTRX"] = np.concatenate([p.stress for p in body.points])
    if body.first_moments is not None:
        named["FMOMX"] = body.first_moments.reshape(9, -1)
    write_whole(path, lambda target: op4.write(str(target), [*named], [*named.values()], binary=True))
    cards = "\n".join(coordinate_cards(body, order=True)) + "\n"
    write_whole(path.with_suffix(".asm"), lambda target: target.write_text(cards, encoding="ascii", errors="replace"))


def _take(path, parts, found):
    found = {name.upper(): np.asarray(matrix) for name, matrix in found.items()}
    square = [n for n, m in found.items() if m.ndim == 2 and len(m) >= _LEAST and m.shape[0] == m.shape[1]]
    ends = [n[1:] for n in square if kind_of_name(n) == "stiffness" and "M" + n[1:] in square]
    if len(ends) > 1:
        raise MeshError(f"{path}: matrices of several bodies or sets: {', '.join('K' + end for end in ends)}")
    for name in square:
        kind = kind_of_name(name)
        end = name[2 if kind == "structural" else 1 :].rstrip("1")
        if kind is None or np.iscomplexobj(found[name]) or (ends and end != ends[0].rstrip("1")):
            parts.unread.append(name)
        else:
            parts.add(kind, LabelledMatrix(None, found[name], f"{path}: {name}"))
    if not square:
        raise MeshError(f"{path}: no square matrix in it; it has: {', '.join(found) or 'none'}")
    parts.stacked |= {n: found[n] for n in (*OWN, "MUG1") if n in found and not np.iscomplexobj(found[n])}


def _read(path, kind, read):
    """What pyYeti reads; whatever it raises on a damaged file becomes one line."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return read()
    except Exception as error:
        said = " ".join(str(error).split())[:200]
        raise MeshError(f"{path}: no {kind} file of matrices, or damaged: {said or type(error).__name__}") from None


def _pyyeti(module, path):
    try:
        from pyyeti.nastran import bulk, op2, op4
    except ImportError:
        raise FlexwheelError(f"{path}: OP2 and OP4 files need pyYeti: pip install 'flexwheel[nastran]'") from None
    return {"bulk": bulk, "op2": op2, "op4": op4}[module]
