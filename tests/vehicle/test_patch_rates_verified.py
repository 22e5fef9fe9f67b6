"""Derivatives of contact patches that the time loop forms: exact for swings, through other patches, leaps and ends.

Errors of the differences: Fornberg 1988, Mathematics of Computation 51, 699-706: (w h)^8/630 of the first derivative,
(w h)^8/3150 of the second; of the low-pass C(8, 6) sin^12(w h/2).
"""

from math import comb
from types import SimpleNamespace

import numpy as np
import pytest

from flexwheel.base.variables import MOVING, PATCH, PATCH_MAX
from flexwheel.vehicle.step.load_rates import RATE_TIME, form_rates, make_load_rates, rate_delay, turn_history
from flexwheel.vehicle.step.patch_rates import keep_patches

STEP = 2.5e-5
SWING = 2.0 * np.pi * 1250.0 * STEP
MEAN = dict(zip(MOVING, (1e-3, 4e-3, 6e4, 6e-3, 5e-3, 0.03, 2e3), strict=True))
SIZE = dict(zip(MOVING, (1e-4, 2e-4, 1e4, 1e-4, 1e-4, 0.01, 1e3), strict=True))


def swinging(step, place=0.0):
    """Columns of a patch that swings about a place."""
    own = np.zeros(len(PATCH))
    for n, name in enumerate(MOVING):
        own[getattr(PATCH, name)] = MEAN[name] + SIZE[name] * np.sin(SWING * step + n)
    own[PATCH.y_wheel] += place
    return own


def rates(patches, wheelset=1):
    """(2, MOVING, slots) of the left wheel half a history before the last of all steps; patches(step): a list."""
    loads = make_load_rates([wheelset], STEP, [(0, 0)])
    work = SimpleNamespace(patch_count=np.zeros((2, 2), int), patches=np.full((2, 2, PATCH_MAX, len(PATCH)), np.nan))
    for step in range(len(loads.history) + 3):  # the ring has come round
        turn_history(loads)
        found = patches(step - (len(loads.history) + 2 - rate_delay(loads)))
        work.patch_count[wheelset, 0] = len(found)
        for p, patch in enumerate(found):
            work.patches[wheelset, 0, p] = patch
        keep_patches.py_func(loads, work)
    form_rates(loads)
    return loads.patch_rate[0, 0]


def of_swing(step=0.0):
    """(2, MOVING) derivatives of `swinging`, times RATE_TIME^n."""
    n, size = np.arange(len(MOVING)), np.array([SIZE[name] for name in MOVING])
    w = SWING / STEP * RATE_TIME
    return np.array([w * size * np.cos(SWING * step + n), -(w**2) * size * np.sin(SWING * step + n)])


def limits():
    """Errors of the differences."""
    w = SWING / STEP * RATE_TIME
    share = w**8 / np.array([630.0, 3150.0]) + comb(8, 6) * np.sin(0.5 * w) ** 12
    return share[:, None] * np.abs([[w], [w**2]]) * np.array([SIZE[n] for n in MOVING])


def test_derivatives_of_a_swing():
    found = rates(lambda step: [swinging(step)])
    assert np.all(np.abs(found[:, :, 0] - of_swing()) <= limits() + 1e-9 * np.abs(of_swing()))
    assert not np.any(found[:, :, 1:])


def test_what_iterations_leave_is_no_motion():
    """An alternation of steps a spacing apart has no rates; no factor of the second derivative above (2.6 kHz)^2."""
    weights = make_load_rates([0], 1e-4, [(0, 0)]).patch_weights
    np.testing.assert_allclose(weights @ (-1.0) ** np.arange(weights.shape[1]), 0.0, atol=1e-12)
    gain = np.abs(weights[1] @ np.exp(1j * np.outer(np.arange(weights.shape[1]), np.linspace(0.0, np.pi, 500))))
    assert gain.max() <= (2.0 * np.pi * 2600.0 * 1e-4) ** 2


def test_a_patch_is_followed_whatever_its_number_is():
    """Another patch, 20 mm to the flange, is the first while it is there."""

    def patches(step):
        beside = [swinging(step, -0.02)] if -3 <= step < 5 else []
        return [*beside, swinging(step)]

    found = rates(patches)
    for slot in (0, 1):
        alone = rates(lambda step, slot=slot: [swinging(step, (slot - 1) * 0.02)] if slot or -3 <= step < 5 else [])
        np.testing.assert_allclose(found[:, :, slot], alone[:, :, 0], rtol=0, atol=1e-12 * np.abs(alone).max())
    assert np.all(np.abs(found[:, :, 1] - of_swing()) <= limits() + 1e-9 * np.abs(of_swing()))


def test_two_patches_at_one_place_are_one():
    """A region that is told twice, with shares that fade over: rates of both, in the row of the larger load."""

    def patches(step):
        share = 0.5 + 0.4 * np.sin(0.3 * step)
        rows = [swinging(step), swinging(step)]
        for row, part in zip(rows, (share, 1.0 - share), strict=True):
            row[[PATCH.normal_force, PATCH.force_y]] *= part
        return rows if step % 2 else rows[::-1]

    found, alone = rates(patches), rates(lambda step: [swinging(step)])
    # single precision: 6e-8 of the mean, 10 times the swing, by weights up to 2
    np.testing.assert_allclose(found.sum(axis=2), alone[:, :, 0], rtol=0, atol=1e-5 * np.abs(alone).max())


@pytest.mark.parametrize("way", [-1, 1])
def test_a_leap_is_no_motion(way):
    """A contact that stands and then touches 12 mm beside, two steps from now: no rate, whatever bears there."""

    def stands(place):
        patch = swinging(0, place)
        patch[PATCH.normal_force] *= 1.0 if not place else 2.0
        return [patch]

    found = rates(lambda step: stands(0.012 if way * step > 2 else 0.0))
    np.testing.assert_allclose(found, 0.0, atol=1e-9 * MEAN["normal_force"])
    moved = rates(lambda step: stands(0.0001 if way * step > 2 else 0.0))  # within a tenth of its half width: it moves
    assert way * moved[0, MOVING.index("y_wheel"), 0] > 1e-5


def test_without_a_node_in_a_field_nothing_is_kept():
    loads = make_load_rates([1], STEP)
    form_rates(loads)
    assert not loads.patches.size and not loads.patch_rate.size
