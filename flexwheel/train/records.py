"""What is kept of a run while it goes: ticks, largest forces and deflections, bar reactions."""

from typing import NamedTuple

import numpy as np

from flexwheel.train.coupler_force import BUFF, DRAFT, coupler_state
from flexwheel.train.kernel import kernel
from flexwheel.train.locate import keep_extremes, vertex


class Before(NamedTuple):
    """The last two ends of steps, for extremes that lie smoothly between them."""

    step: np.ndarray  # (1,) [s]          between the two; 0: only the last one counts
    force: np.ndarray  # (2, n) [N]       of every coupling, the earlier one first
    branch: np.ndarray  # (2, g) int      of every coupling between groups


class Records(NamedTuple):
    """Arrays of a run, in the numbering of the chain: n vehicles, g groups, m pieces."""

    speed: np.ndarray  # (ticks + 1, g) [m/s]
    position: np.ndarray  # (ticks + 1, m) [m]  first vehicle of each piece
    force: np.ndarray  # (ticks + 1, n) [N]     coupling behind each vehicle, bars included
    deflection: np.ndarray  # (ticks + 1, g) [m] coupling behind each group
    pressure: np.ndarray  # (ticks + 1, n) [-]
    peak_force: np.ndarray  # (n, 2) [N]        largest draft, buff
    peak_time: np.ndarray  # (n, 2) [s]
    peak_x: np.ndarray  # (g, 2) [m]
    speed_max: np.ndarray  # (1,) [m/s]
    counts: np.ndarray  # (4,) int              steps, rejected for error, landed on a branch, stops located
    energy: np.ndarray  # (7,) [J]              integral of energy.powers, if kept
    held: np.ndarray  # (2, 2) [J]              kinetic and coupler energy at start and end
    scratch: np.ndarray  # (n,)
    power: np.ndarray  # (3, 7)                 scratch
    before: Before


def new_records(chain, ticks):
    """Empty records of a run."""
    n, g, m = len(chain.mass), len(chain.group_mass), len(chain.piece) - 1
    t = ticks + 1
    return Records(
        speed=np.zeros((t, g)),
        position=np.zeros((t, m)),
        force=np.zeros((t, n)),
        deflection=np.zeros((t, g)),
        pressure=np.zeros((t, n)),
        peak_force=np.zeros((n, 2)),
        peak_time=np.zeros((n, 2)),
        peak_x=np.zeros((g, 2)),
        speed_max=np.zeros(1),
        counts=np.zeros(4, dtype=np.int64),
        energy=np.zeros(7),
        held=np.zeros((2, 2)),
        scratch=np.zeros(n),
        power=np.zeros((3, 7)),
        before=Before(np.zeros(1), np.zeros((2, n)), np.full((2, g), -1)),
    )


def first_ticks(records, count):
    """Records of the first `count` ticks."""
    names = ("speed", "position", "force", "deflection", "pressure")
    return records._replace(**{name: getattr(records, name)[:count] for name in names})


@kernel
def copy(source, target):
    """Copy an array."""
    for i in range(source.shape[0]):
        target[i] = source[i]


@kernel
def all_forces(e, state, rates, chain, force):
    """Force in every coupling of piece e, bars by reaction; fills force of its vehicles.

    Within a group the forces run from a known coupling: the one ahead, or in the first group the one behind, for a
    piece may have a body in front. What holds a group at standstill is shared by mass.
    """
    a, b = chain.piece[e], chain.piece[e + 1]
    ahead = 0.0
    for g in range(a, b):
        first, last = chain.start[g], chain.start[g + 1]
        behind = rates.coupler[g]
        if last - first > 1:
            acceleration = rates.a[g]
            if state.direction[g] == 0.0:
                acceleration += (rates.external[g] + ahead - behind) / chain.group_mass[g]
            if g == a:
                running = behind
                for i in range(last - 1, first, -1):
                    running -= rates.q[i] - chain.mass[i] * acceleration
                    force[i - 1] = running
            else:
                running = ahead
                for i in range(first, last - 1):
                    running += rates.q[i] - chain.mass[i] * acceleration
                    force[i] = running
        force[last - 1] = behind
        ahead = behind


