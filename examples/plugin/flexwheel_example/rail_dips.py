"""Dips in the rail heads, as at worn welds: one cosine each, every so many metres, on both rails or on one."""

from typing import Literal

import numpy as np
from pydantic import Field

from flexwheel.run.keys.section import Positive, Section
from flexwheel.track.excitation import Excitation


class RailDips(Section):
    """Dips in the rail heads at equal distances."""

    depth_mm: Positive = Field(description="of a dip")
    length_m: Positive = Field(description="of a dip, from edge to edge")
    spacing_m: Positive = Field(description="from dip to dip")
    rail: Literal["left", "right", "both"] = Field("both", description="which rail has them")


def heights(keys, place):
    """(n, 4) [m] at places (n,) [m]: -d (1 + cos(2 pi x/L))/2 within L/2 of a multiple of the spacing."""
    x = np.mod(place + 0.5 * keys.spacing_m, keys.spacing_m) - 0.5 * keys.spacing_m
    inside = np.abs(x) < 0.5 * keys.length_m
    dip = np.where(inside, -0.5e-3 * keys.depth_mm * (1.0 + np.cos(2.0 * np.pi * x / keys.length_m)), 0.0)
    left, right = keys.rail != "right", keys.rail != "left"
    return np.stack([0.0 * dip, left * dip, 0.0 * dip, right * dip], axis=1)


DIPS = Excitation("dips", "dips in the rail heads", RailDips, heights, lambda keys: keys.length_m / 32.0)
