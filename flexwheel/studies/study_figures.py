"""Figures of a study: lines over one key, heat map over two, tornado over many, bands of every run."""

from pathlib import Path

import numpy as np

from flexwheel.assess.figures.style import COLOURS, footer_of, label, new_figure, save_figure
from flexwheel.base.output_files import file_stem, output_folder
from flexwheel.run.keys.section import UNITS

SCALES = {"N": (1e-3, "kN"), "Pa": (1e-6, "MPa"), "N m": (1e-3, "kN m"), "1": (1.0, "-")}
MOST_LINES = 8
BAND = "band"


def draw_study(dataset, folder):
    """Draw every figure of a study that has numbers, as its plan asks for, into a folder; returns the paths."""
    folder, made = output_folder(folder), []
    for name in dataset.data_vars:
        if not np.isfinite(dataset[name].values).any():
            continue
        for kind, figure in study_figures(dataset, name).items():
            made.append(save_figure(figure, folder / f"{file_stem(name)}_{kind}.png", footer=footer_of(dataset.attrs)))
    return made


def study_figures(dataset, name):
    """Kind -> figure of one figure of a study."""
    keys = [key for key in str(dataset.attrs["varied"]).split("\n") if key]
    if _band(dataset[name]):
        return {"bands": band_figure(dataset, name, keys[0])}
    grid = dataset.attrs["sampling"] in ("grid", "together")
    numbers = [key for key in keys if np.issubdtype(dataset[key].dtype, np.number)]
    if len(keys) == 1 and grid:
        return {"lines": line_figure(dataset, name, keys[0])}
    if len(keys) == 2 and dataset.attrs["sampling"] == "grid":
        first, second = (numbers + [key for key in keys if key not in numbers])[:2]
        return {"map": heat_figure(dataset, name, first, second), "lines": line_figure(dataset, name, first, second)}
    made = {"tornado": tornado_figure(dataset, name, keys)}
    return made | ({"points": point_figure(dataset, name, numbers)} if numbers and not grid else {})


def line_figure(dataset, name, over, parted=None):
    """A figure over one key, a line for each value of a second one, or for each wheel, node .. it is of."""
    figure, (axis,) = new_figure(1, f"{dataset.attrs['title']}: {name}")
    factor, unit = _scale(dataset, name)
    x = _numbers(dataset, over)
    if parted is None:
        values, names = _columns(dataset, name)
        lines = [(text, np.arange(len(x)), values[:, k]) for k, text in enumerate(names[:MOST_LINES])]
    else:
        worst = worst_of(dataset, name)
        part = dataset[parted].values
        lines = [
            (_text(dataset, parted, value), np.flatnonzero(part == value), worst)
            for value in _distinct(part)[:MOST_LINES]
        ]
    for k, (text, rows, values) in enumerate(lines):
        rows = rows[np.argsort(x[rows], kind="stable")]
        axis.plot(
            x[rows], factor * values[rows], "o-", color=COLOURS[k % len(COLOURS)], markersize=4, label=text or None
        )
    left = (len(names) if parted is None else len(_distinct(part))) - len(lines)
    _ticks(axis.xaxis, dataset, over)
    label(axis, _name(dataset, over) + (f"; {left} further lines are not drawn" if left else ""), f"{name} [{unit}]")
    return figure


def heat_figure(dataset, name, first, second):
    """A figure over two keys of a grid, the number in each field."""
    figure, (axis,) = new_figure(1, f"{dataset.attrs['title']}: {name}")
    factor, unit = _scale(dataset, name)
    values, columns, rows = factor * worst_of(dataset, name), dataset[first].values, dataset[second].values
    xs, ys = _distinct(columns), _distinct(rows)
    table = np.full((len(ys), len(xs)), np.nan)
    for k, value in enumerate(values):
        table[ys.index(rows[k]), xs.index(columns[k])] = value
    image = axis.imshow(table, origin="lower", aspect="auto", cmap="viridis")
    figure.colorbar(image, ax=axis).set_label(f"{name} [{unit}]", fontsize=9)
    if table.size <= 150:
        middle = 0.5 * (np.nanmin(table) + np.nanmax(table))
        for (j, i), value in np.ndenumerate(table):
            text = f"{value:.3g}" if np.isfinite(value) else "no figure"
            colour = "white" if np.isfinite(value) and value < middle else "black"
            axis.text(i, j, text, ha="center", va="center", fontsize=8, color=colour)
    axis.grid(False)
    axis.set_xticks(range(len(xs)), [_short(value) for value in xs])
    axis.set_yticks(range(len(ys)), [_short(value) for value in ys])
    label(axis, _name(dataset, first), _name(dataset, second), legend=False)
    return figure


