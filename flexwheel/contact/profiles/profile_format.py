"""Profile formats: how points come out of a file of one, and which format a file has.

A format is found by the file's suffix, else by its first lines, else the file is text in two columns. One from outside
is an entry point in the group "flexwheel.profile_formats".
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import regular_file
from flexwheel.base.registry import Registry

PER_METRE = {"mm": 1000.0, "m": 1.0, "in": 1.0 / 0.0254}
"""Units of length of profile files."""


@dataclass(frozen=True)
class ProfilePoints:
    """Points as the file has them, its header keys applied."""

    y: np.ndarray  # (n,) [m]
    z: np.ndarray  # (n,) [m]
    line: np.ndarray  # (n,) line of the file each point came from
    source: str  # path of the file
    ignored: tuple[str, ...] = ()  # keys of its header that ask for something and are not applied, with their values


@dataclass(frozen=True)
class ProfileReading:
    """A file that is to be read, and what the user says of it."""

    path: Path
    unit: str = "mm"  # of PER_METRE, of the numbers in the file; a unit of the file's own goes first
    decimal: str = "point"  # "point" or "comma"; with commas, numbers are separated by blanks or semicolons
    label: Callable[[str], str] = str  # name of an option as the user gives it

    @property
    def per_metre(self):
        """Units in a metre."""
        return PER_METRE[self.unit]

    @cached_property
    def lines(self):
        """Lines of a text file; its header may hold letters of an old code page."""
        path = regular_file(self.path, "a profile file")
        try:
            data = path.read_bytes()
        except OSError as error:
            raise ScenarioError(f"{path}: cannot be read as a profile file: {error}") from error
        if b"\0" in data:
            raise ScenarioError(f"{path}: cannot be read as a profile file: it is not text")
        try:
            return data.decode("utf-8-sig").splitlines()
        except UnicodeDecodeError:
            return data.decode("latin-1").splitlines()


@dataclass(frozen=True)
class ProfileFormat:
    """A format of profile files; found through PROFILE_FORMATS."""

    name: str
    meaning: str  # one line, for documents
    points: Callable[[ProfileReading], ProfilePoints]  # raises ScenarioError with the file and line
    suffixes: tuple[str, ...] = ()  # of its files, lower case
    looks_like: Callable[[list[str]], bool] = lambda lines: False  # (lines) -> whether they are of this format
    # of a list of sections along the track: (place [m] from the list's station, file), ascending; disagreements
    slices: Callable[[ProfileReading], tuple[tuple[tuple[float, str], ...], tuple[tuple[str, str], ...]]] | None = None


PROFILE_FORMATS = Registry("profile format", "flexwheel.profile_formats", ProfileFormat, "text")


def read_points(path, *, unit="mm", decimal="point", label=str) -> ProfilePoints:
    """Points of a profile file in metres.

    Parameters
    ----------
    path : str or Path
    unit, decimal, label    as of ProfileReading

    Raises
    ------
    ScenarioError           unreadable file, what its format refuses
    """
    path = Path(path)
    for name, value, known in (("unit", unit, PER_METRE), ("decimal", decimal, ("point", "comma"))):
        if value not in known:
            raise ScenarioError(f"{path}: {label(name)} must be one of {', '.join(known)}, got {value!r}")
    reading, suffix = ProfileReading(path, unit, decimal, label), path.suffix.lower()
    formats = PROFILE_FORMATS.values()
    by_suffix = next((item for item in formats if suffix in item.suffixes), None)
    chosen = by_suffix or next((item for item in formats if item.looks_like(reading.lines)), PROFILE_FORMATS["text"])
    return chosen.points(reading)
