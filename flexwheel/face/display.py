"""How objects of the face show themselves in a notebook: tables and drawings in HTML, figures as pictures."""

from __future__ import annotations

import html
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Picture:
    """A figure that a notebook shows and that `save` writes.

    Example
    -------
    >>> results.fw.plot.forces().save("forces.png")
    """

    figure: Any  # matplotlib.figure.Figure
    footer: str = ""  # line below it

    def save(self, path: str | Path) -> Path:
        """Write it as PNG, SVG or PDF, by the ending of its name; returns the path.

        Example
        -------
        >>> results.fw.plot.safety().save("safety.svg")
        """
        from flexwheel.assess.figures.style import save_figure

        return Path(save_figure(self.figure, Path(path), footer=self.footer))

    def _repr_png_(self) -> bytes:
        from flexwheel.assess.figures.style import finish_figure

        finish_figure(self.figure, self.footer)
        stream = io.BytesIO()
        self.figure.savefig(stream, format="png", dpi=100)
        return stream.getvalue()


def svg_of(figure: Any) -> str:
    """SVG element of a figure."""
    stream = io.StringIO()
    figure.savefig(stream, format="svg")
    text = stream.getvalue()
    return text[text.index("<svg") :]


def html_table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """HTML table of a head and rows."""
    top = "".join(f"<th>{html.escape(head)}</th>" for head in heads)
    body = "".join(f"<tr>{''.join(f'<td>{html.escape(_text(x))}</td>' for x in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def html_page(title: str, words: str, *parts: str) -> str:
    """A title, a line and parts of HTML below it."""
    return f"<div><b>{html.escape(title)}</b> {html.escape(words)}{''.join(parts)}</div>"


def _text(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
