"""A report as one HTML file that needs no network: template by jinja2, figures by plotly.js, both within the file."""

import base64
import json
import re
from pathlib import Path

import numpy as np
from matplotlib.colors import to_hex

from flexwheel.assess.figures.report_blocks import Listing, Plot, ReportPicture, Table, Text, require
from flexwheel.assess.figures.style import COLOURS, STRETCHES, envelope

POINTS = 3000  # of a curve: about three a pixel
NUMBER = re.compile(r"[-+]?[\d.]+(e[-+]?\d+)?|-")


def html_text(report):
    """The whole file (str) of a Report.

    Raises
    ------
    FlexwheelError      where jinja2 or plotly is not installed
    """
    require("jinja2"), require("plotly")
    import jinja2
    import plotly

    script = Path(plotly.__file__).parent / "package_data" / "plotly.min.js"
    figures = {}
    sections = [{"title": s.title, "blocks": [_block(b, figures) for b in s.blocks]} for s in report.sections]
    environment = jinja2.Environment(autoescape=True, trim_blocks=True, undefined=jinja2.StrictUndefined)
    template = environment.from_string(Path(__file__).with_name("report.html.j2").read_text(encoding="utf-8"))
    return template.render(
        report={"title": report.title, "lines": report.lines, "sections": sections},
        plotly=script.read_text(encoding="utf-8"),
        figures=json.dumps(figures, allow_nan=False).replace("</", "<\\/"),
    )


def _block(block, figures):
    """What the template shows of a block."""
    kind = type(block).__name__
    if isinstance(block, Text):
        return {"kind": kind, "text": block.text}
    if isinstance(block, Table):
        return {"kind": kind, "caption": block.caption, "head": block.head, "rows": [_row(row) for row in block.rows]}
    if isinstance(block, Listing):
        return {
            "kind": kind,
            "name": block.name,
            "text": block.text,
            "address": _address(block.text.encode(), "text/plain"),
        }
    if isinstance(block, ReportPicture):
        return {"kind": kind, "caption": block.caption, "address": _address(block.png, "image/png")}
    name = f"plot{len(figures) + 1}"
    figures[name] = figure(block)
    return {"kind": kind, "name": name}


def _row(row):
    return [(text, "number" if NUMBER.fullmatch(text) else "bad" if text == "EXCEEDED" else "") for text in row]


def _address(data, kind):
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"


def figure(plot: Plot):
    """A plot as plotly.js takes it: data and layout."""
    data = []
    for k, curve in enumerate(plot.curves):
        colour = to_hex(COLOURS[k % len(COLOURS)])
        if curve.low is not None:
            x = np.concatenate([curve.x, curve.x[::-1]])
            y = np.concatenate([curve.high, curve.low[::-1]])
            known = np.isfinite(y)
            data.append({"x": _numbers(x[known]), "y": _numbers(y[known]), "fill": "toself", "fillcolor": colour + "40",
                         "line": {"width": 0}, "mode": "lines", "hoverinfo": "skip", "showlegend": False})  # fmt: skip
        x, y = envelope(curve.x, curve.y, POINTS)
        mode = "lines+markers" if curve.dots else "lines"
        data.append({"x": _numbers(x), "y": _numbers(y), "name": curve.name, "mode": mode, "marker": {"size": 5},
                     "line": {"color": colour, "width": 3.5 if curve.wide else 1.4}})  # fmt: skip
    for text, value in plot.limits:
        ends = [float(plot.curves[0].x[0]), float(plot.curves[0].x[-1])]
        data.append({"x": ends, "y": [value, value], "name": text, "mode": "lines",
                     "line": {"color": "black", "dash": "dash", "width": 1}})  # fmt: skip
    shapes = [
        {"type": "rect", "x0": a, "x1": b, "y0": 0, "y1": 1, "yref": "paper", "fillcolor": STRETCHES[kind],
         "layer": "below", "line": {"width": 0}}
        for kind, a, b in plot.stretches
    ]  # fmt: skip
    words = [
        {"x": _middle(a, b, plot.log_x), "y": 1, "yref": "paper", "yanchor": "bottom", "text": kind, "showarrow": False,
         "font": {"size": 10, "color": "#555"}}
        for kind, a, b in plot.stretches if b - a > 0.08 * (plot.stretches[-1][2] - plot.stretches[0][1])
    ]  # fmt: skip
    axis = {"showline": True, "linecolor": "#888", "gridcolor": "#e4e4e4", "zeroline": False, "automargin": True}
    places = [digit * 10.0**power for power in range(-12, 13) for digit in (1, 2, 5)]
    ticks = {"type": "log", "tickmode": "array", "tickvals": places, "ticktext": [f"{place:g}" for place in places]}
    scale = lambda log: ticks if log else {}  # noqa: E731
    layout = {
        "title": {"text": plot.title, "font": {"size": 15}, "x": 0, "xref": "paper"},
        "xaxis": axis | scale(plot.log_x) | {"title": {"text": plot.x}},
        "yaxis": axis | scale(plot.log_y) | {"title": {"text": plot.y}, "exponentformat": "power"},
        "shapes": shapes, "annotations": words, "plot_bgcolor": "white", "showlegend": True,
        "legend": {"orientation": "h", "y": -0.2, "yanchor": "top"}, "margin": {"l": 70, "r": 20, "t": 60, "b": 60},
        "hovermode": "x" if plot.log_x else "closest",
    }  # fmt: skip
    return {"data": data, "layout": layout}


def _middle(a, b, log):
    """Place of an annotation between two values of an axis, as plotly.js wants it."""
    return 0.5 * float(np.log10(a * b)) if log else 0.5 * (a + b)


def _numbers(values):
    """Numbers to six digits; null where there is none."""
    return [float(f"{v:.6g}") if np.isfinite(v) else None for v in np.asarray(values, dtype=float)]
