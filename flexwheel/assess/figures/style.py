"""One look for all figures."""

import tomllib
import zlib
from contextlib import suppress
from datetime import date
from pathlib import Path

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import LogFormatter

import flexwheel
from flexwheel.base.errors import ScenarioError
from flexwheel.base.kind import KINDS
from flexwheel.base.output_files import write_whole

WIDTH, HEIGHT = 10.0, 5.6  # [inch]
PAPER_COLOURS = ("black", "tab:red", "tab:green", "tab:blue")  # paper 004, figures 17 and 18
COLOURS = ("tab:blue", "tab:orange", "tab:green", "tab:red", "tab:purple", "tab:brown", "tab:gray", "tab:olive")
STRETCHES = {"straight": "#ffffff", "transition": "#fdf3dd", "arc": "#e3eef9", "not valid": "#e4e4e4"}
"""Shades by kind behind curves: of the track's stretches, of bands in which spectra do not hold."""
MAX_POINTS = 5_000
"""Of a curve: two for each of the 1,300 pixels of a picture's width, twice."""
PNG = {"compress_level": 1, "compress_type": zlib.Z_RLE}
"""How pictures are compressed: as runs of equal octets, two thirds of the time of a search for repeated ones."""

LEGEND_ROOM, HANDLE = 150, 5
"""Of a legend at 8 pt over WIDTH, and of a line with its gap in it [letters]."""


class PlainLog(LogFormatter):
    """Ticks of a logarithmic axis as decimal numbers."""

    def __call__(self, x, pos=None):
        """The number where the scale has room for it."""
        return f"{x:g}" if super().__call__(x, pos) else ""


def new_figure(rows=1, title="", height=HEIGHT, columns=1, share_x=True):
    """Figure and its axes, list of rows x columns, drawn without a display."""
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    axes = figure.subplots(rows, columns, sharex=share_x, squeeze=False).ravel().tolist()
    for axis in axes:
        axis.grid(True, linewidth=0.4, alpha=0.5)
        axis.tick_params(labelsize=9)
    if title:
        figure.suptitle(title, fontsize=11)
    return figure, axes


def label(axis, x=None, y=None, legend=True):
    """Axis labels, and a legend above the axis: one line, or as many as keep it within the figure."""
    if x:
        axis.set_xlabel(x, fontsize=9)
    if y:
        axis.set_ylabel(y, fontsize=9)
    for scale, side in ((axis.get_xscale(), axis.xaxis), (axis.get_yscale(), axis.yaxis)):
        if scale == "log":  # 0.6 in place of 6 x 10^-1
            side.set_minor_formatter(PlainLog(labelOnlyBase=False, minor_thresholds=(1.5, 0.4)))
            if np.ptp(np.log10(side.get_view_interval())) < 5.0:
                side.set_major_formatter("{x:g}")
    if legend and axis.get_legend_handles_labels()[0]:
        columns = _columns(axis.get_legend_handles_labels()[1])
        look = dict(fontsize=8, frameon=False, borderpad=0.2)
        legend = axis.legend(loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=columns, **look)
        for line in legend.get_lines():  # a thin curve's colour is to be told as well
            line.set_linewidth(max(line.get_linewidth(), 1.6))


