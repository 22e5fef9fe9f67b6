"""Track of the face."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

import flexwheel
from flexwheel.assess.figures.notebook_pages import html_table, svg_of
from flexwheel.base.errors import ScenarioError
from flexwheel.face.display import OfSection, counted
from flexwheel.run.build.build_track import build_layout, build_supports
from flexwheel.run.keys.reader import Places, validated
from flexwheel.run.keys.track_keys import TrackSection
from flexwheel.track.layout import Layout
from flexwheel.track.rail_models import RAIL_MODELS


@dataclass(frozen=True, init=False, repr=False)
class Track(OfSection):
    """Alignment and track model, keys of [track] in docs/scenario.md.

    Example
    -------
    >>> track = fw.Track(rail="r65", layout=[{"kind": "arc", "length_m": 500.0, "radius_m": -600.0}], excitation=sz)
    >>> scenario.changed({"track": track})
    """

    section: TrackSection
    beside: Mapping[str, Any]  # the section [irregularity] of its excitation, which goes into a scenario with it

    def __init__(self, section: TrackSection | None = None, *, excitation: npt.ArrayLike | None = None, **keys: Any):
        """Track of the keys of [track], and of heights of its rails, which replace the scenario's irregularity.

        Parameters
        ----------
        excitation : (n, 2) or (n, 5)   arc length [m], rising, and the height of both rails [m]; or after it left
                                        lateral, left vertical, right lateral, right vertical [m], left and up positive
        **keys                          of [track] in docs/scenario.md

        Raises
        ------
        ScenarioError       an unknown key, a wrong value
        """
        if excitation is not None and not hasattr(flexwheel, "irregularity"):
            raise ScenarioError("Track: excitation needs flexwheel.studies, not in this copy; set irregularity.file")
        own = {} if excitation is None else {"irregularity": {"file": flexwheel.irregularity(excitation)}}
        found = section or validated(TrackSection, keys, Places(Path("Track")))
        if not isinstance(found, TrackSection):
            raise ScenarioError(f"Track: keys must be named, as Track(model=..), got {found!r}")
        object.__setattr__(self, "section", found)
        object.__setattr__(self, "beside", own)

    @classmethod
    def of(cls, **keys: Any) -> Track:
        """As Track(**keys).

        Example
        -------
        >>> fw.Track.of(model="flexible", rail="r65", bay_m=0.55)
        """
        return cls(**keys)

    @cached_property
    def layout(self) -> Layout:
        """The alignment that `track_frame` reads.

        Example
        -------
        >>> track.layout.length
        """
        return build_layout(self.section)

    @property
    def length_m(self) -> float:
        """Length of all stretches [m].

        Example
        -------
        >>> fw.Track.of().length_m
        1000.0
        """
        return float(sum(part.length_m for part in self.section.layout))

    def alignment(self, count: int = 1500) -> xr.Dataset:
        """Plan x, y, z [m], curvature [1/m] (left positive) and cant [m] (left rail high) along the arc length.

        Example
        -------
        >>> float(abs(track.alignment().curvature).max())
        """
        from flexwheel.assess.figures.track_figures import sample_layout

        s, position, curvature, cant = sample_layout(self.layout, 0.0, self.length_m, count)
        words = {"units": "m"}
        data = {name: ("s", position[:, k], words) for k, name in enumerate("xyz")}
        data |= {"curvature": ("s", curvature, {"units": "m-1"}), "cant": ("s", cant, words)}
        return xr.Dataset(data, {"s": ("s", s, {"units": "m", "long_name": "arc length"})})

    def receptance(self, frequency_hz: Sequence[float]) -> xr.Dataset:
        """Receptance of the rail head over a sleeper [m/N], axes x, y, z, complex.

        Raises
        ------
        ScenarioError       for a rail model that declares none

        Example
        -------
        >>> abs(track.receptance([100.0, 1000.0]).receptance.sel(axis="z", load_axis="z"))
        """
        model = RAIL_MODELS[self.section.model]
        if model.receptance is None:
            raise ScenarioError(
                f"track.model = {self.section.model!r}: this rail model has no receptance; set flexible"
            )
        hz = np.asarray(frequency_hz, dtype=float)
        found = model.receptance(self.section, partial(build_supports, self.section), hz)
        axes = list("xyz")
        data = {"receptance": (("frequency", "axis", "load_axis"), found, {"units": "m N-1"})}
        return xr.Dataset(data, {"frequency": ("frequency", hz, {"units": "Hz"}), "axis": axes, "load_axis": axes})

    def _head(self):
        words = f"rails {self.section.model}, {counted(len(self.section.layout), 'stretch', 'stretches')}"
        return f"of {self.length_m:g} m", words + (", excitation of its own" if self.beside else "")

    def _parts(self):
        from flexwheel.assess.figures.track_figures import layout_figure

        rows = [
            (part.kind, part.length_m, "" if part.radius_m is None else part.radius_m, part.cant_mm or "")
            for part in self.section.layout
        ]
        drawing = svg_of(layout_figure(self.layout, 0.0, self.length_m))
        heads = ("stretch", "length [m]", "radius [m], left positive", "cant [mm]")
        return drawing, html_table(heads, rows)
