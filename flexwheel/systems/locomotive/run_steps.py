"""Several steps of any method, with the last good state kept and values recorded."""

from flexwheel.numerics.kernels import kernel
from flexwheel.systems.locomotive.locomotive_step import GOOD, advance
from flexwheel.systems.locomotive.trapezoidal import advance_trapezoidal


@kernel
def run_steps(core, dense, start, steps, backup, record, every, places):
    """Several steps; returns how many were completed.

    core.counts : (8,) int  of this step: tangent and normal iterations, contacts sought anew, projections that ended
                            above their tolerance; of all steps since they were set to zero: completed, with such a
                            projection; most tangent, most normal iterations
    backup : the state is kept here before each step and put back when it fails
    record : (rows, places) float     values of `places` every `every` steps; iterations and contacts sought in the
    last three columns
    start : float array or None         scratch of the trapezoidal rule; None: Euler steps
    """
    work, status, counts = core.work, core.status, core.counts
    row, state = 0, backup.size
    for k in range(steps):
        for i in range(state):
            backup[i] = work[i]
        counts[0] = counts[1] = counts[2] = counts[3] = 0
        status[0], status[1] = GOOD, -1
        if start is not None:
            advance_trapezoidal(core, dense, start)
        else:
            advance(core, dense)
        if status[0] != GOOD:
            for i in range(state):
                work[i] = backup[i]
            return k
        counts[4] += 1
        if counts[3] > 0:
            counts[5] += 1
        counts[6], counts[7] = max(counts[6], counts[0]), max(counts[7], counts[1])
        if every > 0 and (k + 1) % every == 0 and row < record.shape[0]:
            for i in range(places.size):
                record[row, i] = work[places[i]]
            record[row, places.size] = counts[0]
            record[row, places.size + 1] = counts[1]
            record[row, places.size + 2] = counts[2]
            row += 1
    return steps
