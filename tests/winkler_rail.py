"""Rail without mass on a Winkler foundation: a long beam that gives way under each wheel as it does at rest.

Deflection under a load F on a beam EI on k per metre: F / (2 sqrt(2) (EI k^3)^(1/4)); y and z so, x and roll as the
rigid rails. Dampers relax as the springs do; implicit Euler: (k + c/dt) e = c/dt e_old + F.
Source: Hetenyi 1946, Beams on Elastic Foundation, section 2.
"""

import numpy as np

from flexwheel.extensions.rails.massless import massless_free_at, springs_and_dampers
from flexwheel.numerics.kernels import kernel
from flexwheel.track.rail_model import RailDeclaration, stay
from flexwheel.track.rail_types import D, RailStep, V, empty_model

SLOWNESS, YIELD = 0, 1  # rows of RailModel.rigid: c/dt [N/m] and 1/(k + c/dt) [m/N] of x, y, z, roll


def winkler_springs(track, supports):
    """Stiffness and damping (4,) under one wheel in x, y, z, roll."""
    stiffness, damping = springs_and_dampers(track)
    supports = supports()
    rail, fastener = supports.rail, supports.fastener
    moments = rail.second_moment_lateral, rail.second_moment_vertical
    for j, moment, spring in zip((1, 2), moments, (fastener.lateral, fastener.vertical), strict=True):
        bed = spring.stiffness / supports.bay  # [N/m2]
        stiffness[j] = 2.0 * np.sqrt(2.0) * (rail.youngs_modulus * moment * bed**3) ** 0.25
        damping[j] = spring.damping * stiffness[j] / spring.stiffness
    return stiffness, damping


def make_winkler(track, supports, coefficients, reach, end):
    """The RailModel of the [track] section."""
    stiffness, damping = winkler_springs(track, supports)
    model = empty_model(STEP, coefficients)
    model.rigid[SLOWNESS] = damping / coefficients.dt
    model.rigid[YIELD] = 1.0 / (stiffness + damping / coefficients.dt)
    return model


@kernel
def winkler_predict(model, state, coefficients):
    """Displacement and rate at the new time with no force then."""
    wheel, rigid = state.wheel, model.rigid
    for w in range(wheel.shape[1]):
        for j in range(4):
            old = wheel[D, w, j]
            wheel[D, w, j] = rigid[YIELD, j] * rigid[SLOWNESS, j] * old
            wheel[V, w, j] = (wheel[D, w, j] - old) / model.dt


@kernel
def winkler_compliance(model, state, s, side, compliance, mobility):
    """Diagonal compliance and mobility."""
    for i in range(4):
        for j in range(4):
            compliance[i, j] = 0.0
            mobility[i, j] = 0.0
        compliance[i, i] = model.rigid[YIELD, i]
        mobility[i, i] = model.rigid[YIELD, i] / model.dt


@kernel
def winkler_add(model, state, axle, s, side, force):
    """Add the new force's response."""
    for j in range(4):
        e = model.rigid[YIELD, j] * force[j]
        state.wheel[D, 2 * axle + side, j] += e
        state.wheel[V, 2 * axle + side, j] += e / model.dt


@kernel
def winkler_finish(model, state, coefficients):
    """Nothing is left to do."""
    return 0


STEP = RailStep(stay, winkler_predict, massless_free_at, winkler_compliance, winkler_add, winkler_finish)
WINKLER = RailDeclaration(
    name="winkler",
    taken="stiffness of a beam on a Winkler foundation under each wheel",
    reads=("support", "rail", "rigid_rail"),
    make=make_winkler,
    static_compliance=lambda track, supports: np.diag(1.0 / winkler_springs(track, supports)[0]),
)
