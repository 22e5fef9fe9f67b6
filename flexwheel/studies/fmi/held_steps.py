"""Steps of a vehicle taken a few at a time, as another program asks for them: the time loop without its loop."""

import numpy as np

from flexwheel.numerics.kernels import handle
from flexwheel.vehicle.step.contact_system import law_entry
from flexwheel.vehicle.step.coupled_step import step_entry
from flexwheel.vehicle.step.simulate import prepared, run_steps
from flexwheel.vehicle.step.simulate_record import make_sampling, record, source_arrays, unpacked

NEVER = 2**62  # step of the first sample of a loop that takes none


def held_steps(model, state, rail_state, contact_work, work, settings):
    """Functions `take(steps)` -> status, steps taken, steps not converged; and `sample()` -> records of the present.

    Parameters
    ----------
    as `simulate`; settings: LoopSettings, of the implicit step

    Between two calls the caller may change `work.external`, the wrenches that stand over a step [N, N m]. The steps are
    those of `simulate`, bit by bit.
    """
    model, _ = prepared(model, state, rail_state, work, settings)
    arrays = source_arrays(state, work)
    silent, one = handle(make_sampling(arrays, 1, 1, NEVER)), make_sampling(arrays, 1, 1, 0)
    filled = handle(one)
    compiled = [handle(item) for item in (model, state, rail_state, contact_work, work)]
    law = law_entry(handle(model.contact[0]), compiled[3], work)
    step, parts = step_entry(law, *compiled, stiff=bool(work.coupling.active[0]))
    arguments = parts, *compiled, float(settings.tolerance), int(settings.limit)
    count = np.zeros(3, dtype=np.int64)

    def take(steps):
        count[:] = 0
        status, done = run_steps(step, arguments, None, steps, 0, silent, count)
        return status, done, int(count[2])

    def sample():
        record(filled, 0)
        return unpacked(arrays, one.rows)

    take(0)  # compiles
    return take, sample
