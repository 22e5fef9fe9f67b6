"""Points of text in two columns: numbers separated by blanks, commas or semicolons.

Lines that start with #, %, ! or, before the first point, with a letter or a quotation mark are skipped.

Verified in tests/contact/test_profiles_files_verified.py.
"""

import re

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.contact.profiles.profile_format import ProfileFormat, ProfilePoints

_EMPTY_FIELD = re.compile(r"[,;]\s*[,;]|^\s*[,;]")
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")


def table_points(reading, table, columns=(0, 1), per_metre=None):
    """ProfilePoints of numbered lines [(int, str)]; columns of y and z in them, per_metre as of the reading if None."""
    rows, path = [], reading.path
    for number, text in table:
        text = text.strip()
        if not text or text[0] in "#%!" or (not rows and (text[0].isalpha() or text[0] in "'\"")):
            continue
        values = numbers_of(path, number, _decimals(reading, number, text), max(columns) + 1)
        rows.append((values[columns[0]], values[columns[1]], number))
    y, z, line = columns_of(path, rows)
    per_metre = per_metre or reading.per_metre
    return ProfilePoints(y / per_metre, z / per_metre, line, str(path))


def _decimals(reading, number, text):
    """One line with decimal points and blanks between its numbers."""
    if _EMPTY_FIELD.search(text):
        raise ScenarioError(f"{reading.path}, line {number}: an empty field in {text[:40]!r}, expected two columns")
    words = text.replace(";", " ").split()
    if reading.decimal == "comma":
        return " ".join(words).replace(",", ".")
    if len(words) > 1 and all(_DECIMAL_COMMA.fullmatch(word) for word in words[:2]):
        raise ScenarioError(
            f"{reading.path}, line {number}: decimal commas in {text[:40]!r}? set {reading.label('decimal')} to comma"
        )
    return text.replace(",", " ").replace(";", " ")


TEXT = ProfileFormat("text", "text in two columns", lambda reading: table_points(reading, enumerate(reading.lines, 1)))


def numbers_of(path, number, text, least=2):
    """Numbers of one line, at least `least`, all finite."""
    try:
        values = [float(word) for word in text.split()]
    except ValueError:
        values = []
    if len(values) < least:
        raise ScenarioError(f"{path}, line {number} must have {least} numbers, got {text[:60]!r}")
    if not np.all(np.isfinite(values[:least])):
        raise ScenarioError(f"{path}, line {number}: a value is not finite: {text[:60]!r}")
    return values


def columns_of(path, rows):
    """y, z and line of rows (y, z, line)."""
    if len(rows) < 5:
        raise ScenarioError(f"{path}: a profile must have 5 points or more, got {len(rows)}")
    y, z, line = np.array(rows, float).T
    return y, z, line.astype(int)
