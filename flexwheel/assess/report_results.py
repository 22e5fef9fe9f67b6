"""What a report shows of any kind of run by its declaration: variables over time, pictures."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from flexwheel.assess.figures.report_blocks import Curve, Plot, ReportPicture, Table, Text
from flexwheel.assess.figures.style import envelope
from flexwheel.base.kind import PICTURES, ViewOptions

POINTS = 1000  # of a curve: about one a pixel
MOST_CURVES = 8  # of a plot; more are drawn as their smallest, mean and largest value


def results_blocks(run, say):
    """Figures and curves of the variables of the kind, its pictures; its summary is on the first page.

    run : report.Reported
    """
    kind, results = run.kind, run.results
    shown = list(histories(run))
    rows = []
    for variable, _, columns in shown:
        known = columns[np.isfinite(columns)]
        ends = [f"{end(known):.6g}" if known.size else "-" for end in (np.min, np.mean, np.max)]
        rows.append((variable.name.replace("_", " "), variable.meaning, variable.units, *ends))
    yield Table("Variables over the run", ("variable", "meaning", "unit", "smallest", "mean", "largest"), tuple(rows))
    time = results.time.values
    for variable, names, columns in shown:
        yield plot(variable, curves(time, names, columns))
    left_out = [v.name for v in kind.variables if v.name in results and v.name not in {item.name for item, *_ in shown}]
    if left_out:
        yield Text(f"Not over time, and so not drawn: {', '.join(left_out)}.")
    if kind.name in PICTURES:
        with TemporaryDirectory() as folder:
            made = PICTURES[kind.name].draw(results, Path(folder), say, ViewOptions(scenes=False, paraview=False))
            pictures = [path for path in map(Path, made) if path.suffix == ".png"]
            yield from [ReportPicture(path.stem.replace("_", " "), path.read_bytes()) for path in pictures]


def histories(run):
    """(Variable, names (n), values (T, n)) of what the kind declares as numbers over time."""
    for variable in run.kind.variables:
        if variable.name not in run.results or "time" not in variable.dims:
            continue
        array = run.results[variable.name].transpose("time", ...)
        if array.dtype.kind not in "fiub":
            continue
        names = [""]
        for dim in array.dims[1:]:
            own = run.results[dim].values if dim in run.results.coords else range(1, array.sizes[dim] + 1)
            names = [f"{name}, {item}".removeprefix(", ") for name in names for item in own]
        yield variable, names, array.values.reshape(len(array), -1).astype(float)


def curves(time, names, columns):
    """Curves of columns (T, n) over time (T,): each by its name, or of many the mean within smallest and largest."""
    if columns.shape[1] <= MOST_CURVES:
        return [Curve(name, *envelope(time, column, POINTS)) for name, column in zip(names, columns.T, strict=True)]
    known = np.isfinite(columns)
    some = known.any(axis=1)
    low, high = (np.where(known, columns, end).T for end in (np.inf, -np.inf))
    mean = np.where(known, columns, 0.0).sum(axis=1)[some] / known.sum(axis=1)[some]
    return [Curve(f"mean of {len(names)}, within smallest and largest", time[some], mean,
                  low.min(axis=0)[some], high.max(axis=0)[some])]  # fmt: skip


def overlaid(runs):
    """Plots of the variables of one column, of all runs that have them."""
    found = [{variable.name: (variable, columns) for variable, _, columns in histories(run)} for run in runs]
    for name, (variable, columns) in found[0].items():
        if columns.shape[1] == 1 and all(name in one for one in found):
            lines = [
                Curve(run.name, run.results.time.values, one[name][1][:, 0], wide=run is runs[0])
                for run, one in zip(runs, found, strict=True)
            ]
            yield plot(variable, lines)


def plot(variable, lines):
    """Curves of a Variable over time."""
    name = variable.name.replace("_", " ")
    return Plot(f"{name}: {variable.meaning}", "time [s]", f"{name} [{variable.units}]", tuple(lines))
