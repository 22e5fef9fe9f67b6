"""flexwheel en13103: forces, moments and stresses of an axle after EN 13103-1."""

import json
import math
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple

import typer

from flexwheel.base.command import Command

USUAL = (
    ("--mass-kg", 200.0, 1e5), ("--height-mm", 10.0, 5e3), ("--journal-span-mm", 500.0, 5e3),
    ("--tread-span-mm", 400.0, 4e3), ("--wheel-radius-mm", 100.0, 1e3), ("--bore-mm", 0.0, 300.0),
)  # fmt: skip
"""Options, smallest and largest value of an axle: further off is another unit (t, m, cm)."""


class Form(NamedTuple):
    """Of numbers in a text: words, and of each smallest and largest size, factor to SI units, whether it has a sign."""

    words: str
    ranges: tuple


DISC = Form(
    "MASS:PLACE[:FRICTION:RADIUS] in kg, mm, kN, mm, e.g. 138:396.5:15.75:272",
    ((1.0, 2e3, 1.0, False), (1.0, 4e3, 1e-3, False), (0.1, 200.0, 1e3, False), (50.0, 600.0, 1e-3, False)),
)
DRIVE = Form(
    "PLACE:TORQUE[:UPRIGHT:ALONG] in mm, kN m, kN, kN, e.g. 300:12.5:-40:15",
    ((1.0, 4e3, 1e-3, False), (0.1, 100.0, 1e3, True), (0.1, 500.0, 1e3, True), (0.1, 500.0, 1e3, True)),
)
BLOCK = Form(
    "WHEEL:FORCE:FRICTION[:ANGLE] in kN and degrees, e.g. 1:30:0.25:-10",
    ((1.0, 2.0, 1.0, False), (0.1, 200.0, 1e3, False), (0.01, 1.0, 1.0, False), (0.1, 360.0, math.pi / 180.0, True)),
)
SEAT = 0.15  # [m] beyond the rolling circle that a wheel's seat may reach; a choice, half of the longest hubs
TOPIC = "mesh"
EXAMPLES = ("flexwheel en13103 --mass-kg 14000 --height-mm 800 --section 250:175:body --grades assumed --grade EA1N",)


@dataclass(frozen=True)
class AxleOptions:
    """The axle and the loads that the standard takes of the vehicle."""

    mass_kg: Annotated[
        float | None, typer.Option("--mass-kg", help="m1: mass on the journals, without the wheelset.")
    ] = None
    height_mm: Annotated[float | None, typer.Option("--height-mm", help="h1: centre of m1 above the axle.")] = None
    journal_span_mm: Annotated[float, typer.Option("--journal-span-mm", help="2b between journal loads.")] = 2000.0
    tread_span_mm: Annotated[float, typer.Option("--tread-span-mm", help="2s between rolling circles.")] = 1500.0
    wheel_radius_mm: Annotated[float, typer.Option("--wheel-radius-mm", help="R: radius of the wheels.")] = 460.0
    bore_mm: Annotated[float, typer.Option("--bore-mm", help="Bore of a hollow axle.")] = 0.0
    lateral: Annotated[float, typer.Option("--lateral", help="Y1 / (m1 g); Y2 is half of it.")] = 0.35
    disc: Annotated[
        list[str] | None,
        typer.Option(
            "--disc",
            help="MASS:PLACE[:FRICTION:RADIUS] of a disc, gear: kg, mm from wheel 1, kN, mm.",
        ),
    ] = None
    drive: Annotated[
        list[str] | None,
        typer.Option(
            "--drive",
            help="PLACE:TORQUE[:UPRIGHT:ALONG] of a gear: mm from wheel 1, kN m that drive, kN up, forwards.",
        ),
    ] = None
    block: Annotated[
        list[str] | None,
        typer.Option(
            "--block",
            help="WHEEL:FORCE:FRICTION[:ANGLE] of a brake block: 1 or 2, kN, -, degrees up from the front.",
        ),
    ] = None

    def loads(self):
        """AxleLoads."""
        from flexwheel.assess.evaluate.axle_standard import AxleDisc, AxleForce, AxleLoads, block_force
        from flexwheel.base.errors import ScenarioError

        for option, low, high in USUAL:
            value = getattr(self, option[2:].replace("-", "_"))
            if value is None:
                raise ScenarioError(f"{option} must be given, {low:g} to {high:g} {option[-2:]}, or --run")
            if not low <= value <= high:
                raise ScenarioError(f"{option} must be {low:g} to {high:g} {option[-2:]}, got {value:g}")
        if not self.tread_span_mm < self.journal_span_mm:
            got = f"{self.journal_span_mm:g}, the journals', got {self.tread_span_mm:g}"
            raise ScenarioError(f"--tread-span-mm must be below {got}")
        span, radius = 1e-3 * self.tread_span_mm, 1e-3 * self.wheel_radius_mm
        discs = tuple(AxleDisc(*parse_numbers("--disc", text, DISC, (2, 4))) for text in self.disc or ())
        forces = []
        for text in self.drive or ():
            place, torque, *others = parse_numbers("--drive", text, DRIVE, (2, 4))
            forces.append(AxleForce(place, *(others or (0.0, 0.0)), torque, drives=True))
        for text in self.block or ():
            wheel, normal, friction, *angle = parse_numbers("--block", text, BLOCK, (3, 4))
            if wheel not in (1.0, 2.0) or normal == 0.0:
                raise ScenarioError(f"--block must be on wheel 1 or 2 with a force above 0, got {text}")
            forces.append(block_force(span * (wheel - 1.0), normal, friction, angle[0] if angle else 0.0, radius))
        return AxleLoads(
            self.mass_kg, 1e-3 * self.height_mm, 1e-3 * self.journal_span_mm, span, radius, lateral=self.lateral,
            discs=discs, forces=tuple(forces),
        )  # fmt: skip


