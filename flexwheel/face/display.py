"""How objects of the face show themselves: a line of text, and in a notebook tables and drawings below it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flexwheel.assess.figures.notebook_pages import html_page


def counted(number: int, one: str, more: str) -> str:
    """Number and noun: 1 body, 2 bodies."""
    return f"{number} {one if number == 1 else more}"


class Displayed:
    """An object that shows itself: in a line of text, and in a notebook as that line with tables and drawings."""

    def _head(self) -> tuple[str, str]:
        """What it is, and how much of what: at no cost."""
        raise NotImplementedError

    def _parts(self) -> Iterable[str]:
        """HTML below the line."""
        return ()

    def __repr__(self) -> str:
        title, words = self._head()
        return f"<{type(self).__name__} {title}: {words}>"

    def _repr_html_(self) -> str:
        title, words = self._head()
        return html_page(f"{type(self).__name__} {title}", words, *self._parts())


class OfSection(Displayed):
    """One that is a section of a scenario."""

    section: Any

    def table(self) -> dict[str, Any]:
        """The section of a scenario with it.

        Example
        -------
        >>> scenario.changed({"track": fw.Scenario.example("manchester_s_curve").track})
        """
        return self.section.model_dump(mode="json", exclude_unset=True, exclude_none=True)
