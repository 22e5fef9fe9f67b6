"""A report as one HTML file that needs no network: template by jinja2, figures by plotly.js, both within the file."""

import base64
import json
import re
from pathlib import Path

import numpy as np
from matplotlib.colors import to_hex

from flexwheel.assess.figures.report_blocks import (
    Drawing,
    Listing,
    MovingPage,
    Plot,
    ReportPicture,
    Table,
    Text,
    require,
)
from flexwheel.assess.figures.report_language import GROUPS, Phrases
from flexwheel.assess.figures.style import COLOURS, STRETCHES, envelope
from flexwheel.base.errors import ScenarioError

POINTS = 3000  # of a curve: about three a pixel
SHARE = re.compile(r"\d+ %")
WORD = re.compile(r"\S{1,14}")  # not broken
NUMBER = re.compile(r"[-+]?[\d.]+(e[-+]?\d+)?( kN| MPa| m/s2)?|-")


def html_text(report, template=None):
    """The whole file (str) of a Report, in the look and language of a ReportTemplate.

    Raises
    ------
    FlexwheelError      where jinja2 or plotly is not installed, or the template's own page is wrong
    """
    require("jinja2"), require("plotly")
    import plotly
    from jinja2 import StrictUndefined, TemplateError
    from jinja2.sandbox import SandboxedEnvironment

    words = getattr(template, "phrases", None) or Phrases("en", *[{group: {} for group in GROUPS}] * 2)
    logo = getattr(template, "logo", ())
    script = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    figures = {}
    sections = [
        {"title": words(s.title), "name": s.name, "appendix": s.appendix,
         "blocks": [_block(b, figures, words) for b in s.blocks]}
        for s in report.sections
    ]  # fmt: skip
    environment = SandboxedEnvironment(autoescape=True, trim_blocks=True, undefined=StrictUndefined)
    own = getattr(template, "page", "")
    page = own or Path(__file__).with_name("report.html.j2").read_text(encoding="utf-8")
    try:
        return environment.from_string(page).render(
            report={"title": report.title, "lines": [words(line) for line in report.lines], "sections": sections},
            plotly=script.read_text(encoding="utf-8"),
            figures=json.dumps(figures, allow_nan=False).replace("</", "<\\/"),
            language=words.name, words=words, author=getattr(template, "author", ""),
            revision=getattr(template, "revision", ""), logo=_address(logo[1], logo[0]) if logo else "",
            style=getattr(template, "style", "").replace("</", ""),
        )  # fmt: skip
    except TemplateError as error:
        if not own:
            raise
        at = f":{error.lineno}" if getattr(error, "lineno", None) else ""
        raise ScenarioError(f"{template.place}: page{at}: {str(error).splitlines()[0]}") from None


def _block(block, figures, words):
    """What the template shows of a block."""
    kind = type(block).__name__
    if isinstance(block, Text):
        return {"kind": kind, "text": words(block.text), "look": block.look}
    if isinstance(block, Table):
        columns = [all(_look(cell) == "number" for cell in column) for column in zip(*block.rows, strict=True)]
        rows = [_row(row, words, columns) for row in block.rows]
        return {"kind": kind, "caption": words(block.caption), "head": [words(h) for h in block.head], "rows": rows}
    if isinstance(block, Listing):
        address = _address(block.text.encode(), "text/plain")
        return {"kind": kind, "name": block.name, "text": block.text, "address": address}
    if isinstance(block, ReportPicture):
        return {"kind": kind, "caption": words(block.caption, "cells"), "address": _address(block.png, "image/png")}
    if isinstance(block, MovingPage):
        return {"kind": kind} | vars(block)
    if isinstance(block, Drawing):
        return {"kind": kind, "caption": words(block.caption)} | _drawn(block)
    name = f"plot{len(figures) + 1}"
    figures[name] = figure(block, words)
    ranges = "; ".join(_range(curve, words) for curve in block.curves)
    alt = f"{words(block.title)}: {words(block.y)}; {words(block.x)}. {ranges}"
    return {"kind": kind, "name": name, "title": words(block.title), "alt": alt, "legend": _legend(block, words)}


def _row(row, words, numbers):
    """Cells in the language, each with its look; numbers: which columns hold nothing else."""
    cells = ((words(text, "cells"), _look(text), of) for text, of in zip(row, numbers, strict=True))
    return [(here, look if look and (of or look != "number") else "word" * bool(WORD.fullmatch(here)))
            for here, look, of in cells]  # fmt: skip


def _look(text):
    return "bar" if SHARE.fullmatch(text) else "number" if NUMBER.fullmatch(text) else "bad" * (text == "EXCEEDED")


def _range(curve, words):
    """Words for a curve that is not seen: its smallest and largest value."""
    known = np.asarray(curve.y, dtype=float)
    known = known[np.isfinite(known)]
    name = words(curve.name, "cells")
    return f"{name} {known.min():.4g} .. {known.max():.4g}" if known.size else name


