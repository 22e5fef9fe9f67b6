"""flexwheel schema: the JSON schema of scenarios, for editors."""

from typing import Annotated

import typer

from flexwheel.base.command import Command

TOPIC = "run"
EXAMPLES = ("flexwheel schema --out schema.json",)


def command(
    out: Annotated[str | None, typer.Option("--out", "-o", help="Write it to this file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="No effect: the schema is JSON.")] = False,
):
    """Print the JSON schema of scenarios of every kind: keys, units, ranges, defaults, what each means.

    An editor with a TOML language server (taplo, Even Better TOML) completes and checks a scenario whose first line is
    `#:schema PATH_OF_THE_SCHEMA`.
    """
    from flexwheel.assess.commands.mesh_options import write_text
    from flexwheel.run.keys.schema import schema_text

    write_text(schema_text(), out)


COMMAND = Command("schema", command, TOPIC, EXAMPLES)
