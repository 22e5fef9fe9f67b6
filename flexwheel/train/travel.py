"""The time loop of a train: driver's ticks, adaptive steps, standstill, largest forces. Nothing is allocated here."""

from typing import NamedTuple

import numpy as np
from flexwheel.train.kernel import kernel

from flexwheel.train.coupler_force import BUFF, DRAFT
from flexwheel.train.driving import drive
from flexwheel.train.energy import middle, powers, stored
from flexwheel.train.external import cylinders
from flexwheel.train.locate import branch_change, keep_extremes
from flexwheel.train.relative_equations import evaluate, rodas3_step

FINISHED, STEP_TOO_SMALL, OFF_ROUTE, NOT_FINITE = 0, 1, 2, 3
STANDSTILL = 1e-7  # [m/s] against the direction of motion: counts as zero


class Settings(NamedTuple):
    """How to integrate."""

    duration: float  # [s]
    tolerance: float  # [-]
    x_scale: float  # [m]     local error of a deflection at tolerance 1
    v_scale: float  # [m/s]
    h_max: float  # [s]
    h_min: float  # [s]
    locate: float  # [s]      land on changes of branch found further than this inside a step; inf: do not
    account: bool  #           keep the energy ledger


class Records(NamedTuple):
    """What is kept of a run; c = couplings with deflection, n vehicles."""

    speed: np.ndarray  # (ticks + 1, g) [m/s]
    position: np.ndarray  # (ticks + 1,) [m]   first vehicle
    force: np.ndarray  # (ticks + 1, n - 1) [N] bars included
    deflection: np.ndarray  # (ticks + 1, c) [m]
    pressure: np.ndarray  # (ticks + 1, n) [-]
    peak_force: np.ndarray  # (n - 1, 2) [N]   largest draft, buff
    peak_time: np.ndarray  # (n - 1, 2) [s]
    peak_x: np.ndarray  # (c, 2) [m]
    speed_stats: np.ndarray  # (2,)            largest speed, distance travelled / duration
    counts: np.ndarray  # (4,) int             steps, rejected for error, landed on a branch, stops located
    energy: np.ndarray  # (7,) [J]             integral of energy.powers, if kept
    held: np.ndarray  # (2, 2) [J]             kinetic and coupler energy at start and end


@kernel
def all_forces(state, rates, chain, force):
    """Force in every coupling, bars by reaction; fills force (n - 1,)."""
    groups = chain.start.shape[0] - 1
    ahead = 0.0
    for g in range(groups):
        first, last = chain.start[g], chain.start[g + 1]
        if last - first > 1:
            share = 0.0
            if state.direction[g] == 0.0:
                behind = rates.coupler[g] if g < groups - 1 else 0.0
                share = (rates.external[g] + ahead - behind) / chain.group_mass[g]
            running = ahead
            for i in range(first, last - 1):
                running += rates.q[i] - chain.mass[i] * (rates.a[g] + share)
                force[i] = running
        if g < groups - 1:
            ahead = rates.coupler[g]
            force[last - 1] = ahead


@kernel
def record(k, state, rates, chain, records):
    """Store tick k."""
    records.position[k] = state.s0[0]
    copy(state.v, records.speed[k])
    copy(state.x, records.deflection[k])
    copy(state.p, records.pressure[k])
    all_forces(state, rates, chain, records.force[k])


@kernel
def keep_bar_extremes(t, state, rates, chain, records, scratch):
    """Largest forces of the rigid bars at the end of a step."""
    all_forces(state, rates, chain, scratch)
    for g in range(chain.start.shape[0] - 1):
        for i in range(chain.start[g], chain.start[g + 1] - 1):
            if scratch[i] > records.peak_force[i, DRAFT]:
                records.peak_force[i, DRAFT], records.peak_time[i, DRAFT] = scratch[i], t
            if scratch[i] < records.peak_force[i, BUFF]:
                records.peak_force[i, BUFF], records.peak_time[i, BUFF] = scratch[i], t


