"""Turning modes back: exact rotation against the matrix exponential, interpolation against its closed-form
damping.

Closed form: one step multiplies a pair of order n by 1 - lambda + lambda exp(i n beta); at 80 km/h, 0.46 m
and 2 degrees the decay is 0.84 n^2 1/s whatever the step. These are the kernels that the coupled step calls.
"""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.linalg import block_diag, expm

from flexwheel.base.errors import ScenarioError
from flexwheel.vehicle.eulerian_map import check_closed, interpolate_modes, mode_pairs, pair_turns, turn_modes

ORDERS = [1, 1, 2, 3, 2]
SPIN, SECTOR = 80 / 3.6 / 0.46, np.radians(2.0)


def basis(seed=0):
    """Generator with pairs of the given orders at random places, order zero in between."""
    blocks = [np.array([[0.0, -n], [n, 0.0]]) for n in ORDERS] + [np.zeros((3, 3))]
    generator = block_diag(*blocks)
    place = np.random.default_rng(seed).permutation(len(generator))
    return generator[np.ix_(place, place)]


def damping(order, dt):
    """Decay rate [1/s] and turn of the pattern beyond n Omega [rad/s] of the closed form."""
    part = SPIN * dt / SECTOR
    n = np.asarray(order, dtype=float)
    factor = 1 - part + part * np.exp(1j * n * SECTOR)
    return -np.log(np.abs(factor)) / dt, np.angle(factor) / dt - n * SPIN


def test_exact_turn_is_the_matrix_exponential():
    generator = basis()
    pair, order = mode_pairs(generator)
    values = np.random.default_rng(1).normal(size=13)
    for angle in (0.3, -2.0, 40.0):
        turned = values.copy()
        turn = np.empty((len(order), 2))
        pair_turns(order, angle, turn)
        turn_modes(pair, turn, turned)
        np.testing.assert_allclose(turned, expm(generator * angle) @ values, atol=1e-12)


def test_interpolation_over_whole_sectors_is_exact_and_reverses():
    generator = basis()
    sector_map = expm(generator * SECTOR)
    values = np.random.default_rng(1).normal(size=13)
    turned, scratch = values.copy(), np.empty(13)
    interpolate_modes(sector_map, SECTOR, 3.0 * SECTOR, turned, scratch)
    np.testing.assert_allclose(turned, expm(generator * 3 * SECTOR) @ values, atol=1e-13)
    interpolate_modes(sector_map, SECTOR, -3.0 * SECTOR, turned, scratch)
    np.testing.assert_allclose(turned, values, atol=1e-13)


@pytest.mark.parametrize("sectors", [0.3, 1.5, -0.5, -2.5, 180.3, 1e9, -1e300])
def test_the_norm_never_grows(sectors):
    """Beyond one sector a step, rolling backwards, over whole turns."""
    generator = basis()
    values, scratch = np.random.default_rng(2).normal(size=13), np.empty(13)
    norm = np.linalg.norm(values)
    for _ in range(20):
        interpolate_modes(expm(generator * SECTOR), SECTOR, sectors * SECTOR, values, scratch)
        assert np.linalg.norm(values) <= norm * (1 + 1e-12)
        norm = np.linalg.norm(values)


@pytest.mark.parametrize(("sectors", "after"), [(0.5, 0.5), (-0.5, 0.5), (1.5, 0.5), (-1.5, 0.5), (2.0, 0.0)])
def test_a_pair_shrinks_by_what_lies_between_two_sections(sectors, after):
    pair = np.array([[0.0, -3.0], [3.0, 0.0]])
    values, scratch = np.array([1.0, 0.0]), np.empty(2)
    interpolate_modes(expm(pair * SECTOR), SECTOR, sectors * SECTOR, values, scratch)
    closed = abs(1 - after + after * np.exp(3j * SECTOR))
    np.testing.assert_allclose(np.linalg.norm(values), closed, rtol=1e-12)


@pytest.mark.parametrize("dt", [1e-4, 5e-5, 2e-5])
def test_measured_damping_is_the_closed_form(dt):
    generator = basis()
    order = np.abs(generator).sum(axis=1)
    rate, _ = damping(order, dt)
    sector_map, scratch = expm(generator * SECTOR), np.empty(13)
    for k in range(13):
        values = np.eye(13)[k]
        for _ in range(200):
            interpolate_modes(sector_map, SECTOR, SPIN * dt, values, scratch)
        assert -np.log(np.linalg.norm(values)) / (200 * dt) == pytest.approx(rate[k], abs=1e-9)
    np.testing.assert_allclose(rate, 0.84 * order**2 * (1 - SPIN * dt / SECTOR), rtol=0.01)


def test_pattern_turn_of_the_interpolation():
    """The interpolated pattern turns by n Omega plus the stated shift."""
    generator = np.array([[0.0, -3.0], [3.0, 0.0]])
    dt = 5e-5
    values, scratch = np.array([1.0, 0.0]), np.empty(2)
    for _ in range(100):
        interpolate_modes(expm(generator * SECTOR), SECTOR, SPIN * dt, values, scratch)
    _, shift = damping(3, dt)
    np.testing.assert_allclose(np.arctan2(values[1], values[0]), (3 * SPIN + shift) * 100 * dt, rtol=1e-9)


def test_open_basis_is_refused_with_the_mode_named():
    def body(generator, defect):
        return SimpleNamespace(
            generator=generator,
            closure_defect=defect,
            frequency_hz=10.0 * np.arange(1, len(generator) + 1),
            not_of_revolution="no angle step",
        )

    pair = block_diag(np.array([[0.0, -2.0], [2.0, 0.0]]), np.zeros((2, 2)))
    check_closed(body(pair, 1e-3), "front")
    three = pair.copy()
    three[2, 0], three[0, 2] = 0.1, -0.1
    with pytest.raises(ScenarioError, match=r"wheelset front: .* mode 1 at 10.0 Hz.*lagrangian"):
        check_closed(body(three, 1e-3), "front")
    with pytest.raises(ScenarioError, match="closure defect 0.1"):
        check_closed(body(pair, 0.1), "front")
    with pytest.raises(ScenarioError, match=r"not of revolution.*\(no angle step\)"):
        check_closed(body(np.zeros((4, 4)), float("nan")), "front")
