"""Force elements of a vehicle: what one of them bears, against time and against its stroke."""

import numpy as np

from flexwheel.errors import ScenarioError
from flexwheel.view.style import COLOURS, envelope, label, new_figure

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
        raise ScenarioError(f"element {element.element.item()}: it bears nothing in these results")
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
