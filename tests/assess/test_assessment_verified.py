"""Evaluation after EN 14363 against a direct evaluation of the same signals, written here: equal to rounding.

Filters are the recursions of two second-order sections, means over 2 m are sums over trapezoids, percentiles stand in
the sorted samples, and the estimated maxima are those of a least-squares fit with numpy.linalg.
"""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import t as student

from flexwheel.assess.evaluate.en14363_evaluation import assess, instability, one_dimensional, two_dimensional
from flexwheel.assess.evaluate.en14363_limits import read_limits
from flexwheel.assess.evaluate.en14363_quantities import NAMES
from flexwheel.assess.evaluate.measured_points import MeasuredPoint
from flexwheel.assess.evaluate.section_statistics import section_statistics
from flexwheel.assess.evaluate.track_sections import AssessedSection, assessed_sections, track_sections
from flexwheel.results.dataset import make_dataset

STEP, SPEED, SETTLING = 2e-3, 25.0, 2.0
ROUNDING = 1e-9
"""The recursions sum 1e4 samples of 1e-16 each; beyond the filters' ends 1e-12 of what was cut off is left."""
TRACK = (
    AssessedSection("straight", 0.0, 700.0),
    AssessedSection("transition", 700.0, 760.0),
    AssessedSection("arc", 760.0, 1060.0, 500.0, 0.1),
    AssessedSection("transition", 1060.0, 1100.0),
    AssessedSection("arc", 1100.0, 1320.0, -450.0, 0.12),
    AssessedSection("arc", 1320.0, 1540.0, -420.0, 0.09),
    AssessedSection("straight", 1540.0, 3000.0),
)
WHEELS = ("front left", "front right")


@pytest.fixture(scope="module")
def run():
    random = np.random.default_rng(5)
    time = STEP * np.arange(1, round(100.0 / STEP) + 1)
    rough = lambda n: np.cumsum(random.standard_normal((len(time), n)), axis=0)  # noqa: E731
    noise = lambda n: rough(n) - np.linspace(0, 1, len(time))[:, None] * rough(n)[-1]  # noqa: E731
    force = np.zeros((len(time), 2, 3))
    force[:, :, 2] = 80e3 + 60.0 * noise(2) + 9e3 * random.standard_normal((len(time), 2))
    force[:, :, 1] = 15e3 + 40.0 * noise(2) + 5e3 * random.standard_normal((len(time), 2))
    s = np.zeros((len(time), 2, 3))
    s[:, 0, 0] = SPEED * time + 0.3 * np.sin(0.2 * time)
    s[:, 1, 0] = s[:, 0, 0] - 4.0
    turn, felt = random.standard_normal((len(time), 2, 3)), random.standard_normal((len(time), 2, 3))
    arrays = {
        "wheel_force": force, "body_position": s, "body_measured_acceleration": felt,
        "body_angular_acceleration": 0.1 * turn,
    }  # fmt: skip
    labels = {"time": time, "wheelset": ["front"], "body": ["front", "car"]}
    attributes = {
        "settling_s": SETTLING, "vehicle_kind": "coach", "static_wheel_load_n": np.array([78e3, 82e3]),
    }  # fmt: skip
    return make_dataset("vehicle", arrays, labels, attributes=attributes)


POINTS = (MeasuredPoint("car floor", "body", "car", (3.0, 0.0, -0.5)),)
LIMITS = read_limits("assumed", NAMES)


def low(values, hertz):
    """Second-order Butterworth recursion forward and backward, -3 dB at hertz after both."""
    k = np.tan(np.pi * hertz * STEP) / (2.0**0.5 - 1.0) ** 0.25
    a0 = 1.0 + 2.0**0.5 * k + k * k
    b, a1, a2 = k * k / a0, 2.0 * (k * k - 1.0) / a0, (1.0 - 2.0**0.5 * k + k * k) / a0
    for _ in range(2):
        out = np.zeros(len(values))
        x1 = x2 = y1 = y2 = values[0]
        for n, x in enumerate(values):
            y = b * (x + 2.0 * x1 + x2) - a1 * y1 - a2 * y2
            x2, x1, y2, y1 = x1, x, y1, y
            out[n] = y
        values = out[::-1]
    return values


