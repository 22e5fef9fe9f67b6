"""`results.fw`: what can be asked of the results of a run, of a study, of a response."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd
import xarray as xr

from flexwheel.assess.export import export_results, frame_of
from flexwheel.assess.figures.notebook_pages import Shown
from flexwheel.assess.node_fatigue import fatigue_of_nodes, node_histories
from flexwheel.assess.safety import Safety, safety_of
from flexwheel.assess.surface_stress import StressOfRun, hot_spots, stress_envelope
from flexwheel.base.errors import ScenarioError
from flexwheel.base.kind import ViewOptions, file_of_results
from flexwheel.base.variables import LABELS
from flexwheel.face.plots import Plots, known_node, of_elements, of_energy, require_vehicle
from flexwheel.numerics.spectra import power_spectral_density, third_octaves
from flexwheel.results.check_results import require_variables, select_labels
from flexwheel.results.evaluate.span import sample_step, settled
from flexwheel.results.evaluate.statistics import RunStatistics, run_statistics
from flexwheel.results.evaluate.valid_band import bound_of


@xr.register_dataset_accessor("fw")
class Accessor:
    """Spectra, statistics, stress, fatigue, safety and figures of results.

    Example
    -------
    >>> results = fw.open_results("out/as4_curve")
    >>> results.fw.third_octaves("wheel_force", force="Q", wheel="front left")
    """

    def __init__(self, dataset: xr.Dataset) -> None:
        self._dataset = dataset

    @property
    def plot(self) -> Plots:
        """Figures of the results.

        Example
        -------
        >>> results.fw.plot.forces()
        """
        return Plots(self._dataset)

    def view(
        self,
        path: str | Path | None = None,
        *against: xr.Dataset,
        time_s: float | None = None,
        bodies: Mapping[str, str | Path] | None = None,
    ) -> Shown:
        """The page of the results, as `flexwheel view --web`, and a picture of the deformed wheelset.

        Parameters
        ----------
        path : str or Path      file that a notebook links; without it the notebook holds the page
        *against : Dataset      of other runs, beside it
        time_s : float          [s] of the picture and of the half second of all samples; default: largest stress
        bodies : dict           body -> mesh file that draws it, in m, or FILE@UNIT

        Example
        -------
        >>> results.fw.view()
        """
        from flexwheel.assess.pictures import picture_of

        given = tuple(f"{name}={mesh}" for name, mesh in (bodies or {}).items())
        options, file = ViewOptions(time_s=time_s, body=given), None if path is None else Path(path)
        with TemporaryDirectory() as folder:
            page = Path(folder) / "run.html" if file is None else file
            file_of_results((self._dataset, *against), page, _silent, options)
            text = page.read_text(encoding="utf-8") if page.suffix.lower() == ".html" else ""
            return Shown(picture_of(self._dataset, folder, time_s), text, file)

    @property
    def elements(self) -> xr.Dataset:
        """Force, moment, stroke, turn and their rates of every force element and of the drive (`output.also`).

        Returns
        -------
        Dataset         (time, element, axis): force [N], moment [N m], stroke [m], turn [rad], rate, turn_rate

        Example
        -------
        >>> results.fw.elements.force.sel(axis="z").max("time")
        """
        return of_elements(self._dataset)

    @property
    def energy(self) -> xr.Dataset:
        """Energy ledger of the run (`output.also`): stored, lost and put in since the start, left over [J].

        Returns
        -------
        Dataset         (time,): kinetic, weight, suspension, .. lost_dampers, .. in_drive, .. residual

        Example
        -------
        >>> results.fw.energy.lost_creep[-1]
        """
        return of_energy(self._dataset)

    def psd(self, variable: str, resolution_hz: float = 2.0, **where: Any) -> xr.DataArray:
        """One-sided power spectral density after settling, by Welch's method: Hann windows, half overlapping.

        Parameters
        ----------
        variable : str          of docs/results.md
        resolution_hz : float
        **where                 labels, as force="Q", wheel="front left"

        Returns
        -------
        DataArray       (frequency [Hz], ..), unit squared per Hz

        Example
        -------
        >>> results.fw.psd("wheel_force", force="Q").sel(wheel="front left").plot()
        """
        if not resolution_hz > 0.0:
            raise ScenarioError(f"resolution_hz must be a number above 0, got {resolution_hz!r}")
        array, step = self._after(variable, where)
        hz, density = power_spectral_density(array.values, step, resolution_hz)
        units = f"({array.attrs.get('units', '1')})2 Hz-1"
        return _spectrum(array, "frequency", hz, density, units, "power spectral density")

    def third_octaves(
        self, variable: str, lowest_hz: float = 10.0, highest_hz: float = 1250.0, **where: Any
    ) -> xr.DataArray:
        """Root mean square in third octaves after settling, nan in bands that the record cannot tell.

        Attributes `valid_to_hz` and `valid_cause` say up to where they hold, and what ends that band.

        Returns
        -------
        DataArray       (band [Hz], ..), unit of the variable

        Example
        -------
        >>> results.fw.third_octaves("von_mises", control_node="front web_fillet_right", point="fixed")
        """
        if not 0.0 < lowest_hz <= highest_hz < np.inf:
            raise ScenarioError(
                f"lowest_hz must be above 0 and at most highest_hz, got {lowest_hz!r} and {highest_hz!r}"
            )
        array, step = self._after(variable, where)
        bands, rms = third_octaves(array.values, step, lowest_hz, highest_hz)
        return _spectrum(array, "band", bands, rms, str(array.attrs.get("units", "1")), "rms in third octaves")

    def statistics(self) -> RunStatistics:
        """Q, Y after 20 Hz, Y/Q and sum Y as means over 2 m, over the samples that count.

        Example
        -------
        >>> results.fw.statistics().quotient_max
        """
        require_vehicle(self._dataset, "statistics")
        return run_statistics(self._dataset)

    def safety(self, limits: str = "read") -> Safety:
        """Running safety, track loading and ride after EN 14363, as `flexwheel safety`; limits: as its --limits.

        Example
        -------
        >>> [a for a in results.fw.safety().assessments if a.within is False]
        """
        require_vehicle(self._dataset, "safety")
        return safety_of(self._dataset, limits=limits)

    def stress(self, node: str | int, point: str = "rotating") -> xr.DataArray:
        """Stress tensor of a control node by its name, or of any node of the mesh by its id (results on the disk).

        Parameters
        ----------
        node : str or int
        point : str         rotating: the material; fixed: the place that stands

        Returns
        -------
        DataArray       (time, stress_component) [Pa], section axes

        Example
        -------
        >>> results.fw.stress("front web_fillet_right").max("time")
        """
        _require_point(point)
        source = self._dataset
        if isinstance(node, str):
            return source.stress.sel(control_node=known_node(source, "stress", node), point=point)
        at = StressOfRun(self._place()).at_nodes([int(node)])
        return at.stress.isel(control_node=0).sel(point=point)

    def envelope(self, wheelset: str | None = None, point: str = "rotating") -> xr.Dataset:
        """Largest stress of every surface node of a wheelset over the run, as `flexwheel stress`.

        Example
        -------
        >>> results.fw.envelope().von_mises.max()
        """
        _require_point(point)
        return stress_envelope(StressOfRun(self._place(), wheelset), point)

    def hot_spots(self, top: int = 15, wheelset: str | None = None) -> xr.Dataset:
        """Nodes of largest von Mises stress over the run, one of each ring, nodes under the contact left out.

        Returns
        -------
        Dataset         by spot: node_id, position [m], von_mises [Pa], von_mises_time [s], tension, compression [Pa]

        Example
        -------
        >>> results.fw.hot_spots(5)[["node_id", "von_mises"]].to_dataframe()
        """
        if top < 1:
            raise ScenarioError(f"top must be a count of spots, 1 at least, got {top!r}")
        envelope = self.envelope(wheelset)
        names = ["node_id", "position", "von_mises", "von_mises_time", "tension", "compression"]
        return envelope.reset_coords("node_id")[names].isel(node=hot_spots(envelope, top)).rename(node="spot")

    def fatigue(self, bending_mpa: float, nodes: list[int] | None = None, slope: float = 5.0) -> xr.Dataset:
        """Multiaxial criteria and damage of material nodes over the run, as `flexwheel fatigue`.

        Parameters
        ----------
        bending_mpa : float     permissible amplitude in rotating bending; torsion 0.577 (FKM), from zero 0.83 of it
        nodes : list of int     ids of the mesh; default: the control nodes off the running surface
        slope : float           of the Woehler curve above its knee at 2e6 cycles; assumed

        Returns
        -------
        Dataset     by node: utilisation, crossland, sines, dang_van [-] (1 at the limit), range [Pa], damage_per_km

        Example
        -------
        >>> results.fw.fatigue(166.0).utilisation
        """
        from flexwheel.assess.evaluate.strength_grades import given_limit

        run = StressOfRun(self._place())
        chosen = nodes or run.watched_nodes()
        if not chosen:
            raise ScenarioError(
                "fatigue: every control node is on the running surface; name nodes of the mesh by their ids"
            )
        limits = [given_limit(bending_mpa)] * len(chosen)
        found = fatigue_of_nodes([history := node_histories(run, chosen, limits)], [1.0], chosen, limits, slope=slope)
        shares = ("utilisation", "crossland", "sines", "dang_van")
        units = {name: "1" for name in shares} | {"range_pa": "Pa", "damage_per_km": "km-1"}
        data = {
            name.removesuffix("_pa"): ("node", [row[name] for row in found], {"units": unit})
            for name, unit in units.items()
        }
        return xr.Dataset(data, {"node": chosen}, {"distance_m": history.way, "wheelset": run.wheelset})

    def frame(
        self,
        *variables: str,
        span: tuple[float | None, float | None] = (None, None),
        rate_hz: float | None = None,
        **where: Any,
    ) -> pd.DataFrame:
        """Histories as a table of pandas: index time [s], a column for each variable and its labels.

        Parameters
        ----------
        *variables : str        of docs/results.md, or their beginnings with *
        span : (start, end) [s], optional
        rate_hz : float         new sampling rate; flat to 0.4 of it, 80 dB down from 0.6 of it
        **where                 labels, as force="Q", wheel="front left"

        Example
        -------
        >>> results.fw.frame("wheel_force", force="Q", rate_hz=200.0).describe()
        """
        return frame_of(self._dataset, variables, where, span, rate_hz)

    def export(
        self,
        path: str | Path,
        *variables: str,
        span: tuple[float | None, float | None] = (None, None),
        rate_hz: float | None = None,
        **where: Any,
    ) -> Path:
        """Write histories to a file by its suffix: .csv, .mat, .uff, .mf4, .parquet, .rsp; others as `frame`.

        Example
        -------
        >>> results.fw.export("forces.csv", "wheel_force", force="Q", rate_hz=1000.0)
        """
        export_results(self._dataset, path, variables, where, span, rate_hz)
        return Path(path)

    def grid(self, figure: str) -> xr.DataArray:
        """A figure of a study on the axes of its grid, nan where a run has none.

        Example
        -------
        >>> fw.open_results("out/study").fw.grid("sum Y").sel(speed=80.0)
        """
        keys = [name for name in str(self._dataset.attrs.get("varied", "")).split("\n") if name]
        if self._dataset.attrs.get("sampling") != "grid" or figure not in self._dataset:
            known = ", ".join(map(str, self._dataset.data_vars))
            raise ScenarioError(f"grid must be given one of {known}, of a study of a grid, got {figure!r}")
        array = self._dataset[figure]
        other = [name for name in array.coords if name not in (*array.dims, *keys)]
        return array.drop_vars([*other, "run"]).set_index(run=keys).unstack("run") if len(keys) > 1 else (
            array.drop_vars(other).swap_dims(run=keys[0]).drop_vars("run")
        )  # fmt: skip

    def _after(self, variable: str, where: dict[str, Any]) -> tuple[xr.DataArray, float]:
        """A variable after settling, time first, and the time between its samples [s]."""
        require_variables(self._dataset, variable, [variable])
        if "time" not in self._dataset[variable].dims:
            raise ScenarioError(f"{variable}: no time axis; a spectrum needs a variable over time")
        array = settled(self._dataset)[variable]
        return select_labels(array, where).transpose("time", ...), sample_step(self._dataset)

    def _place(self) -> Path:
        """Where the results stand on the disk."""
        place = self._dataset.encoding.get("source")
        if not place or not Path(place).exists():
            raise ScenarioError(
                "results in memory only; this needs results of fw.run(..., out=FOLDER) or fw.open_results"
            )
        return Path(place)


def _silent(line: str) -> None:
    pass


def _require_point(point: str) -> None:
    if point not in LABELS["point"]:
        raise ScenarioError(f"point must be {' or '.join(LABELS['point'])}, got {point!r}")


def _spectrum(array: xr.DataArray, dim: str, hz: Any, values: Any, units: str, words: str) -> xr.DataArray:
    """DataArray of a spectrum with the labels of what it is of."""
    rest = [name for name in array.dims if name != "time"]
    coordinates = {name: array[name] for name in rest if name in array.coords}
    frequency = (dim, np.asarray(hz), {"units": "Hz"})
    attributes = {"units": units, "long_name": f"{array.attrs.get('long_name', array.name)}: {words}"}
    bound = bound_of(array)
    if bound is not None:
        attributes |= {"valid_to_hz": bound.to_hz, "valid_cause": bound.cause}
    bands = [name for name in array.coords if str(name).endswith(("_valid_to_hz", "_valid_cause"))]
    coordinates |= {name: array[name] for name in bands if set(array[name].dims) <= set(rest)}
    return xr.DataArray(values, {dim: frequency, **coordinates}, [dim, *rest], name=array.name, attrs=attributes)
