"""The time loop: steps in compiled chunks, samples into arrays made once, progress and interruption between chunks."""

import time
from dataclasses import dataclass

import numpy as np

from flexwheel.numerics.kernels import handle, kernel
from flexwheel.numerics.kernels.arrays_within import arrays_within
from flexwheel.numerics.kernels.interpreted import interpreted
from flexwheel.track.rail_model import linked
from flexwheel.vehicle.elements.columns import BODY_A, BODY_B
from flexwheel.vehicle.step.contact_system import law_entry
from flexwheel.vehicle.step.coordinate_labels import coordinate_labels
from flexwheel.vehicle.step.coupled_step import (
    CONVERGED,
    DERAILED,
    DIVERGED,
    NOT_CONVERGED,
    NOT_FINITE,
    SINGULAR,
    call_step,
    step_entry,
)
from flexwheel.vehicle.step.coupling_renewal import judge_coupling
from flexwheel.vehicle.step.explicit_step import explicit_step, make_explicit_work
from flexwheel.vehicle.step.growth import shares_of_energy
from flexwheel.vehicle.step.load_rates import begin_loads, rate_delay
from flexwheel.vehicle.step.passing_on import PassingOn
from flexwheel.vehicle.step.residual import residual_entry
from flexwheel.vehicle.step.simulate_record import (
    due,
    make_sampling,
    record,
    sample,
    sample_held,
    source_arrays,
    unpacked,
    waiting,
)
from flexwheel.vehicle.step.step_gain import gain_in_phase
from flexwheel.vehicle.step.watch import Watch, begin, look, watch_entry, with_motion
from flexwheel.vehicle.step.wheelset_rows import link_rows
from flexwheel.vehicle.suspension import link

CHUNK_SECONDS = 0.2  # of wall time between two looks at the clock
FIRST_CHUNK = 20  # steps
UNCONVERGED_SHARE = 1e-3  # of the steps that a run may take without converging
UNCONVERGED_LEAST = 5  # steps that never count as too many
HELD_SECONDS = 0.4  # [s] of simulated time that samples wait in memory at most before they are passed on
HELD_BYTES = 3e7  # [byte] of them
MOVING = ("state", "rail_state", "contact_work", "work", "explicit", "coupled", "watch")
"""What a step is handed beside the model, which stands still: all of it is in a checkpoint."""


