"""The train's solver against LSODA on equations written again, events included: flexwheel/verification/train/trains.py.

The limits are those asked for: 20 N for the largest force of every coupling, 1e-4 m/s. Trains of 12 and 100 vehicles
over 40 s are checks of `flexwheel verify`; here a short one, with starts, stops and a cylinder of 12 s filling.
"""

import numpy as np

from flexwheel.systems.train.simulate_train import simulate
from flexwheel.verification.train.independent_train import integrate
from flexwheel.verification.train.trains import braked_train


def test_five_vehicles_from_standstill():
    run = braked_train(5, 0.0, 16.0)
    ours, theirs = simulate(run), integrate(run, 1e-8)
    assert np.abs(ours.peak_force - theirs.peak_force).max() < 20.0
    assert np.abs(ours.speed - theirs.speed).max() < 1e-4
    assert np.abs(ours.pressure - theirs.pressure).max() < 1e-9
    assert ours.peak_force.max() > 1e5 and (ours.speed > 0).any()
