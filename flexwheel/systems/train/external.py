"""Forces on a vehicle that do not come from its neighbours: traction, brakes, resistance, slope.

Each group of vehicles has a direction: +1 or -1 while it moves, and then brakes and resistance oppose that direction;
0 while it is held at standstill, and then they are what it takes to hold it, up to a capacity.
"""

from flexwheel.base.gravity import GRAVITY
from flexwheel.numerics.kernels import kernel
from flexwheel.systems.train.air_brake import cylinder
from flexwheel.systems.train.driving import level_at
from flexwheel.systems.train.route import route_at
from flexwheel.systems.train.traction import locomotive_force


@kernel
def brake_friction(i, v, chain):
    """Friction of the brake blocks of vehicle i relative to standstill, and its slope: (ratio, d ratio/dv)."""
    last = chain.friction_speed.shape[1] - 1
    if v <= chain.friction_speed[i, 0]:
        return chain.friction[i, 0], 0.0
    if v >= chain.friction_speed[i, last]:
        return chain.friction[i, last], 0.0
    j = 0
    while v >= chain.friction_speed[i, j + 1]:
        j += 1
    slope = (chain.friction[i, j + 1] - chain.friction[i, j]) / (
        chain.friction_speed[i, j + 1] - chain.friction_speed[i, j]
    )
    return chain.friction[i, j] + slope * (v - chain.friction_speed[i, j]), slope


@kernel
def vehicle_force(i, g, t, s, state, controls, chain):
    """External force of vehicle i of group g along the track, forward positive.

    Parameters
    ----------
    t, s : floats [s, m]    time, position of the vehicle
    state : State           of the chain; its hints on the route move on
    controls : Controls     notches driven

    Returns
    -------
    F, dF/dv, dF/dt, hold : dF/dt also counts what changes as the vehicle moves along the route; hold [N] is
                            the capacity of brakes and resistance to hold, 0 while it moves
    """
    v, direction, p, p_rate = state.v[g], state.direction[g], state.p[i], state.p_rate[i]
    gradient, curvature, gradient_slope, curvature_slope, state.hint[i] = route_at(s, state.hint[i], chain.route)
    force = -chain.mass[i] * GRAVITY * gradient
    rate = -chain.mass[i] * GRAVITY * gradient_slope * v
    slope, hold = 0.0, 0.0
    speed = abs(v)
    sign = direction
    if direction == 0.0:
        speed, sign = 0.0, 1.0
    r = chain.resistance[i]
    against = r[0] + r[1] * speed + r[2] * speed * speed + r[3] * curvature  # 002 (6)
    against_v = r[1] + 2.0 * r[2] * speed
    against_t = r[3] * curvature_slope * v
    if p > 0.0 or p_rate > 0.0:
        ratio, ratio_v = brake_friction(i, speed, chain)
        against += chain.brake_force[i] * p * ratio
        against_v += chain.brake_force[i] * p * ratio_v
        against_t += chain.brake_force[i] * p_rate * ratio
    kind = chain.traction_kind[i]
    if kind >= 0:
        notch, notch_rate = level_at(t - chain.delay[i], chain.channel[i], controls)
        if notch != 0.0 or notch_rate != 0.0:
            f, f_v, f_n = locomotive_force(notch, speed, kind, chain.traction)
            if notch >= 0.0:
                force += f
                slope += f_v * sign
                rate += f_n * notch_rate
            else:
                against += f
                against_v += f_v
                against_t -= f_n * notch_rate
    if direction == 0.0:
        hold = against
    else:
        force -= sign * against
        slope -= against_v
        rate -= sign * against_t
    return force, slope, rate, hold


@kernel
def external_forces(t, state, controls, chain, rates):
    """External forces of all vehicles and groups; fills q, external, slope, rate and hold of the rates."""
    for e in range(state.s0.shape[0]):
        s = state.s0[e]
        for g in range(chain.piece[e], chain.piece[e + 1]):
            f, f_v, f_t, h = 0.0, 0.0, 0.0, 0.0
            for i in range(chain.start[g], chain.start[g + 1]):
                q, k, r, c = vehicle_force(i, g, t, s + chain.offset[i], state, controls, chain)
                rates.q[i] = q
                f += q
                f_v += k
                f_t += r
                h += c
            rates.external[g], rates.slope[g], rates.rate[g], rates.hold[g] = f, f_v, f_t, h
            s -= state.x[g] + chain.gap[g]


@kernel
def cylinders(t0, t1, state, commands, chain, after):
    """Cylinder pressures of all vehicles at t1 from those of a state at t0; fills p, seen and p_rate of `after`."""
    if commands.count[0] == 0:
        return
    for i in range(state.p.shape[0]):
        after.p[i], after.seen[i], after.p_rate[i] = cylinder(
            i, state.p[i], state.seen[i], t0, t1, chain.brake, commands
        )
