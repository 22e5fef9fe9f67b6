"""What the keyword lines of a mesh file say, without its nodes and elements: for `flexwheel check` of large files."""

import re
from dataclasses import dataclass
from pathlib import Path

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh_files.mesh_import import check_format
from flexwheel.body.mesh_files.mesh_text import decoded, read_mesh_bytes

_ABAQUS = re.compile(r"^[ \t]*\*(?!\*)[ \t]*([^,\r\n]*)(.*)$", re.M)
_NAME = re.compile(r"\b(?:NSET|ELSET|NAME)\s*=\s*\"?([^,\"\s]+)", re.I)
_NASTRAN_MATERIAL = re.compile(r"^MAT1[*, \t]", re.M | re.I)
_ANSYS_MATERIAL = re.compile(r"^MP(?:DATA)?,.*\bDENS\b", re.M | re.I)
_GMSH_NAME = re.compile(r"^\s*\d+\s+\d+\s+\"([^\"]*)\"\s*$", re.M)


@dataclass(frozen=True)
class MeshHeader:
    """Names and material of a mesh file; None where the format does not say it before its nodes are read."""

    sets: frozenset[str] | None  # upper case, of nodes, elements and surfaces
    material: bool | None


def read_mesh_header(path) -> MeshHeader:
    """Header of a mesh file.

    Raises
    ------
    MeshError   not a mesh file of a known format; without nodes or elements
    """
    path = Path(path)
    kind = check_format(path)
    content = read_mesh_bytes(path)
    if kind == ".inp":
        return _abaqus(path, decoded(content))
    if kind == ".msh":
        start = content[:200_000].decode("latin-1")
        if "$MeshFormat" not in start:
            raise MeshError(f"{path} must be a mesh of Gmsh, but has no $MeshFormat")
        names = _GMSH_NAME.findall(start.partition("$EndPhysicalNames")[0])
        return MeshHeader(frozenset(name.upper() for name in names), False)
    if kind == ".cdb":
        return MeshHeader(None, bool(_ANSYS_MATERIAL.search(decoded(content))))
    if kind in (".vtk", ".vtu", ".unv", ".med"):
        return MeshHeader(None, False)
    return MeshHeader(None, bool(_NASTRAN_MATERIAL.search(decoded(content))))


def _abaqus(path, text):
    """Header of an Abaqus input file; one that includes others says nothing of its own."""
    words, names = set(), set()
    for match in _ABAQUS.finditer(text):
        word = " ".join(match.group(1).upper().split())
        words.add(word)
        if word in ("NODE", "NSET", "ELEMENT", "ELSET", "SURFACE"):
            names.update(name.upper() for name in _NAME.findall(match.group(2)))
    if "INCLUDE" in words:
        return MeshHeader(None, None)
    for word in ("NODE", "ELEMENT"):
        if word not in words:
            raise MeshError(f"{path} must be a mesh of Abaqus or CalculiX, but has no *{word}")
    return MeshHeader(frozenset(names), {"ELASTIC", "DENSITY"} <= words)
