"""Vibration of a run: which signals, what is printed, its pictures."""

from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from flexwheel.assess.evaluate.vibration_spectra import (
    REFERENCES,
    Coherence,
    OrderSpectrum,
    Spectrogram,
    coherence,
    levels,
    order_spectrum,
    spectrogram,
)
from flexwheel.assess.figures import vibration_figures
from flexwheel.assess.figures.style import save_figure
from flexwheel.assess.safety import measured_points, scenario_of
from flexwheel.base.errors import FlexwheelError
from flexwheel.base.output_files import file_stem, output_folder
from flexwheel.results.evaluate.span import sample_step, settled
from flexwheel.results.evaluate.valid_band import Bound, bound_of
from flexwheel.vehicle.vehicle_file import read_vehicle

AXES = {"box": "yz", "frame": "yz", "body": "yz"}
WORDS = {"x": "longitudinal", "y": "lateral", "z": "vertical"}
PEAKS = 5  # orders printed of each signal
ROOMS = {"box": "axle boxes", "frame": "bogie frames", "body": "body", "force": "wheel forces"}


@dataclass(frozen=True)
class Vibration:
    """Spectra of one signal after settling."""

    name: str
    room: str  # box | frame | body | force
    axis: str
    unit: str
    wheelset: str  # whose turn the orders count; empty of frames and bodies
    bands: np.ndarray  # (B,) [Hz]
    rms: np.ndarray  # (B,)
    level: np.ndarray  # (B,) [dB] re REFERENCES[unit]
    orders: OrderSpectrum | None
    spectrogram: Spectrogram
    coherence: Coherence | None  # of Q and the vertical irregularity under its wheel
    bound: Bound | None  # up to where the spectrum holds


def vibrations(results, highest_hz=1250.0, highest_order=60):
    """Vibration of every measured point and wheel force of a run.

    Raises
    ------
    FlexwheelError      results without their scenario or without anything after settling
    """
    vehicle = read_vehicle(scenario_of(results).vehicle.file)
    points, after, step = measured_points(vehicle, results), settled(results), sample_step(results)
    highest_hz = min(highest_hz, 0.4 / step)
    out = []
    for room, axes in AXES.items():
        for point in points:
            if point.room == room:
                wheelset = point.of.rpartition(" ")[0] if room == "box" else ""
                for axis in axes:
                    values = point.acceleration(after, axis)
                    name = f"{point.name} {WORDS[axis]}"
                    out.append(
                        _of(after, values, step, (name, room, axis, "m s-2", wheelset), highest_hz, highest_order)
                    )
    for wheel in after.wheel.values if "wheel_force" in after else ():
        for axis, force in (("y", "Y"), ("z", "Q")):
            values = after.wheel_force.sel(wheel=wheel, force=force).values.astype(float)
            names = f"{wheel} {force}", "force", axis, "N", str(wheel).rpartition(" ")[0]
            out.append(_of(after, values, step, names, highest_hz, highest_order))
    if not out:
        raise FlexwheelError("no vibration: output.variables leaves out measured accelerations and wheel_force")
    return out


def _of(after, values, step, names, highest_hz, highest_order):
    """Vibration of one signal; names: those of the first fields."""
    name, room, axis, unit, wheelset = names
    orders = related = bound = None
    if room == "force":
        bound = bound_of(after.wheel_force.sel(wheel=name[:-2], force=name[-1]))
    elif wheelset and "wheel_force" in after:  # an axle box follows the forces of its wheelset
        bound = bound_of(after.wheel_force.sel(wheel=[wheel for wheel in after.wheel.values if wheelset in str(wheel)]))
    with suppress(FlexwheelError):
        if wheelset and "body_angle" in after:
            angle = after.body_angle.sel(body=wheelset, rotation="spin").values
            orders = order_spectrum(values, angle, highest_order)
    with suppress(FlexwheelError):
        if room == "force" and axis == "z" and "irregularity" in after:
            uneven = after.irregularity.sel(wheel=name.removesuffix(" Q"), direction="vertical").values
            if np.any(uneven) and np.ptp(values) > 0.0:  # of what stands still there is none
                related = coherence(uneven.astype(float), values, step)
    bands = levels(values, step, unit, 10.0, highest_hz)
    return Vibration(name, room, axis, unit, wheelset, *bands, orders, spectrogram(values, step), related, bound)


