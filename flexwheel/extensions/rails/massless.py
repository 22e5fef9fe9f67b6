"""Massless rail: a spring and a damper in parallel under each wheel, one pair per component of the head's motion.

c e' + k e = F, solved exactly for a force that goes linearly through the step (first-order hold), so that neither a
stiff damper nor none at all limits the step.

Source: exponential integrator with linear forcing, e.g. Hochbruck and Ostermann 2010, Acta Numerica 19, 209-286.
"""

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.kernels import kernel
from flexwheel.track.rail_ledger import OF_MASSLESS
from flexwheel.track.rail_model import RailDeclaration, stay
from flexwheel.track.rail_types import (
    DAMPER,
    NEW_FORCE,
    OLD_FORCE,
    RELAX_0,
    RELAX_1,
    RELAX_2,
    SPRING,
    D,
    RailStep,
    V,
    empty_model,
)

HELD = 1e18  # [N/m, N m/rad] stiffness of a rail that does not move


def make_massless(stiffness, damping, coefficients):
    """Massless rail model.

    Parameters
    ----------
    stiffness : (4,) [N/m, N/m, N/m, N m/rad]    x, y, z, roll; under one wheel
    damping : (4,) [N s/m, ..., N m s/rad]
    coefficients : IntegratorCoefficients        only its step is used

    Returns
    -------
    RailModel
    """
    k, c = np.array(stiffness, dtype=float), np.array(damping, dtype=float)
    if k.shape != (4,) or not (np.all(np.isfinite(k)) and np.all(k > 0.0)):
        raise ScenarioError(f"massless rail stiffness must be four positive numbers (x, y, z, roll), got {stiffness!r}")
    if c.shape != (4,) or not (np.all(np.isfinite(c)) and np.all(c >= 0.0)):
        raise ScenarioError(f"massless rail damping must be four numbers >= 0 (x, y, z, roll), got {damping!r}")
    model = empty_model(STEP, coefficients)
    model.rigid[SPRING], model.rigid[DAMPER] = k, c
    model.rigid[RELAX_0 : RELAX_2 + 1] = relaxation(k, c, coefficients.dt).T
    return model


def relaxation(k, c, dt):
    """Weights (n, 3) of (e_old, F_old, F_new) in e_new for c e' + k e = F over a step dt."""
    weights = np.zeros((len(k), 3))
    for j in range(len(k)):
        z = k[j] * dt / c[j] if c[j] > 0.0 else np.inf
        if z > 700.0:
            decay, mean = 0.0, 1.0 / z
        elif z < 1e-3:
            decay, mean = np.exp(-z), 1.0 - z / 2.0 + z * z / 6.0 - z**3 / 24.0
        else:
            decay, mean = np.exp(-z), -np.expm1(-z) / z
        weights[j] = decay, (mean - decay) / k[j], (1.0 - mean) / k[j]
    return weights


@kernel
def relax(model, state, components):
    """Displacement and rate at the new time with no force then, of the first components of x, y, z, roll."""
    wheel, rigid = state.wheel, model.rigid
    for w in range(wheel.shape[1]):
        for j in range(components):
            e = rigid[RELAX_0, j] * wheel[D, w, j] + rigid[RELAX_1, j] * wheel[OLD_FORCE, w, j]
            if rigid[DAMPER, j] > 0.0:
                wheel[V, w, j] = -rigid[SPRING, j] * e / rigid[DAMPER, j]
            else:
                wheel[V, w, j] = (e - wheel[D, w, j]) / model.dt
            wheel[D, w, j] = e
            wheel[NEW_FORCE, w, j] = 0.0


@kernel
def push(model, state, wheel, force, components):
    """Add the new force's response, of the same components."""
    for j in range(components):
        state.wheel[D, wheel, j] += model.rigid[RELAX_2, j] * force[j]
        state.wheel[V, wheel, j] += mobility_of(model, j) * force[j]
        state.wheel[NEW_FORCE, wheel, j] += force[j]


@kernel
def mobility_of(model, j):
    """d e_dot / dF of component j."""
    rigid = model.rigid
    if rigid[DAMPER, j] > 0.0:
        return (1.0 - rigid[SPRING, j] * rigid[RELAX_2, j]) / rigid[DAMPER, j]
    return rigid[RELAX_2, j] / model.dt


@kernel
def massless_predict(model, state, coefficients):
    """Displacement and rate at the new time with no force then."""
    relax(model, state, 4)


@kernel
def massless_free_at(model, state, axle, s, side, e, e_dot, e_slope):
    """Head displacement, rate, slope (zero: the element follows the wheel)."""
    wheel = 2 * axle + side
    for j in range(4):
        e[j] = state.wheel[D, wheel, j]
        e_dot[j] = state.wheel[V, wheel, j]
        e_slope[j] = 0.0


@kernel
def massless_compliance(model, state, s, side, compliance, mobility):
    """Diagonal compliance and mobility."""
    for i in range(4):
        for j in range(4):
            compliance[i, j] = 0.0
            mobility[i, j] = 0.0
        compliance[i, i] = model.rigid[RELAX_2, i]
        mobility[i, i] = mobility_of(model, i)


@kernel
def massless_add(model, state, axle, s, side, force):
    """Add the new force's response."""
    push(model, state, 2 * axle + side, force, 4)


@kernel
def massless_finish(model, state, coefficients):
    """The new force becomes the old one."""
    wheel = state.wheel
    for w in range(wheel.shape[1]):
        for j in range(4):
            wheel[OLD_FORCE, w, j] = wheel[NEW_FORCE, w, j]
    return 0


STEP = RailStep(stay, massless_predict, massless_free_at, massless_compliance, massless_add, massless_finish)


def springs_and_dampers(track):
    """Stiffness (4,) and damping (4,) in x, y, z, roll of the [track] section's rigid_rail."""
    rigid = track.rigid_rail
    stiffness = (
        rigid.longitudinal_stiffness_n_m,
        rigid.lateral_stiffness_n_m,
        rigid.vertical_stiffness_n_m,
        rigid.roll_stiffness_nm_rad,
    )
    damping = (
        rigid.longitudinal_damping_ns_m,
        rigid.lateral_damping_ns_m,
        rigid.vertical_damping_ns_m,
        rigid.roll_damping_nms_rad,
    )
    return np.array(stiffness), np.array(damping)


def spring_compliance(track, supports):
    """Compliance (4, 4) [m/N ...] of the springs under one wheel, each by itself."""
    return np.diag(1.0 / springs_and_dampers(track)[0])


MASSLESS = RailDeclaration(
    name="massless",
    taken="stiffness of the massless rail under each wheel",
    reads=("rigid_rail",),
    make=lambda track, supports, coefficients, reach, end: make_massless(*springs_and_dampers(track), coefficients),
    static_compliance=spring_compliance,
    energy=OF_MASSLESS,
)
RIGID = RailDeclaration(
    name="rigid",
    taken="rails that do not move",
    reads=(),
    make=lambda track, supports, coefficients, reach, end: make_massless([HELD] * 4, [0.0] * 4, coefficients),
    static_compliance=lambda track, supports: np.zeros((4, 4)),
    energy=OF_MASSLESS,
    moves=False,
)