@kernel
def keep_step(t, h, state, rates, trial, rates1, chain, records, scratch):
    """Largest forces, deflections and speed over an accepted step."""
    for g in range(state.x.shape[0]):
        i = chain.start[g + 1] - 1
        z, side = keep_extremes(
            h,
            state.x[g],
            state.v[g] - state.v[g + 1],
            rates.a[g] - rates.a[g + 1],
            trial.x[g],
            trial.v[g] - trial.v[g + 1],
            rates1.a[g] - rates1.a[g + 1],
            rates1.coupler[g],
            chain.kind[g],
            chain.couplers,
            records.peak_force[i],
            records.peak_x[g],
        )
        if side >= 0:
            records.peak_time[i, side] = t + z * h
    for g in range(trial.v.shape[0]):
        records.speed_stats[0] = max(records.speed_stats[0], abs(trial.v[g]))
    keep_bar_extremes(t + h, trial, rates1, chain, records, scratch)


@kernel
def first_stop(state, rates, trial, rates1, h):
    """Fraction of the step at which a group first reaches standstill; 2 if none does."""
    first = 2.0
    for g in range(state.v.shape[0]):
        d = state.direction[g]
        if d != 0.0 and trial.v[g] * d < -STANDSTILL:
            if state.v[g] * d <= STANDSTILL:
                continue
            z = state.v[g] / (state.v[g] - trial.v[g])
            first = min(first, z)
    return first


@kernel
def first_branch(h, state, rates, trial, rates1, chain):
    """Fraction of the step at which a coupling first changes its branch; 2 if none does."""
    first = 2.0
    for g in range(state.x.shape[0]):
        z = branch_change(
            h,
            state.x[g],
            state.v[g] - state.v[g + 1],
            rates.a[g] - rates.a[g + 1],
            trial.x[g],
            trial.v[g] - trial.v[g + 1],
            rates1.a[g] - rates1.a[g + 1],
            chain.kind[g],
            chain.couplers,
        )
        first = min(first, z)
    return first


@kernel
def copy(source, target):
    """Copy an array."""
    for i in range(source.shape[0]):
        target[i] = source[i]


@kernel
def copy_state(source, target):
    """Copy a state."""
    copy(source.x, target.x)
    copy(source.v, target.v)
    copy(source.s0, target.s0)
    copy(source.direction, target.direction)
    copy(source.p, target.p)
    copy(source.seen, target.seen)
    copy(source.p_rate, target.p_rate)
    copy(source.hint, target.hint)


@kernel
def copy_rates(source, target):
    """Copy rates."""
    copy(source.a, target.a)
    copy(source.coupler, target.coupler)
    copy(source.k, target.k)
    copy(source.c, target.c)
    copy(source.external, target.external)
    copy(source.slope, target.slope)
    copy(source.rate, target.rate)
    copy(source.hold, target.hold)
    copy(source.q, target.q)


@kernel
def settle_directions(t, state, level, tick, chain, rates):
    """Stop or release groups until nothing changes; rates belong to the state afterwards."""
    changed = False
    for _ in range(4):
        any_change = False
        groups = state.v.shape[0]
        ahead = 0.0
        for g in range(groups):
            behind = rates.coupler[g] if g < groups - 1 else 0.0
            f = rates.external[g] + ahead - behind
            d = state.direction[g]
            if d == 0.0:
                if abs(f) > rates.hold[g]:
                    state.direction[g] = np.sign(f)
                    any_change = True
            elif state.v[g] * d <= STANDSTILL and f * d <= 0.0:
                state.direction[g] = 0.0
                state.v[g] = 0.0
                any_change = True
            ahead = behind
        if not any_change:
            break
        changed = True
        evaluate(t, state, level, tick, chain, rates)
    return changed


