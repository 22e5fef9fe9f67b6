"""Track of the face."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from flexwheel.base.errors import ScenarioError
from flexwheel.face.display import html_page, html_table, svg_of
from flexwheel.run.build.build_track import build_layout, build_supports
from flexwheel.run.keys.reader import Places, validated
from flexwheel.run.keys.track_keys import TrackSection
from flexwheel.track.layout import Layout
from flexwheel.track.rail_models import RAIL_MODELS


@dataclass(frozen=True)
class Track:
    """Alignment and track model, keys of [track] in docs/scenario.md.

    Example
    -------
    >>> track = fw.Track.of(layout=[{"kind": "arc", "length_m": 500.0, "radius_m": -600.0, "cant_mm": 100.0}])
    >>> scenario.changed({"track": track})
    """

    section: TrackSection

    @classmethod
    def of(cls, **keys: Any) -> Track:
        """Track of the keys of [track].

        Raises
        ------
        ScenarioError       an unknown key, a wrong value

        Example
        -------
        >>> fw.Track.of(model="flexible", rail="r65", bay_m=0.55)
        """
        return cls(validated(TrackSection, keys, Places(Path("Track.of"))))

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

    def table(self) -> dict[str, Any]:
        """The section [track] of a scenario with it.

        Example
        -------
        >>> scenario.changed({"track": fw.Scenario.example("manchester_s_curve").track})
        """
        return self.section.model_dump(mode="json", exclude_unset=True, exclude_none=True)

    def _repr_html_(self) -> str:
        from flexwheel.assess.figures.track_figures import layout_figure

        rows = [
            (part.kind, part.length_m, "" if part.radius_m is None else part.radius_m, part.cant_mm or "")
            for part in self.section.layout
        ]
        drawing = svg_of(layout_figure(self.layout, 0.0, self.length_m))
        heads = ("stretch", "length [m]", "radius [m], left positive", "cant [mm]")
        return html_page("Track", f"{self.length_m:g} m, rails {self.section.model}", drawing, html_table(heads, rows))
