"""Figures of a response in the frequency domain: force spectra, receptances, decay rates, control nodes."""

import numpy as np

from flexwheel.assess.figures.style import COLOURS, label, new_figure, shade_beyond
from flexwheel.results.evaluate.valid_band import bound_of


def force_figure(results):
    """Vertical and lateral wheel-rail force: density and third octaves."""
    figure, axes = new_figure(2, "Wheel-rail forces by linear response", height=8.0)
    for axis, component, name in zip(axes, ("z", "y"), ("vertical", "lateral"), strict=True):
        for w, wheel in enumerate(results.wheel.values):
            density = np.sqrt(results.contact_force_density.sel(wheel=wheel, axis=component).values)
            line = {"color": COLOURS[w % len(COLOURS)], "linestyle": ("-", "--")[w % 2]}  # sides may be alike
            axis.loglog(results.frequency, density, linewidth=0.9, label=str(wheel), **line)
        _fit(axis, np.sqrt(results.contact_force_density.sel(axis=component).values))
        shade_beyond(axis, bound_of(results.contact_force_density.sel(axis=component)))
        label(axis, None, f"{name} force [N/sqrt(Hz)]")
    label(axes[-1], "frequency [Hz]", legend=False)
    return figure


def receptance_figure(results):
    """Vertical and lateral receptance of the first wheelset's left wheel and of the rail."""
    figure, axes = new_figure(2, "Receptances at the contact", height=8.0)
    for axis, row, name in zip(axes, (2, 1), ("vertical", "lateral"), strict=True):
        wheel = results.wheel_receptance.values[:, 0]
        for side, colour, text in ((0, 0, "wheel"), (1, 1, "wheel, force on the other wheel")):
            axis.loglog(results.frequency, _size(wheel[:, 0, row, side, row]), color=COLOURS[colour], label=text)
        rail = _size(results.rail_receptance_moving.values[:, row, row])
        if np.any(rail > 0.0):
            axis.loglog(results.frequency, rail, color=COLOURS[3], label="rail, moving load, mean along the bay")
        if "rail_receptance" in results:
            for place, colour in ((0, 2), (2, 4)):
                standing = _size(results.rail_receptance.values[:, place, row, row])
                text = f"rail {results.place.values[place]}"
                axis.loglog(results.frequency, standing, color=COLOURS[colour], linewidth=0.8, label=text)
        label(axis, None, f"{name} receptance [m/N]")
    label(axes[-1], "frequency [Hz]", legend=False)
    return figure


def decay_figure(results):
    """Decay rates of the track in third octaves' frequencies."""
    figure, (axis,) = new_figure(1, "Track decay rate")
    for k, direction in enumerate(results.direction.values):
        axis.loglog(results.frequency, results.track_decay_rate.values[:, k], color=COLOURS[k], label=str(direction))
    label(axis, "frequency [Hz]", "decay rate [dB/m]")
    return figure


def node_figure(results, name):
    """Acceleration and von Mises stress of a control node, the node that turns and the fixed point."""
    figure, axes = new_figure(3, f"Control node {name} by linear response", height=10.5)
    at = results.sel(control_node=name)
    rows = (
        ("radial acceleration [m/s2/sqrt(Hz)]", at.acceleration_density.sel(axis="z")),
        ("axial acceleration [m/s2/sqrt(Hz)]", at.acceleration_density.sel(axis="y")),
        ("von Mises stress [Pa/sqrt(Hz)]", at.von_mises_density),
    )
    for axis, (text, density) in zip(axes, rows, strict=True):
        for k, point in enumerate(results.point.values):
            values = np.sqrt(density.sel(point=point).values)
            axis.loglog(results.frequency, values, color=COLOURS[3 * k], linewidth=0.9, label=str(point))
        _fit(axis, np.sqrt(density.values))
        shade_beyond(axis, bound_of(density))
        label(axis, None, text)
    label(axes[-1], "frequency [Hz]", legend=False)
    return figure


def _size(parts):
    """Magnitude of (..., 2) real and imaginary parts."""
    return np.hypot(parts[..., 0], parts[..., 1])


def _fit(axis, values):
    """Five decades below the highest value, or three below the highest of the lowest curve; values (F, n)."""
    tops = np.max(values, axis=0, initial=0.0)
    top, least = np.max(tops), np.min(tops[tops > 0.0], initial=np.inf)
    if top > 0.0:
        axis.set_ylim(min(1e-5 * top, 1e-3 * least), 2.0 * top)