def command(
    axle: AxleOptions,
    section: Annotated[
        list[str],
        typer.Option(
            "--section",
            help="Y:DIAMETER:ZONE, then :K, or :RADIUS:LARGER of a fillet; mm from journal 1.",
        ),
    ],
    run: Annotated[
        str | None,
        typer.Option("--run", help="Folder of a run, whose loads count."),
    ] = None,
    wheelset: Annotated[str | None, typer.Option("--wheelset", help="With --run; default: the first flexible.")] = None,
    grades: Annotated[str | None, typer.Option("--grades", help="TOML file of limits, or `assumed`.")] = None,
    grade: Annotated[str | None, typer.Option("--grade", help="Grade in it, e.g. EA1N.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON in SI units.")] = False,
):
    """Forces on wheelset and axle, moments and stress of sections against the permissible stress of their zone.

    A powered axle has its gear wheels as --disc and one case of its drive as --drive. With --run (journal 1 is left)
    moments are shown where their resultant is largest, judged by the largest amplitude at a point as it turns.
    JSON keys: source, limits ([text]), forces_n ({P1, P2, Q1, Q2, Y1, Y2, H}; empty with --run), sections ([{y_m,
    diameter_m, zone, concentration, bending_nm, torsion_nm, along_nm, resultant_nm, stress_pa, permissible_pa,
    utilisation, verdict; with --run time_s}]), unfinished (text: of a run that was stopped).
    """
    from flexwheel.assess.evaluate.axle_standard import SOURCE, axle_forces
    from flexwheel.assess.evaluate.strength_grades import read_grades, zone_limit
    from flexwheel.base.errors import ScenarioError

    if run is None and wheelset is not None:
        raise ScenarioError(f"--wheelset needs --run: the folder of a run with {wheelset}")
    loads = axle.loads() if run is None else None
    parsed = [parse_section(text) for text in section]
    table = read_grades(grades)
    limits = [zone_limit(table, grade, zone, "nominal") for _, _, zone, _ in parsed]
    if loads is None:
        source, rows, stopped = rows_of_run(run, wheelset, axle, parsed, limits)
    else:
        source, rows, stopped = SOURCE, standard_rows(loads, axle.bore_mm, parsed, limits), ""
    forces = axle_forces(loads) if loads is not None else {}
    words = list(dict.fromkeys(limit.words() for limit in limits))
    if as_json:
        found = {"source": source, "limits": words, "forces_n": forces, "sections": rows, "unfinished": stopped}
        print(json.dumps(found))
        return
    print("\n".join([source, *words]))
    if stopped:
        print(f"INCOMPLETE RUN: {stopped}; all that follows is of this part only")
    if forces:
        print("forces [kN]: " + ", ".join(f"{name} {value / 1e3:.2f}" for name, value in forces.items()))
    heads = ("y [mm]", "d [mm]", "zone", "Mx [kNm]", "My [kNm]", "Mz [kNm]", "stress [MPa]", "permissible")
    print("".join(f"{head:>13}" for head in (*heads, "utilisation")))
    for row in rows:
        print(
            f"{1e3 * row['y_m']:13.1f}{1e3 * row['diameter_m']:13.1f}{row['zone']:>13}{row['bending_nm'] / 1e3:13.3f}"
            f"{row['torsion_nm'] / 1e3:13.3f}{row['along_nm'] / 1e3:13.3f}{row['stress_pa'] / 1e6:13.2f}"
            f"{row['permissible_pa'] / 1e6:13.2f}{row['utilisation']:13.3f}  {row['verdict']}"
        )


def standard_rows(loads, bore_mm, sections, limits):
    """Rows of the table under AxleLoads."""
    from flexwheel.assess.evaluate.axle_standard import axle_moments, nominal_stress
    from flexwheel.assess.evaluate.strength_grades import verdict

    rows = []
    for (y, diameter, zone, concentration), limit in zip(sections, limits, strict=True):
        placed(zone, y, loads.journal_span, loads.tread_span)
        m = {name: float(value[0]) for name, value in axle_moments(loads, [y]).items()}
        at = 1e-3 * bore_mm / diameter if zone == "bore" else 1.0
        stress = at * float(nominal_stress(m["MR"], diameter, 1e-3 * bore_mm, concentration))
        share = float(limit.utilisation(stress))
        rows.append(_row((y, diameter, zone, concentration), [m[k] for k in ("Mx", "My", "Mz")], stress, limit, share,
                         verdict(share)))  # fmt: skip
    return rows


