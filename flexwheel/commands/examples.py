"""flexwheel examples: list the examples, or copy them with the files they need."""

from pathlib import Path
from typing import Annotated

import typer


def command(
    name: Annotated[str, typer.Argument(help="Example to copy; without it all are listed.")] = "",
    to: Annotated[
        Path | None, typer.Option("--to", help="Folder that takes the copy, without NAME of all; made where missing.")
    ] = None,
):
    """List the examples, or copy one (with --to alone: all) with the meshes, tables and parts it needs.

    Files keep their places below the folder: examples/NAME.toml, meshes/, track/.

    Example:  flexwheel examples as4_curve --to work
    """
    from flexwheel.io.example_files import copy_example, example_titles

    if not name and to is None:
        for example, title in example_titles().items():
            print(f"{example:26s} {title}")
        print("copy one with: flexwheel examples NAME --to DIR")
        return
    copied = {}
    for example in [name] if name else example_titles():
        scenario, others = copy_example(example, to or Path())
        copied |= dict.fromkeys((*others, scenario))
    for path in copied:
        print(f"copied {path}")
    if name:
        run = f"flexwheel run {scenario} --out out/{scenario.stem}"
        print(f"run it: {f'python {scenario}' if scenario.suffix == '.py' else run}")
