"""Largest forces that lie between the ends of steps: of rigid bars, and of couplings that creep.

Where a force turns at the middle one of the last three ends, it is followed along both steps: deflections on their
Hermite cubics, rates on the parabola through the three ends (a cubic of a stiff rate in the transition (7) would
amplify its error), forces by the tables, external forces on straight lines. A bar carries what its group asks of it.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.systems.train.coupler_force import BUFF, DRAFT, coupler_force, coupler_state
from flexwheel.systems.train.locate import hermite

SAMPLES, HALVINGS = 12, 24


class Window(NamedTuple):
    """The last three ends of steps in turn: n vehicles, g groups."""

    at: np.ndarray  # (3,) int            slot of the last one, how many count for couplings, and for bars
    step: np.ndarray  # (3,) [s]          that ended there
    x: np.ndarray  # (3, g) [m]           coupling behind each group
    w: np.ndarray  # (3, g) [m/s]
    b: np.ndarray  # (3, g) [m/s2]
    branch: np.ndarray  # (3, g) int
    external: np.ndarray  # (3, g) [N]
    q: np.ndarray  # (3, n) [N]
    force: np.ndarray  # (3, n) [N]       every coupling


def new_window(n, g):
    """Empty window."""
    z = np.zeros
    whole = z((3, g), dtype=np.int64)
    return Window(z(3, dtype=np.int64), z(3), z((3, g)), z((3, g)), z((3, g)), whole, z((3, g)), z((3, n)), z((3, n)))


@kernel
def forget(window):
    """What holds a group has changed: forces of bars jump, those of couplings do not."""
    window.at[2] = 0


@kernel
def next_slot(h, window):
    """Slot for the end of a step h; the force of all couplings goes there."""
    slot = (window.at[0] + 1) % 3
    window.at[0], window.at[1], window.at[2] = slot, min(window.at[1] + 1, 3), min(window.at[2] + 1, 3)
    window.step[slot] = h
    return slot


@kernel
def keep_window(slot, state, rates, chain, window):
    """Store the end of a step."""
    for g in range(state.v.shape[0]):
        window.x[slot, g], window.w[slot, g] = state.x[g], 0.0
        window.external[slot, g] = rates.external[g]
        if chain.kind[g] >= 0:
            w = state.v[g] - state.v[g + 1]
            window.w[slot, g] = w
            window.b[slot, g] = rates.a[g] - rates.a[g + 1]
            window.branch[slot, g] = coupler_state(state.x[g], w, chain.kind[g], chain.couplers)
    for i in range(rates.q.shape[0]):
        window.q[slot, i] = rates.q[i]


@kernel
def gain(f0, f1, f2, h01, h12):
    """What the parabola through three values rises or falls beyond the middle one where that is an extreme; else 0."""
    d01, d12 = (f1 - f0) / h01, (f2 - f1) / h12
    if d01 * d12 >= 0.0:
        return 0.0
    c = (d12 - d01) / (h01 + h12)
    b = d01 + c * h01
    return -0.25 * b * b / c


@kernel
def coupler_between(g, u, window, chain):
    """Force of the coupling behind group g at u: -1, 0, 1 at the three ends."""
    s2 = window.at[0]
    s0, s1 = (s2 + 1) % 3, (s2 + 2) % 3
    kind = chain.kind[g]
    if kind < 0:
        return 0.0
    a, b, h, z = s0, s1, window.step[s1], u + 1.0
    if u > 0.0:
        a, b, h, z = s1, s2, window.step[s2], u
    x, w = window.x, window.w
    rate = w[a, g] + z * (w[b, g] - w[a, g])
    branch = window.branch
    if branch[s0, g] == branch[s1, g] and branch[s1, g] == branch[s2, g]:
        h01, h12 = window.step[s1], window.step[s2]
        d01, d12 = (w[s1, g] - w[s0, g]) / h01, (w[s2, g] - w[s1, g]) / h12
        rate -= (d12 - d01) / (h01 + h12) * z * (1.0 - z) * h * h
    elif u > 0.0 and branch[s1, g] == branch[s2, g]:  # just come into this branch: its acceleration is not stiff yet
        rate += (h * window.b[s1, g] - w[s2, g] + w[s1, g]) * z * (1.0 - z)
    force, _, _ = coupler_force(hermite(z, x[a, g], h * w[a, g], x[b, g], h * w[b, g]), rate, kind, chain.couplers)
    return force


@kernel
def force_between(g, i, u, window, chain):
    """Force behind vehicle i of group g at u (-1, 0, 1 at the three ends), rigid bars by what they must carry."""
    behind = coupler_between(g, u, window, chain)
    if i == chain.start[g + 1] - 1:
        return behind
    s2 = window.at[0]
    a, b, z = (s2 + 1) % 3, (s2 + 2) % 3, u + 1.0
    if u > 0.0:
        a, b, z = b, s2, u
    ahead = coupler_between(g - 1, u, window, chain) if g > 0 else 0.0
    external = window.external[a, g] + z * (window.external[b, g] - window.external[a, g])
    acceleration = (external + ahead - behind) / chain.group_mass[g]
    force = ahead
    for j in range(chain.start[g], i + 1):
        force += window.q[a, j] + z * (window.q[b, j] - window.q[a, j]) - chain.mass[j] * acceleration
    return force


@kernel
def largest_between(g, i, sign, window, chain):
    """Where and how large sign*force is between the three ends: (u, force)."""
    best, top = 0.0, sign * force_between(g, i, 0.0, window, chain)
    for k in range(1, 2 * SAMPLES):
        u = k / SAMPLES - 1.0
        f = sign * force_between(g, i, u, window, chain)
        if f > top:
            best, top = u, f
    lo, hi = max(best - 1.0 / SAMPLES, -1.0), min(best + 1.0 / SAMPLES, 1.0)
    for _ in range(HALVINGS):
        third = (hi - lo) / 3.0
        f_lo = sign * force_between(g, i, lo + third, window, chain)
        f_hi = sign * force_between(g, i, hi - third, window, chain)
        if f_lo > f_hi:
            hi -= third
        else:
            lo += third
    u = 0.5 * (lo + hi)
    f = sign * force_between(g, i, u, window, chain)
    return (u, sign * f) if f > top else (best, sign * top)


@kernel
def keep_turns(t, window, chain, peak_force, peak_time):
    """Note forces that turned at the middle one of the last three ends; the last is at t."""
    if window.at[1] < 3:
        return
    s2 = window.at[0]
    s0, s1 = (s2 + 1) % 3, (s2 + 2) % 3
    h01, h12 = window.step[s1], window.step[s2]
    force = window.force
    whole = chain.piece.shape[0] == 2
    for e in range(chain.piece.shape[0] - 1):
        for g in range(chain.piece[e], chain.piece[e + 1]):
            last = chain.start[g + 1] - 1
            for i in range(chain.start[g], chain.start[g + 1]):
                if i == last and chain.kind[g] < 0:
                    continue
                rides = not whole and (g == chain.piece[e] or g == chain.piece[e + 1] - 1)  # with a body of the host
                if i < last and (rides or window.at[2] < 3):
                    continue
                more = gain(force[s0, i], force[s1, i], force[s2, i], h01, h12)
                if more == 0.0:
                    continue
                side, sign = (DRAFT, 1.0) if more > 0.0 else (BUFF, -1.0)
                if sign * (force[s1, i] + more) <= sign * peak_force[i, side]:
                    continue
                u, f = largest_between(g, i, sign, window, chain)
                if sign * f > sign * peak_force[i, side]:
                    peak_force[i, side] = f
                    peak_time[i, side] = t - h12 + u * (h12 if u > 0.0 else h01)
