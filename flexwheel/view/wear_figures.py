"""Worn profiles, worn circumferences and the growth of their orders."""

import numpy as np
from matplotlib import colormaps

from flexwheel.view.style import label, new_figure

STATES = 8  # at most, of those between the first and the last


def profile_figure(part, title):
    """Profile before, between and after the batches, and the depth that is gone; lateral positive to the field side."""
    figure, (above, below) = new_figure(2, f"Wear of the profile: {title}", height=7.0)
    y = 1e3 * part.lateral.values
    for k, (name, colour) in _states(part):
        above.plot(y, -1e3 * part.profile_height.values[k], color=colour, linewidth=1.0, label=name)
        below.plot(y, 1e3 * part.wear_depth.values[k], color=colour, linewidth=1.0)
    worn = np.flatnonzero(part.wear_depth.values[-1] > 0.0)
    if worn.size:
        below.set_xlim(max(y[0], y[worn[0]] - 5.0), min(y[-1], y[worn[-1]] + 5.0))
    label(above, y="height of the surface [mm]")
    label(below, "lateral place on the profile, field side positive [mm]", "lost off the radius [mm]", legend=False)
    return figure


def circumference_figure(part, title):
    """Deviation of the radius over the angle."""
    figure, (axis,) = new_figure(1, f"Deviation of the radius: {title}", height=5.0)
    for k, (name, colour) in _states(part):
        axis.plot(
            np.degrees(part.angle.values), 1e6 * part.deviation.values[k], color=colour, linewidth=1.0, label=name
        )
    axis.set_xlim(0.0, 360.0)
    axis.set_xticks(range(0, 361, 45))
    label(axis, "angle by which the wheel has turned [deg]", "deviation [um]")
    return figure


def growth_figure(part, title):
    """Amplitude of the orders, and how fast they grew in the last batch, with the error from turn to turn."""
    figure, (above, below) = new_figure(2, f"Orders of the deviation: {title}", height=7.0)
    order = part.order.values
    for k, (name, colour) in _states(part):
        values = 1e6 * part.order_amplitude.values[k]
        if np.any(values > 0.0):
            above.semilogy(
                order, np.maximum(values, 1e-12), "o-", markersize=3, color=colour, linewidth=0.8, label=name
            )
    growth, error = 1e12 * part.order_growth.values[-1], 1e12 * part.order_growth_error.values[-1]
    below.bar(order, growth, width=0.7, color="tab:blue")
    if np.any(np.isfinite(error)):
        below.errorbar(order, growth, yerr=error, fmt="none", ecolor="black", elinewidth=0.8)
    below.set_ylim(bottom=0.0)
    label(above, y="amplitude [um]")
    label(below, "order: waves in a turn", "growth in the last batch [um/1000 km]", legend=False)
    return figure


def _states(part):
    """(number, (name, colour)) of the states shown, from the first to the last."""
    count = part.sizes["state"]
    shown = np.unique(np.round(np.linspace(0, count - 1, min(count, STATES + 2))).astype(int))
    colours = colormaps["viridis"](np.linspace(0.0, 0.85, len(shown)))
    return [(k, (f"{part.distance.values[k] / 1e3:.4g} km", c)) for k, c in zip(shown, colours, strict=True)]
