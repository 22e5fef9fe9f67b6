"""Control nodes: where they are, radial displacement, von Mises stress and acceleration spectra.

Figures 16 to 19 of paper 004. Runs are given by name, e.g. {"Lagrangian": results, "Eulerian": results}; with
two runs each figure has the paper's four curves in the paper's colours.
"""

from contextlib import suppress

import numpy as np

from flexwheel.assess.figures.style import PAPER_COLOURS, envelope, label, new_figure, shade_beyond
from flexwheel.base.errors import FlexwheelError
from flexwheel.numerics.spectra import power_spectral_density, third_octaves
from flexwheel.results.evaluate.span import settled
from flexwheel.results.evaluate.stress_marks import node_marks
from flexwheel.results.evaluate.valid_band import bound_of, lowest_bound

LEAST_SPECTRUM = 16  # samples
HIGHEST_HZ = 1300.0  # of a spectrum
DETAIL_S = 0.3  # [s] of a history that are drawn about its largest value
POINT_NAMES = {"rotating": "rotating mesh", "fixed": "non-rotating mesh"}


def four_curves(runs, node, variable=None):
    """(label, colour, results, point) of each curve, rotating node first, as the paper numbers them."""
    if not runs:
        raise FlexwheelError("control node figure: no run given")
    for name, results in runs.items():
        if "control_node" not in results.coords or node not in results.control_node.values:
            known = ", ".join(map(str, results.control_node.values)) if "control_node" in results.coords else "none"
            raise FlexwheelError(
                f"control node {node!r} is not in {f'run {name}' if name else 'the results'}; known: {known}"
            )
        if variable is not None and variable not in results:
            raise FlexwheelError(f"run {name} has no variable {variable}")
    curves = []
    for point in ("rotating", "fixed"):
        for name, results in runs.items():
            text = f"{POINT_NAMES[point]}, {name}" if len(runs) > 1 or name else POINT_NAMES[point]
            curves.append((text, PAPER_COLOURS[len(curves) % 4], results, point))
    return curves


def displacement_figure(runs, node):
    """Radial displacement in time: the whole run, and DETAIL_S about its largest value after settling."""
    return _history_figure(runs, node, "radial_displacement", 1e6, "radial displacement, outward [um]")


def stress_figure(runs, node):
    """Equivalent stress in time: the whole run, and DETAIL_S about its largest value after settling."""
    return _history_figure(runs, node, "von_mises", 1e-6, "von Mises stress [MPa]")


def _history_figure(runs, node, variable, scale, text):
    curves = four_curves(runs, node, variable)
    title = f"Control node {node}"
    if variable == "von_mises":
        title = "\n".join([title, *filter(None, node_marks(curves[0][2].sel(control_node=[node])))])
    figure, axes = new_figure(2, title, height=7.6, share_x=False)
    middle, half = _largest_at(curves[0][2], variable, node), 0.5 * DETAIL_S
    for k, (name, colour, results, point) in enumerate(curves):
        time = results.time.values
        values = scale * results[variable].sel(control_node=node, point=point).values
        style, width = _pen(k, len(curves))
        axes[0].plot(*envelope(time, values), style, color=colour, linewidth=0.5 * width, label=name)
        detail = np.abs(time - np.clip(middle, time[0] + half, time[-1] - half)) <= half
        axes[1].plot(time[detail], values[detail], style, color=colour, linewidth=width, label=name)
    label(axes[0], "time [s]", text)
    label(axes[1], f"time [s], {DETAIL_S:g} s about the largest value after settling", text, legend=False)
    return figure


def _largest_at(results, variable, node):
    """Time [s] of a node's largest value after settling; of the whole run where it ends before."""
    with suppress(FlexwheelError):
        results = settled(results)
    values = np.abs(results[variable].sel(control_node=node).values).reshape(results.sizes["time"], -1)
    return float(results.time[int(np.nanmax(np.where(np.isnan(values), -1.0, values), axis=1).argmax())])


def _pen(k, count):
    """Style and width of curve k: of two that lie on each other the first is thick, the second thin and dashed."""
    if count <= 2:
        return "-", 0.9
    return ("-", 2.2) if k % 2 == 0 else ("--", 0.9)


