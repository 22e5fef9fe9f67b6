"""A vehicle in detail inside a train: coupler forces from the trains ahead and behind, or prescribed, step by step.

`element`: the vehicles ahead and behind are hidden in two force elements (vehicle_element) with states of their
own; the outer ends of the elements are bodies of one degree of freedom. Within one step of the model the elements
and the along-track motion of the detailed body are integrated together by the classical fourth-order formula in a
few substeps, everything else that acts on that body held as it was over the last step; the mean coupler forces then
act on the body in the model's own step. So the stiff part of the coupling is resolved and momentum passes between train
and vehicle without loss.

`prescribed`: coupler forces by time from a run of the train alone; what keeps the vehicle at the train's speed is
added in halves to both couplers and reported.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.systems.train.coupler_link import CouplerLink, LinkWork, couple, make_link_work
from flexwheel.systems.train.driving import Controls, DrivingArrays, drive, interpolate
from flexwheel.systems.train.hidden_vehicles import Ends
from flexwheel.systems.train.vehicle_element import VehicleElement, accept_step, element_forces, element_rates
from flexwheel.vehicle.step.coupled_step import CONVERGED, NOT_CONVERGED, call_step
from flexwheel.vehicle.step.residual import MOTION, call_residual
from flexwheel.vehicle.step.simulate_record import due, sample
from flexwheel.vehicle.step.watch import look

ELEMENT, PRESCRIBED = 0, 1
SUBSTEP = 1.25e-4  # [s] longest substep of the couplers
GAIN, RESET = 2.0e4, 5.0e3  # [N s/m], [N/m] of the speed correction where forces are prescribed


class TrainCoupling(NamedTuple):
    """The train around one vehicle."""

    kind: int  # ELEMENT or PRESCRIBED
    link: CouplerLink
    work: LinkWork
    front: VehicleElement  # ahead of the vehicle; where there is none, the same as rear and front_mass 0
    rear: VehicleElement
    front_mass: float  # of the body at the head of the train [kg], 0: the vehicle is the head
    rear_mass: float
    vehicle_mass: float  # of the body that carries the couplers [kg]
    driving: DrivingArrays
    controls: Controls
    state: np.ndarray  # states of both elements, then s, v of head, vehicle, tail
    stages: np.ndarray  # (4, n)
    trial: np.ndarray  # (n,)
    front_states: np.ndarray  # views for the elements, contiguous
    rear_states: np.ndarray
    front_rates: np.ndarray
    rear_rates: np.ndarray
    memory: np.ndarray  # (8,) tick, last speed, mean forces front and rear, started, speed integral, pressure, largest
    table_time: np.ndarray  # (K,) of prescribed forces [s]
    table: np.ndarray  # (4, K) force front, rear [N], speed [m/s], pressure
    front_force: np.ndarray  # (vehicles of the element,) force of every coupling ahead, rear_force behind [N]
    rear_force: np.ndarray
    peaks: np.ndarray  # (n - 1, 4) of every coupling of the train: largest draft, buff [N] and their times [s]


TICK, LAST_SPEED, MEAN_FRONT, MEAN_REAR, STARTED, INTEGRAL, PRESSURE, CORRECTION = range(8)


@kernel
def _rates(t, y, dy, train, rest):
    """Rates of all states; returns the coupler forces on the vehicle, draft positive."""
    na, nb = train.front_states.shape[0], train.rear_states.shape[0]
    head, car, tail = na + nb, na + nb + 2, na + nb + 4
    force_front, force_rear = 0.0, 0.0
    dy[head], dy[head + 1], dy[tail], dy[tail + 1] = y[head + 1], 0.0, y[tail + 1], 0.0
    if train.front_mass > 0.0:
        for j in range(na):
            train.front_states[j] = y[j]
        ends = Ends(y[head], y[head + 1], y[car], y[car + 1])
        on_head, force_front = element_rates(
            t, train.front_states, ends, train.controls, train.front, train.front_rates
        )
        dy[head + 1] = on_head / train.front_mass  # 002 (8)
        for j in range(na):
            dy[j] = train.front_rates[j]
    if train.rear_mass > 0.0:
        for j in range(nb):
            train.rear_states[j] = y[na + j]
        ends = Ends(y[car], y[car + 1], y[tail], y[tail + 1])
        on_vehicle, on_tail = element_rates(t, train.rear_states, ends, train.controls, train.rear, train.rear_rates)
        force_rear = -on_vehicle
        dy[tail + 1] = on_tail / train.rear_mass
        for j in range(nb):
            dy[na + j] = train.rear_rates[j]
    dy[car] = y[car + 1]
    dy[car + 1] = (force_front - force_rear + rest) / train.vehicle_mass
    return force_front, force_rear


@kernel
def advance_elements(t, dt, s, v, train):
    """Integrate the elements from t to t + dt with the vehicle starting at s, v; mean coupler forces into memory."""
    memory, y, k, trial = train.memory, train.state, train.stages, train.trial
    n = y.shape[0]
    car = n - 4
    lead = car - 2 if train.front_mass > 0.0 else car
    y[car], y[car + 1] = s, v
    tick = int(t / train.controls.tick + 1e-9)
    while memory[TICK] < tick:
        memory[TICK] += 1.0
        drive(int(memory[TICK]), y[lead], y[lead + 1], train.driving, train.controls)
    rest = 0.0
    if memory[STARTED] > 0.0:
        rest = train.vehicle_mass * (v - memory[LAST_SPEED]) / dt - memory[MEAN_FRONT] + memory[MEAN_REAR]
    memory[STARTED], memory[LAST_SPEED] = 1.0, v
    count = int(np.ceil(dt / SUBSTEP - 1e-9))
    h = dt / count
    mean_front, mean_rear = 0.0, 0.0
    for i in range(count):
        now = t + i * h
        f1, r1 = _rates(now, y, k[0], train, rest)
        for j in range(n):
            trial[j] = y[j] + 0.5 * h * k[0, j]
        f2, r2 = _rates(now + 0.5 * h, trial, k[1], train, rest)
        for j in range(n):
            trial[j] = y[j] + 0.5 * h * k[1, j]
        f3, r3 = _rates(now + 0.5 * h, trial, k[2], train, rest)
        for j in range(n):
            trial[j] = y[j] + h * k[2, j]
        f4, r4 = _rates(now + h, trial, k[3], train, rest)
        for j in range(n):
            y[j] += h / 6.0 * (k[0, j] + 2.0 * k[1, j] + 2.0 * k[2, j] + k[3, j])
        mean_front += (f1 + 2.0 * f2 + 2.0 * f3 + f4) / (6.0 * count)
        mean_rear += (r1 + 2.0 * r2 + 2.0 * r3 + r4) / (6.0 * count)
    memory[MEAN_FRONT], memory[MEAN_REAR] = mean_front, mean_rear


@kernel
def accept_elements(t, s, v, train):
    """Accept the elements' step with the vehicle where the model has taken it."""
    na, nb = train.front_states.shape[0], train.rear_states.shape[0]
    y = train.state
    head, tail = na + nb, na + nb + 4
    if train.front_mass > 0.0:
        for j in range(na):
            train.front_states[j] = y[j]
        accept_step(t, train.front_states, Ends(y[head], y[head + 1], s, v), train.controls, train.front)
        for j in range(na):
            y[j] = train.front_states[j]
        train.memory[PRESSURE] = train.front.state.p[train.front.state.p.shape[0] - 1]
    if train.rear_mass > 0.0:
        for j in range(nb):
            train.rear_states[j] = y[na + j]
        accept_step(t, train.rear_states, Ends(s, v, y[tail], y[tail + 1]), train.controls, train.rear)
        for j in range(nb):
            y[na + j] = train.rear_states[j]
        train.memory[PRESSURE] = train.rear.state.p[0]


