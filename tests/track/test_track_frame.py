"""Any alignment: the frame's derivatives are what the kernel says; wrong input is refused with what was expected."""

import numpy as np
import pytest

from flexwheel.base.errors import ScenarioError
from flexwheel.track.layout import make_layout, track_frame
from flexwheel.track.segments import Arc, GradeChange, Straight, Transition


def frame(layout, s):
    position, rotation, kappa, dkappa = np.zeros(3), np.zeros((3, 3)), np.zeros(3), np.zeros(3)
    track_frame(layout, s, position, rotation, kappa, dkappa)
    return position, rotation, kappa, dkappa


def skew(k):
    return np.array([[0.0, -k[2], k[1]], [k[2], 0.0, -k[0]], [-k[1], k[0], 0.0]])


@pytest.mark.parametrize("about", ["centre_line", "low_rail"])
@pytest.mark.parametrize("seed", range(4))
def test_derivatives(about, seed):
    random = np.random.default_rng(seed)
    turn = random.choice(["left", "right"], 2)
    layout = make_layout(
        [
            Straight(random.uniform(5, 40)),
            Transition(random.uniform(20, 60)),
            Arc(random.uniform(30, 100), random.uniform(50, 400), turn[0], random.uniform(-50, 150)),
            Transition(random.uniform(20, 60)),
            Arc(random.uniform(30, 100), random.uniform(50, 400), turn[1], random.uniform(-50, 150)),
            Transition(random.uniform(20, 60)),
            Straight(60.0),
        ],
        grades=[GradeChange(60.0, random.uniform(-40, 40), 50.0), GradeChange(150.0, random.uniform(-40, 40), 60.0)],
        cant_about=about,
        cant_smoothing=random.uniform(2.0, 6.0),
    )
    h = 1e-3
    checked = 0
    for s in random.uniform(1.0, layout.length - 1.0, 300):
        if np.min(np.abs(layout.start - s)) < 3.0 * h:
            continue
        checked += 1
        near = [frame(layout, s + k * h) for k in (-2, -1, 0, 1, 2)]
        position, rotation, kappa, dkappa = near[2]

        def slope(i, near=near):
            return (near[0][i] - 8.0 * near[1][i] + 8.0 * near[3][i] - near[4][i]) / (12.0 * h)

        np.testing.assert_allclose(slope(0), rotation[:, 0], rtol=0, atol=1e-9, err_msg="rounding of 300 m over h")
        np.testing.assert_allclose(slope(1), rotation @ skew(kappa), rtol=0, atol=1e-11)
        np.testing.assert_allclose(slope(2), dkappa, rtol=0, atol=1e-12)
        np.testing.assert_allclose(rotation.T @ rotation, np.eye(3), rtol=0, atol=1e-15)
    assert checked > 250


@pytest.mark.parametrize("grades", [[], [GradeChange(70.0, 10.0, 40.0)]])
def test_continuous_at_every_joint(grades):
    layout = make_layout(
        [Straight(10.0), Transition(30.0), Arc(50.0, 200.0, "left", 90.0), Transition(30.0), Straight(30.0)],
        grades=grades,
    )
    smooth = slice(0, 1) if grades else slice(0, 3)  # a parabola begins with its full curvature: kappa_y, kappa_z jump
    for s in layout.start[1:-1]:
        before, after = frame(layout, s - 1e-9), frame(layout, s + 1e-9)
        np.testing.assert_allclose(before[0], after[0], rtol=0, atol=3e-9, err_msg="2e-9 m further on")
        np.testing.assert_allclose(before[1], after[1], rtol=0, atol=1e-10)
        np.testing.assert_allclose(before[2][smooth], after[2][smooth], rtol=0, atol=1e-11)


@pytest.mark.parametrize(
    "make, words",
    [
        (lambda: Straight(-1.0), "length_m must be a positive number, got -1.0"),
        (lambda: Transition(float("nan")), "positive"),
        (lambda: Arc(10.0, 5.0, "left"), "at least 25"),
        (lambda: Arc(10.0, 300.0, "up"), "'left' or 'right'"),
        (lambda: Arc(10.0, 300.0, "left", 900.0), "cant_mm"),
        (lambda: GradeChange(10.0, 5.0, 0.0), "positive"),
        (lambda: GradeChange(10.0, 500.0, 10.0), "slope_permille"),
        (lambda: make_layout([]), "a segment or more"),
        (lambda: make_layout([Transition(10.0), Straight(10.0)]), "both sides"),
        (lambda: make_layout([Straight(10.0), Transition(9.0), Transition(9.0), Straight(10.0)]), "both sides"),
        (lambda: make_layout([Straight(10.0), Arc(20.0, 300.0, "left", 100.0)]), "cant jumps"),
        (lambda: make_layout([Straight(90.0)], grades=[GradeChange(5.0, 5.0, 20.0)]), "vertical curve 0"),
        (lambda: make_layout([Straight(90.0)], cant_about="rail"), "cant_about"),
        (lambda: make_layout([Straight(90.0)], cant_base=float("nan")), "cant_base"),
        (
            lambda: make_layout(
                [Straight(9.0), Transition(9.0), Arc(9.0, 300.0, "left", 50.0), Transition(9.0), Straight(9.0)],
                cant_smoothing=10.0,
            ),
            "cant_smoothing",
        ),
    ],
)
def test_refused(make, words):
    with pytest.raises(ScenarioError, match=words):
        make()
