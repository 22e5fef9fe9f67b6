"""Mesh formats: how a mesh comes out of a file, and what its keyword lines say before it is read.

A format is found by the file's suffix. One from outside is an entry point in the group "flexwheel.mesh_formats".
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from flexwheel.base.errors import MeshError
from flexwheel.base.input_files import clipped
from flexwheel.base.registry import Registry
from flexwheel.body.mesh import Material, Mesh

LENGTH_UNITS = {"m": 1.0, "mm": 0.001, "cm": 0.01, "dm": 0.1, "in": 0.0254}
LONGEST_MESSAGE = 1500
WARNING = "WARNING: "
"""Start of the lines of an audit that a run repeats among its warnings."""


@dataclass(frozen=True)
class MeshHeader:
    """Names and material of a mesh file; None where the format does not say it before its nodes are read."""

    sets: frozenset[str] | None = None  # upper case, of nodes, elements and surfaces
    material: bool | None = False


@dataclass(frozen=True)
class MeshFormat:
    """A format of mesh files; found through MESH_FORMATS."""

    name: str
    meaning: str  # one line, for documents
    suffixes: tuple[str, ...]  # of its files, lower case
    read: Callable[..., tuple[Mesh, tuple[str, ...]]]  # (path, materials, length_unit, ignore, tied), as read_mesh
    header: Callable[[Path], MeshHeader]  # raises MeshError for what is no file of this format


MESH_FORMATS = Registry("mesh format", "flexwheel.mesh_formats", MeshFormat)


def read_mesh(
    path: str | Path,
    materials: Material | Mapping[str, Material] | None = None,
    length_unit: str = "m",
    ignore: Sequence[str] = (),
    tied: Sequence[str] = (),
) -> tuple[Mesh, tuple[str, ...]]:
    """Read a solid mesh.

    Parameters
    ----------
    path : file of one of MESH_FORMATS
    materials : Material          for all elements, in place of the file's
                {set: Material}   for element sets; other elements keep the file's material
                None              the file's; a mesh without any gets materials = ()
    length_unit : str             unit of the file's coordinates, key of LENGTH_UNITS
    ignore : sequence of str      names of cards that carry mass, stiffness or a constraint and are left out knowingly,
                                  as the error that refuses them prints them
    tied : sequence of str        contact pairs, by name or as FIRST/SECOND, that are read as ties

    Returns
    -------
    mesh : Mesh [m, Pa, kg/m3]    nodes in file order without orphans, original ids, positive volumes
    audit : tuple of str          what was read, converted, dropped; extents, volume, mass, centre, inertia; lines
                                  that start with WARNING belong among the warnings of a run

    Raises
    ------
    MeshError    one line with file, and line or id: unreadable, truncated or ambiguous input; cards that would be lost

    Verified in tests/verification/test_mesh_import_formats_verified.py.
    """
    if length_unit not in LENGTH_UNITS:
        raise MeshError(
            f"length_unit (mesh_unit, --unit) must be one of {', '.join(LENGTH_UNITS)}, got {length_unit!r}"
        )
    try:
        return _format_of(path).read(Path(path), materials, length_unit, ignore, tied)
    except MeshError as error:  # what a file holds may stand in a message, at any length
        said = "".join(c if c.isprintable() else "?" for c in str(error))
        if said == str(error) and len(said) <= LONGEST_MESSAGE:
            raise
        raise MeshError(clipped(said, LONGEST_MESSAGE)) from None


def read_mesh_header(path: str | Path) -> MeshHeader:
    """Header of a mesh file, for `flexwheel check` of large files; raises MeshError."""
    return _format_of(path).header(Path(path))


def _format_of(path):
    return MESH_FORMATS.of_file(path, "a mesh is read from", MeshError)
