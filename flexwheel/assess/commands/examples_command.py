"""flexwheel examples: list the examples, or copy them with the files they need."""

import json
import shlex
from pathlib import Path
from typing import Annotated

import typer

from flexwheel.base.command import Command

TOPIC = "run"
EXAMPLES = (
    "flexwheel examples",
    "flexwheel examples as4_curve --to work",
)


def command(
    name: Annotated[str, typer.Argument(help="Example to copy; without it all are listed.")] = "",
    to: Annotated[Path | None, typer.Option("--to", help="Folder for the copy; without NAME all are copied.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
):
    """List the examples, or copy one (with --to alone: all) with the meshes, tables and parts it needs.

    Files keep their folders: examples/NAME.toml, meshes/, track/. JSON: {name: title}; of copies
    {copied (files), run (command)}.
    """
    from flexwheel.assess.example_files import copy_example, example_titles

    if not name and to is None and as_json:
        print(json.dumps(example_titles()))
        return
    if not name and to is None:
        for example, title in example_titles().items():
            print(f"{example:28s} {title}")
        print("copy one with: flexwheel examples NAME --to DIR")
        return
    copied = {}
    for example in [name] if name else example_titles():
        scenario, others = copy_example(example, to or Path())
        copied |= dict.fromkeys((*others, scenario))
    verb = "sweep" if scenario.parent.name == "studies" else "run"
    named = shlex.quote(str(scenario))
    run = f"flexwheel {verb} {named} --out out/{scenario.stem}" if scenario.suffix != ".py" else f"python {named}"
    if as_json:
        print(json.dumps({"copied": [str(path) for path in copied], "run": run if name else None}))
        return
    for path in copied:
        print(f"copied {path}")
    if name:
        print(f"run it: {run}")


COMMAND = Command("examples", command, TOPIC, EXAMPLES)
