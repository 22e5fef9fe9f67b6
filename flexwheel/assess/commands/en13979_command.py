"""flexwheel en13979 MESH: stress range of a wheel's web under given load cases, after the method of EN 13979-1."""

from typing import Annotated

import typer

from flexwheel.assess.commands import mesh_options
from flexwheel.base.command import Command

TOPIC = "mesh"
CASE = "curve:1.25:-0.6:38:10"
RIM = 150.0  # [mm] a rim is about 135 wide: no place on it lies further from the tread datum
LIGHT = 0.1  # of Q: a wheel of a case bears at least so much; below is another unit
INWARDS, BELOW = 10.0, 1.0  # [mm] least but 0: flange and its back lie 25 to 70 from the datum; nearer are cm, m
EXAMPLES = (
    "flexwheel en13979 meshes/wheelset.inp --wheel-load-kn 60 --case curve:1:-0.5:38:10 --grades assumed --grade ER7",
)


def command(
    mesh: mesh_options.MeshPath,
    *,
    wheel_load_kn: Annotated[float, typer.Option("--wheel-load-kn", help="Q: static load of a wheel.")],
    case: Annotated[list[str] | None, typer.Option("--case", help="NAME:VERTICAL[:LATERAL:INWARDS:BELOW].")] = None,
    grades: Annotated[str | None, typer.Option("--grades", help="Limits: a TOML file, `assumed`.")] = None,
    grade: Annotated[str | None, typer.Option("--grade", help="Grade in it, zone web.")] = None,
    side: Annotated[str, typer.Option("--side", help="Wheel: left or right.")] = "left",
    top: Annotated[int, typer.Option("--top", min=1, max=500, help="Rings listed.")] = 10,
    options: mesh_options.MeshOptions,
    ignore: mesh_options.Ignore = None,
    printed: mesh_options.MeshPrinted,
):
    """Range of a wheel's web stress under load cases as of EN 13979-1.

    JSON keys: source, limit, wheel_load_n, side, rings ([{y_m, radius_m, range_pa, utilisation, verdict, highest_pa,
    lowest_pa, case, direction, node, stress_error, corner_deg, mark}], largest range first), audit.
    """
    from flexwheel.assess.evaluate.strength_grades import read_grades, verdict, zone_limit
    from flexwheel.assess.wheel_standard import SOURCE, web_stress_ranges
    from flexwheel.base.errors import ScenarioError
    from flexwheel.results.evaluate.stress_marks import mark, plain_marks
    from flexwheel.run.progress import progress

    cases = [parse_case(text) for text in case or ()]
    names = [one.name for one in cases]
    if twice := [name for name in names if names.count(name) > 1]:
        raise ScenarioError(f"--case names {twice[0]} twice")
    if not cases:
        raise ScenarioError(f"--case must name a load case of your edition of EN 13979-1, e.g. {CASE}")
    limit = zone_limit(read_grades(grades), grade, "web", "local")
    if side not in ("left", "right"):
        raise ScenarioError(f"--side must be left or right, got {side}")
    with progress("en13979") as report:
        loaded, audit = options.load(mesh, ignore or ())
        report(0.2, f"{len(cases)} load cases")
        sign, load = 1 if side == "left" else -1, 1e3 * wheel_load_kn
        rings = web_stress_ranges(loaded, sign, load, cases, options.formulation())
    for ring in rings[:top]:
        ring["utilisation"] = float(limit.utilisation(0.5 * ring["range_pa"]))
        error, corner = ring.pop("error"), ring.pop("corner")
        ring["verdict"] = verdict(ring["utilisation"], error, corner)
        ring |= plain_marks(error, corner) | {"mark": mark(error, corner)}
    result = {
        "source": SOURCE, "limit": limit.words(), "wheel_load_n": 1e3 * wheel_load_kn, "side": side,
        "rings": rings[:top], "audit": list(audit),
    }  # fmt: skip
    printed.write(result, _table, indent=None)


def _table(result):
    lines = [*result["audit"], "", result["source"], result["limit"]]
    lines.append(
        f"{'y [m]':>9} {'r [m]':>8} {'range [MPa]':>12} {'utilisation':>12} {'verdict':>9} {'highest':>9} "
        f"{'lowest':>9} {'node':>8}  case of it"
    )
    for ring in result["rings"]:
        stress = f"{ring['range_pa'] / 1e6:12.2f} {ring['utilisation']:12.3f} {ring['verdict']:>9}"
        stress += f" {ring['highest_pa'] / 1e6:9.2f} {ring['lowest_pa'] / 1e6:9.2f}"
        lines.append(
            f"{ring['y_m']:9.4f} {ring['radius_m']:8.4f} {stress} {ring['node']:8d}  {ring['case']}"
            f"{ring['mark'] and '  ' + ring['mark']}"
        )
    return "\n".join(lines)


def parse_case(text):
    """WheelCase of NAME:VERTICAL[:LATERAL:INWARDS:BELOW], places in mm."""
    from flexwheel.assess.wheel_standard import WheelCase
    from flexwheel.base.errors import ScenarioError

    name, *rest = text.split(":")
    try:
        numbers = [float(part) for part in rest]
        of_q, places = numbers[:2], numbers[2:]  # forces over Q, where 10 is a force in kN or N
        least = zip(places, (INWARDS, BELOW), strict=False)
        usual = (
            all(abs(x) <= 10.0 for x in of_q)
            and min(numbers[:1], default=0.0) >= LIGHT
            and all(x == 0.0 or low <= abs(x) <= RIM for x, low in least)
        )
        if not (name and len(numbers) in (1, 4) and usual):
            raise ValueError
    except ValueError:
        raise ScenarioError(
            f"--case must be NAME:VERTICAL[:LATERAL:INWARDS:BELOW], forces over Q, places 0 or {INWARDS:g} (below: "
            f"{BELOW:g}) to {RIM:g} mm, e.g. {CASE}, got {text}"
        ) from None
    return WheelCase(name, *numbers[:2], *(1e-3 * x for x in numbers[2:]))


COMMAND = Command("en13979", command, TOPIC, EXAMPLES)
