"""What every section of a scenario file is made of: the frozen section, and the numbers a key may be.

Never a word or a boolean in place of a number, never infinite, never beyond what is physical.

The largest values are far beyond any railway; a slip of ten powers ends at the key and not in an overflow elsewhere.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

LARGEST = 10**18


def _not_absurd(value):
    if abs(value) > LARGEST:
        raise ValueError(f"should be at most {LARGEST:.0e} either way")
    return value


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


class Section(BaseModel):
    """A frozen section that refuses unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True, strict=False)
