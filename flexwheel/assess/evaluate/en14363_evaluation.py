"""Evaluation of a run after EN 14363: every quantity in every section of its test zone, estimated maxima, limits.

Each signal is filtered over the whole run and read at the place of its own wheelset or body; a section counts for a
quantity where all of its samples have a value after settling. Outer and inner wheel of an arc are told apart by its
sense, so that arcs to both sides go together.
"""

from dataclasses import dataclass

import numpy as np
from scipy.stats import t as student

from flexwheel.assess.evaluate.en14363_limits import INSTABILITY, Circumstances, limit_of
from flexwheel.assess.evaluate.en14363_quantities import MAXIMUM_FACTORS, PROBABILITIES, QUANTITIES
from flexwheel.assess.evaluate.track_sections import OVERLAP, assessed_sections
from flexwheel.numerics.spectra import power_spectral_density
from flexwheel.results.evaluate.en14363 import (
    MEAN_LENGTH,
    PERCENTILES,
    band_pass,
    filter_length,
    inner_mean,
    mean_quotient,
    static_load,
    vehicle_factor_of,
)
from flexwheel.results.evaluate.span import sample_step, settling_of

LEAST_TWO_DIMENSIONAL = 3
"""Sections of at least two cant deficiencies that a regression with a deviation takes."""
WINDOW, PITCH = 100.0, 10.0  # [m] of the rms of the instability criterion
INSTABILITY_HALF_BAND = 2.0  # [Hz] about the frequency of the largest density
LEAST_HZ = 0.4  # of that band, as of the other high passes


@dataclass(frozen=True)
class AssessedQuantity:
    """One quantity of one wheel, wheelset or point in one zone."""

    quantity: object  # en14363_quantities.Quantity
    zone: object  # track_sections.TestZone
    item: str
    sections: tuple  # of track_sections.Assessed that count
    values: np.ndarray  # (n,) statistic of each
    maximum: float  # mean + k s; the mean of quasi-static quantities; the value itself of one section
    regression: float  # estimated maximum at the largest cant deficiency; nan where there is no regression
    limit: float  # nan where there is none
    limit_source: str

    @property
    def estimated(self):
        """The larger of both estimated maxima."""
        return float(np.nanmax([self.maximum, self.regression]))

    @property
    def within(self):
        """Whether the estimated maximum is within its limit; None where there is none."""
        return None if np.isnan(self.limit) else bool(self.estimated <= self.limit)


@dataclass(frozen=True)
class Instability:
    """Sliding rms of sum Y of a wheelset over 100 m about its own frequency."""

    wheelset: str
    frequency: float  # [Hz] of the largest density of sum Y below 10 Hz
    rms: float  # [N] largest
    limit: float  # [N]; nan where there is none
    windows: int


@dataclass(frozen=True)
class Signal:
    """One history and where it was taken."""

    item: str
    position: np.ndarray  # (T,) arc length [m]
    side: str  # left | right of a wheel, else empty
    load: tuple[float, float]  # at rest [N]: of its wheelset, of its wheel
    values: np.ndarray  # (T,)


def assess(results, sections, speed, limits, points=(), overlap=OVERLAP):
    """Assessments of a run, quantity after quantity, zone after zone.

    Parameters
    ----------
    results : Dataset
    sections : sequence of TrackSection
    speed : float [m/s]
    limits : tuple of en14363_limits.LimitRow
    points : sequence of measured_points.MeasuredPoint     where accelerations are taken
    overlap : float         of sections, as of `assessed_sections`

    Raises
    ------
    FlexwheelError  when samples are too far apart or the vehicle does not move forward

    Source: EN 14363 as far as it was read, see en14363_quantities and en14363_limits.
    """
    found, factor, kind = [], *vehicle_factor_of(results)
    parts = zone_sections(results, sections, speed, overlap)
    zones = list(dict.fromkeys(part.zone for part in parts))
    for quantity in QUANTITIES:
        for signal in filtered_signals(results, quantity, points):
            for zone in zones:
                chosen = [p for p in parts if p.zone == zone and (p.track.kind == "arc" or not quantity.arcs)]
                for item, wanted in _items(signal, chosen):
                    values = np.array([section_statistic(signal, part, quantity.statistic) for part in wanted])
                    counts = np.isfinite(values) | np.isinf(values)
                    if not np.any(counts):
                        continue
                    kept = tuple(part for part, here in zip(wanted, counts, strict=True) if here)
                    found.append((quantity, zone, item, signal.load, kept, values[counts]))
    return [_assessment(*row, (kind, factor, speed, limits)) for row in _joined(found)]


