"""The application: the commands of this folder, one per file."""

import importlib
import pkgutil

import typer

from flexwheel import commands
from flexwheel.command_line.help_page import HELP_ALL, WIDTH, HelpCommand, HelpGroup, with_common_options
from flexwheel.command_line.option_groups import spread

HELP = """Dynamics of flexible railway wheelsets on flexible track.

`flexwheel COMMAND --help` shows options and examples of a command. --json prints SI units, --quiet nothing but errors.

Exit codes: 0 done, 2 one line says what is wrong, 130 Ctrl-C, 143 SIGTERM, 129 SIGHUP, 1 a mistake of the program.

Commands and options completed by the shell: flexwheel --install-completion
"""


def make_app():
    """Typer application with every command of flexwheel/commands.

    A module there gives a command by its function `command`; the module's name is the command's. Options that it takes
    in groups become its own (command_line/option_groups.py). TOPIC and EXAMPLES: command_line/help_page.py.
    """
    app = typer.Typer(
        name="flexwheel", help=HELP, cls=HelpGroup, pretty_exceptions_enable=False, rich_markup_mode=None,
        context_settings={"max_content_width": WIDTH},
    )  # fmt: skip
    for module in sorted(pkgutil.iter_modules(commands.__path__), key=lambda item: item.name):
        if module.name.startswith("_"):
            continue
        loaded = importlib.import_module(f"{commands.__name__}.{module.name}")
        if hasattr(loaded, "command"):
            name, examples = module.name.replace("_", "-"), "\n".join(getattr(loaded, "EXAMPLES", ()))
            rare = getattr(loaded, "RARE", ())
            kind = type(HelpCommand.__name__, (HelpCommand,), {"topic": getattr(loaded, "TOPIC", ""), "rare": rare})
            command = with_common_options(spread(loaded.command), rare)
            app.command(name=name, cls=kind, epilog=examples)(command)
    app.callback(invoke_without_command=True)(_version)
    return app


def _version(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version and stop."),
    help_all: HELP_ALL = False,
):
    """Dynamics of flexible railway wheelsets on flexible track."""
    if version:
        import flexwheel

        typer.echo(f"flexwheel {flexwheel.__version__}")
        raise typer.Exit()
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
        raise typer.Exit()
