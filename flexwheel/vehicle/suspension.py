"""Suspension forces between points fixed in two bodies: springs, dampers, friction, rods, stops, anti-roll bars.

The law of each kind of element stands in its own file under `elements`; the kernels here go through all elements and
call the law's kernels by address. Internal states are proposed from the accepted ones at every iteration and accepted
once a step; with the proposed state held, the forces are functions of position and velocity alone. Force laws: f on
body b is preload - law(u - rest); tension is preload + law(length - rest).

Verified in tests/vehicle/test_suspension.py and tests/vehicle/test_suspension_elements_verified.py.
"""

import numpy as np

from flexwheel.numerics.kernels import Entry, entry, far_call, handle, kernel, types
from flexwheel.vehicle.elements.columns import (
    FORCE,
    LAW,
    MEASURE,
    PROPOSE,
    RATE,
    RECORD_ROWS,
    TANGENT,
    Poses,
    SuspensionElements,
    SuspensionState,
    Weights,
)
from flexwheel.vehicle.elements.force_law import LAWS, MOST_ROWS, ROW_COLUMNS
from flexwheel.vehicle.force_tables import make_tables

MOST_LAWS = 64

ROLES = ("law force", "law propose", "law tangent", "law rate", "law measure")
"""What the kernels of a law are called as, in the columns of SuspensionElements.calls."""

_force = far_call(ROLES[FORCE], types.none)
_propose = far_call(ROLES[PROPOSE], types.none)
_tangent = far_call(ROLES[TANGENT], types.int64)
_rate = far_call(ROLES[RATE], types.float64)
_measure = far_call(ROLES[MEASURE], types.none)


def no_calls():
    """SuspensionElements.calls before `link`."""
    return np.zeros((MOST_LAWS, len(ROLES), 2), dtype=np.int64)


def link(elements: SuspensionElements, rates=False, measures=False):
    """Fill elements.calls with the entries of the kernels of the laws in use, compiled if they are not yet.

    rates : bool       also those of the internal states' rates, for the explicit step
    measures : bool    also those that measure the elements for the results

    Call it before a handle of the elements goes to a kernel.
    """
    z = np.zeros
    none = handle(SuspensionElements(elements.integer[:0], elements.number[:0], make_tables([]), elements.calls))
    poses = handle(Poses(z((0, 3)), z((0, 3, 3)), z((0, 3)), z((0, 3))))
    state = handle(SuspensionState(z((0, 2)), z((0, 2))))
    arguments = {
        FORCE: (none, 1, poses, state, z((0, 6))),
        PROPOSE: (none, 1, poses, 1.0, state),
        TANGENT: (none, 1, poses, state, Weights(1.0, 1.0, 1.0, 1.0), z((MOST_ROWS, ROW_COLUMNS))),
        RATE: (none, 1, poses, state),
        MEASURE: (none, 1, poses, state, z((RECORD_ROWS, 3))),
    }
    for place in np.unique(elements.integer[:, LAW]):
        law = LAWS[place]
        kernels = {FORCE: law.force, PROPOSE: law.propose, TANGENT: law.tangent}
        kernels |= {RATE: law.rate if rates else None, MEASURE: law.measure if measures else None}
        for column, function in kernels.items():
            if function is not None and elements.calls[place, column, 0] == 0:
                elements.calls[place, column] = entry(function, *arguments[column], role=ROLES[column])
    return elements


@kernel
def called(elements, e, column):
    """Entry of one kernel of element e's law; at address 0 where the law has none."""
    law = elements.integer[e, LAW]
    return Entry(elements.calls[law, column, 0], elements.calls[law, column, 1])


@kernel
def suspension_forces(elements, poses, state, applied):
    """Add the wrenches of all elements to the bodies.

    Parameters
    ----------
    elements : SuspensionElements, `link`ed
    poses : Poses
    state : SuspensionState       its proposed values are used
    applied : (B, 6) [N, N m]     added to: force and moment about the centre, global axes

    All but the last are handles.
    """
    for e in range(elements.integer.shape[0]):
        _force(called(elements, e, FORCE), (elements, e, poses, state, applied))


@kernel
def suspension_propose(elements, poses, dt, state):
    """Internal states at the end of a step of dt [s] that ends at the given poses.

    dt = 0: settled state; dt < 0: held as accepted, for derivatives by the pose and by the states apart.
    """
    for e in range(elements.integer.shape[0]):
        at = called(elements, e, PROPOSE)
        if at.address != 0:
            _propose(at, (elements, e, poses, dt, state))


@kernel
def suspension_rates(elements, poses, state, rates):
    """Rates (E,) of the first internal state of each element, for the explicit step."""
    for e in range(elements.integer.shape[0]):
        rates[e] = _rate(called(elements, e, RATE), (elements, e, poses, state))


@kernel
def suspension_measure(elements, poses, state, records):
    """Fill the records (E, RECORD_ROWS, 3) of all elements; elements `link`ed with their measures."""
    for e in range(elements.integer.shape[0]):
        for row in range(records.shape[1]):
            for k in range(3):
                records[e, row, k] = 0.0
        _measure(called(elements, e, MEASURE), (elements, e, poses, state, records[e]))


@kernel
def tangent_rows(elements, e, poses, state, weights, rows):
    """Rows (MOST_ROWS, ROW_COLUMNS) of element e, global axes; returns how many. weights : Weights."""
    return _tangent(called(elements, e, TANGENT), (elements, e, poses, state, weights, rows))


@kernel
def suspension_accept(state):
    """Accept the proposed internal states."""
    for e in range(state.accepted.shape[0]):
        for i in range(state.accepted.shape[1]):
            state.accepted[e, i] = state.proposed[e, i]


def forces_at(elements, poses, state):
    """Wrenches (B, 6) [N, N m] of all elements on the bodies, for the tuples themselves."""
    applied = np.zeros((len(poses.position), 6))
    suspension_forces(handle(link(elements)), handle(poses), handle(state), applied)
    return applied
