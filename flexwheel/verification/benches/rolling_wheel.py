"""A wheel mass on a Hertz spring that rolls over a sleepered rail: contact force, step by step."""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import handle, kernel
from flexwheel.track.rail_model import (
    add_rail_force,
    finish,
    linked,
    predict_and_free,
    rail_compliance_at,
    rail_free_at,
    shift,
)
from flexwheel.track.rail_types import make_state
from flexwheel.verification.benches.static_track import solve_static

ITERATIONS = 8
IN_PHASE = 1.0 / 12.0  # beta of the wheel, as that of a wheelset's rigid coordinates (step_gain)


class Wheel(NamedTuple):
    """mass [kg], load [N] on it besides its weight; stiffness [N/m] of a linear contact, or coefficient [N/m^1.5]."""

    mass: float
    load: float
    stiffness: float
    exponent: float = 1.0


@kernel
def _roll(rail, state, coefficients, wheel, motion, start, speed, roughness, force, scratch):
    """Contact force at every step; motion: z, v, a of the wheel; scratch: (3, 4) and two (4, 4)."""
    rows, compliance, mobility = scratch
    b2, g1 = IN_PHASE * rail.dt * rail.dt, rail.gamma_dt
    load = -(wheel.load + 9.81 * wheel.mass)
    present = force[0]
    for n in range(1, force.shape[0]):
        s = start + speed * rail.dt * n
        shift(rail, state, s)
        predict_and_free(rail, state, coefficients)
        z = motion[0] + rail.dt * motion[1] + (0.5 * rail.dt * rail.dt - b2) * motion[2]
        v = motion[1] + (rail.dt - g1) * motion[2]
        rail_compliance_at(rail, state, s, 0, compliance, mobility)
        rail_free_at(rail, state, 0, s, 0, rows[0], rows[1], rows[2])
        gap = rows[0, 2] + roughness[n] - z - b2 * load / wheel.mass
        total = compliance[2, 2] + b2 / wheel.mass
        for _ in range(ITERATIONS):
            depth = gap - total * present
            law, slope = 0.0, 0.0
            if depth > 0.0:
                law = wheel.stiffness * depth**wheel.exponent
                slope = wheel.exponent * wheel.stiffness * depth ** (wheel.exponent - 1.0)
            present += (law - present) / (1.0 + slope * total)
        for c in range(4):
            rows[0, c] = 0.0
        rows[0, 2] = -present
        add_rail_force(rail, state, 0, s, 0, rows[0])
        finish(rail, state, coefficients)
        a = (load + present) / wheel.mass
        motion[0], motion[1], motion[2] = z + b2 * a, v + g1 * a, a
        force[n] = present


def rolling_force(model, coefficients, wheel, speed, roughness, length, start=30.0):
    """Contact force [N] of a wheel that rolls `length` [m] from rest in the rail's standing deflection.

    Parameters
    ----------
    model : RailModel              flexible
    wheel : Wheel
    speed : float [m/s]
    roughness : callable           s [m] -> height [m], up

    Returns
    -------
    s, force : (n,) [m, N]
    """
    count = int(length / (speed * coefficients.dt)) + 1
    s = start + speed * coefficients.dt * np.arange(count)
    force = np.zeros(count)
    force[0] = wheel.load + 9.81 * wheel.mass
    state = make_state(model, 1, coefficients.depth, start)
    rail = solve_static(model, state, [(0, start, 0, [0.0, 0.0, -force[0], 0.0])])[0, 2]
    height = roughness(s)
    motion = np.array([rail + height[0] - (force[0] / wheel.stiffness) ** (1.0 / wheel.exponent), 0.0, 0.0])
    scratch = np.zeros((3, 4)), np.zeros((4, 4)), np.zeros((4, 4))
    _roll(
        handle(linked(model, state, coefficients)), handle(state), handle(coefficients), wheel, motion,
        float(start), float(speed), height, force, scratch,
    )  # fmt: skip
    return s, force
