"""Bodies of one degree of freedom with force elements between them: the smallest host of the elements.

Its integrator is the train's own (rodas3.py). What passes between host and element is the motion of the ends one way
and forces with their derivatives the other.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.systems.train.hidden_vehicles import Ends, end_forces, place_ends
from flexwheel.systems.train.relative_equations import evaluate


class Bodies(NamedTuple):
    """b bodies, b - 1 elements; no bodies at all for a train by itself. g groups of all elements."""

    s: np.ndarray  # (b,) [m]
    v: np.ndarray  # (b,) [m/s]
    mass: np.ndarray  # (b,) [kg]      own and what rides with them
    direction: np.ndarray  # (b,)
    force: np.ndarray  # (b,) [N]
    hold: np.ndarray  # (b,) [N]
    diagonal: np.ndarray  # (b,)
    off: np.ndarray  # (b,)
    ratio: np.ndarray  # (b,)
    r: np.ndarray  # (b,)
    front: np.ndarray  # (g,)          answers of the hidden speeds to the ends
    rear: np.ndarray  # (g,)


def no_bodies():
    """For a train by itself."""
    return Bodies(*(np.zeros(0) for _ in range(12)))


def new_bodies(pieces):
    """Bodies at the ends of the elements, at rest."""
    m = len(pieces.piece) - 1
    g = len(pieces.group_mass)
    bodies = Bodies(*(np.zeros(m + 1) for _ in range(10)), np.zeros(g), np.zeros(g))
    for e in range(m):
        bodies.mass[e] += pieces.group_mass[pieces.piece[e]]
        bodies.mass[e + 1] += pieces.group_mass[pieces.piece[e + 1] - 1]
    return bodies


@kernel
def accelerate_bodies(bodies, rates, chain):
    """Accelerations of the bodies from the forces of their elements, written into the elements' ends."""
    count = bodies.s.shape[0]
    for b in range(count):
        bodies.force[b] = 0.0
        bodies.hold[b] = 0.0
    for e in range(count - 1):
        a, last = chain.piece[e], chain.piece[e + 1] - 1
        front, rear = end_forces(e, rates, chain)
        bodies.force[e] += front
        bodies.force[e + 1] += rear
        bodies.hold[e] += rates.hold[a]
        bodies.hold[e + 1] += rates.hold[last]
    for e in range(count - 1):
        a, last = chain.piece[e], chain.piece[e + 1] - 1
        rates.a[a] = bodies.force[e] / bodies.mass[e] if bodies.direction[e] != 0.0 else 0.0
        rates.a[last] = bodies.force[e + 1] / bodies.mass[e + 1] if bodies.direction[e + 1] != 0.0 else 0.0


@kernel
def evaluate_all(t, bodies, state, controls, chain, rates):
    """Rates of all pieces and bodies."""
    evaluate(t, state, controls, chain, rates)
    accelerate_bodies(bodies, rates, chain)


@kernel
def spread_ends(bodies, state, chain):
    """Give every element the motion of its ends."""
    for e in range(bodies.s.shape[0] - 1):
        place_ends(e, Ends(bodies.s[e], bodies.v[e], bodies.s[e + 1], bodies.v[e + 1]), state, chain)
        state.direction[chain.piece[e]] = bodies.direction[e]
        state.direction[chain.piece[e + 1] - 1] = bodies.direction[e + 1]


@kernel
def tail_place(e, state, chain):
    """Position of the first vehicle of the last group of piece e [m]."""
    s = state.s0[e]
    for g in range(chain.piece[e], chain.piece[e + 1] - 1):
        s -= state.x[g] + chain.gap[g]
    return s


@kernel
def take_ends(bodies, state, chain):
    """Motion of the bodies from the ends of the elements after a step."""
    count = bodies.s.shape[0]
    for e in range(count - 1):
        a, b = chain.piece[e], chain.piece[e + 1]
        bodies.s[e], bodies.v[e] = state.s0[e], state.v[a]
        if e == count - 2:
            bodies.s[e + 1], bodies.v[e + 1] = tail_place(e, state, chain), state.v[b - 1]
    spread_ends(bodies, state, chain)
