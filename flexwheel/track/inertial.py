"""Inertial rail: a rigid rail mass with y, z and roll under each wheel, on springs and dampers to the ground.

Coordinates are those of the mass centre; the springs act at the foot, the wheel at the head. Along x the head has a
massless spring and damper.
"""

import numpy as np
from numba import njit

from flexwheel.errors import ScenarioError
from flexwheel.track.massless import mobility_of, relaxation
from flexwheel.track.rail_types import INERTIAL, empty_model


def make_inertial(mass, roll_inertia, stiffness, damping, head_above, foot_below, coefficients):
    """Inertial rail model.

    Parameters
    ----------
    mass, roll_inertia : float [kg, kg m2]       of the rail under one wheel, about its mass centre
    stiffness : (4,) [N/m, N/m, N/m, N m/rad]    x (head), y and z (foot), roll; under one wheel
    damping : (4,) [N s/m, ..., N m s/rad]
    head_above, foot_below : float [m]           crown above, springs below the mass centre
    coefficients : IntegratorCoefficients

    Returns
    -------
    RailModel
    """
    k, c = np.array(stiffness, dtype=float), np.array(damping, dtype=float)
    for name, value in (("mass", mass), ("roll_inertia", roll_inertia)):
        if not (np.isfinite(value) and value > 0.0):
            raise ScenarioError(f"inertial rail {name} = {value!r}: expected a positive number")
    if k.shape != (4,) or not (np.all(np.isfinite(k)) and np.all(k > 0.0)):
        raise ScenarioError(f"inertial rail stiffness {stiffness!r}: expected four positive numbers (x, y, z, roll)")
    if c.shape != (4,) or not (np.all(np.isfinite(c)) and np.all(c >= 0.0)):
        raise ScenarioError(f"inertial rail damping {damping!r}: expected four numbers >= 0 (x, y, z, roll)")
    foot = np.array([[1.0, 0.0, foot_below], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    stiffness_matrix = foot.T @ np.diag(k[1:]) @ foot
    damping_matrix = foot.T @ np.diag(c[1:]) @ foot
    model = empty_model(INERTIAL, coefficients)
    effective = (
        np.diag([mass, mass, roll_inertia]) + model.gamma_dt * damping_matrix + model.beta_dt2 * stiffness_matrix
    )
    head = np.zeros((4, 3))
    head[1, 0], head[1, 2], head[2, 1], head[3, 2] = 1.0, -head_above, 1.0, 1.0
    return model._replace(
        spring=k,
        damper=c,
        relaxation=relaxation(k, c, coefficients.dt),
        wheel_head=head,
        wheel_stiffness=stiffness_matrix,
        wheel_damping=damping_matrix,
        wheel_inverse=np.linalg.inv(effective),
    )


@njit(cache=True)
def inertial_predict(model, state, coefficients):
    """Predictor of y, z, roll and their accelerations without a contact force; x by the massless law."""
    wheel, past = state.wheel, state.wheel_past
    wd, wv = coefficients.displacement_weights, coefficients.velocity_weights
    massless_predict_x(model, state)
    for w in range(wheel.shape[1]):
        for j in range(1, 4):
            d, v, a = wheel[0, w, j], wheel[1, w, j], wheel[2, w, j]
            wheel[0, w, j] = wd[0, 0] * d + wd[0, 1] * v + wd[0, 2] * a
            wheel[1, w, j] = wv[0, 0] * d + wv[0, 1] * v + wv[0, 2] * a
            for i in range(past.shape[0]):
                for q in range(3):
                    wheel[0, w, j] += wd[i + 1, q] * past[i, q, w, j]
                    wheel[1, w, j] += wv[i + 1, q] * past[i, q, w, j]
            for i in range(past.shape[0] - 1, 0, -1):
                for q in range(3):
                    past[i, q, w, j] = past[i - 1, q, w, j]
            if past.shape[0] > 0:
                past[0, 0, w, j] = d
                past[0, 1, w, j] = v
                past[0, 2, w, j] = a
        for j in range(3):
            wheel[2, w, j + 1] = 0.0
        for i in range(3):
            load = 0.0
            for j in range(3):
                load -= model.wheel_stiffness[i, j] * wheel[0, w, j + 1]
                load -= model.wheel_damping[i, j] * wheel[1, w, j + 1]
            for j in range(3):
                wheel[2, w, j + 1] += model.wheel_inverse[j, i] * load


@njit(cache=True)
def massless_predict_x(model, state):
    """Component x of the massless law."""
    wheel, force = state.wheel, state.wheel_force
    for w in range(wheel.shape[1]):
        e = model.relaxation[0, 0] * wheel[0, w, 0] + model.relaxation[0, 1] * force[0, w, 0]
        if model.damper[0] > 0.0:
            wheel[1, w, 0] = -model.spring[0] * e / model.damper[0]
        else:
            wheel[1, w, 0] = (e - wheel[0, w, 0]) / model.dt
        wheel[0, w, 0] = e
        force[1, w, 0] = 0.0


@njit(cache=True)
def inertial_free_at(model, state, wheel, e, e_dot, e_slope):
    """Head displacement and rate from the mass centre's."""
    e[0] = state.wheel[0, wheel, 0]
    e_dot[0] = state.wheel[1, wheel, 0]
    e_slope[0] = 0.0
    for i in range(1, 4):
        d, v = 0.0, 0.0
        for j in range(3):
            a = state.wheel[2, wheel, j + 1]
            d += model.wheel_head[i, j] * (state.wheel[0, wheel, j + 1] + model.beta_dt2 * a)
            v += model.wheel_head[i, j] * (state.wheel[1, wheel, j + 1] + model.gamma_dt * a)
        e[i] = d
        e_dot[i] = v
        e_slope[i] = 0.0


@njit(cache=True)
def inertial_compliance(model, compliance, mobility):
    """H A^-1 H^T of the head, and the massless x component."""
    for i in range(4):
        for j in range(4):
            s = 0.0
            for k in range(3):
                for l in range(3):
                    s += model.wheel_head[i, k] * model.wheel_inverse[k, l] * model.wheel_head[j, l]
            compliance[i, j] = model.beta_dt2 * s
            mobility[i, j] = model.gamma_dt * s
    compliance[0, 0] = model.relaxation[0, 2]
    mobility[0, 0] = mobility_of(model, 0)


@njit(cache=True)
def inertial_add(model, state, wheel, force):
    """Add the force's acceleration, and its displacement along x."""
    state.wheel[0, wheel, 0] += model.relaxation[0, 2] * force[0]
    state.wheel[1, wheel, 0] += mobility_of(model, 0) * force[0]
    state.wheel_force[1, wheel, 0] += force[0]
    for i in range(3):
        load = 0.0
        for j in range(4):
            load += model.wheel_head[j, i] * force[j]
        for j in range(3):
            state.wheel[2, wheel, j + 1] += model.wheel_inverse[j, i] * load


@njit(cache=True)
def inertial_finish(model, state, coefficients):
    """New displacement and velocity."""
    wheel = state.wheel
    for w in range(wheel.shape[1]):
        for j in range(1, 4):
            wheel[0, w, j] += model.beta_dt2 * wheel[2, w, j]
            wheel[1, w, j] += model.gamma_dt * wheel[2, w, j]
        state.wheel_force[0, w, 0] = state.wheel_force[1, w, 0]