def mean(values, s, rows):
    """Mean over 2 m about each of some samples, by trapezoids between the samples and both ends."""
    out = np.full(len(values), np.nan)
    for n in rows:
        a, b = s[n] - 1.0, s[n] + 1.0
        near = slice(n - 60, n + 61)  # 60 samples are 3 m
        here, there = s[near], values[near]
        inner = (here > a) & (here < b)
        x = np.concatenate([[a], here[inner], [b]])
        y = np.concatenate([[np.interp(a, here, there)], there[inner], [np.interp(b, here, there)]])
        out[n] = np.sum(0.5 * (y[1:] + y[:-1]) * np.diff(x)) / 2.0
    return out


def quantile(values, percent):
    """In the sorted samples, straight between neighbours."""
    values = np.sort(values)
    at = percent / 100.0 * (len(values) - 1)
    k = min(int(at), len(values) - 2)
    return values[k] + (at - k) * (values[k + 1] - values[k])


@pytest.fixture(scope="module")
def direct(run):
    """Filtered histories and place."""
    force = run.wheel_force.values.astype(float)
    y, q = ([low(force[:, w, c], 20.0) for w in range(2)] for c in (1, 2))
    felt = run.body_measured_acceleration.sel(body="car").values.astype(float)
    turn = run.body_angular_acceleration.sel(body="car").values.astype(float)
    yaw, roll = turn[:, 0], turn[:, 1]
    lateral = felt[:, 1] + yaw * 3.0 - roll * -0.5
    band = low(lateral, 10.0) - low(lateral, 0.4 * (2.0**0.5 - 1.0) ** 0.5)
    return {
        "s": run.body_position.values[:, 0, 0], "car": run.body_position.values[:, 1, 0] + 3.0, "Y": y, "Q": q,
        "lateral": band, "safety": low(lateral, 6.0),
    }  # fmt: skip


# sections by hand: 100 m in arcs of 400 to 600 m; a third one in 220 m would have to overlap by 40 m
ARCS = [(760.0, 100.0), (860.0, 100.0), (960.0, 100.0), (1100.0, 100.0), (1200.0, 100.0), (1320.0, 100.0),
        (1420.0, 100.0)]  # fmt: skip


@pytest.fixture(scope="module")
def found(run):
    return {(a.quantity.name, a.zone.name, a.item): a for a in assess(run, TRACK, SPEED, LIMITS, POINTS)}


def rows_of(s, start, length=100.0):
    return np.flatnonzero((s >= start) & (s < start + length))


