"""The chosen figures of one run, as plain values with dimensions and labels."""

from functools import cached_property

import numpy as np

from flexwheel.assess.evaluate.fatigue import FatigueLimits, counted_cycles, critical_plane, damage_of
from flexwheel.assess.safety import safety_of
from flexwheel.base.errors import FlexwheelError
from flexwheel.base.variables import variables, vehicle_variables
from flexwheel.numerics.spectra import third_octaves
from flexwheel.results.evaluate.span import nothing_left, sample_step, settled_rows
from flexwheel.results.evaluate.statistics import run_statistics
from flexwheel.studies.study_keys import SAFETY, STATISTICS, UTILISATION

REDUCED = {
    "max": np.nanmax,
    "min": np.nanmin,
    "mean": np.nanmean,
    "std": np.nanstd,
    "range": lambda x, axis: np.nanmax(x, axis=axis) - np.nanmin(x, axis=axis),
    "rms": lambda x, axis: np.sqrt(np.nanmean(np.square(x), axis=axis)),
    "abs_max": lambda x, axis: np.nanmax(np.abs(x), axis=axis),
}


def needed_variables(figures):
    """Variables that a run of a vehicle must store for its figures; () where it is to store whatever it has."""
    recorded = {variable.name for variable in vehicle_variables() if variable.source or variable.column}
    names = {"wheel_force", "body_position"}
    for figure in figures:
        if figure.take == UTILISATION or figure.of not in (*recorded, SAFETY):
            return ()
        names |= {figure.of} - {SAFETY}
    return tuple(sorted(names))


def figures_of(results, figures):
    """Figures of a run.

    Parameters
    ----------
    results : Dataset
    figures : sequence of FigureTable

    Returns
    -------
    dict    label -> {"values": nested lists of numbers, "dims": names, "labels": {dim: list}, "units": text}

    Raises
    ------
    FlexwheelError      a variable or label that the run does not have, nothing left after settling
    """
    run = _Run(results)
    return {figure.label: _plain(*run.figure(figure), figure) for figure in figures}


class _Run:
    """Results of a run, and what several figures share of them."""

    def __init__(self, results):
        self.results = results
        self.rows = settled_rows(results)
        if not np.any(self.rows):
            raise nothing_left(results)

    @cached_property
    def statistics(self):
        return run_statistics(self.results)

    def figure(self, figure):
        """Values, dimensions, labels, unit."""
        if figure.of == SAFETY:
            return self._utilisation() if figure.take == UTILISATION else self._safety(figure.take)
        array = self._chosen(figure)
        dims = tuple(dim for dim in array.dims if dim != "time")
        labels = {dim: _labels(array, dim) for dim in dims}
        unit = variables(self.results.attrs.get("kind", "vehicle"))[figure.of].units
        if "time" not in array.dims:
            return np.asarray(array.values, dtype=float), dims, labels, unit
        values = np.asarray(array.transpose("time", ...).values[self.rows], dtype=float)
        if figure.take == "third_octaves":
            centres, rms = third_octaves(values, sample_step(self.results), figure.lowest_hz, figure.highest_hz)
            return np.moveaxis(rms, 0, -1), (*dims, "band"), labels | {"band": centres.tolist()}, unit
        if figure.take == "damage_per_km":
            return *self._damage(values, dims, figure), {d: labels[d] for d in dims if d != "stress_component"}, "km-1"
        if figure.take == "percentile":
            return np.nanpercentile(values, figure.percent, axis=0), dims, labels, unit
        empty = np.isnan(values).all(axis=0)
        return np.where(empty, np.nan, REDUCED[figure.take](np.where(empty, 0.0, values), 0)), dims, labels, unit

    def _chosen(self, figure):
        if figure.of not in self.results:
            raise FlexwheelError(f"figure {figure.label!r}: the run has no {figure.of}")
        array = self.results[figure.of]
        material = {"point": "rotating"} if figure.take == "damage_per_km" else {}  # what turns is what tires
        for dim, label in (material | figure.where).items():
            known = _labels(array, dim)
            if label not in known:
                shown = ", ".join(map(str, known))
                raise FlexwheelError(f"figure {figure.label!r}: where.{dim} = {label!r}: the run has {shown}")
            array = array.isel({dim: known.index(label)})
        return array

    def _safety(self, take):
        if take == "lateral_max":
            values = np.abs(self.statistics.lateral_percentiles[[0, -1]]).max(axis=0)
        else:
            values = getattr(self.statistics, take)
        dim = "wheelset" if take == "sum_lateral_max" else "wheel"
        return np.asarray(values), (dim,), {dim: list(map(str, self.results[dim].values))}, STATISTICS[take]

    def _utilisation(self):
        """Largest estimated maximum over its limit of every quantity that has one."""
        worst = {}
        for item in safety_of(self.results).assessments:
            if np.isfinite(item.limit):
                worst[item.quantity.name] = max(worst.get(item.quantity.name, 0.0), item.estimated / item.limit)
        if not worst:
            raise FlexwheelError("no quantity of EN 14363 has a whole section and a limit in this run; it is too short")
        return np.array(list(worst.values())), ("quantity",), {"quantity": list(worst)}, "1"

    def _damage(self, values, dims, figure):
        """Miner's sum for each km of way at every node."""
        rest = tuple(dim for dim in dims if dim != "stress_component")
        tensors = values.reshape(len(values), -1, 6)
        lead = str(self.results.wheelset.values[0])
        way = self.results.body_position.sel(body=lead, path="s").values[self.rows]
        curve = FatigueLimits.of_bending(1e6 * figure.bending_mpa).curve(slope=figure.slope)
        found = [
            np.nan if np.isnan(tensor).any() else damage_of(counted_cycles(critical_plane(tensor)[1]), curve)
            for tensor in np.moveaxis(tensors, 1, 0)
        ]
        return np.reshape(found, values.shape[1:-1]) / max((way[-1] - way[0]) / 1e3, 1e-9), rest


def _labels(array, dim):
    """Labels of a dimension as plain values; numbers from 0 where it has none."""
    return array[dim].values.tolist() if dim in array.coords else list(range(array.sizes[dim]))


def _plain(values, dims, labels, unit, figure):
    values = np.asarray(values, dtype=float)
    if figure.worst:
        axes = tuple(k for k, dim in enumerate(dims) if dim != "band")
        pick = np.nanmin if figure.take == "min" else np.nanmax
        values = pick(values, axis=axes) if axes else values
        dims = tuple(dim for dim in dims if dim == "band")
    return {
        "values": values.tolist(), "dims": list(dims), "labels": {dim: labels[dim] for dim in dims}, "units": unit,
    }  # fmt: skip
