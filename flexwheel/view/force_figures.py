"""Wheel-rail forces along the track and their assessment."""

from flexwheel.post.en14363 import DERAILMENT_LIMIT, factor_words, safety_quantities
from flexwheel.post.span import settled
from flexwheel.post.spectra import third_octaves
from flexwheel.view.style import COLOURS, envelope, label, mark_left_out, new_figure


def force_figure(results, title=""):
    """Q, Y and longitudinal force of every wheel, thin as computed, thick after the 20 Hz filter of EN 14363."""
    quantities = safety_quantities(results)
    position = quantities.position
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
                axis.plot(*envelope(position, values), color=colour, linewidth=0.3, alpha=0.35)
                values = filtered[force][:, k] / 1e3
            axis.plot(*envelope(position, values), color=colour, linewidth=1.2, label=str(wheel))
        mark_left_out(axis, position, quantities.evaluated)
        label(axis, None, text)
    label(axes[-1], "arc length of the leading wheelset [m]", legend=False)
    return figure


def safety_figure(results, title=""):
    """Y/Q of every wheel and sum Y of every wheelset, means over 2 m, with their limits (EN 14363)."""
    quantities = safety_quantities(results)
    position = quantities.position
    figure, axes = new_figure(
        2, title or "Running safety after EN 14363, sliding mean over 2 m; dashed: limits", height=7.0
    )
    for k, wheel in enumerate(results.wheel.values):
        curve = envelope(position, quantities.derailment_quotient[:, k])
        axes[0].plot(*curve, color=COLOURS[k % len(COLOURS)], label=str(wheel))
    axes[0].axhline(DERAILMENT_LIMIT, color="black", linestyle="--", linewidth=1.0, label=f"limit {DERAILMENT_LIMIT:g}")
    for k, wheelset in enumerate(results.wheelset.values):
        colour = COLOURS[k % len(COLOURS)]
        axes[1].plot(*envelope(position, quantities.sum_lateral[:, k] / 1e3), color=colour, label=str(wheelset))
        limit = quantities.sum_lateral_limit[k] / 1e3
        words = f"limit {limit:.1f} kN ({factor_words(quantities)})" if k == 0 else f"limit {limit:.1f} kN"
        for sign, text in ((1.0, words), (-1.0, None)):
            axes[1].axhline(sign * limit, color=colour, linestyle="--", linewidth=1.0, label=text)
    for axis, text in zip(axes, ("Y/Q [-]", "sum Y, to the left [kN]"), strict=True):
        mark_left_out(axis, position, quantities.evaluated)
        label(axis, None, text)
    axes[-1].set_xlabel("arc length of the leading wheelset [m]", fontsize=9)
    return figure


def force_spectrum_figure(results, title=""):
    """Third-octave levels of Q and Y of every wheel, 10-1250 Hz, after settling."""
    after = settled(results)
    step = float(after.time[1] - after.time[0]) if after.sizes["time"] > 1 else 1.0
    span = f"{float(after.time[0]):.2f} to {float(after.time[-1]):.2f} s"
    figure, axes = new_figure(2, title or f"Third-octave levels of the wheel forces, {span}", height=7.0)
    for axis, force in zip(axes, ("Q", "Y"), strict=True):
        for k, wheel in enumerate(results.wheel.values):
            centres, rms = third_octaves(after.wheel_force.sel(wheel=wheel, force=force).values, step)
            axis.loglog(centres, rms, "o-", markersize=3, color=COLOURS[k % len(COLOURS)], label=str(wheel))
        label(axis, None, f"{force}, rms per band [N]")
    label(axes[-1], "mid-band frequency [Hz]", legend=False)
    return figure
