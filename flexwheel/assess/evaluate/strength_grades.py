"""Steel grades by zone: the one table that `fatigue`, `en13103` and `en13979` judge a stress by.

A table is a file like track/strength/assumed.toml: a [[limit]] for each grade and zone with its source. FKM: of a row
with tensile_mpa the limit is that of forging steel, 0.40 Rm (unless limit_mpa is given), and the mean stress
sensitivity 0.35 Rm / GPa - 0.1; 0.577 of the limit is that in torsion. `stress` says what a limit is for: K times the
nominal stress of a section, which `en13103` forms, or the local stress, which a mesh has; nominal_stress joins them.
A file may ask for one probability of survival: limits that are for another are converted by their scatter, whose
logarithm is normal (`at_survival`), as pyLife does it (src/pylife/materiallaws/woehlercurve.py,
transform_to_failure_probability; src/pylife/utils/functions.py, scattering_range_to_std: TS of DIN 50100:2016).
Source: FKM guideline 2012, table 4.2.1, as the open program pyLife has it (boschresearch/pylife,
src/pylife/strength/fkm_linear/constants.py: fw_s, fw_t, a_M, b_M of "Forg_Steel"); the guideline itself was not read.
"""

from dataclasses import dataclass

import numpy as np
from scipy.stats import norm

from flexwheel.assess.evaluate.fatigue import FatigueLimits
from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import clipped, read_toml
from flexwheel.base.shipped import TRACK

FORM = "a table of limits: a file as docs/strength.md has it, or `assumed`; limits of a standard are an input"
STRESSES = {"nominal": "K times the nominal stress", "local": "the local stress"}
TEXTS, NUMBERS = ("grade", "zone", "source", "stress"), {
    "limit_mpa": (1.0, 5e3), "tensile_mpa": (100.0, 5e3), "torsion_mpa": (1.0, 5e3), "repeated_mpa": (1.0, 5e3),
    "factor": (1.0, 10.0), "survival_percent": (1.0, 99.9999), "scatter": (1.0, 2.0), "size_factor": (0.1, 1.0),
    "surface_factor": (0.1, 2.0),
    "notch_factor": (1.0, 10.0),
}  # fmt: skip
"""Keys of a row; of a number the smallest and largest value."""
ASKED = (50.0, 99.9999)  # [%] survival that a file may ask for


@dataclass(frozen=True)
class ZoneLimit:
    """What a grade bears in a zone."""

    grade: str
    zone: str
    limits: FatigueLimits  # [Pa] size, surface and notch contained, S not
    factor: float  # S
    survival: float  # [%] of the limits; nan: not stated
    source: str
    stress: str = "local"  # of STRESSES: what the limits are for
    section: tuple | None = None  # diameter, bore [m], K of the axle's section that nominal limits are for

    @property
    def permissible(self):
        """Amplitude [Pa] permitted about mean stress 0, S contained."""
        return self.permitted().bending

    def permitted(self):
        """FatigueLimits with S contained."""
        limits = (self.limits.bending, self.limits.torsion, self.limits.repeated_bending)
        return FatigueLimits(*(limit / self.factor for limit in limits))

    def utilisation(self, amplitude):
        """Share of the permissible amplitude that an amplitude about mean stress 0 [Pa] takes; 1 is the limit."""
        return np.asarray(amplitude, dtype=float) / self.permissible

    def words(self):
        """One line: grade, zone, permissible stress and where it is from."""
        survival = "" if np.isnan(self.survival) else f", survival {self.survival:g} %"
        return (
            f"{self.grade} {self.zone}: {self.limits.bending / 1e6:.4g} MPa / S {self.factor:g} = "
            f"{self.limits.bending / self.factor / 1e6:.4g} MPa of {STRESSES[self.stress]}{survival} ({self.source})"
        )


def at_survival(stated, scatter, asked):
    """Limit at a probability of survival [%] over that at another; scatter: limit of 10 % over that of 90 %."""
    apart = (norm.ppf(0.01 * asked) - norm.ppf(0.01 * stated)) / (2.0 * norm.ppf(0.9))
    return float(scatter**-apart)


def verdict(utilisation, error=0.0, corner=0.0):
    """holds, EXCEEDED, or open: the estimated error of the stress passes the limit, or at a corner [rad] without a
    radius, where the stress of a mesh is that of its elements alone."""
    if corner > 0.0:
        return "open"
    error = 0.0 if np.isnan(error) else error
    return "EXCEEDED" if utilisation > 1.0 else "open" if utilisation * (1.0 + error) > 1.0 else "holds"


def zone_limit(table, grade, zone, stress=None) -> ZoneLimit:
    """Limit of a zone from `read_grades`; stress: the one of STRESSES that it must be for.

    Raises
    ------
    ScenarioError    no such row, or one for another stress
    """
    if grade is None:
        raise ScenarioError(f"--grade must be one of {', '.join(dict.fromkeys(of for of, _ in table))}")
    if (grade, zone) not in table:
        known = ", ".join(f"{g} {z}" for g, z in table)
        raise ScenarioError(f"grade {clipped(grade)}, zone {clipped(zone)} must be a row of --grades: {known}")
    if stress is not None and table[grade, zone].stress != stress:
        raise ScenarioError(f'--grades: {grade} {zone} must be for {STRESSES[stress]} here: stress = "{stress}"')
    return table[grade, zone]


