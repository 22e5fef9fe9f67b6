"""What a key of a scenario is declared with: type, range, default, description, when it acts, what is usual.

A section of the file is a class, a key one of its fields. Its declaration is the one place of a key: the reader, the
check, docs/scenario.md, the JSON schema and the walk of the keys (tests/fuzz) read it from there. The unit is the end
of the key's name.

A number is never a word or a flag, never infinite, never beyond what is physical: the largest values are far beyond any
railway, so that a slip of ten powers ends at the key and not in an overflow elsewhere.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, ClassVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, create_model

import flexwheel
from flexwheel.base.option import above_another
from flexwheel.base.shipped import MESHES, TRACK

LARGEST = 10**18
VEHICLES = Path(flexwheel.__file__).resolve().parent / "vehicle" / "files"
"""Folder of the shipped vehicles, profiles of the real-time core and parts of trains."""


@dataclass(frozen=True)
class Only:
    """A key, or all keys of a section, that are read only where another key has one of some values."""

    # dotted key; one that starts with a dot stands in the section of the key itself. A rule whose deciding key the kind
    # of scenario does not have does not hold for it
    decides: str
    read: tuple | Callable  # values beside which the key is read, or a test of the value
    remedy: str = ""  # what to do for it to be read; made from `read` where that is a tuple
    nothing: tuple = ()  # values of the key itself that ask for nothing and may stand beside anything


@dataclass(frozen=True)
class Usual:
    """Range beyond which a value is more likely a slip than a wish: a warning of the run."""

    low: float
    high: float
    reason: str
    of: str = ""  # key of a section for which it stands


@dataclass(frozen=True)
class NamesFile:
    """The value, or each of a list of values, is the name of a file.

    One with a folder or an ending in its name is looked for beside the scenario, in the working folder and in
    `folders`; other words are left to what reads them.
    """

    folders: tuple[Path, ...] = (MESHES, TRACK)


@dataclass(frozen=True)
class TablesOf:
    """The value holds tables of a train's parts; each is checked against one of these sections when it is used."""

    sections: tuple[type[BaseModel], ...]


def _not_absurd(value):
    if abs(value) > LARGEST:
        raise ValueError(f"must be between -{LARGEST:.0e} and {LARGEST:.0e}")
    return value


def retired(reasons):
    """Refusal of values that were allowed once; reasons: value -> what holds now."""

    def refuse(value):
        if isinstance(value, str) and value in reasons:
            raise ValueError(reasons[value])
        return value

    return BeforeValidator(refuse)


Flag = Annotated[bool, Field(strict=True)]
Number = Annotated[float, Field(strict=True, allow_inf_nan=False), AfterValidator(_not_absurd)]
Whole = Annotated[int, Field(strict=True), AfterValidator(_not_absurd)]
Positive = Annotated[Number, Field(gt=0.0)]
NonNegative = Annotated[Number, Field(ge=0.0)]
Finite = Number
Place = Annotated[Number, Field(ge=-1e6, le=1e6)]  # [m] along a line of 1000 km
Length = Annotated[Number, Field(gt=0.0, le=1e6)]  # [m]
Stiffness = Annotated[Number, Field(gt=0.0, le=1e15)]  # [N/m, N m/rad]; steel of a metre's size has 1e11
Damping = Annotated[Number, Field(ge=0.0, le=1e12)]  # [N s/m, N m s/rad]
Mass = Annotated[Number, Field(gt=0.0, le=1e7)]  # [kg, kg m2]
Modulus = Annotated[Number, Field(ge=1e6, le=1e13)]  # [Pa]; rubber has 1e7, diamond 1e12
Share = Annotated[Number, Field(ge=0.0, le=1.0)]
CheckpointSpacing = Annotated[Number, Field(ge=0.0, le=1e7)]  # [s]
Assumed = Annotated[
    dict[str, str],
    Field(description="keys of this file whose values are assumed, each with its reason; printed by the run"),
]
Title = Annotated[str, Field(description="one line that names the run in pictures and results")]


def within(low, high):
    """Numbers from low to high."""
    return Annotated[Number, Field(ge=low, le=high)]


def checkpoint_key(default):
    """Field of a [run] section's `checkpoint_s`."""
    return Field(
        default,
        description="simulated time between checkpoints; a run that was killed continues from the last one (flexwheel "
        "run --resume); 0: none, also not where a run is interrupted",
    )


class Section(BaseModel):
    """A frozen section that refuses unknown keys; ONLY holds for all of its keys but the one that decides."""

    ONLY: ClassVar[Only | None] = None

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True, strict=False)


def number_key(option, *rules):
    """Annotation of the key of a base.option.Option; rules: Only and the like."""
    usual = (Usual(*option.usual),) if option.usual else ()
    bounds = Field(ge=option.low, le=option.high)
    text = option.meaning + (f", at most `{option.most}`" if option.most else "")
    text += f"; default {option.source}" if option.source else ""
    return Annotated[(Number, bounds, *usual, *rules, Field(option.default, description=text))]


def section_of(name, options, meaning, *rules):
    """Annotation and field of a section that has the keys of Options."""
    keys = {option.name: (number_key(option), option.default) for option in options}
    made = create_model(name, __base__=Section, __module__=__name__, __doc__=f"Keys of the {meaning}.", **keys)

    def in_order(section):
        if wrong := above_another(options, section.model_dump()):
            raise ValueError(wrong)
        return section

    return Annotated[(made, AfterValidator(in_order), *rules)], Field(made(), description=meaning)


def whole_multiple(output_step, step, name="step_s"):
    """Refuse a spacing of samples that is no whole multiple of the step."""
    ratio = output_step / step
    if ratio < 0.999 or abs(ratio - round(ratio)) > 1e-6 * ratio:
        raise ValueError(f"output_step_s must be a whole multiple of {name}, got {ratio:g} times it")


UNITS = {
    "kmh": "km/h", "m_s2": "m/s2", "m_s": "m/s", "mm_s": "mm/s", "ns_m": "N s/m", "kns_m": "kN s/m",
    "n_m": "N/m", "kn_mm": "kN/mm", "nm_rad": "N m/rad", "nms_rad": "N m s/rad", "kg_m2": "kg m2", "kg_m3": "kg/m3",
    "mm_kn": "mm, kN", "s_km": "s/km", "s_m": "s/m", "1_s": "1/s", "1_km": "1/km", "permille": "permille",
    "bays": "bays", "deg": "deg", "bar": "bar", "db": "dB", "pa": "Pa", "hz": "Hz", "kw": "kW", "kn": "kN", "kg": "kg",
    "nm": "N m", "mm": "mm", "m": "m", "s": "s", "n": "N", "t": "t",
}  # fmt: skip
"""Ends of key names -> unit, a longer end before one that it ends in."""


def unit_of(key: str) -> str:
    """Unit of a key by its name; "" for a pure number, a word or a table."""
    return next((unit for end, unit in UNITS.items() if key.endswith(f"_{end}")), "")


def section_in(annotation) -> type[Section] | None:
    """The section inside a type such as tuple[LayoutSegment, ...] or dict[str, WheelsetSection]; None where none is."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for a in getattr(annotation, "__args__", ()) if (found := section_in(a)) is not None), None)
