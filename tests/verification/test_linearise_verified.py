"""Linear analysis against closed forms: Klingel 1883, suspended conical wheelset, spinning free body; and time runs."""

import json
import sys
from dataclasses import replace

import numpy as np
import pytest

from flexwheel.assess.linear_analysis import analyse, running_at
from flexwheel.assess.linearise import critical_speed, dominant_coordinates, eigenvalues
from flexwheel.base.gravity import GRAVITY
from flexwheel.face.cli import main
from flexwheel.run.build.vehicle_on_track import vehicle_on_track
from flexwheel.run.keys.reader import read_scenario
from flexwheel.vehicle.step.assemble import make_state
from flexwheel.vehicle.step.growth import growing
from flexwheel.vehicle.step.rigid_linear import cone_contact, slow_running, wheel_loads
from flexwheel.vehicle.step.rigid_vehicle import RigidVehicle
from flexwheel.vehicle.suspension_linear import linear_elements
from flexwheel.verification.rigid_limit import (
    SMALL,
    SUSPENDED,
    closed_form_critical_speed,
    computed_critical_speed,
    formula_contact,
    growth_of_run,
    hunting,
    klingel_wavelength,
)
from flexwheel.verification.single_wheelset import SingleWheelset, kalker_creep, linear_model, scaled
from tests import rooms


def test_closed_form_is_the_tabulated_one():
    assert closed_form_critical_speed(SUSPENDED) == pytest.approx(65.764189, rel=1e-6)
    assert klingel_wavelength(0.46, 0.75, 0.05) == pytest.approx(16.505, rel=1e-4)


@pytest.mark.parametrize("conicity", [1.0 / 40.0, 0.05, 0.10])
def test_klingel_wavelength(conicity):
    case = SingleWheelset(radius=0.46, conicity=conicity)
    value = hunting(case, 1.0)
    # the touching point moves on a rail of 10 mm radius as the wheelset rolls: R lambda / b = 0.13 % at most
    assert 2.0 * np.pi / value.imag == pytest.approx(klingel_wavelength(0.46, 0.75, conicity), rel=0.002)


def test_critical_speed_with_the_formulas_contact():
    linear = linear_model(SUSPENDED, 60.0)
    found = critical_speed(lambda v: formula_contact(linear, SUSPENDED, v), 30.0, 120.0, 1e-3)
    assert found == pytest.approx(closed_form_critical_speed(SUSPENDED), rel=1e-4)  # bisection to 1e-3 m/s


def test_critical_speed_of_the_contact_kernels_in_the_formulas_configuration():
    found = computed_critical_speed(scaled(SUSPENDED, SMALL))
    # left over: a tenth of the weight's gravity stiffness, roll of 0.2 %
    assert found == pytest.approx(closed_form_critical_speed(SUSPENDED), rel=0.005)


@pytest.mark.parametrize("creep", [SUSPENDED.creep, kalker_creep(1e7)], ids=["f11 = f22", "Kalker with spin"])
def test_growth_of_a_time_run_is_the_eigenvalue(creep):
    case = replace(SUSPENDED, gravity=9.81, carried=100e3, spin_inertia=100.0, creep=creep)
    value = hunting(case, 50.0)
    found = growth_of_run(case, 50.0)
    assert found.imag == pytest.approx(value.imag, rel=3e-4)
    assert found.real == pytest.approx(value.real, abs=3e-4 * abs(value))


def test_shapes_are_named_by_what_moves_most():
    linear = linear_model(SUSPENDED, 60.0)
    values, shapes = eigenvalues(linear)
    names, share = dominant_coordinates(linear, shapes)
    swing = np.flatnonzero(values.imag > 1e-3)
    least = swing[np.argmin(np.abs(values[swing].imag))]
    assert names[least] == "wheelset lateral"
    bounce = swing[np.argmax([names[k] == "wheelset vertical" for k in swing])]
    assert share[bounce] > 0.99


def test_json_keys(capsys):
    arguments = ["eigen", "examples/as4_curve.toml", "--set", "wheelset.front.formulation=rigid", "--json"]
    arguments += ["--set", "track.model=massless", "--speeds-kmh", "30,60", "--no-critical"]
    try:
        main(arguments)
    except SystemExit as stop:
        assert not stop.code
    found = json.loads(capsys.readouterr().out)
    keys = {"speeds_m_s", "rails", "friction_dampers", "elements", "warnings", "oscillations", "critical_speed_m_s"}
    keys |= {"campbell", "receptance", "growing", "critical_speed_reason"}
    assert set(found) == keys
    assert found["critical_speed_m_s"] is None
    assert found["campbell"] == {}
    for speed, row in zip(found["speeds_m_s"], found["oscillations"], strict=True):
        assert set(row) == {"speed_m_s", "frequency_hz", "damping_ratio", "dominant", "share"}
        assert row["speed_m_s"] == speed
        assert len({len(row[key]) for key in ("frequency_hz", "damping_ratio", "dominant", "share")}) == 1
    at = np.array(found["receptance"]["frequency_hz"])
    vertical = np.array(found["receptance"]["wheel_vertical"]) @ [1.0, 1.0j]
    # far above the suspension a rigid wheelset with its boxes answers as a free mass: z and roll of the axle
    mass, roll, y = 1053.0 + 200.0, 574.1 + 2 * 2.0 + 200.0 * 1.0075**2, 0.75
    free = -(1.0 / mass + y**2 / roll) / (2.0 * np.pi * at) ** 2
    assert vertical[-1] == pytest.approx(free[-1], rel=0.01)


@rooms.needs("systems/train")
def test_receptance_takes_dry_friction_as_it_is_asked_for():
    """Of a wagon on leaf springs: a wheel is held by friction that sticks, above all at low frequency."""
    scenario = read_scenario("examples/freight_wagon_in_train.toml").model_copy(update={"train": None})
    held, free = (
        analyse(scenario, np.array([16.0]), friction, critical=False).wheel for friction in ("sticking", "sliding")
    )
    assert abs(free[0, 2, 2]) > 1.1 * abs(held[0, 2, 2])
    np.testing.assert_allclose(free[-1], held[-1], rtol=1e-2)


def test_growth_without_compilation_is_that_of_the_steps_equations(tmp_path):
    """An axle box that turns under its load: the equations that `check` takes and those of the step, at 36 km/h."""
    sys.path.insert(0, "benchmarks")
    from growth import BOX, shipped, written

    scenario = read_scenario(written(tmp_path, shipped("manchester_v1") | {"axle_box": BOX}))
    wanted = growing(running_at(scenario, {}, "sticking")(10.0))
    parts = vehicle_on_track(scenario, {})
    elements, nominal = linear_elements(parts.suspension), make_state(parts.assembly, 0.0, 0.0).history[0, 0]
    vehicle = RigidVehicle(parts.assembly, elements, nominal, GRAVITY)
    q, contacts = vehicle.at_rest(), [cone_contact(own) for own in parts.of_wheels[::2]]
    found = growing(slow_running(vehicle, q, wheel_loads(vehicle, q, contacts), contacts, 10.0))
    # where boxes move alone the equations are the same; what they draw along is held by a cone in place of the profiles
    assert found[0].rate == pytest.approx(wanted[0].rate, rel=1e-3)
    assert [one.rate for one in found] == pytest.approx([one.rate for one in wanted], rel=5e-2)
    assert {name for one in found for name in one.names} == {name for one in wanted for name in one.names}
