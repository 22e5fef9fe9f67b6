"""Files a user names, at the door: a regular file, UTF-8 text, TOML; whatever else it is ends in one line."""

import hashlib
import os
import stat
import tomllib
from pathlib import Path

from flexwheel.base.errors import FlexwheelError, ScenarioError

LARGEST_TEXT = 2**30
"""[byte] of a text file; a table of 5 million rows has less."""
LARGEST_TOML = 2**24
"""[byte] of a TOML file."""
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
)


def regular_file(path, expected: str = "a file", error: type[FlexwheelError] = ScenarioError) -> Path:
    """Path of a regular file that exists; ~ is the home folder.

    A device or pipe would be read until memory ends, or block.

    Parameters
    ----------
    path : str or Path
    expected : str          what the message says was expected, e.g. "a scenario in TOML"
    error : type            raised where it is anything else, does not exist or has a name no file can have
    """
    path = expanded(path, error)
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        raise error(f"{shown(path)} must be {expected}, but there is no such file") from None
    except (OSError, ValueError) as problem:
        raise error(f"{shown(path)} must be {expected}, but cannot be read: {_reason(problem)}") from None
    for test, kind in _KINDS:
        if test(mode):
            raise error(f"{shown(path)} must be {expected}, but is {kind}")
    return path


def expanded(path, error: type[FlexwheelError] = ScenarioError) -> Path:
    """Path with ~ put in; refused where it is empty or names a user who does not exist."""
    if not str(path):
        raise error("a file name must not be empty")
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise error(f"{shown(path)}: no user has this name; write ./{shown(path)} for a file of that name") from None


def exists(path: Path) -> bool:
    """Whether there is a file of that name that `regular_file` would take; a name no file can have is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def read_text(path, expected: str = "a text file", error: type[FlexwheelError] = ScenarioError, largest=LARGEST_TEXT):
    """Text of a regular UTF-8 file, without a byte order mark.

    Raises
    ------
    error   naming file, and the byte and line that are not UTF-8
    """
    path = regular_file(path, expected, error)
    try:
        size = path.stat().st_size
        if size > largest:
            raise error(f"{shown(path)} must be {expected} of at most {largest / 1e6:.0f} MB, got {size / 1e6:.0f} MB")
        data = path.read_bytes()
    except OSError as problem:
        raise error(f"{shown(path)} must be {expected}, but cannot be read: {_reason(problem)}") from None
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise error(f"{shown(path)} must be UTF-8 text, but is UTF-16; save it as UTF-8")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise error(
            f"{shown(path)}:{line}: byte {problem.start} (0x{data[problem.start]:02x}) is not UTF-8 text; save the "
            "file as UTF-8"
        ) from None


def parse_toml(text: str, path, error: type[FlexwheelError] = ScenarioError) -> dict:
    """Tables of a TOML text; `path` names it in messages."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise error(f"{shown(path)}: not valid TOML: {problem}") from None
    except RecursionError:
        raise error(f"{shown(path)}: not valid TOML: arrays or tables nested too deep") from None
    except ValueError as problem:  # a whole number of more digits than Python reads, a day that does not exist
        raise error(f"{shown(path)}: not valid TOML: {str(problem).split(';')[0]}") from None


def read_toml(path, expected: str = "a TOML file", error: type[FlexwheelError] = ScenarioError) -> dict:
    """Tables of a TOML file."""
    return parse_toml(read_text(path, expected, error, LARGEST_TOML), path, error)


def shown(path) -> str:
    """Path as a message can print it: one line, at most 200 characters."""
    return clipped("".join(c if c.isprintable() else "?" for c in str(path)), 200)


def clipped(text: str, longest=100) -> str:
    """Text with its middle left out where it is longer than that."""
    half = (longest - 3) // 2
    return text if len(text) <= longest else f"{text[:half]}...{text[-half:]}"


def _reason(problem):
    return getattr(problem, "strerror", None) or str(problem)


LARGEST_FACTOR = 100.0  # by which a value may be off


def off_by(entry, where):
    """The `factor` of a table { value, ..., factor }, None where it has none.

    Raises ScenarioError where it is not a number above 1.
    """
    factor = entry.get("factor")
    if factor is None:
        return None
    if isinstance(factor, bool) or not isinstance(factor, int | float) or not 1.0 < factor <= LARGEST_FACTOR:
        raise ScenarioError(
            f"{where}.factor must be a number above 1, at most {LARGEST_FACTOR:g}, got {clipped(repr(factor))}"
        )
    return float(factor)


def digest(data):
    """SHA-256 of a text or of bytes, hexadecimal."""
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()
