"""A rail struck at one place: the receptance of its head as the step gives it, time error and all."""

import numpy as np

from flexwheel.assess.linear.fixed_receptance import fixed_receptance
from flexwheel.numerics.kernels import handle, kernel
from flexwheel.track.flexible_build import make_window
from flexwheel.track.rail_model import add_rail_force, finish, linked, predict_and_free, rail_free_at
from flexwheel.track.rail_types import make_state

START = 50  # bays
PLACES = {"over a sleeper": 0.0, "quarter point": 0.25, "mid-bay": 0.5}
COMPONENTS = {"lateral": 1, "vertical": 2, "torsional": 3}
"""Of the head (ux, uy, uz, roll)."""


@kernel
def _strike(rail, state, coefficients, s, answer, rows):
    """Fill struck_head's answer; rows: (4, 4) scratch."""
    for n in range(answer.shape[0]):
        predict_and_free(rail, state, coefficients)
        for side in range(2):
            for c in range(4):
                on_left = c == 1 or c == 2
                rows[0, c] = 1.0 if n == 0 and on_left == (side == 0) else 0.0
            add_rail_force(rail, state, 0, s, side, rows[0])
            rail_free_at(rail, state, 0, s, side, rows[1], rows[2], rows[3])
            for c in range(4):
                answer[n, side, c] = rows[1, c]
        finish(rail, state, coefficients)


def struck_head(model, coefficients, place, count, start=START):
    """Answer (count, 2, 4) of either head to unit impulses: Fy and Fz left, Fx and Mx right, no two of one plane.

    place : float [m]     from the sleeper of the bay `start`, where the window begins
    """
    state, answer = make_state(model, 1, coefficients.depth, start * model.bay), np.zeros((count, 2, 4))
    parts = handle(linked(model, state, coefficients)), handle(state), handle(coefficients)
    _strike(*parts, start * model.bay + place, answer, np.zeros((4, 4)))
    return answer


def struck_receptance(track, coefficients, place, frequency, length=0.6, **window):
    """Receptances (3, F) complex, lateral, vertical, torsional, of the head at place [m] from a sleeper.

    frequency : (F,) [Hz]; length [s] of the answer; window: of make_window
    """
    model = make_window(track, coefficients, **window)
    return struck_window(model, coefficients, place, frequency, length)


def struck_window(model, coefficients, place, frequency, length):
    """struck_receptance of a RailModel that is a window."""
    answer = struck_head(model, coefficients, place, int(length / coefficients.dt))
    turn = np.exp(-2j * np.pi * coefficients.dt * np.outer(frequency, np.arange(len(answer))))
    return (turn @ np.stack([answer[:, 0, 1], answer[:, 0, 2], answer[:, 1, 3]], axis=1)).T


def receptance_error(track, coefficients, place, frequency, **window):
    """Deviation (3, F) [dB] of struck_receptance from the exact periodic rail; place in bays."""
    found = struck_receptance(track, coefficients, place * track.bay, frequency, **window)
    exact = fixed_receptance(track, place * track.bay, frequency)
    wanted = np.array([exact[:, c, c] for c in COMPONENTS.values()])
    return 20.0 * np.log10(np.abs(found) / np.abs(wanted))
