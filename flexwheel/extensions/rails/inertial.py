"""Inertial rail: a rigid rail mass with y, z and roll under each wheel, on springs and dampers to the ground.

Coordinates are those of the mass centre; the springs act at the foot, the wheel at the head. Along x the head has a
massless spring and damper.
"""

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.extensions.rails.massless import mobility_of, push, relax, relaxation, springs_and_dampers
from flexwheel.numerics.kernels import kernel
from flexwheel.track.rail_ledger import OF_INERTIAL
from flexwheel.track.rail_model import RailDeclaration, stay
from flexwheel.track.rail_types import (
    DAMPER,
    DAMPING,
    HEAD,
    INVERSE,
    NEW_FORCE,
    OLD_FORCE,
    RELAX_0,
    RELAX_2,
    SPRING,
    STIFFNESS,
    A,
    D,
    RailStep,
    V,
    empty_model,
)
from flexwheel.track.track_parameters import rail_section


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
            raise ScenarioError(f"inertial rail {name} must be a positive number, got {value!r}")
    if k.shape != (4,) or not (np.all(np.isfinite(k)) and np.all(k > 0.0)):
        raise ScenarioError(f"inertial rail stiffness must be four positive numbers (x, y, z, roll), got {stiffness!r}")
    if c.shape != (4,) or not (np.all(np.isfinite(c)) and np.all(c >= 0.0)):
        raise ScenarioError(f"inertial rail damping must be four numbers >= 0 (x, y, z, roll), got {damping!r}")
    foot, head = foot_and_head(head_above, foot_below)
    stiffness_matrix = foot.T @ np.diag(k[1:]) @ foot
    damping_matrix = foot.T @ np.diag(c[1:]) @ foot
    model = empty_model(STEP, coefficients)
    effective = (
        np.diag([mass, mass, roll_inertia]) + model.gamma_dt * damping_matrix + model.beta_dt2 * stiffness_matrix
    )
    rigid = model.rigid
    rigid[SPRING], rigid[DAMPER] = k, c
    rigid[RELAX_0 : RELAX_2 + 1] = relaxation(k, c, coefficients.dt).T
    rigid[HEAD : HEAD + 3] = head.T
    rigid[STIFFNESS : STIFFNESS + 3, :3] = stiffness_matrix
    rigid[DAMPING : DAMPING + 3, :3] = damping_matrix
    rigid[INVERSE : INVERSE + 3, :3] = np.linalg.inv(effective)
    return model


