"""Force elements of a vehicle: what one of them bears, against time and against its stroke."""

import numpy as np

from flexwheel.assess.figures.style import COLOURS, envelope, label, new_figure
from flexwheel.base.errors import ScenarioError

PAIRS = (
    ("force", 1e-3, "kN", "stroke", 1e3, "mm", "rate", 1.0, "m/s"),
    ("moment", 1e-3, "kN m", "turn", 1e3, "mrad", "turn_rate", 1e3, "mrad/s"),
)
SILENT = 1e-9  # share of the largest component below which one is left out


def element_figure(element):
    """Force over time, stroke and rate of one force element; moments where it has any.

    element : Dataset of `results.fw.elements` of one element
    """
    shown = []
    for bears, *rest in PAIRS:
        if bears in element:
            size = np.abs(element[bears]).max("time")
            axes = [
                str(axis) for axis in element.axis.values if size.sel(axis=axis) > SILENT * max(float(size.max()), 1.0)
            ]
            shown += [(bears, *rest, axes)] if axes else []
    if not shown:
        raise ScenarioError(f"element {element.element.item()}: has no force in these results")
    count = 3 * len(shown)
    figure, panels = new_figure(count, f"Force element {element.element.item()}", height=2.6 * count, share_x=False)
    for k, (bears, scale, unit, moves, size, length, rate, per, speed, axes) in enumerate(shown):
        over_time, over_stroke, over_rate = panels[3 * k : 3 * k + 3]
        for j, axis in enumerate(axes):
            own, colour = element.sel(axis=axis), COLOURS[j % len(COLOURS)]
            values = scale * own[bears].values
            over_time.plot(*envelope(element.time.values, values), color=colour, linewidth=1.0, label=axis)
            if moves in own:
                over_stroke.plot(size * own[moves].values, values, color=colour, linewidth=0.7)
            if rate in own:
                over_rate.plot(per * own[rate].values, values, color=colour, linewidth=0.7)
        label(over_time, "time [s]", f"{bears} [{unit}]")
        label(over_stroke, f"{moves} [{length}]", f"{bears} [{unit}]", legend=False)
        label(over_rate, f"{rate.replace('_', ' ')} [{speed}]", f"{bears} [{unit}]", legend=False)
    return figure


def energy_figure(energy):
    """Ledger over time in four panels; terms that stay below a thousandth of the largest in their panel are left out.

    energy : Dataset of `results.fw.energy`
    """
    names = [str(name) for name in energy.data_vars if name != "residual"]
    lost, given = ([name for name in names if name.startswith(first)] for first in ("lost_", "in_"))
    panels = {
        "stored, change": [name for name in names if name not in (*lost, *given)],
        "lost": lost,
        "put in": given,
        "left over": ["residual"],
    }
    figure, axes = new_figure(len(panels), "Energy since the start of the run", height=11.0)
    for axis, (words, group) in zip(axes, panels.items(), strict=True):
        curves = {name: energy[name].values - energy[name].values[0] for name in group if name in energy}
        largest = max((np.abs(curve).max() for curve in curves.values()), default=0.0)
        shown = {name: curve for name, curve in curves.items() if np.abs(curve).max() >= 1e-3 * largest}
        scale, unit = (1e-3, "kJ") if largest >= 1e3 else (1.0, "J")
        for k, (name, curve) in enumerate(shown.items()):
            text = name.removeprefix("lost_").removeprefix("in_").replace("_", " ")
            axis.plot(*envelope(energy.time.values, scale * curve), color=COLOURS[k % len(COLOURS)], label=text)
        label(axis, None, f"{words} [{unit}]")
    label(axes[-1], "time [s]", legend=False)
    return figure
