"""flexwheel en13103: forces, moments and stresses of an axle after EN 13103-1."""

import json
from typing import Annotated

import typer

from flexwheel.base.command import Command

USUAL = (
    ("--mass-kg", 200.0, 1e5), ("--height-mm", 10.0, 5e3), ("--journal-span-mm", 500.0, 5e3),
    ("--tread-span-mm", 400.0, 4e3), ("--wheel-radius-mm", 100.0, 1e3), ("--bore-mm", 0.0, 300.0),
)  # fmt: skip
"""Options, smallest and largest value of an axle: further off is another unit (t, m, cm)."""
DISC = ((1.0, 2e3), (1.0, 4e3), (0.1, 200.0), (50.0, 600.0))  # kg, mm, kN, mm of a disc, in the same sense; or 0
SEAT = 0.15  # [m] beyond the rolling circle that a wheel's seat may reach; a choice, half of the longest hubs
TOPIC = "mesh"
EXAMPLES = ("flexwheel en13103 --mass-kg 14000 --height-mm 800 --section 250:175:body --grades assumed --grade EA1N",)


def command(
    mass_kg: Annotated[float, typer.Option("--mass-kg", help="m1: mass on the journals, without the wheelset.")],
    height_mm: Annotated[float, typer.Option("--height-mm", help="h1: centre of m1 above the axle.")],
    section: Annotated[
        list[str],
        typer.Option(
            "--section",
            help="Y:DIAMETER:ZONE, then :K, or :RADIUS:LARGER of a fillet; mm from journal 1; zone as in --grades "
            "(bore: the stress there).",
        ),
    ],
    journal_span_mm: Annotated[float, typer.Option("--journal-span-mm", help="2b between journal loads.")] = 2000.0,
    tread_span_mm: Annotated[float, typer.Option("--tread-span-mm", help="2s between rolling circles.")] = 1500.0,
    wheel_radius_mm: Annotated[float, typer.Option("--wheel-radius-mm", help="R: radius of the wheels.")] = 460.0,
    bore_mm: Annotated[float, typer.Option("--bore-mm", help="Bore of a hollow axle.")] = 0.0,
    grades: Annotated[
        str | None, typer.Option("--grades", help="Limits by grade and zone: a TOML file, or `assumed`.")
    ] = None,
    grade: Annotated[str | None, typer.Option("--grade", help="Grade in it, e.g. EA1N.")] = None,
    lateral: Annotated[float, typer.Option("--lateral", help="Y1 / (m1 g); Y2 is half of it.")] = 0.35,
    disc: Annotated[
        list[str] | None,
        typer.Option(
            "--disc",
            help="MASS:PLACE[:FRICTION:RADIUS] of a brake disc: kg, mm from wheel 1, friction of the pads kN, mm.",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON in SI units.")] = False,
):
    """Forces on wheelset and axle, moments and stress of sections against the permissible stress of their zone.

    JSON keys: source, limits ([text]), forces_n ({P1, P2, Q1, Q2, Y1, Y2, H}), sections ([{y_m, diameter_m, zone,
    concentration, bending_nm, torsion_nm, along_nm, resultant_nm, stress_pa, permissible_pa, utilisation, verdict}]).
    """
    from flexwheel.assess.evaluate.axle_standard import (
        SOURCE,
        AxleDisc,
        AxleLoads,
        axle_forces,
        axle_moments,
        nominal_stress,
    )
    from flexwheel.assess.evaluate.strength_grades import read_grades, verdict, zone_limit
    from flexwheel.base.errors import ScenarioError

    given = mass_kg, height_mm, journal_span_mm, tread_span_mm, wheel_radius_mm, bore_mm
    for (option, low, high), value in zip(USUAL, given, strict=True):
        if not low <= value <= high:
            raise ScenarioError(f"{option} must be {low:g} to {high:g} {option[-2:]}, got {value:g}")
    if not tread_span_mm < journal_span_mm:
        raise ScenarioError(f"--tread-span-mm must be below {journal_span_mm:g}, the journals', got {tread_span_mm:g}")
    lengths = (1e-3 * x for x in (height_mm, journal_span_mm, tread_span_mm, wheel_radius_mm))
    loads = AxleLoads(
        mass_kg, *lengths, lateral=lateral, discs=tuple(AxleDisc(*parse_disc(text)) for text in disc or ())
    )
    table, rows, words = read_grades(grades), [], []
    for y, diameter, zone, concentration in (parse_section(text) for text in section):
        placed(zone, y, loads)
        m = {name: float(value[0]) for name, value in axle_moments(loads, [y]).items()}
        at = 1e-3 * bore_mm / diameter if zone == "bore" else 1.0
        stress = at * float(nominal_stress(m["MR"], diameter, 1e-3 * bore_mm, concentration))
        limit = zone_limit(table, grade, zone, "nominal")
        share = float(limit.utilisation(stress))
        words.append(limit.words())
        rows.append(
            {
                "y_m": y, "diameter_m": diameter, "zone": zone, "concentration": concentration, "bending_nm": m["Mx"],
                "torsion_nm": m["My"], "along_nm": m["Mz"], "resultant_nm": m["MR"], "stress_pa": stress,
                "permissible_pa": limit.permissible, "utilisation": share, "verdict": verdict(share),
            }
        )  # fmt: skip
    forces, words = axle_forces(loads), list(dict.fromkeys(words))
    if as_json:
        print(json.dumps({"source": SOURCE, "limits": words, "forces_n": forces, "sections": rows}))
        return
    print("\n".join([SOURCE, *words]))
    print("forces [kN]: " + ", ".join(f"{name} {value / 1e3:.2f}" for name, value in forces.items()))
    heads = ("y [mm]", "d [mm]", "zone", "Mx [kNm]", "My [kNm]", "Mz [kNm]", "stress [MPa]", "permissible")
    print("".join(f"{head:>13}" for head in (*heads, "utilisation")))
    for row in rows:
        print(
            f"{1e3 * row['y_m']:13.1f}{1e3 * row['diameter_m']:13.1f}{row['zone']:>13}{row['bending_nm'] / 1e3:13.3f}"
            f"{row['torsion_nm'] / 1e3:13.3f}{row['along_nm'] / 1e3:13.3f}{row['stress_pa'] / 1e6:13.2f}"
            f"{row['permissible_pa'] / 1e6:13.2f}{row['utilisation']:13.3f}  {row['verdict']}"
        )


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


def placed(zone, y, loads):
    """Raise ScenarioError where a body, seat or journal of an axle cannot lie at y [m]: another unit, another zone."""
    from flexwheel.base.errors import ScenarioError

    first = 0.5 * (loads.journal_span - loads.tread_span)
    reach = SEAT if zone == "seat" else 0.0
    low, high = max(first - reach, 0.0), min(loads.journal_span - first + reach, loads.journal_span)
    beyond = zone == "journal"
    if zone in ("body", "seat", "journal") and (low < y < high if beyond else not low - 1e-9 <= y <= high + 1e-9):
        words = f"{'beyond ' if beyond else ''}{1e3 * low:g} to {1e3 * high:g} mm from journal 1"
        raise ScenarioError(f"--section: a {zone} must lie {words}, got {1e3 * y:g}")


def parse_disc(text):
    """Mass [kg], place [m], friction [N], radius [m] of MASS:PLACE[:FRICTION:RADIUS] in kg, mm, kN, mm."""
    from flexwheel.base.errors import ScenarioError

    try:
        numbers = [float(part) for part in text.split(":")]
        if len(numbers) not in (2, 4):
            raise ValueError
        for number, (low, high) in zip(numbers, DISC, strict=False):
            if not (low <= number <= high or number == 0.0):
                raise ValueError
    except ValueError:
        raise ScenarioError(
            f"--disc must be MASS:PLACE[:FRICTION:RADIUS] in kg, mm, kN, mm, e.g. 138:396.5:15.75:272, got {text}"
        ) from None
    return [scale * number for scale, number in zip((1.0, 1e-3, 1e3, 1e-3), numbers, strict=False)]


COMMAND = Command("en13103", command, TOPIC, EXAMPLES)
