"""Energy of the rails beside a run: stored, lost in rails, supports and layers, left behind by a window.

A rail model declares how its ledger is made and the kernel that brings it up to the last step (`RailEnergy`). What is
lost in a step is its length times the power at the mean velocity of its ends, as the trapezoidal rule itself has it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.track.rail_types import DAMPER, DAMPING, INVERSE, SPRING, STIFFNESS, D, V

KINETIC, ELASTIC, LOST_RAILS, LOST_PADS, LOST_BALLAST, LOST_LAYERS, LOST_WINDOW = range(7)
"""Entries of RailLedger.sums [J]: the first two at the last sample, the others since the start."""


class RailLedger(NamedTuple):
    """Constants, what is kept from one step to the next, and the sums; fields a model does not use are empty."""

    sums: np.ndarray  # (7,) [J]
    mass: np.ndarray  # (7, 7, 4) of an element's values, by lane; inertial: (3, 3, 1) of y, z, roll
    stiffness: np.ndarray  # (7, 7, 4)
    sleeper_mass: np.ndarray  # (2, 4) of the lanes (z, z, y, y) and (0, 0, roll, roll) [kg, kg m2]
    damping: float  # [s] of the rail by its stiffness
    wheel: np.ndarray  # (2, W, 4) D, V of the last step, of rails that follow a wheel
    held: np.ndarray  # (2, N, 4, 4) D, V as the last step left them: those predicted for this one
    sleeper_held: np.ndarray  # (2, B + 1, 4, 2)
    rail: np.ndarray  # (3, N, 4, 4) displacement, velocity, velocity of the projection at the last step
    sleeper: np.ndarray  # (2, B + 1, 4, 2)
    mean: np.ndarray  # (N, 4, 4) mean velocity of a step
    sleeper_mean: np.ndarray  # (2, B + 1, 4, 2), the second one at rest
    sleeper_load: np.ndarray  # (B + 1, 4, 2) scratch
    table: np.ndarray  # row of loaded_element, scratch
    bay: np.ndarray  # (1,) int first bay at the last step


@dataclass(frozen=True)
class RailEnergy:
    """What a rail model declares of its energy."""

    make: Callable  # track, supports, coefficients, RailModel, RailState -> RailLedger; raises ScenarioError
    # kernel ledger, model, state, first, sampled: brings the ledger up to the last step; first: begins it with the
    # state as it is; sampled: with the stored energies
    step: Callable


def make_rail_ledger(state, mass=None, stiffness=None, sleeper_mass=None, damping=0.0, rows=1):
    """RailLedger for a RailState, everything else at rest."""
    z = np.zeros
    return RailLedger(
        sums=z(7),
        mass=z((0, 0, 0)) if mass is None else mass,
        stiffness=z((0, 0, 0)) if stiffness is None else stiffness,
        sleeper_mass=z((2, 4)) if sleeper_mass is None else sleeper_mass,
        damping=float(damping),
        wheel=z((2, *state.wheel.shape[1:])),
        held=z((2, *state.rail.shape[1:])),
        sleeper_held=z((2, *state.sleeper.shape[1:])),
        rail=z((3, *state.rail.shape[1:])),
        sleeper=z((2, *state.sleeper.shape[1:])),
        mean=z(state.rail.shape[1:]),
        sleeper_mean=z((2, *state.sleeper.shape[1:])),
        sleeper_load=z(state.sleeper.shape[1:]),
        table=z(rows),
        bay=z(1, dtype=np.int64),
    )


@kernel
def springs_under_wheels(ledger, model, state, components, sampled):
    """Springs and dampers of the first components under every wheel; starts the stored energies anew."""
    sums, wheel, before, rigid = ledger.sums, state.wheel, ledger.wheel, model.rigid
    if sampled:
        sums[KINETIC] = sums[ELASTIC] = 0.0
    for w in range(wheel.shape[1]):
        for c in range(components):
            rate = 0.5 * (wheel[V, w, c] + before[V, w, c])
            sums[LOST_PADS] += model.dt * rigid[DAMPER, c] * rate * rate
            if sampled:
                sums[ELASTIC] += 0.5 * rigid[SPRING, c] * wheel[D, w, c] ** 2


@kernel
def keep_wheels(ledger, state):
    """This step becomes the last one."""
    for row in range(2):
        for w in range(state.wheel.shape[1]):
            for c in range(4):
                ledger.wheel[row, w, c] = state.wheel[row, w, c]


@kernel
def massless_energy(ledger, model, state, first, sampled):
    """Spring and damper of all four components."""
    if first:
        keep_wheels(ledger, state)
        ledger.sums[:] = 0.0
    springs_under_wheels(ledger, model, state, 4, sampled)
    keep_wheels(ledger, state)
    if first:
        ledger.sums[LOST_PADS] = 0.0


@kernel
def inertial_energy(ledger, model, state, first, sampled):
    """Along x spring and damper; mass, springs and dampers of y, z and roll of the mass centre."""
    sums, wheel, before, rigid = ledger.sums, state.wheel, ledger.wheel, model.rigid
    if first:
        keep_wheels(ledger, state)
        sums[:] = 0.0
    springs_under_wheels(ledger, model, state, 1, sampled)
    for w in range(wheel.shape[1]):
        for i in range(3):
            rate = 0.5 * (wheel[V, w, 1 + i] + before[V, w, 1 + i])
            for j in range(3):
                other = 0.5 * (wheel[V, w, 1 + j] + before[V, w, 1 + j])
                sums[LOST_PADS] += model.dt * rigid[DAMPING + i, j] * rate * other
                if sampled:
                    d, v = wheel[D, w, 1 + i], wheel[V, w, 1 + i]
                    sums[ELASTIC] += 0.5 * rigid[STIFFNESS + i, j] * d * wheel[D, w, 1 + j]
                    sums[KINETIC] += 0.5 * ledger.mass[i, j, 0] * v * wheel[V, w, 1 + j]
    keep_wheels(ledger, state)
    if first:
        sums[LOST_PADS] = 0.0


def massless_ledger(track, supports, coefficients, model, state):
    """RailLedger of a massless rail."""
    return make_rail_ledger(state)


def inertial_ledger(track, supports, coefficients, model, state):
    """RailLedger of an inertial rail; its mass is what the step's effective matrix has beside damping and stiffness."""
    own, rigid = slice(0, 3), model.rigid
    mass = np.linalg.inv(rigid[INVERSE : INVERSE + 3, own])
    mass -= model.gamma_dt * rigid[DAMPING : DAMPING + 3, own] + model.beta_dt2 * rigid[STIFFNESS : STIFFNESS + 3, own]
    return make_rail_ledger(state, mass=np.ascontiguousarray(mass[..., None]))


OF_MASSLESS = RailEnergy(massless_ledger, massless_energy)
OF_INERTIAL = RailEnergy(inertial_ledger, inertial_energy)
