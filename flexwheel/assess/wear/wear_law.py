"""Wear laws: material lost by the friction energy of a cell or of a whole patch, or by sliding under pressure.

A law is a file of track/wear, or one like it: every number with unit, source and confidence.

- energy_per_area: lost depth by the friction energy of a cell, in pieces that are straight lines
- energy_per_patch: lost volume by the friction energy T-gamma of the patch, likewise; it lies where the energy is spent
- sliding: Archard, depth = k p s / H of a cell that slides by s under p; k by regions of sliding speed and pressure, of
  which the first one holds

Sources stand at the numbers. Verified in tests/assess/test_wear_verified.py.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import clipped, exists, read_toml
from flexwheel.base.shipped import TRACK

PER_AREA, PER_PATCH, SLIDING = 0, 1, 2
KINDS = {"energy_per_area": PER_AREA, "energy_per_patch": PER_PATCH, "sliding": SLIDING}
_MICROGRAM_PER_M_MM2 = 1e-3  # [kg/m3] one ug/m/mm2, which over the density is a depth by a way
_AREA = np.pi * 1e-12  # [m3/m] of a wheel that loses 1 mm2/km of its cross-section, by its diameter [mm]


class LawTable(NamedTuple):
    """A wear law as kernels take it; SI."""

    kind: int
    start: np.ndarray  # (n,) [Pa] energy per area and way, or [N] energy per way, where a piece begins
    constant: np.ndarray  # (n,) [m/m] depth, or [m3/m] volume
    slope: np.ndarray  # (n,) of it by the energy
    slip: np.ndarray  # (m,) [m/s] upper end of each region
    pressure: np.ndarray  # (m,) [Pa] likewise
    softness: np.ndarray  # (m,) [1/Pa] k over the hardness


@dataclass(frozen=True)
class WearLaw:
    """A wear law and what is said of its numbers."""

    name: str
    title: str
    table: LawTable
    labels: tuple[str, ...]  # lines `key = value unit: source (confidence)`


def wear_law(name) -> WearLaw:
    """Law by the name of a shipped one (brr, jendel, usfd), or by the path of a file like them.

    Raises
    ------
    ScenarioError    naming file and key: no such law, a key that is missing or unknown, another unit, no number
    """
    path = Path(name) if str(name).endswith(".toml") else TRACK / "wear" / f"{name}.toml"
    if not str(name).endswith(".toml") and not (str(name).isidentifier() and exists(path)):
        known = ", ".join(sorted(p.stem for p in (TRACK / "wear").glob("*.toml")))
        raise ScenarioError(
            f"wear law must be one of {known} or the path of a .toml file, got {clipped(repr(str(name)))}"
        )
    data = read_toml(path, "a TOML file of a wear law")
    kind = data.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise ScenarioError(f"{path}: kind must be one of {', '.join(KINDS)}, got {clipped(repr(kind))}")
    reader = _Entries(path)
    table = _sliding(reader, data) if kind == "sliding" else _energy(reader, data, KINDS[kind])
    return WearLaw(path.stem, str(data.get("title", path.stem)), table, tuple(reader.labels))


class _Entries:
    """Reads {value, unit, source, confidence} and keeps what is said of each."""

    def __init__(self, path):
        self.path, self.labels = path, []

    def keys(self, table, where, known):
        """Refuse what is no table, and keys that are not known."""
        if not isinstance(table, dict):
            raise ScenarioError(f"{self.path}: {where} must be a table, got {clipped(repr(table))}")
        for key in table:
            if key not in known:
                at = f"{where}.{key}" if where else key
                raise ScenarioError(f"{self.path}: unknown key {at}; known: {', '.join(known)}")

    def rows(self, data, name):
        """The tables of a list."""
        rows = data.get(name)
        if not isinstance(rows, list) or not rows:
            raise ScenarioError(f"{self.path}: at least one table [[{name}]] must be given")
        return rows

    def number(self, table, key, where, unit, *, least=-1e30, default=None):
        """Value of an entry in its unit."""
        at = f"{where}.{key}" if where else key
        entry = table.get(key)
        if entry is None and default is not None:
            return default
        if not isinstance(entry, dict) or set(entry) != {"value", "unit", "source", "confidence"}:
            came = "nothing" if entry is None else clipped(repr(entry))
            raise ScenarioError(f"{self.path}: {at} must be {{ value, unit, source, confidence }}, got {came}")
        value = entry["value"]
        if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= 1e30:
            raise ScenarioError(f"{self.path}: {at}.value must be a number >= {least:g}, got {clipped(repr(value))}")
        if entry["unit"] != unit:
            raise ScenarioError(f"{self.path}: {at}.unit must be {unit!r}, got {clipped(repr(entry['unit']))}")
        self.labels.append(f"{at} = {value:g} {unit}: {entry['source']} ({entry['confidence']})")
        return float(value)


def _energy(reader, data, kind):
    """LawTable of an energy law."""
    area = kind == PER_AREA
    reader.keys(data, "", ("kind", "title", "piece", *(("density",) if area else ())))
    units = ("N/mm2", "ug/m/mm2", "ug/m/N") if area else ("N", "mm3/km", "mm3/km/N")
    density = reader.number(data, "density", "", "kg/m3", least=1.0) if area else 1.0
    rows = np.zeros((len(reader.rows(data, "piece")), 3))
    for i, piece in enumerate(data["piece"]):
        where = f"piece {i + 1}"
        reader.keys(piece, where, ("from", "constant", "slope"))
        for c, (key, unit) in enumerate(zip(("from", "constant", "slope"), units, strict=True)):
            rows[i, c] = reader.number(piece, key, where, unit)
    if rows[0, 0] != 0.0 or np.any(np.diff(rows[:, 0]) <= 0.0):
        raise ScenarioError(
            f"{reader.path}: piece: the first must have from = 0, each further one a larger from, got "
            + ", ".join(f"{value:g}" for value in rows[:, 0])
        )
    ends = np.append(rows[1:, 0], np.inf)
    for i, (begin, constant, slope) in enumerate(rows):
        last = constant + slope * ends[i] if slope else constant
        if min(constant + slope * begin, last) < 0.0:
            raise ScenarioError(
                f"{reader.path}: piece {i + 1}: wear must be >= 0 from {begin:g} to {ends[i]:g}, got constant = "
                f"{constant:g} and slope = {slope:g}; a wheel would gain material"
            )
    per_energy = 1e-6 if area else 1.0
    scale = _MICROGRAM_PER_M_MM2 / density if area else _AREA
    none = np.zeros(0)
    return LawTable(
        kind, rows[:, 0] / per_energy, rows[:, 1] * scale, rows[:, 2] * scale * per_energy, none, none, none
    )


def _sliding(reader, data):
    """LawTable of Archard's law."""
    reader.keys(data, "", ("kind", "title", "hardness", "region"))
    hardness = reader.number(data, "hardness", "", "Pa", least=1e6)
    rows = np.zeros((len(reader.rows(data, "region")), 3))
    for i, region in enumerate(data["region"]):
        where = f"region {i + 1}"
        reader.keys(region, where, ("slip_below", "pressure_below", "k"))
        rows[i, 0] = reader.number(region, "slip_below", where, "m/s", least=0.0, default=np.inf)
        rows[i, 1] = hardness * reader.number(region, "pressure_below", where, "hardness", least=0.0, default=np.inf)
        rows[i, 2] = reader.number(region, "k", where, "1", least=0.0) / hardness
    if not np.all(np.isinf(rows[-1, :2])):
        raise ScenarioError(
            f"{reader.path}: region {len(rows)}, the last, must be without slip_below and pressure_below, got "
            + " and ".join(key for key in ("slip_below", "pressure_below") if key in data["region"][-1])
        )
    none = np.zeros(0)
    slip, pressure, softness = (np.ascontiguousarray(column) for column in rows.T)
    return LawTable(SLIDING, none, none, none, slip, pressure, softness)
