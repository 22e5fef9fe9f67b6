"""Keys of the section [irregularity]."""

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, create_model, model_validator

from flexwheel.run.keys.section import (
    Finite,
    Flag,
    Length,
    NamesFile,
    NonNegative,
    Only,
    Positive,
    Section,
    Usual,
    Whole,
)
from flexwheel.track.excitation import EXCITATIONS, excitations_of

NO_FILE = Only(".file", (None,), "leave irregularity.file out")
SPECTRUM = Only(".spectrum", ("erri_b176", "fra"))
ROUGH = Only(".roughness", lambda name: name != "none", "name a table")


def _random(i):
    return i.spectrum != "none" and i.file is None or i.roughness != "none"


def _long_waves(i):
    return i.spectrum != "none" or i.file is not None


def _any_waves(i):
    return _long_waves(i) or i.roughness != "none" or bool(excitations_of(i))


class IrregularitySection(Section):
    """Deviations of both rails from the ideal track."""

    spectrum: Annotated[Literal["erri_b176", "fra", "none"], Only(".file", (None,), NO_FILE.remedy, ("none",))] = Field(
        "erri_b176", description="long-wave spectrum"
    )
    level: Annotated[Literal["low", "high"], NO_FILE, Only(".spectrum", ("erri_b176",))] = Field(
        "high", description="level of the ERRI spectrum"
    )
    track_class: Annotated[Annotated[Whole, Field(ge=1, le=6)], NO_FILE, Only(".spectrum", ("fra",))] = Field(
        4, description="class of the FRA spectrum, 1 the worst"
    )
    seed: Annotated[Whole, Field(ge=0), Only("irregularity", _random, "choose a spectrum or a roughness")] = Field(
        1,
        description="number that fixes the random phases: equal seeds give equal rails at equal "
        "places, whatever the length, speed and start of the run",
    )
    longest_wave_m: Annotated[Length, NO_FILE, SPECTRUM, Usual(3.0, 250.0, "EN 13848: 3 to 150 m")] = Field(
        100.0, description="cut-off of the long-wave spectrum"
    )
    shortest_wave_m: Annotated[Length, NO_FILE, SPECTRUM, Usual(0.1, 25.0, "below is roughness")] = Field(
        1.0, description="cut-off of the long-wave spectrum"
    )
    lateral: Annotated[Flag, Only("irregularity", _long_waves, "choose a spectrum or a file")] = Field(
        True, description="whether the lateral irregularity acts as well"
    )
    roughness: Annotated[str, NamesFile()] = Field(
        "iso3095",
        description="third-octave table of short waves: iso3095, average_network, a CSV file, or none; beside a file, "
        "which is taken as measured, none unless this key names one",
    )
    roughness_shift_db: Annotated[Finite, ROUGH, Usual(-30.0, 30.0, "a thirtieth to thirty times the table")] = Field(
        0.0, ge=-200.0, le=200.0, description="level added to every band of the roughness table"
    )
    roughness_longest_wave_m: Annotated[Positive, ROUGH] = Field(0.63, description="cut-off of the roughness")
    roughness_shortest_wave_m: Annotated[Positive, ROUGH, Usual(1e-3, 0.5, "shorter than a contact patch")] = Field(
        0.01, description="cut-off of the roughness"
    )
    contact_filter: Annotated[Flag, ROUGH] = Field(
        True, description="whether waves shorter than the patch are filtered"
    )
    ramp_m: Annotated[
        NonNegative,
        Only("irregularity", _any_waves, "choose a spectrum, a file or a roughness"),
        Usual(0.0, 200.0, "irregularity would hardly come"),
    ] = Field(10.0, le=1e6, description="length at the start over which the irregularity grows from zero")
    file: Annotated[str | None, NamesFile()] = Field(
        None,
        description="CSV table in place of the spectra: a header, then rows of s_m (or distance_m), rising, and any of "
        "left_lateral, left_vertical, right_lateral, right_vertical, each with its unit, _m, _mm or _um, e.g. "
        "left_vertical_mm; left and up positive; a column left out is zero",
    )

    @model_validator(mode="after")
    def _as_measured(self):
        if self.file is not None and "roughness" not in self.model_fields_set:
            self.__dict__["roughness"] = "none"  # a default, which does not count as given
        return self

    @model_validator(mode="after")
    def _order(self):
        if self.longest_wave_m <= self.shortest_wave_m:
            raise ValueError("longest_wave_m must exceed shortest_wave_m")
        if self.roughness_longest_wave_m <= self.roughness_shortest_wave_m:
            raise ValueError("roughness_longest_wave_m must exceed roughness_shortest_wave_m")
        return self


_SECTIONS = {
    name: (excitation.keys | None, Field(None, description=excitation.meaning))
    for name, excitation in EXCITATIONS.items()
}
if not TYPE_CHECKING:  # the sections of excitations that other distributions add
    IrregularitySection = create_model(
        "IrregularitySection", __base__=IrregularitySection, __module__=__name__, __doc__=IrregularitySection.__doc__,
        **_SECTIONS,
    )  # fmt: skip
