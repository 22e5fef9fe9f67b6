"""Bounds beyond which a value is more likely a slip than a wish: warnings of a run, with figures.

Nothing here refuses: what cannot be computed is refused by the keys themselves.
"""

import numpy as np

from flexwheel.base.gravity import GRAVITY
from flexwheel.run.keys.section import Section, Usual, section_in, unit_of
from flexwheel.track.layout import cant_base

GAUGES = (750, 760, 762, 891, 914, 950, 1000, 1009, 1067, 1100, 1372, 1435, 1520, 1524, 1600, 1668, 1676)
"""[mm] Gauges of railways."""
GAUGE_LESS, GAUGE_MORE = 10.0, 27.0  # [mm] tight; worn, or widened in curves
VEHICLE_BOUNDS = {
    "wheel.radius_m": (0.15, 0.75, "m", "smallest tram to largest locomotive"),
    "wheelset mass_kg": (150.0, 6000.0, "kg", "wheelset with drive"),
    "body mass_kg": (20.0, 150_000.0, "kg", "bolster to car body"),
    "body radius of gyration": (0.05, 12.0, "m", "inertia against mass"),
    "wheelset radius of gyration": (0.1, 1.2, "m", "inertia against mass"),
    "axle_box mass_kg": (5.0, 1000.0, "kg", "axle box"),
    "journal_y_m": (0.3, 1.4, "m", "journals of any gauge"),
    "wheel load": (2.5, 250.0, "kN", "empty tram to ore wagon"),
}
LONG_AMPLITUDE, LONG_SLOPE, SHORT_AMPLITUDE = 0.15, 0.06, 1e-3
"""[m, -, m] Place and slope of the long waves beyond those of FRA class 1, the worst there is (122 mm and 44 mm/m over
2 km, waves to 100 m); roughness beyond a rail joint."""
CANT, CANT_LOW, DEFICIENCY, EXCESS = 185.0, -60.0, 310.0, 200.0
"""[mm] EN 13803: cant up to 180 mm, deficiency of tilting trains up to 306 mm."""
SMALLEST_RADIUS, TWIST, GRADIENT = 60.0, 1 / 150, 90.0
"""[m, -, permille] Beyond: trams alone; EN 13803 has 1:400, the Manchester benchmark 1:200; racks alone."""

QUIET_N = 2.0  # [N] of 5 N that leave 10 % of a band, what leaves less than 5 %
SPECTRA_STEP = 2e-4  # [s] what flexible wheelsets and track do above 2.5 kHz changes their spectra by 0.2 dB


def plausibility_warnings(scenario) -> list[str]:
    """Lines on values of a scenario outside what its keys declare as usual (`section.Usual`)."""
    lines = list(_unusual(scenario, ()))
    gauge = scenario.contact.gauge_mm
    if not any(-GAUGE_LESS <= gauge - nominal <= GAUGE_MORE for nominal in GAUGES):
        nearest = min(GAUGES, key=lambda nominal: abs(gauge - nominal))
        lines.append(f"contact.gauge_mm = {gauge:g}: expected a railway's gauge, the nearest is {nearest} mm")
    lines += layout_warnings(scenario.track.layout, scenario.run.speed, gauge)
    for k, point in enumerate(scenario.track.vertical):
        key = f"track.vertical.{k}.gradient_permille"
        lines.append(_outside(key, point.gradient_permille, -GRADIENT, GRADIENT, "permille", "adhesion"))
    lines.append(folding_line(scenario))
    lines.append(iteration_line(scenario))
    return [line for line in lines if line]


def folding_line(scenario):
    """Warning of samples too far apart for spectra, which nothing filters; "" where they are not."""
    run = scenario.run
    flexible = scenario.track.model != "rigid" or any(w.formulation == "flexible" for w in scenario.wheelset.values())
    if not flexible or run.output_step_s <= (1.0 + 1e-9) * max(run.step_s, SPECTRA_STEP):
        return ""
    return (
        f"run.output_step_s = {run.output_step_s:g}: samples are not filtered, so vibration of flexible "
        f"wheelsets and track above {0.5 / run.output_step_s:g} Hz aliases into the spectra (AS4 at 0.001 s: 8 dB in "
        f"forces, 19 dB in accelerations); for spectra and third octaves set it to {SPECTRA_STEP:g} or less"
    )


