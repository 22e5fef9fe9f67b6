"""Reduced bodies in files of finite-element programs: each file of a body holds a part of it."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from flexwheel.body.superelement import Superelement, in_metres
from flexwheel.extensions.formats.abaqus.abaqus_matrices import read_abaqus, read_calculix, write_abaqus
from flexwheel.extensions.formats.matrix_parts import MatrixParts, joined
from flexwheel.extensions.formats.nastran.nastran_binary import read_op2, read_op4, write_op4
from flexwheel.extensions.formats.nastran.nastran_matrices import read_nastran, write_nastran

READ = dict.fromkeys((".pch", ".bdf", ".dat", ".nas", ".asm"), read_nastran) | {
    ".op4": read_op4,
    ".op2": read_op2,
    ".inp": read_abaqus,
    ".mtx": read_abaqus,
    ".sti": read_calculix,
    ".mas": read_calculix,
}
WRITE = dict.fromkeys((".pch", ".bdf"), write_nastran) | {".op4": write_op4, ".inp": write_abaqus}


def read_parts(files: Sequence[Path], unit: str, places: Mapping[int, tuple]) -> Superelement:
    """Superelement of one or several files, as of `read_matrices`."""
    parts = MatrixParts()
    for file in files:
        READ[file.suffix.lower()](file, parts)
        found = [kind for kind, matrix in parts.matrices.items() if matrix.source.startswith(str(file))]
        parts.notes.append(f"{file.name}: {' and '.join(found) or 'places and coordinates'}")
    scale = 1.0 if unit == "m" else 1e3
    for node, place in places.items():
        parts.place[node] = scale * np.asarray(place, dtype=float)
    return in_metres(joined(parts), unit)


def write_part(path: Path, body: Superelement, further=None) -> None:
    """Write matrices, places and coordinates; `further` has no place in these formats."""
    WRITE[path.suffix.lower()](path, body)
