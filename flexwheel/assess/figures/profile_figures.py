"""Points of profile files against the smooth curve that passes them."""

import numpy as np

from flexwheel.assess.figures.style import COLOURS, label, new_figure


def profile_files_figure(files, title="Points of profile files and the curve"):
    """Two rows a file: its section; distance of the points from the curve, and cutoff wavelength of the smoothing.

    files : list of ProfileQuality
    """
    figure, axes = new_figure(2 * len(files), title, height=1.0 + 4.6 * len(files), share_x=False)
    for section, below, quality in zip(axes[::2], axes[1::2], files, strict=True):
        y = 1e3 * quality.y
        section.plot(y, 1e3 * quality.height, color="black", linewidth=1.2)
        section.set_aspect("equal")
        section.set_title(quality.line(), fontsize=8, wrap=True)
        label(section, None, "height [mm]", legend=False)
        below.plot(y, 1e6 * quality.distance, ".", color=COLOURS[0], markersize=2.0)
        label(below, "y, field side + [mm]", "points off the curve [um]", legend=False)
        if quality.smoothed:
            right = below.twinx()
            right.plot(y, 1e3 * quality.cutoff, color=COLOURS[1], linewidth=1.2)
            right.set_ylim(0.0, 1.1e3 * np.max(quality.cutoff))
            right.set_ylabel("cutoff wavelength [mm]", fontsize=9, color=COLOURS[1])
    return figure
