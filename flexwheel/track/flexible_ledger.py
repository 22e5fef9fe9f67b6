"""Energy of flexible rails: rails, fasteners, semi-sleepers, foundation, absorbing layers, and the window left behind.

With the projection z = q + M^-1 m F of the rail's motion (loaded_element) M z'' = N^T F - K q - C q', and the head
moves by N q + c F. The work of F on the head is then the change of

    z' M z' / 2 + q K q / 2 + F (c - N M^-1 m) F / 2

and what C takes from q', but for m F' in M^-1 K q, which is of the order of 0.01 W. Between steps the state holds what
is predicted for the next one; displacement and velocity of the step follow from what it held before (flexible_rail).
"""

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.flat_copy import copy_flat
from flexwheel.numerics.kernels.lane_arithmetic import total
from flexwheel.numerics.kernels.lanes import fill, load, more
from flexwheel.track.bed import coupling_load
from flexwheel.track.flexible_assembly import make_elements
from flexwheel.track.flexible_head import locate
from flexwheel.track.flexible_rail import carry
from flexwheel.track.loaded_element import CLAMPED, PROJECTED, ROWS, evaluate
from flexwheel.track.rail_ledger import (
    ELASTIC,
    KINETIC,
    LOST_BALLAST,
    LOST_LAYERS,
    LOST_PADS,
    LOST_RAILS,
    LOST_WINDOW,
    RailEnergy,
    make_rail_ledger,
)
from flexwheel.track.rail_types import NEW_FORCE, NOWHERE, PLACE, D, V

VALUES = (0, 4, 8, 16, 20, 24, 12)
"""Where the seven values of an element start in a field of nodes, from its first node on."""
PROJECTION = 2
"""Row of RailLedger.rail beside D and V."""


def flexible_ledger(track, supports, coefficients, model, state):
    """RailLedger of flexible rails, with the element matrices that the model was made of."""
    if len(model.law_table):
        raise ScenarioError(
            "output.also = ['energy'] needs linear fasteners and foundation: the energy of force laws of supports is "
            "not summed"
        )
    supports = supports()
    parts = make_elements(supports.rail, supports.bay, track.elements_per_bay, track.rail_mass, coefficients)
    by_lane = [np.ascontiguousarray(np.moveaxis(m[[0, 0, 1, 1]], 0, -1)) for m in (parts.mass, parts.stiffness)]
    sleeper = np.zeros((2, 4))
    if supports.sleeper is not None:
        sleeper[0], sleeper[1, 2:] = supports.sleeper.mass, supports.sleeper.roll_inertia
    return make_rail_ledger(state, *by_lane, sleeper, supports.rail.stiffness_damping, ROWS)


@kernel
def flexible_energy(ledger, model, state, first, sampled):
    """Bring the ledger up to the last step."""
    if first:
        ledger.sums[:] = 0.0
        ledger.bay[0] = state.first_bay[0]
        for row in range(2):
            copy_flat(state.rail[row], ledger.held[row])
            copy_flat(state.sleeper[row], ledger.sleeper_held[row])
            copy_flat(state.sleeper[row], ledger.sleeper[row])
        copy_flat(state.rail[D], ledger.rail[D])
        copy_flat(state.rail[V], ledger.rail[PROJECTION])
        take_projections(ledger, model, state)
    else:
        leave_behind(ledger, model, state)
        copy_flat(ledger.rail[V], ledger.mean)
        copy_flat(ledger.sleeper[V], ledger.sleeper_mean[0])
        bring_up(model, state.rail, state.rail_past, ledger.held, ledger.rail, PROJECTION)
        bring_up(model, state.sleeper, state.sleeper_past, ledger.sleeper_held, ledger.sleeper, V)
        take_projections(ledger, model, state)
        halve(ledger.mean, ledger.rail[V])
        halve(ledger.sleeper_mean[0], ledger.sleeper[V])
        lose(ledger, model)
    if sampled:
        store(ledger, model)
        ledger.sums[ELASTIC] += under_wheels(ledger, model, state)


@kernel
def halve(target, other):
    """target = mean of both."""
    a, b = target.reshape(target.size), other.reshape(other.size)
    for k in range(a.size):
        a[k] = 0.5 * (a[k] + b[k])


@kernel
def bring_up(model, state, past, held, now, row):
    """Displacement into now[D], velocity into now[row]; held becomes what the step has left."""
    d, v = state[D].reshape(state[D].size), state[V].reshape(state[V].size)
    old, rate = held[D].reshape(held[D].size), held[V].reshape(held[V].size)
    moved, speed = now[D].reshape(now[D].size), now[row].reshape(now[row].size)
    part, way = model.gamma_dt / model.dt, model.beta_dt2 / model.dt
    for k in range(d.size):
        change = v[k] - rate[k]
        moved[k], speed[k] = old[k] + way * change, rate[k] + part * change
        old[k], rate[k] = d[k], v[k]
    if past.shape[0] > 0:  # a multistep method keeps its last steps
        copy_flat(past[0, D], now[D])
        copy_flat(past[0, V], now[row])


@kernel
def take_projections(ledger, model, state):
    """From the projection in rail[D] and rail[PROJECTION] to displacement and velocity of the rail."""
    q, rate, half = ledger.rail[D], ledger.rail[V], state.carried.shape[2] // 2
    copy_flat(ledger.rail[PROJECTION], rate)
    for age in range(3):
        factor = (1.5 if age == 0 else (-2.0 if age == 1 else 0.5)) / model.dt
        for w in range(state.push.shape[0]):
            if state.seat[1 + age, w] == NOWHERE:
                continue
            start, own = state.seat[1 + age, w] + 1 - half, state.carried[age, w]
            for j in range(max(0, start), min(q.shape[0], start + 2 * half)):
                for c in range(4):
                    for l in range(4):
                        rate[j, c, l] -= factor * own[j - start, c, l]
                        if age == 0:
                            q[j, c, l] -= own[j - start, c, l]