def test_arcs_against_the_direct_evaluation(found, direct):
    s, y, q = direct["s"], direct["Y"], direct["Q"]
    outer = [1, 1, 1, 0, 0, 0, 0]  # wheel; the first arc turns left
    expected = {name: [] for name in ("q_max", "y_quasi_static", "y_over_q_2m", "sum_y_2m", "body_lateral",
                                      "body_lateral_rms", "body_lateral_safety")}  # fmt: skip
    for (start, length), w in zip(ARCS, outer, strict=True):
        rows = rows_of(s, start, length)
        expected["q_max"].append(quantile(q[w][rows], 99.85))
        expected["y_quasi_static"].append(quantile(y[w][rows], 50.0))
        expected["y_over_q_2m"].append(quantile(mean(y[w] / q[w], s, rows)[rows], 99.85))
        total = mean(y[0] - y[1], s, rows)[rows]
        expected["sum_y_2m"].append(max(abs(quantile(total, p)) for p in (0.15, 99.85)))
        rows = rows_of(direct["car"], start, length)
        here, safe = direct["lateral"][rows], direct["safety"][rows]
        expected["body_lateral"].append(max(abs(quantile(here, p)) for p in (0.15, 99.85)))
        expected["body_lateral_safety"].append(max(abs(quantile(safe, p)) for p in (0.15, 99.85)))
        expected["body_lateral_rms"].append(np.sqrt(np.mean(here**2)))
    items = {"sum_y_2m": "front", "q_max": "front outer", "y_quasi_static": "front outer",
             "y_over_q_2m": "front outer"}  # fmt: skip
    factors = {"sum_y_2m": 3.0, "y_over_q_2m": 3.0, "body_lateral_safety": 3.0, "y_quasi_static": 0.0}
    deficiency = [1.5 * SPEED**2 / 9.81 / r - h for r, h in ((500.0, 0.1), (450.0, 0.12), (420.0, 0.09))]
    x = np.repeat(deficiency, [3, 2, 2])
    for name, values in expected.items():
        a = found[name, "3", items.get(name, "car floor")]
        values = np.array(values)
        order = np.argsort([part.start for part in a.sections])
        np.testing.assert_allclose(a.values[order], values, rtol=ROUNDING, err_msg=name)
        k = factors.get(name, 2.2)
        spread = np.sqrt(np.sum((values - values.mean()) ** 2) / 6.0)
        np.testing.assert_allclose(a.maximum, values.mean() + k * spread, rtol=ROUNDING, err_msg=name)
        matrix = np.stack([np.ones(7), x], axis=1)
        fit, *_ = np.linalg.lstsq(matrix, values, rcond=None)
        rest = np.sum((values - matrix @ fit) ** 2) / 5.0
        at = np.array([1.0, max(deficiency)])
        share = 1.0 + at @ np.linalg.inv(matrix.T @ matrix) @ at
        wide = student.ppf(0.995 if k == 3.0 or name == "y_over_q_2m" else 0.975, 5) * np.sqrt(rest * share)
        np.testing.assert_allclose(a.regression, at @ fit + wide, rtol=1e-7, err_msg=name)


def test_limits(found):
    assert found["sum_y_2m", "3", "front"].limit == pytest.approx(10e3 + 160e3 / 3.0)
    assert found["y_over_q_2m", "3", "front outer"].limit == 0.8
    assert np.isnan(found["y_over_q_2m", "3", "front inner"].limit)
    radius = (3 * 500.0 + 2 * 450.0 + 2 * 420.0) / 7.0
    assert found["y_quasi_static", "3", "front outer"].limit == pytest.approx(30e3 + 10500e3 / radius)
    assert found["q_max", "3", "front outer"].limit == pytest.approx(172e3)  # Q0 of the wheel with more load


def test_straight_and_stretches(run, found, direct):
    """Sections of 250 m; the straight beyond the arcs ends where the run does, 2 m mean and filter."""
    s, q = direct["s"], direct["Q"]
    a = found["q_max", "1", "front left"]
    for part, value in zip(a.sections, a.values, strict=True):
        assert part.end - part.start == pytest.approx(250.0)
        np.testing.assert_allclose(value, quantile(q[0][rows_of(s, part.start, 250.0)], 99.85), rtol=ROUNDING)
    assert all(part.end <= 2500.0 for part in a.sections) and len(a.sections) >= 5
    statistics = {(x.signal, x.item, x.section.start): x for x in section_statistics(run, TRACK)}
    arc = statistics["Q", "front right", 1100.0]
    rows = rows_of(s, 1100.0, 220.0)
    figures = [arc.mean, arc.rms, arc.largest, arc.smallest, *arc.percentiles]
    here = q[1][rows]
    wanted = [here.mean(), np.sqrt(np.mean(here**2)), here.max(), here.min()]
    wanted += [quantile(here, p) for p in (0.15, 50.0, 99.85)]
    np.testing.assert_allclose(figures, wanted, rtol=ROUNDING)
    assert arc.samples == len(rows) and arc.largest_at == s[rows[np.argmax(here)]]


