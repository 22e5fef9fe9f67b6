"""The application: every command that is declared."""

import typer

from flexwheel.base.command import COMMANDS
from flexwheel.face.command.help_page import HELP_ALL, WIDTH, HelpCommand, HelpGroup, with_common_options
from flexwheel.face.command.option_groups import spread

HELP = """Dynamics of flexible railway wheelsets on flexible track.

`flexwheel COMMAND --help` shows options and examples of a command. --json prints SI units, --quiet nothing but errors.

Exit codes: 0 done, 2 one line says what is wrong, 130 Ctrl-C, 143 SIGTERM, 129 SIGHUP, 1 an error of the program.

Commands and options completed by the shell: flexwheel --install-completion
"""


def make_app():
    """Typer application with every command of flexwheel.base.command.COMMANDS.

    Options that a command takes in groups become its own (face/command/option_groups.py).
    """
    app = typer.Typer(
        name="flexwheel", help=HELP, cls=HelpGroup, pretty_exceptions_enable=False, rich_markup_mode=None,
        context_settings={"max_content_width": WIDTH},
    )  # fmt: skip
    for each in COMMANDS.values():
        kind = type(HelpCommand.__name__, (HelpCommand,), {"topic": each.topic, "rare": each.rare})
        command = with_common_options(spread(each.function), each.rare)
        app.command(name=each.name, cls=kind, epilog="\n".join(each.examples))(command)
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
