"""One time step: IMEX or explicit Euler, projections, and the look-ups between the generated kernels.

Velocities are advanced with creep forces implicit and all else explicit (paper 000, eqs 37-40), coordinates by the
mid-point rule (41); then the surface coordinates are solved from the tangent constraints (42), heights and rolls from
the normal ones (43), and the same for the velocities (18, 19). A status is returned, nothing raised or allocated.

Verified in tests/systems/locomotive/test_realtime_run_verified.py.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.machine_code import call_kernel
from flexwheel.systems.locomotive.dense_solution import (
    PARTITIONED,
    project_partitioned,
    solve_augmented,
    solve_partitioned,
)
from flexwheel.systems.locomotive.seek_contact import piece, seek_contact
from flexwheel.systems.locomotive.wheel_forces import add_creep_forces, add_stop_forces, creep_coefficients

GOOD, LEFT_PROFILE, LIFTED, NOT_FINITE, NOT_CONVERGED, LEFT_TRACK, SINGULAR = range(7)
IMEX, EXPLICIT, TRAPEZOIDAL = 0, 1, 2
K_PARAMETERS, K_DYNAMICS, K_KINEMATICS, K_SOLVE, K_POSITION, K_VELOCITY = range(6)
K_CONTACT, K_CREEP, K_CONDENSE, K_TANGENT, K_NORMAL, K_RATES, K_AUGMENTED = range(6, 13)
KERNEL_ORDER = (
    "set_parameters", "dynamics", "kinematics", "solve", "project_position", "project_velocity",
    "contact_dynamics", "creep_matrix", "condense", "tangent_newton", "normal_rows", "surface_rates", "augmented",
)  # fmt: skip
MOST_ITERATIONS = 40
SEEK_AT = 3
LONGEST_STEP = 3e-4  # of u_wheel after a search, shrinking [m]
LOOSE_FROM = 25  # iteration from which a looser tolerance does, where wheel and rail conform; such steps are counted
LOOSE = 20.0  # that tolerance in units of the stated one


class WorkPlaces(NamedTuple):
    """Offsets in the work array."""

    n: int
    q: int
    qd: int
    surface: int
    surface_rate: int
    normal_force: int
    time_step: int
    delta: int
    solution: int
    new_normal_force: int
    spline: int
    rows: int
    creep: int
    curvature: int
    creep_coefficient: int
    stop_force: int
    surface_step: int
    residual: int
    normal_row: int
    pose: int
    fixed: int
    jacobian: int
    mass: int
    gamma: int
    creep_matrix: int
    augmented_rows: int
    augmented_surface: int
    augmented_gamma: int
    width: int


class Tables(NamedTuple):
    """Profiles, rails and contact table.

    wheel, rail profiles: knots (2, n+1), coefficients (2, n, 4); rails (2, m, 16); hertz_kalker (k, 6);
    columns (4, width): coordinates of each wheelset, -1 where there are fewer; tread (2, 2): range of u_wheel without
    flange
    """

    wheel_knots: np.ndarray
    wheel: np.ndarray
    rail_knots: np.ndarray
    rail: np.ndarray
    track_start: float
    track_spacing: float
    track: np.ndarray
    hertz_kalker: np.ndarray
    t_limit: float
    columns: np.ndarray
    tread: np.ndarray


class Law(NamedTuple):
    """Contact law and method."""

    compliance: float  # 1.5 (1 - nu^2)/E [1/Pa]
    shear_modulus: float  # [Pa]
    friction: float  # coefficient of the saturation; 0: Kalker's linear law
    method: int  # IMEX, EXPLICIT or TRAPEZOIDAL
    tolerance: float  # of the constraints [m, -]
    flange_stiffness: float  # [N/m] of a stop in place of the flange; 0: none
    flange_damping: float  # [N s/m]
    flange_clearance: float  # [m]


class Core(NamedTuple):
    """What a step reads and fills.

    work array; kernels: addresses of the generated ones; status (2,): of the step, and the wheel it is about;
    counts (8,): of `run_steps`
    """

    work: np.ndarray
    kernels: np.ndarray
    at: WorkPlaces
    tables: Tables
    law: Law
    status: np.ndarray
    counts: np.ndarray


@kernel
def look_up(core, strict):
    """Cubic pieces under each contact into the lane blocks; `strict`: a contact off its profile is an error."""
    work, at, tables, status = core.work, core.at, core.tables, core.status
    for lane in range(8):
        side = lane & 1
        u, s, v = work[at.surface + 8 + lane], work[at.surface + 16 + lane], work[at.surface + 24 + lane]
        if strict and not (tables.wheel_knots[side, 0] <= u <= tables.wheel_knots[side, -1]):
            status[0], status[1] = LEFT_PROFILE, lane
        if strict and not (tables.rail_knots[side, 0] <= v <= tables.rail_knots[side, -1]):
            status[0], status[1] = LEFT_PROFILE, lane
        place = at.spline + lane
        k = piece(tables.wheel_knots[side], u)
        for c in range(4):
            work[place + 8 * c] = tables.wheel[side, k, c]
        work[place + 32] = tables.wheel_knots[side, k]
        k = piece(tables.rail_knots[side], v)
        for c in range(4):
            work[place + 40 + 8 * c] = tables.rail[side, k, c]
        work[place + 72] = tables.rail_knots[side, k]
        position = (s - tables.track_start) / tables.track_spacing
        if not (0.0 <= position < tables.track.shape[1]):
            status[0], status[1] = LEFT_TRACK, lane
            position = 0.0
        k = int(position)
        for curve in range(4):
            for c in range(4):
                work[place + 80 + 40 * curve + 8 * c] = tables.track[side, k, 4 * curve + c]
        work[place + 112] = tables.track_start + k * tables.track_spacing


@kernel
def _tangent(work, at, lane):
    worst = 0.0
    for i in range(4):
        residual = abs(work[at.residual + 8 * i + lane])
        worst = max(worst, residual if residual < np.inf else np.inf)
    return worst


@kernel
def _normal(work, at, status):
    """Largest residual of the normal constraints; infinite, and SINGULAR, where one is not a number."""
    worst = 0.0
    for lane in range(8):
        residual = abs(work[at.normal_row + 48 + lane])
        if not residual < np.inf:
            if status[0] == GOOD:
                status[0], status[1] = SINGULAR, lane
            return np.inf
        worst = max(worst, residual)
    return worst


@kernel
def project(core, dense):
    """Position and velocity constraints; counts: tangent and normal iterations needed, searches, loose ends."""
    work, kernels, at, tables = core.work, core.kernels, core.at, core.tables
    law, status, counts = core.law, core.status, core.counts
    call_kernel(kernels[K_KINEMATICS], work)
    for iteration in range(MOST_ITERATIONS):
        look_up(core, False)
        call_kernel(kernels[K_TANGENT], work)
        worst = 0.0
        for lane in range(8):
            worst = max(worst, _tangent(work, at, lane))
            share, change = 1.0, abs(work[at.surface_step + 8 + lane])
            if iteration > SEEK_AT and change > LONGEST_STEP * 0.8 ** (iteration - SEEK_AT):
                share = LONGEST_STEP * 0.8 ** (iteration - SEEK_AT) / change
            for i in range(4):
                work[at.surface + 8 * i + lane] += share * work[at.surface_step + 8 * i + lane]  # 000 (42)
        if worst <= law.tolerance:
            break
        if iteration > LOOSE_FROM and worst <= LOOSE * law.tolerance:
            counts[3] += 1
            break
        counts[0] += 1
        if iteration == SEEK_AT:
            for lane in range(8):
                if not _tangent(work, at, lane) <= law.tolerance:
                    counts[2] += 1
                    if not seek_contact(work, at, tables, lane):
                        if status[0] == GOOD:
                            status[0], status[1] = NOT_CONVERGED, lane
                        return
    else:
        if status[0] == GOOD:
            status[0] = NOT_CONVERGED
        return
    look_up(core, True)
    for iteration in range(MOST_ITERATIONS):
        call_kernel(kernels[K_NORMAL], work)
        worst = _normal(work, at, status)
        if dense is None:
            call_kernel(kernels[K_POSITION], work)
        elif not _dense_projection(core, dense, False):
            return
        call_kernel(kernels[K_KINEMATICS], work)
        if worst <= law.tolerance:
            break
        counts[1] += 1
        if status[0] != GOOD or iteration + 1 == MOST_ITERATIONS:
            if status[0] == GOOD:
                status[0], status[1] = NOT_CONVERGED, -1
            return
    call_kernel(kernels[K_NORMAL], work)
    _normal(work, at, status)
    if dense is None:
        call_kernel(kernels[K_VELOCITY], work)
    elif not _dense_projection(core, dense, True):
        return
    call_kernel(kernels[K_RATES], work)


@kernel
def _dense_projection(core, dense, velocity):
    if dense.kind != PARTITIONED:
        call_kernel(core.kernels[K_VELOCITY if velocity else K_POSITION], core.work)
        return True
    bad = project_partitioned(core, dense, velocity)
    if bad >= 0:
        core.status[0], core.status[1] = SINGULAR, bad
        return False
    if velocity:
        call_kernel(core.kernels[K_KINEMATICS], core.work)
    return True


@kernel
def evaluate_dynamics(core, scale, explicit):
    """All that the step system is made of, at the present state; creep coefficients times `scale`."""
    work, kernels = core.work, core.kernels
    call_kernel(kernels[K_DYNAMICS], work)
    look_up(core, True)
    call_kernel(kernels[K_CONTACT], work)
    creep_coefficients(core, scale)
    if explicit:
        add_creep_forces(core)
    if core.law.flange_stiffness > 0.0:
        add_stop_forces(core)
    call_kernel(kernels[K_CREEP], work)


@kernel
def solve_system(core, dense):
    """Velocities and normal forces of (40); the forces are taken over. False when the step has failed."""
    work, at, status = core.work, core.at, core.status
    if dense is None:
        call_kernel(core.kernels[K_CONDENSE], work)
        call_kernel(core.kernels[K_SOLVE], work)
    elif not _dense_solution(core, dense):
        return False
    total = 0.0
    for i in range(at.n):
        total += abs(work[at.solution + i])
    if not total < 1e9:
        status[0], status[1] = NOT_FINITE, -1
        return False
    for lane in range(8):
        force = work[at.new_normal_force + lane]
        work[at.normal_force + lane] = force
        if not force > 0.0:
            status[0], status[1] = LIFTED, lane
    return True


@kernel
def _dense_solution(core, dense):
    if dense.kind == PARTITIONED:
        core.status[1] = solve_partitioned(core, dense)
        good = core.status[1] < 0
    else:
        call_kernel(core.kernels[K_AUGMENTED], core.work)
        good = solve_augmented(core, dense)
    if not good:
        core.status[0] = SINGULAR
    return good


@kernel
def advance(core, dense):
    """One step of work[time_step]; the status tells what went wrong.

    dense : handle of Dense, or None     None: the sparse solution; the others are then not even compiled
    """
    work, at = core.work, core.at
    dt, n = work[at.time_step], at.n
    explicit = core.law.method == EXPLICIT
    evaluate_dynamics(core, 1.0 if explicit else dt, explicit)  # 000 (38)
    if not solve_system(core, dense):
        return
    for i in range(n):
        old, new = work[at.qd + i], work[at.solution + i]
        work[at.q + i] += 0.5 * dt * (old + new)  # 000 (41)
        work[at.qd + i] = new
    for i in range(32):
        work[at.surface + i] += dt * work[at.surface_rate + i]
    project(core, dense)
