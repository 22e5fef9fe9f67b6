"""The force element with hidden vehicles for any host: end motions in, end forces and rates of its own states out.

A host (a multibody model, or a general integrator in a test) holds the element's states u among its own, asks
`element_rates` for their derivatives wherever its integrator wants them, puts the end forces on its bodies as forces
against the ground (trailing forces, at the coupler pivots), and calls `accept_step` after each step it keeps.
Several elements share one `Controls`; `drive` (driving.py) is called once per tick with the leading vehicle's motion.

States of an element with h hidden groups (vehicles joined by rigid bars count as one):
u = [x_0 .. x_{h-1}, v_0 .. v_{h-1}]: x_j deflection of the coupling ahead of hidden group j [m], v_j its speed [m/s].
The deflection of the last coupling follows from the distance of the ends.

Stiffness for the host: the fastest state is damped at about 4 F_A/(v_eps m): 1200 1/s for F_A = 300 kN, 10 mm/s and
100 t. A step of 5e-5 s may treat it explicitly; a larger one needs an implicit method (hidden_vehicles.condense).
"""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.systems.train.external import cylinders
from flexwheel.systems.train.hidden_vehicles import cut_elements, end_forces, place_ends
from flexwheel.systems.train.records import all_forces
from flexwheel.systems.train.relative_equations import Rates, State, evaluate, new_rates, new_state
from flexwheel.systems.train.time_loop import direction_after
from flexwheel.systems.train.train import Chain, pack_train


class VehicleElement(NamedTuple):
    """One force element: constants, accepted discrete state (directions, brake cylinders) and scratch."""

    chain: Chain  # one piece
    state: State  # as of the last accepted step
    trial: State  # scratch
    rates: Rates  # as of the last evaluation
    accepted: np.ndarray  # (1,) [s]


def make_element(train, route, front, rear, own=(False, False)) -> VehicleElement:
    """Element between two vehicles of a train.

    Parameters
    ----------
    train, route
    front, rear : int           vehicles that are bodies of the host, from 0; those between are hidden
    own : (bool, bool)          whether mass and external force (resistance, brake, traction, slope) of the front and
                                of the rear body are part of the element's end, or the host's own business
    """
    chain = pack_train(train, route)
    piece, _, _ = cut_elements(chain, [front, rear], np.array([own], dtype=bool))
    return VehicleElement(piece, new_state(piece), new_state(piece), new_rates(piece), np.zeros(1))


def element_start(element, s_front, speed):
    """States u (2h,) with all hidden vehicles at one speed [m/s] and couplings at mid-clearance."""
    hidden = len(element.chain.group_mass) - 2
    element.state.v[:] = speed
    element.state.direction[:] = np.sign(speed)
    element.state.s0[0] = s_front
    element.accepted[0] = 0.0
    return np.concatenate([np.zeros(hidden), np.full(hidden, float(speed))])


def end_mass(element):
    """Mass [kg] that rides with the front and with the rear body, to be added to theirs."""
    return float(element.chain.group_mass[0]), float(element.chain.group_mass[-1])


@kernel
def take_states(t, u, ends, controls, element):
    """Fill the trial state from u and the ends; cylinder pressures from the last accepted step."""
    chain, state, trial = element.chain, element.state, element.trial
    groups = state.v.shape[0]
    hidden = groups - 2
    for j in range(hidden):
        trial.x[j] = u[j]
        trial.v[j + 1] = u[hidden + j]
        trial.direction[j + 1] = state.direction[j + 1]
    place_ends(chain.piece[0], ends, trial, chain)
    trial.direction[0] = np.sign(ends.v_front)
    trial.direction[groups - 1] = np.sign(ends.v_rear)
    cylinders(element.accepted[0], t, state, controls.commands, chain, trial)


@kernel
def element_rates(t, u, ends, controls, element, du):
    """Rates of the element's states and the forces on its ends.

    Parameters
    ----------
    u : (2h,) float       states
    ends : Ends
    controls : Controls   of `fresh_controls`, shared by all elements of a host
    du : (2h,) float      receives the rates

    Returns
    -------
    f_front, f_rear : floats [N]      along the track, forward positive: coupling force on each body, with the external
                                      force of the vehicles that ride with it (their mass: `end_mass`)
    """
    take_states(t, u, ends, controls, element)
    trial, rates = element.trial, element.rates
    evaluate(t, trial, controls, element.chain, rates)
    hidden = trial.v.shape[0] - 2
    for j in range(hidden):
        du[j] = trial.v[j] - trial.v[j + 1]
        du[hidden + j] = rates.a[j + 1]  # 002 (11)
    return end_forces(element.chain.piece[0], rates, element.chain)


@kernel
def accept_step(t, u, ends, controls, element):
    """Tell the element that a step ending at t was kept: brakes move on, standing vehicles are held or released.

    Speeds in u of vehicles that come to rest are set to zero.
    """
    take_states(t, u, ends, controls, element)
    state, trial, rates = element.state, element.trial, element.rates
    evaluate(t, trial, controls, element.chain, rates)
    hidden = trial.v.shape[0] - 2
    for j in range(1, hidden + 1):
        force = rates.external[j] + rates.coupler[j - 1] - rates.coupler[j]
        state.direction[j] = direction_after(trial.direction[j], trial.v[j], force, rates.hold[j])
        if state.direction[j] == 0.0:
            u[hidden + j - 1] = 0.0
        elif trial.v[j] * state.direction[j] < 0.0:  # passed through standstill within the step
            state.direction[j] = 0.0
            u[hidden + j - 1] = 0.0
    for i in range(trial.p.shape[0]):
        state.p[i], state.seen[i], state.p_rate[i] = trial.p[i], trial.seen[i], trial.p_rate[i]
    element.accepted[0] = t


@kernel
def element_forces(a_front, a_rear, element, force):
    """Force in every coupling of the element as of the last evaluation, bars at the ends by the bodies' acceleration.

    Parameters
    ----------
    a_front, a_rear : floats [m/s2]   accelerations of the end bodies
    force : (k,) float                receives one value per vehicle from the front body on; the last is not used
    """
    element.rates.a[0] = a_front
    element.rates.a[element.rates.a.shape[0] - 1] = a_rear
    all_forces(element.chain.piece[0], element.trial, element.rates, element.chain, force)
