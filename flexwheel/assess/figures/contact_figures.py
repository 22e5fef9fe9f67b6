"""Contact patches: where they lie on the rail head, their size, pressure and creepage."""

from textwrap import fill

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator
from scipy.optimize import linear_sum_assignment

from flexwheel.assess.figures.style import COLOURS, envelope, label, new_figure
from flexwheel.base.errors import FlexwheelError
from flexwheel.results.evaluate.result_bounds import SLIVER, bears

SAME_PLACE = 5e-3  # [m]
CELLS = {"stick": "#9ecae1", "slip": "#fdae6b"}


def patch_history_figure(results, wheelset=None):
    """Lateral place, area and peak pressure of every patch that bears, of one wheelset along the track."""
    wheelset = wheelset or str(results.wheelset.values[0])
    position = results.body_position.sel(body=wheelset, path="s").values
    title = f"Contact patches of wheelset {wheelset} with more than {100 * SLIVER:g} % of the wheel's load"
    figure, axes = new_figure(3, title, height=8.6)
    rows = (("y_rail", 1e3, "place on the rail, field side + [mm]"), ("area", 1e6, "area [mm2]"),
            ("peak_pressure", 1e-6, "peak pressure [MPa]"))  # fmt: skip
    wheels = [results.sel(wheel=f"{wheelset} {side}") for side in ("left", "right")]
    loads = [at.patch_normal_force.where(bears(at.patch_normal_force)).values for at in wheels]
    tracks = [patch_tracks(at.patch_y_rail.values, load) for at, load in zip(wheels, loads, strict=True)]
    for axis, (name, scale, text) in zip(axes, rows, strict=True):
        for k, (wheel, track) in enumerate(zip(wheels, tracks, strict=True)):
            values = scale * wheel[f"patch_{name}"].values
            for number in range(int(track.max(initial=0)) + 1):
                rows, patch = np.nonzero(track == number)
                curve = envelope(position[rows], values[rows, patch])
                axis.plot(*curve, ".", markersize=1.2, color=COLOURS[2 * k + min(number, 1)])
        label(axis, None, text, legend=False)
    for k, text in enumerate(("left, one patch", "left, another", "right, one patch", "right, another")):
        axes[0].plot([], [], "o", color=COLOURS[k], label=text)
    label(axes[0])
    label(axes[-1], f"arc length of wheelset {wheelset} [m]", legend=False)
    return figure


def patch_tracks(place, load):
    """Numbers (T, P) of patches that go on where they were, -1 without load; place (T, P) [m], load (T, P).

    A patch has the number of the one that was last within SAME_PLACE of it, or else one that is not in use.
    """
    loaded, known = load > 0.0, np.full(place.shape[1], np.inf)
    order = np.argsort(np.where(loaded, place, np.inf), axis=1, kind="stable")
    place = np.where(loaded, place, np.nan)
    jumps = np.any(np.abs(np.diff(place, axis=0)) > 0.2 * SAME_PLACE, axis=1)
    changed = np.any(loaded[1:] != loaded[:-1], axis=1) | np.any(order[1:] != order[:-1], axis=1) | jumps
    starts = np.concatenate([[0], np.flatnonzero(changed) + 1, [len(place)]])
    track = np.full(place.shape, -1)
    for first, stop in zip(starts[:-1], starts[1:], strict=True):
        patches = np.flatnonzero(loaded[first])
        far = np.abs(place[first, patches][:, None] - known)
        new = 1.0 + 0.1 * np.isfinite(known) + 1e-3 * np.arange(len(known))  # a number never used, else the lowest
        mine, its = linear_sum_assignment(np.where(far > SAME_PLACE, new, far))
        track[first:stop, patches[mine]] = its
        known[its] = place[stop - 1, patches[mine]]
    return track


def pressure_figure(results, time_s, wheelset=None, strips=None):
    """Normal pressure over the patches of one wheelset at a time, seen along their normals, and where they slide.

    Parameters
    ----------
    results : Dataset
    time_s : float [s]
    wheelset : str, optional    the first one where not given
    strips : dict, optional     side -> list of contact_strips.PatchStrips, or a sentence why there are none; a
                                patch without strips is drawn as the ellipse of its half-length and half-width
    """
    wheelset = wheelset or str(results.wheelset.values[0])
    at = results.sel(time=time_s, method="nearest")
    figure, axes = new_figure(2, "", height=9.6, columns=2, share_x=False)
    wheels = at.sel(wheel=[f"{wheelset} left", f"{wheelset} right"])
    if not float(wheels.patch_normal_force.max()) > 0.0:
        raise FlexwheelError(f"neither wheel of {wheelset} touches its rail at {float(at.time):.4f} s")
    highest = max(1.0, float(wheels.patch_peak_pressure.where(bears(wheels.patch_normal_force)).max()))
    for side, above, below in zip(("left", "right"), axes[:2], axes[2:], strict=True):
        wheel, found = at.sel(wheel=f"{wheelset} {side}"), (strips or {}).get(side, "the strips are not at hand")
        loaded = [p for p in range(at.sizes["patch"]) if float(wheel.patch_normal_force[p]) > 0.0]
        for patch in loaded:
            image = _draw_patch(above, wheel, patch, highest, isinstance(found, str))
        _label_patches(above, wheel)
        for one in [] if isinstance(found, str) else found:
            image = _draw_strips(above, below, one, highest)
        above.set_title(f"{side} wheel", fontsize=10, loc="left")
        if not loaded:
            found = "This wheel does not touch its rail."
            above.set_axis_off()
        across = f"y on the rail, across the tangent plane, {side} = field side [mm]"
        if isinstance(found, str):
            words = fill(f"Above: ellipses. {found}" if loaded else found, 44)
            below.text(0.5, 0.5, words, transform=below.transAxes, ha="center", fontsize=8)
            below.set_axis_off()
        for axis in ((above,) if isinstance(found, str) else (above, below)) if loaded else ():
            middle, size = 0.5 * (above.dataLim.min + above.dataLim.max), 0.75 * above.dataLim.size.max()
            ends = middle - size, middle + size
            axis.set(
                xlim=[x for x, _ in ends][:: -1 if side == "left" else 1], ylim=[y for _, y in ends], aspect="equal"
            )
            axis.xaxis.set_major_locator(MaxNLocator(6))
            label(axis, across, "x ahead of the axle [mm]", legend=False)
    figure.suptitle(f"Contact patches, wheelset {wheelset}, t = {float(at.time):.4f} s", fontsize=11)
    figure.colorbar(image, ax=axes[:2], label="normal pressure [MPa]", shrink=0.85)
    keys = [Patch(color=colour, label=text) for text, colour in CELLS.items()]
    axes[3].legend(handles=keys, fontsize=8, loc="lower right", bbox_to_anchor=(1.0, 1.0), ncols=2, frameon=False)
    axes[2].set_title("arrows: creep traction on the wheel", fontsize=8, loc="left")
    return figure


