"""Wheel-rail forces and their assessment, couplers, motion of the car body; one quantity a figure where so named.

`body_lateral_figure` and `wheel_force_figure` are figures 8 to 10 of Falomi et al. (contact points of wheel and rail):
lateral displacement of the car body, and Q and Y of the left wheel of the first wheelset.
"""

import numpy as np

from flexwheel.assess.figures.style import COLOURS, envelope, label, mark_left_out, new_figure, shade_beyond
from flexwheel.numerics.spectra import third_octaves
from flexwheel.results.evaluate.en14363 import DERAILMENT_LIMIT, factor_words, safety_quantities
from flexwheel.results.evaluate.span import settled
from flexwheel.results.evaluate.valid_band import bound_of

SAME = 0.02
"""Limits that differ by less are one line of a legend: a line's width in the picture."""


def force_figure(results, quantities=None):
    """Q and Y of every wheel, thin as computed, thick after the 20 Hz filter of EN 14363; longitudinal as computed.

    quantities: `safety_quantities` of the results, where they are at hand
    """
    quantities = quantities or safety_quantities(results)
    position = quantities.position
    figure, axes = new_figure(3, "Wheel forces on the rail along the track", height=9.0)
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


def check_rail_figure(results):
    """Force and gap of the check rails at every wheel that meets one."""
    position = results.body_position.sel(body=str(results.wheelset.values[0]), path="s").values
    figure, axes = new_figure(3, "Check rails along the track", height=9.0)
    rows = (
        ("normal_force", 1e-3, "normal force [kN]"),
        ("friction_force", 1e-3, "friction [kN]"),
        ("gap", 1e3, "gap [mm]"),
    )
    for axis, (name, scale, text) in zip(axes, rows, strict=True):
        for k, wheel in enumerate(results.wheel.values):
            values = scale * results[f"check_rail_{name}"].sel(wheel=wheel).values
            if np.isfinite(results.check_rail_gap.sel(wheel=wheel)).any():
                axis.plot(position, values, color=COLOURS[k % len(COLOURS)], linewidth=1.0, label=str(wheel))
        label(axis, None, text, legend=axis is axes[0])
    label(axes[-1], "arc length of the leading wheelset [m]", legend=False)
    return figure


def safety_figure(results, quantities=None):
    """Y/Q of every wheel and sum Y of every wheelset, means over 2 m, with their limits (EN 14363); quantities: as of
    `force_figure`."""
    quantities = quantities or safety_quantities(results)
    position = quantities.position
    figure, axes = new_figure(2, "Running safety after EN 14363, sliding mean over 2 m; dashed: limits", height=7.0)
    for k, wheel in enumerate(results.wheel.values):
        curve = envelope(position, quantities.derailment_quotient[:, k])
        axes[0].plot(*curve, color=COLOURS[k % len(COLOURS)], label=str(wheel))
    axes[0].axhline(DERAILMENT_LIMIT, color="black", linestyle="--", linewidth=1.0, label=f"limit {DERAILMENT_LIMIT:g}")
    for k, wheelset in enumerate(results.wheelset.values):
        curve = envelope(position, quantities.sum_lateral[:, k] / 1e3)
        axes[1].plot(*curve, color=COLOURS[k % len(COLOURS)], label=str(wheelset))
    for n, (low, high, sharing) in enumerate(_alike(quantities.sum_lateral_limit / 1e3)):
        words = f"limit {low:.1f} kN" if f"{low:.1f}" == f"{high:.1f}" else f"limits {low:.1f} to {high:.1f} kN"
        colour = COLOURS[sharing[0] % len(COLOURS)] if len(sharing) == 1 else "black"
        look = {"color": colour, "linestyle": "--", "linewidth": 1.0}
        axes[1].axhline(low, label=f"{words} ({factor_words(quantities)})" if n == 0 else words, **look)
        for other in (high, -low, -high) if high > low else (-low,):
            axes[1].axhline(other, **look)
    for axis, text in zip(axes, ("Y/Q [-]", "sum Y, to the left [kN]"), strict=True):
        mark_left_out(axis, position, quantities.evaluated)
        label(axis, None, text)
    axes[-1].set_xlabel("arc length of the leading wheelset [m]", fontsize=9)
    return figure


def _alike(values):
    """(lowest, highest, indices) of values that a picture does not tell apart: within SAME of their lowest."""
    groups = []
    for k in np.argsort(values, kind="stable"):
        if groups and values[k] <= (1.0 + SAME) * groups[-1][0]:
            groups[-1][1] = float(values[k])
            groups[-1][2].append(int(k))
        else:
            groups.append([float(values[k]), float(values[k]), [int(k)]])
    return groups


