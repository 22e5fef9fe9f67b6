"""Figures of contact under load: patches over the rail head, pressure maps, courses over the lateral shift."""

import numpy as np

from flexwheel.assess.figures.style import COLOURS, label, new_figure


def position_figure(pairs, result):
    """Both profiles in the computed position, and the patches on the rail as thick lines with their load."""
    sides = [wheel.side for wheel in result.wheels]
    title = f"shift {1e3 * result.shift:.2f} mm, yaw {1e3 * result.yaw:.2f} mrad, roll {1e3 * result.roll:.3f} mrad"
    figure, axes = new_figure(1, title, height=4.6, columns=len(sides), share_x=False)
    for axis, wheel in zip(axes, result.wheels, strict=True):
        pair, sign, d = pairs[wheel.side], 1.0 if wheel.side == "left" else -1.0, wheel.pose
        rail = pair.rail
        shown = (pair.wheel.y > -0.065) & (pair.wheel.y < 0.056)
        y, h = pair.wheel.y[shown], pair.wheel.height[shown]
        across = pair.placement.offset + d[1] + np.cos(d[3]) * y + np.sin(d[3]) * h
        up = d[2] + np.sin(d[3]) * y - np.cos(d[3]) * h
        axis.plot(sign * 1e3 * rail.y, 1e3 * rail.height, color="black", linewidth=1.2, label="rail")
        axis.plot(sign * 1e3 * across, 1e3 * up, color=COLOURS[0], linewidth=1.2, label="wheel")
        for k, patch in enumerate(wheel.patches):
            reach = patch["half_width"] * np.cos(patch["angle"])
            at = patch["y_rail"] + np.linspace(-reach, reach, 30)
            height, text = np.interp(at, rail.y, rail.height), "patch" if k == 0 else None
            axis.plot(sign * 1e3 * at, 1e3 * height, color=COLOURS[3], linewidth=4.0, label=text)
            axis.annotate(
                f"{1e-3 * patch['normal_force']:.1f} kN\n{1e-6 * patch['peak_pressure']:.0f} MPa",
                (sign * 1e3 * patch["y_rail"], 1e3 * patch["z_rail"]),
                xytext=(0, 14 + 26 * (k % 2)),
                textcoords="offset points",
                ha="center",
                fontsize=8,
                arrowprops={"arrowstyle": "-", "linewidth": 0.5},
            )
        axis.set_aspect("equal")
        axis.set_xlim(sorted((sign * -62.0, sign * 45.0), reverse=True))  # seen from behind
        axis.set_ylim(-34.0, 20.0)
        label(axis, f"{wheel.side} wheel: y from the rail's crown, left + [mm]", "z [mm]")
    return figure


def pressure_map_figure(result, maps):
    """Half-space pressure of every patch, seen along the normal of its tangent plane, one panel a wheel."""
    figure, axes = new_figure(1, "normal pressure [MPa]", height=5.2, columns=len(maps), share_x=False)
    highest = max((patch.peak_pressure for found in maps.values() for patch in found), default=1.0)
    image = None
    for axis, (side, found) in zip(axes, maps.items(), strict=True):
        sign = 1.0 if side == "left" else -1.0
        wheel = next(wheel for wheel in result.wheels if wheel.side == side)
        ahead = wheel.patches[0]["x_track"] - wheel.patches[0]["x"]
        for patch in found:
            across = sign * 1e3 * (patch.reference[1] + patch.s_cells)
            pressed = np.where(patch.pressure > 0.0, patch.pressure, np.nan) / 1e6
            look = dict(vmin=0.0, vmax=highest / 1e6, cmap="inferno", shading="nearest")
            image = axis.pcolormesh(across, 1e3 * (patch.x_cells + ahead), pressed, **look)
            middle = patch.pressure.sum(axis=0) @ across / patch.pressure.sum()
            axis.plot(middle, 1e3 * (patch.x + ahead), "+", color="white", markersize=9)
        axis.use_sticky_edges = False
        axis.margins(0.12)
        axis.invert_xaxis()  # left is to the left
        wide, tall = (np.ptp(limits) for limits in (axis.get_xlim(), axis.get_ylim()))
        axis.set_aspect("equal" if tall < 4.0 * wide else "auto")
        label(axis, f"{side} wheel: along the tangent plane, left + [mm]", "x ahead of the axle [mm]", legend=False)
    if image is not None:
        figure.colorbar(image, ax=axes, label="MPa", shrink=0.8)
    return figure


def sweep_figure(results):
    """Place, load, peak pressure and area of the patches over the lateral shift."""
    figure, axes = new_figure(2, "contact under load", height=7.4, columns=2)
    rows = (
        ("y_rail", 1e3, "place on the rail, field side + [mm]"),
        ("normal_force", 1e-3, "normal force [kN]"),
        ("peak_pressure", 1e-6, "peak pressure [MPa]"),
        ("area", 1e6, "area [mm2]"),
    )
    sides = sorted({wheel.side for result in results for wheel in result.wheels})
    for axis, (name, scale, text) in zip(axes, rows, strict=True):
        for k, side in enumerate(sides):
            points = [
                (1e3 * result.shift, scale * patch[name])
                for result in results
                for wheel in result.wheels
                if wheel.side == side
                for patch in wheel.patches
            ]
            axis.plot(*np.array(points).T, "o", color=COLOURS[k], markersize=3.2, label=f"{side} wheel")
        label(axis, None, text, legend=axis is axes[0])
    for axis in axes[2:]:
        label(axis, "lateral shift, left + [mm]", legend=False)
    return figure
