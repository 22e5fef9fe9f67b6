"""What is kept of a run while it goes: ticks, largest forces and deflections, bar reactions."""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.systems.train.coupler_force import BUFF, DRAFT
from flexwheel.systems.train.extremes import Window, keep_turns, keep_window, new_window, next_slot
from flexwheel.systems.train.locate import keep_extremes, path_behind


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
    energy: np.ndarray  # (6,) [J]              integral of energy.powers, if kept
    held: np.ndarray  # (2, 2) [J]              kinetic and coupler energy at start and end
    power: np.ndarray  # (3, 6)                 scratch
    window: Window


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
        energy=np.zeros(6),
        held=np.zeros((2, 2)),
        power=np.zeros((3, 6)),
        window=new_window(n, g),
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
def keep_step(t, h, begin, end, chain, records):
    """Largest forces, deflections and speed over an accepted step."""
    for g in range(end.state.v.shape[0]):
        if chain.kind[g] < 0:
            continue
        i = chain.start[g + 1] - 1
        path = path_behind(g, h, begin, end)
        most, far = records.peak_force[i], records.peak_x[g]
        z, side = keep_extremes(path, end.rates.coupler[g], chain.kind[g], chain.couplers, most, far)
        if side >= 0:
            records.peak_time[i, side] = t + z * h
    fastest = records.speed_max[0]
    for g in range(end.state.v.shape[0]):
        fastest = max(fastest, abs(end.state.v[g]))
    records.speed_max[0] = fastest
    slot = next_slot(h, records.window)
    force = records.window.force[slot]
    for e in range(chain.piece.shape[0] - 1):
        all_forces(e, end.state, end.rates, chain, force)
    keep_window(slot, end.state, end.rates, chain, records.window)
    keep_bars(t + h, force, chain, records)
    keep_turns(t + h, records.window, chain, records.peak_force, records.peak_time)


@kernel
def keep_bars(t, force, chain, records):
    """Largest forces of the rigid bars at the end of a step."""
    most = records.peak_force
    for g in range(chain.start.shape[0] - 1):
        for i in range(chain.start[g], chain.start[g + 1] - 1):
            if force[i] > most[i, DRAFT]:
                most[i, DRAFT], records.peak_time[i, DRAFT] = force[i], t
            if force[i] < most[i, BUFF]:
                most[i, BUFF], records.peak_time[i, BUFF] = force[i], t
