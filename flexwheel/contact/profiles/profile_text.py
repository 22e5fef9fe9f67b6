"""Points of a profile file: two-column text, the .prw/.prr lists of CONTACT and Simpack, or MiniProf.

Verified in tests/contact/test_profiles_files_verified.py.
"""

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import regular_file
from flexwheel.contact.profiles.miniprof import is_miniprof, split_miniprof

_VARIABLE = (".slcs", ".slcw")
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")
_IGNORED = (
    "version",
    "type",
    "approx.smooth",
    "file",
    "file.mtime",
    "comment",
    "point.dist.min",
    "units.len",
    "units.ang",
)
_BOUNDS = ("bound.y.min", "bound.y.max", "bound.z.min", "bound.z.max")
_NUMBERS = ("shift.y", "shift.z", "rotate", "mirror.y", "mirror.z", "inversion", "units.len.f", "units.ang.f")


@dataclass(frozen=True)
class ProfilePoints:
    """Points as the file has them, its header keys applied."""

    y: np.ndarray  # (n,) [m]
    z: np.ndarray  # (n,) [m]
    line: np.ndarray  # (n,) line of the file each point came from
    source: str  # path of the file


def read_points(path, *, unit="mm", decimal="point", label=str) -> ProfilePoints:
    """Points of a profile file in metres.

    A .prw or .prr file has its own unit (`units.len.f`, user units per metre; `unit` counts when it is missing)
    and its own mirror.y, mirror.z, shift, rotate and inversion, which are applied. Any other file is text with
    two numbers a line, separated by blanks, commas or semicolons; lines starting with #, %, ! or a letter before
    the first point are skipped. A MiniProf file (`miniprof`) has its own header and, if it says so, its own unit.

    Parameters
    ----------
    path : str or Path
    unit : str             "mm" or "m", of the numbers in the file
    decimal : str          "point" or "comma"; with commas, numbers are separated by blanks or semicolons
    label : callable       name of an option as the user gives it

    Raises
    ------
    ScenarioError          unreadable file, a line that is not two numbers, an unknown header key or unit
    """
    path = Path(path)
    if unit not in ("mm", "m"):
        raise ScenarioError(f"{path}: {label('unit')} = {unit!r}, expected 'mm' or 'm'")
    if decimal not in ("point", "comma"):
        raise ScenarioError(f"{path}: {label('decimal')} = {decimal!r}, expected 'point' or 'comma'")
    if path.suffix.lower() in _VARIABLE:
        raise ScenarioError(
            f"{path}: a variable profile (slices along the track or round the wheel) is not supported; "
            "give one section of it as a .prr, .prw or text file"
        )
    lines = _lines(path)
    if path.suffix.lower() in (".prw", ".prr"):
        return _point_list(path, lines, 1000.0 if unit == "mm" else 1.0)
    table, columns = enumerate(lines, start=1), (0, 1)
    if is_miniprof(path, lines):
        _, table, columns, own = split_miniprof(path, lines)
        unit = own or unit
    per_metre = 1000.0 if unit == "mm" else 1.0
    rows = []
    for number, text in table:
        text = text.strip()
        if not text or text[0] in "#%!" or (not rows and text[0].isalpha()):
            continue
        values = _numbers(path, number, _decimals(path, number, text, decimal, label), max(columns) + 1)
        rows.append((values[columns[0]], values[columns[1]], number))
    y, z, line = _columns(path, rows)
    return ProfilePoints(y / per_metre, z / per_metre, line, str(path))


def _lines(path):
    """Lines of a text file; its header may hold letters of an old code page."""
    path = regular_file(path, "a profile file")
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


def _decimals(path, number, text, decimal, label):
    """One line with decimal points and blanks between its numbers."""
    words = text.replace(";", " ").split()
    if decimal == "comma":
        return " ".join(words).replace(",", ".")
    if len(words) > 1 and all(_DECIMAL_COMMA.fullmatch(word) for word in words[:2]):
        raise ScenarioError(f"{path}, line {number}: decimal commas in {text[:40]!r}? set {label('decimal')} to comma")
    return text.replace(",", " ").replace(";", " ")


def _point_list(path, lines, per_metre):
    """Points of a .prw/.prr file with its keys applied."""
    keys, rows, inside = {}, [], False
    for number, text in enumerate(lines, start=1):
        text = text.split("!")[0].strip()
        if not text or text in ("header.begin", "header.end", "spline.begin", "spline.end"):
            continue
        if text in ("point.begin", "point.end"):
            inside = text == "point.begin"
        elif inside:
            rows.append((*_numbers(path, number, text)[:2], number))
        elif "=" in text:
            key, value = (part.strip() for part in text.split("=", 1))
            if key in _NUMBERS or key in _BOUNDS:
                keys[key] = _numbers(path, number, value, least=1)[0]
            elif key not in _IGNORED:
                raise ScenarioError(f"{path}, line {number}: unknown key {key!r} in the profile's header")
        else:
            raise ScenarioError(f"{path}, line {number}: expected 'key = value', got {text!r}")
    y, z, line = _columns(path, rows)
    scale = keys.get("units.len.f", per_metre)
    if not scale > 0.0:
        raise ScenarioError(f"{path}: units.len.f = {scale:g}, expected user units per metre, 1000 for mm")
    for axis, column in (("y", y), ("z", z)):
        low, high = keys.get(f"bound.{axis}.min", 0.0), keys.get(f"bound.{axis}.max", 0.0)
        if low < high:
            keep = (column >= low) & (column <= high)
            y, z, line = y[keep], z[keep], line[keep]
            column = column[keep]
    if len(y) < 2:
        raise ScenarioError(f"{path}: its bound.* keys leave {len(y)} points")
    y, z = y + keys.get("shift.y", 0.0), z + keys.get("shift.z", 0.0)
    angle = keys.get("rotate", 0.0) / (keys.get("units.ang.f", 1.0) or 1.0)
    y, z = np.cos(angle) * y - np.sin(angle) * z, np.sin(angle) * y + np.cos(angle) * z
    y = -y if keys.get("mirror.y", 0.0) == 1.0 else y
    z = -z if keys.get("mirror.z", 0.0) == 1.0 else z
    if keys.get("inversion", 0.0) == 1.0:
        y, z, line = y[::-1], z[::-1], line[::-1]
    return ProfilePoints(y / scale, z / scale, line, str(path))


def _numbers(path, number, text, least=2):
    """Numbers of one line, at least `least`, all finite."""
    try:
        values = [float(word) for word in text.split()]
    except ValueError:
        values = []
    if len(values) < least:
        raise ScenarioError(f"{path}, line {number}: expected {least} numbers, got {text[:60]!r}")
    if not np.all(np.isfinite(values[:least])):
        raise ScenarioError(f"{path}, line {number}: a value is not finite: {text[:60]!r}")
    return values


def _columns(path, rows):
    if len(rows) < 5:
        raise ScenarioError(f"{path}: a profile must have 5 points or more, got {len(rows)}")
    y, z, line = np.array(rows, float).T
    return y, z, line.astype(int)
