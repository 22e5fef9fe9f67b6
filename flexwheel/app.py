"""The application: the commands of this folder, one per file."""

import importlib
import pkgutil

import typer

from flexwheel import commands
from flexwheel.command_line.option_groups import spread


def make_app():
    """Typer application with every command of flexwheel/commands.

    A module there gives a command by its function `command`; the module's name is the command's. Options that it takes
    in groups become its own (command_line/option_groups.py).
    """
    app = typer.Typer(
        name="flexwheel",
        help="Dynamics of flexible railway wheelsets on flexible track.",
        pretty_exceptions_enable=False,
        add_completion=False,
        rich_markup_mode=None,
    )
    for module in sorted(pkgutil.iter_modules(commands.__path__), key=lambda item: item.name):
        if module.name.startswith("_"):
            continue
        loaded = importlib.import_module(f"{commands.__name__}.{module.name}")
        if hasattr(loaded, "command"):
            app.command(name=module.name.replace("_", "-"))(spread(loaded.command))
    app.callback(invoke_without_command=True)(_version)
    return app


def _version(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version and stop."),
):
    """Dynamics of flexible railway wheelsets on flexible track."""
    if version:
        import flexwheel

        typer.echo(f"flexwheel {flexwheel.__version__}")
        raise typer.Exit()
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit()
