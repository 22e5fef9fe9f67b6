"""Energy ledger of a run: what is stored, what was lost, what was put in since the start, and what is left over.

Sums are formed in the loop, step by step. In a step the mean of a force at both ends does work at the mean of the
velocities: this is what the trapezoidal rule itself gives and takes, so that the ledger of a linear system closes to
rounding. Stored energies are functions of the state, but for that of the contacts, which the contact law does not know
as one: it is the work of the elastic part of the normal forces on the poses since the start.

The contact's normal has no part along the rail, although it touches ahead of the lowest point where the wheel yaws and
rails rise and fall under it: what such a part would take from the motion along the track comes from nowhere. It is
`in_carried`.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.variables import ENERGY
from flexwheel.contact.contact_tables import ContactScratch, make_contact_scratch
from flexwheel.numerics.kernels import Entry, entry, far_call, handle, kernel, types
from flexwheel.numerics.kernels.flat_copy import copy_flat
from flexwheel.track.rail_ledger import (
    ELASTIC,
    KINETIC,
    LOST_BALLAST,
    LOST_LAYERS,
    LOST_PADS,
    LOST_RAILS,
    LOST_WINDOW,
    RailLedger,
)
from flexwheel.vehicle.elements.columns import (
    INNER_ROW,
    LAW,
    LOSS_ROW,
    RATE_ROW,
    SLIP,
    SLIP_FORCE,
    STORED,
    TURN_LOSS_ROW,
    TURN_RATE_ROW,
)
from flexwheel.vehicle.elements.force_law import LAWS
from flexwheel.vehicle.eulerian_map import pair_turns
from flexwheel.vehicle.step.contact_motion import compliance_row, flip, irregularity_under, profile_motion, turn_x
from flexwheel.vehicle.step.contact_system import call_law, law_entry
from flexwheel.vehicle.step.coupled_step import refer
from flexwheel.vehicle.step.energy import kinetic_energy, modal_energy, weight_energy
from flexwheel.vehicle.step.model import EULERIAN, LAGRANGIAN
from flexwheel.vehicle.step.residual import drive_force

WRENCH, SLIDE, GAP, PRESS, SPRING, POSE, YIELD = range(7)
"""Rows of Ledger.wheels, axes of the rail as it has turned: wrench on the wheel, material velocity against the rail,
rate of the pose, wrench of the normal forces and of their elastic part, pose, and what of it is the wheel's local
yielding."""

YIELDING = (1, 2, 3, 5)
"""Components of a pose that the local compliance moves."""

_rails = far_call("rail energy", types.none)


class Ledger(NamedTuple):
    """Sums, and both ends of a step."""

    terms: np.ndarray  # columns variables.ENERGY [J]
    stored: np.ndarray  # (1,) all that was stored at the start [J]
    dry: np.ndarray  # (E,) 1: an element's inner state is dry friction
    contact_work: ContactScratch
    law: Entry
    rails: RailLedger
    rail_step: Entry
    records: np.ndarray  # (E, RECORD_ROWS, 3) at the start of the step; the end's are the Watch's
    poses: np.ndarray  # (2, P, 6) velocity and angular velocity, global; start and end of the step
    wheels: np.ndarray  # (2, W, 2, 7, 6) rows WRENCH .. YIELD
    rates: np.ndarray  # (N,) at the start, modal ones on the mesh as it was
    drive: np.ndarray  # (2, W + 1, 2) force and speed of what it drives
    spin: np.ndarray  # (W,) VehicleState.spin_reference at the start


def make_ledger(model, assembly, own, rail_state, energy, track, supports):
    """Ledger of a vehicle on its rails.

    Parameters
    ----------
    own : Workspace              of the Watch
    energy : RailEnergy or None  of the rail model; track, supports: as RailDeclaration.make takes them

    Raises
    ------
    ScenarioError                a rail model or supports whose energy is not known
    """
    if energy is None:
        raise ScenarioError("output.also = ['energy']: the rail model of track.model has no energy balance")
    rails = energy.make(track, supports, model.coefficients, model.rail, rail_state)
    contact_work = make_contact_scratch(model.contact[0])
    law = law_entry(handle(model.contact[0]), handle(contact_work), own)
    rail = handle(rails), handle(model.rail), handle(rail_state)
    wheelsets, count = len(assembly.wheelset_specs), len(model.suspension.integer)
    z = np.zeros
    return Ledger(
        terms=z(len(ENERGY)),
        stored=z(1),
        dry=np.array([LAWS[place].dry for place in model.suspension.integer[:, LAW]], dtype=np.int64),
        contact_work=contact_work,
        law=law,
        rails=rails,
        rail_step=entry(energy.step, *rail, True, True, role="rail energy"),
        records=z((count, INNER_ROW + 1, 3)),
        poses=z((2, len(own.poses.position), 6)),
        wheels=z((2, wheelsets, 2, YIELD + 1, 6)),
        rates=z(assembly.coordinate_count),
        drive=z((2, wheelsets + 1, 2)),
        spin=z(wheelsets),
    )


@kernel
def open_ledger(watch, model, state, rail_state, work):
    """Begin at the start of a run, with the motion in watch.own."""
    ledger, own = watch.ledger, watch.own
    ledger.terms[:] = 0.0
    for w in range(work.rail.shape[0]):
        irregularity_under(model, own, w, own.q[model.units.offset[model.wheelsets.unit[w]]])
        for side in range(2):
            for row in range(3):
                for c in range(4):
                    own.rail[w, side, row, c] = work.rail[w, side, row, c]
            profile_motion(model, state, w, side, own)
            take_wheel(ledger, model, state, w, side, own, own)
    take_vehicle(ledger, model, state, own)
    _rails(ledger.rail_step, (ledger.rails, model.rail, rail_state, True, True))
    keep(ledger, watch.records, state, own)
    show_stored(watch, model)
    ledger.stored[0] = stored_energy(ledger.terms)


@kernel
def enter_step(watch, model, state, rail_state, work, sampled):
    """Add what the last step has moved; at a sample also what is stored now, and what is left over."""
    ledger, own = watch.ledger, watch.own
    for w in range(work.rail.shape[0]):
        for side in range(2):
            take_wheel(ledger, model, state, w, side, work, own)
    take_vehicle(ledger, model, state, own)
    dt = model.coefficients.dt
    add_elements(ledger, watch.records, dt)
    add_contacts(ledger, dt)
    add_modes(ledger, model, state, own)
    add_inputs(ledger, work.external, dt)
    _rails(ledger.rail_step, (ledger.rails, model.rail, rail_state, False, sampled))
    keep(ledger, watch.records, state, own)
    if sampled:
        show_stored(watch, model)
        show_left_over(ledger)


@kernel
def take_wheel(ledger, model, state, w, side, work, own):
    """Forces and velocities of one wheel at the end of the step; work: where its motion stands."""
    now, law, sign = ledger.wheels[1, w, side], ledger.law, 1.0 if side == 0 else -1.0
    for c in range(6):
        own.pose[w, side, c], own.gap_rate[w, side, c] = work.pose[w, side, c], work.gap_rate[w, side, c]
        now[WRENCH, c], now[SLIDE, c] = state.wrench[w, side, c], work.rate[w, side, c]
        now[GAP, c], now[POSE, c] = work.gap_rate[w, side, c], work.pose[w, side, c]
    if sign < 0.0:
        flip(now[SLIDE])
        flip(now[GAP])
        flip(now[POSE])
    for row in YIELDING:
        now[YIELD, row] = compliance_row(model.wheelsets.residual[w, side], row, now[WRENCH])
    roll = own.rail[w, side, 0, 3] = work.rail[w, side, 0, 3]
    for c in range(6):
        own.rate[w, side, c] = 0.0
    call_law(law, model, w, side, ledger.contact_work, own)
    for c in range(6):
        now[PRESS, c] = own.contact_force[w, side, c]
        own.gap_rate[w, side, c] = 0.0
    call_law(law, model, w, side, ledger.contact_work, own)
    for c in range(6):
        now[SPRING, c] = own.contact_force[w, side, c]
    for row in (WRENCH, PRESS, SPRING, YIELD):
        turn_x(-roll, now[row], 1)
        turn_x(-roll, now[row], 4)


@kernel
def take_vehicle(ledger, model, state, own):
    """Velocities of all poses and what the drive does, at the end of the step."""
    now, poses, motion, drive = ledger.poses[1], own.poses, own.motion, model.drive
    for p in range(now.shape[0]):
        for i in range(3):
            now[p, i], now[p, 3 + i] = poses.velocity[p, i], poses.omega[p, i]
    if drive.kind == 0:
        return
    out, u = ledger.drive[1], drive.unit
    force = drive_force(drive, own.qd[model.units.offset[u]], state)
    if drive.kind == 1:
        out[0, 0], out[0, 1] = force, 0.0
        track = own.track.rotation[u]
        for i in range(3):
            out[0, 1] += track[i, 0] * now[u, i] + drive.height * track[i, 1] * now[u, 3 + i]
        return
    for w in range(model.wheelsets.unit.shape[0]):
        k, carrier = model.wheelsets.unit[w], drive.carrier[w]
        out[1 + w, 0], out[1 + w, 1] = force * model.wheelsets.radius[w] * drive.share[w], motion.omega[k, 1]
        if carrier >= 0:
            for i in range(3):
                out[1 + w, 1] -= now[carrier, 3 + i] * motion.rotation[k, i, 1]


@kernel
def keep(ledger, records, state, own):
    """The end of the step becomes the start of the next one."""
    copy_flat(records, ledger.records)
    copy_flat(ledger.poses[1], ledger.poses[0])
    copy_flat(ledger.wheels[1], ledger.wheels[0])
    copy_flat(ledger.drive[1], ledger.drive[0])
    copy_flat(own.qd, ledger.rates)
    copy_flat(state.spin_reference, ledger.spin)


@kernel
def mean_product(a, b, before_a, before_b):
    """Product of the means of two vectors (n,) over a step."""
    power = 0.0
    for c in range(a.shape[0]):
        power += 0.25 * (a[c] + before_a[c]) * (b[c] + before_b[c])
    return power


@kernel
def add_elements(ledger, records, dt):
    """Lost in dampers and dry friction."""
    terms = ledger.terms
    for e in range(records.shape[0]):
        now, old = records[e], ledger.records[e]
        lost = dt * mean_product(now[LOSS_ROW], now[RATE_ROW], old[LOSS_ROW], old[RATE_ROW])
        lost += dt * mean_product(now[TURN_LOSS_ROW], now[TURN_RATE_ROW], old[TURN_LOSS_ROW], old[TURN_RATE_ROW])
        slip, before = now[INNER_ROW], old[INNER_ROW]
        inner = 0.5 * (slip[SLIP_FORCE] + before[SLIP_FORCE]) * (slip[SLIP] - before[SLIP])
        if ledger.dry[e] == 1:
            terms[ENERGY.lost_friction] += inner
        else:
            lost += inner
        terms[ENERGY.lost_dampers] += lost


@kernel
def add_contacts(ledger, dt):
    """Lost in creep and damping, taken up elastically, carried."""
    terms = ledger.terms
    for w in range(ledger.wheels.shape[1]):
        for side in range(2):
            now, old = ledger.wheels[1, w, side], ledger.wheels[0, w, side]
            whole = mean_product(now[WRENCH], now[SLIDE], old[WRENCH], old[SLIDE])
            pressed = mean_product(now[PRESS], now[SLIDE], old[PRESS], old[SLIDE])
            closed = mean_product(now[PRESS], now[GAP], old[PRESS], old[GAP])
            elastic = dt * mean_product(now[SPRING], now[GAP], old[SPRING], old[GAP])
            stored = 0.0
            for c in range(6):
                stored -= 0.5 * (now[SPRING, c] + old[SPRING, c]) * (now[POSE, c] - old[POSE, c])
                stored += 0.5 * (now[WRENCH, c] + old[WRENCH, c]) * (now[YIELD, c] - old[YIELD, c])
            terms[ENERGY.lost_creep] -= dt * (whole - pressed)
            terms[ENERGY.lost_contact] += elastic - dt * closed
            terms[ENERGY.contact] += stored
            terms[ENERGY.in_carried] += dt * (pressed - closed) + elastic + stored


@kernel
def add_modes(ledger, model, state, own):
    """Lost in the modes' own damping; the rates before are referred to the wheelset's mesh as it lies now."""
    wheelsets = model.wheelsets
    for w in range(wheelsets.unit.shape[0]):
        o, h = model.units.offset[wheelsets.unit[w]] + 6, wheelsets.mode_count[w]
        if wheelsets.mesh_mode[w] != LAGRANGIAN and h > 0:
            angle = state.spin_reference[w] - ledger.spin[w]
            if wheelsets.mesh_mode[w] == EULERIAN:
                pair_turns(wheelsets.pair_order[w], angle, own.turn)
            refer(wheelsets, w, angle, ledger.rates[o : o + h], own)
        power = 0.0
        for k in range(h):
            rate = 0.5 * (own.qd[o + k] + ledger.rates[o + k])
            power += 2.0 * wheelsets.damping[w, k] * wheelsets.frequency[w, k] * rate * rate
        ledger.terms[ENERGY.lost_modes] += model.coefficients.dt * power
    bodies = model.flexible
    for f in range(bodies.unit.shape[0]):
        o, power = model.units.offset[bodies.unit[f]] + 6, 0.0
        for k in range(bodies.mode_count[f]):
            rate = 0.5 * (own.qd[o + k] + ledger.rates[o + k])
            power += 2.0 * bodies.damping[f, k] * bodies.frequency[f, k] * rate * rate
        ledger.terms[ENERGY.lost_modes] += model.coefficients.dt * power


@kernel
def add_inputs(ledger, external, dt):
    """Put in by the drive and by what stands outside the model, whose wrenches are held over a step."""
    now, old = ledger.drive[1], ledger.drive[0]
    for k in range(now.shape[0]):
        ledger.terms[ENERGY.in_drive] += dt * 0.25 * (now[k, 0] + old[k, 0]) * (now[k, 1] + old[k, 1])
    for p in range(external.shape[0]):
        power = mean_product(external[p], ledger.poses[1, p], external[p], ledger.poses[0, p])
        ledger.terms[ENERGY.in_outside] += dt * power


@kernel
def show_stored(watch, model):
    """Stored energies at the end of the step, and the rails' sums."""
    terms, own, rails = watch.ledger.terms, watch.own, watch.ledger.rails.sums
    terms[ENERGY.kinetic] = kinetic_energy(model, own)
    terms[ENERGY.weight] = weight_energy(model, own)
    terms[ENERGY.suspension] = 0.0
    for e in range(watch.records.shape[0]):
        terms[ENERGY.suspension] += watch.records[e, INNER_ROW, STORED]
    terms[ENERGY.modes] = modal_energy(model, own)
    terms[ENERGY.rails_kinetic], terms[ENERGY.rails_elastic] = rails[KINETIC], rails[ELASTIC]
    terms[ENERGY.lost_rails], terms[ENERGY.lost_pads] = rails[LOST_RAILS], rails[LOST_PADS]
    terms[ENERGY.lost_ballast], terms[ENERGY.lost_layers] = rails[LOST_BALLAST], rails[LOST_LAYERS]
    terms[ENERGY.lost_window] = rails[LOST_WINDOW]


@kernel
def stored_energy(terms):
    """Sum of all that is stored [J]."""
    total = 0.0
    for k in range(ENERGY.rails_elastic + 1):
        total += terms[k]
    return total


@kernel
def show_left_over(ledger):
    """What the ledger does not explain: stored now less at the start, and lost, less put in."""
    terms = ledger.terms
    left = stored_energy(terms) - ledger.stored[0]
    for k in range(ENERGY.lost_dampers, ENERGY.lost_window + 1):
        left += terms[k]
    for k in range(ENERGY.in_drive, ENERGY.in_carried + 1):
        left -= terms[k]
    terms[ENERGY.residual] = left
