"""A vehicle in detail inside a train: coupler geometry of two-bogie vehicles in an arc, F L/R, both ways of coupling.

Source: plane geometry of chords, offset of a point x ahead of the middle of a chord of half length b in an arc of
radius R is (x^2 - b^2)/(2 R) outwards; resultant of two equal forces that meet at the angle L/R.
"""

import numpy as np
import pytest

from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.kernels import handle
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.simulation import execute
from flexwheel.systems.train.coupler_link import (
    ANGLE,
    FORCE,
    LATERAL,
    chord_offset,
    couple,
    heading_between,
    make_link_work,
)
from flexwheel.track.layout import make_layout
from flexwheel.track.segments import Arc, Straight
from flexwheel.vehicle.step.residual import MOTION, find_residual
from flexwheel.verification.train.wagon_in_train import EXAMPLE

RADIUS = 300.0
ARC = make_layout([Straight(10.0), Arc(500.0, RADIUS, "right")])


def scenario(*settings):
    return read_scenario(EXAMPLE, settings)


@pytest.fixture(scope="module")
def in_the_arc():
    """Coach standing in the arc, its bodies on the geometric chords."""
    layout = '[{kind="straight",length_m=5.0},{kind="arc",length_m=900.0,radius_m=-300.0}]'
    s = build_simulation(scenario(f"track.layout={layout}", "run.start_position_m=300", "run.duration_s=0.01"), {})
    work = make_link_work()
    d = s.state.history[0, 0]
    b = s.coupled.moving.link.bogie
    d[1] = chord_offset(handle(s.model.layout), d[0], b, 0.0, handle(work))
    s.work.q[:], s.work.qd[:], s.work.qdd[:] = d, s.state.history[0, 1], 0.0
    find_residual(handle(s.model), handle(s.state), handle(s.work), 0.0, MOTION)
    return s


@pytest.mark.parametrize(("bogie", "x"), [(9.5, 12.4), (9.5, -12.4), (4.0, 0.0), (9.5, 9.5)])
def test_offset_of_a_point_of_a_chord(bogie, x):
    work = make_link_work()
    outwards = chord_offset(handle(ARC), 200.0, bogie, x, handle(work))  # right-hand arc: outwards is to the left
    assert outwards == pytest.approx((x * x - bogie * bogie) / (2.0 * RADIUS), rel=2e-3, abs=1e-9)  # fourth order


def test_heading_in_the_arc():
    heading = heading_between(handle(ARC), 100.0, 126.4, handle(make_link_work()))
    assert heading == pytest.approx(-26.4 / RADIUS, abs=1e-12)


@pytest.mark.parametrize("force", [-3.0e5, 2.0e5])
def test_lateral_forces_add_up_to_f_l_over_r(in_the_arc, force):
    s = in_the_arc
    work = make_link_work()
    couple(handle(s.model), handle(s.coupled.moving.link), force, force, 0.0, handle(s.work), handle(work))
    lateral = work.record[:, LATERAL].sum()
    assert lateral == pytest.approx(-force * 26.4 / RADIUS, rel=0.005)  # of cos and of chords against arcs
    assert np.sign(lateral) == np.sign(-force)  # buff outwards, to the left in a right-hand arc
    np.testing.assert_allclose(work.record[:, FORCE], force)
    half = 0.5 * 26.4 / RADIUS
    np.testing.assert_allclose(work.record[:, ANGLE], [-half, half], atol=2e-4)
    wrench = s.work.external[0]
    resistance = s.coupled.moving.link.resistance @ [1.0, 13.89, 13.89**2]
    assert np.hypot(*wrench[:2]) == pytest.approx(np.hypot(lateral, resistance), rel=0.02)
    assert np.all(s.work.external[1:] == 0.0)


def test_both_ways_of_coupling_agree_on_the_straight():
    """A notch of dynamic brake from the start: element and prescribed forces give the same couplers and speed."""
    layout = '[{kind="straight",length_m=500.0}]'
    settings = [
        f"track.layout={layout}",
        "run.duration_s=2.0",
        "train.driving.notch=[0.0, -5.0]",
        "train.driving.at=[0.0, 1.0]",
    ]
    runs = [
        execute(build_simulation(scenario(*settings, f"train.forces={name}"), {})) for name in ("element", "prescribed")
    ]
    force = [r.coupler_force.values for r in runs]
    assert np.abs(force[1]).max() > 2e4
    # the force alone is known at every 50 ms, and run-ins of couplings shift by a few milliseconds
    assert np.abs(force[0] - force[1]).max() < 0.06 * np.abs(force[1]).max()
    assert len(runs[0].attrs["train_peak_buff_n"]) == 47
    assert runs[0].attrs["train_peak_buff_n"].min() < force[0].min() + 1.0
    v = [r.body_velocity.sel(body="car_body", path="s").values for r in runs]
    assert np.abs(v[0] - v[1]).max() < 2e-3 * v[0][0]


BAD = [
    (("train.place=60",), "train.place must be in the formation of 48 vehicles, got 60"),
    (("train.place=1",), "mass of vehicle 'locomotive' must be within 1 % of .* the detailed vehicle .* got 134000 kg"),
    (("drive.kind=body_force",), "drive.kind = 'body_force' with"),
    (("run.integrator=dormand_prince",), "run.integrator must be 'newmark' or 'park' with a .train."),
    (("train.coupler=buffer",), "buffer"),
    (("vehicle.file=as4",), "the detailed vehicle AS4 railcar"),
]


@pytest.mark.parametrize(("settings", "expected"), BAD)
def test_trains_that_cannot_be_are_refused(settings, expected):
    with pytest.raises(ScenarioError, match=expected):
        build_simulation(scenario(*settings), {})


def test_freight_wagon_stands_with_its_weight_and_says_what_is_assumed():
    s = build_simulation(read_scenario(EXAMPLE.with_name("freight_wagon_in_train.toml"), ("run.duration_s=0.01",)), {})
    load = s.static_wrench[..., 2]
    np.testing.assert_allclose(load.sum(), 22000.0 * 9.81, rtol=1e-6)
    # the car body stands midway between the bogies
    np.testing.assert_allclose(load, 22000.0 * 9.81 / 8.0, rtol=0.01)
    assert len(s.vehicle.assumed) > 40
    assert any(label.key == "vehicle.four_axle_wagon_empty.length_m" for label in s.coupled.labels)


def test_the_brake_of_the_detailed_vehicle_is_said_to_act_on_its_body():
    """Where the air brake is never applied nothing is said."""
    braked = ("run.duration_s=0.01", "train.driving.brake_at=[0.0, 1.0]", "train.driving.brake=[0.0, 0.5]")
    lines = build_simulation(scenario(*braked), {}).warnings
    assert any("air brake of the detailed vehicle (45 kN) acts on its body" in line for line in lines)
    assert not any("air brake" in line for line in build_simulation(scenario("run.duration_s=0.01"), {}).warnings)
