"""Pictures of the stress envelope of a wheelset's surface."""

import numpy as np

from flexwheel.assess.figures.style import label, new_figure
from flexwheel.results.evaluate.stress_marks import node_marks


def envelope_figure(envelope, rows=(), with_spread=False):
    """Largest stress of every ring over its place on the axle, and the half section coloured by it.

    rows: nodes of hot spots, numbered in the picture. The scale ends at the largest value shown.
    """
    shown = np.isfinite(envelope.von_mises.values)
    if not with_spread:
        shown &= envelope.load_spread.values == 0
    x, y, z = envelope.position.values[shown].T
    radius, stress = np.hypot(x, z), envelope.von_mises.values[shown] / 1e6
    order = np.argsort(stress)
    point = "material points" if envelope.attrs["point"] == "rotating" else "fixed points"
    title = f"{envelope.attrs.get('title', '')}\nwheelset {envelope.attrs['wheelset']}: {envelope.von_mises.long_name}"
    title += f", {point}, t = {envelope.attrs['first_time_s']:g} to {envelope.attrs['last_time_s']:g} s"
    figure, axes = new_figure(2, title, 6.5)
    drawn = axes[0].scatter(
        y[order], radius[order], c=stress[order], s=14, cmap="turbo", vmin=0.0, vmax=max(stress.max(), 1e-9)
    )
    bar = figure.colorbar(drawn, ax=axes, shrink=0.9)
    bar.set_label(f"von Mises stress [MPa], largest {stress.max():.4g}", fontsize=9)
    axes[0].set_aspect("equal")
    axes[1].margins(y=0.1)  # numbers above the highest
    axes[1].scatter(y[order], stress[order], c=stress[order], s=6, cmap="turbo", vmin=0.0, vmax=max(stress.max(), 1e-9))
    marks = node_marks(envelope.isel(node=list(rows)))
    for number, row in enumerate(rows, 1):
        a, b, c = envelope.position.values[row]
        value = float(envelope.von_mises.values[row]) / 1e6
        for axis, height in ((axes[0], np.hypot(a, c)), (axes[1], value)):
            axis.annotate(
                f"{number}{'!' if marks[number - 1] else ''}", (b, height), textcoords="offset points", xytext=(4, 4),
                fontsize=8, color="red" if marks[number - 1] else "black",
            )  # fmt: skip
    for number, words in enumerate(marks, 1):
        if words:
            axes[1].plot([], [], " ", label=f"{number}! {words}")
    label(axes[0], None, "radius [m]", False)
    label(axes[1], "along the axle, left positive [m]", "von Mises stress [MPa]", any(marks))
    return figure


def spectrum_figure(spectra, distance, curves, title):
    """Ranges over the range permitted at each node, as about mean stress 0, over the cycles per km that reach them.

    spectra: node -> (n, 3); curves: node -> its WoehlerCurve, all of one slope and number of cycles
    """
    figure, (axis,) = new_figure(1, title)
    for node, cycles in spectra.items():
        shares = curves[node].reversed_ranges(cycles[:, 0], cycles[:, 1]) / curves[node].knee_range
        order = np.argsort(-shares)
        reached = np.cumsum(cycles[order, 2]) / (distance / 1e3)
        axis.step(reached, shares[order], where="pre", label=f"node {node}", linewidth=1.2)
    curve, shares = next(iter(curves.values())), np.linspace(0.3, 2.0, 60)
    axis.plot(curve.cycles(shares * curve.knee_range), shares, "k--", linewidth=1.0, label="Woehler curve [cycles]")
    axis.set_xscale("log")
    axis.set_ylim(0.0, 2.0)
    label(axis, "cycles per km that reach the range", "stress range over the permissible one [-]")
    return figure
