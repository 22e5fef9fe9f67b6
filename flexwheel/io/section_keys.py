"""What every section of a scenario file is made of: the frozen section, and numbers with a sign."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

Positive = Annotated[float, Field(gt=0.0, allow_inf_nan=False)]
NonNegative = Annotated[float, Field(ge=0.0, allow_inf_nan=False)]
Finite = Annotated[float, Field(allow_inf_nan=False)]


class Section(BaseModel):
    """A frozen section that refuses unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True, strict=False)
