"""What pictures and tables say of their curves: one line a limit, branches that go on, titles that hold."""

from types import SimpleNamespace

import numpy as np
import pytest

from flexwheel.assess.figures import force_figures
from flexwheel.assess.figures.linear_figures import campbell_figure, whirl_branches
from flexwheel.studies.sweep_study import SPEED

SPEEDS = np.arange(2.0, 42.0, 2.0)  # [m/s]
TRUE = ((100.0, 2.0, 1.0), (150.0, -1.5, -1.0), (126.0, 0.0, 0.0), (300.0, 0.0, 0.0))
"""Frequency at rest [Hz], its rise with the speed [Hz s/m], direction: two that cross, a third between them."""


def whirls():
    rows = []
    for v in SPEEDS:
        found = sorted((f + rise * v, direction) for f, rise, direction in TRUE)
        rows.append(
            {"speed_m_s": v, "frequency_hz": [f for f, _ in found], "direction": [direction for _, direction in found]}
        )
    return rows


def test_branches_go_straight_where_they_cross():
    branches = sorted(whirl_branches(whirls()), key=lambda branch: branch[0, 1])
    assert len(branches) == len(TRUE)
    for branch, (f, rise, direction) in zip(branches, sorted(TRUE), strict=True):
        np.testing.assert_array_equal(branch[:, 0], SPEEDS)
        np.testing.assert_allclose(branch[:, 1], f + rise * SPEEDS, atol=1e-9)
        assert np.all(branch[:, 2] == direction)


def test_a_kind_of_whirl_has_one_name_and_its_points_are_joined():
    axis = campbell_figure(whirls(), 0.46, "test").axes[0]
    names = [text.get_text() for text in axis.get_legend().get_texts()]
    assert len(names) == len(set(names)) == 4
    assert [len(line.get_xdata()) for line in axis.lines] == [len(SPEEDS)] * (len(TRUE) + 3)


@pytest.mark.parametrize(
    ("limits", "names"),
    [
        ([60e3, 60e3, 60e3], ["limit 60.0 kN (words)"]),
        ([60e3, 60.5e3, 80e3], ["limits 60.0 to 60.5 kN (words)", "limit 80.0 kN"]),
    ],
)
def test_a_limit_is_named_once(limits, names, monkeypatch):
    place = np.linspace(0.0, 10.0, 50)
    quantities = SimpleNamespace(
        position=place, derailment_quotient=np.zeros((50, 6)), sum_lateral=np.zeros((50, 3)),
        sum_lateral_limit=np.array(limits), evaluated=np.ones(50, dtype=bool),
    )  # fmt: skip
    monkeypatch.setattr(force_figures, "safety_quantities", lambda results: quantities)
    monkeypatch.setattr(force_figures, "factor_words", lambda found: "words")
    wheelsets = SimpleNamespace(values=["a", "b", "c"])
    results = SimpleNamespace(wheel=SimpleNamespace(values=[f"{k}" for k in range(6)]), wheelset=wheelsets)
    axis = force_figures.safety_figure(results).axes[1]
    assert [text for text in (t.get_text() for t in axis.get_legend().get_texts()) if "limit" in text] == names
    drawn = {abs(line.get_ydata()[0]) for line in axis.lines if line.get_linestyle() == "--"}
    assert drawn == {limit / 1e3 for limit in limits}


@pytest.mark.parametrize(
    ("title", "kept"),
    [("AS4 railcar, 300 m curve, 80 km/h", "AS4 railcar, 300 m curve"), ("Coach at 4.4 m/s, worn", "Coach, worn"),
     ("Wagon 80, 300 m", "Wagon 80, 300 m")],
)  # fmt: skip
def test_a_title_of_several_speeds_names_none(title, kept):
    assert SPEED.sub("", title) == kept
