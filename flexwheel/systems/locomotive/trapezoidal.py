"""Implicit trapezoidal rule for comparison with the IMEX step (paper 000, section 5).

v1 = v0 + h (a0 + a1), q1 = q0 + h (v0 + v1), h = dt/2. With a1 from the equations of motion at (q1, v1) this is
(M + h C) v1 = M (v0 + h a0) + h delta, G v1 = G (v0 + h a0) + h gamma: the system of (40) with step h and v0 + h a0 in
place of the velocities. It is solved again at each new (q1, v1) until v1 stays; a0 comes from an explicit solution at
the start. Order two; a solution and a projection for every iteration.

Verified in tests/systems/locomotive/test_realtime_forms_verified.py.
"""

from flexwheel.numerics.kernels import kernel
from flexwheel.systems.locomotive.locomotive_step import GOOD, NOT_CONVERGED, evaluate_dynamics, project, solve_system

MOST_SOLUTIONS = 60
CHANGE = 1e-9  # of v1 [m/s, rad/s], at which iteration ends


@kernel
def advance_trapezoidal(core, dense, start):
    """One step of work[time_step].

    start : (4 n + 64,) float     scratch: q0, v0, v0 + h a0, surface coordinates and their rates at the start, the
                                  solution before
    """
    work, at, status = core.work, core.at, core.status
    dt, n = work[at.time_step], at.n
    h = 0.5 * dt
    work[at.time_step] = h
    for i in range(n):
        start[i], start[n + i] = work[at.q + i], work[at.qd + i]
    for i in range(32):
        start[3 * n + i], start[3 * n + 32 + i] = work[at.surface + i], work[at.surface_rate + i]
    evaluate_dynamics(core, 1.0, True)
    good = solve_system(core, dense)
    for i in range(n):
        start[2 * n + i] = work[at.solution + i]
    before = start[3 * n + 64 :]
    converged = False
    for _ in range(MOST_SOLUTIONS):
        if not good or status[0] != GOOD or converged:
            break
        core.counts[0] = core.counts[1] = 0
        for i in range(n):
            work[at.q + i] = start[i] + h * (start[n + i] + work[at.solution + i])
            work[at.qd + i] = work[at.solution + i]
        for i in range(32):
            rate = start[3 * n + 32 + i] + work[at.surface_rate + i]
            work[at.surface + i] = start[3 * n + i] + h * rate
        project(core, dense)
        evaluate_dynamics(core, h, False)
        for i in range(n):
            work[at.qd + i] = start[2 * n + i]
        for i in range(n):
            before[i] = work[at.solution + i]
        good = solve_system(core, dense)
        change = 0.0
        for i in range(n):
            change = max(change, abs(work[at.solution + i] - before[i]))
        converged = change <= CHANGE
    work[at.time_step] = dt
    if not converged:
        if status[0] == GOOD:
            status[0], status[1] = NOT_CONVERGED, -1
        return
    for i in range(n):
        work[at.q + i] = start[i] + h * (start[n + i] + work[at.solution + i])
        work[at.qd + i] = work[at.solution + i]
    project(core, dense)
