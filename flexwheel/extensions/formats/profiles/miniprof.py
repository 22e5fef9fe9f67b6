"""Points of a MiniProf file (.whl, .rai, .ban, .mpt): lines `Key=Value`, then a table of points.

Lines like [Header], and a title before the first key, are skipped. Read are XYPOINTS (the number of points, which must
be there), ColumnDef (the columns; X and Y are used) and a unit of length where one is given. The points are taken as
they stand: alignment, gauge and wear that the instrument has written beside them are not applied. MiniProf counts Y
upward, so that such a file usually needs mirror_z.

Verified in tests/contact/test_profiles_files_verified.py.
"""

import re

from flexwheel.base.errors import ScenarioError
from flexwheel.contact.profiles.profile_format import PER_METRE, ProfileFormat
from flexwheel.extensions.formats.profiles.profile_text import table_points

_HEADER = re.compile(r"""\s*([^\s=\[#%!"'][^=]*?)\s*=\s*(.*?)\s*$""")
_NUMBERS = re.compile(r"\s*[-+.,]?\d")
_UNITS = {"mm": "mm", "millimeter": "mm", "millimetre": "mm", "m": "m", "meter": "m", "metre": "m"}
_UNITS |= {"in": "in", "inch": "in", "inche": "in"}


def _looks_like(lines):
    """Whether the first line that is not empty is a header's `Key=Value`."""
    return bool(_HEADER.match(next((line for line in lines if line.strip()), "")))


def split_miniprof(path, lines):
    """Header and table of a MiniProf file.

    Returns
    -------
    keys : dict[str, str]             lower case
    table : list of (int, str)        number and text of each line of the table
    columns : (int, int)              of X and Y in it
    unit : str or None                of PER_METRE, where the file says so

    Raises
    ------
    ScenarioError                     no header, no points, another number of points than XYPOINTS, unknown unit
    """
    keys, table = {}, []
    for number, text in enumerate(lines, start=1):
        found = None if table else _HEADER.match(text)
        if found:
            keys[found[1].lower()] = found[2].strip("\"'")
        elif text.strip() and (table or _NUMBERS.match(text)):
            table.append((number, text))
        elif text.strip() and keys and text.strip()[0] != "[":
            raise ScenarioError(f"{path}, line {number} must be Key=Value or numbers, got {text.strip()[:40]!r}")
    if not keys:
        raise ScenarioError(f"{path}: no line Key=Value at its head; is it a MiniProf file?")
    columns = [name.strip().upper() for name in keys.get("columndef", "X,Y").split(",")]
    if "X" not in columns or "Y" not in columns:
        raise ScenarioError(f"{path}: ColumnDef must have columns X and Y, got {keys['columndef']}")
    stated = keys.get("xypoints")
    if stated is not None and stated.isdecimal() and int(stated) < len(table):
        number, text = table[int(stated)]
        raise ScenarioError(f"{path}, line {number}: more than XYPOINTS={stated} points, got {text.strip()[:40]!r}")
    if stated is not None and (not stated.isdecimal() or int(stated) != len(table)):
        raise ScenarioError(f"{path}: XYPOINTS={stated}, but {len(table)} lines of points follow; is it cut off?")
    return keys, table, (columns.index("X"), columns.index("Y")), _unit(path, keys)


def _unit(path, keys):
    """Unit of length the header states, or None."""
    for name in ("unit", "units", "lengthunit", "unitoflength", "unitofmeasure"):
        if name in keys:
            word = keys[name].lower().rstrip("s")
            if word not in _UNITS:
                raise ScenarioError(f"{path}: {name} must be {', '.join(PER_METRE)}, got {keys[name]}")
            return _UNITS[word]
    return None


def _points(reading):
    _, table, columns, unit = split_miniprof(reading.path, reading.lines)
    return table_points(reading, table, columns, PER_METRE.get(unit))


MINIPROF = ProfileFormat("miniprof", "MiniProf", _points, (".whl", ".rai", ".ban", ".mpt"), _looks_like)
