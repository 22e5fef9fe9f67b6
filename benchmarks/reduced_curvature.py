"""Simplified against full model over the curvature: paper 001's cases in curves from 2000 to 150 m at one speed.

    python benchmarks/reduced_curvature.py [PICTURE]     a minute or two of processor time; table, and the picture

ML95 at 36 km/h and the free wheelset at 18 km/h, on the tracks of `ml95_small_curve.toml` and
`wheelset_small_curve.toml` with another radius. Root mean squares over all samples behind the start of the transition,
over all wheelsets and wheels: of the full model, and of the difference.
"""

import sys

import numpy as np

from flexwheel.base.shipped import EXAMPLES
from flexwheel.run.keys.reader import read_scenario_source
from flexwheel.systems.reduced.model_comparison import compared_histories
from flexwheel.systems.reduced.reduced_run import run_both

CASES = {
    "ml95_small_curve": ("ML95, 36 km/h", 40.0, (150.0, 200.0, 250.0, 300.0, 400.0, 600.0, 1000.0, 2000.0)),
    "wheelset_small_curve": ("free wheelset, 18 km/h", 20.0, (200.0, 300.0, 400.0, 600.0, 800.0, 1200.0, 2000.0)),
}
QUANTITIES = (
    ("wheelset", "lateral displacement"), ("wheelset", "yaw"), ("wheelset", "vertical displacement"),
    ("wheel", "wheel force Q"), ("wheel", "wheel force Y"),
)  # fmt: skip


def measured(name, begins, radius):
    """{(level, quantity): (unit, rms of the full model, rms of the difference)} in a curve of `radius` [m]."""
    source = read_scenario_source(EXAMPLES / f"{name}.toml", [f"track.layout.2.radius_m={radius:g}"])
    results = run_both(source)
    scenario = source.scenario
    after = (begins - scenario.run.start_position_m) / (scenario.run.speed_kmh / 3.6)
    found = {}
    for level, quantity, unit, first, second in compared_histories(results.sel(time=slice(after, None))):
        found[level, quantity] = unit, np.sqrt(np.mean(second**2)), np.sqrt(np.mean((first - second) ** 2))
    return found


def drawn(tables, path):
    """Ratios of both root mean squares over the curvature, a panel a vehicle."""
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, len(tables), figsize=(10.0, 4.2), sharey=True, layout="constrained")
    for panel, (title, rows) in zip(panels, tables.items(), strict=True):
        for key in QUANTITIES:
            ratio = [100.0 * values[key][2] / values[key][1] for values in rows.values()]
            panel.plot([1e3 / r for r in rows], ratio, "o-", label=key[1])
        panel.set(title=title, xlabel="curvature [1/km]", yscale="log")
        panel.grid(True, which="both", alpha=0.3)
    panels[0].set_ylabel("rms of the difference over rms of the full model [%]")
    panels[0].legend(fontsize=8)
    figure.savefig(path, dpi=110)


def main(picture=None):
    """Print a table a vehicle; returns title -> radius -> measured."""
    tables = {}
    for name, (title, begins, radii) in CASES.items():
        print(f"{title}: rms of the full model, of the difference")
        print(f"{'R [m]':>6s}" + "".join(f"{quantity:>24s}" for _, quantity in QUANTITIES))
        tables[title] = {}
        for radius in radii:
            values = tables[title][radius] = measured(name, begins, radius)
            cells = (f"{values[k][1]:.4g}, {values[k][2]:.3g} {values[k][0]}" for k in QUANTITIES)
            print(f"{radius:6g}" + "".join(f"{cell:>24s}" for cell in cells), flush=True)
    if picture:
        drawn(tables, picture)
    return tables


if __name__ == "__main__":
    main(*sys.argv[1:2])