def acceleration_spectrum_figure(runs, node, factors=None):
    """Power spectral density of the control node's absolute acceleration to HIGHEST_HZ, and its third octaves.

    factors : dict, optional    (name of the run, point) -> mid-band frequencies and factors (B,) between its third
                                octaves and the bounds that `flexwheel converge` found for them
    """
    figure, axes = new_figure(2, f"Control node {node}: acceleration", height=8.2, share_x=False)
    curves = four_curves(runs, node, "absolute_acceleration")
    for k, (name, colour, results, point) in enumerate(curves):
        style, width = _pen(k, len(curves))
        after = settled(results)
        if after.sizes["time"] < LEAST_SPECTRUM:
            raise FlexwheelError(f"{after.sizes['time']} samples after settling are too few for a spectrum")
        step = float(after.time[1] - after.time[0])
        radial = -after.absolute_acceleration.sel(control_node=node, point=point, axis="z").values
        frequency, density = power_spectral_density(radial, step, resolution_hz=1.0)
        shown = (frequency > 0.0) & (frequency <= HIGHEST_HZ)
        axes[0].semilogy(frequency[shown], density[shown], style, color=colour, linewidth=0.6 * width, label=name)
        centres, rms = third_octaves(radial, step)
        axes[1].loglog(centres, rms, f"o{style}", color=colour, markersize=3, linewidth=width, label=name)
        for run, found in (factors or {}).items():
            if runs[run[0]] is results and run[1] == point:
                factor = np.interp(centres, *found)
                axes[1].fill_between(centres, rms / factor, rms * factor, color=colour, alpha=0.25, linewidth=0.0)
    axes[0].set_xlim(0.0, HIGHEST_HZ)
    bounds = [bound_of(results.absolute_acceleration.sel(control_node=node)) for results in runs.values()]
    for axis in axes:
        shade_beyond(axis, lowest_bound(bounds))
    span = f"{float(after.time[0]):.2f} to {float(after.time[-1]):.2f} s"
    bins = f"Hann, {frequency[1] - frequency[0]:.3g} Hz bins"
    label(axes[0], f"frequency [Hz]; {span}", f"radial, PSD [(m/s2)2/Hz]; {bins}")
    shaded = "; shaded: what modes, step, rail, window and mesh mode change" if factors else ""
    label(axes[1], f"mid-band frequency [Hz]{shaded}", "radial, rms per third octave [m/s2]", legend=False)
    return figure


def position_figure(body, node_index, outline=None):
    """Half-section of the wheelset with the control node (paper 004, figure 16).

    Parameters
    ----------
    body : ReducedBody
    node_index : int            row of body.control
    outline : (n, 2, 2), optional   segments (y, r) of the section's outline [m]
    """
    from matplotlib.collections import LineCollection

    figure, (axis,) = new_figure(1, f"Control node {body.control.name[node_index]}", height=5.0)
    if outline is not None:
        axis.add_collection(LineCollection(outline, colors="0.45", linewidths=0.8))
    for tread in body.treads:
        axis.plot(tread.profile[:, 0], tread.profile[:, 1], ".", color="tab:blue", markersize=3)
    place = body.control.position[node_index]
    radius = float(np.hypot(place[0], place[2]))
    axis.plot(place[1], radius, "o", color="tab:red", markersize=8)
    axis.annotate(
        f"{body.control.name[node_index]}\nnode {body.control.node_id[node_index]}\n"
        f"y = {1e3 * place[1]:.1f} mm, r = {1e3 * radius:.1f} mm",
        (place[1], radius),
        xytext=(-40 if place[1] > 0.0 else 40, 30),  # into the room between the wheels, above the axle
        textcoords="offset points",
        ha="right" if place[1] > 0.0 else "left",
        va="bottom",
        fontsize=9,
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5},
        arrowprops={"arrowstyle": "->", "color": "tab:red"},
    )
    axis.set_aspect("equal", adjustable="datalim")
    axis.autoscale_view()
    label(axis, "y along the axle, left positive [m]", "radius [m]", legend=False)
    return figure


def section_outline(surface_modes, tolerance=1e-6):
    """Segments (n, 2, 2) in (y, r) of the outer surface's edges that lie in the lowest half-plane x = 0, z < 0."""
    position = surface_modes.position
    inside = (np.abs(position[:, 0]) < tolerance) & (position[:, 2] <= tolerance)
    edges = []
    for faces in (surface_modes.quads, surface_modes.triangles):
        for i in range(faces.shape[1]):
            edge = faces[:, [i, (i + 1) % faces.shape[1]]]
            edges.append(edge[inside[edge].all(axis=1)])
    edges = np.unique(np.sort(np.concatenate(edges), axis=1), axis=0)
    flat = np.stack([position[:, 1], -position[:, 2]], axis=1)
    return flat[edges]
