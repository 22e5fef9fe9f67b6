"""Force element with hidden vehicles: longitudinal train dynamics between two bodies of a multibody model.

The element stands between a front and a rear body. Its states are the deflections of its couplings and the speeds
of the vehicles hidden between the bodies; it receives the motion of both ends and returns the force on each: two
different forces, each against a point on the ground that moves with the body (trailing forces), so that action and
reaction hold with the hidden masses in between. Vehicles joined to a body by a rigid bar ride with it: the element
gives their mass and their external force to that end, and the bar reports what it carries.

Each element is a piece of a chain (train.Chain): its first group rides with the front body, its last with the rear
one, those between are hidden. Kernels here serve a host whose integrator is linearly implicit: it condenses the
element to its ends, solves its own unknowns, expands. For a host that only wants rates, see
vehicle_element.py.

Source: the paper on LTDPoliTo as a user force element of a multibody code (docs/train.md), eqs (8)-(11), figure 1.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.kernels import kernel
from flexwheel.systems.train.air_brake import brake_of
from flexwheel.systems.train.tridiagonal import factor, solve


class Ends(NamedTuple):
    """Position and speed along the track of the centres of the front and of the rear body."""

    s_front: float  # [m]
    v_front: float  # [m/s]
    s_rear: float
    v_rear: float


def cut_elements(chain, bodies, own):
    """Elements between the bodies of a train, as pieces of one chain.

    Parameters
    ----------
    chain : Chain                of the whole train
    bodies : (b,) int            vehicles that are bodies, from 0, rising
    own : (b - 1, 2) bool        whether mass and external force of the front and of the rear body come with the
                                 element (a body of one degree of freedom) or stay with the host (a vehicle in detail)

    Returns
    -------
    pieces : Chain               b - 1 pieces
    vehicle, coupling : (n',) int, (n',) bool
                                 vehicle of the train behind each of the chain's, and whether a coupling follows it
    """
    n = len(chain.mass)
    bodies = np.asarray(bodies, dtype=np.int64)
    if len(bodies) < 2 or np.any(np.diff(bodies) <= 0) or bodies[0] < 0 or bodies[-1] >= n:
        raise ScenarioError(
            f"force elements: bodies must be two or more, rising, of 1 to {n}, got {[int(b) + 1 for b in bodies]}"
        )
    group = np.repeat(np.arange(len(chain.group_mass)), np.diff(chain.start))
    reference = np.concatenate([[0.0], -np.cumsum(chain.gap[:-1])])
    place = reference[group] + chain.offset
    parts = []
    for (front, rear), (own_front, own_rear) in zip(zip(bodies[:-1], bodies[1:], strict=True), own, strict=True):
        if group[front] == group[rear]:
            raise ScenarioError(
                f"force elements: bodies {front + 1} and {rear + 1} are joined by rigid bars only; hide one of them"
            )
        vehicles = np.arange(front, rear + 1)
        keep = np.ones(len(vehicles))
        keep[0], keep[-1] = float(own_front), float(own_rear)
        groups = np.arange(group[front], group[rear] + 1)
        heads = np.maximum(chain.start[groups], front)
        heads[-1] = rear
        parts.append((vehicles, keep, groups, heads))
    vehicle = np.concatenate([p[0] for p in parts])
    keep = np.concatenate([p[1] for p in parts])
    counts = [np.bincount(group[p[0]] - p[2][0]) for p in parts]
    gap = [np.append(-np.diff(place[p[3]]), 0.0) for p in parts]
    start = np.concatenate([[0], np.cumsum(np.concatenate(counts))])
    mass = chain.mass[vehicle] * keep
    pieces = chain._replace(
        mass=mass,
        resistance=chain.resistance[vehicle] * keep[:, None],
        brake_force=chain.brake_force[vehicle] * keep,
        friction_speed=chain.friction_speed[vehicle],
        friction=chain.friction[vehicle],
        traction_kind=np.where(keep > 0, chain.traction_kind[vehicle], -1),
        channel=chain.channel[vehicle],
        delay=chain.delay[vehicle],
        piece=np.concatenate([[0], np.cumsum([len(p[2]) for p in parts])]).astype(np.int64),
        start=start.astype(np.int64),
        offset=place[vehicle] - np.repeat(place[np.concatenate([p[3] for p in parts])], np.concatenate(counts)),
        group_mass=np.add.reduceat(mass, start[:-1]),
        gap=np.concatenate(gap),
        kind=np.concatenate([np.append(chain.kind[p[2][:-1]], -1) for p in parts]),
        brake=brake_of(chain.brake, vehicle),
    )
    ends = np.cumsum([len(p[0]) for p in parts]) - 1
    coupling = np.ones(len(vehicle), dtype=bool)
    coupling[ends] = False
    return pieces, vehicle, coupling


@kernel
def place_ends(e, ends, state, chain):
    """Set the motion of both ends; the last deflection follows from the distance of the bodies."""
    a, last = chain.piece[e], chain.piece[e + 1] - 1
    state.s0[e], state.v[a], state.v[last] = ends.s_front, ends.v_front, ends.v_rear
    x = ends.s_front - ends.s_rear
    for g in range(a, last):
        x -= chain.gap[g]
        if g < last - 1:
            x -= state.x[g]
    state.x[last - 1] = x


@kernel
def end_forces(e, rates, chain):
    """Force on the front and on the rear body [N], with that of the vehicles that ride with them."""
    a, last = chain.piece[e], chain.piece[e + 1] - 1
    return rates.external[a] - rates.coupler[a], rates.external[last] + rates.coupler[last - 1]


@kernel
def condense(chain, stages, front, rear, diagonal, off):
    """Factor the hidden part of the stage matrix of every element and reduce it to the ends.

    Parameters
    ----------
    stages : Stages              with the stage matrix; its hidden part is factored in place
    front, rear : (g,) float     receive the answer of the hidden speeds to a unit speed of each end
    diagonal, off : (b,) float   receive the matrix of the b end bodies' speeds, elements summed
    """
    matrix, beside, ratio = stages.diagonal, stages.off, stages.ratio
    for j in range(diagonal.shape[0]):
        diagonal[j] = 0.0
    for e in range(chain.piece.shape[0] - 1):
        a, last = chain.piece[e], chain.piece[e + 1] - 1
        d_f, d_r, d_fr = matrix[a], matrix[last], beside[a]
        if last - a > 1:
            z_f, z_r = beside[a], beside[last - 1]
            factor(a + 1, last, matrix, beside, ratio)
            for g in range(a + 1, last):
                front[g] = 0.0
                rear[g] = 0.0
            front[a + 1] = -z_f
            rear[last - 1] = -z_r
            solve(a + 1, last, matrix, beside, ratio, front)
            solve(a + 1, last, matrix, beside, ratio, rear)
            d_f += z_f * front[a + 1]
            d_r += z_r * rear[last - 1]
            d_fr = z_f * rear[a + 1]
        diagonal[e] += d_f
        diagonal[e + 1] += d_r
        off[e] = d_fr


@kernel
def reduce_stage(chain, stages, r):
    """Solve the hidden part of every element for its own right-hand side; r (b,) receives that of the end bodies."""
    for j in range(r.shape[0]):
        r[j] = 0.0
    own, beside = stages.r, stages.off
    for e in range(chain.piece.shape[0] - 1):
        a, last = chain.piece[e], chain.piece[e + 1] - 1
        r_f, r_r = own[a], own[last]
        if last - a > 1:
            solve(a + 1, last, stages.diagonal, beside, stages.ratio, own)
            r_f -= beside[a] * own[a + 1]
            r_r -= beside[last - 1] * own[last - 1]
        r[e] += r_f
        r[e + 1] += r_r


@kernel
def expand_stage(u, chain, stages, front, rear):
    """Stage values of all speeds from those of the end bodies, u (b,)."""
    r = stages.r
    for e in range(chain.piece.shape[0] - 1):
        a, last = chain.piece[e], chain.piece[e + 1] - 1
        for g in range(a + 1, last):
            r[g] += front[g] * u[e] + rear[g] * u[e + 1]
        r[a], r[last] = u[e], u[e + 1]
