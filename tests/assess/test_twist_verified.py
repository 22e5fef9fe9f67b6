"""Wheel unloading on twisted track: a two-axle vehicle on springs in closed form; friction makes a hysteresis."""

import numpy as np
import pytest

from flexwheel.assess.twist import twist_test
from flexwheel.run.keys.reader import read_scenario
from tests.cli_cases import SCENARIO, VEHICLE, command

FRICTION = "friction_force_n = { value = 4.0e3"


SPRING = "[2.5e5, 2.5e5, 4.7e5]"


def scenario(tmp_path, friction, vertical=4.7e5):
    assert FRICTION in VEHICLE and SPRING in VEHICLE
    text = VEHICLE.replace(FRICTION, f"friction_force_n = {{ value = {friction}")
    (tmp_path / "v.toml").write_text(text.replace(SPRING, f"[2.5e5, 2.5e5, {vertical}]"))
    (tmp_path / "s.toml").write_text(SCENARIO.replace('file = "as4"', 'file = "v.toml"'))
    return tmp_path / "s.toml"


def test_springs_alone(tmp_path):
    """Each wheelset rolls by half the twist against the body: M = 2 k b^2 phi at the boxes, dQ = M/(2 y) at the wheels.

    k of two coil springs a box, b = 1.0075 m, y = 0.75 m. Taken for the difference of two stiffnesses, since the weight
    on the tilted wheelset, which also slides down within its clearance, takes nearly the same off both. What is left:
    the contacts stand up to 6 mm of 750 beside the tread datum, and the wheel with more load, whose normal leans by 1
    in 40 to 1 in 20, pushes the wheelset a little further: 1/40 of the change of load where it acts, 3 %.
    """
    twist = 3.765e-3
    found = twist_test(read_scenario(scenario(tmp_path, "1e-3")), 1e3 * twist)
    stiff = twist_test(read_scenario(scenario(tmp_path, "1e-3", 6.0e5)), 1e3 * twist)
    assert found.body_twist == pytest.approx(twist) and found.bogie_twist == 0.0 and found.body_length == 8.5
    share = 2.0 * 1.0075**2 * 0.5 * twist * 8.5 / 1.5**2 / found.level
    np.testing.assert_allclose(stiff.unloading - found.unloading, 2.0 * 1.3e5 * share, rtol=0.03)
    # weight on a tilted wheelset: beside the middle of the contacts by 6 mm and, where the body rests, on the upper
    # seats of the springs 0.76 m above the rails, by that times the tilt and the springs' shear under it
    tilt = 0.5 * twist * 8.5 / 1.5
    moment = found.level * 2.0 * (6e-3 + 0.76 * tilt + 2.0 * found.level * tilt / 1e6)
    assert np.all(found.unloading < 2.0 * 4.7e5 * share)
    assert np.all(found.unloading > 2.0 * 4.7e5 * share - moment / 1.5 / found.level)
    # the left front rail stands high: its wheel bears more, the other diagonal less
    full = found.loads[4] - found.level
    assert full[0] > 0.0 and full[1] < 0.0 and full[2] < 0.0 and full[3] > 0.0
    np.testing.assert_allclose(found.loads[4], found.loads[-1], rtol=1e-5)


def test_friction_leaves_a_hysteresis(tmp_path):
    """Level again, the friction of the dampers is left in the loads, to the other side after the other twist."""
    found = twist_test(read_scenario(scenario(tmp_path, "4e3")), body_permille=4.0)
    back, there = found.loads[8] - found.level, found.loads[16] - found.level
    assert found.share[8] == 0.0 == found.share[16] and found.body_twist == pytest.approx(4e-3)
    np.testing.assert_allclose(back, -there, atol=1.0)
    # vertical part of 4 kN at cos of 32 degrees, arms 1.1 and 0.75 m: 4 to 6 kN at most
    assert 1e3 < abs(back[0]) < 6e3
    np.testing.assert_allclose(found.loads.sum(axis=1), found.level.sum(), rtol=1e-6)


def test_command(tmp_path, capsys):
    given = "--body-twist-permille", "12", "--unloading-limit", "0.6"
    assert command("twist", scenario(tmp_path, "4e3"), *given) == 0
    text = capsys.readouterr().out
    assert "12 permille over 8.5 m" in text and "limit 0.6, as given" in text and "front left" in text
    assert command("twist", scenario(tmp_path, "4e3")) == 2
    assert "--body-twist-permille must be given: twist of the test over 8.5 m" in capsys.readouterr().err
    assert command("twist", scenario(tmp_path, "4e3", 1.5e6), "--body-twist-permille", "12") == 2
    told = capsys.readouterr().err
    assert "at 100 %, 51 mm of cross level: static equilibrium: wheel " in told and "leave" in told
    assert ("front right" in told or "rear left" in told) and "front left" not in told and "rear right" not in told
