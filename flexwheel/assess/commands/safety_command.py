"""flexwheel safety DIR: running safety, track loading and ride of a run after EN 14363."""

from typing import Annotated

import typer

from flexwheel.base.command import Command

TOPIC = "judge"
EXAMPLES = (
    "flexwheel safety out/as4 --out out/as4/safety",
    "flexwheel safety out/as4 --json",
)


def command(
    folder: Annotated[str, typer.Argument(help="Folder of a run, or its results.nc.", metavar="DIR")],
    pictures: Annotated[
        str | None, typer.Option("--out", "-o", help="Folder for pictures of every quantity with its limit.")
    ] = None,
    floor_height_m: Annotated[
        float, typer.Option("--floor-height-m", help="Floor of the body above the rails.", min=0.0, max=5.0)
    ] = 1.2,
    overlap: Annotated[
        float, typer.Option("--overlap", help="Largest share that two sections may have in common.", min=0.0, max=0.9)
    ] = 0.2,
    limits: Annotated[
        str, typer.Option("--limits", help="Limits: a TOML file, `read` (in public texts) or `assumed` (a form).")
    ] = "read",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, SI units.")] = False,
):
    """Evaluate a run after EN 14363: by stretch, and by test zone and section with estimated maxima and limits.

    Forces Y, Q, Y/Q and sum Y, accelerations of axle boxes, frames and body, quasi-static values, instability, flange
    climb after Nadal, wheel unloading, ride (Wz, EN 12299). Where each figure is from is printed; quantities
    whose limit was read nowhere have none unless --limits gives it.

    JSON keys: title, vehicle, kind, k1, speed_m_s, statistics, assessments, instability, flange_climb,
    wheel_unloading, unloading_limit, ride, notes.
    """
    import json

    from flexwheel.assess.figures.style import footer_of
    from flexwheel.assess.safety import safety_lines, safety_of
    from flexwheel.assess.safety_values import draw_safety, safety_values
    from flexwheel.results.files import read_results

    results = read_results(folder, ["vehicle"])
    safety = safety_of(results, floor_height_m, overlap, limits)
    print(json.dumps(safety_values(safety), indent=1) if as_json else "\n".join(safety_lines(safety)))
    if pictures is not None:
        made = draw_safety(safety, pictures, footer_of(results.attrs))
        if not as_json:
            print(f"{len(made)} pictures in {pictures}")


COMMAND = Command("safety", command, TOPIC, EXAMPLES)
