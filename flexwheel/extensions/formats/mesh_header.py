"""What the keyword lines of a mesh file say, without its nodes and elements: for `flexwheel check` of large files."""

import re
from pathlib import Path

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh_format import MeshHeader
from flexwheel.extensions.formats.mesh_text import decoded, read_mesh_bytes

_ABAQUS = re.compile(r"^[ \t]*\*(?!\*)[ \t]*([^,\r\n]*)(.*)$", re.M)
_NAME = re.compile(r"\b(?:NSET|ELSET|NAME)\s*=\s*\"?([^,\"\s]+)", re.I)
_NASTRAN_MATERIAL = re.compile(r"^MAT1[*, \t]", re.M | re.I)
_ANSYS_MATERIAL = re.compile(r"^MP(?:DATA)?,.*\bDENS\b", re.M | re.I)
_GMSH_NAME = re.compile(r"^\s*\d+\s+\d+\s+\"([^\"]*)\"\s*$", re.M)


def abaqus_header(path: Path) -> MeshHeader:
    """Header of an Abaqus input file; one that includes others says nothing of its own."""
    text = decoded(read_mesh_bytes(path))
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


def gmsh_header(path: Path) -> MeshHeader:
    """Names of physical groups."""
    start = read_mesh_bytes(path)[:200_000].decode("latin-1")
    if "$MeshFormat" not in start:
        raise MeshError(f"{path} must be a mesh of Gmsh, but has no $MeshFormat")
    names = _GMSH_NAME.findall(start.partition("$EndPhysicalNames")[0])
    return MeshHeader(frozenset(name.upper() for name in names))


def nastran_header(path: Path) -> MeshHeader:
    """Whether there is a material."""
    return MeshHeader(material=bool(_NASTRAN_MATERIAL.search(decoded(read_mesh_bytes(path)))))


def cdb_header(path: Path) -> MeshHeader:
    """Whether there is a density."""
    return MeshHeader(material=bool(_ANSYS_MATERIAL.search(decoded(read_mesh_bytes(path)))))


def no_header(path: Path) -> MeshHeader:
    """Of a format that has no materials, and sets nowhere but beside its nodes."""
    read_mesh_bytes(path)
    return MeshHeader()
