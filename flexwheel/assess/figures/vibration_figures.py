"""Levels of third octaves, orders, spectrograms and coherence of several signals; what they hold: vibration."""

import numpy as np

from flexwheel.assess.figures.style import COLOURS, label, new_figure, shade_beyond
from flexwheel.results.evaluate.valid_band import lowest_bound

SHOWN_DB = 60.0  # below the largest density of a spectrogram
UNITS = {"m s-2": "m/s2", "N": "N"}


def level_figure(found, title, reference):
    """Levels of third octaves of every signal."""
    figure, (axis,) = new_figure(1, f"Third-octave levels: {title}", height=5.0)
    for k, v in enumerate(found):
        axis.semilogx(v.bands, v.level, "o-", markersize=3, color=COLOURS[k % len(COLOURS)], label=_short(v))
    shade_beyond(axis, lowest_bound(v.bound for v in found))
    label(axis, "mid-band frequency [Hz]", f"level re {reference:g} {UNITS[found[0].unit]} [dB]")
    return figure


def order_figure(found, title):
    """Effective values over the order of the wheel's turn."""
    found = [v for v in found if v.orders is not None]
    figure, (axis,) = new_figure(1, f"Orders of the wheel's turn: {title}", height=5.0)
    for k, v in enumerate(found):
        axis.semilogy(
            v.orders.order[1:], v.orders.rms[1:], linewidth=0.9, color=COLOURS[k % len(COLOURS)], label=_short(v)
        )
    label(axis, "order: waves in a turn", f"effective value of a line [{UNITS[found[0].unit]}]")
    return figure


def spectrogram_figure(found, title, reference):
    """Densities over time, one axis a signal, on one scale."""
    figure, axes = new_figure(len(found), f"Spectrograms: {title}", height=1.2 + 2.1 * len(found))
    every = [10.0 * np.log10(np.maximum(v.spectrogram.density[1:], 1e-300) / reference**2) for v in found]
    top = max(float(level.max()) for level in every)
    for axis, v, level in zip(axes, found, every, strict=True):
        s = v.spectrogram
        mesh = axis.pcolormesh(
            s.time, s.frequency[1:], level, vmin=top - SHOWN_DB, vmax=top, shading="nearest", rasterized=True
        )
        axis.set_yscale("log")
        axis.set_ylim(max(s.frequency[1], 4.0), v.bands[-1] * 1.12)
        axis.set_title(v.name, fontsize=8, loc="left")
        label(axis, None, "frequency [Hz]", legend=False)
    axes[-1].set_xlabel("time since settling [s]", fontsize=9)
    words = f"dB re ({reference:g} {UNITS[found[0].unit]})^2/Hz; {SHOWN_DB:g} dB shown"
    figure.colorbar(mesh, ax=axes, label=words, shrink=0.9)
    return figure


def coherence_figure(found, title):
    """Coherence of Q with the irregularity under its wheel, and what is left of none."""
    found = [v for v in found if v.coherence is not None]
    figure, (axis,) = new_figure(1, f"Coherence of Q and vertical irregularity: {title}", height=5.0)
    for k, v in enumerate(found):
        c = v.coherence
        rows = (c.frequency >= 4.0) & (c.frequency <= v.bands[-1] * 1.12)
        axis.semilogx(
            c.frequency[rows], c.coherence[rows], linewidth=0.9, color=COLOURS[k % len(COLOURS)], label=_short(v)
        )
    axis.axhline(1.0 / c.averages, color="black", linestyle="--", linewidth=0.8, label=f"1/{c.averages} windows")
    axis.set_ylim(0.0, 1.02)
    label(axis, "frequency [Hz]", "coherence [-]")
    return figure


def _short(vibration):
    """Name without what the title says."""
    return vibration.name.removesuffix(" lateral").removesuffix(" vertical")