def vibration_lines(found):
    """What is printed: levels of the bands, the largest orders, coherence by decade."""
    first = found[0]
    used = dict.fromkeys(v.unit for v in found)
    stated = ", ".join(f"{REFERENCES[unit]:g} {unit.replace(' s-', '/s')}" for unit in used)
    lines = [f"levels of third octaves [dB] re {stated} (of acceleration as in ISO 1683); -: the record cannot tell"]
    lines += ["band [Hz]" + " " * 31 + "".join(f"{f:7.4g}" for f in _nominal(first.bands))]
    for v in found:
        lines.append(f"{v.name:40s}" + "".join(f"{x:7.1f}" if np.isfinite(x) else f"{'-':>7s}" for x in v.level))
    ends = {f"  {v.name}: {v.bound.to_hz:.0f} Hz, {v.bound.cause}": v for v in found if v.bound is not None}
    ends = [line for line, v in ends.items() if v.bound.to_hz < v.bands[-1]]
    lines += ["spectra hold to:", *ends] if ends else []
    lines += ["", "largest orders of the wheel's turn: order (effective value)"]
    for v in found:
        if v.orders is not None:
            lines.append(f"{v.name:40s}" + ", ".join(f"{n:.4g} ({x:.4g})" for n, x in largest_orders(v.orders)))
    related = [v for v in found if v.coherence is not None]
    lines += ["", "coherence of Q with the vertical irregularity under its wheel, mean of the band"] if related else []
    for v in related:
        f, c = v.coherence.frequency, v.coherence.coherence
        spans = [(a, b) for a, b in ((10, 30), (30, 100), (100, 300), (300, 1000)) if np.any((f >= a) & (f < b))]
        means = "; ".join(f"{a} to {b} Hz {np.mean(c[(f >= a) & (f < b)]):.2f}" for a, b in spans)
        lines.append(f"{v.name:40s}{means} ({v.coherence.averages} windows)")
    return lines


def _nominal(bands):
    """Mid-band frequencies with three digits, as they are named."""
    return [float(f"{f:.3g}") for f in bands]


def largest_orders(orders, count=PEAKS):
    """(order, effective value) of the largest local maxima from order 1 on, largest first."""
    x = np.where(orders.order < 1.0, 0.0, orders.rms)
    peaks = np.flatnonzero((x[1:-1] > x[:-2]) & (x[1:-1] >= x[2:])) + 1
    chosen = peaks[np.argsort(x[peaks])[::-1][:count]]
    return [(float(orders.order[k]), float(x[k])) for k in chosen]


def vibration_values(found):
    """Plain values for JSON, SI units; what there is not is null."""

    def plain(values):
        return [float(x) if np.isfinite(x) else None for x in values]

    return {
        "references": REFERENCES,
        "signals": [
            {
                "name": v.name, "room": v.room, "axis": v.axis, "unit": v.unit, "bands_hz": plain(v.bands),
                "rms": plain(v.rms), "level_db": plain(v.level),
                "orders": None if v.orders is None else {
                    "order": plain(v.orders.order), "rms": plain(v.orders.rms), "windows": v.orders.blocks},
                "valid_to_hz": None if v.bound is None or not np.isfinite(v.bound.to_hz) else v.bound.to_hz,
                "coherence": None if v.coherence is None else {
                    "frequency_hz": plain(v.coherence.frequency), "coherence": plain(v.coherence.coherence),
                    "windows": v.coherence.averages},
            }
            for v in found
        ],
    }  # fmt: skip


def draw_vibrations(found, folder, head, footer=""):
    """Pictures into a folder; returns their paths."""
    place, made = output_folder(folder), []
    for room, words in ROOMS.items():
        for axis in "yz":
            part = [v for v in found if v.room == room and v.axis == axis]
            if not part:
                continue
            stem, title = f"{room}_{axis}", f"{words}, {WORDS[axis]}\n{head}"
            figures = {"levels": vibration_figures.level_figure(part, title, REFERENCES[part[0].unit])}
            figures["spectrogram"] = vibration_figures.spectrogram_figure(part, title, REFERENCES[part[0].unit])
            if any(v.orders is not None and np.any(v.orders.rms) for v in part):
                figures["orders"] = vibration_figures.order_figure(part, title)
            if any(v.coherence is not None for v in part):
                figures["coherence"] = vibration_figures.coherence_figure(part, title)
            for kind, one in figures.items():
                made.append(save_figure(one, place / f"{file_stem(f'{kind}_{stem}')}.png", footer=footer))
    return made