def zone_sections(results, sections, speed, overlap=OVERLAP):
    """Sections of EN 14363 that the whole vehicle runs over with values of the 20 Hz filter and the 2 m mean."""
    time = results.time.values
    start, end = settling_of(results) + filter_length(), time[-1] - filter_length()
    if end <= start:
        return []
    place = [results.body_position.sel(body=str(w), path="s").values for w in results.wheelset.values]
    first = max(np.interp(start, time, s) for s in place) + 0.5 * MEAN_LENGTH
    last = min(np.interp(end, time, s) for s in place) - 0.5 * MEAN_LENGTH
    return assessed_sections(sections, first, last, 3.6 * speed, overlap)


def filtered_signals(results, quantity, points=()):
    """Signals of a quantity, filtered and, where it asks so, averaged over its length; nan where they do not count."""
    step, time = sample_step(results), results.time.values
    after = settling_of(results) + filter_length(quantity.band[1])
    if quantity.band[0] > 0.0:
        after = settling_of(results) + filter_length(quantity.band[0])
    for signal in _raw(results, quantity.of, points, step):
        values = signal.values if quantity.of == "Y/Q" else band_pass(signal.values, step, *quantity.band)
        reach = np.interp(after, time, signal.position) + 0.5 * quantity.mean
        if quantity.mean > 0.0 and quantity.of != "Y/Q":
            values = inner_mean(values[:, None], signal.position, quantity.mean)[:, 0]
        yield Signal(
            signal.item, signal.position, signal.side, signal.load, np.where(signal.position >= reach, values, np.nan)
        )


def _raw(results, of, points, step):
    """Signals as they were stored; Y/Q as the mean of the quotient of its filtered forces."""
    load = static_load(results)
    at_rest = np.ravel(results.attrs.get("static_wheel_load_n", np.repeat(0.5 * load, 2)))
    for w, wheelset in enumerate(results.wheelset.values):
        position = results.body_position.sel(body=str(wheelset), path="s").values
        names = [f"{wheelset} left", f"{wheelset} right"]
        if of in ("Y", "Q", "Y/Q"):
            for side, name in zip(("left", "right"), names, strict=True):
                force = results.wheel_force.sel(wheel=name)
                own = (float(load[w]), float(at_rest[2 * w + (side == "right")]))
                if of == "Y/Q":
                    y, q = (band_pass(force.sel(force=f).values[:, None], step, 0.0, 20.0) for f in ("Y", "Q"))
                    values = mean_quotient(y, q, position)[:, 0]
                else:
                    values = force.sel(force=of).values
                yield Signal(name, position, side, own, values)
        elif of == "sum Y":
            left, right = (results.wheel_force.sel(wheel=name, force="Y").values for name in names)
            yield Signal(str(wheelset), position, "", (float(load[w]), 0.5 * float(load[w])), left - right)
    room, _, axis = of.partition(" ")
    for point in points:
        if point.room == room:
            values = point.acceleration(results, axis)
            yield Signal(point.name, point.position(results), "", (float(load[0]), 0.5 * float(load[0])), values)


def _items(signal, parts):
    """(name, sections) of one signal: a wheel as it is on straights, as outer and inner one in arcs."""
    if not signal.side:
        return [(signal.item, parts)]
    wheelset = signal.item.removesuffix(f" {signal.side}")
    straight = [part for part in parts if part.track.kind != "arc"]
    outer = [part for part in parts if part.track.outer == signal.side]
    inner = [part for part in parts if part.track.outer and part.track.outer != signal.side]
    return [(signal.item, straight), (f"{wheelset} outer", outer), (f"{wheelset} inner", inner)]


def section_statistic(signal, part, statistic):
    """Statistic of the samples of a signal within a section; nan where one of them has no value or there is none."""
    rows = slice(*np.searchsorted(signal.position, (part.start, part.end)))
    values = signal.values[rows]
    if not len(values) or np.any(np.isnan(values)):
        return np.nan
    if np.any(np.isinf(values)):
        return np.inf
    if statistic == "rms":
        return float(np.sqrt(np.mean(values**2)))
    low, middle, high = np.percentile(values, PERCENTILES)
    return float({"upper": high, "median": middle, "extreme": max(abs(low), abs(high))}[statistic])


