"""Plots and tables of a report: forces along the track, running safety, stress, spectra with their error bands."""

from dataclasses import replace

import numpy as np

from flexwheel.assess.convergence import SIGNALS, band_factor, signal_name
from flexwheel.assess.evaluate.measured_points import MeasuredPoint, stored
from flexwheel.assess.figures.report_blocks import Curve, Plot, ReportPicture, Table, Text
from flexwheel.assess.report_results import MOST_CURVES
from flexwheel.assess.surface_stress import hot_spots
from flexwheel.base.errors import FlexwheelError
from flexwheel.numerics.spectra import third_octaves
from flexwheel.results.evaluate.en14363 import DERAILMENT_LIMIT, factor_words
from flexwheel.results.evaluate.span import sample_step
from flexwheel.results.evaluate.stress_marks import node_marks
from flexwheel.results.evaluate.valid_band import band_lines, bound_of
from flexwheel.results.files import RESULTS_NAME, loaded

PLACE = "arc length of the leading wheelset [m]"
HOT_SPOTS = 10
DENSE = 6000  # samples of a curve above which it is a block of ink
ZOOM = 0.01  # of the run, to each side of the largest value
STRETCHES_OF_BAND = 300
BANDS = "shaded: what modes, step, rail, window and mesh mode change (convergence.nc)"


def assessed(run):
    """Table of what the run prints: forces of every wheel."""
    figures = run.statistics
    rows = [
        (str(wheel), f"{figures.vertical_mean[k] / 1e3:.2f}", f"{figures.vertical_max[k] / 1e3:.2f}",
         f"{figures.lateral_percentiles[2, k] / 1e3:.2f}", f"{figures.quotient_max[k]:.3f}")
        for k, wheel in enumerate(run.results.wheel.values)
    ]  # fmt: skip
    head = ("wheel", "Q mean [kN]", "Q max [kN]", "Y 99.85 % [kN]", "Y/Q max [-]")
    yield Table(f"Forces, 20 Hz, Y/Q as 2 m mean; from {figures.span_words}", head, tuple(rows))


def stretches(run):
    """Stretches of the track over arc length, as a Plot takes them."""
    first, last = (float(run.quantities.position[k]) for k in (0, -1))
    cut = [(part.kind, max(part.start, first), min(part.end, last)) for part in run.sections]
    return tuple(item for item in cut if item[2] > item[1])


def by_eight(plot):
    """A Plot as several with at most MOST_CURVES curves each."""
    parts = [plot.curves[k : k + MOST_CURVES] for k in range(0, len(plot.curves), MOST_CURVES)]
    for k, curves in enumerate(parts, 1):
        title = f"{plot.title} ({k} of {len(parts)})" if len(parts) > 1 else plot.title
        yield replace(plot, title=title, curves=curves)


def history_plots(run):
    """Q, Y, Y/Q and sum Y along the track, list of Plot."""
    return list(_history_plots(run))


def _history_plots(run):
    q, wheels, shaded = run.quantities, list(map(str, run.results.wheel.values)), stretches(run)

    def plot(title, label, columns, names, limits=()):
        counts = np.flatnonzero(q.evaluated)
        part = slice(counts[0], counts[-1] + 1) if len(counts) else slice(0, 0)
        curves = tuple(Curve(name, q.position[part], columns[part, k]) for k, name in enumerate(names))
        return Plot(title, PLACE, label, curves, limits=limits, stretches=shaded)

    yield plot("Vertical wheel forces, 20 Hz", "Q, downward [kN]", q.vertical / 1e3, wheels)
    yield plot("Lateral wheel forces, 20 Hz", "Y, to the field side [kN]", q.lateral / 1e3, wheels)
    limit = ((f"limit {DERAILMENT_LIMIT:g}", DERAILMENT_LIMIT),)
    yield plot("Derailment quotient, 2 m mean", "Y/Q [-]", q.derailment_quotient, wheels, limit)
    wheelsets = list(map(str, run.results.wheelset.values))
    least = float(np.min(q.sum_lateral_limit)) / 1e3
    limits = tuple((f"{s * least:.1f} kN ({factor_words(q)})", s * least) for s in (1.0, -1.0))
    yield plot("Sum of lateral forces, 2 m mean", "sum Y, to the left [kN]", q.sum_lateral / 1e3, wheelsets, limits)


