"""Keys of the section [roundness]: deviation of each wheel's radius over its turn."""

from typing import Annotated

from pydantic import Field

from flexwheel.run.keys.section import Finite, Flag, NamesFile, NonNegative, Only, Positive, Section, Usual, Whole

DEEP = Usual(0.0, 5.0, "a wheel is taken out of service before")
SHARP = Only(".rounded", (True,), "leave it out: the depth of a sharp flat is that of its chord")


class WheelOrder(Section):
    """One order of a polygon."""

    order: Annotated[Whole, Field(ge=1, le=1000)] = Field(description="number of waves round the wheel")
    amplitude_mm: Annotated[NonNegative, DEEP] = Field(le=20.0, description="amplitude of the deviation of the radius")
    phase_deg: Finite = Field(0.0, description="phase lag at the point that touches the rail at the start")


class WheelFlat(Section):
    """A flat."""

    length_mm: Annotated[Positive, Usual(5.0, 120.0, "EN 15313 takes wheels out at 60 mm")] = Field(
        le=400.0, description="length along the tread"
    )
    depth_mm: Annotated[NonNegative | None, SHARP, DEEP] = Field(
        None, le=20.0, description="depth of a rounded flat; default: length^2/(16 radius)"
    )
    angle_deg: Finite = Field(
        0.0, description="angle that the wheel turns from the start until the middle of the flat meets the rail"
    )
    rounded: Flag = Field(True, description="edges worn round (a haversine), or sharp: the chord of a fresh flat")


class RoundnessSection(Section):
    """Deviation of one wheel's radius over its turn, positive where it is larger; all parts add up."""

    orders: tuple[WheelOrder, ...] = Field((), description="orders with amplitude and phase")
    flats: tuple[WheelFlat, ...] = Field((), description="flats")
    file: Annotated[str | None, NamesFile()] = Field(
        None,
        description="CSV table: header angle_deg,deviation_mm (or _um, _m), angles rising from 0 and below 360, "
        "counted as the wheel turns from where it first stands on the rail",
    )
