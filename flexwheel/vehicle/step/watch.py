"""What is measured beside a run and moves nothing in it: force elements at every sample, energy at every step.

Motion and forces are evaluated at the accepted state, in scratch of their own, so that a run that is watched takes the
same steps to the last bit, and one that is not takes no time for it.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.kernels import Entry, entry, far_call, handle, kernel, types
from flexwheel.vehicle.elements.columns import LAW, MEASURED, RECORD_ROWS, make_suspension_state
from flexwheel.vehicle.elements.force_law import LAWS
from flexwheel.vehicle.step.assemble import make_workspace
from flexwheel.vehicle.step.ledger import Ledger, enter_step, open_ledger
from flexwheel.vehicle.step.model import Workspace
from flexwheel.vehicle.step.residual import MOTION, call_residual, drive_force, residual_entry
from flexwheel.vehicle.step.wheelset_rows import lay_rows
from flexwheel.vehicle.suspension import suspension_measure

DRIVE = "drive"
"""Name of the drive among the force elements."""

look = far_call("watch", types.none)


class Watch(NamedTuple):
    """What is measured, and scratch for it."""

    motion: Entry  # of `residual_entry`, see `with_motion`
    own: Workspace  # motion at the accepted state
    records: np.ndarray  # (E, RECORD_ROWS, 3) of the force elements, see columns
    elements: np.ndarray  # (E, 6, 3) first rows of the records, the drive behind them
    terms: np.ndarray  # none


class LedgerWatch(NamedTuple):
    """The same with the energy ledger."""

    motion: Entry
    own: Workspace
    records: np.ndarray
    elements: np.ndarray
    terms: np.ndarray  # of the ledger
    ledger: Ledger


def make_watch(model, assembly, ledger=None):
    """Watch of a vehicle, or LedgerWatch.

    ledger : callable or None     own Workspace -> Ledger

    Raises
    ------
    ScenarioError   an element whose law does not say what it measures
    """
    laws = [LAWS[place] for place in model.suspension.integer[:, LAW]]
    for law, name in zip(laws, assembly.element_names, strict=True):
        if law.measure is None:
            raise ScenarioError(
                f"output.also: element {name}: its law ({law.name}) does not give force and stroke; remove output.also"
            )
    own = make_workspace(assembly, make_suspension_state(model.suspension))
    lay_rows(model.wheelsets, own)
    count = len(laws)
    records, elements = np.zeros((count, RECORD_ROWS, 3)), np.zeros((count + driven(model), MEASURED, 3))
    if ledger is None:
        return Watch(Entry(0, 0), own, records, elements, np.zeros(0))
    made = ledger(own)
    return LedgerWatch(Entry(0, 0), own, records, elements, made.terms, made)


def with_motion(watch, model, state):
    """The watch that can find the motion of these handles."""
    return watch._replace(motion=residual_entry(model, state, handle(watch.own)))


def driven(model):
    """1 where there is a drive, 0 where not."""
    return int(model.drive.kind != 0)


def watched_names(model, assembly):
    """Names of the rows of Watch.elements."""
    return [*assembly.element_names, *[DRIVE] * driven(model)]


def watch_entry(watch, model, state, rail_state, work):
    """Entry of what a time loop calls after every step, for these handles; watch: the tuple itself and its handle."""
    watch, handled = watch
    what = keep_ledger if isinstance(watch, LedgerWatch) else look_at_elements
    return entry(what, handled, model, state, rail_state, work, True, role="watch")


def begin(watch, model, state, rail_state, work):
    """Look at the start of a run; the tuples themselves."""
    handles = [handle(item) for item in (watch, model, state, rail_state, work)]
    look_at_elements(*handles, True)
    if isinstance(watch, LedgerWatch):
        open_ledger(*handles)


@kernel
def look_at_elements(watch, model, state, rail_state, work, sampled):
    """Fill watch.elements where a sample is taken."""
    if sampled:
        move_to_accepted(watch, model, state)
        suspension_measure(model.suspension, watch.own.poses, work.spring_state, watch.records)
        show_elements(watch, model, state)


@kernel
def keep_ledger(watch, model, state, rail_state, work, sampled):
    """As `look_at_elements`, and what the step has moved into the ledger."""
    move_to_accepted(watch, model, state)
    suspension_measure(model.suspension, watch.own.poses, work.spring_state, watch.records)
    if sampled:
        show_elements(watch, model, state)
    enter_step(watch, model, state, rail_state, work, sampled)


@kernel
def move_to_accepted(watch, model, state):
    """Motion of everything at the accepted state."""
    own = watch.own
    for k in range(own.q.shape[0]):
        own.q[k], own.qd[k], own.qdd[k] = state.history[0, 0, k], state.history[0, 1, k], state.history[0, 2, k]
    call_residual(watch.motion, (model, state, own, 0.0, MOTION))


@kernel
def show_elements(watch, model, state):
    """Records of elements, and the drive behind them: a spring and damper to a point that runs at the speed held."""
    out, count = watch.elements, watch.records.shape[0]
    for e in range(count):
        for row in range(out.shape[1]):
            for k in range(3):
                out[e, row, k] = watch.records[e, row, k]
    if out.shape[0] == count:
        return
    drive = model.drive
    speed = watch.own.qd[model.units.offset[drive.unit]]
    force = drive_force(drive, speed, state)
    out[count, 0, 0], out[count, 2, 0], out[count, 4, 0] = force, state.drive_integral[0], state.drive_speed[0] - speed
    out[count, 1, 1] = 0.0
    if drive.kind == 2:
        for w in range(model.wheelsets.unit.shape[0]):
            out[count, 1, 1] += force * model.wheelsets.radius[w] * drive.share[w]
