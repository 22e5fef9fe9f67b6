"""The time loop of a train: driver's ticks, adaptive steps, standstill, largest forces. Nothing is allocated here.

One loop serves the train by itself (one piece, no bodies) and bodies with force elements between them (one piece
per element).
"""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.systems.train.bodies import evaluate_all, spread_ends, tail_place, take_ends
from flexwheel.systems.train.driving import drive
from flexwheel.systems.train.external import cylinders
from flexwheel.systems.train.extremes import forget
from flexwheel.systems.train.hidden_vehicles import end_forces
from flexwheel.systems.train.locate import branch_change, path_behind
from flexwheel.systems.train.records import copy, keep_step, record
from flexwheel.systems.train.rodas3 import rodas3_step
from flexwheel.systems.train.train_energy import middle, powers, stored

FINISHED, STEP_TOO_SMALL, OFF_ROUTE, NOT_FINITE = 0, 1, 2, 3
RELEASE = 5e-5  # [s] by which the release of a held group may be late
STANDSTILL = 1e-7  # [m/s] against the direction of motion: counts as zero


class Settings(NamedTuple):
    """How to integrate."""

    duration: float  # [s]
    tolerance: float  # [-]
    h_max: float  # [s]
    h_min: float  # [s]
    locate: float  # [s]      land on changes of branch found further than this inside a step; inf: do not
    account: bool  #           keep the energy ledger (train by itself only)


@kernel
def first_stop(state, trial):
    """Fraction of the step at which a group first reaches standstill; 2 if none does."""
    first = 2.0
    for g in range(state.v.shape[0]):
        d = state.direction[g]
        if d != 0.0 and trial.v[g] * d < -STANDSTILL and state.v[g] * d > STANDSTILL:
            first = min(first, state.v[g] / (state.v[g] - trial.v[g]))
    return first


@kernel
def release(force0, hold0, force1, hold1):
    """Fraction of the step at which what pulls at a held group first exceeds what holds it; 2 if it does not."""
    short, over = hold0 - abs(force0), abs(force1) - hold1
    return max(short, 0.0) / (max(short, 0.0) + over) if over > 0.0 else 2.0


@kernel
def first_release(bodies, state, rates, rates1, chain):
    """Fraction of the step at which the first held group or body is released; 2 if none is.

    A group released only at the end of a long step has lost the impulse of what already pulled at it.
    """
    first = 2.0
    hosted = bodies.s.shape[0] > 0
    for e in range(chain.piece.shape[0] - 1):
        a, b = chain.piece[e], chain.piece[e + 1]
        ahead0, ahead1 = 0.0, 0.0
        for g in range(a, b):
            if state.direction[g] == 0.0 and (not hosted or (a < g < b - 1)):
                force0 = rates.external[g] + ahead0 - rates.coupler[g]
                force1 = rates1.external[g] + ahead1 - rates1.coupler[g]
                first = min(first, release(force0, rates.hold[g], force1, rates1.hold[g]))
            ahead0, ahead1 = rates.coupler[g], rates1.coupler[g]
    for k in range(bodies.s.shape[0]):
        if bodies.direction[k] != 0.0:
            continue
        force0, hold0, force1, hold1 = 0.0, 0.0, 0.0, 0.0
        if k > 0:
            last = chain.piece[k] - 1
            force0 += end_forces(k - 1, rates, chain)[1]
            force1 += end_forces(k - 1, rates1, chain)[1]
            hold0 += rates.hold[last]
            hold1 += rates1.hold[last]
        if k < bodies.s.shape[0] - 1:
            force0 += end_forces(k, rates, chain)[0]
            force1 += end_forces(k, rates1, chain)[0]
            hold0 += rates.hold[chain.piece[k]]
            hold1 += rates1.hold[chain.piece[k]]
        first = min(first, release(force0, hold0, force1, hold1))
    return first


@kernel
def first_branch(h, begin, end, chain):
    """Fraction of the step at which a coupling first changes its branch; 2 if none does."""
    first = 2.0
    for g in range(begin.state.v.shape[0]):
        kind = chain.kind[g]
        if kind >= 0:
            first = min(first, branch_change(path_behind(g, h, begin, end), kind, chain.couplers))
    return first


@kernel
def take_over(end, begin):
    """The end of a step becomes the begin of the next."""
    new, state, rates1, rates = end.state, begin.state, end.rates, begin.rates
    copy(new.x, state.x)
    copy(new.v, state.v)
    copy(new.s0, state.s0)
    copy(new.p, state.p)
    copy(new.seen, state.seen)
    copy(new.p_rate, state.p_rate)
    copy(new.hint, state.hint)
    copy(rates1.a, rates.a)
    copy(rates1.coupler, rates.coupler)
    copy(rates1.k, rates.k)
    copy(rates1.c, rates.c)
    copy(rates1.external, rates.external)
    copy(rates1.slope, rates.slope)
    copy(rates1.rate, rates.rate)
    copy(rates1.hold, rates.hold)
    copy(rates1.q, rates.q)


@kernel
def direction_after(direction, v, force, hold):
    """Direction of a group after what acts on it: released, stopped, or as it was."""
    if direction == 0.0:
        return np.sign(force) if abs(force) > hold else 0.0
    if v * direction <= STANDSTILL and force * direction <= 0.0:
        return 0.0
    return direction


