"""Keys of a study file: the scenario, what is varied and how, the figures that are taken of every run."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, model_validator

from flexwheel.base.shipped import EXAMPLES
from flexwheel.run.keys.section import Finite, Flag, NamesFile, Positive, Section, Title, Whole

SAMPLINGS = ("grid", "together", "one_at_a_time", "latin_hypercube")
STATISTICS = {
    "vertical_mean": "N", "vertical_max": "N", "lateral_max": "N", "quotient_max": "1", "sum_lateral_max": "N",
}  # fmt: skip
"""What `of = "safety"` can take, and its unit: Q and Y after 20 Hz, |Y/Q| and |sum Y| as means over 2 m."""
REDUCTIONS = ("max", "min", "mean", "std", "rms", "abs_max", "range", "percentile", "third_octaves", "damage_per_km")
OF_ONE = {
    "percent": "percentile", "lowest_hz": "third_octaves", "highest_hz": "third_octaves",
    "bending_mpa": "damage_per_km", "slope": "damage_per_km",
}  # fmt: skip
"""Keys of a figure that one reduction alone reads."""
SAFETY, UTILISATION = "safety", "utilisation"
STUDY_NAME = "study.nc"
MOST_RUNS = 100_000
RESERVED = ("run", "status", "message", "seconds", "cpu_seconds", "band")
"""Names that a study's results have of themselves."""


def _no_reserved_name(name):
    if name in RESERVED:
        raise ValueError(f"must be none of {', '.join(RESERVED)}")
    return name


Name = Annotated[str, Field(pattern=r"^\w[\w .,+()|-]*$", max_length=60), AfterValidator(_no_reserved_name)]
"""A name in a netCDF file and in the name of a picture."""


class StudySection(Section):
    """Which scenario, and how its keys are varied."""

    title: Title = ""
    scenario: Annotated[str, NamesFile((EXAMPLES,))] = Field(
        description="scenario of any kind, beside the study file or among the shipped examples"
    )
    set: tuple[str, ...] = Field((), description="section.key=value of every run, as --set")
    sampling: Literal[SAMPLINGS] = Field(
        "grid",
        description="grid: every value with every other; together: first values, second values ..; one_at_a_time: the "
        "scenario as it is, then each value alone; latin_hypercube: `runs` points that fill all ranges evenly",
    )
    runs: Annotated[Whole | None, Field(ge=1, le=MOST_RUNS)] = Field(None, description="number of points")
    seed: Annotated[Whole, Field(ge=0, le=2**32 - 1)] = Field(1, description="number that fixes the Latin hypercube")
    keep_results: Flag = Field(False, description="keep results.nc of every run, in runs/NUMBER")

    @model_validator(mode="after")
    def _runs_of_a_hypercube(self):
        if (self.sampling == "latin_hypercube") != (self.runs is not None):
            raise ValueError("runs belongs to sampling = 'latin_hypercube', which needs it")
        if "seed" in self.model_fields_set and self.runs is None:
            raise ValueError("seed belongs to sampling = 'latin_hypercube'")
        return self


