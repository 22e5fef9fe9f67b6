"""Contact patches: where they lie on the rail head, their size, pressure and creepage."""

import numpy as np

from flexwheel.errors import FlexwheelError
from flexwheel.view.style import COLOURS, envelope, label, new_figure


def patch_history_figure(results, wheelset=None, title=""):
    """Lateral place, area and peak pressure of every patch of one wheelset along the track."""
    wheelset = wheelset or str(results.wheelset.values[0])
    position = results.body_position.sel(body=wheelset, path="s").values
    figure, axes = new_figure(3, title or f"Contact patches of wheelset {wheelset}", height=8.6)
    rows = (("y_rail", 1e3, "place on the rail, field side + [mm]"), ("area", 1e6, "area [mm2]"),
            ("peak_pressure", 1e-6, "peak pressure [MPa]"))  # fmt: skip
    for axis, (name, scale, text) in zip(axes, rows, strict=True):
        for k, side in enumerate(("left", "right")):
            values = scale * results[f"patch_{name}"].sel(wheel=f"{wheelset} {side}").values
            load = results.patch_normal_force.sel(wheel=f"{wheelset} {side}").values
            for patch in range(values.shape[1]):
                shown = load[:, patch] > 0.0
                curve = envelope(position[shown], values[shown, patch])
                axis.plot(*curve, ".", markersize=1.2, color=COLOURS[2 * k + min(patch, 1)])
        label(axis, None, text, legend=False)
    for k, text in enumerate(("left, first patch", "left, further", "right, first patch", "right, further")):
        axes[0].plot([], [], "o", color=COLOURS[k], label=text)
    label(axes[0])
    label(axes[-1], f"arc length of wheelset {wheelset} [m]", legend=False)
    return figure


def pressure_figure(results, time_s, wheelset=None, title=""):
    """Normal pressure over the patches of one wheelset at a time, seen from above.

    Each patch is drawn as the ellipse of its half-length and half-width with a semi-ellipsoidal pressure of its
    peak value; the strips of the semi-Hertzian solution are not stored.
    """
    wheelset = wheelset or str(results.wheelset.values[0])
    at = results.sel(time=time_s, method="nearest")
    figure, axes = new_figure(1, "", height=5.6, columns=2, share_x=False)
    wheels = at.sel(wheel=[f"{wheelset} left", f"{wheelset} right"])
    if not float(wheels.patch_normal_force.max()) > 0.0:
        raise FlexwheelError(f"neither wheel of {wheelset} touches its rail at {float(at.time):.4f} s")
    highest = max(1.0, float(np.nanmax(wheels.patch_peak_pressure)))
    for axis, side in zip(axes, ("left", "right"), strict=True):
        wheel = at.sel(wheel=f"{wheelset} {side}")
        for patch in range(at.sizes["patch"]):
            if not float(wheel.patch_normal_force[patch]) > 0.0:
                continue
            image = _draw_patch(axis, wheel, patch, highest)
        axis.use_sticky_edges = False
        axis.margins(x=0.3, y=0.3)
        axis.set_aspect("equal", adjustable="datalim")
        axis.autoscale_view()
        sense = 1.0 if side == "left" else -1.0
        axis.set_title(f"{side} wheel", fontsize=10, loc="left")
        label(
            axis,
            f"y on the rail, {'left' if sense > 0 else 'right'} = field side [mm]",
            "x along the track [mm]",
            False,
        )
        if side == "left":
            axis.invert_xaxis()
    figure.suptitle(title or f"Contact pressure, wheelset {wheelset}, t = {float(at.time):.4f} s", fontsize=11)
    figure.colorbar(image, ax=axes, label="normal pressure [MPa]", shrink=0.85)
    return figure


def _draw_patch(axis, wheel, patch, highest):
    a, b = (float(wheel[f"patch_half_{name}"][patch]) for name in ("length", "width"))
    y0, peak = float(wheel.patch_y_rail[patch]), float(wheel.patch_peak_pressure[patch])
    x0 = float(wheel.patch_x_contact[patch])
    if not np.all(np.isfinite([a, b, x0, y0, peak])):
        raise FlexwheelError("results: a loaded contact patch has no place, size or pressure; expected finite numbers")
    radius, angle = np.meshgrid(np.linspace(0.0, 1.0, 40), np.linspace(0.0, 2.0 * np.pi, 73))
    pressure = peak * np.sqrt(np.clip(1.0 - radius**2, 0.0, None))
    image = axis.pcolormesh(
        1e3 * (y0 + b * radius * np.cos(angle)),
        1e3 * (x0 + a * radius * np.sin(angle)),
        pressure / 1e6,
        vmin=0.0,
        vmax=highest / 1e6,
        cmap="inferno",
        shading="gouraud",
    )
    load = float(wheel.patch_normal_force[patch]) / 1e3
    axis.annotate(
        f"N = {load:.1f} kN\np0 = {peak / 1e6:.0f} MPa",
        (1e3 * y0, 1e3 * (x0 + a)),
        xytext=(0, 6),
        textcoords="offset points",
        ha="center",
        fontsize=8,
    )
    return image
