"""Worn profiles, worn circumferences and the growth of their orders, a wheelset's left wheel beside its right one."""

import numpy as np
from matplotlib import colormaps

from flexwheel.assess.figures.style import label, new_figure

STATES = 5  # at most, between which batches are left out


def profile_figure(wheels, title):
    """Profiles before, between and after the batches, and the depth that is gone."""
    figure, axes = new_figure(2, f"Wear of the profile: {title}", height=7.0, columns=len(wheels))
    y = 1e3 * wheels[0].lateral.values
    gone = np.flatnonzero(np.max([part.wear_depth.values[-1] for part in wheels], axis=0) > 1e-9)
    for above, below, part in zip(axes[: len(wheels)], axes[len(wheels) :], wheels, strict=True):
        for k, (name, colour) in _states(part):
            above.plot(y, -1e3 * part.profile_height.values[k], color=colour, linewidth=1.0, label=name)
            below.plot(y, 1e3 * part.wear_depth.values[k], color=colour, linewidth=1.0)
        if gone.size:
            below.set_xlim(max(y[0], y[gone[0]] - 5.0), min(y[-1], y[gone[-1]] + 5.0))
        label(above, y="height of the surface [mm]", legend=part is wheels[-1])
        label(below, f"{_side(part)}: place on the profile, field side positive [mm]", "lost off the radius [mm]")
    return figure


def circumference_figure(wheels, title):
    """Deviation of the radius over the angle."""
    figure, axes = new_figure(len(wheels), f"Deviation of the radius: {title}", height=2.0 + 2.5 * len(wheels))
    for axis, part in zip(axes, wheels, strict=True):
        angle = np.degrees(part.angle.values)
        for k, (name, colour) in _states(part):
            axis.plot(angle, 1e6 * part.deviation.values[k], color=colour, linewidth=1.0, label=name)
        axis.set_xlim(0.0, 360.0)
        axis.set_xticks(range(0, 361, 45))
        label(axis, y=f"{_side(part)}: deviation [um]", legend=axis is axes[0])
    label(axes[-1], "angle by which the wheel has turned [deg]", legend=False)
    return figure


def growth_figure(wheels, title):
    """Amplitude of the orders, and how fast they grew in the last batch, with the error from turn to turn."""
    figure, axes = new_figure(2, f"Orders of the deviation: {title}", height=7.0, columns=len(wheels))
    for above, below, part in zip(axes[: len(wheels)], axes[len(wheels) :], wheels, strict=True):
        order = part.order.values
        for k, (name, colour) in _states(part):
            values = 1e6 * part.order_amplitude.values[k]
            shown = values > 1e-6
            above.semilogy(order[shown], values[shown], "o", markersize=3, color=colour, label=name)
        growth, error = 1e12 * part.order_growth.values[-1], 1e12 * part.order_growth_error.values[-1]
        below.bar(order, growth, width=0.7, color="tab:blue")
        if np.any(np.isfinite(error)):
            below.errorbar(order, growth, yerr=error, fmt="none", ecolor="black", elinewidth=0.8)
        below.set_ylim(bottom=0.0)
        label(above, y="amplitude [um]", legend=part is wheels[-1])
        label(below, f"{_side(part)}: order, waves in a turn", "growth in the last batch [um/1000 km]")
    return figure


def _side(part):
    return str(part.wheel.values)


def _states(part):
    """(number, (name, colour)) of the states shown, from the first to the last."""
    count = part.sizes["state"]
    shown = np.unique(np.round(np.linspace(0, count - 1, min(count, STATES))).astype(int))
    colours = colormaps["viridis"](np.linspace(0.0, 0.85, len(shown)))
    return [(k, (f"{part.distance.values[k] / 1e3:.4g} km", c)) for k, c in zip(shown, colours, strict=True)]
