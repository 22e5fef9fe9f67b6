"""Loaded wheelsets against the Manchester contact benchmark A-2.2 (CONTACT) and their own balance."""

import numpy as np
import pytest

from flexwheel.assess.wheelset_load import LoadCase, LoadedWheel, wheelset_load
from flexwheel.base.errors import ContactError
from flexwheel.contact.geometry import WheelPair
from flexwheel.contact.profiles.placement import place
from flexwheel.contact.profiles.rail_60e1 import rail_60e1, rail_uic60_manchester
from flexwheel.contact.profiles.s1002 import s1002
from flexwheel.verification.reference_rows import reference_rows
from flexwheel.verification.wheel_rail_benchmarks import benchmark_position

BENCHMARK = reference_rows("manchester_a22_left.csv")


@pytest.mark.parametrize("k", [0, 1, 7, 15])
def test_benchmark_left_wheel(k):
    found = benchmark_position(BENCHMARK[k], "left")
    assert abs(found["dx_mm"]) < 0.01 and abs(found["dy_mm"]) < 0.01
    assert found["creepage_error"] < 0.002
    assert found["force_error"] < (0.07 if k == 0 else 0.05)  # centred: a wide flat patch is no ellipse
    assert found["load_ratio"] == pytest.approx(1.0, abs=2e-3)


@pytest.mark.parametrize("exact", [True, False])
def test_right_wheel_is_the_mirror_image(exact):
    line = BENCHMARK[10]
    turned = dict(line)
    for name in ("y_ws_mm", "roll_rad", "yaw_rad", "y_cp_tr_mm", "ceta", "cphi_1_mm", "FS_N"):
        turned[name] = -line[name]
    left, right = benchmark_position(line, "left", exact), benchmark_position(turned, "right", exact)
    for name in ("dx_mm", "creepage_error", "force_error", "load_ratio"):
        assert right[name] == pytest.approx(left[name], rel=1e-6, abs=1e-9)
    assert right["dy_mm"] == pytest.approx(-left["dy_mm"], rel=1e-6, abs=1e-9)


@pytest.fixture(scope="module")
def wheels():
    rail = rail_60e1(1 / 40)
    pair = WheelPair(s1002(), rail, place(rail))
    return [LoadedWheel(pair, side, friction=0.3) for side in ("left", "right")]


def test_standing_wheelset_carries_its_loads_at_one_height(wheels):
    result = wheelset_load(*wheels, LoadCase(shift=3e-3, load_left=60e3, load_right=45e3), exact=False)
    left, right = result.wheels
    assert left.force[2] == pytest.approx(60e3, rel=1e-6) and right.force[2] == pytest.approx(45e3, rel=1e-6)
    assert result.roll > 0.0  # the left wheel climbs
    centre = [w.pose[2] - 0.75 * np.sin(s * result.roll) for w, s in ((left, 1.0), (right, -1.0))]
    assert centre[0] == pytest.approx(centre[1], abs=1e-7)


def test_free_rolling_wheelset_has_no_torque_about_its_axle(wheels):
    case = LoadCase(shift=2e-3, yaw=2e-3, speed=20.0, load_left=5e4, load_right=5e4)
    result = wheelset_load(*wheels, case, exact=False)
    fx = [wheel.force[0] * (0.46 - wheel.pose[2]) for wheel in result.wheels]
    assert abs(sum(fx)) < 0.02 * 0.3 * 1e5 * 0.46
    assert result.wheels[0].force[0] > 0.0 > result.wheels[1].force[0] or (
        result.wheels[0].force[0] < 0.0 < result.wheels[1].force[0]
    )
    assert result.spin == pytest.approx(20.0 / 0.46, rel=2e-3)


def test_two_patches_slide_each_for_itself():
    rail = rail_uic60_manchester(1 / 40)
    left = LoadedWheel(WheelPair(s1002(), rail, place(rail)), "left", friction=0.3)
    case = LoadCase(shift=5e-3, yaw=5e-3, speed=10.0, load_left=5e4)
    exact, runs = (wheelset_load(left, None, case, exact=choice).wheels[0].patches for choice in (True, False))
    runs = [patch for patch in runs if patch["share"] > 0.5]  # not the reading of both together, which has the rest
    for mine, other in zip(exact, runs, strict=True):
        # different normal models, the same slip: the larger radius at the gauge corner drags, the tread brakes
        assert mine["xi"] == pytest.approx(other["xi"], abs=3e-4)
        assert mine["phi"] == pytest.approx(other["phi"], rel=0.03)
        assert mine["force_x"] / mine["normal_force"] == pytest.approx(
            other["force_x"] / other["normal_force"], abs=0.02
        )
    assert exact[0]["xi"] * exact[1]["xi"] < 0.0


def test_curve_turns_the_longitudinal_creepages(wheels):
    straight = wheelset_load(*wheels, LoadCase(shift=0.0, speed=10.0), exact=False)
    left_turn = wheelset_load(*wheels, LoadCase(shift=0.0, speed=10.0, curvature=1 / 300), exact=False)
    xi = [result.wheels[0].patches[0]["xi"] - result.wheels[1].patches[0]["xi"] for result in (straight, left_turn)]
    # inner (left) wheel's path is shorter by 1.5 m / 300 m
    assert xi[1] - xi[0] == pytest.approx(-1.5 / 300, rel=0.03)


def test_negative_load_is_refused(wheels):
    with pytest.raises(ContactError, match="must be a positive number"):
        wheelset_load(*wheels, LoadCase(shift=0.0, load_left=-1.0))
