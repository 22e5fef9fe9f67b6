"""Out-of-roundness of the wheels from the [roundness] section."""

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import clipped, read_text
from flexwheel.base.variables import SIDES
from flexwheel.track.roundness import SAMPLES, flat_deviation, order_deviation, roundness_table, turn_angles

UNITS = {"deviation_m": 1.0, "deviation_mm": 1e-3, "deviation_um": 1e-6}


def build_roundness(section, wheelsets):
    """Table of `track.roundness` of a section: wheel name -> RoundnessSection; wheelsets: of assemble."""
    names = [f"{w.name} {side}" for w in wheelsets for side in SIDES]
    for name in section:
        if name not in names:
            raise ScenarioError(f"roundness.{name} must name a wheel of the vehicle ({', '.join(names)}), got {name!r}")
    pairs = [
        [_deviation(section.get(f"{w.name} {side}"), w.radius, f"roundness.{w.name} {side}") for side in SIDES]
        for w in wheelsets
    ]
    return roundness_table(pairs, [w.radius for w in wheelsets])


def unseen_orders(section, wheelsets, run) -> list[str]:
    """Warnings of orders with less than two steps a wave: they act at a false, lower frequency."""
    lines = []
    for wheel, radius in ((f"{w.name} {side}", w.radius) for w in wheelsets for side in SIDES if section):
        for o in section[wheel].orders if wheel in section else ():
            hz = o.order * run.speed / (2.0 * np.pi * radius)
            if hz * run.step_s > 0.5:
                lines.append(
                    f"roundness.{wheel}: order {o.order} has {hz:.0f} Hz, above half the rate of the steps, and acts "
                    f"at a false frequency below it; set run.step_s to {0.25 / hz:.1g} or less"
                )
    return lines


def _deviation(part, radius, key):
    """Deviation (SAMPLES,) [m] of one wheel; None where nothing is said of it."""
    if part is None:
        return None
    angle = turn_angles()
    orders = [(o.order, 1e-3 * o.amplitude_mm, np.radians(o.phase_deg)) for o in part.orders]
    out = order_deviation(angle, orders)
    for k, flat in enumerate(part.flats):
        if flat.length_mm * 1e-3 > 0.4 * radius:
            raise ScenarioError(f"{key}.flats.{k}.length_mm must be at most 0.4 of the radius, got {flat.length_mm:g}")
        depth = None if flat.depth_mm is None else 1e-3 * flat.depth_mm
        out += flat_deviation(angle, radius, np.radians(flat.angle_deg), 1e-3 * flat.length_mm, depth, flat.rounded)
    return out if part.file is None else out + file_deviation(part.file)


def file_deviation(path):
    """Deviation (SAMPLES,) [m] of a CSV table over the angle: a periodic cubic spline through its rows."""
    from scipy.interpolate import CubicSpline

    text = read_text(path, "a CSV table of the out-of-roundness")
    lines = [(i, line.split("#")[0].strip()) for i, line in enumerate(text.split("\n"), 1)]
    lines = [(i, text) for i, text in lines if text]
    header = [cell.strip() for cell in lines[0][1].split(",")] if lines else []
    if len(lines) < 5 or len(header) != 2 or header[0] != "angle_deg" or header[1] not in UNITS:
        raise ScenarioError(f"{path} must have the header angle_deg,deviation_mm (or _um, _m) and four rows or more")
    rows = np.zeros((len(lines) - 1, 2))
    for k, (number, text) in enumerate(lines[1:]):
        try:
            rows[k] = np.array([float(cell) for cell in text.split(",")]).reshape(2)
        except ValueError:
            raise ScenarioError(f"{path}:{number} must be 2 numbers, got {clipped(repr(text))}") from None
        if not (np.all(np.isfinite(rows[k])) and 0.0 <= rows[k, 0] < 360.0 and (k == 0 or rows[k, 0] > rows[k - 1, 0])):
            raise ScenarioError(f"{path}:{number}: angles must rise from 0 to below 360, got {clipped(repr(text))}")
    if len(rows) > SAMPLES:
        raise ScenarioError(f"{path} must have at most {SAMPLES} rows, got {len(rows)}")
    angle = np.radians(np.append(rows[:, 0], rows[0, 0] + 360.0))
    value = UNITS[header[1]] * np.append(rows[:, 1], rows[0, 1])
    return CubicSpline(angle, value, bc_type="periodic")(turn_angles())
