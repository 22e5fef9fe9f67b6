"""What a user may get wrong ends in one clear error; a failed step keeps the last good state."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "verification"))
from realtime_support import EXAMPLE, locomotive

from flexwheel.errors import ContactError, FlexwheelError, ScenarioError
from flexwheel.io.realtime_scenario import is_realtime_scenario, read_realtime_scenario
from flexwheel.realtime.cubic_pieces import checked_pieces, mirrored, spline_through
from flexwheel.realtime.locomotive import build_locomotive
from flexwheel.realtime.rail_curves import rail_curves
from flexwheel.realtime.simulator import ContactLaw
from flexwheel.vehicles.profile_pieces import read_profile_pieces


def test_wheel_off_its_profile_names_wheel_and_time_and_keeps_the_state():
    loco = locomotive("contact.flange_stiffness=0.0", "track.inclination=0.0", "run.speed_kmh=85.0")
    with pytest.raises(FlexwheelError, match=r"(wheel (front|rear)\.\d (left|right) at )?t = \d+\.\d+ s"):
        loco.run(30_000)
    kept = loco.save_state()
    assert np.isfinite(kept).all()
    assert loco.normal_forces.min() > 0.0
    assert loco.time > 0.1
    with pytest.raises(FlexwheelError, match="last good state kept"):
        loco.run(10)
    assert np.array_equal(loco.save_state(), kept)


def test_lifted_wheel_is_named():
    loco = locomotive("track.amplitude_mm=0.0")
    loco.qd[loco.index("roll")] = 3.0
    with pytest.raises(ContactError, match=r"wheel .* at t = .*normal force -\d+ N"):
        loco.run(200)


def test_end_of_track():
    with pytest.raises(ContactError, match="beyond the end of the track"):
        locomotive("track.end_m=40.0").run(4000)


def test_missing_parameter_is_named():
    values = dict(read_realtime_scenario(EXAMPLE).values)
    del values["primary.k"]
    with pytest.raises(ScenarioError, match="'primary.k' is missing"):
        build_locomotive(values)


@pytest.mark.parametrize("name, value", [("wheelset.mass", -1.0), ("gravity", math.nan), ("wheelset.Izz", 1.0)])
def test_impossible_parameter(name, value):
    values = {**read_realtime_scenario(EXAMPLE).values, name: value}
    with pytest.raises(ScenarioError, match=name.split(".")[0]):
        build_locomotive(values)


def test_folding_spline_is_refused(tmp_path):
    with pytest.raises(ScenarioError, match="folds back at knot 2"):
        checked_pieces("wheel", [0.0, 0.1, 0.05], np.zeros((2, 4)))
    with pytest.raises(ScenarioError, match="folds back at point 3"):
        spline_through("wheel", [0.0, 0.1, 0.05, 0.2], np.zeros(4))
    with pytest.raises(ScenarioError, match="value jumps"):
        checked_pieces("wheel", [0.0, 0.1, 0.2], [[0, 0, 0, 0.5], [0, 0, 0, 0.6]])
    bad = tmp_path / "p.csv"
    bad.write_text("curve,u_start_m,u_end_m,a,b,c,d\nwheel,0,1,0,0,0,1\nwheel,0.5,2,0,0,0,1\n")
    with pytest.raises(ScenarioError, match="may not fold"):
        read_profile_pieces(bad)
    bad.write_text("curve,u_start_m,u_end_m,a,b,c,d\nwheel,0,1,0,x,0,1\n")
    with pytest.raises(ScenarioError, match=r"p\.csv:2"):
        read_profile_pieces(bad)


def test_mirrored_profile():
    pieces = spline_through("wheel", [0.0, 0.1, 0.3, 0.4, 0.6], [1.0, 1.2, 0.9, 1.1, 1.0])
    u = np.linspace(0.01, 0.59, 50)
    assert mirrored(pieces)(-u) == pytest.approx(pieces(u), rel=1e-12)


@pytest.mark.parametrize(
    "setting, said",
    [
        ("run.time_step_s=0.0", "expected more than 0"),
        ("run.time_step_s=1.0", "expected at most 0.02"),
        ("run.speed=3", "unknown key run.speed"),
        ("contact.shear_modulus='wrong'", "right or paper"),
        ("contact.method='magic'", "imex"),
        ("contact.friction=-1.0", "friction"),
        ("track.end_m=-100.0", "expected more than its start"),
        ("track.knot_spacing_m=3.0", "sixth of the wave"),
        ("vehicle.file='nothing.toml'", "not found"),
        ("run.duration_s=nan", "finite"),
        ("run.motor_torque_Nm='much'", "expected a value like"),
        ("nonsense", "section.key=value"),
    ],
)
def test_bad_scenario(setting, said):
    with pytest.raises(ScenarioError, match=said):
        locomotive(setting)


def test_bad_inputs_and_states():
    loco = locomotive()
    with pytest.raises(FlexwheelError, match="expected one of"):
        loco.set_input("motor.front", 1.0)
    with pytest.raises(FlexwheelError, match="finite"):
        loco.set_motor_torque(math.inf)
    with pytest.raises(FlexwheelError, match="shape"):
        loco.restore_state(np.zeros(3))
    with pytest.raises(FlexwheelError, match="coordinate"):
        loco.index("nothing")


def test_kind_of_file(tmp_path):
    assert is_realtime_scenario(EXAMPLE)
    other = tmp_path / "x.toml"
    other.write_text("not toml at all [")
    assert not is_realtime_scenario(other)
    assert not is_realtime_scenario(tmp_path / "missing.toml")


def test_rail_curves_are_as_wide_as_asked():
    rails = rail_curves(
        start=0.0, end=400.0, half_spacing=0.535, shift=50.0, transition_start=60.0, transition_length=270.0
    )
    s = np.linspace(5.0, 395.0, 200)
    left, right = rails.evaluate(0, s), rails.evaluate(1, s)
    assert np.hypot(*(left - right)[:2]) == pytest.approx(1.07, rel=1e-5)  # cubic interpolation
    assert ContactLaw(1.0, 0.3).friction == 0.0


def test_inputs_drive_and_brake():
    speeds = {}
    for torque, brake in ((0.0, 0.0), (800.0, 0.0), (0.0, 800.0)):
        loco = locomotive("track.shift_m=0.0", "track.amplitude_mm=0.0")
        loco.set_motor_torque(torque)
        loco.set_brake_torque(brake)
        loco.run(2000)
        speeds[torque, brake] = loco.qd[0]
    # force = torque x gear ratio / radius on two axles, torque / radius on four; 34.25 t and some rotating inertia
    assert speeds[800.0, 0.0] - speeds[0.0, 0.0] == pytest.approx(2 * 800 * 4.25 / 0.5 / 34250 * 2.0, rel=0.08)
    assert speeds[0.0, 0.0] - speeds[0.0, 800.0] == pytest.approx(4 * 800 / 0.5 / 34250 * 2.0, rel=0.08)
