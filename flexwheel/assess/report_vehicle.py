"""Sections of the report on what ran: vehicle with its sketch, track, loads."""

from contextlib import suppress

import numpy as np

from flexwheel.assess.figures.report_blocks import Curve, Drawing, Plot, Table, Text
from flexwheel.assess.report_assumed import words_of_key
from flexwheel.assess.report_comparison import leaves
from flexwheel.assess.report_figures import PLACE, assessed, by_eight, history_plots, stretches
from flexwheel.base.errors import FlexwheelError
from flexwheel.base.input_files import parse_toml
from flexwheel.extensions.web.vehicle_parts import vehicle_parts

NUMBERS = ("mass_kg", "roll_inertia_kg_m2", "pitch_inertia_kg_m2", "yaw_inertia_kg_m2")
TRACK_KEYS = {
    "track.model": "track model", "track.extent": "extent of the track", "track.file": "file of the track",
    "irregularity.spectrum": "spectrum of the irregularity", "irregularity.level": "level of the irregularity",
    "irregularity.file": "file of the irregularity", "irregularity.roughness": "roughness of the rails",
    "irregularity.seed": "seed of the irregularity", "contact.wheel_profile": "wheel profile",
    "contact.rail_profile": "rail profile", "contact.rail_inclination": "rail inclination",
    "contact.gauge_mm": "track gauge [mm]", "contact.friction": "friction coefficient",
    "contact.normal": "law of normal contact", "contact.tangential": "law of creep forces",
}  # fmt: skip
"""Keys of the scenario that the section of the track shows -> words."""


def vehicle_blocks(run):
    """Sketch, bodies, wheelsets and force elements as the vehicle file has them, flexible wheelsets as their mesh."""
    vehicle = run.vehicle
    yield Text(f"{vehicle.name}; bodies: {len(vehicle.bodies)}, wheelsets: {len(vehicle.wheelsets)}.")
    yield sketch(run)
    rows = [
        (name, *(_number(t.get(key)) for key in NUMBERS), ", ".join(f"{x:g}" for x in t["position_m"]))
        for name, t in vehicle.bodies.items()
    ]
    head = ("body", "mass [kg]", "roll inertia [kg m2]", "pitch inertia [kg m2]", "yaw inertia [kg m2]", "x, y, z [m]")
    yield Table("Bodies", head, tuple(rows))
    flexible = set(map(str, run.results.flexible.values)) if "flexible" in run.results.coords else set()
    rows = [
        (name, "flexible" if name in flexible else "rigid", *_inertia(run, name, t, name in flexible),
         f"{t['position_m']:g}", t.get("frame", "-"))
        for name, t in vehicle.wheelsets.items()
    ]  # fmt: skip
    head = ("wheelset", "model", "mass [kg]", "roll inertia [kg m2]", "spin inertia [kg m2]", "x [m]", "frame")
    yield Table("Wheelsets", head, tuple(rows))
    rows = [(name, t.get("kind", ""), "; ".join(_said(t))) for name, t in vehicle.elements.items()]
    yield Table("Force elements", ("element", "kind", "values"), tuple(rows))


def _inertia(run, name, table, flexible):
    """Mass, roll and spin inertia of a wheelset: of a flexible one those of its mesh, as they act in the run."""
    if not flexible:
        return [_number(table.get(key)) for key in ("mass_kg", "roll_inertia_kg_m2", "spin_inertia_kg_m2")]
    with suppress(FlexwheelError):
        body = run.wheelsets[name].body
        return [f"{x:.5g}" for x in (body.mass, body.inertia[0, 0], body.inertia[1, 1])]
    return ["-"] * 3


def _said(table):
    """What and value with its unit, of an element's keys whose value is a number or a list of numbers."""
    for key, value in table.items():
        if isinstance(value, list | int | float) and not isinstance(value, bool):
            numbers = np.ravel(value) if np.asarray(value).dtype.kind in "fi" else ()
            if len(numbers):
                words, unit = words_of_key(key)
                yield f"{words} {', '.join(f'{x:g}' for x in numbers)} {unit}".rstrip()


def _number(value):
    return "-" if value is None else f"{float(value):g}"


def sketch(run):
    """Drawing of the vehicle from the side; sizes of bodies are those of the page of a run, which no file states."""
    parts, vehicle = vehicle_parts(run.scenario, run.results.wheelset.values), run.vehicle
    radius = parts["wheel"]["radius"]
    wheels = {name: (float(np.ravel(t["position_m"])[0]), radius) for name, t in vehicle.wheelsets.items()}
    centre = {name: t["position_m"][::2] for name, t in vehicle.bodies.items()} | wheels
    boxes = []
    for name, (length, _, low, high) in parts["boxes"].items():
        x, z = centre[name]
        boxes.append((name, x - length, x + length, z + low, z + high))
    boxes.sort(key=lambda box: box[1] - box[2])
    place = {}
    for name, (owner, away) in parts["poses"].items():
        place[name] = np.add(centre[owner], away[::2])
    lines = []
    for item in parts["elements"]:
        if item["a"] in place and item["b"] in place:
            a, b = (place[item[k]] + np.array(item[f"point_{k}"])[::2] for k in "ab")
            lines.append((*map(float, a), *map(float, b)))
    caption = (
        f"{vehicle.name}, from the side: wheelsets and force elements in their places, outlines of bodies schematic"
    )
    return Drawing(caption, tuple(boxes), tuple((n, *xr) for n, xr in wheels.items()), tuple(dict.fromkeys(lines)))


def track_blocks(run):
    """Alignment, keys of track and contact, irregularity under the leading wheelset."""
    speed = run.scenario.run.speed
    rows = []
    for part in run.sections:
        arc = [f"{abs(part.radius):g}", f"{1e3 * part.cant:g}", f"{1e3 * part.cant_deficiency(speed):.0f}"]
        arc = arc if part.outer else ["-"] * 3
        arc = [*arc[:2], "-"] if run.scenario.run.speed_profile_s_kmh else arc
        sense = {"": "-", "left": "right", "right": "left"}[part.outer]
        rows.append((part.kind, f"{round(part.start, 1):g}", f"{round(part.end, 1):g}", sense, *arc))
    head = ("stretch", "from [m]", "to [m]", "to the", "radius [m]", "cant [mm]", "cant deficiency [mm]")
    yield Table("Alignment that the run passed", head, tuple(rows))
    flat = dict(leaves(parse_toml(str(run.results.attrs["scenario"]), "scenario of the results")))
    rows = [(words, str(flat[key])) for key, words in TRACK_KEYS.items() if key in flat]
    yield Table("Track, irregularity and contact", ("quantity", "value"), tuple(rows))
    if "irregularity" not in run.results:
        return
    values, curves = run.results.irregularity, []
    if float(np.nanmax(np.abs(values.values))) == 0.0:
        yield Text("The rails have no irregularity.")
        return
    for wheel in map(str, values.wheel.values[:2]):
        for direction in map(str, values.direction.values):
            history = 1e3 * values.sel(wheel=wheel, direction=direction).values
            curves.append(Curve(f"{wheel}, {direction}", run.quantities.position, history))
    title = "Irregularity under the leading wheelset, left and up positive"
    yield Plot(title, PLACE, "irregularity [mm]", tuple(curves), stretches=stretches(run))


def load_blocks(run):
    """Forces of every wheel: table and histories."""
    vertical, lateral, *_ = history_plots(run)
    yield from assessed(run)
    yield from (*by_eight(vertical), *by_eight(lateral))
