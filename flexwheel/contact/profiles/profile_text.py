"""Points of text in two columns: numbers separated by blanks, commas or semicolons.

Lines that start with #, %, ! or a letter before the first point are skipped.

Verified in tests/contact/test_profiles_files_verified.py.
"""

import re

from flexwheel.base.errors import ScenarioError
from flexwheel.contact.profiles.profile_format import ProfileFormat, ProfilePoints, columns_of, numbers_of

_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")


def table_points(reading, table, columns=(0, 1), per_metre=None):
    """ProfilePoints of numbered lines [(int, str)]; columns of y and z in them, per_metre as of the reading if None."""
    rows, path = [], reading.path
    for number, text in table:
        text = text.strip()
        if not text or text[0] in "#%!" or (not rows and text[0].isalpha()):
            continue
        values = numbers_of(path, number, _decimals(reading, number, text), max(columns) + 1)
        rows.append((values[columns[0]], values[columns[1]], number))
    y, z, line = columns_of(path, rows)
    per_metre = per_metre or reading.per_metre
    return ProfilePoints(y / per_metre, z / per_metre, line, str(path))


def _decimals(reading, number, text):
    """One line with decimal points and blanks between its numbers."""
    words = text.replace(";", " ").split()
    if reading.decimal == "comma":
        return " ".join(words).replace(",", ".")
    if len(words) > 1 and all(_DECIMAL_COMMA.fullmatch(word) for word in words[:2]):
        raise ScenarioError(
            f"{reading.path}, line {number}: decimal commas in {text[:40]!r}? set {reading.label('decimal')} to comma"
        )
    return text.replace(",", " ").replace(";", " ")


TEXT = ProfileFormat("text", "text in two columns", lambda reading: table_points(reading, enumerate(reading.lines, 1)))