def _legend(plot, words):
    """Name, colour and dashes of every curve and limit, beside the index of its trace."""
    rows, trace = [], 0
    for k, curve in enumerate(plot.curves):
        trace += curve.low is not None
        rows.append((words(curve.name, "cells") or words(plot.y), _colour(k), curve.wide, "", trace))
        trace += 1
    return rows + [(words(text), "#000000", False, "4 3", trace + k) for k, (text, _) in enumerate(plot.limits)]


def _colour(k):
    return to_hex(COLOURS[k % len(COLOURS)])


def _drawn(drawing):
    """A Drawing in the centimetres of its SVG, z down: frame, boxes, wheels, lines."""
    ends = [x for _, a, b, *_ in drawing.boxes for x in (a, b)] + [x + s * r for _, x, r in drawing.wheels
                                                                   for s in (-1.0, 1.0)]  # fmt: skip
    left, right = min(ends) - 0.5, max(ends) + 0.5
    top = max([z for *_, z in drawing.boxes] + [2.0 * r for *_, r in drawing.wheels]) + 0.3
    scale = lambda *values: [round(100.0 * float(v)) for v in values]  # noqa: E731
    boxes = [(name, *scale(a - left, top - high, b - a, high - low)) for name, a, b, low, high in drawing.boxes]
    wheels = [(name, *scale(x - left, top - r, r)) for name, x, r in drawing.wheels]
    lines = [scale(a - left, top - b, c - left, top - d) for a, b, c, d in drawing.elements]
    width, rail = scale(right - left, top)
    return {"width": width, "height": rail + 60, "rail": rail, "boxes": boxes, "wheels": wheels, "lines": lines}


def _address(data, kind):
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def figure(plot: Plot, words=lambda text, group="": text):
    """A plot as plotly.js takes it: data and layout; words: translates its labels."""
    data = []
    for k, curve in enumerate(plot.curves):
        colour = _colour(k)
        if curve.low is not None:
            x = np.concatenate([curve.x, curve.x[::-1]])
            y = np.concatenate([curve.high, curve.low[::-1]])
            known = np.isfinite(y)
            data.append({"x": _numbers(x[known]), "y": _numbers(y[known]), "fill": "toself", "fillcolor": colour + "40",
                         "line": {"width": 0}, "mode": "lines", "hoverinfo": "skip", "showlegend": False})  # fmt: skip
        x, y = envelope(curve.x, curve.y, POINTS)
        mode = "lines+markers" if curve.dots else "lines"
        name = words(curve.name, "cells")
        data.append({"x": _numbers(x), "y": _numbers(y), "name": name, "mode": mode, "marker": {"size": 5},
                     "line": {"color": colour, "width": 3.5 if curve.wide else 1.4}})  # fmt: skip
    for text, value in plot.limits:
        ends = [float(plot.curves[0].x[0]), float(plot.curves[0].x[-1])]
        data.append({"x": ends, "y": [value, value], "name": words(text), "mode": "lines",
                     "line": {"color": "black", "dash": "dash", "width": 1}})  # fmt: skip
    shapes = [
        {"type": "rect", "x0": a, "x1": b, "y0": 0, "y1": 1, "yref": "paper", "fillcolor": STRETCHES[kind],
         "layer": "below", "line": {"width": 0}}
        for kind, a, b in plot.stretches
    ]  # fmt: skip
    marks = [
        {"x": _middle(a, b, plot.log_x), "y": 1, "yref": "paper", "yanchor": "bottom", "text": words(kind),
         "showarrow": False, "font": {"size": 10, "color": "#555"}}
        for kind, a, b in plot.stretches if b - a > 0.08 * (plot.stretches[-1][2] - plot.stretches[0][1])
    ]  # fmt: skip
    axis = {"showline": True, "linecolor": "#888", "gridcolor": "#e4e4e4", "zeroline": False, "automargin": True}
    places = [digit * 10.0**power for power in range(-12, 13) for digit in (1, 2, 5)]
    ticks = {"type": "log", "tickmode": "array", "tickvals": places, "ticktext": [f"{place:g}" for place in places]}
    scale = lambda log: ticks if log else {}  # noqa: E731
    layout = {
        "xaxis": axis | scale(plot.log_x) | {"title": {"text": words(plot.x)}},
        "yaxis": axis | scale(plot.log_y) | {"title": {"text": words(plot.y)}, "exponentformat": "power"},
        "shapes": shapes, "annotations": marks, "plot_bgcolor": "white", "showlegend": False,
        "margin": {"l": 70, "r": 20, "t": 44 if marks else 24, "b": 50},  # the bar of buttons above names of stretches
        "hovermode": "x" if plot.log_x else "closest",
    }  # fmt: skip
    return {"data": data, "layout": layout}


def _middle(a, b, log):
    """Place of an annotation between two values of an axis, as plotly.js wants it."""
    return 0.5 * float(np.log10(a * b)) if log else 0.5 * (a + b)


def _numbers(values):
    """Numbers to six digits; null where there is none."""
    return [float(f"{v:.6g}") if np.isfinite(v) else None for v in np.asarray(values, dtype=float)]
