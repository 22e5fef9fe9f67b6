"""The track of a run: alignment and irregularities (paper 004, figures 14 and 15)."""

import numpy as np

from flexwheel.assess.figures.style import COLOURS, envelope, label, new_figure
from flexwheel.track.layout import track_frame


def sample_layout(layout, start, end, count=1500):
    """Arc lengths (n,), positions (n, 3), curvature of the plan (n,) [1/m] and cant (n,) [m] of a layout.

    Cant is the height of the left rail over the right one on the layout's base, + left rail high.
    """
    s = np.linspace(start, end, count)
    position, rotation, kappa, slope = np.zeros((count, 3)), np.zeros((count, 3, 3)), np.zeros((count, 3)), np.zeros(3)
    for i in range(count):
        track_frame(layout, s[i], position[i], rotation[i], kappa[i], slope)
    curvature = np.einsum("ij,ij->i", rotation[:, 2], kappa)  # of the plan: vertical part of the turning rate
    return s, position, curvature, layout.cant_base * rotation[:, 2, 1]


def layout_figure(layout, start, end):
    """Plan, curvature and cant of the track between two arc lengths [m]."""
    s, position, curvature, cant = sample_layout(layout, start, end)
    figure, axes = new_figure(3, "Track layout", height=8.0, share_x=False)
    axes[0].plot(position[:, 0], position[:, 1], color="black")
    bends = layout.start[1:-1][np.abs(np.diff(layout.heading[:, 2])) > 1e-12]
    for mark in bends[(bends >= start) & (bends <= end)]:
        k = int(np.argmin(np.abs(s - mark)))
        axes[0].plot(position[k, 0], position[k, 1], "|", color="tab:red", markersize=10)
    axes[0].plot([], [], "|", color="tab:red", markersize=10, label="ends of track sections")
    axes[0].set_aspect("equal", adjustable="datalim")
    label(axes[0], "x [m]", "y, left positive [m]")
    axes[1].plot(s, 1e3 * curvature, color="tab:blue")
    label(axes[1], "arc length [m]", "curvature, left positive [1/km]")
    axes[2].plot(s, 1e3 * cant, color="tab:green")
    label(axes[2], "arc length [m]", "left over right rail [mm]")
    return figure


def irregularity_figure(results):
    """Irregularities of both rails under the leading wheelset."""
    first = str(results.wheelset.values[0])
    position = results.body_position.sel(body=first, path="s").values
    figure, axes = new_figure(2, "Track irregularities under the leading wheelset", height=6.4)
    for axis, direction in zip(axes, ("vertical", "lateral"), strict=True):
        for side, colour in (("left", COLOURS[0]), ("right", COLOURS[3])):
            values = results.irregularity.sel(wheel=f"{first} {side}", direction=direction).values
            axis.plot(*envelope(position, 1e3 * values), color=colour, linewidth=0.8, label=f"{side} rail")
        label(axis, None, f"{direction} [mm]")
    label(axes[-1], "arc length of the leading wheelset [m]", legend=False)
    return figure