@kernel
def stop_and_release(t, bodies, instant, controls, chain):
    """Stop or release groups and bodies until nothing changes; rates belong to the state afterwards.

    Returns whether anything did.
    """
    state, rates = instant.state, instant.rates
    hosted = bodies.s.shape[0] > 0
    for k in range(4):
        changed = False
        for e in range(chain.piece.shape[0] - 1):
            a, b = chain.piece[e], chain.piece[e + 1]
            ahead = 0.0
            for g in range(a, b):
                behind = rates.coupler[g]
                if not hosted or (a < g < b - 1):
                    force = rates.external[g] + ahead - behind
                    d = direction_after(state.direction[g], state.v[g], force, rates.hold[g])
                    if d != state.direction[g]:
                        state.direction[g] = d
                        changed = True
                        if d == 0.0:
                            state.v[g] = 0.0
                ahead = behind
        for b in range(bodies.s.shape[0]):
            d = direction_after(bodies.direction[b], bodies.v[b], bodies.force[b], bodies.hold[b])
            if d != bodies.direction[b]:
                bodies.direction[b] = d
                changed = True
                if d == 0.0:
                    bodies.v[b] = 0.0
        if not changed:
            return k > 0
        if hosted:
            spread_ends(bodies, state, chain)
        evaluate_all(t, bodies, state, controls, chain, rates)
    return True


@kernel
def account(t, h, motion, controls, chain, records):
    """Add a step to the energy ledger by Simpson's rule."""
    power, mid = records.power, motion.middle
    middle(h, motion.begin, motion.end, mid)
    cylinders(t, t + 0.5 * h, motion.begin.state, controls.commands, chain, mid)
    powers(t, motion.begin.state, controls, chain, power[0])
    powers(t + 0.5 * h, mid, controls, chain, power[1])
    powers(t + h, motion.end.state, controls, chain, power[2])
    for j in range(power.shape[1]):
        records.energy[j] += h / 6.0 * (power[0, j] + 4.0 * power[1, j] + power[2, j])


@kernel
def attempt(t, step, motion, controls, chain, settings, counts):
    """One trial step with everything that can send it back.

    Returns
    -------
    error, shorter : error estimate; the step to try instead, 0 when this one stands
    """
    bodies, begin, end = motion.bodies, motion.begin, motion.end
    error = rodas3_step(t, step, motion, controls, chain, settings.tolerance)
    if not error <= 1.0:
        counts[1] += 1
        if not np.isfinite(error):
            return error, 0.1 * step
        return error, step * max(0.2, 0.9 * error ** (-1.0 / 3.0))
    z = first_stop(begin.state, end.state)
    if z < 0.999 and z * step > settings.h_min:
        counts[3] += 1
        return error, z * step
    evaluate_all(t + step, bodies, end.state, controls, chain, end.rates)
    if step > settings.locate:
        z = first_branch(step, begin, end, chain)
        if z < 0.98 and z * step > settings.locate:
            counts[2] += 1
            return error, z * step * 1.0001
    late = (1.0 - first_release(bodies, begin.state, begin.rates, end.rates, chain)) * step
    if late > RELEASE:
        counts[3] += 1
        return error, step - late + 0.2 * RELEASE
    return error, 0.0


@kernel
def run_ticks(first_tick, last_tick, clock, motion, controls, driving, chain, settings, records):
    """Run the train from tick first_tick to last_tick, or to settings.duration.

    Parameters
    ----------
    clock : (2,) float   time and next step, kept between calls

    Returns
    -------
    status, t : FINISHED or the reason it ended, and when
    """
    bodies, state, rates = motion.bodies, motion.begin.state, motion.begin.rates
    pieces = chain.piece.shape[0] - 1
    first, last = chain.route.distance[0], chain.route.distance[-1]
    t, h = clock[0], clock[1]
    if first_tick == 0:
        records.held[0, 0], records.held[0, 1] = stored(state, chain)
    for k in range(first_tick, last_tick):
        drive(k, state.s0[0], state.v[0], driving, controls)
        t_end = min((k + 1) * controls.tick, settings.duration)
        evaluate_all(t, bodies, state, controls, chain, rates)
        if stop_and_release(t, bodies, motion.begin, controls, chain):
            forget(records.window)
        if k == 0:
            record(0, state, rates, chain, records)
        while t < t_end:
            step = min(h, settings.h_max)
            whole = t + step >= t_end - 1e-9
            if whole:
                step = t_end - t
            elif t + 2.0 * step > t_end:
                step = 0.5 * (t_end - t)
            error, shorter = attempt(t, step, motion, controls, chain, settings, records.counts)
            if shorter > 0.0:
                h = shorter
                if h < settings.h_min:
                    return STEP_TOO_SMALL, t
                continue
            keep_step(t, step, motion.begin, motion.end, chain, records)
            if settings.account:
                account(t, step, motion, controls, chain, records)
            records.counts[0] += 1
            t = t_end if whole else t + step
            take_over(motion.end, motion.begin)
            take_ends(bodies, state, chain)
            if stop_and_release(t, bodies, motion.begin, controls, chain):
                forget(records.window)  # the bars' forces jump
            grown = step * min(4.0, max(0.2, 0.9 * max(error, 1e-9) ** (-1.0 / 3.0)))
            h = max(h, grown) if whole else grown
        if not np.isfinite(state.v[0]):
            return NOT_FINITE, t
        record(k + 1, state, rates, chain, records)
        if state.s0[0] > last or tail_place(pieces - 1, state, chain) < first:
            return OFF_ROUTE, t
    records.held[1, 0], records.held[1, 1] = stored(state, chain)
    clock[0], clock[1] = t, h
    return FINISHED, t
