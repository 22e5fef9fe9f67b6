"""Numbers of contact points over roll and lateral shift, and the borders that classifiers draw between them."""

import numpy as np

from flexwheel.assess.figures.style import COLOURS, label, new_figure

_SHADES = ("white", "0.82", "0.55", "0.3", "0.1")


def number_figure(maps, planes, title=""):
    """Number of local minima at several yaw angles (paper 003, figures 6 and 7).

    Parameters
    ----------
    maps : list of NumberMap     one panel each
    planes : Planes              drawn as straight lines
    title : str
    """
    from matplotlib.colors import BoundaryNorm, ListedColormap
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    figure, axes = new_figure(1, title, height=5.0, columns=len(maps))
    highest = max(int(m.diff.max()) for m in maps)
    shades = ListedColormap(_SHADES[:highest])
    norm = BoundaryNorm(np.arange(0.5, highest + 1.0), highest)
    for axis, shown in zip(axes, maps, strict=True):
        shift, roll = 1e3 * shown.shift, np.degrees(shown.roll)
        axis.pcolormesh(shift, roll, shown.diff, cmap=shades, norm=norm, shading="nearest", rasterized=True)
        if shown.network is not None:
            levels = np.arange(1.5, highest + 0.5)
            axis.contour(shift, roll, shown.network, levels=levels, colors=COLOURS[1], linewidths=0.9)
        for at, tilt in zip(planes.at, planes.tilt, strict=True):
            axis.plot(1e3 * (at + tilt * shown.roll), roll, "--", color=COLOURS[0], linewidth=0.9)
        axis.set_xlim(shift[0], shift[-1])
        axis.set_title(f"yaw {np.degrees(shown.yaw):.0f}°", fontsize=10, loc="left")
        label(axis, "lateral shift [mm]", "roll [°]" if axis is axes[0] else None, legend=False)
    entries = [Patch(facecolor=_SHADES[k], edgecolor="0.5", label=f"{k + 1}") for k in range(highest)]
    entries += [Line2D([], [], linestyle="--", color=COLOURS[0], label="planes")]
    if maps[0].network is not None:
        entries += [Line2D([], [], color=COLOURS[1], label="network")]
    axes[0].legend(handles=entries, fontsize=8, loc="lower left", title="minima", title_fontsize=8)
    return figure
