"""Friction by a table over place, rail and region, falling with the sliding velocity; linear between places.

Verified in tests/extensions/test_friction_table_verified.py.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import clipped, read_text
from flexwheel.base.variables import SIDES
from flexwheel.contact.friction.law import FrictionLaw
from flexwheel.extensions.friction.falling import falling_friction
from flexwheel.extensions.friction.regional import ANGLES, share_of_face
from flexwheel.numerics.kernels import kernel

REGIONS = ("top", "gauge_face")
RANGES = {"friction": (0.0, 1.5), "limit_ratio": (0.0, 1.0), "decay_s_m": (0.0, 100.0)}
"""Columns of numbers of a region, with their ranges; without the last two the coefficient does not fall."""
WORDS = {"rail": SIDES, "region": REGIONS}
WIDTH = 1 + len(REGIONS) * len(RANGES)
"""Numbers of a row: place [m], and those of each region."""


@kernel
def tabulated_friction(friction, numbers, sliding):
    """Coefficient, and its derivative by the sliding velocity [s/m]; rows of WIDTH behind the two angles."""
    low, high = 0, (numbers.size - 2) // WIDTH - 1
    while high - low > 1:
        middle = (low + high) // 2
        if numbers[2 + WIDTH * middle] > sliding.place:
            high = middle
        else:
            low = middle
    a, b = 2 + WIDTH * low, 2 + WIDTH * high
    way = numbers[b] - numbers[a]
    t = min(max((sliding.place - numbers[a]) / way, 0.0), 1.0) if way > 0.0 else 0.0
    share = share_of_face(numbers, sliding.angle)
    found, slope = 0.0, 0.0
    for part in range(4):
        row, face = a if part < 2 else b, part % 2
        weight = (t if part > 1 else 1.0 - t) * (share if face == 1 else 1.0 - share)
        first = row + 1 + 3 * face
        value, by_velocity = falling_friction(numbers[first], numbers[first + 1 : first + 3], sliding)
        found += weight * value
        slope += weight * by_velocity
    return found, slope


class _Line(NamedTuple):
    """A line of the file."""

    place: float
    words: dict
    values: list


def read_friction(path):
    """Rows (n, WIDTH) of the left and of the right rail.

    Columns of the file, by its header: friction, and any of place_m (rising), rail (left, right), region (top,
    gauge_face), limit_ratio and decay_s_m. A rail or region that no line names has the lines without one.

    Raises
    ------
    ScenarioError    naming file and line
    """
    header, lines = None, []
    for number, text in enumerate(read_text(path, "a table of friction").splitlines(), 1):
        cells = [cell.strip() for cell in text.split("#")[0].split(",")]
        if cells == [""]:
            continue
        if header is None:
            header, known = cells, ("place_m", *WORDS, *RANGES)
            if "friction" not in header or len({*header}) < len(header) or not {*header} <= {*known}:
                columns = f"friction, and any of {', '.join(name for name in known if name != 'friction')}"
                raise ScenarioError(f"{path}:{number}: the header must name {columns}, got {clipped(repr(text))}")
        else:
            lines.append(_line(f"{path}:{number}", header, cells))
    rows = [[_over_place(path, lines, rail, region) for region in REGIONS] for rail in SIDES]
    for side, (top, face) in enumerate(rows):
        places = np.union1d(top[:, 0], face[:, 0])
        columns = [np.interp(places, one[:, 0], one[:, k]) for one in (top, face) for k in range(1, one.shape[1])]
        rows[side] = np.column_stack([places, *columns])
    return rows


def _line(where, header, cells):
    """A line of as many cells as the header."""
    if len(cells) != len(header):
        raise ScenarioError(f"{where} must have {len(header)} cells, as the header, got {len(cells)}")
    given = dict(zip(header, cells, strict=True))
    words = {name: given.get(name, "") for name in WORDS}
    for name, word in words.items():
        if word not in ("", *WORDS[name]):
            raise ScenarioError(
                f"{where}: {name} must be {' or '.join(WORDS[name])} or empty, got {clipped(repr(word))}"
            )
    numbers = {"place_m": 0.0, "limit_ratio": 1.0, "decay_s_m": 0.0}
    for name in ("place_m", *RANGES):
        low, high = RANGES.get(name, (-1e7, 1e7))
        try:
            numbers[name] = float(given.get(name) or numbers.get(name, ""))
        except ValueError:
            numbers[name] = np.nan
        if not low <= numbers[name] <= high:
            raise ScenarioError(f"{where}: {name} must be {low:g} to {high:g}, got {clipped(repr(given[name]))}")
    return _Line(numbers["place_m"], words, [numbers[name] for name in RANGES])


def _over_place(path, lines, rail, region):
    """Place and values (n, 4) of the lines of a rail and region, those that name them before those that do not."""
    for name, wanted in (("rail", rail), ("region", region)):
        named = [line for line in lines if line.words[name] == wanted]
        lines = named or [line for line in lines if not line.words[name]]
    if not lines:
        raise ScenarioError(f"{path} must have a line for rail {rail}, region {region}, or one without")
    table = np.array([[line.place, *line.values] for line in lines])
    if np.any(np.diff(table[:, 0]) <= 0.0):
        raise ScenarioError(f"{path}: place_m must rise, of rail {rail}, region {region}; for a step, 1 mm apart")
    return table


TABLE = FrictionLaw(
    name="table",
    meaning="of contact.friction_file, by place, rail and region",
    keys=ANGLES,
    coefficient=tabulated_friction,
    largest=lambda friction, values: float(max(values[3::WIDTH].max(), values[6::WIDTH].max())),
    rows=read_friction,
)