def rows_of_run(folder, wheelset, axle, sections, limits):
    """Words on the loads, rows of the table, how far a run came that was stopped."""
    from flexwheel.assess.evaluate.axle_standard import nominal_stress
    from flexwheel.assess.node_fatigue import section_of_run
    from flexwheel.assess.section_moments import axle_run
    from flexwheel.assess.surface_stress import StressOfRun
    from flexwheel.base.errors import ScenarioError
    from flexwheel.run.progress import progress

    if replace(axle, bore_mm=0.0) != AxleOptions():
        raise ScenarioError("--run has the axle's loads and sizes from the run: leave out all but --section, --bore-mm")
    with progress("en13103") as report:
        run = StressOfRun(folder, wheelset, lambda line: report(0.0, line))
        journals, treads = run.places()
        for y, diameter, zone, _ in sections:
            placed(zone, y, journals[0] - journals[1], treads[0] - treads[1])
            nominal_stress(0.0, diameter, 1e-3 * axle.bore_mm)  # refuses a bore
        found = axle_run(run, [journals[0] - y for y, *_ in sections])
        rows = []
        for k, (section, limit) in enumerate(zip(sections, limits, strict=True)):
            size = section[1], 1e-3 * axle.bore_mm, section[3]
            item = section_of_run(found, k, size, limit, section[2] == "bore")
            rows.append(_row(section, item["moment_nm"].tolist(), item["amplitude_pa"], limit, item["utilisation"],
                             item["verdict"]) | {"time_s": item["time_s"]})  # fmt: skip
    words = (
        f"moments by statics of the run's own loads, wheelset {run.wheelset}, {found.way:.1f} m: K M / W as EN 13103"
    )
    return words, rows, run.unfinished


def _row(section, moments, stress, limit, share, word):
    y, diameter, zone, concentration = section
    return {
        "y_m": y, "diameter_m": diameter, "zone": zone, "concentration": concentration, "bending_nm": moments[0],
        "torsion_nm": moments[1], "along_nm": moments[2], "resultant_nm": math.hypot(*moments), "stress_pa": stress,
        "permissible_pa": limit.permissible, "utilisation": share, "verdict": word,
    }  # fmt: skip


def parse_section(text):
    """(y [m], diameter [m], zone, stress concentration) of Y:DIAMETER:ZONE, :K or :RADIUS:LARGER of a fillet, mm."""
    from flexwheel.assess.evaluate.axle_standard import fillet_concentration
    from flexwheel.base.errors import ScenarioError

    parts = text.split(":")
    try:
        y, diameter, *last = (float(part) for part in parts[:2] + parts[3:])
        k = (
            fillet_concentration(*(1e-3 * x for x in (diameter, last[1], last[0])))
            if len(last) == 2
            else (*last, 1.0)[0]
        )
        if not (len(parts) in (3, 4, 5) and 20.0 <= diameter <= 500.0 and 1.0 <= k <= 100.0):
            raise ValueError
        if not (y == 0.0 or 1.0 <= y <= 1e4):  # below is m
            raise ValueError
    except ValueError:
        raise ScenarioError(
            f"--section must be Y:DIAMETER:ZONE, then :K or :RADIUS:LARGER, in mm, e.g. 800:160:body:1.2, got {text}"
        ) from None
    return 1e-3 * y, 1e-3 * diameter, parts[2], k


def placed(zone, y, journal_span, tread_span):
    """Raise ScenarioError where a body, seat or journal of an axle cannot lie at y [m]: another unit, another zone."""
    from flexwheel.base.errors import ScenarioError

    first = 0.5 * (journal_span - tread_span)
    reach = SEAT if zone == "seat" else 0.0
    low, high = max(first - reach, 0.0), min(journal_span - first + reach, journal_span)
    beyond = zone == "journal"
    if zone in ("body", "seat", "journal") and (low < y < high if beyond else not low - 1e-9 <= y <= high + 1e-9):
        words = f"{'beyond ' if beyond else ''}{1e3 * low:g} to {1e3 * high:g} mm from journal 1"
        raise ScenarioError(f"--section: a {zone} must lie {words}, got {1e3 * y:g}")


def parse_numbers(option, text, form, counts):
    """Numbers in SI units of a text A:B:..., each 0 or within the limits of its place in the form, or their negative
    where the form allows it."""
    from flexwheel.base.errors import ScenarioError

    try:
        numbers = [float(part) for part in text.split(":")]
        if len(numbers) not in counts:
            raise ValueError
        for number, (low, high, _, signed) in zip(numbers, form.ranges, strict=False):
            if not (low <= (abs(number) if signed else number) <= high or number == 0.0):
                raise ValueError
    except ValueError:
        raise ScenarioError(f"{option} must be {form.words}, got {text}") from None
    return [scale * number for number, (_, _, scale, _) in zip(numbers, form.ranges, strict=False)]


COMMAND = Command("en13103", command, TOPIC, EXAMPLES)