def safety_tables(safety):
    """Statistics by stretch, evaluation after EN 14363, flange climb, ride, notes."""
    number = lambda x, f=1.0: f"{f * x:.3f}" if np.isfinite(x) else "-"  # noqa: E731
    rows = []
    for a in safety.assessments:
        f, unit = (1e-3, "kN") if a.quantity.unit == "N" else (1.0, a.quantity.unit.replace("1", "-"))
        verdict = "" if a.within is None else "within" if a.within else "EXCEEDED"
        cells = (number(x, f) for x in (np.mean(a.values), a.maximum, a.regression, a.limit))
        rows.append((a.zone.name, f"{a.quantity.symbol} [{unit}]", a.item, f"{len(a.values)}", *cells, verdict))
    head = ("zone", "quantity", "of", "sections", "mean", "1-D max", "2-D max", "limit", "verdict")
    if rows:
        yield Table("Evaluation after EN 14363 by test zone and section", head, tuple(rows))
        known = {}
        for a in safety.assessments:
            known[a.quantity.symbol] = a.quantity.basis, a.limit_source or known.get(a.quantity.symbol, ("", "-"))[1]
        rows = tuple((symbol, *said) for symbol, said in known.items())
        yield Table("Where the figures of EN 14363 are from", ("quantity", "signal", "limit"), rows)
    rows = []
    for s in safety.statistics:
        f, unit = (1e-3, "kN") if s.unit == "N" else (1.0, s.unit.replace("1", "-"))
        figures = (s.mean, *s.percentiles, s.largest)
        rows.append(
            (s.words(), f"{s.signal} [{unit}]", s.item, *(number(x, f) for x in figures), f"{s.largest_at:.1f}")
        )
    head = ("stretch", "signal", "of", "mean", "0.15 %", "50 %", "99.85 %", "max", "at [m]")
    yield Table("Statistics by stretch of the track, 20 Hz; Y/Q and sum Y 2 m mean", head, tuple(rows))
    rows = [
        (c.wheel, number(c.limit), number(c.largest), number(c.at), f"{c.times}", f"{1e3 * c.longest:.1f}")
        for c in safety.climbs
    ]
    head = ("wheel", "Nadal's limit", "largest Y/Q", "at [s]", "times above", "longest [ms]")
    yield Table("Flange climb, Y/Q as computed", head, tuple(rows))
    if safety.unloading:
        rows = [(wheel, number(share)) for wheel, share in safety.unloading]
        yield Table("Wheel unloading", ("wheel", "(Q0 - Q)/Q0, 20 Hz"), tuple(rows))
    rows = [(r.point, number(r.wz_lateral), number(r.wz_vertical), number(r.mean_comfort)) for r in safety.ride]
    if rows:
        yield Table("Ride", ("point", "Wz lateral", "Wz vertical", "N_MV"), tuple(rows))
    for note in safety.notes:
        yield Text(f"Note: {note}.")