@kernel
def record(k, state, rates, chain, records):
    """Store tick k."""
    copy(state.s0, records.position[k])
    copy(state.v, records.speed[k])
    copy(state.x, records.deflection[k])
    copy(state.p, records.pressure[k])
    for e in range(chain.piece.shape[0] - 1):
        all_forces(e, state, rates, chain, records.force[k])


@kernel
def keep_step(t, h, state, rates, trial, rates1, chain, records):
    """Largest forces, deflections and speed over an accepted step."""
    v_eps = chain.couplers.transition_speed
    for g in range(state.v.shape[0]):
        if chain.kind[g] < 0:
            continue
        i = chain.start[g + 1] - 1
        w0, w1 = state.v[g] - state.v[g + 1], trial.v[g] - trial.v[g + 1]
        limit = v_eps[chain.kind[g]]
        turns = (w0 > 0.0) != (w1 > 0.0) or (abs(w0) > limit) != (abs(w1) > limit)
        force, x = rates1.coupler[g], trial.x[g]
        most, far = records.peak_force[i], records.peak_x[g]
        if not turns and most[1] <= force <= most[0] and far[1] <= x <= far[0]:
            continue
        z, side = keep_extremes(
            h,
            state.x[g],
            w0,
            rates.a[g] - rates.a[g + 1],
            x,
            w1,
            rates1.a[g] - rates1.a[g + 1],
            force,
            chain.kind[g],
            chain.couplers,
            most,
            far,
        )
        if side >= 0:
            records.peak_time[i, side] = t + z * h
    fastest = records.speed_max[0]
    for g in range(state.v.shape[0]):
        fastest = max(fastest, abs(trial.v[g]))
    records.speed_max[0] = fastest
    keep_smooth_extremes(t, h, trial, rates1, chain, records)


@kernel
def keep_smooth_extremes(t, h, state, rates, chain, records):
    """Largest forces of rigid bars at the end of a step, and of all couplings between the ends of the last three.

    A coupling that creeps has its largest force inside the transition (7), a bar anywhere: between the ends of steps it is
    that of the parabola through three of them, where no coupling beside it changes its branch.
    """
    force, before = records.scratch, records.before
    for e in range(chain.piece.shape[0] - 1):
        all_forces(e, state, rates, chain, force)
    groups = chain.start.shape[0] - 1
    steady_ahead = True
    for g in range(groups):
        steady = True
        if chain.kind[g] >= 0:
            branch = coupler_state(state.x[g], state.v[g] - state.v[g + 1], chain.kind[g], chain.couplers)
            steady = branch == before.branch[0, g] and branch == before.branch[1, g]
            before.branch[0, g], before.branch[1, g] = before.branch[1, g], branch
        for i in range(chain.start[g], chain.start[g + 1]):
            bar = i < chain.start[g + 1] - 1
            if bar:
                keep_force(i, t + h, force[i], records)
            elif chain.kind[g] < 0:
                continue
            if before.step[0] > 0.0 and steady and (steady_ahead or not bar):
                z, most = vertex(before.force[0, i], before.force[1, i], force[i], before.step[0], h)
                keep_force(i, t + z, most, records)
            before.force[0, i], before.force[1, i] = before.force[1, i], force[i]
        steady_ahead = steady
    before.step[0] = h


@kernel
def keep_force(i, t, force, records):
    """Note a force of coupling i if it is the largest so far."""
    most = records.peak_force
    if force > most[i, DRAFT]:
        most[i, DRAFT], records.peak_time[i, DRAFT] = force, t
    if force < most[i, BUFF]:
        most[i, BUFF], records.peak_time[i, BUFF] = force, t
