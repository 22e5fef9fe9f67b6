"""Results beyond what a railway bears: warnings after a run, with figures and times."""

from __future__ import annotations

import numpy as np

VERTICAL_SHARE = 5.0  # of the wheel's load at rest; a wheel flat or a dipped joint reaches 3 to 4
LATERAL_SHARE = 2.5  # of the same; Y/Q of derailment stands at 0.8 to 1.2
LOAD_DRIFT = 0.35  # of the mean of all wheel loads against those at rest; a curve or a grade shifts, it does not lift
PRESSURE = 8e9  # [Pa] about eight times where rail steel flows
BODY_SHIFT = 1.0  # [m] of a body from the track's middle
BODY_ANGLE = 0.5  # [rad] of roll and yaw


def result_warnings(results) -> list[str]:
    """Lines on a Dataset of a run: wheel loads, lateral forces, pressures, places of bodies out of all bounds.

    Settling at the start counts as well: what comes from there is no result either.
    """
    if results.sizes.get("time", 0) == 0 or "wheel_force" not in results:
        return []
    time, static = results.time.values, np.ravel(results.attrs.get("static_wheel_load_n", ()))
    force = results.wheel_force.values
    wheels = [str(name) for name in results.wheel.values]
    lines = []
    if len(static) == len(wheels) and np.all(static > 0.0):
        checks = (("vertical", 2, VERTICAL_SHARE), ("lateral", 1, LATERAL_SHARE))
        for name, column, share in checks:
            ratio = np.abs(force[:, :, column]) / static
            row, wheel = np.unravel_index(np.nanargmax(ratio), ratio.shape)
            if ratio[row, wheel] > share:
                lines.append(
                    f"{name} force of {wheels[wheel]} {1e-3 * force[row, wheel, column]:.0f} kN at t = "
                    f"{time[row]:.4f} s: {ratio[row, wheel]:.1f} times its load at rest, expected at most {share:g}"
                )
        mean = float(force[:, :, 2].sum(axis=1).mean() / static.sum())
        if abs(mean - 1.0) > LOAD_DRIFT:
            lines.append(f"wheels carry {100 * mean:.0f} % of the weight in the mean, expected 100 %")
    if "patch_peak_pressure" in results:
        pressure = np.nan_to_num(results.patch_peak_pressure.values)
        place = np.unravel_index(pressure.argmax(), pressure.shape)
        if pressure[place] > PRESSURE:
            lines.append(
                f"contact pressure {pressure[place] / 1e9:.1f} GPa at t = {time[place[0]]:.4f} s, expected at most "
                f"{PRESSURE / 1e9:g} GPa"
            )
    if "body_position" in results:
        lines += _places(results, time)
    return lines


def _places(results, time):
    """Bodies that left the track: y, yaw and roll of (s, y, z, yaw, roll, spin)."""
    position, lines = results.body_position.values, []
    for what, columns, bound, unit in (("m sideways", [1], BODY_SHIFT, "m"), ("rad", [3, 4], BODY_ANGLE, "rad")):
        size = np.abs(position[:, :, columns]).max(axis=2)
        row, body = np.unravel_index(size.argmax(), size.shape)
        if size[row, body] > bound:
            lines.append(
                f"{results.body.values[body]} is {size[row, body]:.2f} {what} at t = {time[row]:.4f} s, expected at "
                f"most {bound:g} {unit}"
            )
    return lines
