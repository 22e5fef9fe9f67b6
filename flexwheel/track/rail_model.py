"""One interface to every rail model, for the coupled step.

One time step reads
    shift(model, state, s_front)                  moving window only; harmless otherwise
    predict_and_free(model, state, coefficients)  the step without the contact forces of the new time
    rail_free_at(...), rail_compliance_at(...)    what the contact equations need, at each wheel
    add_rail_force(...)                           the converged forces (a negative force takes one back)
    finish(model, state, coefficients)            new displacement, velocity, acceleration
Displacement of the rail head (crown) e = (ux, uy, uz, roll), force on the rail there (Fx, Fy, Fz, Mx), both in track
axes on both sides (not mirrored). axle counts from 0, side is 0 left, 1 right; s is the wheel's arc length.
"""

from flexwheel.kernels import kernel
from flexwheel.track.flexible_head import flexible_add, flexible_compliance, flexible_free_at
from flexwheel.track.flexible_rail import flexible_finish, flexible_predict, flexible_shift
from flexwheel.track.inertial import (
    inertial_add,
    inertial_compliance,
    inertial_finish,
    inertial_free_at,
    inertial_predict,
)
from flexwheel.track.massless import (
    massless_add,
    massless_compliance,
    massless_finish,
    massless_free_at,
    massless_predict,
)
from flexwheel.track.rail_types import FLEXIBLE, INERTIAL, RailModel, RailState, make_state

__all__ = [
    "RailModel",
    "RailState",
    "add_rail_force",
    "finish",
    "make_state",
    "predict_and_free",
    "rail_compliance_at",
    "rail_free_at",
    "shift",
]


@kernel
def predict_and_free(model, state, coefficients):
    """Advance one step without contact forces: predictor in d and v, free accelerations in response."""
    if model.kind == FLEXIBLE:
        flexible_predict(model, state, coefficients)
    elif model.kind == INERTIAL:
        inertial_predict(model, state, coefficients)
    else:
        massless_predict(model, state)


@kernel
def rail_free_at(model, state, axle, s, side, e, e_dot, e_slope):
    """Head displacement at the new time and its rates, free of the contact forces not yet added.

    Fills e (4,) [m, m, m, rad]; e_dot (4,) its material velocity, at fixed x; e_slope (4,) = de/ds. The contact
    point's velocity along the moving wheel is e_dot + ds/dt e_slope. Massless and inertial rails follow the wheel:
    slope zero.
    """
    if model.kind == FLEXIBLE:
        flexible_free_at(model, state, s, side, e, e_dot, e_slope)
    elif model.kind == INERTIAL:
        inertial_free_at(model, state, 2 * axle + side, e, e_dot, e_slope)
    else:
        massless_free_at(state, 2 * axle + side, e, e_dot, e_slope)


@kernel
def rail_compliance_at(model, state, s, side, compliance, mobility):
    """Response at the wheel to its own force of this step.

    Fills compliance (4, 4) = de/dF [m/N ...], for the flexible rail with the static compliance of the clamped element
    that carries the load, and mobility (4, 4) = de_dot/dF [m/s/N ...].
    """
    if model.kind == FLEXIBLE:
        flexible_compliance(model, state, s, compliance, mobility)
    elif model.kind == INERTIAL:
        inertial_compliance(model, compliance, mobility)
    else:
        massless_compliance(model, compliance, mobility)


@kernel
def add_rail_force(model, state, axle, s, side, force):
    """Add force (4,) = (Fx, Fy, Fz, Mx) [N, N m] on the rail at the head; linear, so -force takes it back."""
    if model.kind == FLEXIBLE:
        flexible_add(model, state, s, side, force)
    elif model.kind == INERTIAL:
        inertial_add(model, state, 2 * axle + side, force)
    else:
        massless_add(model, state, 2 * axle + side, force)


@kernel
def finish(model, state, coefficients):
    """Turn predicted into new values. Returns 0, or 1 if the nonlinear support laws did not converge."""
    if model.kind == FLEXIBLE:
        return flexible_finish(model, state)
    if model.kind == INERTIAL:
        inertial_finish(model, state)
    else:
        massless_finish(state)
    return 0


@kernel
def shift(model, state, s_front):
    """Move the window forward by whole bays until the front wheel at s_front [m] is behind its front bay.

    Call before predict_and_free; every stored value moves together. Returns the number of bays moved.
    """
    if model.kind == FLEXIBLE and model.front_bay >= 0:
        return flexible_shift(model, state, s_front)
    return 0
