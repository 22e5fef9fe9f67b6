"""Profiles kept as cubic pieces in a CSV file: curve, u_start_m, u_end_m, a, b, c, d."""

from pathlib import Path

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import clipped, read_text
from flexwheel.systems.locomotive.cubic_pieces import checked_pieces


def read_profile_pieces(path):
    """Curves of a file by name.

    Returns
    -------
    dict     name -> CubicPieces

    Raises
    ------
    ScenarioError     naming file and line, or the spline that folds or jumps
    """
    path = Path(path)
    lines = read_text(path, "a file of cubic pieces").split("\n")
    rows = [(n, line) for n, line in enumerate(lines, start=1) if line.strip() and not line.lstrip().startswith("#")]
    pieces = {}
    for number, line in rows[1:]:
        row = line.split(",")
        try:
            name, values = row[0].strip(), [float(x) for x in row[1:7]]
        except (ValueError, IndexError):
            values = []
        if len(values) != 6:
            raise ScenarioError(f"{path}:{number} must be curve, u_start, u_end, a, b, c, d, got {clipped(repr(line))}")
        pieces.setdefault(name, []).append(values)
    result = {}
    for name, values in pieces.items():
        table = np.array(values)
        if not np.allclose(table[1:, 0], table[:-1, 1], rtol=0.0, atol=1e-12):
            at = int(np.abs(table[1:, 0] - table[:-1, 1]).argmax())
            raise ScenarioError(
                f"{path}: curve {name!r}: a piece must start at {table[at, 1]:g} m, where the one before ends, got "
                f"{table[at + 1, 0]:g} m (a spline may not fold)"
            )
        result[name] = checked_pieces(f"{path}: curve {name!r}", np.append(table[:, 0], table[-1, 1]), table[:, 2:])
    return result
