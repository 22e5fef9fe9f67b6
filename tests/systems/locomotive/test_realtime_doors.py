"""What a user may get wrong ends in one clear error; a failed step keeps the last good state."""

import math

import numpy as np
import pytest

from flexwheel.base.errors import ContactError, FlexwheelError, ScenarioError
from flexwheel.systems.locomotive import simulator
from flexwheel.systems.locomotive.build_locomotive import read_realtime_scenario
from flexwheel.systems.locomotive.contact_law import ContactLaw
from flexwheel.systems.locomotive.cubic_pieces import checked_pieces
from flexwheel.systems.locomotive.locomotive import build_locomotive
from flexwheel.systems.locomotive.locomotive_parameters import checked_parameters
from flexwheel.systems.locomotive.profile_pieces import read_profile_pieces
from flexwheel.systems.locomotive.rail_curves import DoubleTransition, rail_curves
from tests.systems.locomotive.realtime_support import EXAMPLE, locomotive

VEHICLE = EXAMPLE.parents[1] / "flexwheel" / "vehicle" / "files" / "feve3000.toml"


def test_wheel_off_its_profile_names_wheel_and_time_and_keeps_the_state():
    loco = locomotive("contact.flange_stiffness_n_m=0.0", "track.inclination=0.0", "run.speed_kmh=85.0")
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
    with pytest.raises(ContactError, match=r"wheel .* at t = .*normal force must be above 0, got -\d+ N"):
        loco.run(200)


def test_end_of_track():
    with pytest.raises(ContactError, match="beyond the end of the track"):
        locomotive("track.end_m=40.0").run(4000)


def test_missing_parameter_is_named():
    values = dict(read_realtime_scenario(EXAMPLE).values)
    del values["primary.k"]
    with pytest.raises(ScenarioError, match="'primary.k' must be given"):
        build_locomotive(values)


@pytest.mark.parametrize("name, value", [("wheelset.mass", -1.0), ("gravity", math.nan), ("wheelset.Izz", 1.0)])
def test_impossible_parameter(name, value):
    values = {**read_realtime_scenario(EXAMPLE).values, name: value}
    with pytest.raises(ScenarioError, match=name.split(".")[0]):
        build_locomotive(values)


def test_folding_spline_is_refused(tmp_path):
    with pytest.raises(ScenarioError, match="folds back at knot 2"):
        checked_pieces("wheel", [0.0, 0.1, 0.05], np.zeros((2, 4)))
    with pytest.raises(ScenarioError, match="value must not jump"):
        checked_pieces("wheel", [0.0, 0.1, 0.2], [[0, 0, 0, 0.5], [0, 0, 0, 0.6]])
    bad = tmp_path / "p.csv"
    bad.write_text("curve,u_start_m,u_end_m,a,b,c,d\nwheel,0,1,0,0,0,1\nwheel,0.5,2,0,0,0,1\n")
    with pytest.raises(ScenarioError, match="may not fold"):
        read_profile_pieces(bad)
    bad.write_text("curve,u_start_m,u_end_m,a,b,c,d\nwheel,0,1,0,x,0,1\n")
    with pytest.raises(ScenarioError, match=r"p\.csv:2"):
        read_profile_pieces(bad)


BAD = (
    ("run.step_s=0.0", "run.step_s must be at least"),
    ("run.step_s=1.0", "at most 0.02"),
    ("run.speed=3", "unknown key run.speed .*did you mean speed_kmh"),
    ("contact.shear_modulus='wrong'", "'right' or 'paper'"),
    ("contact.method='magic'", "imex"),
    ("contact.friction=-1.0", "friction"),
    ("track.end_m=-100.0", "track.end_m must be above the start of the rails"),
    ("track.knot_spacing_m=3.0", "sixth of the wave"),
    ("vehicle.file='nothing.toml'", "vehicle.file must be a file"),
    ("run.duration_s=nan", "finite"),
    ("run.motor_torque_nm='much'", "must be a number"),
    ("nonsense", "section.key=value"),
    # out of bounds
    ("track.knot_spacing_m=0", "track.knot_spacing_m must"),
    ("track.transition_length_m=0", "track.transition_length_m must"),
    ("track.end_m=1e300", "track.end_m must"),
    ("track.end_m=1e6", "at most 1000000 knots"),
    ("run.output_step_s=-1", "run.output_step_s must"),
    ("run.output_step_s=0", "run.output_step_s must"),
    ("run.output_step_s=1.5e-3", "whole multiple of step_s"),
    ("run.duration_s=1e18", "run.duration_s must"),
    ("run.duration_s=1e5", "expected 1 to 500000"),
    ("run.duration_s=0.001", "0 samples, expected 1"),
    ("run.speed_kmh=true", "must be a number"),
    ("title.x=1", "not a section"),
    ("kind='train'", "'realtime'"),
    ("vehicle.values={'contact.E'=0}", "'contact.E' must be 1e"),
    ("vehicle.values={'contact.nu'=0.5}", "'contact.nu' must be 0 to 0.499, got 0.5"),
    ("vehicle.values={'wheelset.mass'=-1}", "'wheelset.mass' must be .*got -1.0"),
    ("vehicle.values={'wheelset.Izz'=1.0}", "must be equal, because wheelset spins"),
    ("vehicle.values={'wheelset.mas'=1.0}", "must be a parameter in feve3000.toml, got 'wheelset.mas'"),
    ("vehicle.values={'wheelset.mass'='heavy'}", "must be a number"),
    ("assumed=3", "assumed must"),
)


