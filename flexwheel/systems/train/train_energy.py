"""Where the energy of a train goes: power of every force, and what is stored.

Ledger: traction = change of (kinetic + height + stored in couplers) + dynamic brake + air brake + ordinary and
curving resistance + lost in couplers. The stored energy of a coupler is that of its mean curve, so
that its loss is never negative.
"""

from flexwheel.numerics.kernels import kernel
from flexwheel.systems.train.coupler_force import coupler_dissipation, coupler_energy
from flexwheel.systems.train.driving import level_at
from flexwheel.systems.train.external import brake_friction
from flexwheel.systems.train.route import route_at
from flexwheel.systems.train.traction import locomotive_force

TRACTION, DYNAMIC_BRAKE, AIR_BRAKE, ORDINARY, CURVING, COUPLERS = range(6)


@kernel
def powers(t, state, controls, chain, out):
    """Power of every kind of force but weight [W]; fills out (6,).

    Traction is what goes in; all others are losses, >= 0.
    """
    for j in range(out.shape[0]):
        out[j] = 0.0
    groups = state.v.shape[0]
    s = state.s0[0]
    for g in range(groups):
        v = state.v[g]
        speed = abs(v)
        for i in range(chain.start[g], chain.start[g + 1]):
            _, curvature, _, _, state.hint[i] = route_at(s + chain.offset[i], state.hint[i], chain.route)
            r = chain.resistance[i]
            out[ORDINARY] += (r[0] + r[1] * speed + r[2] * speed * speed) * speed
            out[CURVING] += r[3] * curvature * speed
            ratio, _ = brake_friction(i, speed, chain)
            out[AIR_BRAKE] += chain.brake_force[i] * state.p[i] * ratio * speed
            kind = chain.traction_kind[i]
            if kind >= 0:
                notch, _ = level_at(t - chain.delay[i], chain.channel[i], controls)
                force, _, _ = locomotive_force(notch, speed, kind, chain.traction)
                if notch >= 0.0:
                    out[TRACTION] += force * v
                else:
                    out[DYNAMIC_BRAKE] += force * speed
        if g < groups - 1:
            out[COUPLERS] += coupler_dissipation(state.x[g], v - state.v[g + 1], chain.kind[g], chain.couplers)
            s -= state.x[g] + chain.gap[g]


@kernel
def stored(state, chain):
    """Kinetic energy and energy in the couplers [J]: (kinetic, couplers)."""
    kinetic, couplers = 0.0, 0.0
    for g in range(state.v.shape[0]):
        kinetic += 0.5 * chain.group_mass[g] * state.v[g] ** 2
    for g in range(state.x.shape[0] - 1):
        couplers += coupler_energy(state.x[g], chain.kind[g], chain.couplers)
    return kinetic, couplers


@kernel
def middle(h, begin, end, mid):
    """State halfway through a step, from the cubic Hermite curves of its ends; fills mid but for the pressures."""
    state, trial, a0, a1 = begin.state, end.state, begin.rates.a, end.rates.a
    groups = state.v.shape[0]
    for g in range(groups):
        mid.v[g] = 0.5 * (state.v[g] + trial.v[g]) + 0.125 * h * (a0[g] - a1[g])
        mid.direction[g] = state.direction[g]
    for g in range(groups - 1):
        w0, w1 = state.v[g] - state.v[g + 1], trial.v[g] - trial.v[g + 1]
        mid.x[g] = 0.5 * (state.x[g] + trial.x[g]) + 0.125 * h * (w0 - w1)
    mid.s0[0] = 0.5 * (state.s0[0] + trial.s0[0]) + 0.125 * h * (state.v[0] - trial.v[0])
    for i in range(state.hint.shape[0]):
        mid.hint[i] = state.hint[i]