def stress_blocks(run):
    """Control nodes, and what `flexwheel stress`, `fatigue` and `view` left in the folder of the results."""
    results = run.results
    if "von_mises" in results and results.sizes.get("control_node"):
        yield from _control_nodes(run)
    else:
        yield Text("The run has no control nodes.")
    stress, fatigue, deformed = (
        sorted((run.place / folder).glob(names))
        for folder, names in (("stress", "*.*"), ("fatigue", "*.png"), ("pictures", "deformed_*.png"))
    )
    results_file = run.place / RESULTS_NAME
    since = results_file.stat().st_mtime_ns if results_file.is_file() else 0
    old = [path for path in (*stress, *fatigue, *deformed) if path.stat().st_mtime_ns < since]
    if old:
        words = ", ".join(f"{path.parent.name}/{path.name}" for path in old)
        yield Text(f"Left out, older than {RESULTS_NAME} and so of another run: {words}. Make them again.")
    stress, fatigue, deformed = ([path for path in paths if path not in old] for paths in (stress, fatigue, deformed))
    envelopes = [path for path in stress if path.suffix == ".nc" and path.stem.startswith("stress")]
    for path in envelopes:
        yield from _envelope(path)
    if not envelopes and not old:
        yield Text("Stress of the whole wheelset: left out, the folder holds no stress/stress.nc (flexwheel stress).")
    if not fatigue and not old:
        yield Text("Fatigue: left out, the folder holds no fatigue/ (flexwheel fatigue).")
    for path in (*(path for path in stress if path.suffix == ".png"), *fatigue, *deformed):
        yield ReportPicture(f"{path.parent.name}/{path.name}", path.read_bytes())