def tornado_figure(dataset, name, keys):
    """How far a figure goes from end to end of each key, the longest bar on top.

    One at a time: the figure itself at both ends, the others as in the scenario. Grid: the mean over all other keys.
    Latin hypercube: the linear regression on all keys that are numbers; R^2 says what it explains.
    """
    factor, unit = _scale(dataset, name)
    values = factor * worst_of(dataset, name)
    middle, bars, words = effects(dataset, values, keys)
    figure, (axis,) = new_figure(1, f"{dataset.attrs['title']}: {name}; {words}", height=1.8 + 0.5 * len(bars))
    bars = sorted(bars, key=lambda bar: abs(bar[1] - bar[2]))
    for k, (_, low, high, ends) in enumerate(bars):
        for value, colour, end in ((low, COLOURS[0], ends[0]), (high, COLOURS[1], ends[1])):
            axis.barh(k, value - middle, left=middle, color=colour, height=0.6)
            side = "right" if value < middle or (value == middle and end is ends[0]) else "left"
            axis.annotate(
                end, (value, k), xytext=(-3 if side == "right" else 3, 0), textcoords="offset points", ha=side,
                va="center", fontsize=7, color=colour,
            )  # fmt: skip
    axis.axvline(middle, color="black", linewidth=0.8)
    axis.margins(x=0.15)
    axis.set_yticks(range(len(bars)), [_name(dataset, bar[0]) for bar in bars])
    label(axis, f"{name} [{unit}]; blue: lower end of the key, orange: upper end", legend=False)
    return figure


def effects(dataset, values, keys):
    """Middle of a tornado, (key, value at its lower end, at its upper end, names of the ends) and words on both."""
    good = np.isfinite(values)
    bars, numbers = [], [key for key in keys if np.issubdtype(dataset[key].dtype, np.number)]
    if dataset.attrs["sampling"] == "latin_hypercube" and numbers:
        points = np.stack([dataset[key].values[good] for key in numbers], axis=1)
        centre, matrix = points.mean(axis=0), np.column_stack([np.ones(good.sum()), points - points.mean(axis=0)])
        slope = np.linalg.lstsq(matrix, values[good], rcond=None)[0]
        rest = values[good] - matrix @ slope
        spread = np.var(values[good])
        explained = 1.0 - np.var(rest) / spread if spread > 0.0 else 1.0
        for k, key in enumerate(numbers):
            ends = points[:, k].min(), points[:, k].max()
            low, high = (slope[0] + slope[k + 1] * (end - centre[k]) for end in ends)
            bars.append((key, low, high, [_short(end) for end in ends]))
        return slope[0], bars, f"linear regression, R2 = {explained:.2f}"
    alone = dataset.attrs["sampling"] == "one_at_a_time"
    for key in keys:
        column = dataset[key].values
        given = good & np.array([not _own(value) for value in column])
        found = [(value, np.mean(values[given & (column == value)])) for value in _distinct(column[given])]
        if found:
            bars.append((key, found[0][1], found[-1][1], [_short(found[0][0]), _short(found[-1][0])]))
    base = good & np.array([all(_own(dataset[key].values[k]) for key in keys) for k in range(len(values))])
    middle = float(values[base][0]) if alone and base.any() else float(np.mean(values[good]))
    return middle, bars, "each key alone" if alone else "means over the other keys"


