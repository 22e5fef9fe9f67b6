"""Pictures of a real-time run: figures 11 to 14 of paper 000, and the sparsity patterns of its figures 7 to 9."""

import numpy as np

from flexwheel.assess.figures.style import COLOURS, envelope, label, new_figure, save_figures


def trajectory_figure(results):
    """Path of the vehicle body in plan and in elevation (paper 000, figure 11)."""
    x, y, z = (results.position.sel(coordinate=c).values for c in "xyz")
    figure, axes = new_figure(2, f"{results.attrs['title']}: path of the vehicle body")
    axes[0].plot(*envelope(x, y), color=COLOURS[0])
    axes[1].plot(*envelope(x, z), color=COLOURS[0], linewidth=0.8)
    label(axes[0], y="y [m]")
    label(axes[1], "x [m]", "z [m]")
    return figure


def hunting_figure(results):
    """Lateral motion in detail after the last curve (paper 000, figure 12)."""
    x, y = results.position.sel(coordinate="x").values, results.position.sel(coordinate="y").values
    final = np.median(y[-len(y) // 5 :])
    late = x > x[0] + 0.4 * (x[-1] - x[0])
    figure, axes = new_figure(1, f"{results.attrs['title']}: hunting in detail")
    axes[0].plot(x[late], 1e3 * (y[late] - final), color=COLOURS[0], linewidth=0.8)
    label(axes[0], "x [m]", f"y - {final:.3f} m [mm]")
    return figure


def creep_figure(results):
    """Creepages and creep forces of the third wheelset's right wheel (paper 000, figure 13)."""
    wheel = str(results.wheel.values[5])
    figure, axes = new_figure(3, f"{results.attrs['title']}: {wheel}", columns=2, height=8.0)
    rows = (
        ("creepage_x", "-"), ("force_x", "N"), ("creepage_y", "-"), ("force_y", "N"),
        ("creepage_spin", "1/m"), ("moment_z", "N m"),
    )  # fmt: skip
    t = results.time.values
    for axis, (name, unit) in zip(axes, rows, strict=True):
        axis.plot(*envelope(t, results[name].sel(wheel=wheel).values), color=COLOURS[0], linewidth=0.7)
        label(axis, "time [s]" if "spin" in name or "moment" in name else None, f"{name.replace('_', ' ')} [{unit}]")
    return figure


def iteration_figure(results):
    """Newton iterations needed by both projections (paper 000, figure 14)."""
    figure, axes = new_figure(2, f"{results.attrs['title']}: Newton iterations per recorded step")
    for axis, name in zip(axes, ("normal_iterations", "tangent_iterations"), strict=True):
        axis.plot(results.time.values, results[name].values, drawstyle="steps", color=COLOURS[0], linewidth=0.8)
        axis.set_yticks([0, 1, 2])
        label(axis, "time [s]", name.replace("_", " "))
    return figure


def force_figure(results):
    """Normal forces of all wheels, and the lateral place of the contacts."""
    figure, axes = new_figure(2, f"{results.attrs['title']}: wheels", height=7.0)
    t = results.time.values
    for w, name in enumerate(results.wheel.values):
        curve = envelope(t, results.normal_force.values[:, w] / 1e3)
        axes[0].plot(*curve, linewidth=0.6, color=COLOURS[w], label=name)
        axes[1].plot(*envelope(t, results.u_rail.values[:, w] * 1e3), linewidth=0.6, color=COLOURS[w])
    label(axes[0], y="normal force [kN]")
    label(axes[1], "time [s]", "contact on the rail, u [mm]", legend=False)
    return figure


def pattern_figure(title, pattern, size):
    """Dots where a matrix can be non-zero (paper 000, figures 7 to 9)."""
    figure, axes = new_figure(1, title, height=9.0)
    if len(pattern):
        rows, cols = np.array(sorted(pattern)).T
        axes[0].plot(cols, rows, ".", color="black", markersize=240 / size)
    axes[0].set_xlim(-1, size + 0.5)
    axes[0].set_ylim(size + 0.5, -1)
    axes[0].set_aspect("equal")
    label(axes[0], f"{len(pattern)} entries", legend=False)
    return figure


def draw_realtime(results, folder, patterns=()):
    """All pictures of a run into a folder that exists; returns the files.

    patterns : list of (file name, title, set of (row, column), size)
    """
    figures = {
        "figure_11_path.png": trajectory_figure(results),
        "figure_12_hunting.png": hunting_figure(results),
        "figure_13_creep.png": creep_figure(results),
        "figure_14_iterations.png": iteration_figure(results),
        "wheels.png": force_figure(results),
    }
    for name, title, pattern, size in patterns:
        figures[name] = pattern_figure(title, pattern, size)
    return save_figures(figures, folder, results.attrs)