def _control_nodes(run):
    try:
        after = run.after
    except FlexwheelError as error:
        yield Text(str(error))
        return
    rows, curves, marks = [], [], node_marks(after)
    place = after.body_position.sel(body=str(after.wheelset.values[0]), path="s").values
    spread = after.load_spread.values if "load_spread" in after.coords else np.zeros(after.sizes["control_node"])
    for i, node in enumerate(map(str, after.control_node.values)):
        for point in map(str, after.point.values):
            radial, stress = (
                after[name].sel(control_node=node, point=point).values for name in ("radial_displacement", "von_mises")
            )
            ends = [f"{1e6 * end(radial):.1f}" for end in (np.nanmin, np.nanmax)]
            ends += [f"{end(stress) / 1e6:.2f}" for end in (np.nanmin, np.nanmax)]
            rows.append((node + (" *" if spread[i] else ""), point, *ends, marks[i]))
            curves.append(Curve(f"{node}, {point}", place, stress / 1e6))
    head = ("control node", "point", "radial min [um]", "radial max [um]", "von Mises min [MPa]", "von Mises max [MPa]",
            "mark")  # fmt: skip
    words = "; *: the contact force is spread over nodes there" if np.any(spread) else ""
    yield Table(f"Control nodes after settling{words}", head, tuple(rows))
    label, each = "von Mises stress [MPa]", after.sizes["point"]
    for over, title in ((False, "Von Mises stress"), (True, "Von Mises stress where the contact force is spread")):
        chosen = tuple(curve for k, curve in enumerate(curves) if over == bool(spread[k // each]))
        for part in by_eight(Plot(title, PLACE, label, chosen, stretches=stretches(run))):
            yield from with_zoom(part)


def with_zoom(plot):
    """A Plot of fast histories as their mean within smallest and largest value, and what is about the largest one."""
    if all(len(curve.x) <= DENSE for curve in plot.curves):
        yield plot
        return
    top = max((c for c in plot.curves), key=lambda c: np.nanmax(c.y, initial=-np.inf))
    centre, half = float(top.x[np.nanargmax(top.y)]), ZOOM * float(top.x[-1] - top.x[0])
    low, high = (min(max(end, float(top.x[0])), float(top.x[-1])) for end in (centre - half, centre + half))
    yield replace(plot, title=f"{plot.title}, mean within smallest and largest", curves=tuple(map(_band, plot.curves)))
    parts = [(c, slice(*np.searchsorted(c.x, (low, high)))) for c in plot.curves]
    curves = tuple(replace(c, x=c.x[rows], y=c.y[rows]) for c, rows in parts)
    inside = tuple((kind, max(a, low), min(b, high)) for kind, a, b in plot.stretches if a < high and b > low)
    yield replace(plot, title=f"{plot.title}, about the largest value", curves=curves, stretches=inside)


def _band(curve):
    """A curve as the means of STRETCHES_OF_BAND equal parts within their smallest and largest values."""
    parts = np.array_split(np.arange(len(curve.x)), STRETCHES_OF_BAND)
    x, y, low, high = (np.array([of(values[part]) for part in parts]) for of, values in (
        (np.mean, curve.x), (np.nanmean, curve.y), (np.nanmin, curve.y), (np.nanmax, curve.y)))  # fmt: skip
    return replace(curve, x=x, y=y, low=low, high=high)


def _envelope(path):
    try:
        found = loaded(path)
        rows = []
        for k in hot_spots(found, HOT_SPOTS):
            at = found.isel(node=k)
            x, y, z = at.position.values
            rows.append((f"{int(at.node_id)}", f"{y:.4f}", f"{np.hypot(x, z):.4f}", f"{float(at.von_mises) / 1e6:.2f}",
                         f"{float(at.von_mises_time):.4f}", *node_marks(found.isel(node=[k]))))  # fmt: skip
    except (FlexwheelError, ValueError, KeyError, AttributeError, TypeError) as error:
        yield Text(f"{path.name}: not a file of this version of 'flexwheel stress': {error}")
        return
    head = ("node", "y [m]", "r [m]", "von Mises [MPa]", "at [s]", "mark")
    which = f"{found.attrs.get('wheelset', '')}: {found.attrs.get('point', '')} points, one node a ring"
    words = f"Largest stress of the whole surface over the run, wheelset {which}"
    yield Table(words, head, tuple(rows))


def spectrum_plots(run):
    """Third octaves of Q, Y, of axle boxes and of control nodes, with bounds where converge found them."""
    after, step = run.after, sample_step(run.results)
    yield Text(
        f"Third octaves over {float(after.time[0]):.2f} to {float(after.time[-1]):.2f} s; "
        + (BANDS if run.convergence is not None else "no error bands: no convergence.nc of this scenario in the folder")
        + "."
    )

    for line in band_lines(run.results):
        yield Text(f"{line[0].upper()}{line[1:]}.")

    def plot(title, label, columns, bound=None):
        curves = []
        for name, signal, values in columns:
            x, y = third_octaves(values, step)
            if run.convergence is not None and signal in run.convergence.signal.values:
                factor = np.interp(x, run.convergence.band.values, band_factor(run.convergence, signal))
                curves.append(Curve(name, x, y, y / factor, y * factor, dots=True))
            else:
                curves.append(Curve(name, x, y, dots=True))
        beyond = () if bound is None or bound.to_hz > x[-1] else (("not valid", bound.to_hz, float(x[-1])),)
        words = "mid-band frequency [Hz]"
        return Plot(title, words, label, tuple(curves), log_x=True, log_y=True, stretches=beyond)

    wheels = list(map(str, after.wheel.values))
    for force in ("Q", "Y"):
        columns = [
            (wheel, f"{force} {wheel}", after.wheel_force.sel(wheel=wheel, force=force).values) for wheel in wheels
        ]
        bound = bound_of(after.wheel_force.sel(force=force))
        yield from by_eight(plot(f"Wheel forces {force}", f"{force}, rms per band [N]", columns, bound))
    boxes = stored(after, [MeasuredPoint(f"{wheel} axle box", "box", wheel) for wheel in wheels])
    if boxes:
        columns = [(point.name, "", point.acceleration(after, "z")) for point in boxes]
        yield from by_eight(plot("Vertical acceleration of the axle boxes", "rms per band [m/s2]", columns))
    if "absolute_acceleration" in after and "control_node" in after.coords:
        words, columns = SIGNALS["absolute_acceleration"], []
        for node in map(str, after.control_node.values):
            for point in map(str, after.point.values):
                values = after.absolute_acceleration.sel(control_node=node, point=point, axis="z").values
                columns.append((f"{node}, {point}", signal_name(node, words, point, "z"), values))
        bound = bound_of(after.absolute_acceleration)
        yield from by_eight(plot("Radial acceleration of the control nodes", "rms per band [m/s2]", columns, bound))
