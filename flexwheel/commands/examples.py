"""flexwheel examples: list the example scenarios, or copy one with the files it needs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    name: Annotated[str, typer.Argument(help="Example to copy; without it all are listed.")] = "",
    to: Annotated[Path, typer.Option("--to", help="Folder that takes the copy; made where it is missing.")] = Path(),
):
    """List the example scenarios, or copy one with the meshes, tables and parts it needs.

    Files keep their places below the folder: examples/NAME.toml, meshes/, track/.

    Example:  flexwheel examples as4_curve --to work
    """
    from flexwheel.io.example_files import copy_example, example_titles

    if not name:
        for example, title in example_titles().items():
            print(f"{example:26s} {title}")
        print("copy one with: flexwheel examples NAME --to DIR")
        return
    scenario, others = copy_example(name, to)
    for path in others:
        print(f"copied {path}")
    print(f"copied {scenario}\nrun it: flexwheel run {scenario} --out out/{scenario.stem}")