def one_dimensional(values, factor):
    """Estimated maximum: mean + factor s of the sections' values (n,), s with n - 1; the value itself of one."""
    return float(np.mean(values) + (factor * np.std(values, ddof=1) if len(values) > 1 and factor else 0.0))


def two_dimensional(x, values, at, probability):
    """Estimated maximum of a linear regression of the sections' values (n,) over x (n,) at a place; nan: no regression.

    y + t s sqrt(1 + 1/n + (at - mean x)^2 / sum (x - mean x)^2), s with n - 2, t two-sided of n - 2 degrees of freedom.
    """
    count = len(values)
    spread = np.sum((x - np.mean(x)) ** 2)
    if count < LEAST_TWO_DIMENSIONAL or not spread > 1e-12 * np.sum(np.square(x)) or not np.all(np.isfinite(values)):
        return np.nan
    slope = np.sum((x - np.mean(x)) * (values - np.mean(values))) / spread
    rest = values - np.mean(values) - slope * (x - np.mean(x))
    deviation = np.sqrt(np.sum(rest**2) / (count - 2))
    away = at - np.mean(x)
    width = student.ppf(0.5 + 0.5 * probability, count - 2) * deviation
    return float(np.mean(values) + slope * away + width * np.sqrt(1.0 + 1.0 / count + away**2 / spread))


def _joined(rows):
    """Rows of one quantity, zone and item as one: an outer wheel is a left one here and a right one there."""
    out = {}
    for quantity, zone, item, load, parts, values in rows:
        key = quantity.name, zone.name, item
        if key in out:
            old = out[key]
            out[key] = (*old[:3], tuple(map(max, load, old[3])), (*old[4], *parts), np.append(old[5], values))
        else:
            out[key] = (quantity, zone, item, load, parts, values)
    return out.values()


def _assessment(quantity, zone, item, load, parts, values, run):
    kind, factor, speed, limits = run
    arcs = [abs(part.track.radius) for part in parts if part.track.outer]
    here = Circumstances(kind, factor, 3.6 * speed, float(np.mean(arcs)) if arcs else np.inf, *load)
    k = 0.0 if quantity.statistic == "median" else MAXIMUM_FACTORS[quantity.group]
    deficiency = np.array([part.track.cant_deficiency(speed) if part.track.outer else 0.0 for part in parts])
    two = two_dimensional(deficiency, values, deficiency.max(), PROBABILITIES[quantity.group])
    inner = item.endswith(" inner") and quantity.of in ("Y", "Y/Q")
    limit, source = (np.nan, "") if inner else limit_of(limits, quantity.name, here)
    return AssessedQuantity(quantity, zone, item, parts, values, one_dimensional(values, k), two, limit, source)


def instability(results, limits):
    """Instability of every wheelset whose samples reach over 100 m: rms of sum Y about its frequency, sliding."""
    step, out = sample_step(results), []
    factor, kind = vehicle_factor_of(results)
    from_time = settling_of(results)
    for signal in _raw(results, "sum Y", (), step):
        settled = results.time.values > from_time
        frequency, density = power_spectral_density(signal.values[settled], step, 0.25)
        band = (frequency >= 0.5) & (frequency <= 10.0)
        if not np.any(band):
            continue
        main = float(frequency[band][np.argmax(density[band])])
        low = max(main - INSTABILITY_HALF_BAND, LEAST_HZ)
        values = band_pass(signal.values, step, low, main + INSTABILITY_HALF_BAND)
        counts = np.isfinite(values) & settled
        if not np.any(counts):
            continue
        position, square = signal.position[counts], values[counts] ** 2
        starts = np.arange(position[0], position[-1] - WINDOW, PITCH)
        ends = np.searchsorted(position, np.stack([starts, starts + WINDOW]))
        rms = [np.sqrt(np.mean(square[a:b])) for a, b in ends.T]
        if rms:
            limit, _ = limit_of(limits, INSTABILITY, Circumstances(kind, factor, axle_load=signal.load[0]))
            out.append(Instability(signal.item, main, float(max(rms)), limit, len(rms)))
    return out
