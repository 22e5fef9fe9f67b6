"""Cost of the flexible rails in a step of two wheelsets, by the elements a bay and the length of the window.

Run with `python benchmarks/rails.py`. Per step: shift, predictor, compliance at four wheels, a head displacement and a
force at each, finish: a step of one iteration, the AS4 takes 1.1 of them. Prints microseconds of processor time a step,
the least of ten runs, and the displacement at the end, by which two versions can be compared.
"""

import platform
import time
from itertools import product

import numpy as np

from flexwheel.numerics.integration import newmark
from flexwheel.numerics.kernels import handle, kernel
from flexwheel.track.flexible_build import make_window
from flexwheel.track.rail_model import (
    add_rail_force,
    finish,
    linked,
    predict_and_free,
    rail_compliance_at,
    rail_free_at,
    shift,
)
from flexwheel.track.rail_types import make_state
from flexwheel.track.track_parameters import flexible_track

DISTANCE, SPEED, START = 2.5, 22.2, 50.0
"""Of the wheelsets [m], [m/s], and where they start [m]."""


@kernel
def _steps(rail, state, coefficients, first, count, force, rows, squares):
    """Steps of two wheelsets under forces that tremble."""
    total = 0.0
    for n in range(first, first + count):
        s = START + SPEED * rail.dt * n
        shift(rail, state, s)
        predict_and_free(rail, state, coefficients)
        for w in range(4):
            rail_compliance_at(rail, state, s - DISTANCE * (w // 2), w % 2, squares[0], squares[1])
        for w in range(4):
            x = s - DISTANCE * (w // 2)
            rail_free_at(rail, state, w // 2, x, w % 2, rows[0], rows[1], rows[2])
            total += rows[0, 2] + rows[0, 1] + rows[0, 3] + 1e-3 * rows[1, 2]
            tremble = 1.0 + 0.2 * np.sin(0.37 * n + 2.0 * w)
            for c in range(4):
                rows[3, c] = tremble * force[c]
            add_rail_force(rail, state, w // 2, x, w % 2, rows[3])
        finish(rail, state, coefficients)
    return total


def main(windows=(60, 76, 136), steps=1000, runs=10):
    """Microseconds a step for each number of elements and of bays, as a dictionary, also printed.

    Two elements a bay and 100 us are the main job's, four and 50 us those of a scenario that names none.
    """
    force = np.array([1e3, 5e3, -6e4, 300.0])
    times = {}
    for (elements, dt), bays in product(((2, 1e-4), (4, 5e-5)), windows):
        coefficients = newmark(dt)
        model = make_window(flexible_track(), coefficients, DISTANCE, window_bays=bays, elements=elements)
        state = make_state(model, 2, coefficients.depth, START)
        parts = handle(linked(model, state, coefficients)), handle(state), handle(coefficients)
        rows, squares = np.zeros((4, 4)), np.zeros((2, 4, 4))
        _steps(*parts, 0, steps, force, rows, squares)
        best = np.inf
        for run in range(1, runs + 1):
            start = time.thread_time()
            total = _steps(*parts, run * steps, steps, force, rows, squares)
            best = min(best, time.thread_time() - start)
        times[elements, bays] = 1e6 * best / steps
        text = f"{elements} elements a bay, {bays:4d} bays"
        print(f"{text} {times[elements, bays]:8.2f} us a step, {total / steps:.15e}", flush=True)
    return times


if __name__ == "__main__":
    print(platform.processor() or platform.machine(), platform.python_version())
    main()
