"""Force elements on two bodies, called from Python in a loop, for the tuples themselves."""

import numpy as np
from made_once import made_once

from flexwheel.vehicle.elements.columns import Poses
from flexwheel.vehicle.suspension import link, suspension_accept, suspension_forces, suspension_propose

_POSES = Poses(np.zeros((2, 3)), np.zeros((2, 3, 3)), np.zeros((2, 3)), np.zeros((2, 3)))
_APPLIED = np.zeros((2, 6))


def _both(elements, poses):
    for array, value in zip(_POSES, poses, strict=True):
        array[:] = value
    return made_once(elements, lambda: link(elements)), made_once(_POSES)


def forces(elements, poses, state):
    """Wrenches (2, 6) on the bodies."""
    _APPLIED[:] = 0.0
    suspension_forces(*_both(elements, poses), made_once(state), _APPLIED)
    return _APPLIED.copy()


def propose(elements, poses, dt, state):
    """Internal states at the end of a step of dt [s]."""
    suspension_propose(*_both(elements, poses), dt, made_once(state))


def accept(state):
    """Accept the proposed internal states."""
    suspension_accept(made_once(state))
