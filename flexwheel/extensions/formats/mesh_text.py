"""Lines of a mesh file with those of the files it includes, each with the place it comes from."""

import re
import warnings
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.base.input_files import exists, regular_file, shown

LARGEST_MESH = 400_000_000
"""[byte] of a mesh file with what it includes: about 4 million nodes, read within 4 GB."""
DEEPEST_INCLUDE = 16
LARGEST_ID = 2**63 - 1
_NO_DIGITS, _NO_REALS = (str.maketrans("", "", "0123456789, \t" + more) for more in ("", "+-.eE"))


@dataclass
class MeshText:
    """Lines of a file in which every INCLUDE is replaced by the lines it stands for; row 1 is the first line."""

    path: Path
    lines: list[str] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)  # included ones
    ends_open: bool = False  # the last line has no line end
    _first: list[int] = field(default_factory=list)  # first row of a run of lines of one file
    _where: list[tuple[Path, int]] = field(default_factory=list)  # its file, and the number of its first line there

    def at(self, row: int) -> str:
        """`file:line` of a row."""
        if not self._first:
            return f"{self.path}:{row}"
        run = max(bisect_right(self._first, row) - 1, 0)
        path, number = self._where[run]
        return f"{path}:{number + row - self._first[run]}"

    def add(self, path: Path, number: int, lines: list[str]) -> None:
        """Append lines of a file, the first of which is line `number` there."""
        self._first.append(len(self.lines) + 1)
        self._where.append((path, number))
        self.lines += lines


def read_mesh_bytes(path: Path) -> bytes:
    """Content of a mesh file; devices, folders, missing, empty and absurdly large files are refused."""
    path = regular_file(path, "a mesh file", MeshError)
    try:
        size = path.stat().st_size
        if size > LARGEST_MESH:
            raise MeshError(
                f"{shown(path)} must be a mesh of at most {LARGEST_MESH / 1e6:.0f} MB, got {size / 1e6:.0f} MB"
            )
        content = path.read_bytes()
    except OSError as error:
        raise MeshError(f"{shown(path)}: cannot read mesh: {error.strerror or error}") from error
    if not content.strip():
        raise MeshError(f"{shown(path)}: the file is empty")
    return content


def decoded(content: bytes) -> str:
    """Text that is UTF-8, or else Latin-1; line ends as line feeds."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_mesh_text(path: Path, pattern: re.Pattern, name_of: Callable[[list[str]], tuple[str, int]]) -> MeshText:
    """Lines of a mesh file with those of the files it includes.

    Parameters
    ----------
    path : Path
    pattern : re.Pattern            finds the lines that include a file
    name_of : function(lines)       (file name, number of lines the INCLUDE takes) of the lines from such a one on

    Raises
    ------
    MeshError   unreadable, empty or binary; an included file that is missing, includes itself or lies too deep
    """
    text = MeshText(path)
    _append(text, path, pattern, name_of, (), [0])
    return text


def _append(text, path, pattern, name_of, within, total):
    content = read_mesh_bytes(path)
    total[0] += len(content)
    if total[0] > LARGEST_MESH:
        raise MeshError(f"{shown(text.path)}: with what it includes over {LARGEST_MESH / 1e6:.0f} MB")
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise MeshError(f"{shown(path)}: is UTF-16 text; save the file as UTF-8")
    if b"\0" in content:
        raise MeshError(f"{shown(path)}: binary data where text was expected")
    whole = decoded(content)
    lines = whole.split("\n")
    text.ends_open = bool(lines[-1].strip())
    if not lines[-1]:
        lines.pop()
    rows = [whole.count("\n", 0, m.start()) for m in pattern.finditer(whole)]
    start = 0
    for row in rows:
        if row < start:
            continue
        text.add(path, start + 1, lines[start:row])
        name, used = name_of(lines[row : row + 6])
        where = f"{path}:{row + 1}"
        if not name:
            raise MeshError(f"{where}: INCLUDE names no file")
        target = _found(name, (path.parent, text.path.parent), where)
        stack = (*within, path.resolve())
        if target.resolve() in stack:
            raise MeshError(f"{where}: {shown(target)} includes itself")
        if len(stack) > DEEPEST_INCLUDE:
            raise MeshError(f"{where}: files include one another more than {DEEPEST_INCLUDE} deep")
        text.files.append(target)
        _append(text, target, pattern, name_of, stack, total)
        start = row + used
    text.add(path, start + 1, lines[start:])


def _found(name, folders, where):
    for folder in folders:
        if exists(folder / name):
            return folder / name
    for folder in folders:  # a folder, device or pipe of that name: said as it is
        try:
            there = (folder / name).exists()
        except (OSError, ValueError):
            there = False
        if there:
            return regular_file(folder / name, "an included file", MeshError)
    raise MeshError(f"{where}: included file {shown(name)!r} not found beside it")


def parse_id(word: str) -> int:
    """Whole number as files write ids; ValueError on anything else, also on what would not fit 63 bits."""
    if "_" in word:
        raise ValueError(f"'{word.strip()[:40]}' is not a whole number")
    try:
        number = int(word)
    except ValueError:
        raise ValueError(f"'{word.strip()[:40]}' is not a whole number") from None
    if not -LARGEST_ID <= number <= LARGEST_ID:
        raise ValueError(f"id {word.strip()[:40]} is too large, expected at most {LARGEST_ID}")
    return number


def parse_ids(words: list[str]) -> list[int]:
    """As `parse_id`, of a list."""
    try:
        numbers = list(map(int, words))
        if all(-LARGEST_ID <= n <= LARGEST_ID for n in (min(numbers, default=0), max(numbers, default=0))):
            if not any("_" in word for word in words):
                return numbers
    except ValueError:
        pass
    return [parse_id(word) for word in words]


def parse_real(word: str) -> float:
    """Real number with E or D before its exponent; blank is zero; ValueError on anything else."""
    try:
        if "_" not in word:
            return float(word)
    except ValueError:
        pass
    word = word.strip()
    if not word:
        return 0.0
    try:
        if "_" not in word:
            return float(re.sub("[dD]", "e", word))
    except ValueError:
        pass
    raise ValueError(f"'{word[:40]}' is not a number")


def plain_table(lines: list[str], columns: list[tuple]) -> np.ndarray | None:
    """Records of lines of comma-separated numbers, a whole number first; None where any is written otherwise.

    columns: of a structured dtype, reals or whole numbers. What is None is to be read field by field, which also knows
    what is wrong with it.
    """
    whole = all(kind is np.int64 for _, kind, *_ in columns)
    try:
        first = "" if whole else "".join([line.partition(",")[0] for line in lines])
        if "".join(lines).translate(_NO_DIGITS if whole else _NO_REALS) or first.translate(_NO_DIGITS):
            return None
        with warnings.catch_warnings():  # numpy 2.0 takes a whole number that does not fit by way of a float
            warnings.simplefilter("error", DeprecationWarning)
            return np.loadtxt(lines, columns, comments=None, delimiter=",", ndmin=1) if lines else None
    except (ValueError, DeprecationWarning):
        return None
