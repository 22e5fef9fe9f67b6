"""Help of a command that fits a screen: what is used often, examples, the rest by --help-all.

A command's module says beside `command` what it is for: TOPIC, one of TOPICS; EXAMPLES, lines as one types them; and,
where --help would not fit, RARE, the options that stand in --help-all only.
"""

import contextlib
import functools
import inspect
import os
import textwrap
from typing import Annotated

import typer
from typer.core import TyperCommand, TyperGroup

ALL = "flexwheel.help_all"  # key of what a context remembers
WIDTH = 100  # [characters] of a line of help at most, on a terminal that is wide enough
TOPICS = (
    ("run", "run scenarios"),
    ("judge", "judge a run"),
    ("linear", "linear, without a time step"),
    ("mesh", "meshes and strength"),
    ("contact", "wheel-rail contact"),
    ("realtime", "real time and export"),
    ("check", "verification"),
)
"""Topic -> heading, in the order of the help."""


class HelpCommand(TyperCommand):
    """A command whose --help leaves out rare options and ends with examples."""

    topic, rare = "", ()

    def format_options(self, ctx, formatter):
        """Arguments and options, rare ones only where all are asked for."""
        whole = ctx.meta.get(ALL, False)
        rows = {"argument": [], "option": []}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is None:
                continue
            if whole or not set(parameter.opts) & set(self.rare):
                rows[parameter.param_type_name].append(record)
        for kind, title in (("argument", "Arguments"), ("option", "Options")):
            if rows[kind]:
                with formatter.section(title):
                    formatter.write_dl(rows[kind])
        if self.rare and not whole:
            formatter.write(f"\n{len(self.rare)} more options: {ctx.command_path} --help-all\n")

    def format_epilog(self, ctx, formatter):
        """Examples, a line each."""
        if self.epilog:
            with formatter.section("Examples"):
                for line in self.epilog.splitlines():
                    formatter.write(f"  {line}\n")


class HelpGroup(TyperGroup):
    """The application: its commands by topic; with --help-all each with a line of its own."""

    def format_options(self, ctx, formatter):
        """Options but for those of completion, which the text names; commands."""
        said = ("install_completion", "show_completion")
        records = [p.get_help_record(ctx) for p in self.get_params(ctx) if p.name not in said]
        with formatter.section("Options"):
            formatter.write_dl([record for record in records if record])
        self.format_commands(ctx, formatter)

    def format_commands(self, ctx, formatter):
        """Names by topic, or a line for each."""
        if ctx.meta.get(ALL, False):
            super().format_commands(ctx, formatter)
            return
        headings = dict(TOPICS)
        found = {heading: [] for heading in (*headings.values(), "other")}
        for name in self.list_commands(ctx):
            found[headings.get(getattr(self.get_command(ctx, name), "topic", ""), "other")].append(name)
        with formatter.section("Commands"):
            column = 2 + max(map(len, found))
            for heading, names in found.items():
                rows = textwrap.wrap(", ".join(names), formatter.width - column - 2, break_on_hyphens=False)
                for first, row in zip((heading, *[""] * len(rows)), rows, strict=False):
                    formatter.write(f"  {first:{column}s}{row}\n")


def show_all(context: typer.Context, value: bool):
    """Callback of the option --help-all: print the help with every option and end."""
    if value and not context.resilient_parsing:
        context.meta[ALL] = True
        typer.echo(context.get_help())
        raise typer.Exit()


def _help_all(hidden):
    option = typer.Option(
        "--help-all", help="Show every option and exit.", is_eager=True, callback=show_all, hidden=hidden
    )
    return Annotated[bool, option]


HELP_ALL = _help_all(hidden=False)


def with_common_options(command, rare=()):
    """The command with --quiet where it has none of its own, and --help-all, shown where --help leaves something out.

    Quiet, only errors and what --json asks for are printed.
    """
    signature = inspect.signature(command)
    own = list(signature.parameters.values())
    added = []
    if "quiet" not in signature.parameters:
        hint = Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing but errors.")]
        added.append(("quiet", hint))
    added.append(("help_all", _help_all(hidden=not rare)))

    @functools.wraps(command)
    def whole(**given):
        given.pop("help_all", None)
        if "quiet" in signature.parameters or not given.pop("quiet", False):
            return command(**given)
        from flexwheel.run.progress import silent

        with contextlib.ExitStack() as stack:
            stack.enter_context(silent())
            if not given.get("as_json"):
                nothing = stack.enter_context(open(os.devnull, "w", encoding="utf-8"))
                stack.enter_context(contextlib.redirect_stdout(nothing))
            return command(**given)

    only = inspect.Parameter.KEYWORD_ONLY
    extra = [inspect.Parameter(name, only, default=False, annotation=hint) for name, hint in added]
    whole.__signature__ = inspect.Signature([*(p.replace(kind=only) for p in own), *extra])
    whole.__annotations__ = {**command.__annotations__, **dict(added)}
    return whole
