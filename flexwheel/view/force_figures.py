"""Wheel-rail forces along the track and their assessment."""

from __future__ import annotations

from flexwheel.post.en14363 import DERAILMENT_LIMIT, safety_quantities
from flexwheel.post.spectra import third_octaves
from flexwheel.view.style import COLOURS, label, new_figure, thinned


def force_figure(results, title=""):
    """Q, Y and longitudinal force of every wheel, thin as computed, thick after the 20 Hz filter of EN 14363."""
    quantities = safety_quantities(results)
    step = thinned(quantities.time)
    position = quantities.position[::step]
    figure, axes = new_figure(3, title or "Wheel forces on the rail along the track", height=9.0)
    filtered = {"Q": quantities.vertical, "Y": quantities.lateral}
    for axis, force, text in zip(
        axes,
        ("Q", "Y", "longitudinal"),
        ("Q, downward [kN]", "Y, to the field side [kN]", "longitudinal, forward [kN]"),
        strict=True,
    ):
        for k, wheel in enumerate(results.wheel.values):
            values = results.wheel_force.sel(wheel=wheel, force=force).values / 1e3
            colour = COLOURS[k % len(COLOURS)]
            if force in filtered:
                axis.plot(position, values[::step], color=colour, linewidth=0.3, alpha=0.35)
                values = filtered[force][:, k] / 1e3
            axis.plot(position, values[::step], color=colour, linewidth=1.2, label=str(wheel))
        label(axis, None, text)
    label(axes[-1], "arc length of the leading wheelset [m]", legend=False)
    return figure


def safety_figure(results, title=""):
    """Y/Q of every wheel and sum Y of every wheelset, means over 2 m, with their limits (EN 14363)."""
    quantities = safety_quantities(results)
    step = thinned(quantities.time)
    position = quantities.position[::step]
    figure, axes = new_figure(
        2, title or "Running safety after EN 14363, sliding mean over 2 m; dashed: limits", height=7.0
    )
    for k, wheel in enumerate(results.wheel.values):
        axes[0].plot(
            position, quantities.derailment_quotient[::step, k], color=COLOURS[k % len(COLOURS)], label=str(wheel)
        )
    axes[0].axhline(DERAILMENT_LIMIT, color="black", linestyle="--", linewidth=1.0, label="limit 0.8")
    label(axes[0], None, "Y/Q [-]")
    for k, wheelset in enumerate(results.wheelset.values):
        axes[1].plot(
            position, quantities.sum_lateral[::step, k] / 1e3, color=COLOURS[k % len(COLOURS)], label=str(wheelset)
        )
        for sign in (1.0, -1.0):
            limit = sign * quantities.sum_lateral_limit[k] / 1e3
            axes[1].axhline(limit, color=COLOURS[k % len(COLOURS)], linestyle="--", linewidth=1.0)
    label(axes[1], "arc length of the leading wheelset [m]", "sum Y, to the left [kN]")
    return figure


def force_spectrum_figure(results, title=""):
    """Third-octave levels of Q and Y of every wheel, 10-1250 Hz."""
    step = float(results.time[1] - results.time[0])
    figure, axes = new_figure(2, title or "Third-octave levels of the wheel forces", height=7.0)
    for axis, force in zip(axes, ("Q", "Y"), strict=True):
        for k, wheel in enumerate(results.wheel.values):
            centres, rms = third_octaves(results.wheel_force.sel(wheel=wheel, force=force).values, step)
            axis.loglog(centres, rms, "o-", markersize=3, color=COLOURS[k % len(COLOURS)], label=str(wheel))
        label(axis, None, f"{force}, rms per band [N]")
    label(axes[-1], "mid-band frequency [Hz]", legend=False)
    return figure
