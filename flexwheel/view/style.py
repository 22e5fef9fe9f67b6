"""One look for all figures."""

from __future__ import annotations

from matplotlib.figure import Figure

from flexwheel.output_files import write_whole

WIDTH, HEIGHT = 10.0, 5.6  # [inch]
PAPER_COLOURS = ("black", "tab:red", "tab:green", "tab:blue")  # paper 004, figures 17 and 18
COLOURS = ("tab:blue", "tab:orange", "tab:green", "tab:red", "tab:purple", "tab:brown", "tab:gray", "tab:olive")
MAX_POINTS = 20_000


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
    """Axis labels, and a legend in one line above the axis."""
    if x:
        axis.set_xlabel(x, fontsize=9)
    if y:
        axis.set_ylabel(y, fontsize=9)
    if legend and axis.get_legend_handles_labels()[0]:
        entries = len(axis.get_legend_handles_labels()[0])
        axis.legend(
            fontsize=8,
            loc="lower right",
            bbox_to_anchor=(1.0, 1.0),
            ncols=min(entries, 5),
            frameon=False,
            borderpad=0.2,
        )


def thinned(values):
    """Stride that keeps a curve below MAX_POINTS by dropping samples; 1 for short ones."""
    return max(1, len(values) // MAX_POINTS)


def save_figure(figure, path, dots_per_inch=130):
    """Write a figure as PNG (or by the path's ending), whole or not at all; returns the path."""
    write_whole(path, lambda target: figure.savefig(target, dpi=dots_per_inch))
    return path
