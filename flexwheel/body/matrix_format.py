"""Formats of reduced bodies: how matrices come out of files of other programs, and go into them.

A format is found by the suffix. One from outside is an entry point in the group "flexwheel.matrix_formats".
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from flexwheel.base.errors import MeshError
from flexwheel.base.input_files import regular_file
from flexwheel.base.registry import Registry
from flexwheel.body.superelement import Superelement


@dataclass(frozen=True)
class MatrixFormat:
    """A format of files of reduced bodies; found through MATRIX_FORMATS."""

    name: str
    meaning: str  # one line, for documents
    suffixes: tuple[str, ...]  # of files that are read, lower case
    read: Callable[[Sequence[Path], str, Mapping], Superelement]  # (files of one body, unit, places)
    written: tuple[str, ...] = ()  # suffixes of files that `write` makes
    write: Callable[[Path, Superelement, Mapping | None], None] | None = None  # (path, body, further variables)


MATRIX_FORMATS = Registry("matrix format", "flexwheel.matrix_formats", MatrixFormat, "netcdf")


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
    if unit not in ("m", "mm"):
        raise MeshError(f"{paths[0]}: mesh_unit of matrices must be m (N, kg, m, s) or mm (N, t, mm, s), got {unit!r}")
    files = [regular_file(path, "a file of a reduced body", MeshError) for path in paths]
    first, *others = [MATRIX_FORMATS.of_file(file, "a reduced body is read from", MeshError) for file in files]
    for file, other in zip(files[1:], others, strict=True):
        if other is not first:
            raise MeshError(
                f"{file}: files of one body are of one format, this is {other.name}, {files[0].name} is {first.name}: "
                "take one out of `matrices`"
            )
    return first.read(files, unit, places or {})


def write_matrices(path: str | Path, body: Superelement, further: Mapping | None = None) -> None:
    """Write a reduced body; further: variables beside it, for the package's own netCDF file."""
    chosen = MATRIX_FORMATS.of_file(path, "a reduced body is written as", MeshError, "written")
    chosen.write(Path(path), body, further)
