"""Reading and writing of reduced bodies, by the ending of the file."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.base.input_files import regular_file
from flexwheel.body.matrix_files.abaqus_matrices import read_abaqus, read_calculix, write_abaqus
from flexwheel.body.matrix_files.matrix_parts import MatrixParts, joined
from flexwheel.body.matrix_files.nastran_binary import read_op2, read_op4, write_op4
from flexwheel.body.matrix_files.nastran_matrices import read_nastran, write_nastran
from flexwheel.body.matrix_files.netcdf_body import read_netcdf, write_netcdf
from flexwheel.body.superelement import Superelement, in_metres

_READ = dict.fromkeys((".pch", ".bdf", ".dat", ".nas", ".asm"), read_nastran) | {
    ".op4": read_op4,
    ".op2": read_op2,
    ".inp": read_abaqus,
    ".mtx": read_abaqus,
    ".sti": read_calculix,
    ".mas": read_calculix,
}
_WRITE = dict.fromkeys((".pch", ".bdf"), write_nastran) | {".op4": write_op4, ".inp": write_abaqus}
WRITTEN = (".nc", *_WRITE)
"""Endings of files that are written."""


def read_matrices(paths: Sequence[str | Path], unit: str = "m", places: Mapping[int, tuple] | None = None):
    """Superelement of one or several files, SI.

    Parameters
    ----------
    paths : list of path        each holds a part: matrices, places of nodes, the order of the coordinates
    unit : "m" or "mm"          N, kg, m, s of the files, or N, t, mm, s
    places : dict               node id -> (3,) [m] of nodes whose place is in none of them

    Raises
    ------
    MeshError                   one line with the file: unreadable, damaged, incomplete, contradicting
    """
    files = [regular_file(path, "a file of a reduced body", MeshError) for path in paths]
    known = (".nc", *_READ)
    for file in files:
        if file.suffix.lower() not in known:
            raise MeshError(f"{file}: a reduced body is read from {', '.join(known)}, got {file.suffix or 'no ending'}")
    own = [file for file in files if file.suffix.lower() == ".nc"]
    if own and len(files) > 1:
        raise MeshError(f"{own[0]}: a netCDF file is whole by itself: take the other files out of `matrices`")
    if own and unit != "m":
        raise MeshError(f"{own[0]}: is in SI units: take mesh_unit = {unit!r} out")
    if own:
        body = read_netcdf(own[0])
        return replace(body, place={**body.place, **(places or {})}, notes=(f"{own[0].name}: netCDF", *body.notes))
    parts = MatrixParts()
    for file in files:
        _READ[file.suffix.lower()](file, parts)
        found = [kind for kind, matrix in parts.matrices.items() if matrix.source.startswith(str(file))]
        parts.notes.append(f"{file.name}: {' and '.join(found) or 'places and coordinates'}")
    scale = 1.0 if unit == "m" else 1e3
    for node, place in (places or {}).items():
        parts.place[node] = scale * np.asarray(place, dtype=float)
    return in_metres(joined(parts), unit)


def write_matrices(path: str | Path, body: Superelement, further=None) -> None:
    """Write a reduced body; further: variables beside it of the netCDF file, see `write_netcdf`."""
    path = Path(path)
    if path.suffix.lower() == ".nc":
        write_netcdf(path, body, further)
    elif path.suffix.lower() in _WRITE:
        _WRITE[path.suffix.lower()](path, body)
    else:
        raise MeshError(f"{path}: a reduced body is written as {', '.join(WRITTEN)}, got {path.suffix or 'no ending'}")
