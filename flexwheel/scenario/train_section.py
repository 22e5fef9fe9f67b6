"""Keys of the train around a vehicle that is modelled in detail: section [train] of a scenario."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from flexwheel.scenario.section import Positive, Section, Whole
from flexwheel.scenario.train_keys import DrivingKeys, FormationKeys


class TrainSection(Section):
    """Train around the vehicle: coupler forces, its resistance and its air brake act on its first body.

    The line is that of [track].
    """

    parts: tuple[str, ...] = Field(
        ("train_stock.toml", "train_couplers.toml"), description="files of vehicles, couplers and traction"
    )
    coupler: str = Field("autocoupler", description="coupler between vehicles")
    formation: tuple[FormationKeys, ...] = Field(min_length=1, description="blocks of vehicles from the head")
    place: Annotated[Whole, Field(ge=1)] = Field(description="which vehicle, from 1 at the head, is the detailed one")
    forces: Literal["element", "prescribed"] = Field(
        "element",
        description="element: the train ahead and behind moves with the vehicle, hidden in force elements; prescribed: "
        "coupler forces by time from a run of the train alone",
    )
    coupler_length_m: Positive = Field(1.6, description="between the pivots of two vehicles")
    pivot_height_m: Positive = Field(1.06, description="coupler pivots above the rails")
    neighbours: Literal["alike", "on_centre_line"] = Field(
        "alike", description="whether the neighbours' pivots shift sideways on their springs as this vehicle's do"
    )
    driving: DrivingKeys = Field(description="notch and brake by time or distance, or a speed to hold")