@pytest.mark.parametrize("setting, said", BAD)
def test_bad_scenario(setting, said):
    """Those from "track.knot_spacing_m=0" on ended in tracebacks or were taken in silence before."""
    with pytest.raises(ScenarioError, match=said) as caught:
        read_realtime_scenario(EXAMPLE, [setting])
    assert "\n" not in str(caught.value)


def test_error_names_the_line(tmp_path):
    path = tmp_path / "s.toml"
    path.write_text(EXAMPLE.read_text().replace("speed_kmh = 85.32", "speed_kmh = 8532"))
    line = 1 + path.read_text().splitlines().index("speed_kmh = 8532")
    with pytest.raises(ScenarioError, match=rf"run\.speed_kmh must be at most .*s\.toml:{line}\)"):
        read_realtime_scenario(path)


def test_unknown_parameter_of_a_vehicle_file(tmp_path):
    file = tmp_path / "own.toml"
    file.write_text(VEHICLE.read_text() + '"primary.kk" = { value = 1.0, unit = "N/m", confidence = "published" }\n')
    with pytest.raises(ScenarioError, match=r"values\.primary\.kk is not a parameter.*own\.toml:\d+"):
        read_realtime_scenario(EXAMPLE, [f"vehicle.file='{file}'"])


def test_missing_parameter_of_a_vehicle_file(tmp_path):
    file = tmp_path / "own.toml"
    lines = VEHICLE.read_text().splitlines()
    file.write_text("\n".join(line for line in lines if not line.startswith('"contact.E"')) + "\n")
    with pytest.raises(ScenarioError, match=r"own\.toml: values\.contact\.E must be given"):
        read_realtime_scenario(EXAMPLE, [f"vehicle.file='{file}'"])


def test_a_cached_model_does_not_let_an_impossible_parameter_pass():
    values = dict(read_realtime_scenario(EXAMPLE).values)
    loco = locomotive("vehicle.values={'wheelset.mass'=1300.0}")
    assert loco.values["wheelset.mass"] == 1300.0
    with pytest.raises(ScenarioError, match=r"wheelset\.Ixx and wheelset\.Izz must be equal.*376.6 and 1\.0"):
        checked_parameters({**values, "wheelset.Izz": 1.0})


def test_a_run_is_cut_into_chunks_and_counts_every_step(monkeypatch):
    monkeypatch.setattr(simulator, "CHUNK", 70)
    cut, whole = locomotive(), locomotive()
    first = cut.run(300, 15, [0, 1])
    monkeypatch.setattr(simulator, "CHUNK", 20_000)
    second = whole.run(300, 15, [0, 1])
    assert first.shape == (20, 5) and np.array_equal(first, second)
    assert cut.run_counts == whole.run_counts
    assert cut.run_counts["steps"] == 300 and cut.time == pytest.approx(0.3)
    assert cut.run_counts["tangent_iterations"] >= first[:, 2].max()


def test_bad_inputs_and_states():
    loco = locomotive()
    with pytest.raises(FlexwheelError, match="must be one of"):
        loco.set_input("motor.front", 1.0)
    with pytest.raises(FlexwheelError, match="finite"):
        loco.set_motor_torque(math.inf)
    with pytest.raises(FlexwheelError, match="shape"):
        loco.restore_state(np.zeros(3))
    with pytest.raises(FlexwheelError, match="coordinate"):
        loco.index("nothing")


def test_rail_curves_are_as_wide_as_asked():
    rails = rail_curves(0.0, 400.0, 0.535, DoubleTransition(50.0, 60.0, 270.0))
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
