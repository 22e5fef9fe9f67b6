"""Turning modes back: exact rotation against the matrix exponential, interpolation against its closed-form
damping.

Closed form: one step multiplies a pair of order n by 1 - lambda + lambda exp(i n beta); at 80 km/h, 0.46 m
and 2 degrees the decay is 0.84 n^2 1/s whatever the step.
"""

import numpy as np
import pytest
from scipy.linalg import block_diag, expm

from flexwheel.bodies.eulerian_map import (
    artificial_damping,
    interpolate_modes,
    measured_damping,
    turn_modes,
    turning_pairs,
)
from flexwheel.errors import MeshError

ORDERS = [1, 1, 2, 3, 2]
SPIN, SECTOR = 80 / 3.6 / 0.46, np.radians(2.0)


def basis(seed=0):
    """Generator with pairs of the given orders at random places, order zero in between."""
    blocks = [np.array([[0.0, -n], [n, 0.0]]) for n in ORDERS] + [np.zeros((3, 3))]
    generator = block_diag(*blocks)
    place = np.random.default_rng(seed).permutation(len(generator))
    return generator[np.ix_(place, place)]


def test_exact_turn_is_the_matrix_exponential():
    generator = basis()
    pairs = turning_pairs(generator, np.arange(13.0))
    values = np.random.default_rng(1).normal(size=13)
    for angle in (0.3, -2.0, 40.0):
        turned = values.copy()
        turn_modes(pairs, angle, turned)
        np.testing.assert_allclose(turned, expm(generator * angle) @ values, atol=1e-12)


def test_interpolation_over_whole_sectors_is_exact_and_reverses():
    generator = basis()
    sector_map = expm(generator * SECTOR)
    values = np.random.default_rng(1).normal(size=13)
    turned, scratch = values.copy(), np.empty(13)
    interpolate_modes(sector_map, 3.0, turned, scratch)
    np.testing.assert_allclose(turned, expm(generator * 3 * SECTOR) @ values, atol=1e-13)
    interpolate_modes(sector_map, -3.0, turned, scratch)
    np.testing.assert_allclose(turned, values, atol=1e-13)


@pytest.mark.parametrize("dt", [1e-4, 5e-5, 2e-5])
def test_measured_damping_is_the_closed_form(dt):
    generator = basis()
    order = np.abs(generator).sum(axis=1)
    measured = measured_damping(generator, expm(generator * SECTOR), SECTOR, SPIN, dt, steps=200)
    rate, _ = artificial_damping(order, SECTOR, SPIN, dt)
    np.testing.assert_allclose(measured, rate, atol=1e-9)
    part = SPIN * dt / SECTOR
    np.testing.assert_allclose(rate, 0.84 * order**2 * (1 - part), rtol=0.01)


def test_pattern_turn_of_the_interpolation():
    """The interpolated pattern turns by n Omega plus the stated shift."""
    generator = np.array([[0.0, -3.0], [3.0, 0.0]])
    dt = 5e-5
    values, scratch = np.array([1.0, 0.0]), np.empty(2)
    for _ in range(100):
        interpolate_modes(expm(generator * SECTOR), SPIN * dt / SECTOR, values, scratch)
    _, shift = artificial_damping(3, SECTOR, SPIN, dt)
    np.testing.assert_allclose(np.arctan2(values[1], values[0]), (3 * SPIN + shift) * 100 * dt, rtol=1e-9)


def test_open_basis_is_refused_with_the_modes_named():
    frequency = 10.0 * np.arange(1, 5)
    pair = np.array([[0.0, -2.0], [2.0, 0.0]])
    half = block_diag(pair * 0.47, np.zeros((2, 2)))
    with pytest.raises(MeshError, match=r"modes 1 and 2 \(10.00 and 20.00 Hz\).*order 0.94"):
        turning_pairs(half, frequency)
    three = block_diag(pair, np.zeros((2, 2)))
    three[2, 0], three[0, 2] = 0.1, -0.1
    with pytest.raises(MeshError, match="modes [13] and [13]"):
        turning_pairs(three, frequency)
    with pytest.raises(MeshError, match="leaves the basis by 1.00e-01.*mode 4"):
        turning_pairs(block_diag(pair, np.zeros((2, 2))), frequency, closure_defect=0.1)
    with pytest.raises(MeshError, match="not of revolution"):
        turning_pairs(np.zeros((4, 4)), frequency, closure_defect=float("nan"))