def point_figure(dataset, name, keys):
    """A figure of every run over each key that is a number."""
    keys = keys[:6]
    rows = -(-len(keys) // 2) if len(keys) > 2 else 1
    head = f"{dataset.attrs['title']}: {name}"
    figure, axes = new_figure(rows, head, 3.2 * rows + 1.0, -(-len(keys) // rows), share_x=False)
    factor, unit = _scale(dataset, name)
    for axis, key in zip(axes, keys, strict=False):
        axis.plot(_numbers(dataset, key), factor * worst_of(dataset, name), ".", color=COLOURS[0])
        label(axis, _name(dataset, key), f"{name} [{unit}]", legend=False)
    for axis in axes[len(keys) :]:
        axis.set_visible(False)
    return figure


def band_figure(dataset, name, over):
    """Third octaves of every run, coloured by the first key."""
    figure, (axis,) = new_figure(1, f"{dataset.attrs['title']}: {name}")
    factor, unit = _scale(dataset, name)
    array = dataset[name]
    band = _band(array)
    values = factor * array.max([dim for dim in array.dims if dim not in ("run", band)]).transpose("run", band).values
    part = dataset[over].values
    shown = _distinct(part)
    from matplotlib import colormaps

    for k in range(len(values)):
        where = shown.index(part[k]) if part[k] in shown else 0
        first = part[k] in shown and int(np.flatnonzero(part == part[k])[0]) == k and len(shown) <= MOST_LINES
        colour = colormaps["viridis"](0.9 * where / max(len(shown) - 1, 1))
        axis.loglog(dataset[band].values, values[k], "o-", color=colour, markersize=2.5, linewidth=0.9,
                    label=_text(dataset, over, part[k]) if first else None)  # fmt: skip
    label(axis, "mid-band frequency [Hz]", f"{name}, rms per third octave [{unit}]")
    return figure


def _band(array):
    """Dimension of the third octaves of a figure: `band`, or its own where others have other ones; None without."""
    return next((dim for dim in array.dims if dim.partition(" of ")[0] == BAND), None)


def worst_of(dataset, name):
    """Values (run,) of a figure: the largest of all wheels, nodes .. it is of, of `take = "min"` the smallest."""
    array = dataset[name]
    dims = [dim for dim in array.dims if dim != "run"]
    worst = array.min if array.attrs.get("take") == "min" else array.max
    return (worst(dims) if dims else array).values


def _columns(dataset, name):
    """Values (run, n) and a name for each column."""
    array = dataset[name]
    dims = [dim for dim in array.dims if dim != "run"]
    if not dims:
        return array.values[:, None], [""]
    stacked = array.stack(one=dims).transpose("run", "one")
    return stacked.values, [", ".join(map(str, names)) for names in stacked.one.values.tolist()]


def _numbers(dataset, key):
    """Values of a key, or the places 0, 1, .. of words."""
    values = dataset[key].values
    if np.issubdtype(values.dtype, np.number):
        return values
    shown = _distinct(values)
    return np.array([shown.index(value) for value in values], dtype=float)


def _ticks(axis, dataset, key):
    if not np.issubdtype(dataset[key].dtype, np.number):
        shown = _distinct(dataset[key].values)
        axis.set_ticks(range(len(shown)), [_short(value) for value in shown])


def _distinct(values):
    """Distinct values: numbers ascending, words in the order of the study."""
    found = list(dict.fromkeys(value for value in values.tolist() if not _own(value)))
    return found if any(isinstance(value, str) for value in found) else sorted(found)


def _own(value):
    """Whether a value is that of the scenario itself."""
    return value == "" or value != value


def _scale(dataset, name):
    unit = str(dataset[name].attrs.get("units", ""))
    return SCALES.get(unit, (1.0, unit))


def _words(dataset, key):
    """A column's name without the unit that ends it, and its unit: speed_kmh is speed and km/h."""
    unit = str(dataset[key].attrs.get("units", ""))
    ends = (f"_{end}" for end, of in UNITS.items() if of == unit)
    return key.removesuffix(next((end for end in ends if key.endswith(end)), "")).replace("_", " "), unit


def _name(dataset, key):
    words, unit = _words(dataset, key)
    return f"{words} [{unit}]" if unit else words


def _text(dataset, key, value):
    words, unit = _words(dataset, key)
    return f"{words} {_short(value)} {unit}".strip()


def _short(value):
    return Path(value).name if isinstance(value, str) else f"{value:.6g}"