@kernel
def keep_peaks(t, acceleration, train):
    """Note the largest forces of all couplings so far; acceleration of the vehicle [m/s2], for bars beside it."""
    ahead, behind = train.front_force.shape[0], train.rear_force.shape[0]
    n = train.state.shape[0]
    rates = train.stages[3]
    if train.front_mass > 0.0:
        element_forces(rates[n - 5], acceleration, train.front, train.front_force)
        for j in range(ahead - 1):
            _keep(j, t, train.front_force[j], train.peaks)
    if train.rear_mass > 0.0:
        element_forces(acceleration, rates[n - 1], train.rear, train.rear_force)
        first = max(ahead - 1, 0)
        for j in range(behind - 1):
            _keep(first + j, t, train.rear_force[j], train.peaks)


@kernel
def _keep(k, t, force, peaks):
    if force > peaks[k, 0]:
        peaks[k, 0], peaks[k, 2] = force, t
    if force < peaks[k, 1]:
        peaks[k, 1], peaks[k, 3] = force, t


@kernel
def prescribe(t, dt, v, train):
    """Coupler forces in the middle of the coming step from the table, with the speed correction, into memory."""
    memory = train.memory
    middle = t + 0.5 * dt
    error = interpolate(t, train.table_time, train.table[2]) - v
    memory[INTEGRAL] += error * dt
    correction = 0.5 * (GAIN * error + RESET * memory[INTEGRAL])
    memory[MEAN_FRONT] = interpolate(middle, train.table_time, train.table[0]) + correction
    memory[MEAN_REAR] = interpolate(middle, train.table_time, train.table[1]) - correction
    memory[PRESSURE] = interpolate(middle, train.table_time, train.table[3])
    memory[CORRECTION] = max(memory[CORRECTION], abs(correction))


