"""A tolerance that is checked: run at twice of it as well, and halve both until the largest forces stay."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from threading import Event

import numpy as np

from flexwheel.systems.train.check_run import LOOSEST_TOLERANCE
from flexwheel.systems.train.simulate_train import simulate

EXTREME_LIMIT = 10.0
"""[N] by which halving the tolerance may change the largest force of any coupling. The error falls with the tolerance
to the power of 0.6 to 1, so that what is left is at most twice the change: 20 N."""


@dataclass(frozen=True)
class ToleranceCheck:
    """What halving the tolerance changed."""

    tolerance: float  # of the finer run, the one that is trusted
    extreme_change: float  # [N] of the largest draft or buff force of any coupling
    coupling: int  # from 1 at the head, where that is
    force_change: float  # [-] of the largest force of the train, draft and buff, relative: the larger of the two
    speed_change: float  # [-] largest change of the leading vehicle's speed against the top speed
    passed: bool  # extreme_change <= limit


def simulate_checked(run, limit=EXTREME_LIMIT, halvings=4, report=None, checkpoint_of=lambda tolerance: None):
    """Simulate at the tolerance of the run and at twice of it; halve until no coupling changes by over `limit` [N].

    checkpoint_of : callable    gives the Checkpoint of the run at a tolerance, or None

    Returns
    -------
    results : TrainResults          of the finest tolerance
    checks : list of ToleranceCheck one per comparison; the last one says whether it passed

    A KeyboardInterrupt ends it: the results are those of the first run up to there, or of the last one that is whole,
    with complete = False.
    """
    fine, checks, ended = None, [], Event()
    twice = replace(run, tolerance=min(2.0 * run.tolerance, LOOSEST_TOLERANCE))
    if twice.tolerance == run.tolerance:
        run = replace(run, tolerance=0.5 * run.tolerance)
    try:
        with ThreadPoolExecutor(1) as pool:  # the kernels release the interpreter: both run at once
            twice = replace(twice, account=False)
            waiting = pool.submit(simulate, twice, lambda _: end_with(ended), checkpoint=checkpoint_of(twice.tolerance))
            try:
                fine = simulate(run, report, keep_interrupted=True, checkpoint=checkpoint_of(run.tolerance))
                coarse = waiting.result() if fine.complete else None
            finally:
                ended.set()
        if not fine.complete:
            return fine, checks
        checks.append(compare(coarse, fine, limit))
        for _ in range(halvings - 1):
            if checks[-1].passed:
                break
            run = replace(run, tolerance=0.5 * run.tolerance)
            coarse, fine = fine, simulate(run, report, checkpoint=checkpoint_of(run.tolerance))
            checks.append(compare(coarse, fine, limit))
    except KeyboardInterrupt:
        if fine is None:
            raise
        return replace(fine, complete=False, status="interrupted before the tolerance was checked"), checks
    return fine, checks


def end_with(ended):
    """End a run in a thread when the other one has ended."""
    if ended.is_set():
        raise KeyboardInterrupt


def compare(coarse, fine, limit):
    """ToleranceCheck of two runs of the same train."""
    change = 0.0
    for side, sign in ((0, 1.0), (1, -1.0)):
        a, b = (sign * r.peak_force[:, side] for r in (coarse, fine))
        if b.size and b.max() > 0:
            change = max(change, abs(a.max() / b.max() - 1.0))
    moved = np.abs(coarse.peak_force - fine.peak_force).max(axis=1) if fine.peak_force.size else np.zeros(1)
    top = max(fine.speed_max, 1e-9)
    speed = float(np.abs(coarse.speed[:, 0] - fine.speed[:, 0]).max()) / top
    worst = float(moved.max())
    return ToleranceCheck(fine.tolerance, worst, int(moved.argmax()) + 1, float(change), speed, worst <= limit)
