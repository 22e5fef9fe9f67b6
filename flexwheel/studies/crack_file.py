"""The file of `flexwheel crack`: bar, crack, material, load."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import clipped, read_toml
from flexwheel.studies.crack_factors import ROUND_BAR, CrackFactors, read_factors
from flexwheel.studies.crack_growth import LAWS, rate

NUMBERS = {
    "diameter_mm": (20.0, 500.0), "depth_mm": (0.05, 500.0), "half_length_mm": (0.05, 1e3),
    "end_depth_mm": (1e-3, 500.0), "inspections": (1, 100), "node": (1, 10**9), "c": (1e-40, 1.0), "n": (0.5, 20.0),
    "toughness_mpa_sqrt_m": (10.0, 500.0), "threshold_mpa_sqrt_m": (0.0, 50.0), "p": (0.0, 5.0), "q": (0.0, 5.0),
    "alpha": (1.0, 3.0), "smax_over_flow": (0.0, 0.99), "cth_plus": (-5.0, 10.0), "cth_minus": (-5.0, 10.0),
    "intrinsic_mm": (0.0, 1.0), "amplitude_mpa": (0.0, 2e3), "mean_mpa": (-2e3, 2e3), "cycles_per_km": (1e-12, 1e6),
}  # fmt: skip
"""Least and largest value of every number; whole where both are."""
LOOK_AT, MEDIAN, SLOPE, APART = 20.0, 5.86e-8, 2.88, 1000.0**0.5
"""Range of K [MPa sqrt(m)], growth per cycle [m] of steel in air there, its exponent, and the factor about it that is
believed: half of the 1000 that c for mm a cycle is off (for MPa sqrt(mm) more), 6 standard deviations of ln c.
Source: JCSS Probabilistic Model Code, part 3, fatigue, table of the random variables (github JCSS-PMC/PMC,
part-03/fatigue.md): A2 in air lognormal, mean 5.86e-13 for mm and N/mm^1.5, V = 0.60, m2 = 2.88, R of 0.5 and more."""
LEAST_AMPLITUDE = 1.0  # [MPa] of the largest block
TEXTS = ("factors", "factors_source", "collective", "law", "source")
TABLES = {
    "": (("diameter_mm", "depth_mm", "half_length_mm", "material"),
         ("end_depth_mm", "inspections", "node", "factors", "factors_source", "collective", "block")),
    "block": (("amplitude_mpa", "cycles_per_km"), ("mean_mpa",)),
}  # fmt: skip
"""Table -> keys that it must have, and that it may have; [material] by its law."""


class CrackFile(NamedTuple):
    """What a file of `flexwheel crack` says."""

    diameter: float  # [m]
    start: tuple[float, float]  # [m] depth, half length
    end: float | None  # [m] depth
    inspections: int | None
    law: str
    material: dict  # constants and source
    factors: CrackFactors
    blocks: np.ndarray  # (b, 3) range, mean [MPa], cycles per km; empty where a collective says it
    collective: Path | None
    node: int | None


def read_crack(path) -> CrackFile:
    """CrackFile of a TOML file.

    Raises
    ------
    ScenarioError    naming file, key, what came and what was expected
    """
    data = read_toml(path, "a TOML file of a crack")
    _check(data, path, "", *TABLES[""])
    material = data["material"]
    law = material.get("law") if isinstance(material, dict) else None
    if law not in LAWS:
        raise ScenarioError(f"{path}: material.law must be one of {', '.join(LAWS)}, got {clipped(repr(law))}")
    _check(material, path, "material", ("law", "source", *LAWS[law]), ())
    blocks = data.get("block", [])
    if ("collective" in data) == bool(blocks) or ("collective" in data) != ("node" in data):
        raise ScenarioError(f"{path} must have either [[block]] or collective and node")
    if not isinstance(blocks, list) or not all(isinstance(block, dict) for block in blocks):
        raise ScenarioError(f"{path}: block must be tables [[block]], got {clipped(repr(blocks))}")
    for k, block in enumerate(blocks, 1):
        _check(block, path, f"block {k}", *TABLES["block"])
    if blocks and max(block["amplitude_mpa"] for block in blocks) < LEAST_AMPLITUDE:
        raise ScenarioError(f"{path}: amplitude_mpa must be {LEAST_AMPLITUDE:g} or more in one block at least")
    _check_rate(path, law, material)
    if ("factors" in data) != ("factors_source" in data):
        raise ScenarioError(f"{path} must have factors and factors_source together")
    place, factors = Path(path).parent, ROUND_BAR
    if "factors" in data:
        factors = read_factors(place / Path(data["factors"]).expanduser(), data["factors_source"])
    diameter, depth, half = (1e-3 * float(data[key]) for key in ("diameter_mm", "depth_mm", "half_length_mm"))
    end = 1e-3 * float(data["end_depth_mm"]) if "end_depth_mm" in data else None
    last = float(factors.depths[-1]) * diameter
    if not depth < min(last, end or last):
        raise ScenarioError(
            f"{path}: depth_mm must be below end_depth_mm and {factors.depths[-1]:g} diameter_mm, got {1e3 * depth:g}"
        )
    if depth > half:
        raise ScenarioError(
            f"{path}: half_length_mm must be depth_mm = {1e3 * depth:g} or more (a/c up to 1), got {1e3 * half:g}"
        )
    return CrackFile(
        diameter, (depth, half), end, data.get("inspections"), law, material, factors,
        np.array([[2.0 * b["amplitude_mpa"], b.get("mean_mpa", 0.0), b["cycles_per_km"]] for b in blocks], float),
        place / Path(data["collective"]).expanduser() if "collective" in data else None, data.get("node"),
    )  # fmt: skip


def _check_rate(path, law, material):
    """Refuse constants of a law whose growth is of another unit."""
    k = min(LOOK_AT, 0.5 * material["toughness_mpa_sqrt_m"])
    usual = MEDIAN * (k / LOOK_AT) ** SLOPE
    found, low, high = float(rate(law, material, k, 0.0, 1e-2)), usual / APART, usual * APART
    if found > 0.0 and not low <= found <= high:
        raise ScenarioError(
            f"{path}: material.c and n must give {low:.2g} to {high:.2g} m a cycle, as steels do, at a range of K of "
            f"{k:g} MPa sqrt(m) and R = 0, got {found:.2g}: c must be for m and MPa sqrt(m)"
        )


def _check(table, path, name, needed, free):
    """Refuse keys that a table has not, lacks or that are no numbers in range, no texts."""
    where = f"{path}: {name}." if name else f"{path}: "
    for key, value in table.items():
        if key not in needed and key not in free:
            raise ScenarioError(f"{where}{clipped(key)} must be one of {', '.join((*needed, *free))}")
        if key in TEXTS and not (isinstance(value, str) and value.strip()):
            raise ScenarioError(f"{where}{key} must be text, got {clipped(repr(value))}")
        if key in NUMBERS:
            low, high = NUMBERS[key]
            kinds = int if isinstance(low, int) else (int, float)
            if isinstance(value, bool) or not isinstance(value, kinds) or not low <= value <= high:
                raise ScenarioError(f"{where}{key} must be {low:g} to {high:g}, got {clipped(repr(value))}")
    for key in needed:
        if key not in table:
            raise ScenarioError(f"{path} must have {name + '.' if name else ''}{key}")
