"""The command line: collects the commands of flexwheel/commands, one per file, and turns errors into one line."""

from __future__ import annotations

import importlib
import os
import pkgutil
import sys

import typer

from flexwheel import commands
from flexwheel.errors import FlexwheelError

EXIT_ERROR = 2
EXIT_INTERRUPTED = 130


def make_app():
    """Typer application with every command of flexwheel/commands.

    A module there gives a command by its function `command`; the module's name is the command's.
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
            app.command(name=module.name.replace("_", "-"))(loaded.command)
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


def main(arguments=None):
    """Run the command line; ends the process with 0, 2 for an error, or 130 after Ctrl-C."""
    try:
        code = make_app()(args=arguments, standalone_mode=False)
    except FlexwheelError as error:
        _fail(error, EXIT_ERROR)
    except KeyboardInterrupt:
        _fail("interrupted", EXIT_INTERRUPTED)
    except MemoryError:
        _fail("not enough memory", EXIT_ERROR)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(EXIT_ERROR)
    except Exception as error:
        if not hasattr(error, "format_message"):  # typer's usage errors have it, wherever typer keeps their class
            raise
        _fail(error.format_message(), EXIT_ERROR)
    if code == EXIT_INTERRUPTED:
        _fail("interrupted", EXIT_INTERRUPTED)
    if isinstance(code, int) and code:
        sys.exit(code)


def _fail(message, code):
    line = " ".join(str(message).split())
    print(f"flexwheel: {line}", file=sys.stderr)
    sys.exit(code)


if __name__ == "__main__":
    main()
