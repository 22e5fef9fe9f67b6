"""Blocks of fixed columns in an Ansys archive: nodes, elements, components, real constants."""

import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.extensions.formats.mesh_text import parse_id, parse_real

_FORMAT = re.compile(r"\((\d+)i(\d+)(?:,(\d+)[eg](\d+)\.\d+(?:e\d+)?)?\)$", re.I)
_MOST_NODES_IN_A_LINE = 8  # of an element, behind its 11 attributes


class CdbElement(NamedTuple):
    """An element of an EBLOCK."""

    number: int
    type: int
    material: int
    constants: int  # set of real constants
    nodes: list[int]
    row: int


class CdbLines:
    """Lines of an archive, read one after the other."""

    def __init__(self, path: Path, lines: list[str]):
        self.path, self.lines, self.row = path, lines, 0
        while self.lines and not self.lines[-1].strip():
            self.lines.pop()

    def at(self, row: int | None = None) -> str:
        """`file:line` of the line read last, or of a row."""
        return f"{self.path}:{self.row if row is None else row}"

    def next(self, what: str) -> str:
        """The next line; what it should belong to."""
        if self.row >= len(self.lines):
            raise MeshError(f"{self.path}: the file ends within {what}: is the file truncated?")
        self.row += 1
        return self.lines[self.row - 1]

    def within(self, what: str) -> str | None:
        """The next line of a block; None where -1 ends it, or a command, which stays to be read."""
        word = self.next(what).strip()
        if word != "-1" and (word[:1].isalpha() or word[:1] in ("/", "*", "!")):
            self.row -= 1
            word = "-1"
        return None if word == "-1" else self.lines[self.row - 1]

    def command(self) -> list[str] | None:
        """Words of the next line that is no comment; None at the end."""
        while self.row < len(self.lines):
            self.row += 1
            line = self.lines[self.row - 1].partition("!")[0].strip()
            if line:
                return line.split(",")
        return None

    def whole(self, words: list[str], place: int) -> int:
        """A whole number of a command."""
        try:
            return parse_id(words[place].strip() if place < len(words) else "")
        except ValueError as error:
            raise MeshError(f"{self.at()}: field {place + 1}: {error}") from None

    def real(self, words: list[str], place: int) -> float:
        """A real of a command."""
        try:
            return parse_real(words[place] if place < len(words) else "")
        except ValueError as error:
            raise MeshError(f"{self.at()}: field {place + 1}: {error}") from None

    def columns(self, what: str) -> tuple[int, int, int]:
        """Count and width of the whole numbers, width of the reals, of a line like (3i9,6e21.13e3)."""
        line = self.next(what)
        found = _FORMAT.match(line.replace(" ", ""))
        if not found or int(found.group(2)) == 0:
            raise MeshError(f"{self.at()}: {what}: '{line.strip()[:40]}' is no format like (3i9,6e21.13e3)")
        return int(found.group(1)), int(found.group(2)), int(found.group(4) or 0)

    def ints(self, line: str, width: int) -> list[int]:
        """Whole numbers of a line in columns."""
        line = line.rstrip()
        try:
            return [parse_id(line[k : k + width]) for k in range(0, len(line), width)]
        except ValueError as error:
            raise MeshError(f"{self.at()}: {error}") from None


def node_block(lines: CdbLines, words: list[str]) -> tuple[list[int], list[list[float]]]:
    """Ids and coordinates of an NBLOCK; those left out at the end of a line are zero."""
    count, width, real_width = lines.columns("NBLOCK")
    if not real_width:
        raise MeshError(f"{lines.at()}: NBLOCK without columns of coordinates")
    ids, places, start = [], [], count * width
    while (line := lines.within("NBLOCK")) is not None:
        try:
            ids.append(parse_id(line[:width]))
            xyz = [parse_real(line[k : k + real_width]) for k in range(start, start + 3 * real_width, real_width)]
        except ValueError as error:
            raise MeshError(f"{lines.at()}: NBLOCK: {error}") from None
        places.append(xyz)
    _check_count(lines, "NBLOCK", words, len(ids))
    return ids, places


def element_block(lines: CdbLines, words: list[str]) -> list[CdbElement]:
    """Elements of an EBLOCK written with SOLID."""
    if len(words) < 3 or words[2].strip().upper() != "SOLID":
        raise MeshError(f"{lines.at()}: EBLOCK without SOLID is not read; write the archive with CDWRITE,DB")
    _, width, _ = lines.columns("EBLOCK")
    found = []
    while (line := lines.within("EBLOCK")) is not None:
        row = lines.row
        numbers = lines.ints(line, width)
        if len(numbers) < 12:
            raise MeshError(f"{lines.at()}: EBLOCK: {len(numbers)} numbers, expected 11 and nodes")
        count = numbers[8]
        nodes = numbers[11 : 11 + _MOST_NODES_IN_A_LINE]
        while len(nodes) < count:
            if (more := lines.within("EBLOCK")) is None:
                break
            nodes += lines.ints(more, width)
        if len(nodes) != count:
            raise MeshError(f"{lines.at(row)}: element {numbers[10]} has {len(nodes)} nodes, expected {count}")
        found.append(CdbElement(numbers[10], numbers[1], numbers[0], numbers[2], nodes, row))
    _check_count(lines, "EBLOCK", words, len(found))
    return found


def integer_block(lines: CdbLines, count: int) -> np.ndarray:
    """Ids of a CMBLOCK of `count` numbers: a negative one ends a range that the one before it begins."""
    _, width, _ = lines.columns("CMBLOCK")
    numbers: list[int] = []
    while len(numbers) < count:
        numbers += lines.ints(lines.next("CMBLOCK"), width)
    if len(numbers) != count:
        raise MeshError(f"{lines.at()}: CMBLOCK has {len(numbers)} numbers, expected {count}")
    ids: list[np.ndarray] = []
    for k, number in enumerate(numbers):
        if number < 0 and (not k or not 0 < numbers[k - 1] <= -number):
            raise MeshError(f"{lines.at()}: CMBLOCK: {number} ends no range")
        first = numbers[k - 1] + 1 if number < 0 else number
        ids.append(np.arange(first, abs(number) + 1))
    return np.unique(np.concatenate(ids or [np.zeros(0, dtype=np.int64)])).astype(np.int64)


def real_sets(lines: CdbLines, words: list[str]) -> dict[int, list[float]]:
    """Real constants by set of an RLBLOCK."""
    _, width, real_width = lines.columns("RLBLOCK")
    lines.next("RLBLOCK")
    found = {}
    for _ in range(lines.whole(words, 1)):
        line = lines.next("RLBLOCK").rstrip()
        number, count = lines.ints(line[: 2 * width], width)[:2] if len(line) > width else (0, -1)
        values, start = [], 2 * width
        while len(values) < count:
            own = line[start : start + (count - len(values)) * real_width]
            try:
                values += [parse_real(own[k : k + real_width]) for k in range(0, max(len(own), 1), real_width)]
            except ValueError as error:
                raise MeshError(f"{lines.at()}: RLBLOCK: {error}") from None
            if len(values) < count:
                line, start = lines.next("RLBLOCK").rstrip(), 0
        if count < 0:
            raise MeshError(f"{lines.at()}: RLBLOCK: '{line[:40]}' names no set")
        found[number] = values
    return found


def _check_count(lines, name, words, found):
    """The last field of the block's command is the count of what it holds."""
    said = words[4].strip() if len(words) > 4 else ""
    if said and said.isdigit() and int(said) != found:
        raise MeshError(f"{lines.at()}: {name} holds {found} records, {int(said)} by its count: is the file truncated?")
