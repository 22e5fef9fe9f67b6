"""One interface to every rail model, for the coupled step, and what a rail model declares about itself.

One time step reads
    shift(model, state, s_front)                  moving window only; harmless otherwise
    predict_and_free(model, state, coefficients)  the step without the contact forces of the new time
    rail_free_at(...), rail_compliance_at(...)    what the contact equations need, at each wheel
    add_rail_force(...)                           the converged forces (a negative force takes one back)
    finish(model, state, coefficients)            new displacement, velocity, acceleration
Displacement of the rail head (crown) e = (ux, uy, uz, roll), force on the rail there (Fx, Fy, Fz, Mx), both in track
axes on both sides (not mirrored). axle counts from 0, side is 0 left, 1 right; s is the wheel's arc length.

The functions here call the model's own kernels, its RailStep, by address: model and state are handles, the model is
`linked`. So every model has the types of every other, one compiled step serves them all, and only the kernels of the
model of a run are compiled.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from flexwheel.numerics.kernels import entry, far_call, handle, kernel, types
from flexwheel.track.rail_ledger import RailEnergy
from flexwheel.track.rail_types import STEPS, RailStep

_predict = far_call("rail predict", types.none)
_free_at = far_call("rail free_at", types.none)
_compliance_at = far_call("rail compliance_at", types.none)
_add = far_call("rail add", types.none)
_finish = far_call("rail finish", types.int64)
_shift = far_call("rail shift", types.int64)


@dataclass(frozen=True)
class RailDeclaration:
    """All that the package asks of a rail model; listed in rail_models."""

    name: str  # the value of track.model
    taken: str  # what linear analysis takes of it, in words
    # keys within [track] that it reads, of those that not every model does; a key within a section that it reads beside
    # its neighbours stands after the section
    reads: tuple[str, ...]
    # track, supports, coefficients, reach, end -> RailModel: [track] section, callable without arguments ->
    # FlexibleTrack, IntegratorCoefficients, distance of the outer wheelsets [m], end of the track [m]
    make: Callable
    static_compliance: Callable  # track, supports -> (4, 4) [m/N ...] of the head under one wheel, at rest
    # track, supports, frequency_hz (F,) -> (F, 3, 3) complex [m/N] of the head over a support; None: none is known
    receptance: Callable | None = None
    energy: RailEnergy | None = None  # None: its energy is not summed
    moves: bool = True  # False: rails that do not move, as the explicit step wants them


def linked(model, state, coefficients, last_first=False):
    """The RailModel with the entries of its kernels, compiled if they are not yet; for a handle of it."""
    kernels = STEPS[model.kind]
    rail, moving, scheme = handle(model), handle(state), handle(coefficients)
    row, square = np.zeros(4), np.zeros((4, 4))
    calls = {
        "shift": (1.0,), "predict": (scheme,), "free_at": (1, 1.0, 1, row, row, row),
        "compliance_at": (1.0, 1, square, square), "add": (1, 1.0, 1, row), "finish": (scheme,),
    }  # fmt: skip
    names = reversed(calls) if last_first else calls
    made = {name: entry(getattr(kernels, name), rail, moving, *calls[name], role=f"rail {name}") for name in names}
    return model._replace(step=RailStep(**made))


@kernel
def predict_and_free(model, state, coefficients):
    """Advance one step without contact forces: predictor in d and v, free accelerations in response."""
    _predict(model.step.predict, (model, state, coefficients))


@kernel
def rail_free_at(model, state, axle, s, side, e, e_dot, e_slope):
    """Head displacement at the new time and its rates, free of the contact forces not yet added.

    Fills e (4,) [m, m, m, rad]; e_dot (4,) its material velocity, at fixed x; e_slope (4,) = de/ds. The contact
    point's velocity along the moving wheel is e_dot + ds/dt e_slope. Massless and inertial rails follow the wheel:
    slope zero.
    """
    _free_at(model.step.free_at, (model, state, axle, s, side, e, e_dot, e_slope))


@kernel
def rail_compliance_at(model, state, s, side, compliance, mobility):
    """Response at the wheel to its own force of this step.

    Fills compliance (4, 4) = de/dF [m/N ...], for the flexible rail with the static compliance of the clamped element
    that carries the load, and mobility (4, 4) = de_dot/dF [m/s/N ...].
    """
    _compliance_at(model.step.compliance_at, (model, state, s, side, compliance, mobility))


@kernel
def add_rail_force(model, state, axle, s, side, force):
    """Add force (4,) = (Fx, Fy, Fz, Mx) [N, N m] on the rail at the head; linear, so -force takes it back."""
    _add(model.step.add, (model, state, axle, s, side, force))


@kernel
def finish(model, state, coefficients):
    """Turn predicted into new values. Returns 0, or 1 if the nonlinear support laws did not converge."""
    return _finish(model.step.finish, (model, state, coefficients))


@kernel
def shift(model, state, s_front):
    """Move the window forward by whole bays until the front wheel at s_front [m] is behind its front bay.

    Call before predict_and_free; every stored value moves together. Returns the number of bays moved.
    """
    return _shift(model.step.shift, (model, state, s_front))


@kernel
def stay(model, state, s_front):
    """The shift of a model without a window."""
    return 0
