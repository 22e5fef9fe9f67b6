"""What a notebook shows: figures as pictures, pages that move, tables and drawings in HTML."""

from __future__ import annotations

import html
import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from flexwheel.base.errors import ScenarioError
from flexwheel.base.output_files import write_whole


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


@dataclass(frozen=True)
class Shown:
    """A page that moves in a notebook, and a picture for where it cannot: a notebook not trusted, a web site, paper.

    Example
    -------
    >>> results.fw.view(time_s=3.4)
    """

    png: bytes = field(repr=False)  # b"" where this machine draws none
    page: str = field(default="", repr=False)  # HTML, or ""
    path: Path | None = None  # of the file, which a notebook then links in place of holding the page

    def save(self, path: str | Path) -> Path:
        """Write the page (.html) or the picture (.png); returns the path.

        Example
        -------
        >>> results.fw.view().save("deformed.png")
        """
        path, suffix = Path(path), Path(path).suffix.lower()
        octets = {".html": self.page.encode(), ".png": self.png}.get(suffix, b"")
        if not octets:
            there = [name for name, kept in ((".html", self.page), (".png", self.png)) if kept]
            raise ScenarioError(f"{path}: the suffix must be {' or '.join(there)}, got {suffix!r}")
        write_whole(path, lambda target: target.write_bytes(octets))
        return path

    def _repr_png_(self) -> bytes | None:
        return self.png or None

    def _repr_html_(self) -> str | None:
        if not self.page:
            return None
        source = f'srcdoc="{html.escape(self.page)}"'
        if self.path is not None:
            source = f'src="{html.escape(self.path.as_posix())}"'
        return f'<iframe {source} style="width: 100%; height: 640px; border: 0"></iframe>'


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
