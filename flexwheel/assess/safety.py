"""Running safety of a run after EN 14363: what is evaluated where, and what is printed of it."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from flexwheel.assess.evaluate.en14363_evaluation import (
    AssessedQuantity,
    Instability,
    assess,
    instability,
    zone_sections,
)
from flexwheel.assess.evaluate.en14363_limits import READ, UNLOADING, limit_of, read_limits
from flexwheel.assess.evaluate.en14363_quantities import NAMES, QUANTITIES
from flexwheel.assess.evaluate.flange_climb import Climb, flange_angle, flange_climb, nadal
from flexwheel.assess.evaluate.measured_points import MeasuredPoint, stored
from flexwheel.assess.evaluate.ride_comfort import BLOCKS, WZ_BASIS, mean_comfort, ride_index
from flexwheel.assess.evaluate.section_statistics import SectionStatistics, section_statistics
from flexwheel.assess.evaluate.track_sections import OVERLAP, ZONES_BASIS, AssessedSection, track_sections
from flexwheel.base.errors import FlexwheelError, ScenarioError
from flexwheel.results.evaluate.en14363 import static_load, vehicle_factor_of
from flexwheel.results.evaluate.span import sample_step, settled_rows
from flexwheel.run.build.build_contact import largest_friction, placed_profiles, profiles_of_wheels
from flexwheel.run.keys.reader import parse_scenario
from flexwheel.vehicle.vehicle_file import read_vehicle

FLOOR = 1.2  # [m] above the rails: height of a coach's floor; assumed


@dataclass(frozen=True)
class Ride:
    """Ride of a point on the floor."""

    point: str
    wz_lateral: float
    wz_vertical: float
    mean_comfort: float  # nan where the run holds no 5 s
    blocks: int  # of 5 s in it


@dataclass(frozen=True)
class Safety:
    """Everything that `flexwheel safety` says of a run."""

    title: str
    vehicle: str
    kind: str
    factor: float
    speed: float  # [m/s]
    sections: tuple[AssessedSection, ...]
    assessed: tuple  # of track_sections.Assessed
    statistics: list[SectionStatistics]
    assessments: list[AssessedQuantity]
    instability: list[Instability]
    climbs: list[Climb]
    flange_angle: float  # [rad]
    friction: float  # largest coefficient of the friction law
    unloading: list[tuple[str, float]]  # wheel, largest (Q0 - Q)/Q0 of the 20 Hz signal
    unloading_limit: float  # of the test on twisted track; nan where there is none
    ride: list[Ride]
    notes: tuple[str, ...]


def scenario_of(results):
    """Scenario that results were made with."""
    if not str(results.attrs.get("scenario", "")).strip():
        raise ScenarioError("results without their scenario (attribute `scenario`): alignment and vehicle not known")
    return parse_scenario(str(results.attrs["scenario"]), Path("scenario of the results"))


def measured_points(vehicle, results, floor=FLOOR):
    """Points of a vehicle whose accelerations are assessed: axle boxes, frames above their wheelsets, body floor.

    The body is the heaviest one that carries no wheelset; its floor is taken above its frames, or above the wheelsets
    where it has none.
    """
    wheelsets = {name: table for name, table in vehicle.wheelsets.items() if name in results.wheelset.values}
    boxes = [MeasuredPoint(f"{wheel} axle box", "box", str(wheel)) for wheel in results.wheel.values]
    frames = list(dict.fromkeys(table["frame"] for table in wheelsets.values() if table.get("frame")))
    rest = [name for name in vehicle.bodies if name not in frames]
    out = list(boxes)
    for name, table in wheelsets.items():
        frame = table.get("frame")
        if frame:
            away = float(np.ravel(table["position_m"])[0]) - vehicle.bodies[frame]["position_m"][0]
            out.append(MeasuredPoint(f"{frame} above {name}", "frame", frame, (away, 0.0, 0.0)))
    if rest:
        body = max(rest, key=lambda name: vehicle.bodies[name]["mass_kg"])
        centre = vehicle.bodies[body]["position_m"]
        above = {name: vehicle.bodies[name]["position_m"][0] for name in frames if name != body} or {
            name: float(np.ravel(table["position_m"])[0]) for name, table in wheelsets.items()
        }
        out += [
            MeasuredPoint(f"{body} floor above {name}", "body", body, (x - centre[0], 0.0, floor - centre[2]))
            for name, x in above.items()
        ]
    return stored(results, out)


def safety_of(results, floor=FLOOR, overlap=OVERLAP, limits=READ):
    """Safety of the results of a vehicle's run; limits: file, or name of a shipped one, of en14363_limits.

    Raises
    ------
    FlexwheelError      results without their scenario, too short, or with samples too far apart
    """
    missing = [name for name in ("wheel_force", "body_position") if name not in results]
    if missing:
        raise FlexwheelError(f"no running safety: output.variables leaves out {missing[0]}")
    rows = read_limits(limits, NAMES)
    scenario = scenario_of(results)
    if scenario.run.speed_profile_s_kmh:
        raise FlexwheelError("no running safety: EN 14363 assesses runs at one speed, this has run.speed_profile_s_kmh")
    vehicle = read_vehicle(scenario.vehicle.file)
    sections, speed = track_sections(scenario), scenario.run.speed
    points = measured_points(vehicle, results, floor)
    assessments = assess(results, sections, speed, rows, points, overlap)
    statistics = section_statistics(results, sections, points)
    if not statistics:
        raise FlexwheelError(
            f"run too short for running safety: nothing of {float(results.time[-1]):g} s is left after settling and "
            "the ends of the filters; lengthen the run, or set run.settling_s"
        )
    placed = placed_profiles(scenario.contact, vehicle.wheel, scenario.accept)
    names = list(map(str, results.wheelset.values))
    own = profiles_of_wheels(scenario.contact, vehicle.wheel, placed, names, scenario.accept)
    angle, friction = min(flange_angle(of_wheel.wheel) for of_wheel in own), largest_friction(scenario.contact)
    factor, kind = vehicle_factor_of(results)
    load = np.repeat(0.5 * static_load(results), 2)
    unloading = {}
    for s in statistics:
        if s.signal == "Q":
            k = list(map(str, results.wheel.values)).index(s.item)
            unloading[s.item] = max(unloading.get(s.item, -np.inf), 1.0 - s.smallest / load[k])
    found = zone_sections(results, sections, speed, overlap)
    return Safety(
        str(results.attrs.get("title", "")), vehicle.name, kind, factor, speed, tuple(sections), tuple(found),
        statistics, assessments, instability(results, rows), flange_climb(results, nadal(angle, friction)), angle,
        friction, list(unloading.items()), limit_of(rows, UNLOADING)[0],
        [_ride(results, point) for point in points if point.room == "body"],
        _notes(points, kind, floor, found, {a.quantity.name for a in assessments}),
    )  # fmt: skip


def _ride(results, point):
    rows, step = settled_rows(results), sample_step(results)
    x, y, z = (point.acceleration(results, axis)[rows] for axis in "xyz")
    comfort, blocks = mean_comfort(x, y, z, step)
    return Ride(point.name, ride_index(y, step, "y"), ride_index(z, step, "z"), comfort, blocks)


def _notes(points, kind, floor, found, told):
    notes = [f"sections: {ZONES_BASIS}"]
    counts = {}
    for part in found:
        counts[part.zone] = counts.get(part.zone, 0) + 1
    notes += [
        f"test zone {zone.name} ({zone.words}): {count} section{'s' * (count > 1)}; compare with the number that your "
        "edition asks for"
        for zone, count in counts.items()
    ]
    if not found:
        notes.append("no whole section of a test zone is in the evaluated part of the run: statistics by stretch only")
    rooms = {point.room for point in points} | {"Y", "Q", "Y/Q", "sum"}
    short = [q.symbol for q in QUANTITIES if q.name not in told and q.of.partition(" ")[0] in rooms]
    if found and short:
        notes.append(
            f"run too short for {'; '.join(short)}: no whole section has full support of the filters, which "
            "leave out the first and last part of the run"
        )
    if not points:
        notes.append("no accelerations: the results do not have body_measured_acceleration (output.variables)")
    elif any(point.room == "body" for point in points):
        notes.append(f"floor of the body taken {floor:g} m above the rails (assumed; --floor-height-m)")
    if not kind:
        notes.append("the vehicle file names no kind: limits of running behaviour are those of passenger vehicles")
    return tuple(notes)


def safety_lines(safety):
    """What is printed."""
    whose = safety.kind.replace("_", " ") or "no kind named"
    lines = [
        f"{safety.title or 'run'}: {safety.vehicle}, {3.6 * safety.speed:g} km/h",
        f"k1 = {safety.factor:g} ({whose})",
        *_verdict_lines(safety.assessments),
    ]
    for zone in dict.fromkeys(a.zone for a in safety.assessments):
        lines += ["", f"EN 14363, test zone {zone.name}: {zone.words}; forces kN, accelerations m/s2"]
        lines += _zone_table([a for a in safety.assessments if a.zone == zone])
    lines += ["", "statistics by stretch, 20 Hz; Y/Q and sum Y 2 m mean; forces kN, accelerations m/s2"]
    figures = "".join(f"{name:>9s}" for name in ("mean", "0.15 %", "50 %", "99.85 %", "max", "at [m]"))
    for stretch in dict.fromkeys(s.section for s in safety.statistics):
        own = [s for s in safety.statistics if s.section == stretch]
        lines += ["", own[0].words(), f"{'what':8s}{'of':34s}{figures}", *map(_statistics_line, own)]
    lines += _other_lines(safety)
    basis = {}
    for a in safety.assessments:
        basis.setdefault(a.quantity.basis, []).append(a.quantity.symbol)
        limit = f"limit: {a.limit_source}" if a.limit_source else "no limit read in a public text: give it (--limits)"
        if not a.item.endswith(" inner"):
            basis.setdefault(limit, []).append(a.quantity.symbol)
    lines += ["", "where figures are from:"] if basis else []
    lines += [f"  {', '.join(dict.fromkeys(names))}: {said}" for said, names in basis.items()]
    return lines + ["", *(f"note: {note}" for note in safety.notes)]


def _verdict_lines(assessments):
    """What a user looks for first: whether limits are kept, and how many figures have none."""
    if not assessments:
        return ["EN 14363: no verdict, no whole section of a test zone is in the evaluated part of the run"]
    judged = [a for a in assessments if a.within is not None]
    over = [f"{a.quantity.symbol} {a.item}, test zone {a.zone.name}" for a in judged if not a.within]
    none = f"{len(assessments) - len(judged)} have none (--limits)"
    kept = f"{len(judged) - len(over)} of {len(judged)} estimated maxima within their limit, {none}"
    return [f"EN 14363: {kept}", *(f"  EXCEEDED: {words}" for words in over)]


def _statistics_line(s):
    f = 1e-3 if s.unit == "N" else 1.0
    figures = (f * s.mean, *(f * p for p in s.percentiles), f * s.largest)
    words = "".join(f"{x:9.3f}" if np.isfinite(x) else f"{'no load':>9s}" for x in figures)
    return f"{s.signal:8s}{s.item:34s}{words}{s.largest_at:9.1f}"


def _zone_table(assessments):
    """Rows of one test zone; a column of the regression only where one was made."""
    regressed = any(np.isfinite(a.regression) for a in assessments)
    heads = ("mean", "1-D max", *["2-D max"] * regressed, "limit")
    lines = [f"{'quantity':32s}{'of':34s}{'n':>4s}{''.join(f'{head:>10s}' for head in heads)}  "]
    for a in assessments:
        f = 1e-3 if a.quantity.unit == "N" else 1.0
        figures = (np.mean(a.values), a.maximum, *[a.regression] * regressed, a.limit)
        cells = "".join(f"{f * x:10.3f}" if np.isfinite(x) else f"{'-':>10s}" for x in figures)
        verdict = "" if a.within is None else "within" if a.within else "EXCEEDED"
        lines.append(f"{a.quantity.symbol:32s}{a.item:34s}{len(a.values):4d}{cells}  {verdict}".rstrip())
    return lines


def _other_lines(safety):
    angle = f"flange {np.degrees(safety.flange_angle):.1f} deg, friction {safety.friction:g}"
    lines = ["", f"flange climb: Nadal's limit {safety.climbs[0].limit:.3f} ({angle}), Y/Q as computed"]
    for c in safety.climbs:
        lines.append(
            f"  {c.wheel:28s} largest {c.largest:7.3f} at {c.at:.3f} s; above the limit {c.times} times, longest "
            f"{1e3 * c.longest:.1f} ms, farthest {c.farthest:.3f} m; peak over what its duration permits {c.ratio:.2f}"
        )
    twist = f", limit of the test on twisted track {safety.unloading_limit:g}"
    lines += ["", f"wheel unloading (Q0 - Q)/Q0, 20 Hz{twist * bool(np.isfinite(safety.unloading_limit))}"]
    lines += [f"  {wheel:28s} {share:7.3f}" for wheel, share in safety.unloading]
    lines += ["", "instability: rms of sum Y over 100 m in steps of 10 m"]
    lines += [
        f"  {i.wheelset:28s} rms {1e-3 * i.rms:.2f} kN about {i.frequency:.2f} Hz, limit "
        f"{'-' if np.isnan(i.limit) else f'{1e-3 * i.limit:.2f} kN'}, {i.windows} windows"
        f"{'  EXCEEDED' if i.rms > i.limit else ''}"
        for i in safety.instability
    ] or ["  the run holds no 100 m after settling and the filter's ends"]
    if safety.ride:
        lines += ["", f"ride: Wz ({WZ_BASIS}); mean comfort N_MV of EN 12299"]
    for r in safety.ride:
        enough = "" if r.blocks >= BLOCKS else f" of {r.blocks} blocks of 5 s; {BLOCKS} make 5 minutes"
        comfort = f"N_MV {r.mean_comfort:.2f}{enough}" if r.blocks else "no N_MV: less than 5 s"
        lines.append(f"  {r.point:40s} Wz lateral {r.wz_lateral:.2f}, vertical {r.wz_vertical:.2f}; {comfort}")
    return lines