def read_grades(name) -> dict:
    """(grade, zone) -> ZoneLimit of a file, or of the shipped one by its name.

    Raises
    ------
    ScenarioError    naming file, row and key
    """
    if name is None:
        raise ScenarioError(f"--grades must name {FORM}")
    path = TRACK / "strength" / f"{name}.toml" if str(name) == "assumed" else name
    data = read_toml(path, "a TOML file of limits by grade and zone")
    rows = data.get("limit")
    asked, known = data.get("survival_percent"), {"limit"} | ({"survival_percent"} & set(data))
    if set(data) != known or not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        got = clipped(", ".join(data))
        raise ScenarioError(f"{path} must have [[limit]] rows, survival_percent and nothing else, got {got}")
    if asked is not None and not _number(asked, *ASKED):
        low, high = ASKED
        raise ScenarioError(f"{path}: survival_percent must be {low:g} to {high:g}, got {clipped(repr(asked))}")
    table = {}
    for k, row in enumerate(rows, 1):
        limit = _limit(f"{path}, limit {k}", row, asked)
        if (limit.grade, limit.zone) in table:
            raise ScenarioError(f"{path}, limit {k}: a second row of {limit.grade} {limit.zone}")
        for other in table.values():
            if other.grade == limit.grade and abs(other.survival - limit.survival) > 1e-9:  # not where unstated
                raise ScenarioError(
                    f"{path}: limits of {limit.grade} must be for one survival, got {other.survival:g} % "
                    f"({other.zone}) and {limit.survival:g} % ({limit.zone}); survival_percent at the top, with "
                    "scatter, converts them"
                )
        table[limit.grade, limit.zone] = limit
    return table


def _number(value, low, high):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and low <= value <= high


def _limit(place, row, asked=None):
    """ZoneLimit of a row of the file, at the survival [%] that the file asks for."""
    for key, value in row.items():
        if key not in TEXTS and key not in NUMBERS:
            raise ScenarioError(f"{place}: {clipped(key)} must be one of {', '.join((*TEXTS, *NUMBERS))}")
        low, high = NUMBERS.get(key, (0.0, 0.0))
        if not (_number(value, low, high) if key in NUMBERS else isinstance(value, str) and value.strip()):
            asked = f"a number from {low:g} to {high:g}" if key in NUMBERS else "text"
            raise ScenarioError(f"{place}: {key} must be {asked}, got {clipped(repr(value))}")
    missing = [key for key in (*TEXTS, "factor") if key not in row]
    if not missing and row["stress"] not in STRESSES:
        raise ScenarioError(f"{place}: stress must be one of {', '.join(STRESSES)}, got {clipped(row['stress'])}")
    if missing == ["stress"]:
        what = "; ".join(f"{key} (a limit of {of})" for key, of in STRESSES.items())
        raise ScenarioError(f"{place} must have stress: {what}")
    if missing or not ("limit_mpa" in row or "tensile_mpa" in row):
        raise ScenarioError(f"{place} must have {missing[0] if missing else 'limit_mpa or tensile_mpa'}")
    tensile = row.get("tensile_mpa")
    bending = row.get("limit_mpa", 0.40 * (tensile or 0.0))
    sensitivity = None if tensile is None else max(0.35e-3 * tensile - 0.1, 0.0)
    repeated = row.get("repeated_mpa", None if sensitivity is None else bending / (1.0 + sensitivity))
    survival, scatter = float(row.get("survival_percent", np.nan)), row.get("scatter")
    if asked is not None and survival != asked and (np.isnan(survival) or scatter is None):
        raise ScenarioError(f"{place} must have survival_percent and scatter, to be converted to {asked:g} %")
    scale = 1.0 if asked is None or survival == asked else at_survival(survival, scatter, asked)
    scale *= 1e6 * row.get("size_factor", 1.0) * row.get("surface_factor", 1.0) / row.get("notch_factor", 1.0)
    others = (None if value is None else scale * value for value in (row.get("torsion_mpa"), repeated))
    try:
        limits = FatigueLimits.of_bending(scale * bending, *others)
    except ScenarioError as error:
        raise ScenarioError(f"{place}: {error}") from None
    if asked is not None:
        survival = float(asked)
    return ZoneLimit(row["grade"], row["zone"], limits, float(row["factor"]), survival, row["source"], row["stress"])


def given_limit(bending_mpa) -> ZoneLimit:
    """ZoneLimit of an amplitude in rotating bending [MPa] that the user permits."""
    low, high = NUMBERS["limit_mpa"]
    if not low <= bending_mpa <= high:
        raise ScenarioError(f"permissible bending (--bending-mpa) must be {low:g} to {high:g} MPa, got {bending_mpa:g}")
    return ZoneLimit("given", "any", FatigueLimits.of_bending(1e6 * bending_mpa), 1.0, np.nan, "given")