@dataclass(frozen=True)
class LoopSettings:
    """How a time loop steps and samples."""

    stride: int = 2  # steps between samples
    start: int | None = None  # step of the first sample, 0 the start of the run; stride where not given
    limit: int = 12  # iterations a step may take
    tolerance: float = 5.0  # [N] on the contact forces, see `coupled_step`
    explicit: bool = False  # the explicit step: rigid wheelsets on rails that do not move
    in_phase: bool = False  # wheelsets keep their own frequencies whatever the step, see `step_gain`
    watch: Watch | None = None  # what is measured beside, None: nothing
    # share of the steps, but UNCONVERGED_LEAST steps, beyond which the run is incomplete
    unconverged_share: float = UNCONVERGED_SHARE

    def samples(self, steps):
        """Samples of so many steps."""
        first = self.stride if self.start is None else self.start
        return max(0, (steps - first) // self.stride + 1)


@dataclass(frozen=True)
class Run:
    """Outcome of a time loop; `complete` is False after an interruption, a derailment or too many steps unconverged.

    `records` are those of `simulate_record.unpacked`; empty where they went to a `sink`.
    """

    records: object
    complete: bool
    message: str
    steps: int
    iterations_mean: float
    unconverged: int


@kernel
def run_steps(step, arguments, watch, steps, first, sampling, count):
    """Take `steps` steps, the first of which is number `first` + 1; those that are due are recorded.

    step, arguments : of `step_entry`: (parts, model, state, rail_state, contact_work, work, tolerance, limit)
    watch : None, or an entry and what it is called with before whether the step is a sample
    count : (3,)    rows written, iterations in all, steps not converged

    Returns status (of the last step) and steps taken.
    """
    for i in range(steps):
        status, iterations = call_step(step, arguments)
        count[1] += iterations
        if status == NOT_CONVERGED:
            count[2] += 1
        elif status != CONVERGED:
            return status, i
        if watch is not None:
            look(watch[0], (*watch[1], due(sampling, first + i + 1)))
        sample(sampling, arguments[2].loads, first + i + 1, count)
    return CONVERGED, steps


@kernel
def run_explicit_steps(entries, arguments, scratch, watch, steps, first, sampling, count):
    """As `run_steps`, by the explicit step; entries: law, residual; arguments: model, state, contact_work, work."""
    model, state, contact_work, work = arguments
    for i in range(steps):
        status, evaluations = explicit_step(entries, model, state, contact_work, work, scratch)
        if status != CONVERGED:
            return status, i
        count[1] += evaluations
        sampled = due(sampling, first + i + 1)
        if watch is not None:
            look(watch[0], (*watch[1], sampled))
        if sampled:
            record(sampling, count[0])
            count[0] += 1
    return CONVERGED, steps


def prepared(model, state, rail_state, work, settings):
    """Model with its laws linked and its stiff elements judged, ready to step; contraction of each element."""
    link(model.suspension, rates=settings.explicit, measures=settings.watch is not None)
    link_rows(model.wheelsets)
    if settings.explicit:
        return model, np.zeros(len(model.suspension.integer))
    model = model._replace(rail=linked(model.rail, rail_state, model.coefficients))
    work.failures[:] = 0
    contraction = judge_coupling(model, work)
    if settings.in_phase:
        model = gain_in_phase(model, state, work, contraction)
    begin_loads(model, state, work)
    return model, contraction


def simulate(
    model, assembly, state, rail_state, contact_work, work, duration, settings=None, *, coupled=None, progress=None,
    sink=None, checkpoint=None,
) -> Run:  # fmt: skip
    """Run for `duration` [s].

    Parameters
    ----------
    settings : LoopSettings
    coupled : Coupled or None      system that is advanced with the vehicle, such as a train around it
    progress : callable or None    called with (simulated time [s], duration [s]) between chunks; KeyboardInterrupt
                                   raised in it or by the user ends the run cleanly
    sink : callable or None        takes the records of the samples since its last call, at least every HELD_SECONDS of
                                   simulated time; without it they are kept and returned
    checkpoint : Checkpoint or None   of results.checkpoint: where the run goes on from, and what it leaves on its way

    Returns
    -------
    Run                complete = False with the reason in `message` when it was interrupted, a wheel left the rail, the
                       state ceased to be finite, a system was singular or too many steps did not converge; the samples
                       up to there are kept
    """
    settings = settings or LoopSettings()
    dt, stride = model.coefficients.dt, settings.stride
    total = int(round(duration / dt))
    model, contraction = prepared(model, state, rail_state, work, settings)
    arrays, unfinished = source_arrays(state, work, coupled, settings.watch), interpreted(waiting)
    most = capacity = settings.samples(total)
    if sink is not None:
        row = sum(array.nbytes for array in arrays.values())
        capacity = int(max(1, min(most, HELD_BYTES / row, HELD_SECONDS / (stride * dt) + 1)))
    delay = 0 if settings.explicit else rate_delay(state.loads)
    layout = capacity, stride, stride if settings.start is None else settings.start, delay
    passing = None if sink is None else PassingOn(sink, arrays, *layout)
    sampling = passing.sets[0] if passing else make_sampling(arrays, *layout)
    moves, scratch = (state, rail_state, contact_work, work), None
    compiled = [handle(item) for item in (model, *moves)]
    beside = None if coupled is None else coupled.moving
    beside_handle = None if coupled is None else handle(beside)
    watch, seen = None, None
    if settings.watch is not None:
        seen = with_motion(settings.watch, *compiled[:2]), model, state, rail_state, work
        handles = tuple(handle(item) for item in seen)
        watch = watch_entry((seen[0], handles[0]), *handles[1:]), handles
    law = law_entry(handle(model.contact[0]), compiled[3], work)
    if settings.explicit:
        scratch = make_explicit_work(model, assembly)
        explicit_work = handle(scratch)
        explicit_entries = law, residual_entry(*compiled[:2], compiled[4])
        work.rail[:] = 0.0
    else:
        step, parts = step_entry(law, *compiled, stiff=bool(work.coupling.active[0]))
        arguments = parts, *compiled, float(settings.tolerance), int(settings.limit)
    chunk = FIRST_CHUNK
    taken, rows, iterations, unconverged = 0, 0, 0, 0
    complete, message, between, failed, counts = True, "", True, False, np.zeros(4, dtype=np.int64)
    whole = dict(zip(MOVING, (*moves, scratch, beside, settings.watch), strict=True))
    moving = {"counts": counts} | arrays_within(**whole)
    every = total if checkpoint is None else checkpoint.steps(dt)

    def take(steps, count, sampling):
        sampling = handle(sampling)
        if settings.explicit:
            given = *compiled[:2], *compiled[3:]
            return run_explicit_steps(explicit_entries, given, explicit_work, watch, steps, taken, sampling, count)
        if coupled is not None:
            return coupled.run_steps(step, arguments, beside_handle, watch, steps, taken, sampling, count)
        return run_steps(step, arguments, watch, steps, taken, sampling, count)

    def held(count=None):
        some = delay or sink is None
        return {f"rows.{k}": kept[:count] for k, kept in enumerate(sampling.rows)} if some else {}

    def passed_on():
        nonlocal sampling
        if passing and rows:
            sampling = passing.swap(sampling, rows, unfinished(sampling, taken))
        return 0 if passing else rows

    def keep():
        if passing:
            passing.wait()
        counts[:] = taken, rows, iterations, unconverged
        checkpoint.save(moving, held(rows + unfinished(sampling, taken)))

    def made_whole():
        # by steps beyond the end, of which nothing stays; where the loop failed, or they do, under loads that stand
        count, ending, done = np.array([rows, 0, 0]), sampling._replace(last=taken), 0
        before = {name: array.copy() for name, array in moving.items()}
        if not failed:
            _, done = take(delay, count, ending)
        interpreted(sample_held)(ending, state.loads, taken, done, count)
        for name, array in moving.items():
            array[...] = before[name]
        return int(count[0])

    take(0, np.zeros(3, dtype=np.int64), sampling)  # compiles, runs nothing
    if checkpoint is not None and checkpoint.restore(moving, held()):
        taken, rows, iterations, unconverged = (int(count) for count in counts)
    if seen is not None and not taken:
        begin(*seen)
    try:
        if sampling.start == 0 and capacity and not taken:
            interpreted(record)(sampling, 0)
            rows = int(not delay)
        while taken < total:
            if sink is not None and (rows + 1) * stride * dt > HELD_SECONDS or rows == capacity < most:
                rows = passed_on()
            room = (capacity - rows) * stride if sink is not None else total
            count = np.zeros(3, dtype=np.int64)
            count[0] = rows
            started, between = time.perf_counter(), False
            status, done = take(max(1, min(chunk, total - taken, room, every - taken % every)), count, sampling)
            pace = CHUNK_SECONDS / max(time.perf_counter() - started, 1e-3)
            chunk = max(1, min(total, int(chunk * min(max(pace, 0.1), 4.0))))
            taken += done
            rows = int(count[0])
            iterations += int(count[1])
            unconverged += int(count[2])
            between = True
            if status != CONVERGED:
                failed, complete = True, False
                message = failure_text(status, model, assembly, state, work, taken, unconverged)
                if unconverged > 0:
                    message += f"; {unconverged} of {taken} steps before it did not converge, " + unconverged_text(
                        model, assembly, work, contraction
                    )
                break
            if progress is not None:
                progress(taken * dt, total * dt)
            if taken % every == 0 and taken < total:
                rows = passed_on()
                keep()
    except KeyboardInterrupt:
        complete, message = False, f"interrupted at t = {state.time[0]:.4f} s"
        if checkpoint is not None:
            checkpoint.interrupted = True
    rows = passed_on()
    if checkpoint is not None and between and (checkpoint.interrupted or checkpoint.at_end):
        keep()
    if delay and between:
        rows = made_whole()
        rows = passed_on()
    if passing:
        passing.wait()
    if complete and unconverged > max(settings.unconverged_share * total, UNCONVERGED_LEAST):
        complete = False
        message = f"{unconverged} of {total} steps did not converge; " + unconverged_text(
            model, assembly, work, contraction
        )
    records = unpacked(arrays, [kept[:rows] for kept in sampling.rows])
    return Run(records, complete, message, taken, iterations / max(1, taken), unconverged)


def failure_text(status, model, assembly, state, work, taken, unconverged):
    """What a run ended with, of steps taken and those of them that did not converge."""
    at = f"t = {state.time[0]:.5f} s"
    if status == DERAILED:
        doubt = ", which is not to be trusted" if unconverged > UNCONVERGED_LEAST else ""
        moving = moving_most(model, assembly, state)
        return f"a wheel left the rail at {at} (contact outside the profiles){doubt}; {moving}"
    worst = culprit_name(model, assembly, int(work.culprit[0]))
    what = {
        DIVERGED: "contact iteration diverged",
        NOT_FINITE: "state no longer finite",
        SINGULAR: "contact system singular",
    }[status]
    said = f"the coupled step failed at {at}, step {taken + 1}, at {worst}: {what}"
    return f"{said}; {moving_most(model, assembly, state)}; else try a smaller run.step_s"


def moving_most(model, assembly, state):
    """What holds most of the kinetic energy beside that of running, at the last step that was accepted."""
    units, wheelsets = model.units, model.wheelsets
    rates = np.nan_to_num(state.history[0, 1], nan=1e9, posinf=1e9, neginf=-1e9)
    mass = np.ones(len(rates))  # of modes; those of axle boxes follow
    for u, o in enumerate(units.offset[:-1]):
        mass[o : o + 3] = units.mass[u]
        mass[o + 3 : o + 6] = units.inertia[u][[2, 0, 1], [2, 0, 1]]
        rates[o] -= model.speed
    for w, u in enumerate(wheelsets.unit):
        rates[units.offset[u] + 5] -= model.speed / wheelsets.radius[w]
        if wheelsets.box_pitch[w] == 1:
            mass[units.offset[u + 1] - 2 : units.offset[u + 1]] = wheelsets.box_inertia[w, :, 1, 1]
    names, shares = shares_of_energy(np.diag(mass), coordinate_labels(assembly), rates)
    most = int(np.argmax(shares))
    return (
        f"{names[most]} has {100.0 * shares[most]:.0f} % of the kinetic energy without that of running: if it was "
        "growing, the vehicle is unstable (flexwheel eigen names unstable motions at each speed)"
    )


def unconverged_text(model, assembly, work, contraction):
    """What most of the steps that did not converge failed at, and the stiffest force element there."""
    worst = int(np.argmax(work.failures))
    text = f"most often ({work.failures[worst]} times) at {culprit_name(model, assembly, worst)}"
    units = len(model.units.mass)
    if worst < units:
        poses = np.flatnonzero(assembly.pose_units == worst)
        ends = model.suspension.integer[:, [BODY_A, BODY_B]]
        near = np.flatnonzero(np.isin(ends, poses).any(axis=1))
        if len(near):
            e = near[np.argmax(contraction[near] > 0.99 * contraction[near].max())]  # the first of equal ones
            name = assembly.element_names[e] if assembly.element_names else f"number {e + 1}"
            text += f", whose stiffest force element for this step is '{name}'"
    return text + "; try a smaller run.step_s, or a larger run.contact_iterations_max"


def culprit_name(model, assembly, number):
    """What a number of `failures` stands for."""
    units = len(model.units.mass)
    if number < units:
        return f"body {assembly.unit_names[number]}"
    if number < units + len(model.wheelsets.unit):
        return f"the contacts of {assembly.wheelset_specs[number - units].name}"
    return "the nonlinear supports of the rails (track.fastener, track.foundation)"
