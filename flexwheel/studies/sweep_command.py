"""flexwheel sweep STUDY: many runs of one scenario with some of its keys varied, and chosen figures of each."""

import json
from typing import Annotated

import typer

from flexwheel.base.command import Command

TOPIC = "run"
EXAMPLES = ("flexwheel sweep examples/studies/speed_and_radius.toml --out out/study --workers 2",)


def command(
    study: Annotated[str, typer.Argument(help="Study file, TOML: docs/studies.md.", metavar="STUDY")],
    out: Annotated[str, typer.Option("--out", "-o", help="Folder of the study; what is there is not made again.")],
    settings: Annotated[
        list[str] | None, typer.Option("--set", help="study.key=value in place of the file's; may be repeated.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option("--workers", help="Processes; 0: this one. Default: one a processor.")
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option("--scheduler", help="dask cluster that makes the runs: its address, or its file (.json)."),
    ] = None,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Make runs again that failed before.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, SI units.")] = False,
):
    """Make the runs of a study, and write OUT/study.nc with the chosen figures of each, and pictures.

    All scenarios are read before the first one runs. A failed run is listed, and the study continues. A second call
    on the same folder makes only the missing runs. Ctrl-C keeps finished runs. Exit code 2 where no run has figures.
    JSON keys: study, runs, complete, made_now, not_complete ([{run, values, status, message}]), seconds, files.
    """
    from flexwheel.run.progress import progress
    from flexwheel.studies.plan import read_study
    from flexwheel.studies.study_figures import draw_study
    from flexwheel.studies.study_keys import STUDY_NAME
    from flexwheel.studies.study_tables import plain_values, study_lines
    from flexwheel.studies.sweep_study import Workforce, require_some, sweep

    force = Workforce(workers, retry_failed, scheduler)
    read = read_study(study, settings or [])
    with progress("sweep", not quiet) as report:
        found = sweep(read, out, force, report)
    files = [f"{out}/{STUDY_NAME}", *(str(path) for path in draw_study(found, f"{out}/pictures"))]
    if as_json:
        print(json.dumps(plain_values(found) | {"files": files}, indent=1))
    elif not quiet:
        print("\n".join([*study_lines(found), *(f"file: {name}" for name in files)]))
    require_some(found)


COMMAND = Command("sweep", command, TOPIC, EXAMPLES)
