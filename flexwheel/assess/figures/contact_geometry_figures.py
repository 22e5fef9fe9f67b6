"""Figures of contact geometry: functions of the lateral shift, contact points on the profiles, conicity."""

import numpy as np

from flexwheel.assess.figures.style import COLOURS, label, new_figure


def functions_figure(geometry, jumps, title=""):
    """Rolling-radius difference, contact angles, roll and lift against the lateral shift; jumps dotted."""
    figure, axes = new_figure(2, title, height=7.4, columns=2)
    shift = 1e3 * geometry.shift
    breaks = np.array([1e3 * jump.shift for jump in jumps])
    rows = (
        ((1e3 * geometry.delta_r, None),),
        ((np.degrees(geometry.left.angle), "left"), (np.degrees(geometry.right.angle), "right")),
        ((1e3 * geometry.roll, None),),
        ((1e3 * geometry.lift, None),),
    )
    names = ("rolling radius left - right [mm]", "contact angle [deg]", "roll [mrad]", "lift of the axle [mm]")
    for axis, curves, name in zip(axes, rows, names, strict=True):
        for k, (values, text) in enumerate(curves):
            axis.plot(*_broken(shift, values, breaks), color=COLOURS[k], label=text, linewidth=1.4)
        for place in breaks:
            axis.axvline(place, color="tab:gray", linewidth=0.7, linestyle=":")
        label(axis, None, name, legend=len(curves) > 1)
    for axis in axes[2:]:
        label(axis, "lateral shift, left + [mm]", legend=False)
    return figure


def _broken(x, values, breaks):
    """The curve with a gap where a jump lies between two points."""
    if breaks.size == 0:
        return x, values
    cuts = np.unique(np.searchsorted(x, breaks))
    cuts = cuts[(cuts > 0) & (cuts < x.size)]
    return np.insert(x, cuts, np.nan), np.insert(values, cuts, np.nan)


def touch_figure(pairs, geometry, jumps, title=""):
    """Contact points of both wheels, seen from behind: lines join wheel and rail, one a millimetre of shift."""
    figure, axes = new_figure(2, title, height=8.6, columns=2, share_x=False)
    for k, (name, pair) in enumerate(zip(("left", "right"), pairs, strict=True)):
        sign = 1.0 if name == "left" else -1.0
        points, profiles, moves = getattr(geometry, name), axes[k], axes[2 + k]
        lifted = 12.0  # [mm] the wheel is drawn above the rail
        rail = np.abs(pair.rail.y) < 0.05
        wheel = (pair.wheel.y > -0.062) & (pair.wheel.y < 0.055)
        offset = 1e3 * pair.placement.offset
        profiles.plot(sign * 1e3 * pair.rail.y[rail], 1e3 * pair.rail.height[rail], color="black", linewidth=1.2)
        across = sign * (offset + 1e3 * pair.wheel.y[wheel])
        profiles.plot(across, lifted - 1e3 * pair.wheel.height[wheel], color="black", linewidth=1.2)
        step = max(1, int(round(1e-3 / np.median(np.diff(geometry.shift))))) if geometry.shift.size > 1 else 1
        centred = int(np.argmin(np.abs(geometry.shift)))
        drawn = range(centred % step, geometry.shift.size, step)
        for i in drawn:
            on_wheel = np.interp(points.y_wheel[i], pair.wheel.y, pair.wheel.height)
            share = 0.5 + 0.5 * geometry.shift[i] / max(np.abs(geometry.shift).max(), 1e-9)
            colour = (share, 0.25, 1.0 - share)
            x = sign * np.array([1e3 * points.y_rail[i], offset + 1e3 * points.y_wheel[i]])
            text = f"shift {1e3 * geometry.shift[i]:z.1f} mm" if i in (drawn[0], centred, drawn[-1]) else None
            profiles.plot(x, [1e3 * points.z_rail[i], lifted - 1e3 * on_wheel], color=colour, linewidth=0.8, label=text)
        profiles.set_aspect("equal")
        profiles.set_ylim(-24.0, 22.0)
        profiles.invert_xaxis()
        label(profiles, "y from the rail's crown, left + [mm], seen from behind", f"{name} wheel, z [mm]")
        breaks = np.array([1e3 * jump.shift for jump in jumps if jump.side == name])
        for j, (values, text) in enumerate(((points.y_rail, "on the rail"), (points.y_wheel, "on the wheel"))):
            moves.plot(
                *_broken(1e3 * geometry.shift, 1e3 * values, breaks), color=COLOURS[j], label=text, linewidth=1.4
            )
        for place in breaks:
            moves.axvline(place, color="tab:gray", linewidth=0.7, linestyle=":")
        label(moves, "lateral shift, left + [mm]", "contact point, field side + [mm]")
    return figure


def conicity_figure(table, conicity, title=""):
    """Rolling-radius difference, and equivalent conicity against amplitude by three methods."""
    figure, (left, right) = new_figure(1, title, height=4.6, columns=2, share_x=False)
    left.plot(1e3 * table.y, 1e3 * table.delta_r, color=COLOURS[0], linewidth=1.4)
    label(left, "lateral shift [mm]", "rolling-radius difference [mm]", legend=False)
    amplitude = 1e3 * conicity.amplitude
    right.plot(amplitude, conicity.integration, color=COLOURS[0], label="integration", linewidth=1.6)
    right.plot(amplitude, conicity.regression, "--", color=COLOURS[1], label="linear regression", linewidth=1.1)
    right.plot(amplitude, conicity.harmonic, ":", color=COLOURS[2], label="harmonic", linewidth=1.3)
    if conicity.beyond_table.any():
        beyond = np.where(conicity.beyond_table, conicity.integration, np.nan)
        right.plot(amplitude, beyond, color=COLOURS[3], label="table continued", linewidth=1.6)
    finite = conicity.integration[np.isfinite(conicity.integration)]
    if finite.size:
        right.set_ylim(min(0.0, 1.1 * float(np.nanmin(finite))), 1.15 * float(finite.max()) + 0.01)
    right.axvline(3.0, color="tab:gray", linewidth=0.7, linestyle=":")
    label(right, "amplitude [mm]", "equivalent conicity tan gamma_e")
    return figure
