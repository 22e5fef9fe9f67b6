"""Moving window against a track of full length: travelling harmonic loads, 60 bays, absorbing layers of 15."""

from dataclasses import replace

import numpy as np
import pytest
from rail_steps import add_rail_force, finish, make_state, predict_and_free, rail_free_at, shift

from flexwheel.numerics.integration import newmark
from flexwheel.track.flexible_build import make_full_length, make_window
from flexwheel.track.track_parameters import SupportSpring, flexible_track


def drive(model, coefficients, start, speed, frequencies, steps):
    """Head displacement uz under one wheel, one force per frequency."""
    state = make_state(model, 1, coefficients.depth, start)
    e, e_dot, e_slope = np.zeros(4), np.zeros(4), np.zeros(4)
    out, force = np.zeros((steps, 4)), np.zeros(4)
    for n in range(steps):
        t = coefficients.dt * (n + 1)
        s = start + speed * t
        shift(model, state, s)
        predict_and_free(model, state, coefficients)
        wave = sum(np.sin(2.0 * np.pi * f * t) for f in frequencies) * min(1.0, t / 0.02)
        force[:] = 0.0, 300.0 * wave, 1e3 * wave, 0.0
        add_rail_force(model, state, 0, s, 0, force)
        rail_free_at(model, state, 0, s, 0, e, e_dot, e_slope)
        finish(model, state, coefficients)
        out[n] = e
    return out


def compare(track, frequencies, **options):
    """Largest relative rms difference of uy, uz, roll between the window and 400 bays, after 50 ms."""
    coefficients, steps = newmark(1e-4), 2000
    full = make_full_length(track, coefficients, 240.0)
    window = make_window(track, coefficients, window_bays=60, **options)
    long = drive(full, coefficients, 118.13, 22.2, frequencies, steps)[500:, 1:]
    short = drive(window, coefficients, 118.13, 22.2, frequencies, steps)[500:, 1:]
    return np.max(np.std(short - long, axis=0) / np.std(long, axis=0))


@pytest.mark.parametrize("frequencies, limit", [((60.0, 250.0, 850.0), 2e-3), ((1050.0,), 1e-2)])
def test_window_against_full_length(frequencies, limit):
    assert compare(flexible_track(), frequencies) < limit


def test_absorbing_layer_on_a_lightly_damped_track():
    track = flexible_track()
    light = replace(
        track,
        fastener=replace(track.fastener, vertical=SupportSpring(2e8, 4e3)),
        foundation=replace(track.foundation, vertical=SupportSpring(4e7, 3e4)),
    )
    assert compare(light, (250.0, 850.0)) < 0.015
    assert compare(light, (250.0, 850.0), layer_bays=0) > 0.03, "what the layer is for"
