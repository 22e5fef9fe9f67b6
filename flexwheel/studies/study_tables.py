"""What is printed of a study."""

import numpy as np

from flexwheel.studies.worker import COMPLETE

MOST_LISTED = 20


def not_complete(dataset):
    """Number, values, status and message of every run without figures."""
    found = []
    for k in np.flatnonzero(dataset.status.values != COMPLETE):
        values = {name: _plain(dataset[name].values[k]) for name in varied(dataset)}
        told = {name: str(dataset[name].values[k]) for name in ("status", "message")}
        found.append({"run": int(dataset.run.values[k]), "values": values} | told)
    return found


def varied(dataset):
    """Names of what a study varies, in its order."""
    return [name for name in str(dataset.attrs["varied"]).split("\n") if name]


def plain_values(dataset):
    """The study as plain values."""
    complete = int((dataset.status.values == COMPLETE).sum())
    return {
        "study": dataset.attrs["title"], "runs": dataset.sizes["run"], "complete": complete,
        "made_now": int(dataset.attrs["made_now"]), "not_complete": not_complete(dataset),
        "seconds": float(dataset.attrs["seconds"]),
    }  # fmt: skip


def study_lines(dataset):
    """Lines on a study: how many runs, the range of every figure, runs without figures."""
    plain = plain_values(dataset)
    lines = [
        f"{plain['study']}: {plain['runs']} runs, {plain['complete']} with figures; {plain['made_now']} made now, in "
        f"{plain['seconds']:.1f} s",
        f"{'figure':40s}{'unit':>8s}{'smallest':>14s}{'median':>14s}{'largest':>14s}",
    ]
    for name, array in dataset.data_vars.items():
        values = array.values[np.isfinite(array.values)]
        cells = (values.min(), np.median(values), values.max()) if len(values) else (np.nan,) * 3
        lines.append(f"{name:40s}{array.attrs['units']:>8s}" + "".join(f"{value:14.5g}" for value in cells))
    for item in plain["not_complete"][:MOST_LISTED]:
        said = ", ".join(f"{name} {value}" for name, value in item["values"].items())
        lines.append(f"run {item['run']} ({said}): {item['status']}{': ' if item['message'] else ''}{item['message']}")
    rest = len(plain["not_complete"]) - MOST_LISTED
    return [*lines, f"and {rest} more: status and message in the file"] if rest > 0 else lines


def _plain(value):
    return None if isinstance(value, float) and np.isnan(value) else value if isinstance(value, str) else float(value)
