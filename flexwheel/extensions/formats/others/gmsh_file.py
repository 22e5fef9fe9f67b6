"""Sections of a Gmsh file, and one way to read numbers from them whether ASCII or binary."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.extensions.formats.mesh_text import decoded, parse_id, read_mesh_bytes

VERSIONS = ("2.2", "4.1")


@dataclass(frozen=True)
class GmshFile:
    """A file in memory with the extent of its sections."""

    path: Path
    content: bytes
    version: str
    binary: bool
    swap: str  # byte order of a binary file, '<' or '>'
    sections: dict[str, tuple[int, int]]  # name -> first and last byte between $Name and $EndName

    def reader(self, name: str) -> TextReader | BinaryReader:
        """Sequential reader of a section."""
        first, last = self.sections[name]
        if self.binary:
            return BinaryReader(self.path, name, self.content[first:last], self.swap)
        return TextReader(self.path, name, self.content[first:last].split())

    def text(self, name: str) -> str:
        """Text of a section, '' where it is missing."""
        first, last = self.sections.get(name, (0, 0))
        return decoded(self.content[first:last]).strip()


def open_gmsh(path: Path) -> GmshFile:
    """Read the file, its format and where its sections lie.

    Raises
    ------
    MeshError  unreadable, empty, not Gmsh, a version other than 2.2 and 4.1, a section without end
    """
    content = read_mesh_bytes(path)
    head = re.match(rb"\s*\$MeshFormat\s+(\S+)\s+(\d+)\s+(\d+)[^\n]*\n", content)
    if not head:
        raise MeshError(f"{path}: no $MeshFormat at the start, expected a Gmsh file of format 2.2 or 4.1")
    version, kind, size = decoded(head.group(1)), head.group(2), head.group(3)
    if version not in VERSIONS:
        raise MeshError(f"{path}: Gmsh format {version} is not read, expected 2.2 or 4.1 (gmsh -format msh41)")
    if size != b"8":
        raise MeshError(f"{path}: Gmsh data size {size.decode()} is not read, expected 8")
    binary = kind == b"1"
    swap = ">" if binary and content[head.end() : head.end() + 4] == b"\0\0\0\1" else "<"
    return GmshFile(path, content, version, binary, swap, _extents(path, content))


def _extents(path: Path, content: bytes) -> dict[str, tuple[int, int]]:
    """Bytes between $Name and $EndName of every section, in order."""
    sections: dict[str, tuple[int, int]] = {}
    at = 0
    while start := re.compile(rb"\$([A-Z]\w*)[ \t\r]*\n").search(content, at):
        name = start.group(1).decode()
        end = content.find(b"$End" + start.group(1), start.end())
        if end < 0:
            raise MeshError(f"{path}: section ${name} has no $End{name}: is the file truncated?")
        sections[name] = (start.end(), end)
        at = end + len(name) + 4
    return sections


class TextReader:
    """Numbers of an ASCII section, one after the other."""

    def __init__(self, path: Path, name: str, words: list[bytes]):
        self.path, self.name, self.words, self.at = path, name, words, 0

    def integer_line(self) -> int:
        return int(self.ints(1)[0])

    def ints(self, count: int) -> np.ndarray:
        return self._take(count, _whole, np.int64)

    sizes = ints

    def reals(self, count: int) -> np.ndarray:
        return self._take(count, float, np.float64)

    def numbered_points(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Ids (n,) and coordinates (n, 3) of lines `id x y z`."""
        start = self.at
        table = self.reals(4 * count).reshape(count, 4)
        try:
            ids = np.array([_whole(w) for w in self.words[start : self.at : 4]], dtype=np.int64)
        except ValueError as error:
            raise MeshError(f"{self.path}: section ${self.name}: {error}") from error
        return ids, table[:, 1:]

    def finish(self) -> None:
        if self.at != len(self.words):
            raise MeshError(
                f"{self.path}: section ${self.name} has {len(self.words) - self.at} numbers more than its counts say"
            )

    def _take(self, count: int, convert: type, dtype: type) -> np.ndarray:
        if count < 0 or self.at + count > len(self.words):
            raise MeshError(f"{self.path}: section ${self.name} ends before its counts say: is the file truncated?")
        words = self.words[self.at : self.at + count]
        self.at += count
        try:
            return np.array([convert(w) for w in words], dtype=dtype)
        except (ValueError, OverflowError) as error:
            raise MeshError(f"{self.path}: section ${self.name}: {error}") from error


def _whole(word: bytes) -> int:
    return parse_id(word.decode("latin-1"))


class BinaryReader:
    """Numbers of a binary section, one after the other."""

    def __init__(self, path: Path, name: str, data: bytes, swap: str):
        self.path, self.name, self.data, self.swap, self.at = path, name, data, swap, 0

    def integer_line(self) -> int:
        end = self.data.find(b"\n", self.at)
        try:
            value = _whole(self.data[self.at : end] if end >= 0 else b"")
        except ValueError as error:
            raise MeshError(f"{self.path}: section ${self.name} does not start with its count") from error
        self.at = end + 1
        return value

    def ints(self, count: int) -> np.ndarray:
        return self._take(count, "i4").astype(np.int64)

    def sizes(self, count: int) -> np.ndarray:
        return self._take(count, "u8").astype(np.int64)

    def reals(self, count: int) -> np.ndarray:
        return self._take(count, "f8").astype(np.float64)

    def numbered_points(self, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Ids (n,) and coordinates (n, 3) of records int, three doubles."""
        table = self._take(count, np.dtype([("id", self.swap + "i4"), ("x", self.swap + "f8", 3)]))
        return table["id"].astype(np.int64), table["x"].astype(np.float64)

    def finish(self) -> None:
        if self.data[self.at :].strip():
            raise MeshError(f"{self.path}: section ${self.name} is longer than its counts say")

    def _take(self, count: int, dtype: str | np.dtype) -> np.ndarray:
        dtype = np.dtype(self.swap + dtype) if isinstance(dtype, str) else dtype
        last = self.at + count * dtype.itemsize
        if count < 0 or last > len(self.data):
            raise MeshError(f"{self.path}: section ${self.name} ends before its counts say: is the file truncated?")
        values = np.frombuffer(self.data, dtype=dtype, count=count, offset=self.at)
        self.at = last
        return values