def test_instability_of_a_sine(run):
    """Sum Y of a sine of 3 Hz, 7 kN, far within its band of 4 Hz: rms 7/sqrt(2) over any 100 m."""
    still = run.copy(deep=True)
    still["wheel_force"].loc[{"force": "Y"}] = 0.0
    still["wheel_force"].loc[{"force": "Y", "wheel": "front left"}] = 7e3 * np.sin(6.0 * np.pi * run.time.values)
    (item,) = instability(still, LIMITS)
    gain = [1.0 / (1.0 + (2**0.5 - 1.0) * (3.0 / f) ** 4) for f in (5.0, (2**0.5 - 1.0) ** 0.5)]
    assert item.frequency == pytest.approx(3.0, abs=0.13)
    assert item.rms == pytest.approx(7e3 / np.sqrt(2.0) * (gain[0] - gain[1]), rel=5e-3)
    assert item.limit == pytest.approx(0.5 * (10e3 + 160e3 / 3.0))


def test_sections_are_cut_by_hand():
    """One more section where two share 20 % at most: 220 m hold three of 80 m (10 m shared), 205 m two and a rest."""
    arc = [AssessedSection("arc", 0.0, 200.0, 300.0, 0.1)]
    parts = assessed_sections(arc, 0.0, 200.0, 80.0)
    assert [(p.start, p.end) for p in parts] == [(0.0, 70.0), (65.0, 135.0), (130.0, 200.0)]
    assert [(p.start, p.end) for p in assessed_sections(arc, 0.0, 200.0, 80.0, overlap=0.0)] == [(0, 70), (70, 140)]
    assert [p.zone.name for p in parts] == ["4"] * 3
    straight = [AssessedSection("straight", 0.0, 1000.0)]
    assert len(assessed_sections(straight, 10.0, 990.0, 80.0, 0.0)) == 3
    assert len(assessed_sections(straight, 10.0, 990.0, 250.0, 0.0)) == 1


def test_sections_of_an_alignment():
    class Segment:
        def __init__(self, kind, length_m, radius_m=None, cant_mm=None):
            self.kind, self.length_m, self.radius_m, self.cant_mm = kind, length_m, radius_m, cant_mm

    layout = [Segment("straight", 10.0), Segment("transition", 50.0), Segment("arc", 200.0, -300.0, 120)]
    found, narrow = (
        track_sections(SimpleNamespace(track=SimpleNamespace(layout=layout), contact=SimpleNamespace(gauge_mm=gauge)))
        for gauge in (1435.0, 1000.0)
    )
    assert [(x.kind, x.start, x.end, x.outer) for x in found] == [
        ("straight", 0.0, 10.0, ""), ("transition", 10.0, 60.0, ""), ("arc", 60.0, 260.0, "left"),
    ]  # fmt: skip
    assert found[2].cant_deficiency(80 / 3.6) == pytest.approx(1.5 * (80 / 3.6) ** 2 / 9.81 / 300.0 - 0.12)
    assert narrow[2].cant_deficiency(80 / 3.6) == pytest.approx(1.065 * (80 / 3.6) ** 2 / 9.81 / 300.0 - 0.12)


def test_statistics_of_few_sections():
    assert one_dimensional(np.array([3.0]), 2.2) == 3.0
    assert np.isnan(two_dimensional(np.array([1.0, 1.0, 1.0]), np.array([1.0, 2.0, 3.0]), 1.0, 0.95))


@pytest.mark.filterwarnings("error")
def test_a_wheel_without_load_all_along_is_told_as_such(run):
    still = run.assign(wheel_force=0.0 * run.wheel_force)
    for x in section_statistics(still, TRACK):
        figures = x.mean, x.rms, *x.percentiles, x.largest
        assert np.all(np.isinf(figures) if x.signal == "Y/Q" else np.isfinite(figures))
