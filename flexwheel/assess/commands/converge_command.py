"""flexwheel converge SCENARIO: error of a run's spectra from modes, step, rail, window and mesh options."""

import json
from typing import Annotated

import typer

from flexwheel.base.command import Command

TOPIC = "linear"
EXAMPLES = ("flexwheel converge examples/as4_curve.toml --seconds 2 --out out/as4",)


def command(
    scenario: Annotated[str, typer.Argument(help="Scenario file of a vehicle, TOML.", metavar="SCENARIO")],
    out: Annotated[
        str | None,
        typer.Option("--out", "-o", help="Folder of the run: convergence.nc goes there, and `view` draws the band."),
    ] = None,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="section.key=value in place of the file's; may be repeated.")
    ] = None,
    seconds: Annotated[float, typer.Option("--seconds", help="Simulated after settling, by each run.")] = 4.0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
):
    """Error of a run's spectra, by short runs with more modes, half the step, finer rail, wider window, other mode.

    For each third octave from 10 Hz to 1.25 kHz it prints the largest error [dB] of wheel forces Q and Y and of
    acceleration and stress at every control node, extrapolated from the change, and the refinement that causes it.
    Bands more than 60 dB below the highest are left out. One more run with a hundredth of the contact tolerance shows
    where noise of the iteration exceeds 5 % of a band. JSON keys: seconds, bands_hz, refinements ([{name, change}]),
    signals ([{name, rms, change_db, error_db, iteration_noise}]).
    """
    from flexwheel.assess.convergence import convergence, convergence_table, noise_lines, write_convergence
    from flexwheel.base.kind import VEHICLE
    from flexwheel.base.output_files import output_folder
    from flexwheel.run.check_scenario import check_scenario
    from flexwheel.run.keys.reader import read_scenario_source
    from flexwheel.run.progress import progress

    check_scenario(scenario, settings or [])
    source = read_scenario_source(scenario, settings or [], (VEHICLE,))
    folder = output_folder(out) if out is not None else None
    with progress("converge", not quiet) as report:
        found = convergence(source, seconds, report)
    if folder is not None:
        path = write_convergence(found, folder)
    if as_json:
        print(json.dumps(_figures(found), indent=1))
        return
    for name, change in zip(found.variation.values, found.refinement.values, strict=True):
        print(f"{name}: {change}")
    print("largest error of a third octave [dB] by extrapolation, and where most of it comes from:")
    print("\n".join([*convergence_table(found), *noise_lines(found)]))
    if folder is not None:
        print(f"written: {path}")


def _figures(found):
    def plain(values):
        return [None if value != value else float(value) for value in values]

    return {
        "seconds": found.attrs["seconds"],
        "bands_hz": plain(found.band.values),
        "refinements": [
            {"name": str(name), "change": str(change)}
            for name, change in zip(found.variation.values, found.refinement.values, strict=True)
        ],
        "signals": [
            {
                "name": str(name),
                "rms": plain(found.rms.sel(signal=name).values),
                "change_db": {
                    str(item): plain(found.change.sel(signal=name, variation=item).values)
                    for item in found.variation.values
                },
                "error_db": {
                    str(item): plain(found.error.sel(signal=name, variation=item).values)
                    for item in found.variation.values
                },
                "iteration_noise": plain(found.iteration_noise.sel(signal=name).values),
            }
            for name in found.signal.values
        ],
    }


COMMAND = Command("converge", command, TOPIC, EXAMPLES)
