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
_ALL_COMMAS = re.compile(r"[+-]?\d+(,[+-]?\d+){3}")
_QUOTED_NUMBERS = re.compile(r"""(["'][-+.,\deE ]+["'][\s,;]*){2,}""")
_COMPARED = 50  # lines whose decimals the last line must have, where they are equal
_SEEN_TWICE = 3  # points that stand twice far apart in a file; a closed section has one


def table_points(reading, table, columns=(0, 1), per_metre=None):
    """ProfilePoints of numbered lines [(int, str)]; columns of y and z in them, per_metre as of the reading if None."""
    rows, texts, path = [], [], reading.path
    for number, text in table:
        text = text.strip()
        text = re.sub("[\"']", "", text) if _QUOTED_NUMBERS.fullmatch(text) else text
        if not text or text[0] in "#%!" or (not rows and (text[0].isalpha() or text[0] in "'\"")):
            continue
        text = _decimals(reading, number, text)
        values = numbers_of(path, number, text, max(columns) + 1)
        rows.append((values[columns[0]], values[columns[1]], number))
        texts.append(text)
    if rows and _decimals_of(texts[-1:]) < _decimals_of(texts[-_COMPARED:-1]):
        raise ScenarioError(
            f"{path}, line {rows[-1][2]}: fewer decimals than in lines before, got {texts[-1][:40]!r}; is it cut off?"
        )
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
    if len(words) > 1 and any(_DECIMAL_COMMA.fullmatch(word) for word in words):
        raise ScenarioError(
            f"{reading.path}, line {number}: decimal commas in {text[:40]!r}? set {reading.label('decimal')} to comma"
        )
    if _ALL_COMMAS.fullmatch(text):
        raise ScenarioError(
            f"{reading.path}, line {number}: decimal commas between commas in {text[:40]!r}? separate the columns by "
            f"semicolons or blanks, and set {reading.label('decimal')} to comma"
        )
    return text.replace(",", " ").replace(";", " ")


TEXT = ProfileFormat("text", "text in two columns", lambda reading: table_points(reading, enumerate(reading.lines, 1)))


def _decimals_of(texts):
    """Number of decimals of each number, where all lines have equally many, or ()."""
    found = {tuple(map(len, re.findall(r"\.(\d*)", text))) for text in texts}
    return found.pop() if len(found) == 1 else ()


def plain_number(word):
    """float of a word; Python's underscores between digits are a ValueError, as no instrument writes them."""
    if "_" in word:
        raise ValueError(word)
    return float(word)


def numbers_of(path, number, text, least=2):
    """Numbers of one line, at least `least`, all finite."""
    try:
        values = [plain_number(word) for word in text.split()]
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
    _, first, point = np.unique(np.stack([y, z]), axis=1, return_index=True, return_inverse=True)
    again = np.flatnonzero(np.arange(y.size) - first[point.ravel()] > y.size // 4)
    if again.size >= _SEEN_TWICE:
        raise ScenarioError(
            f"{path}, line {int(line[again[0]])}: the point of line {int(line[first[point.ravel()[again[0]]]])} again, "
            f"as {again.size - 1} more; expected one section once"
        )
    return y, z, line.astype(int)