def foot_and_head(head_above, foot_below):
    """Foot's (y, z, roll) and head's (x, y, z, roll) per (y, z, roll) of the mass centre: (3, 3), (4, 3)."""
    foot = np.array([[1.0, 0.0, foot_below], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    head = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, -head_above], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    return foot, head


@kernel
def inertial_predict(model, state, coefficients):
    """Predictor of y, z, roll and their accelerations without a contact force; x by the massless law."""
    wheel, past, rigid = state.wheel, state.wheel_past, model.rigid
    wd, wv = coefficients.displacement_weights, coefficients.velocity_weights
    relax(model, state, 1)
    for w in range(wheel.shape[1]):
        for j in range(1, 4):
            d, v, a = wheel[D, w, j], wheel[V, w, j], wheel[A, w, j]
            wheel[D, w, j] = wd[0, 0] * d + wd[0, 1] * v + wd[0, 2] * a
            wheel[V, w, j] = wv[0, 0] * d + wv[0, 1] * v + wv[0, 2] * a
            for i in range(past.shape[0]):
                for q in range(3):
                    wheel[D, w, j] += wd[i + 1, q] * past[i, q, w, j]
                    wheel[V, w, j] += wv[i + 1, q] * past[i, q, w, j]
            for i in range(past.shape[0] - 1, 0, -1):
                for q in range(3):
                    past[i, q, w, j] = past[i - 1, q, w, j]
            if past.shape[0] > 0:
                past[0, D, w, j] = d
                past[0, V, w, j] = v
                past[0, A, w, j] = a
            wheel[A, w, j] = 0.0
        for i in range(3):
            load = 0.0
            for j in range(3):
                load -= rigid[STIFFNESS + i, j] * wheel[D, w, j + 1] + rigid[DAMPING + i, j] * wheel[V, w, j + 1]
            for j in range(3):
                wheel[A, w, j + 1] += rigid[INVERSE + j, i] * load


@kernel
def inertial_free_at(model, state, axle, s, side, e, e_dot, e_slope):
    """Head displacement and rate from the mass centre's."""
    wheel = 2 * axle + side
    e[0] = state.wheel[D, wheel, 0]
    e_dot[0] = state.wheel[V, wheel, 0]
    e_slope[0] = 0.0
    for i in range(1, 4):
        d, v = 0.0, 0.0
        for j in range(3):
            a = state.wheel[A, wheel, j + 1]
            d += model.rigid[HEAD + j, i] * (state.wheel[D, wheel, j + 1] + model.beta_dt2 * a)
            v += model.rigid[HEAD + j, i] * (state.wheel[V, wheel, j + 1] + model.gamma_dt * a)
        e[i] = d
        e_dot[i] = v
        e_slope[i] = 0.0


@kernel
def inertial_compliance(model, state, s, side, compliance, mobility):
    """H A^-1 H^T of the head, and the massless x component."""
    rigid = model.rigid
    for i in range(4):
        for j in range(4):
            total = 0.0
            for k in range(3):
                for l in range(3):
                    total += rigid[HEAD + k, i] * rigid[INVERSE + k, l] * rigid[HEAD + l, j]
            compliance[i, j] = model.beta_dt2 * total
            mobility[i, j] = model.gamma_dt * total
    compliance[0, 0] = rigid[RELAX_2, 0]
    mobility[0, 0] = mobility_of(model, 0)


@kernel
def inertial_add(model, state, axle, s, side, force):
    """Add the force's acceleration, and its displacement along x."""
    wheel = 2 * axle + side
    push(model, state, wheel, force, 1)
    for i in range(3):
        load = 0.0
        for j in range(4):
            load += model.rigid[HEAD + i, j] * force[j]
        for j in range(3):
            state.wheel[A, wheel, j + 1] += model.rigid[INVERSE + j, i] * load


@kernel
def inertial_finish(model, state, coefficients):
    """New displacement and velocity."""
    wheel = state.wheel
    for w in range(wheel.shape[1]):
        for j in range(1, 4):
            wheel[D, w, j] += model.beta_dt2 * wheel[A, w, j]
            wheel[V, w, j] += model.gamma_dt * wheel[A, w, j]
        wheel[OLD_FORCE, w, 0] = wheel[NEW_FORCE, w, 0]
    return 0


STEP = RailStep(stay, inertial_predict, inertial_free_at, inertial_compliance, inertial_add, inertial_finish)


def inertial_of(track, supports, coefficients, reach, end):
    """Inertial rail model of the [track] section."""
    section = rail_section(track.rail)
    return make_inertial(
        track.rigid_rail.mass_kg,
        track.rigid_rail.roll_inertia_kg_m2,
        *springs_and_dampers(track),
        section.head_above_centroid,
        section.centroid_height,
        coefficients,
    )


def head_compliance(track, supports):
    """Compliance (4, 4) [m/N ...] of the head under one wheel at rest: H K^-1 H^T, and x by itself."""
    section, stiffness = rail_section(track.rail), springs_and_dampers(track)[0]
    foot, head = foot_and_head(section.head_above_centroid, section.centroid_height)
    out = head @ np.linalg.inv(foot.T @ np.diag(stiffness[1:]) @ foot) @ head.T
    out[0, 0] = 1.0 / stiffness[0]
    return out


INERTIAL = RailDeclaration(
    name="inertial",
    taken="stiffness of the rail under each wheel, its mass left out",
    reads=("rail", "rigid_rail", "rigid_rail.mass_kg", "rigid_rail.roll_inertia_kg_m2"),
    make=inertial_of,
    static_compliance=head_compliance,
    energy=OF_INERTIAL,
)
