"""A tolerance that is checked: run again at half of it until the largest force stays."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from threading import Event

import numpy as np

from flexwheel.train.simulate import simulate


@dataclass(frozen=True)
class ToleranceCheck:
    """What halving the tolerance changed.

    Attributes
    ----------
    tolerance : float            of the run that is trusted
    force_change : float [-]     of the largest force, draft and buff, relative: the larger of the two
    speed_change : float [-]     largest change of the leading vehicle's speed against the top speed
    passed : bool                force_change <= limit
    """

    tolerance: float
    force_change: float
    speed_change: float
    passed: bool


def simulate_checked(run, limit=0.002, halvings=4, report=None):
    """Simulate, halve the tolerance until the largest force no longer changes by more than `limit`.

    Returns
    -------
    results : TrainResults          of the last but one tolerance that passed
    checks : list of ToleranceCheck one per halving; the last one says whether it passed

    A KeyboardInterrupt ends it: the results are those of the first run up to there, or of the last one that is whole,
    with complete = False.
    """
    coarse, checks, ended = None, [], Event()
    try:
        with ThreadPoolExecutor(2) as pool:  # the kernels release the interpreter: both run at once
            waiting = pool.submit(simulate, replace(run, tolerance=0.5 * run.tolerance), lambda _: end_with(ended))
            try:
                coarse = simulate(run, report, keep_interrupted=True)
                fine = waiting.result() if coarse.complete else None
            finally:
                ended.set()
        if not coarse.complete:
            return coarse, checks
        for k in range(halvings):
            run = replace(run, tolerance=0.5 * run.tolerance)
            if k > 0:
                fine = simulate(run, report)
            checks.append(compare(coarse, fine, limit))
            if checks[-1].passed:
                return coarse, checks
            coarse = fine
    except KeyboardInterrupt:
        if coarse is None:
            raise
        return replace(coarse, complete=False, status="interrupted before the tolerance was checked"), checks
    return coarse, checks


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
    top = max(fine.speed_max, 1e-9)
    speed = float(np.abs(coarse.speed[:, 0] - fine.speed[:, 0]).max()) / top
    return ToleranceCheck(coarse.tolerance, float(change), speed, change <= limit)
