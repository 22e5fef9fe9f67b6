"""Tables of rolling-radius difference from text files."""

import csv
from pathlib import Path

import numpy as np

from flexwheel.assess.conicity import DeltaR
from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import read_text

_SCALES = {"mm": 1e-3, "m": 1.0}


def read_delta_r(path, case=None):
    """Rolling-radius difference from a CSV or text file.

    Two columns, lateral shift and difference of the rolling radii, separated by commas, semicolons or blanks. A
    header names them y_mm and delta_r_mm, or y_m and delta_r_m; without header they are in mm. A further column
    `case` distinguishes several tables in one file. Lines starting with # are skipped.

    Parameters
    ----------
    path : str or Path
    case : str or None     value of the column `case`; needed when there is more than one

    Returns
    -------
    DeltaR                 sorted by y

    Raises
    ------
    ScenarioError          naming file and line
    """
    path = Path(path)
    lines = read_text(path, "a table of y and delta r").split("\n")
    rows = [(n, _split(text)) for n, text in enumerate(lines, 1) if text.strip() and not text.lstrip().startswith("#")]
    if not rows:
        raise ScenarioError(f"{path}: is empty")
    columns, rows = _columns(path, rows)
    y_at, r_at, scale, case_at = columns
    cases = sorted({words[case_at] for _, words in rows if len(words) > case_at}) if case_at is not None else []
    if case is not None and case not in cases:
        raise ScenarioError(f"{path}: no case {case!r}" + (f", it has {', '.join(cases)}" if cases else ""))
    if case is None and len(cases) > 1:
        raise ScenarioError(f"{path}: has the cases {', '.join(cases)}; choose one with --case")
    values = []
    for number, words in rows:
        if case is not None and words[case_at] != case:
            continue
        try:
            values.append((float(words[y_at]), float(words[r_at])))
        except (ValueError, IndexError):
            raise ScenarioError(f"{path}, line {number} must be two numbers, got {' '.join(words)[:60]!r}") from None
        if not np.all(np.isfinite(values[-1])):
            raise ScenarioError(f"{path}, line {number}: a value is not finite")
    if len(values) < 3:
        raise ScenarioError(
            f"{path}: a table of rolling-radius difference must have 3 points or more, got {len(values)}"
        )
    table = scale * np.array(values)
    table = table[np.argsort(table[:, 0], kind="stable")]
    return DeltaR(table[:, 0], table[:, 1])


def _split(text):
    """Words of one line; a comma, semicolon or blanks between them."""
    for separator in (";", ","):
        if separator in text:
            return [word.strip() for word in next(csv.reader([text], delimiter=separator))]
    return text.split()


def _columns(path, rows):
    """Places of y and delta r, their scale to metres, place of the case; and the rows without header."""
    number, header = rows[0]
    if not any(word.isidentifier() for word in header) or len(rows) == 1:
        return (0, 1, 1e-3, None), rows
    for unit, scale in _SCALES.items():
        if f"y_{unit}" in header and f"delta_r_{unit}" in header:
            case_at = header.index("case") if "case" in header else None
            return (header.index(f"y_{unit}"), header.index(f"delta_r_{unit}"), scale, case_at), rows[1:]
    raise ScenarioError(
        f"{path}, line {number}: columns must be y_mm, delta_r_mm or y_m, delta_r_m, got {', '.join(header)[:80]}"
    )
