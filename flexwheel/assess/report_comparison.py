"""Runs beside each other: keys that differ, tables of differences, overlaid figures."""

import tomllib

import numpy as np

from flexwheel.assess.figures.report_blocks import Curve, Plot, Table, Text
from flexwheel.assess.report_figures import PLACE, stretches
from flexwheel.assess.report_results import overlaid
from flexwheel.numerics.spectra import level_difference, third_octaves
from flexwheel.results.check_results import require_variables
from flexwheel.results.evaluate.span import sample_step

COMPARED = ("Q", "Y")
FORCES = ("wheel_force", "body_position")


def comparison(runs):
    """Blocks: keys, figures, levels and curves of every run; differences are those from the first one."""
    first, names = runs[0], [run.name for run in runs]
    yield _keys(runs)
    if first.kind.curves_in_report:
        yield from overlaid(runs)
        return
    for run in runs:
        require_variables(run.results, f"comparison with {run.name}", FORCES)
    rows = []
    for words, values in _figures(runs):
        shown = [f"{x:.3f}" if np.isfinite(x) else "-" for x in values]
        apart = [f"{x - values[0]:+.3f}" if np.isfinite(x - values[0]) else "-" for x in values[1:]]
        rows.append((words, *shown, *apart))
    head = ("figure", *names, *(f"{name} less {names[0]}" for name in names[1:]))
    yield Table("Figures of the runs", head, tuple(rows))
    wheels = [w for w in map(str, first.results.wheel.values) if all(w in run.results.wheel.values for run in runs)]
    if not wheels:
        yield Text("The runs have no wheel of the same name: no curves beside each other.")
        return
    for force, columns in (("Q", "vertical"), ("Y", "lateral")):
        for wheel in wheels[:2]:
            curves = []
            for run in runs:
                rows = np.flatnonzero(run.quantities.evaluated)
                k = list(map(str, run.results.wheel.values)).index(wheel)
                curves.append(
                    Curve(
                        run.name,
                        run.quantities.position[rows],
                        getattr(run.quantities, columns)[rows, k] / 1e3,
                        wide=run is first,
                    )
                )
            yield Plot(f"{force} of {wheel}, 20 Hz", PLACE, f"{force} [kN]", tuple(curves), stretches=stretches(first))
    for force in COMPARED:
        yield from _spectra(runs, wheels[0], force)


def _spectra(runs, wheel, force):
    """Third octaves of one force beside each other, and their differences."""
    curves, levels, first = [], [], runs[0]
    for run in runs:
        values = run.after.wheel_force.sel(wheel=wheel, force=force).values
        centres, rms = third_octaves(values, sample_step(run.results))
        curves.append(Curve(run.name, centres, rms, dots=True, wide=run is first))
        levels.append(rms)
    label = f"{force}, rms per band [N]"
    yield Plot(
        f"Third octaves of {force}, {wheel}", "mid-band frequency [Hz]", label, tuple(curves), log_x=True, log_y=True
    )
    apart = [level_difference(rms, levels[0], 60.0) for rms in levels[1:]]
    rows = [
        (f"{f:.1f}", *(f"{column[k]:+.2f}" if np.isfinite(column[k]) else "-" for column in apart))
        for k, f in enumerate(centres)
    ]
    head = ("mid-band frequency [Hz]", *(f"{run.name} less {runs[0].name} [dB]" for run in runs[1:]))
    yield Table(f"Difference of the levels of {force}, {wheel}", head, tuple(rows))


def _keys(runs):
    """Table of scenario keys that are not the same in all runs."""
    flat = [dict(leaves(tomllib.loads(str(run.results.attrs["scenario"])))) for run in runs]
    keys = list(dict.fromkeys(key for one in flat for key in one))
    rows = [(key, *(str(one.get(key, "-")) for one in flat)) for key in keys]
    rows = [row for row in rows if len(set(row[1:])) > 1]
    if not rows:
        return Text("The scenarios of the runs do not differ in any key.")
    return Table("Keys of the scenario that differ", ("key", *(run.name for run in runs)), tuple(rows))


def leaves(table, path=""):
    """(key with dots, value) of nested tables."""
    for key, value in table.items():
        if isinstance(value, dict):
            yield from leaves(value, f"{path}{key}.")
        else:
            yield f"{path}{key}", value


def _figures(runs):
    """Name and value in every run, nan where a run has none."""
    for words, of in (
        ("Q mean [kN]", lambda s: s.vertical_mean / 1e3),
        ("Q max [kN]", lambda s: s.vertical_max / 1e3),
        ("Y 99.85 % [kN]", lambda s: s.lateral_percentiles[2] / 1e3),
        ("Y/Q max [-]", lambda s: s.quotient_max),
    ):
        for wheel in map(str, runs[0].results.wheel.values):
            yield f"{words}, {wheel}", [_at(of(run.statistics), run.results.wheel.values, wheel) for run in runs]
    for wheelset in map(str, runs[0].results.wheelset.values):
        values = [_at(run.statistics.sum_lateral_max / 1e3, run.results.wheelset.values, wheelset) for run in runs]
        yield f"sum Y max [kN], {wheelset}", values
    for node in map(str, runs[0].results.control_node.values) if "von_mises" in runs[0].results else ():
        for point in map(str, runs[0].results.point.values):
            yield f"von Mises max [MPa], {node}, {point}", [_stress(run, node, point) for run in runs]


def _at(values, names, name):
    names = list(map(str, names))
    return float(values[names.index(name)]) if name in names else np.nan


def _stress(run, node, point):
    if "von_mises" not in run.results or node not in run.results.control_node.values:
        return np.nan
    return float(np.nanmax(run.after.von_mises.sel(control_node=node, point=point).values)) / 1e6