def iteration_line(scenario):
    """Warning of lines that may be noise of the contact iteration, on smooth flexible rails; "" elsewhere."""
    run, section = scenario.run, scenario.irregularity
    smooth = section.file is None and section.spectrum == "none" and section.roughness == "none"
    if scenario.track.model != "flexible" or not smooth or run.contact_tolerance_n <= QUIET_N:
        return ""
    return (
        "irregularity: the rail is smooth, so lines from 500 to 1250 Hz may be noise of the contact iteration "
        f"(run.contact_tolerance_n = {run.contact_tolerance_n:g}; at 5 N it is up to 10 % of Y at the front of the "
        f"AS4, at 2 N 4 %); 'flexwheel converge' computes its share; run.contact_tolerance_n = {QUIET_N:g} removes it"
    )


def usual_bounds(model: type[Section], where=()):
    """(dotted key, Usual) of every key of a kind of scenario that declares one."""
    for name, field in model.model_fields.items():
        path = (*where, name)
        for item in field.metadata:
            if isinstance(item, Usual):
                yield ".".join((*path, item.of) if item.of else path), item
        inner = section_in(field.annotation)
        if inner:
            yield from usual_bounds(inner, path)


def _unusual(section, where):
    """Lines on the keys of a section and of those in it."""
    for name, field in type(section).model_fields.items():
        value, path = getattr(section, name), (*where, name)
        if path == ("run", "duration_s"):
            value = section.duration  # which end_position_m may give
        for item in field.metadata:
            if isinstance(item, Usual):
                key = ".".join((*path, item.of) if item.of else path)
                found = getattr(value, item.of) if item.of else value
                yield _outside(key, found, item.low, item.high, unit_of(key), item.reason)
        if isinstance(value, dict):
            parts = [(key, inner) for key, inner in value.items()]
        else:
            parts = (
                [(str(k), inner) for k, inner in enumerate(value)] if isinstance(value, list | tuple) else [("", value)]
            )
        for key, inner in parts:
            if isinstance(inner, Section):
                yield from _unusual(inner, (*path, key) if key else path)


def layout_warnings(layout, speed, gauge_mm):
    """Lines on radius, cant, cant deficiency at a speed [m/s] and twist of the stretches of an alignment."""
    lines = []
    for k, part in enumerate(layout):
        if part.kind != "arc":
            continue
        key, radius, cant = f"track.layout.{k}", abs(part.radius_m), part.cant_mm or 0.0
        lines.append(_outside(f"{key}.radius_m", radius, SMALLEST_RADIUS, 1e6, "m", "trams alone turn tighter"))
        lines.append(_outside(f"{key}.cant_mm", cant, CANT_LOW, CANT, "mm", "EN 13803"))
        deficiency = 1e3 * cant_base(1e-3 * gauge_mm) * speed**2 / (GRAVITY * radius) - cant
        if not -EXCESS <= deficiency <= DEFICIENCY:
            lines.append(
                f"{key}: cant deficiency {deficiency:.0f} mm at {3.6 * speed:g} km/h, radius {radius:g} m and cant "
                f"{cant:g} mm: expected {-EXCESS:g} to {DEFICIENCY:g} mm"
            )
    cants = [(part.cant_mm or 0.0) * np.sign(part.radius_m) if part.kind == "arc" else 0.0 for part in layout]
    for k, part in enumerate(layout):
        if part.kind == "transition" and 0 < k < len(layout) - 1:
            twist = 1e-3 * abs(cants[k + 1] - cants[k - 1]) / part.length_m
            if twist > TWIST:
                lines.append(
                    f"track.layout.{k}.length_m = {part.length_m:g}: twist 1:{1 / twist:.0f} of its cant, expected "
                    f"1:{1 / TWIST:.0f} or less"
                )
    return [line for line in lines if line]


