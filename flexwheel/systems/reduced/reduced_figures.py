"""Pictures of the simplified model with the full model over it: the figures of paper 001's scenarios."""

import numpy as np

from flexwheel.assess.figures.style import COLOURS, envelope, label, new_figure, save_figures
from flexwheel.systems.reduced.model_comparison import levels, motion

LINES = {"simplified": {"linestyle": "-", "linewidth": 1.1}, "full": {"linestyle": "--", "linewidth": 1.1}}


def wheelset_figure(results):
    """Lateral displacement and yaw of every wheelset."""
    figure, axes = new_figure(2, f"{results.attrs['title']}: wheelsets", height=7.0)
    for axis, coordinate, text in ((axes[0], "y", "lateral displacement [mm]"), (axes[1], "yaw", "yaw [mrad]")):
        for k, name in enumerate(results.wheelset.values):
            _both(axis, results, 1e3 * motion(results, coordinate).sel(body=name), str(name), COLOURS[k])
        label(axis, y=text, legend=axis is axes[0])
    label(axes[1], "arc length of the leading wheelset [m]", legend=False)
    return figure


def force_figure(results):
    """Tread and flange normal forces, Y and Q of the two wheels of the leading wheelset."""
    name = str(results.wheelset.values[0])
    figure, axes = new_figure(4, f"{results.attrs['title']}: wheel forces of {name}", height=9.5)
    rows = (
        ("tread_normal", "tread normal [kN]"), ("flange_normal", "flange normal [kN]"),
        ("vertical_force", "Q [kN]"), ("lateral_force", "Y [kN]"),
    )  # fmt: skip
    for axis, (quantity, text) in zip(axes, rows, strict=True):
        for k, side in enumerate(("left", "right")):
            values = 1e-3 * results.wheel_force.sel(wheel=f"{name} {side}", quantity=quantity)
            _both(axis, results, values, side, COLOURS[k])
        label(axis, y=text, legend=axis is axes[0])
    label(axes[-1], "arc length of the leading wheelset [m]", legend=False)
    return figure


def level_figure(results):
    """Vertical and lateral motion by level: a wheelset, a bogie, the body; the track under the wheelsets of each."""
    figure, panels = _level_panels(results, "response by level")
    wheelsets = results.wheelset.values
    under = {"wheelset": wheelsets[:1], "bogie": wheelsets[: max(len(wheelsets) // 2, 1)], "body": wheelsets}
    for axis, level, body, coordinate, text in panels:
        if np.any(results.irregularity.values):
            rails = ["left vertical", "right vertical"] if coordinate == "z" else ["left lateral", "right lateral"]
            mean = 1e3 * results.irregularity.sel(wheelset=under[level], rail=rails).mean(["wheelset", "rail"])
            axis.plot(results.arc_length, mean, color="0.6", linewidth=0.8, label="track under its wheelsets, mean")
        _both(axis, results, 1e3 * motion(results, coordinate).sel(body=body), "", COLOURS[0])
        label(axis, y=f"{body} {text} [mm]", legend=level == panels[0][1])
    return figure


def acceleration_figure(results):
    """Vertical and lateral acceleration by level."""
    figure, panels = _level_panels(results, "accelerations by level")
    for axis, level, body, coordinate, text in panels:
        _both(axis, results, motion(results, coordinate, "acceleration").sel(body=body), "", COLOURS[0])
        label(axis, y=f"{body} {text} [m/s2]", legend=level == panels[0][1])
    return figure


def _level_panels(results, title):
    """Figure of a row a level, vertical beside lateral; (axis, level, its first body, coordinate, word) of panels."""
    found = levels(results)
    figure, axes = new_figure(len(found), f"{results.attrs['title']}: {title}", columns=2, height=8.5)
    for axis in axes[-2:]:
        label(axis, "arc length of the leading wheelset [m]", legend=False)
    words = (("z", "vertical"), ("y", "lateral"))
    places = [(level, members[0], *word) for level, members in found.items() for word in words]
    return figure, [(axis, *place) for axis, place in zip(axes, places, strict=True)]


def draw_reduced(results, folder):
    """All pictures of a run into a folder that exists; returns the files."""
    figures = {
        "wheelsets.png": wheelset_figure(results),
        "wheel_forces.png": force_figure(results),
        "levels.png": level_figure(results),
        "accelerations.png": acceleration_figure(results),
    }
    return save_figures(figures, folder, results.attrs)


def _both(axis, results, values, name, colour):
    """Curves of both models in one colour."""
    for model in results.model.values:
        text = f"{name} {model}".strip()
        shade = colour if str(model) == "simplified" else "black" if not name else _darker(colour)
        curve = envelope(results.arc_length.values, values.sel(model=model).values)
        axis.plot(*curve, color=shade, label=text, **LINES[str(model)])


def _darker(colour):
    from matplotlib.colors import to_rgb

    return tuple(0.55 * c for c in to_rgb(colour))
