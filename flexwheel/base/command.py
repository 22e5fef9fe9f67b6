"""What a command of the command line is: a function, whose signature gives arguments and options, and its help.

A command from outside is an entry point in the group "flexwheel.commands".
"""

from collections.abc import Callable
from dataclasses import dataclass

from flexwheel.base.registry import Registry


@dataclass(frozen=True)
class Command:
    """A command; the docstring of its function is its help."""

    name: str
    function: Callable
    topic: str = ""  # heading under which `flexwheel --help` lists it
    examples: tuple[str, ...] = ()
    rare: tuple[str, ...] = ()  # options that only --help-all shows


COMMANDS = Registry("command", "flexwheel.commands", Command)
