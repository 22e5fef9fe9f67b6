"""The time loop: steps in compiled chunks, samples into arrays made once, progress and interruption between chunks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexwheel.dynamics.contact_system import law_entry
from flexwheel.dynamics.coupled_step import (
    CONVERGED,
    DERAILED,
    NOT_CONVERGED,
    NOT_FINITE,
    SINGULAR,
    call_step,
    step_entry,
)
from flexwheel.dynamics.explicit_step import explicit_step, make_explicit_work
from flexwheel.dynamics.simulate_record import Records, make_records, record
from flexwheel.dynamics.train_coupling import run_train_steps
from flexwheel.handles import handle
from flexwheel.kernel import kernel

CHUNK_SECONDS = 0.25


@dataclass(frozen=True)
class Run:
    """Outcome of a time loop; `complete` is False after an interruption or a derailment."""

    records: Records
    complete: bool
    message: str
    steps: int
    iterations_mean: float
    unconverged: int


@kernel()
def run_steps(
    step,
    parts,
    model,
    state,
    rail_state,
    contact_work,
    work,
    tolerance,
    limit,
    steps,
    stride,
    first,
    row,
    records,
    count,
):
    """Take `steps` steps, the first of which is number `first`; every stride-th is recorded from `row` on.

    step, parts: of `step_entry`; count (3,): rows written, iterations in all, steps not converged. Returns status (of
    the last step) and steps taken.
    """
    for i in range(steps):
        status, iterations = call_step(step, (parts, model, state, rail_state, contact_work, work, tolerance, limit))
        count[1] += iterations
        if status == NOT_CONVERGED:
            count[2] += 1
        elif status != CONVERGED:
            return status, i
        if (first + i + 1) % stride == 0 and row + count[0] < records.time.shape[0]:
            record(state, work, iterations, row + count[0], records)
            count[0] += 1
    return CONVERGED, steps


@kernel()
def run_explicit_steps(law, model, state, contact_work, work, scratch, steps, stride, first, row, records, count):
    """As `run_steps`, by the explicit step."""
    for i in range(steps):
        status, evaluations = explicit_step(law, model, state, contact_work, work, scratch)
        if status != CONVERGED:
            return status, i
        count[1] += evaluations
        if (first + i + 1) % stride == 0 and row + count[0] < records.time.shape[0]:
            record(state, work, evaluations, row + count[0], records)
            count[0] += 1
    return CONVERGED, steps


def simulate(
    model,
    assembly,
    state,
    rail_state,
    contact_work,
    work,
    duration,
    stride=2,
    limit=12,
    tolerance=5.0,
    progress=None,
    explicit=False,
    train=None,
) -> Run:
    """Run for `duration` [s]; every stride-th step is a sample.

    Parameters
    ----------
    tolerance : float [N]          on the contact forces, see `coupled_step`
    limit : int                    iterations a step may take
    progress : callable or None    called with (simulated time [s], duration [s]) between chunks; KeyboardInterrupt
                                   raised in it or by the user ends the run cleanly
    explicit : bool                the explicit step: rigid wheelsets on rails that do not move
    train : TrainCoupling or None  couplers of a train around the vehicle; its records are filled along

    Returns
    -------
    Run                complete = False with the reason in `message` when it was interrupted, a wheel left the rail, the
                       state ceased to be finite or a system was singular; the samples up to there are kept
    """
    dt = model.coefficients.dt
    total = int(round(duration / dt))
    records = make_records(total // stride, assembly, work.patches.shape[2])
    compiled = [handle(item) for item in (model, state, rail_state, contact_work, work)]
    samples = handle(records)
    limits = float(tolerance), int(limit)
    law = law_entry(handle(model.contact), compiled[3], work)
    scratch = None
    if explicit:
        scratch = handle(make_explicit_work(model, assembly))
        work.rail[:] = 0.0
    else:
        step = step_entry(law, *compiled)
    chunk = max(1, int(round(CHUNK_SECONDS / dt / 5.0)))
    taken, rows, iterations, unconverged = 0, 0, 0, 0
    complete, message = True, ""

    def take(steps, count):
        loop = (steps, stride, taken, rows, samples, count)
        if explicit:
            return run_explicit_steps(law, *compiled[:2], *compiled[3:], scratch, *loop)
        if train is not None:
            return run_train_steps(*step, *compiled, train, *limits, *loop)
        return run_steps(*step, *compiled, *limits, *loop)

    take(0, np.zeros(3, dtype=np.int64))  # compiles, runs nothing
    try:
        while taken < total:
            count = np.zeros(3, dtype=np.int64)
            status, done = take(min(chunk, total - taken), count)
            taken += done
            rows += int(count[0])
            iterations += int(count[1])
            unconverged += int(count[2])
            if status == DERAILED:
                complete = False
                message = f"a wheel left the rail at t = {state.time[0]:.4f} s (contact outside the profiles)"
                break
            if status in (NOT_FINITE, SINGULAR):
                complete = False
                message = (
                    f"the coupled step failed at t = {state.time[0]:.5f} s, step {taken}: "
                    + ("state no longer finite" if status == NOT_FINITE else "contact system singular")
                    + "; try a smaller step_s"
                )
                break
            if progress is not None:
                progress(taken * dt, total * dt)
    except KeyboardInterrupt:
        complete, message = False, f"interrupted at t = {state.time[0]:.4f} s"
    return Run(
        Records(*(array[:rows] for array in records)),
        complete,
        message,
        taken,
        iterations / max(1, taken),
        unconverged,
    )