@kernel
def _couple_at_start(residual, model, state, train, work):
    """Coupler forces of the state at the start, for its sample; residual: Entry of `residual_entry`."""
    for k in range(work.q.shape[0]):
        work.q[k], work.qd[k], work.qdd[k] = state.history[0, 0, k], state.history[0, 1, k], state.history[0, 2, k]
    call_residual(residual, (model, state, work, 0.0, MOTION))
    o = model.units.offset[train.link.unit]
    t = state.time[0]
    if train.kind == ELEMENT:
        car = train.state.shape[0] - 4
        train.state[car], train.state[car + 1] = work.q[o], work.qd[o]
        front, rear = _rates(t, train.state, train.stages[0], train, 0.0)
    else:
        front, rear = interpolate(t, train.table_time, train.table[0]), interpolate(t, train.table_time, train.table[1])
    couple(model, train.link, front, rear, train.memory[PRESSURE], work, train.work)


@kernel
def run_train_steps(step, arguments, train, watch, steps, first, sampling, count):
    """As `run_steps` with the couplers of a train; with steps = 0 their forces at the start go to the record."""
    model, state, work = arguments[1], arguments[2], arguments[5]
    residual = arguments[0].residual
    if steps == 0 and first == 0:
        _couple_at_start(residual, model, state, train, work)
    dt = model.coefficients.dt
    o = model.units.offset[train.link.unit]
    for i in range(steps):
        for k in range(work.q.shape[0]):
            work.q[k], work.qd[k], work.qdd[k] = state.history[0, 0, k], state.history[0, 1, k], state.history[0, 2, k]
        call_residual(residual, (model, state, work, 0.0, MOTION))
        t = state.time[0]
        if train.kind == ELEMENT:
            advance_elements(t, dt, work.q[o], work.qd[o], train)
        else:
            prescribe(t, dt, work.qd[o], train)
        memory = train.memory
        couple(model, train.link, memory[MEAN_FRONT], memory[MEAN_REAR], memory[PRESSURE], work, train.work)
        status, iterations = call_step(step, arguments)
        count[1] += iterations
        if status == NOT_CONVERGED:
            count[2] += 1
        elif status != CONVERGED:
            return status, i
        if train.kind == ELEMENT:
            accept_elements(state.time[0], state.history[0, 0, o], state.history[0, 1, o], train)
            keep_peaks(state.time[0], (state.history[0, 1, o] - memory[LAST_SPEED]) / dt, train)
        if watch is not None:
            look(watch[0], (*watch[1], due(sampling, first + i + 1)))
        sample(sampling, state.loads, first + i + 1, count)
    return CONVERGED, steps


__all__ = ["ELEMENT", "PRESCRIBED", "TrainCoupling", "make_link_work", "run_train_steps"]
