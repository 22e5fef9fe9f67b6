"""flexwheel sensitivity SCENARIO: what each assumed value does to the spectra."""

import json
from typing import Annotated

import typer

from flexwheel.base.command import Command

TOPIC = "linear"
EXAMPLES = ("flexwheel sensitivity examples/as4_curve.toml --out out/as4",)


def command(
    scenario: Annotated[str, typer.Argument(help="Scenario file, TOML, of kind vehicle.", metavar="SCENARIO")],
    step_hz: Annotated[float, typer.Option("--step-hz", help="Largest step of the frequencies.")] = 3.0,
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="section.key=value in place of the file's; may be repeated.")
    ] = None,
    out: Annotated[
        str | None, typer.Option("--out", "-o", help="Folder for sensitivity.json; a run finds it there.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: every band of every value.")] = False,
):
    """Change of each third octave when an assumed value is multiplied by its factor, by linear response, ranked.

    The factor is the key `factor` beside the value in its file, by default 1.5. A later run into the same --out prints
    the first three. JSON keys: title, scenario_digest, bands_hz, values ([{key, value, factor, largest_db,
    quantity, band_hz, change (the largest, with its sign), change_db: {quantity: change in each band, of the wheel or
    node that changes most}, refused: why it could not be varied}]), not_varied (lines).
    """
    from flexwheel.assess.response import ResponseSettings, response_scenario
    from flexwheel.assess.sensitivity import sensitivity, sensitivity_record, write_sensitivity
    from flexwheel.base.errors import ScenarioError
    from flexwheel.base.output_files import output_folder
    from flexwheel.run.keys.reader import read_scenario
    from flexwheel.run.progress import progress
    from flexwheel.run.reduced_bodies import flexible_wheelsets

    if not 0.05 <= step_hz <= 20.0:
        raise ScenarioError(f"--step-hz must be a number from 0.05 to 20, got {step_hz:g}")
    chosen = read_scenario(scenario, settings or [])
    if chosen.kind != "vehicle":
        raise ScenarioError(f"{scenario}: kind must be 'vehicle', got {chosen.kind!r}")
    folder = output_folder(out) if out is not None else None
    how = ResponseSettings(step_hz=step_hz, harmonics=1)
    with progress("sensitivity") as report:
        wheelsets = flexible_wheelsets(response_scenario(chosen, how), lambda line: report(0.0, line))
        bodies = {name: item.body for name, item in wheelsets.items()}
        bands, changes, left = sensitivity(chosen, bodies, how, report)
    record = sensitivity_record(chosen, bands, changes, left)
    file = write_sensitivity(record, folder) if folder is not None else None
    print(json.dumps(record) if as_json else "\n".join(_lines(bands, changes, left)))
    if file is not None and not as_json:
        print(f"results: {file}")


def _lines(bands, changes, left):
    import numpy as np

    names = list(dict.fromkeys(name for change in changes for name in change.levels))
    yield "largest change of any third octave [dB] and its band [Hz] when an assumed value is multiplied by its factor"
    yield f"{'factor':>7}" + "".join(f"{name:>22}" for name in names) + "  value"
    for change in changes:
        if change.refused:
            continue
        row = ""
        for name in names:
            level = change.levels[name]
            k = int(np.argmax(np.abs(level)))
            row += f"{f'{level[k]:+.2f} at {bands[k]:.0f}':>22}"
        yield f"{change.factor:7.3g}{row}  {change.key} = {change.value}"
    yield from (f"not varied: {c.key} = {c.value}: {c.refused}" for c in changes if c.refused)
    yield from (f"not varied: {line}" for line in left)


COMMAND = Command("sensitivity", command, TOPIC, EXAMPLES)
