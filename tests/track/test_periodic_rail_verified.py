"""Rail on sleepers under a standing load: chains of elements converge to it; waves from bay to bay; decay rate."""

import numpy as np
import pytest

from flexwheel.assess.linear.fixed_receptance import decay_rate, fixed_receptance, floquet_factors
from flexwheel.assess.linear.moving_receptance import moving_receptance
from flexwheel.track.periodic_rail import support_blocks, transfer
from flexwheel.track.receptance import receptance
from flexwheel.track.track_parameters import flexible_track

TRACK = flexible_track()


@pytest.mark.parametrize("place", [0.0, 0.15, 0.3])
def test_elements_converge_to_the_exact_beam(place):
    """Second order in the element's length: half of it leaves a quarter, a third with room for the next."""
    frequency = np.array([200.0, 500.0, 1000.0, 1060.0, 1400.0])
    exact = fixed_receptance(TRACK, place, frequency)
    coarse, fine = (
        receptance(TRACK, place, place, frequency, elements=n, loss_factors=False) - exact for n in (16, 32)
    )
    for row, column in ((0, 0), (1, 1), (2, 2), (3, 3), (1, 3)):
        scale = np.abs(exact[:, row, column])
        first, second = (np.max(np.abs(error[:, row, column]) / scale) for error in (coarse, fine))
        assert second < max(first / 3.0, 1e-4), (row, column, first, second)


def test_waves_do_not_depend_on_where_the_bay_is_cut():
    """A bay cut at mid-bay has the factors of one cut at a sleeper."""
    frequency = np.array([50.0, 400.0, 1064.0])
    w = 2.0 * np.pi * frequency
    over = np.broadcast_to(np.eye(6, dtype=complex), (3, 2, 6, 6)).copy()
    over[..., 3:, :3] = support_blocks(TRACK, w)
    half = transfer(TRACK.rail, w, 0.5 * TRACK.bay)
    inner = np.sort(np.abs(np.linalg.eigvals(half @ over @ half)), axis=-1)[..., :3]
    np.testing.assert_allclose(np.sort(np.abs(floquet_factors(TRACK, frequency)), axis=-1), inner, rtol=1e-6)


def test_material_under_a_moving_load_moves_with_the_mean_of_both_slopes():
    """Constant load: the rail's material has -V e' there, on a kink the mean of both sides, not one of them."""
    speed, away = 22.2, 0.02
    found = moving_receptance(TRACK, speed, 0.0, (-away, 0.0, away), 0, speed / TRACK.bay)
    behind, under, before = found.displacement[:, 0, 0].real
    moved = found.velocity[1, 0, 0].real
    for row in range(4):
        kink = speed * abs(before[row, row] + behind[row, row] - 2.0 * under[row, row]) / (2.0 * away)
        mean = -speed * (before[row, row] - behind[row, row]) / (2.0 * away)
        assert abs(moved[row, row] - mean) < 0.05 * kink, row


def test_decay_rate_adds_up_the_answer_along_the_rail():
    """EN 15461 from answers at the first bays: where the rail decays by 7 dB a metre they hold all but 1e-3."""
    frequency = np.array([31.5])
    at = [0.3 + 0.6 * n for n in range(7)]
    answers = [abs(receptance(TRACK, 0.3, x, frequency, elements=16, loss_factors=False)[0, 2, 2]) for x in at]
    squares = (np.array(answers) / answers[0]) ** 2
    wanted = 4.343 / (0.6 * (0.5 + squares[1:].sum()))
    assert decay_rate(TRACK, frequency)[0, 0] == pytest.approx(wanted, rel=2e-3)