def force_spectrum_figure(results):
    """Third-octave levels of Q and Y of every wheel, 10-1250 Hz, after settling."""
    after = settled(results)
    step = float(after.time[1] - after.time[0]) if after.sizes["time"] > 1 else 1.0
    span = f"{float(after.time[0]):.2f} to {float(after.time[-1]):.2f} s"
    figure, axes = new_figure(2, f"Third-octave levels of the wheel forces, {span}", height=7.0)
    for axis, force in zip(axes, ("Q", "Y"), strict=True):
        for k, wheel in enumerate(results.wheel.values):
            centres, rms = third_octaves(after.wheel_force.sel(wheel=wheel, force=force).values, step)
            axis.loglog(centres, rms, "o-", markersize=3, color=COLOURS[k % len(COLOURS)], label=str(wheel))
        shade_beyond(axis, bound_of(after.wheel_force.sel(force=force)))
        label(axis, None, f"{force}, rms per band [N]")
    label(axes[-1], "mid-band frequency [Hz]", legend=False)
    return figure


def body_lateral_figure(results, body):
    """Lateral displacement of a body's centre from the centre line of the track [mm]."""
    figure, (axis,) = new_figure(1, f"Lateral displacement of the centre of mass: {_words(body)}", height=4.2)
    values = results.body_position.sel(body=body, path="y").values
    axis.plot(*envelope(results.time.values, 1e3 * values), color=COLOURS[0], linewidth=1.2)
    label(axis, "time [s]", "from the centre line, to the left [mm]")
    return figure


def wheel_force_figure(results, wheel, force, quantities=None):
    """One force (Q or Y) of one wheel against time, as computed and after the 20 Hz filter of EN 14363 [kN];
    quantities: as of `force_figure`."""
    quantities = quantities or safety_quantities(results)
    k = [str(name) for name in results.wheel.values].index(wheel)
    filtered = quantities.vertical if force == "Q" else quantities.lateral
    words = {"Q": "Vertical force Q, downward", "Y": "Lateral force Y, to the field side"}[force]
    figure, (axis,) = new_figure(1, f"{words}: {_words(wheel)}", height=4.2)
    values = results.wheel_force.sel(wheel=wheel, force=force).values
    axis.plot(*envelope(quantities.time, values / 1e3), color=COLOURS[0], linewidth=0.5, label="as computed")
    curve = envelope(quantities.time, filtered[:, k] / 1e3)
    axis.plot(*curve, color=COLOURS[1], linewidth=1.4, label="20 Hz")
    mark_left_out(axis, quantities.time, quantities.evaluated)
    label(axis, "time [s]", f"{force} [kN]")
    return figure


def _words(name):
    return str(name).replace("_", " ")


def coupler_figure(results, quantities=None):
    """Coupler forces, their lateral parts and angles, and Y/Q of every wheel against time; quantities: as of
    `force_figure`."""
    time = results.time.values
    figure, axes = new_figure(4, "Couplers of the vehicle and its derailment quotient", height=11.0)
    parts = (
        ("coupler_force", 1e-3, "force, draft positive [kN]"),
        ("coupler_lateral_force", 1e-3, "lateral force, left [kN]"),
        ("coupler_angle", 1e3, "angle, left [mrad]"),
    )
    for axis, (name, factor, text) in zip(axes, parts, strict=False):
        for k, coupler in enumerate(results.coupler.values):
            values = factor * results[name].sel(coupler=coupler).values
            axis.plot(*envelope(time, values), color=COLOURS[k], linewidth=1.2, label=str(coupler))
        if name == "coupler_lateral_force":
            both = factor * results[name].sum("coupler").values
            axis.plot(*envelope(time, both), color="black", linewidth=1.2, label="both")
        label(axis, None, text)
    quantities = quantities or safety_quantities(results)
    for k, wheel in enumerate(results.wheel.values):
        colour = COLOURS[k % len(COLOURS)]
        curve = envelope(time, quantities.derailment_quotient[:, k])
        axes[3].plot(*curve, color=colour, linewidth=1.2, label=str(wheel))
    axes[3].axhline(DERAILMENT_LIMIT, color="black", linestyle="--", linewidth=1.0, label="limit 0.8")
    label(axes[3], "time [s]", "Y/Q, 2 m mean [-]")
    return figure
