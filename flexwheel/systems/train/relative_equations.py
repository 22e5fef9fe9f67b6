"""Equations of motion of a train in relative coordinates.

Unknowns: deflections x of the couplings between groups, speeds v of the groups, position s0 of the first
vehicle. Relative coordinates do not lose digits after 50 km.

The arrays may hold several pieces of a train one behind the other (see train.Chain). No coupling joins them, so the
same loops serve one train and any number of force elements; only the factorization is told where to stop.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.systems.train.coupler_force import coupler_force
from flexwheel.systems.train.external import external_forces


class State(NamedTuple):  # 002 (3)
    """All that moves: n vehicles, g groups, m pieces."""

    x: np.ndarray  # (g,) [m]         deflection of the coupling behind each group
    v: np.ndarray  # (g,) [m/s]
    s0: np.ndarray  # (m,) [m]        first vehicle of each piece
    direction: np.ndarray  # (g,)     +1, -1, 0 held
    p: np.ndarray  # (n,) [-]         cylinder pressures
    seen: np.ndarray  # (n,) int      brake commands arrived
    p_rate: np.ndarray  # (n,) [1/s]
    hint: np.ndarray  # (n,) int      interval of the route


class Rates(NamedTuple):  # 002 (4)
    """Forces and accelerations at one state."""

    a: np.ndarray  # (g,) [m/s2]
    coupler: np.ndarray  # (g,) [N]    coupling behind each group, draft positive
    k: np.ndarray  # (g,) [N/m]
    c: np.ndarray  # (g,) [N s/m]
    external: np.ndarray  # (g,) [N]
    slope: np.ndarray  # (g,) [N s/m]
    rate: np.ndarray  # (g,) [N/s]
    hold: np.ndarray  # (g,) [N]
    q: np.ndarray  # (n,) [N]         external force of each vehicle


class Instant(NamedTuple):
    """A state, and what acts there."""

    state: State
    rates: Rates


def sizes(chain):
    """Vehicles, groups and pieces of a chain."""
    return len(chain.mass), len(chain.group_mass), len(chain.piece) - 1


def new_state(chain):
    """Zero state of a chain."""
    n, g, m = sizes(chain)
    whole = [np.zeros(n, dtype=np.int64) for _ in range(2)]
    return State(np.zeros(g), np.zeros(g), np.zeros(m), np.zeros(g), np.zeros(n), whole[0], np.zeros(n), whole[1])


def new_rates(chain):
    """Empty rates of a chain."""
    n, g, _ = sizes(chain)
    return Rates(*(np.zeros(g) for _ in range(8)), np.zeros(n))


def new_instant(chain):
    """Zero state and empty rates of a chain."""
    return Instant(new_state(chain), new_rates(chain))


@kernel
def evaluate(t, state, controls, chain, rates):
    """Coupler forces, external forces and accelerations; fills rates.

    Groups that ride with a body get the acceleration they would have without the rest of the body.
    """
    external_forces(t, state, controls, chain, rates)
    ahead = 0.0
    for g in range(state.v.shape[0]):
        behind = 0.0
        if chain.kind[g] >= 0:
            behind, rates.k[g], rates.c[g] = coupler_force(
                state.x[g], state.v[g] - state.v[g + 1], chain.kind[g], chain.couplers
            )
        rates.coupler[g] = behind
        rates.a[g] = 0.0
        if state.direction[g] != 0.0 and chain.group_mass[g] > 0.0:
            rates.a[g] = (rates.external[g] + ahead - behind) / chain.group_mass[g]  # 002 (1), (5)
        ahead = behind