@kernel
def leave_behind(ledger, model, state):
    """Where the window has moved on, what it has left is lost: the difference of what is stored."""
    bays = state.first_bay[0] - ledger.bay[0]
    if bays == 0:
        return
    ledger.bay[0] = state.first_bay[0]
    store(ledger, model)
    ledger.sums[LOST_WINDOW] += ledger.sums[KINETIC] + ledger.sums[ELASTIC]
    for row in range(3):
        carry(ledger.rail[row], bays * model.elements)
    for row in range(2):
        carry(ledger.held[row], bays * model.elements)
        carry(ledger.sleeper_held[row], bays)
        carry(ledger.sleeper[row], bays)
    store(ledger, model)
    ledger.sums[LOST_WINDOW] -= ledger.sums[KINETIC] + ledger.sums[ELASTIC]


@kernel
def store(ledger, model):
    """Kinetic and elastic energy of rails, supports and semi-sleepers, without the elements' own under the wheels."""
    sums, rate = ledger.sums, ledger.sleeper[V]
    sums[KINETIC] = 0.5 * of_elements(ledger.mass, ledger.rail[PROJECTION])
    sums[ELASTIC] = 0.5 * of_elements(ledger.stiffness, ledger.rail[D])
    pads, ballast = of_supports(model, 0, ledger.rail[D], ledger.sleeper[D])
    sums[ELASTIC] += 0.5 * (pads + ballast - of_bed(ledger, model, 0, ledger.sleeper[D]))
    for j in range(rate.shape[0]):
        v = rate[j].reshape(8)
        for l in range(4):
            sums[KINETIC] += 0.5 * (ledger.sleeper_mass[0, l] * v[l] ** 2 + ledger.sleeper_mass[1, l] * v[4 + l] ** 2)


@kernel
def lose(ledger, model):
    """What a step has taken at its mean velocities."""
    sums, dt, mean, rate, mass = ledger.sums, model.dt, ledger.mean, model.layer, model.node_mass
    sums[LOST_RAILS] += dt * ledger.damping * of_elements(ledger.stiffness, mean)
    pads, ballast = of_supports(model, 1, mean, ledger.sleeper_mean[0])
    sums[LOST_PADS] += dt * pads
    sums[LOST_BALLAST] += dt * (ballast - of_bed(ledger, model, 1, ledger.sleeper_mean[0]))
    for i in range(mean.shape[0]):
        if rate[i] != 0.0:
            for c in range(3):
                for l in range(4):
                    sums[LOST_LAYERS] += dt * rate[i] * mass[c, l] * mean[i, c, l] ** 2
    for l in range(2):
        sums[LOST_LAYERS] += dt * model.ends[l] * (mean[0, 2, l] ** 2 + mean[-1, 2, l] ** 2)


@kernel
def of_elements(matrix, field):
    """Sum over all elements of x^T matrix x."""
    out = fill(0.0)
    for i in range(field.shape[0] - 1):
        for a in range(7):
            row = fill(0.0)
            for b in range(7):
                row = more(row, load(matrix, 28 * a + 4 * b), load(field, 16 * i + VALUES[b]))
            out = more(out, row, load(field, 16 * i + VALUES[a]))
    return total(out)


@kernel
def of_supports(model, kind, d, s):
    """Sum of k x^2 over fasteners and over foundations; kind 0: stiffness k, 1: damping."""
    k, pads, ballast = model.bearing, 0.0, 0.0
    for j in range(s.shape[0]):
        i, own = j * model.elements, s[j].reshape(8)
        for l in range(4):
            straight = d[i, 0, l] + k[14, l] * d[i, 2, l] - own[l]
            other = d[i, 2, l] + k[15, l] * d[i, 1, l] - own[4 + l]
            pads += k[kind, l] * straight**2 + k[2 + kind, l] * other**2 + k[4 + kind, l] * d[i, 1, l] ** 2
            ballast += k[6 + kind, l] * own[l] ** 2 + k[8 + kind, l] * own[4 + l] ** 2
    return pads, ballast


@kernel
def of_bed(ledger, model, kind, s):
    """Minus the same of an elastic bed between the semi-sleepers."""
    if model.coupling.shape[1] == 0:
        return 0.0
    out, still = ledger.sleeper_load, ledger.sleeper_mean[1]
    if kind == 0:
        coupling_load(model.coupling, s, still, out)
    else:
        coupling_load(model.coupling, still, s, out)
    a, b, power = s.reshape(s.size), out.reshape(out.size), 0.0
    for k in range(a.size):
        power += a[k] * b[k]
    return power


@kernel
def under_wheels(ledger, model, state):
    """Energy of the loaded elements' own deflection."""
    table, energy = ledger.table, 0.0
    for w in range(state.push.shape[0]):
        force = state.wheel[NEW_FORCE, w]
        evaluate(model.loaded, locate(model, state, state.wheel[PLACE, w, 0])[1], table)
        for p in range(2):
            for a in range(2):
                for b in range(2):
                    own = table[CLAMPED + 4 * p + 2 * a + b] - table[PROJECTED + 4 * p + 2 * a + b]
                    energy += 0.5 * own * force[p + 2 * a] * force[p + 2 * b]
    return energy


OF_FLEXIBLE = RailEnergy(flexible_ledger, flexible_energy)
