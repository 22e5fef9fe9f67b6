"""The functions of `flexwheel.track.rail_model` for a RailModel and RailState themselves: handles are made once."""

import numpy as np
from made_once import made_once

from flexwheel.numerics.integration import newmark
from flexwheel.track import rail_model
from flexwheel.track.rail_types import make_state

__all__ = [
    "add_rail_force",
    "ended",
    "finish",
    "make_state",
    "predict_and_free",
    "rail_compliance_at",
    "rail_free_at",
    "shift",
]


def ended(model, before, after):
    """d, v and a with which a Newmark step ended, from the fields (2, ...) of D, V predicted before and after it."""
    velocity, displacement = model.march[:2]
    a = (after[1] - before[1]) / velocity
    return before[0] + model.beta_dt2 * a, before[1] + model.gamma_dt * a, a


def _both(model, state):
    return (
        made_once(model, lambda: rail_model.linked(model, state, newmark(model.dt))),
        made_once(state),
    )


def _face(kernel):
    return lambda model, state, *arguments: kernel(*_both(model, state), *arguments)


add_rail_force = _face(lambda rail, moving, axle, s, side, force: rail_model.add_rail_force(
    rail, moving, axle, float(s), side, np.asarray(force, dtype=float)
))  # fmt: skip
finish, predict_and_free, rail_compliance_at, rail_free_at, shift = map(
    _face,
    (
        rail_model.finish,
        rail_model.predict_and_free,
        rail_model.rail_compliance_at,
        rail_model.rail_free_at,
        rail_model.shift,
    ),
)
