"""Time of the parts of a step beside paper 000's table 1, each part run alone on the present state."""

from __future__ import annotations

import time

import numpy as np
from numba import njit

from flexwheel.realtime.kernel_call import call_kernel
from flexwheel.realtime.step import K_CONTACT, K_CREEP, K_DYNAMICS, K_SOLVE, creep_coefficients, look_up, project

REPEAT = 50


@njit(cache=True)
def _kernel(work, address, repeat):
    for _ in range(repeat):
        call_kernel(address, work)


@njit(cache=True)
def _look_up(work, at, tables, status, repeat):
    for _ in range(repeat):
        look_up(work, at, tables, status, True)


@njit(cache=True)
def _contact(work, kernels, at, tables, law, repeat):
    for _ in range(repeat):
        call_kernel(kernels[K_CONTACT], work)
        creep_coefficients(work, at, tables, law, 1e-3)
        call_kernel(kernels[K_CREEP], work)


@njit(cache=True)
def _project(work, kernels, at, tables, law, dense, status, counts, repeat):
    for _ in range(repeat):
        project(work, kernels, at, tables, law, dense, status, counts)


def table_1(locomotive, steps=5000):
    """Rows (task, microseconds here, microseconds of the paper or None); the state is left as it was."""
    saved = locomotive.save_state()
    work, kernels = locomotive._work, locomotive._kernels
    at, tables, law, dense = locomotive._handles
    status, counts = locomotive._status, locomotive._counts
    parts = (
        ("contact areas, Kalker coefficients, creep matrices (x8)",
         lambda: _contact(work, kernels, at, tables, law, REPEAT), 30),
        ("look-up of profiles and track (x8)", lambda: _look_up(work, at, tables, status, REPEAT), 1),
        ("M, delta and wheelset kinematics (gamma_n is in the contact row)",
         lambda: _kernel(work, kernels[K_DYNAMICS], REPEAT), 55),
        ("assembly and solution of the step system", lambda: _kernel(work, kernels[K_SOLVE], REPEAT), 103),
        ("constraints and projections of positions and velocities",
         lambda: _project(work, kernels, at, tables, law, dense, status, counts, REPEAT), 29 + 37),
    )  # fmt: skip
    rows = []
    for name, part, paper in parts:
        part()
        rows.append((name, 1e6 * _median(part, max(steps // REPEAT, 5)) / REPEAT, paper))
    locomotive.restore_state(saved)
    whole = step_times(locomotive, steps)
    locomotive.restore_state(saved)
    return [*rows, ("whole step, called from Python one by one", 1e6 * float(np.median(whole)), 256)]


def step_times(locomotive, steps):
    """(steps,) seconds of each step, called from Python; advances the locomotive."""
    times = np.empty(steps)
    for k in range(steps):
        begun = time.perf_counter()
        locomotive.step()
        times[k] = time.perf_counter() - begun
    return times


def _median(part, count):
    times = np.empty(count)
    for k in range(count):
        begun = time.perf_counter()
        part()
        times[k] = time.perf_counter() - begun
    return float(np.median(times))