def _columns(texts, most=6):
    """Columns of a legend at most LEGEND_ROOM wide: of its fewest rows the fewest, the first ones one entry longer."""
    for columns in range(min(len(texts), most), 1, -1):
        widest = [max(map(len, part)) for part in np.array_split(texts, columns)]
        if sum(widest) + HANDLE * columns <= LEGEND_ROOM:
            return -(-len(texts) // -(-len(texts) // columns))
    return 1


def envelope(x, y, most=MAX_POINTS):
    """A curve with few enough points to draw: of every stretch its lowest and its highest sample, in their order.

    Parameters
    ----------
    x, y : (T,) float       y may hold nan
    most : int

    Returns
    -------
    x, y : (n,) float       n <= most, the samples themselves where there are no more; every peak is among them
    """
    x, y = np.asarray(x), np.asarray(y, dtype=float)
    if len(y) <= most:
        return x, y
    size = int(np.ceil(len(y) / (most // 2 - 1)))
    whole = len(y) // size * size
    rows = np.arange(whole).reshape(-1, size)
    pieces = y[:whole].reshape(-1, size)
    lowest = np.where(np.isnan(pieces), np.inf, pieces).argmin(axis=1)
    highest = np.where(np.isnan(pieces), -np.inf, pieces).argmax(axis=1)
    ends = np.sort(np.stack([lowest, highest], axis=1), axis=1)
    chosen = np.take_along_axis(rows, ends, axis=1).ravel()
    rest = np.arange(whole, len(y))
    if len(rest):
        part = y[rest]
        ends = (np.where(np.isnan(part), np.inf, part).argmin(), np.where(np.isnan(part), -np.inf, part).argmax())
        chosen = np.concatenate([chosen, rest[np.sort(ends)]])
    return x[chosen], y[chosen]


def footer_of(attributes):
    """Line below a picture from the attributes of results: title, vehicle, speed, date and version.

    The date is today's and the version this one's where the attributes, {} for a picture of no results, have none.
    """
    parts = [str(attributes.get("vehicle", ""))]
    with suppress(tomllib.TOMLDecodeError, KeyError, TypeError, ValueError):  # results without a scenario, or its speed
        kind = attributes.get("kind")
        if kind not in KINDS or KINDS[kind].constant_speed:
            parts.append(speed_words(tomllib.loads(str(attributes["scenario"]))["run"]))
    made = str(attributes.get("date_created", date.today().isoformat()))[:10]
    version = str(attributes.get("source", f"flexwheel {flexwheel.__version__}"))
    return "; ".join(filter(None, (str(attributes.get("title", "")), ", ".join(filter(None, parts)), made, version)))


def speed_words(run):
    """Speed of the section [run] of results, "80 km/h", or of its profile, "60-80 km/h"."""
    speeds = [run["speed_kmh"], *(kmh for _, kmh in run.get("speed_profile_s_kmh", ()))]
    return "-".join(f"{kmh:g}" for kmh in sorted({min(speeds), max(speeds)})) + " km/h"


def save_figure(figure, path, dots_per_inch=130, footer=None):
    """Write a figure as PNG (or by the path's ending), whole or not at all; returns the path.

    footer: line below it; date and version by default, "" for none
    """
    finish_figure(figure, footer_of({}) if footer is None else footer)
    known, suffix = sorted(figure.canvas.get_supported_filetypes()), Path(path).suffix
    if suffix[1:].lower() not in known:
        raise ScenarioError(f"{path}: the suffix must be one of .{', .'.join(known)}, got {suffix!r}")
    if Path(path).suffix == ".png":  # savefig draws a figure once more, to lay it out
        figure.set_dpi(dots_per_inch)
        canvas = FigureCanvasAgg(figure)
        write_whole(path, lambda target: canvas.print_png(target, pil_kwargs=dict(PNG)))
    else:
        write_whole(path, lambda target: figure.savefig(target, dpi=dots_per_inch))
    return path


def save_figures(figures, folder, attributes):
    """Write figures, file name -> figure, into a folder, with the footer of results' attributes; returns the paths."""
    footer = footer_of(attributes)
    return [save_figure(figure, Path(folder) / name, footer=footer) for name, figure in figures.items()]


def finish_figure(figure, footer=""):
    """Put a line below a figure, and show its names letter by letter."""
    if footer:
        figure.supxlabel(footer, x=0.01, ha="left", fontsize=7, color="0.4")
    names_are_no_formulas(figure)


def names_are_no_formulas(figure):
    """Titles, labels and legends are shown letter by letter: a `$` in a name begins no formula."""
    texts = [text for text in (figure._suptitle, figure._supxlabel) if text is not None]
    for axis in figure.axes:
        texts += [axis.title, axis._left_title, axis._right_title, axis.xaxis.label, axis.yaxis.label, *axis.texts]
        texts += axis.get_legend().get_texts() if axis.get_legend() is not None else []
    for text in texts:
        text.set_parse_math(False)


def mark_left_out(axis, x, evaluated):
    """Shade the start and the end of an axis whose samples (T,) bool no statistic takes."""
    rows = np.flatnonzero(evaluated)
    first, last = (rows[0], rows[-1]) if len(rows) else (len(x) - 1, len(x) - 1)
    axis.axvspan(x[0], x[first], color="0.85", zorder=0, label="left out of statistics")
    axis.axvspan(x[last], x[-1], color="0.85", zorder=0)


def shade_beyond(axis, bound, name=""):
    """Shade the part of a frequency axis above a `valid_band.Bound`, or nothing where it lies beyond the curves.

    name: whose bound it is, where an axis holds several quantities
    """
    low, high = axis.get_xlim()
    if bound is None or bound.to_hz >= (axis.dataLim.x1 if np.isfinite(axis.dataLim.x1) else high):
        return
    words = f"{name + ': ' if name else ''}not valid above {bound.to_hz:.0f} Hz ({bound.cause})"
    look = dict(facecolor="0.9", edgecolor="0.7", hatch="///", linewidth=0.0, zorder=0)
    axis.axvspan(max(bound.to_hz, axis.dataLim.x0), high, label=words, **look)
    axis.set_xlim(low, high)


def shade(axes, stretches):
    """Shade the stretches of the track behind the curves, and name them at the foot of the first axis.

    Parameters
    ----------
    axes : list of Axes
    stretches : sequence of (kind, start, end)      over the axes' x
    """
    for axis in axes:
        low, high = axis.get_xlim()
        if axis is axes[0] and stretches:
            _make_room(axis, 0.17)
        for kind, start, end in stretches:
            a, b = max(start, low), min(end, high)
            if a >= b:
                continue
            axis.axvspan(a, b, color=STRETCHES[kind], zorder=-1, linewidth=0.0)
            if axis is axes[0] and b - a > 0.09 * (high - low):
                at = dict(xycoords=axis.get_xaxis_transform(), ha="center", va="bottom", fontsize=7, color="0.35")
                axis.annotate(kind, (0.5 * (a + b), 0.015), **at)
        axis.set_xlim(low, high)


def _make_room(axis, size):
    """Let the y axis reach some inches below its curves."""
    share = size / (axis.get_position().height * axis.figure.get_figheight())
    scale = axis.yaxis.get_transform()
    low, high = scale.transform(axis.get_ylim())
    axis.set_ylim(scale.inverted().transform(low - share * (high - low)), axis.get_ylim()[1])
