"""Free flight of a spinning flexible wheelset: momentum and energy kept, drift falling with the order of
the step.

State: spin 48.3 rad/s, wobble 0.1 rad/s, first bending 1 mm at the axle ends. Beam rotor: axle and discs.
"""

from dataclasses import replace

import numpy as np
import pytest

from flexwheel.body.reduced_body import InertiaInvariants
from flexwheel.numerics.integration import newmark, park
from flexwheel.verification.benches.free_flight import free_flight
from tests.benches.beam_rotor import beam_rotor


@pytest.fixture(scope="module")
def rotor():
    discs = [(0.75, 330.0, 40.5, 21.0), (-0.75, 330.0, 40.5, 21.0)]
    return beam_rotor(
        [0.155, 0.06, 0.185, 0.68],
        [0.13, 0.16, 0.19, 0.165],
        discs,
        206e9,
        mode_count=7,
        element_length=0.05,
        damping_ratio=0.01,
    )


def test_hundred_revolutions(rotor):
    linear, angular, energy = free_flight(rotor, newmark(4e-4), revolutions=100, samples=100).drifts()
    assert linear < 1e-12
    assert angular < 1e-6
    assert energy < 1e-4


@pytest.mark.parametrize("centrifugal", ["both", "paper"])
def test_drift_of_newmark_falls_with_the_square_of_the_step(rotor, centrifugal):
    flights = [
        free_flight(rotor, newmark(dt), revolutions=5, centrifugal=centrifugal, samples=100).drifts()
        for dt in (8e-4, 4e-4, 2e-4)
    ]
    for column in (1, 2):
        drift = [f[column] for f in flights]
        orders = np.log2(np.array(drift[:-1]) / drift[1:])
        assert ((orders > 1.7) & (orders < 2.3)).all(), (drift, orders)


def test_loss_of_park_falls_with_its_order(rotor):
    """Park's amplitude decay is (omega dt)^4 per step: the energy lost by the bending falls as dt^4 (dt^5
    steps)."""
    lost = []
    for dt in (4e-4, 2e-4, 1e-4):
        flight = free_flight(rotor, park(dt), revolutions=5, samples=200)
        lost.append(flight.energy[0] - flight.energy[-1])
    orders = np.log2(np.array(lost[:-1]) / lost[1:])
    assert (orders > 3.5).all(), (lost, orders)


def test_structural_damping_takes_energy_from_the_modes_and_no_momentum(rotor):
    flight = free_flight(rotor, newmark(2e-4), revolutions=5, damping=True)
    linear, angular, _ = flight.drifts()
    assert linear < 1e-12 and angular < 1e-6
    assert flight.energy[-1] < flight.energy[0] - 0.5 * flight.flexible[0]


def test_rigid_body_without_modes_flies_too(rotor):
    i = rotor.invariants
    rigid = replace(
        rotor,
        frequency_hz=np.empty(0),
        damping_ratio=np.empty(0),
        order=np.empty(0, dtype=int),
        generator=np.empty((0, 0)),
        geometric_stiffness=np.empty((0, 0)),
        invariants=InertiaInvariants(i.mass, np.empty((3, 0)), i.p_xx, np.empty((3, 3, 0)), np.empty((3, 3, 0, 0))),
    )
    linear, angular, energy = free_flight(rigid, newmark(4e-4), revolutions=20).drifts()
    assert linear < 1e-12 and angular < 1e-6 and energy < 1e-6
