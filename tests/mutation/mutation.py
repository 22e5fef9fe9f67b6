"""One mutation of the package, and its place in the source: text that stands exactly once in a named function."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path


class MutationError(Exception):
    """A mutation that no longer fits the source, or a run that shows nothing."""


@dataclass(frozen=True)
class Mutation:
    """A sign flip or a dropped term.

    name : str              of the list, for --only
    file : str              under flexwheel/
    function : str          name in that file, methods as Class.method; "" for the file's own statements
    before, after : str     text that stands once in the function, and what takes its place
    breaks : str            what is then wrong, in words of physics
    killers : tuple of str  arguments of pytest, under tests/, that must fail
    """

    name: str
    file: str
    function: str
    before: str
    after: str
    breaks: str
    killers: tuple[str, ...]

    @property
    def room(self):
        """First folder of the file."""
        return self.file.split("/")[0]

    def applied(self, package: Path) -> str:
        """Text of the mutated file.

        Raises
        ------
        MutationError    the file, the function or the text is not there, or the text stands there more than once
        """
        path = package / self.file
        if not path.is_file():
            raise MutationError(f"{self.name}: no file flexwheel/{self.file}")
        text = path.read_text(encoding="utf-8")
        first, last = _lines(text, self.function, f"{self.name}: flexwheel/{self.file}")
        lines = text.splitlines(keepends=True)
        inside = "".join(lines[first:last])
        count = inside.count(self.before)
        if count != 1 or self.before == self.after:
            where = f"in {self.function}" if self.function else "in the file"
            raise MutationError(
                f"{self.name}: flexwheel/{self.file}: {self.before!r} stands {count} times {where}; expected once, and "
                "another text in its place"
            )
        changed = "".join(lines[:first]) + inside.replace(self.before, self.after) + "".join(lines[last:])
        try:
            ast.parse(changed)
        except SyntaxError as error:
            raise MutationError(f"{self.name}: flexwheel/{self.file}: no Python after the change: {error}") from None
        return changed


def _lines(text, function, where):
    """First line and the one after the last of a function, counted from 0."""
    if not function:
        return 0, len(text.splitlines())
    body = ast.parse(text).body
    for name in function.split("."):
        found = [node for node in body if getattr(node, "name", None) == name]
        if len(found) != 1:
            raise MutationError(f"{where}: {len(found)} functions {function}; expected one")
        body = found[0].body
    return found[0].lineno - 1, found[0].end_lineno
