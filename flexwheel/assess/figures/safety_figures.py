"""Quantities of EN 14363 section by section, with estimated maxima and limits."""

import numpy as np

from flexwheel.assess.figures.style import COLOURS, label, new_figure

COLUMNS = 3


def zone_figure(assessments, head):
    """One axis a quantity: its value in every section over the section's middle, estimated maxima, limit (dashed)."""
    names = list(dict.fromkeys(a.quantity.name for a in assessments))
    rows = -(-len(names) // COLUMNS)
    zone = assessments[0].zone
    title = f"EN 14363, test zone {zone.name}: {zone.words}\n{head}; lines: estimated maximum, dashed: limit"
    figure, axes = new_figure(rows, title, height=1.2 + 2.7 * rows, columns=COLUMNS, share_x=False)
    for axis, name in zip(axes, names, strict=False):
        _quantity(axis, [a for a in assessments if a.quantity.name == name])
    for axis in axes[len(names) :]:
        axis.set_axis_off()
    return figure


def _quantity(axis, rows):
    """Values and maxima of one quantity."""
    quantity = rows[0].quantity
    factor, unit = (1e-3, "kN") if quantity.unit == "N" else (1.0, quantity.unit.replace("1", "-"))
    for k, a in enumerate(rows):
        colour = COLOURS[k % len(COLOURS)]
        middle = [0.5 * (part.start + part.end) for part in a.sections]
        axis.plot(middle, factor * a.values, "o", markersize=4, color=colour, label=a.item)
        axis.axhline(factor * a.estimated, color=colour, linewidth=0.8)
        if np.isfinite(a.limit) and a.limit < 3.0 * np.max(a.values):
            axis.axhline(factor * a.limit, color=colour, linestyle="--", linewidth=1.0)
    limits = sorted({round(factor * a.limit, 2) for a in rows if np.isfinite(a.limit)})
    plain = "" if unit == "-" else f" {unit}"
    words = f"limit {' and '.join(f'{x:g}' for x in limits)}{plain}" if limits else "no limit"
    axis.set_ylim(bottom=0.0)
    axis.set_title(f"{quantity.symbol}; {words}", fontsize=8, loc="left")
    label(axis, "arc length [m]", f"{quantity.symbol} [{unit}]", legend=False)
    axis.xaxis.label.set_size(7)
    axis.yaxis.label.set_size(7)
    axis.tick_params(labelsize=7)
    axis.legend(fontsize=5.5, loc="best", framealpha=0.6)
