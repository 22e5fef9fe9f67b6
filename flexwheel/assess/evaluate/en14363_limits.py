"""Limits of the quantities of EN 14363: rows of a file like those of track/limits, each with its source.

The standard was not read. Default is the file `read`, which has what public texts state; `assumed` is a form.
"""

from dataclasses import dataclass

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import clipped, read_toml
from flexwheel.base.shipped import TRACK
from flexwheel.results.evaluate.en14363 import VEHICLE_FACTORS

READ, ASSUMED = "read", "assumed"
INSTABILITY, UNLOADING = "instability", "unloading"
"""Quantities that have a limit and are no `Quantity`: rms of sum Y [N], (Q0 - Q)/Q0 of the test on twisted track."""
NUMBERS = ("constant", "per_axle_load", "per_wheel_load", "per_curvature", "at_most", "up_to_kmh")


@dataclass(frozen=True)
class Circumstances:
    """What limits depend on."""

    kind: str = ""  # of vehicle; empty where its file names none
    factor: float = 1.0  # k1 of sum Y
    speed_kmh: float = 0.0
    radius: float = np.inf  # [m] mean of the sections' radii; inf on straight track
    axle_load: float = 0.0  # [N] at rest
    wheel_load: float = 0.0  # [N] at rest


@dataclass(frozen=True)
class LimitRow:
    """A row of the file; SI."""

    quantity: str
    source: str
    kinds: tuple[str, ...] = ()  # of vehicle; empty: all
    constant: float = 0.0
    per_axle_load: float = 0.0
    per_wheel_load: float = 0.0
    per_curvature: float = 0.0  # times 1 m
    at_most: float = np.inf
    up_to_kmh: float = np.inf
    k1: bool = False

    def value(self, c):
        """Largest permitted value under Circumstances."""
        loads = self.per_axle_load * c.axle_load + self.per_wheel_load * c.wheel_load
        whole = self.constant + loads + self.per_curvature / c.radius
        return min((c.factor if self.k1 else 1.0) * whole, self.at_most)


def limit_of(rows, quantity, circumstances=None):
    """(limit, source) of a quantity; nan and "" where no row is of it."""
    c = circumstances or Circumstances()
    for row in rows:
        if row.quantity == quantity and c.speed_kmh <= row.up_to_kmh and (not row.kinds or c.kind in row.kinds):
            return float(row.value(c)), row.source
    return np.nan, ""


def read_limits(name, known) -> tuple[LimitRow, ...]:
    """Rows of a file, or of a shipped one by its name; known: names of the quantities.

    Raises
    ------
    ScenarioError    naming file, row and key
    """
    path = TRACK / "limits" / f"{name}.toml" if str(name) in (READ, ASSUMED) else name
    data = read_toml(path, "a TOML file of limits")
    rows = data.get("limit")
    if set(data) != {"limit"} or not isinstance(rows, list):
        raise ScenarioError(f"{path} must have [[limit]] rows and nothing else, got {clipped(', '.join(data))}")
    return tuple(_row(f"{path}, limit {k}", row, (*known, INSTABILITY, UNLOADING)) for k, row in enumerate(rows, 1))


def _row(place, row, known):
    checks = {
        "quantity": (f"one of {', '.join(known)}", lambda x: x in known),
        "source": ("text", lambda x: isinstance(x, str) and x.strip()),
        "kinds": (
            f"a list of {', '.join(VEHICLE_FACTORS)}",
            lambda x: isinstance(x, list) and x and set(map(str, x)) <= set(VEHICLE_FACTORS),
        ),
        "k1": ("true or false", lambda x: isinstance(x, bool)),
        **dict.fromkeys(NUMBERS, ("a number, 0 or more", _number)),
    }
    if not isinstance(row, dict):
        raise ScenarioError(f"{place} must be a table, got {clipped(repr(row))}")
    for key, value in row.items():
        if key not in checks:
            raise ScenarioError(f"{place}: {clipped(key)} must be one of {', '.join(checks)}")
        if not checks[key][1](value):
            raise ScenarioError(f"{place}: {key} must be {checks[key][0]}, got {clipped(repr(value))}")
    missing = [key for key in ("quantity", "source", "constant") if key not in row]
    if missing:
        raise ScenarioError(f"{place} must have {missing[0]}")
    return LimitRow(**(row | {"kinds": tuple(row.get("kinds", ()))}))


def _number(value):
    return isinstance(value, int | float) and not isinstance(value, bool) and 0.0 <= value < 1e12