class VaryTable(Section):
    """One thing that is varied: a key, or several that take the same value."""

    key: str | tuple[str, ...] = Field(
        description="key of the scenario with dots (track.layout.2.radius_m), or of the vehicle's file after "
        "`vehicle.` (vehicle.bodies.car_body.mass_kg); a list of keys takes the same value everywhere"
    )
    name: Name | None = Field(None, description="name in the results; default: last part of the key")
    values: tuple[Any, ...] | None = Field(None, description="values in order, numbers or words")
    low: Finite | None = Field(None, description="lower end of a range, in place of values")
    high: Finite | None = Field(None, description="upper end")
    count: Annotated[Whole, Field(ge=2, le=MOST_RUNS)] = Field(
        5, description="values from low to high; a Latin hypercube takes the range itself"
    )
    log: Flag = Field(False, description="even steps of the ratio from low to high, in place of the difference")

    @model_validator(mode="after")
    def _values_or_range(self):
        if not self.keys:
            raise ValueError("key is empty")
        given = self.low is not None, self.high is not None
        if (self.values is not None) == any(given) or any(given) != all(given):
            raise ValueError("give values, or low and high")
        if self.values is not None and not self.values:
            raise ValueError("values is empty")
        if all(given) and not self.low < self.high:
            raise ValueError(f"low = {self.low:g} must be below high = {self.high:g}")
        if self.log and not (self.low or 0.0) > 0.0:
            raise ValueError("log needs low above 0")
        return self

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that take the value."""
        return (self.key,) if isinstance(self.key, str) else self.key

    @property
    def label(self) -> str:
        """What it is called in results."""
        return self.name or self.keys[0].rpartition(".")[2]


class FigureTable(Section):
    """One figure that is taken of every run, over its samples after settling."""

    name: Name | None = Field(None, description="name of the figure; default: made of `of` and `take`")
    of: str = Field(
        description="variable of the results (docs/results.md); safety: forces and quotients after EN 14363"
    )
    where: dict[str, str | int] = Field(
        {}, description='labels that are taken, e.g. { force = "Q", wheel = "front left" }'
    )
    take: str = Field(
        "max",
        description=f"{', '.join(REDUCTIONS)} of a variable (damage_per_km: of `stress`, by rainflow on the critical "
        f"plane); of safety {', '.join(STATISTICS)}, or {UTILISATION}: estimated maxima over limits",
    )
    percent: Annotated[float, Field(ge=0.0, le=100.0)] = Field(99.85, description="percentage of the percentile")
    lowest_hz: Positive = Field(10.0, le=5e3, description="band")
    highest_hz: Positive = Field(1250.0, le=2e4, description="band")
    worst: Flag = Field(
        False, description="true: the largest of all wheels, nodes and so on; false: one value for each"
    )
    bending_mpa: Positive | None = Field(
        None, le=1e4, description="permissible amplitude in rotating bending of damage_per_km, to be given"
    )
    slope: Positive = Field(
        5.0,
        ge=1.0,
        le=50.0,
        description="exponent of the Woehler curve above its knee at 2e6 cycles; the default is assumed",
    )

    @model_validator(mode="after")
    def _known(self):
        known = (*STATISTICS, UTILISATION) if self.of == SAFETY else REDUCTIONS
        if self.take not in known:
            raise ValueError(f"take: {self.take!r} of {self.of} must be one of {', '.join(known)}")
        if self.take == "damage_per_km" and self.of != "stress":
            raise ValueError(f"damage_per_km is taken of stress, got of = {self.of!r}")
        if self.take == "damage_per_km" and self.bending_mpa is None:
            raise ValueError("bending_mpa must be given for damage_per_km: no steel is assumed")
        for key, take in OF_ONE.items():
            if key in self.model_fields_set and take != self.take:
                raise ValueError(f"{key} is not read with take = {self.take!r}; it belongs to {take}")
        if self.lowest_hz > self.highest_hz:
            raise ValueError("lowest_hz lies above highest_hz")
        return self

    @property
    def label(self) -> str:
        """What it is called in results."""
        picked = " ".join(str(value) for value in self.where.values())
        return self.name or " ".join(part for part in (self.of, picked, self.take) if part)


class StudyFile(Section):
    """A study."""

    study: StudySection
    vary: tuple[VaryTable, ...] = Field(min_length=1, max_length=50, description="what is varied, in order")
    figure: tuple[FigureTable, ...] = Field(
        (
            FigureTable(of=SAFETY, take="vertical_max", worst=True),
            FigureTable(of=SAFETY, take="quotient_max", worst=True),
            FigureTable(of=SAFETY, take="sum_lateral_max", worst=True),
        ),
        description="what is taken of every run; default, for vehicles: largest Q, |Y/Q| and |sum Y| of any wheel",
    )

    @model_validator(mode="after")
    def _names_differ(self):
        for part, items in (("vary", self.vary), ("figure", self.figure)):
            names = [item.label for item in items]
            own = next((name for name in names if name in RESERVED), None)
            if own is not None:
                raise ValueError(f"{part}: {own!r} is a name that results use; give another name")
            twice = next((name for name in names if names.count(name) > 1), None)
            if twice is not None:
                raise ValueError(f"{part}: {twice!r} twice; give a name to one of them")
        taken = next((v.label for v in self.vary if v.label in [f.label for f in self.figure]), None)
        if taken is not None:
            raise ValueError(f"vary and figure: {taken!r} is the name of both")
        return self