def irregularity_warnings(table):
    """Lines on an IrregularityTable: amplitude and slope of the long waves, amplitude of the roughness."""
    lines = []
    if len(table.long) > 1:
        place, slope = np.abs(table.long).max(), np.abs(np.diff(table.long, axis=0)).max() / table.long_step
        if place > LONG_AMPLITUDE or slope > LONG_SLOPE:
            lines.append(
                f"irregularity: up to {1e3 * place:.1f} mm and {1e3 * slope:.1f} mm/m, expected at most "
                f"{1e3 * LONG_AMPLITUDE:g} mm and {1e3 * LONG_SLOPE:g} mm/m"
            )
    if len(table.short):
        place = np.abs(table.short).max()
        if place > SHORT_AMPLITUDE:
            lines.append(
                f"irregularity.roughness: up to {1e3 * place:.2f} mm, expected at most {1e3 * SHORT_AMPLITUDE:g} mm"
            )
    if len(table.local) > 1:
        place = np.abs(table.local).max()
        if place > LONG_AMPLITUDE:
            lines.append(
                f"irregularity, excitations: up to {1e3 * place:.1f} mm, expected at most {1e3 * LONG_AMPLITUDE:g} mm"
            )
    return lines


def file_end_warnings(scenario, first, last, end):
    """A line where the irregularity of a file, from `first` to `last` [m], is not whole from start to end [m]."""
    section, start = scenario.irregularity, scenario.run.start_position_m
    if section.file is None or (first <= start and last - section.ramp_m >= end):
        return []
    return [
        f"irregularity.file: {section.file} goes from s = {first:.1f} to {last:.1f} m, the run to {end:.1f} m: no "
        f"irregularity of the file beyond, and its last {section.ramp_m:g} m (irregularity.ramp_m) fade out"
    ]


def vehicle_warnings(vehicle):
    """Lines on a VehicleFile: masses, radii of gyration, inertias no body can have, wheel radius, journals."""

    def bound(key, value, name):
        return _outside(f"vehicle: {key}", value, *VEHICLE_BOUNDS[name])

    lines = [bound("wheel.radius_m", vehicle.wheel["radius_m"], "wheel.radius_m")]
    tables = [("bodies." + name, table, "body") for name, table in vehicle.bodies.items()]
    tables += [("axle_box", vehicle.axle_box, "axle_box")] if vehicle.axle_box else []
    for where, table, kind in tables:
        mass = table["mass_kg"]
        inertia = [table[f"{axis}_inertia_kg_m2"] for axis in ("roll", "pitch", "yaw")]
        lines.append(bound(f"{where}.mass_kg", mass, f"{kind} mass_kg"))
        if kind == "body":
            for axis, value in zip(("roll", "pitch", "yaw"), inertia, strict=True):
                lines.append(
                    bound(f"{where}: radius of gyration in {axis}", (value / mass) ** 0.5, "body radius of gyration")
                )
        lines.append(_no_body(where, inertia))
    for name, table in vehicle.wheelsets.items():
        where, mass = f"wheelsets.{name}", table["mass_kg"]
        roll, spin = table["roll_inertia_kg_m2"], table["spin_inertia_kg_m2"]
        lines.append(bound(f"{where}.mass_kg", mass, "wheelset mass_kg"))
        lines.append(bound(f"{where}.journal_y_m", table["journal_y_m"], "journal_y_m"))
        for axis, value in (("roll", roll), ("spin", spin)):
            lines.append(
                bound(f"{where}: radius of gyration in {axis}", (value / mass) ** 0.5, "wheelset radius of gyration")
            )
        lines.append(_no_body(where, [roll, spin, roll]))
    return [line for line in lines if line]


def wheel_load_warnings(wheels, static_n):
    """Lines on wheel loads at rest [N] outside the bounds."""
    lines = [
        _outside(f"wheel load of {wheel} at rest", load / 1e3, *VEHICLE_BOUNDS["wheel load"])
        for wheel, load in zip(wheels, np.ravel(static_n), strict=True)
    ]
    return [line for line in lines if line]


def _no_body(where, inertia):
    """A moment of inertia is at most the sum of the other two."""
    a, b, c = sorted(inertia)
    if c <= 1.02 * (a + b):
        return ""
    return f"vehicle: {where}: inertias {a:g}, {b:g} and {c:g} kg m2: no body has one above the sum of the others"


def _outside(key, value, low, high, unit, reason):
    """The line on a value outside its bounds; "" inside, and where there is none."""
    if value is None or low <= value <= high:
        return ""
    unit = f" {unit}" if unit else ""
    return f"{key} = {value:.6g}: expected {low:g} to {high:g}{unit} ({reason})"
