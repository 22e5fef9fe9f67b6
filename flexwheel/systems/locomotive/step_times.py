"""Time of the parts of a step beside paper 000's table 1, each part run alone on the present state."""

import time

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.machine_code import call_kernel, clock
from flexwheel.systems.locomotive.locomotive_step import (
    GOOD,
    K_CONDENSE,
    K_CONTACT,
    K_CREEP,
    K_DYNAMICS,
    K_SOLVE,
    KERNEL_ORDER,
    advance,
    look_up,
    project,
)
from flexwheel.systems.locomotive.wheel_forces import creep_coefficients

REPEAT = 50


@kernel
def _kernel(work, address, repeat):
    for _ in range(repeat):
        call_kernel(address, work)


@kernel
def _look_up(core, repeat):
    for _ in range(repeat):
        look_up(core, True)


@kernel
def _contact(core, repeat):
    for _ in range(repeat):
        call_kernel(core.kernels[K_CONTACT], core.work)
        creep_coefficients(core, 1e-3)
        call_kernel(core.kernels[K_CREEP], core.work)


@kernel
def _solve(core, repeat):
    for _ in range(repeat):
        call_kernel(core.kernels[K_CONDENSE], core.work)
        call_kernel(core.kernels[K_SOLVE], core.work)


@kernel
def _project(core, dense, repeat):
    for _ in range(repeat):
        project(core, dense)


def table_1(locomotive, steps=5000):
    """Rows (task, microseconds here, microseconds of the paper or None); the state is left as it was."""
    saved = locomotive.save_state()
    core, dense = locomotive._core, locomotive._dense
    work, addresses = locomotive._work, locomotive.generated.code.addresses
    parts = (
        ("contact areas, Kalker coefficients, creep matrices (x8)",
         lambda: _contact(core, REPEAT), 30),
        ("look-up of profiles and track (x8)", lambda: _look_up(core, REPEAT), 1),
        ("M, delta and wheelset kinematics (gamma_n is in the contact row)",
         lambda: _kernel(work, addresses[KERNEL_ORDER[K_DYNAMICS]], REPEAT), 55),
        ("assembly and solution of the step system",
         lambda: _solve(core, REPEAT), 103),
        ("constraints and projections of positions and velocities",
         lambda: _project(core, dense, REPEAT), 29 + 37),
    )  # fmt: skip
    rows = []
    for name, part, paper in parts:
        part()
        rows.append((name, 1e6 * float(np.median(_times(part, max(steps // REPEAT, 5)))) / REPEAT, paper))
    locomotive.restore_state(saved)
    whole = step_times(locomotive, steps)
    locomotive.restore_state(saved)
    return [*rows, ("whole step, called from Python one by one", 1e6 * float(np.median(whole)), 256)]


@kernel
def _timed(core, dense, ticks):
    work, status = core.work, core.status
    for k in range(ticks.size):
        status[0], status[1] = GOOD, -1
        begun = clock(work)
        advance(core, dense)
        ticks[k] = clock(work) - begun
        if status[0] != GOOD:
            return k
    return ticks.size


def compiled_step_times(locomotive, steps):
    """(steps,) seconds of each Euler step inside the compiled loop; the state is left as it was."""
    saved = locomotive.save_state()
    core, dense = locomotive._core, locomotive._dense
    _timed(core, dense, np.zeros(10, np.int64))
    locomotive.restore_state(saved)
    ticks = np.zeros(steps, np.int64)
    begun = time.perf_counter()
    done = _timed(core, dense, ticks)
    seconds = time.perf_counter() - begun
    locomotive.restore_state(saved)
    return ticks[:done] * (seconds / max(int(ticks[:done].sum()), 1))


def step_times(locomotive, steps):
    """(steps,) seconds of each step, called from Python; advances the locomotive."""
    return _times(locomotive.step, steps)


def _times(part, count):
    """(count,) seconds of each call."""
    times = np.empty(count)
    for k in range(count):
        begun = time.perf_counter()
        part()
        times[k] = time.perf_counter() - begun
    return times