def _draw_strips(above, below, patch, highest):
    """Cells of a patch: pressure in the upper panel, stick and slip with the traction in the lower one."""
    count = patch.pressure.shape[1]
    place = patch.stored["y_rail"] + patch.s
    edges = patch.ahead[:, None] + patch.half[:, None] * np.cos(np.pi * np.arange(count + 1) / count)
    low, high = (np.broadcast_to((place + sense * 0.5 * patch.width)[:, None], edges.shape) for sense in (-1.0, 1.0))
    corners = [(low[:, :-1], edges[:, :-1]), (high[:, :-1], edges[:, :-1]), (high[:, 1:], edges[:, 1:]),
               (low[:, 1:], edges[:, 1:])]  # fmt: skip
    cells = 1e3 * np.stack([np.stack(pair, axis=-1) for pair in corners], axis=2).reshape(-1, 4, 2)
    image = PolyCollection(cells, array=patch.pressure.ravel() / 1e6, cmap="inferno", clim=(0.0, highest / 1e6))
    above.add_collection(image)
    if np.all(np.isfinite(patch.traction)):
        colours = np.where(patch.slides.ravel(), *reversed(CELLS.values()))
        below.add_collection(PolyCollection(cells, facecolors=colours, edgecolors="white", linewidths=0.3))
        middle, pull = cells.mean(axis=1), patch.traction.reshape(-1, 2)
        some = np.zeros(patch.slides.shape, dtype=bool)
        some[:: max(len(place) // 8, 1), :: max(count // 8, 1)] = True
        some = some.ravel()
        longest = np.linalg.norm(pull, axis=1).max() / (
            400.0 * min(patch.width.sum(), 2.0 * patch.half.max())
        )  # 0.4 of it
        look = dict(angles="xy", scale_units="xy", scale=longest, width=0.003, pivot="mid")
        below.quiver(*middle[some].T, pull[some, 1], pull[some, 0], **look)
    elif not below.texts:
        words = "no cells: the creep force is not FASTSIM's"
        below.text(0.5, 0.5, words, transform=below.transAxes, ha="center", fontsize=8)
    return image


def _label_patches(axis, wheel):
    """Load and peak pressure: above the patch that reaches farthest ahead, below the others.

    While two zones merge, their readings stand at one place, each with a share of the load.
    """
    y0, x0, a, b, peak, load = (
        wheel[f"patch_{name}"].values
        for name in ("y_rail", "x_contact", "half_length", "half_width", "peak_pressure", "normal_force")
    )
    left = sorted(np.flatnonzero(load > 0.0), key=lambda p: -(x0[p] + a[p]))
    below = False
    while left:
        patch = left[0]
        same = [p for p in left if p == patch or abs(y0[p] - y0[patch]) < b[patch]]
        left = [p for p in left if p not in same]
        words = f"N = {load[same].sum() / 1e3:.1f} kN\np0 = {peak[patch] / 1e6:.0f} MPa"
        look = dict(textcoords="offset points", ha="center", fontsize=8, va="top" if below else "bottom")
        end = x0[patch] + (-a[patch] if below else a[patch])
        axis.annotate(words, (1e3 * y0[patch], 1e3 * end), xytext=(0, -6 if below else 6), **look)
        below = True


def _draw_patch(axis, wheel, patch, highest, ellipse):
    a, b = (float(wheel[f"patch_half_{name}"][patch]) for name in ("length", "width"))
    y0, peak = float(wheel.patch_y_rail[patch]), float(wheel.patch_peak_pressure[patch])
    x0 = float(wheel.patch_x_contact[patch])
    if not np.all(np.isfinite([a, b, x0, y0, peak])):
        raise FlexwheelError("results: place, size and pressure of a loaded contact patch must be finite numbers")
    if not ellipse:
        return None
    radius, angle = np.meshgrid(np.linspace(0.0, 1.0, 40), np.linspace(0.0, 2.0 * np.pi, 73))
    pressure = peak * np.sqrt(np.clip(1.0 - radius**2, 0.0, None)) / 1e6
    across, along = 1e3 * (y0 + b * radius * np.cos(angle)), 1e3 * (x0 + a * radius * np.sin(angle))
    look = dict(vmin=0.0, vmax=highest / 1e6, cmap="inferno", shading="gouraud")
    return axis.pcolormesh(across, along, pressure, **look)