@kernel
def account(t, h, state, rates, trial, rates1, mid, level, tick, commands, chain, power, records):
    """Add a step to the energy ledger by Simpson's rule; power (3, 7) is scratch."""
    middle(h, state, rates.a, trial, rates1.a, mid)
    cylinders(state.p, state.seen, t, t + 0.5 * h, chain, commands, mid.p, mid.seen, mid.p_rate)
    powers(t, state, level, tick, chain, power[0])
    powers(t + 0.5 * h, mid, level, tick, chain, power[1])
    powers(t + h, trial, level, tick, chain, power[2])
    for j in range(power.shape[1]):
        records.energy[j] += h / 6.0 * (power[0, j] + 4.0 * power[1, j] + power[2, j])


@kernel
def travel(
    state, trial, mid, rates, rates1, stages, controls, driving, chain, settings, records, scratch, power
):
    """Run the train from state for settings.duration seconds.

    Returns
    -------
    status, t : FINISHED or the reason it ended, and when
    """
    tick = driving.tick
    level = controls.level
    x_scale = settings.tolerance * settings.x_scale
    v_scale = settings.tolerance * settings.v_scale
    s_start = state.s0[0]
    start, end = chain.route.distance[0], chain.route.distance[-1]
    t, h = 0.0, 1e-3
    records.held[0, 0], records.held[0, 1] = stored(state, chain)
    ticks = records.position.shape[0] - 1
    for k in range(ticks):
        drive(k, state.s0[0], state.v[0], driving, controls)
        t_end = min((k + 1) * tick, settings.duration)
        evaluate(t, state, level, tick, chain, rates)
        settle_directions(t, state, level, tick, chain, rates)
        if k == 0:
            record(0, state, rates, chain, records)
        while t < t_end:
            step = min(h, settings.h_max)
            whole = t + step >= t_end - 1e-9
            if whole:
                step = t_end - t
            elif t + 2.0 * step > t_end:
                step = 0.5 * (t_end - t)
            error = rodas3_step(
                t, step, state, rates, trial, level, tick, controls.commands, chain, stages, x_scale, v_scale
            )
            if not error <= 1.0:
                records.counts[1] += 1
                if not np.isfinite(error):
                    h = 0.1 * step
                else:
                    h = step * max(0.2, 0.9 * error ** (-1.0 / 3.0))
                if h < settings.h_min:
                    return STEP_TOO_SMALL, t
                continue
            z = first_stop(state, rates, trial, rates1, step)
            if z < 0.999 and z * step > settings.h_min:
                records.counts[3] += 1
                h = z * step
                continue
            evaluate(t + step, trial, level, tick, chain, rates1)
            if step > settings.locate:
                z = first_branch(step, state, rates, trial, rates1, chain)
                if z < 0.98 and z * step > settings.locate:
                    records.counts[2] += 1
                    h = z * step * 1.0001
                    continue
            keep_step(t, step, state, rates, trial, rates1, chain, records, scratch)
            if settings.account:
                account(
                    t,
                    step,
                    state,
                    rates,
                    trial,
                    rates1,
                    mid,
                    level,
                    tick,
                    controls.commands,
                    chain,
                    power,
                    records,
                )
            records.counts[0] += 1
            t = t_end if whole else t + step
            copy_state(trial, state)
            copy_rates(rates1, rates)
            settle_directions(t, state, level, tick, chain, rates)
            grown = step * min(4.0, max(0.2, 0.9 * max(error, 1e-9) ** (-1.0 / 3.0)))
            h = max(h, grown) if whole else grown
        if not np.isfinite(state.v[0]):
            return NOT_FINITE, t
        record(k + 1, state, rates, chain, records)
        tail = state.s0[0]
        for g in range(state.x.shape[0]):
            tail -= state.x[g] + chain.gap[g]
        if state.s0[0] > end or tail < start:
            return OFF_ROUTE, t
    records.held[1, 0], records.held[1, 1] = stored(state, chain)
    records.speed_stats[1] = (state.s0[0] - s_start) / settings.duration
    return FINISHED, t
