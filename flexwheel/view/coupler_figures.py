"""Couplers of a vehicle inside a train: forces, angles, what they press sideways, and the derailment quotient."""

from flexwheel.post.en14363 import DERAILMENT_LIMIT, safety_quantities
from flexwheel.view.style import COLOURS, envelope, label, new_figure


def coupler_figure(results, title=""):
    """Coupler forces, their lateral parts and angles, and Y/Q of every wheel against time."""
    time = results.time.values
    figure, axes = new_figure(4, title or "Couplers of the vehicle and its derailment quotient", height=11.0)
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
    quantities = safety_quantities(results)
    for k, wheel in enumerate(results.wheel.values):
        colour = COLOURS[k % len(COLOURS)]
        curve = envelope(time, quantities.derailment_quotient[:, k])
        axes[3].plot(*curve, color=colour, linewidth=1.2, label=str(wheel))
    axes[3].axhline(DERAILMENT_LIMIT, color="black", linestyle="--", linewidth=1.0, label="limit 0.8")
    label(axes[3], "time [s]", "Y/Q, 2 m mean [-]")
    return figure
