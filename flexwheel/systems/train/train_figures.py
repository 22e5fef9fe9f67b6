"""Pictures of a train run: force along train and time, trip, largest forces, loops of a coupling."""

import numpy as np

from flexwheel.assess.figures.style import COLOURS, envelope, label, new_figure, save_figures
from flexwheel.base.errors import ScenarioError


def trip_figure(results):
    """Speed, notch, brake and largest forces over distance of the leading vehicle."""
    s = results.position[:, 0] / 1e3
    figure, axes = new_figure(4, f"{results.attrs['title']}: the trip", height=9.0)
    axes[0].plot(s, results.speed[:, 0] * 3.6, color=COLOURS[0], label="first vehicle")
    axes[0].plot(s, results.speed[:, -1] * 3.6, color=COLOURS[1], linewidth=0.8, label="last vehicle")
    label(axes[0], y="speed [km/h]")
    axes[1].plot(s, results.level[:, 0], color=COLOURS[2], label="notch (negative: dynamic brake)")
    label(axes[1], y="notch")
    axes[2].plot(s, results.pressure[:, 0], color=COLOURS[3], label="first vehicle")
    axes[2].plot(s, results.pressure[:, -1], color=COLOURS[4], linewidth=0.8, label="last vehicle")
    label(axes[2], y="brake cylinder [-]")
    force = results.force.values / 1e3
    axes[3].plot(s, force.max(axis=1), color=COLOURS[3], label="largest draft in the train")
    axes[3].plot(s, force.min(axis=1), color=COLOURS[0], label="largest buff in the train")
    label(axes[3], "position of the first vehicle [km]", "force [kN]")
    return figure


def force_map_figure(results):
    """Coupling force over time and place in the train, draft red, buff blue."""
    figure, axes = new_figure(1, f"{results.attrs['title']}: coupling forces along train and time", height=6.5)
    axis = axes[0]
    force = results.force.values.T / 1e3
    step = max(1, force.shape[1] // 2000)
    starts = np.arange(0, force.shape[1], step)  # of every stretch its largest force, whatever its sign
    draft, buff = np.maximum.reduceat(force, starts, axis=1), np.minimum.reduceat(force, starts, axis=1)
    top = float(np.abs(force).max()) or 1.0
    mesh = axis.pcolormesh(
        results.time.values[starts],
        1 + np.arange(len(force)),  # couplings count from 1 at the head
        np.where(draft >= -buff, draft, buff),
        cmap="RdBu_r",
        vmin=-top,
        vmax=top,
        shading="nearest",
        rasterized=True,
    )
    figure.colorbar(mesh, ax=axis, label="coupling force [kN], draft positive")
    for side, mark in (("draft", "^"), ("buff", "v")):
        peak = results.peak_force.sel(side=side).values
        k = int(np.abs(peak).argmax())
        text = f"largest {side}: {abs(peak[k]) / 1e3:.0f} kN at coupler {k + 1}"
        look = dict(color="black", markersize=8, markerfacecolor="none", label=text)
        axis.plot(float(results.peak_time.sel(side=side)[k]), k + 1, mark, **look)
    axis.grid(False)
    axis.invert_yaxis()
    label(axis, "time [s]", "coupler, from the head")
    return figure


def peak_figure(results):
    """Largest draft and buff force of every coupling, rigid bars apart."""
    figure, axes = new_figure(1, f"{results.attrs['title']}: largest forces along the train")
    axis = axes[0]
    bars = results.coupling_name.values == "rigid_bar"
    for side, colour in (("draft", COLOURS[3]), ("buff", COLOURS[0])):
        peak = results.peak_force.sel(side=side).values / 1e3
        axis.plot(results.coupling[~bars], peak[~bars], ".-", color=colour, label=f"couplers, {side}")
        if bars.any():
            axis.plot(results.coupling[bars], peak[bars], "x", color=colour, markersize=3, label=f"rigid bars, {side}")
    first = True
    for k, name in enumerate(results.vehicle_name.values, start=1):
        if "locomotive" in str(name):
            axis.axvline(k, color="black", linewidth=0.6, alpha=0.5, label="locomotives" if first else None)
            first = False
    label(axis, "coupler, from the head", "force [kN]")
    return figure


def coupling_figure(results, coupling=None):
    """Force history of one coupling, and its force over deflection."""
    if coupling is None:
        coupling = int(np.abs(results.peak_force.sel(side="draft").values).argmax()) + 1
    k = int(coupling) - 1
    figure, axes = new_figure(1, f"{results.attrs['title']}: coupler {coupling}", columns=2, share_x=False)
    force = results.force.values[:, k] / 1e3
    axes[0].plot(*envelope(results.time.values, force), color=COLOURS[0], linewidth=0.8)
    label(axes[0], "time [s]", "force [kN]")
    axes[1].plot(results.deflection.values[:, k] * 1e3, force, ".", color=COLOURS[3], markersize=1.5)
    label(axes[1], "deflection [mm]", "force [kN], one dot per tick")
    return figure


def draw_train(results, folder):
    """All pictures of a run into a folder that exists; returns the files."""
    k = results.attrs.get("deflection_coupler", 1)
    if isinstance(k, str) or not np.isfinite(k) or not 1 <= k <= results.sizes["coupling"]:
        raise ScenarioError(f"results: deflection_coupler must be one of the couplings, got {k!r}")
    k = int(k)
    figures = {
        "train_trip.png": trip_figure(results),
        "train_force_map.png": force_map_figure(results),
        "train_peaks.png": peak_figure(results),
        "train_largest_draft.png": coupling_figure(results),
        f"train_coupler_{k}.png": coupling_figure(results, k),
    }
    return save_figures(figures, folder, results.attrs)
