"""Simplified model of a vehicle on a track: built, started, run."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.gravity import GRAVITY
from flexwheel.base.variables import WHEEL_QUANTITIES
from flexwheel.numerics.kernels import handle, kernel
from flexwheel.numerics.kernels.arrays_within import arrays_within
from flexwheel.systems.reduced.generated_vehicle import BODY_PLACES, WHEELSET_PLACES, generate
from flexwheel.systems.reduced.reduced_step import CLIMBED, LIFTED, NOT_FINITE, RUNNING, derivative, one_step
from flexwheel.systems.reduced.simplified_model import ContactZones, Kernels, ReducedVehicle, Scratch
from flexwheel.systems.reduced.track_input import TrackTable, make_track_table, track_inputs
from flexwheel.systems.symbolic.program import LANES

STABLE = 2.2  # of decay rate times step for Runge and Kutta's method (its limit is 2.78)
NO_TABLE = TrackTable(0.0, *(np.zeros((1, 0, n)) for n in (5, 5, 9)))
CHUNK = 2000  # steps between looks at the clock


@dataclass(frozen=True)
class ReducedModel:
    """A vehicle ready to run; `scratch` moves. `operations` counts the atoms of each generated kernel."""

    vehicle: ReducedVehicle
    zones: ContactZones
    kernels: Kernels
    scratch: Scratch
    compiled: tuple  # handles of both
    code: object
    operations: dict

    @property
    def size(self):
        """Length of the state."""
        return 2 * (5 * len(self.vehicle.bodies) + 2 * len(self.vehicle.wheelsets))


class ReducedRecords(NamedTuple):
    """Samples, T rows each; units: bodies, then wheelsets."""

    time: np.ndarray  # (T,) [s]
    coordinates: np.ndarray  # (T, U, 5) y, roll, yaw, z, pitch in the unit's track frame; pitch of wheelsets 0
    rates: np.ndarray  # (T, U, 5)
    accelerations: np.ndarray  # (T, U, 5)
    wheel: np.ndarray  # (T, W, 2, 7) WHEEL_QUANTITIES
    irregularity: np.ndarray  # (T, W, 4)


@dataclass(frozen=True)
class ReducedRun:
    """Outcome of a run; complete is False where the wheelset derailed or the numbers failed."""

    records: ReducedRecords
    complete: bool
    message: str
    steps: int
    state: np.ndarray


def build_model(
    vehicle, zones, layout, irregularity, speed, start=0.0, acceleration=0.0, gravity=GRAVITY
) -> ReducedModel:
    """Simplified model.

    Parameters
    ----------
    vehicle : ReducedVehicle
    zones : ContactZones
    layout : track.layout.Layout
    irregularity : track.irregularity.IrregularityTable    its long waves are used
    speed : float [m/s]           at time 0
    start : float [m]             arc length of the vehicle's reference at time 0
    acceleration : float [m/s2]   constant

    Raises
    ------
    ScenarioError      speed, masses or contact zones that make no sense
    """
    _check(vehicle, zones, speed, acceleration)
    bodies, wheelsets = vehicle.bodies, vehicle.wheelsets
    code = generate(vehicle.stiffness, vehicle.damping, vehicle.preload, len(wheelsets), len(bodies))
    w = code.wheelset_work.reshape(-1, LANES)
    for i, item in enumerate(wheelsets):
        values = (item.mass, item.inertia, item.spin_inertia, item.radius, zones.half_distance,
                  zones.tread_slope, zones.flange_depth, zones.flange_y, np.tan(zones.flange_angle))  # fmt: skip
        first = WHEELSET_PLACES["m"]
        w[first : first + len(values), i] = values
    b = code.body_work.reshape(-1, LANES)
    for i, item in enumerate(bodies):
        first = BODY_PLACES["m"]
        b[first : first + 5, i] = item.mass, *item.inertia, item.height
    units = len(bodies) + len(wheelsets)
    carried = vehicle.preload.reshape(units, 5)[len(bodies) :, 3]
    static = np.array([0.5 * (w.mass * gravity - f) for w, f in zip(wheelsets, carried, strict=True)])
    if np.any(static <= 0.0):
        raise ScenarioError(f"simplified model: static wheel loads must be positive, got {static.round(1)} N")
    kernels = Kernels(
        code.contact, code.balance, code.bodies, code.suspension, layout, irregularity, NO_TABLE,
        np.array([x.position for x in (*bodies, *wheelsets)], float),
        np.array([*(x.height for x in bodies), *(x.radius for x in wheelsets)], float), static,
        np.array([x.radius for x in wheelsets], float), float(zones.half_distance), float(zones.tread_slope),
        np.ascontiguousarray(zones.tread, float), *_stops(vehicle), zones.flange_clearance,
        float(np.sin(zones.flange_angle)), float(np.cos(zones.flange_angle)),
        zones.flange_stiffness, zones.flange_damping, zones.friction, np.array(zones.creep, float), zones.climb_shift,
        bool(zones.saturated), bool(zones.load_dependent), gravity, float(start), float(speed), float(acceleration),
        creep_rates(vehicle, zones), False,
    )  # fmt: skip
    n, count = 2 * (5 * len(bodies) + 2 * len(wheelsets)), len(wheelsets)
    z = np.zeros
    scratch = Scratch(
        code.wheelset_work, code.body_work, code.suspension_work, z((units, 11)), z((units, 5)), z((units, 5)),
        z((count, 12)), np.ones((count, 2, 4)),
        np.repeat(static[:, None], 2, axis=1), z((count, 2)), z((count, 2)), z((5, n)), z((8, 3)),
        z((2, 3, 3)),
    )  # fmt: skip
    table = make_track_table(handle(kernels), handle(scratch), start, max(layout.length, start + 1.0), units)
    kernels = kernels._replace(table=table)
    return ReducedModel(
        vehicle, zones, kernels, scratch, (handle(kernels), handle(scratch)), code, code.operations
    )  # fmt: skip


def creep_rates(vehicle, zones):
    """Speed times the decay rates of y' and yaw' by creep (W, 2) [m/s2]: what limits an explicit step."""
    f11, f22 = zones.creep[:2]
    return np.array([[2.0 * f22 / w.mass, 2.0 * f11 * zones.half_distance**2 / w.inertia] for w in vehicle.wheelsets])


def with_method(model, step, method="ros2"):
    """The model with its step method chosen: 'ros2', or 'rk4', which low speed makes unstable.

    Raises
    ------
    ScenarioError      rk4 asked for and unstable,
    """
    k = model.kernels
    worst = float(np.max(k.creep_rate)) / k.speed * step
    if method not in ("rk4", "ros2"):
        raise ScenarioError(f"simplified model: method must be 'ros2' or 'rk4', got {method!r}")
    if method == "rk4" and worst > STABLE:
        raise ScenarioError(
            f"simplified model: step of {step:g} s at {k.speed:.1f} m/s: the creep forces allow "
            f"{STABLE / worst * step:.2g} s with method 'rk4'; take 'ros2' or a shorter step"
        )
    kernels = k._replace(implicit=method == "ros2")
    return replace(model, kernels=kernels, compiled=(handle(kernels), model.compiled[1]))


def right_hand_side(model, x, time=0.0, settle=3):
    """Time derivative of a state (n,); evaluated `settle` times so that friction bounds see the present loads."""
    dx = np.zeros(model.size)
    track_inputs(*model.compiled, time)
    for _ in range(settle):
        derivative(*model.compiled, np.ascontiguousarray(x, float), dx)
    return dx


def run(model, duration, step=1e-3, stride=1, state=None, progress=None, method="ros2", checkpoint=None) -> ReducedRun:
    """Run for `duration` [s]; the first sample is the start, then every stride-th step.

    Parameters
    ----------
    state : (n,), optional      at the start; all zero where not given
    method : str       'ros2' or 'rk4', see `with_method`
    progress : callable, optional    (time, duration); KeyboardInterrupt ends the run cleanly
    checkpoint : Checkpoint, optional    of results.checkpoint; saved where CHUNK steps end, which a run must not move

    Raises
    ------
    ScenarioError      step or duration that make no sense
    """
    if not (np.isfinite(step) and 0.0 < step <= 0.02 and np.isfinite(duration) and duration >= step):
        raise ScenarioError(
            f"simplified model: step {step!r} s, duration {duration!r} s: expected 0 < step <= duration"
        )
    end_speed = model.kernels.speed + model.kernels.acceleration * duration
    if end_speed <= 0.1:
        raise ScenarioError(f"simplified model: the vehicle would stop within the run ({end_speed:.2f} m/s at its end)")
    model = with_method(model, step, method)
    total = int(round(duration / step))
    records = make_records(model, total // stride + 1)
    x = np.zeros(model.size) if state is None else np.array(state, float)
    model.scratch.lifted[:] = 0.0
    model.scratch.normal[:] = model.kernels.static_load[:, None]
    samples = handle(records)
    counts, status, message = np.zeros(2, dtype=np.int64), RUNNING, ""
    moving = arrays_within(x=x, counts=counts, scratch=model.scratch)
    saved = 0
    if checkpoint is not None and checkpoint.restore(moving, arrays_within(records=records)):
        saved = int(counts[0])

    def keep():
        checkpoint.save(moving, {name: a[: counts[1]] for name, a in arrays_within(records=records).items()})

    try:
        while counts[0] < total and status == RUNNING:
            steps = min(CHUNK, total - int(counts[0]))
            status = advance(*model.compiled, x, steps, step, stride, samples, counts)
            if progress is not None:
                progress(counts[0] * step, duration)
            if checkpoint is not None and counts[0] - saved >= checkpoint.steps(step):
                keep()
                saved = int(counts[0])
    except KeyboardInterrupt:
        message = f"interrupted at t = {counts[0] * step:.4f} s"
        if checkpoint is not None:
            checkpoint.interrupted = True
    if checkpoint is not None and status == RUNNING and (message or checkpoint.at_end):
        keep()
    if status != RUNNING:
        message = _reason(model, status, counts[0] * step)
    kept = ReducedRecords(*(a[: counts[1]] for a in records))
    return ReducedRun(kept, message == "", message, int(counts[0]), x)


def make_records(model, samples):
    """Arrays for `samples` samples."""
    units, w = len(model.vehicle.units), len(model.vehicle.wheelsets)
    z = np.zeros
    return ReducedRecords(
        z(samples), z((samples, units, 5)), z((samples, units, 5)), z((samples, units, 5)),
        z((samples, w, 2, len(WHEEL_QUANTITIES))), z((samples, w, 4)),
    )  # fmt: skip


@kernel
def advance(model, scratch, x, steps, step, stride, records, counts):
    """Take steps; every stride-th state and the very first are recorded. Returns the status.

    counts : (2,) int      steps taken and rows recorded so far
    """
    first = counts[0]
    track_inputs(model, scratch, first * step)
    derivative(model, scratch, x, scratch.stage[0])
    if first == 0:
        record(model, scratch, x, 0.0, records, 0)
        counts[1] = 1
    for i in range(first, first + steps):
        status = one_step(model, scratch, x, i * step, step)
        counts[0] = i + 1
        if status != RUNNING:
            return status
        if (i + 1) % stride == 0 and counts[1] < records.time.shape[0]:
            record(model, scratch, x, (i + 1) * step, records, counts[1])
            counts[1] += 1
    return RUNNING


_Z = WHEELSET_PLACES["z"] * LANES
_ACCELERATION = WHEELSET_PLACES["y''"] * LANES
_CREEP, _FLANGE = WHEELSET_PLACES["TxL"] * LANES, WHEELSET_PLACES["PxL"] * LANES
_SLOPE = WHEELSET_PLACES["slope_L"] * LANES


@kernel
def record(model, scratch, x, time, records, row):
    """Copy the state, its derivative and the forces that belong to it into one row."""
    dx, w = scratch.stage[0], scratch.wheelset
    wheelsets = scratch.rails.shape[0]
    bodies = model.position.shape[0] - wheelsets
    half = 5 * bodies + 2 * wheelsets
    records.time[row] = time
    for u in range(bodies):
        for k in range(5):
            records.coordinates[row, u, k] = x[5 * u + k]
            records.rates[row, u, k] = x[half + 5 * u + k]
            records.accelerations[row, u, k] = dx[half + 5 * u + k]
    for i in range(wheelsets):
        u, at = bodies + i, 5 * bodies + 2 * i
        for k in range(2):
            records.coordinates[row, u, 2 * k] = x[at + k]
            records.rates[row, u, 2 * k] = x[half + at + k]
            records.accelerations[row, u, 2 * k] = dx[half + at + k]
        for k in range(2):  # z and roll
            place = 3 - 2 * k
            records.coordinates[row, u, place] = w[_Z + k * LANES + i]
            records.rates[row, u, place] = w[_Z + (2 + k) * LANES + i]
            records.accelerations[row, u, place] = w[_ACCELERATION + (4 + k) * LANES + i]
        roll = w[_Z + LANES + i]
        for k in range(4):
            records.irregularity[row, i, k] = scratch.rails[i, k]
        for side in range(2):
            wheel_forces(scratch, i, side, roll, records.wheel[row, i, side])


@kernel
def wheel_forces(scratch, i, side, roll, out):
    """WHEEL_QUANTITIES of one wheel."""
    w = scratch.wheelset
    at = 3 * side * LANES + i
    toward = 1.0 - 2.0 * side
    slope = toward * w[_SLOPE + 3 * side * LANES + i]
    norm = 1.0 / np.sqrt(1.0 + slope * slope)
    load, ty = scratch.normal[i, side], w[_CREEP + LANES + at]
    across = ty * norm - load * slope * norm + w[_FLANGE + LANES + at]
    up = ty * slope * norm + load * norm + w[_FLANGE + 2 * LANES + at]
    out[0] = load
    out[1] = w[_CREEP + at]
    out[2] = ty
    out[3] = scratch.flange[i, side]
    out[4] = w[_FLANGE + at]
    out[5] = -toward * (across - roll * up)
    out[6] = up + roll * across


def _stops(vehicle):
    """Arrays of the lateral stops."""
    unit = np.array([[s.unit_a, s.unit_b] for s in vehicle.stops], dtype=np.int64).reshape(-1, 2)
    row = np.array([[s.row_a, s.row_b] for s in vehicle.stops], float).reshape(-1, 2, 5)
    first = np.concatenate(([0], np.cumsum([len(s.force) for s in vehicle.stops]))).astype(np.int64)
    tables = [np.stack([s.displacement, s.force], axis=1) for s in vehicle.stops]
    return unit, row, first, np.concatenate(tables) if tables else np.zeros((0, 2))


def _check(vehicle, zones, speed, acceleration):
    for item in (*vehicle.bodies, *vehicle.wheelsets):
        if not (np.isfinite(item.mass) and item.mass > 0.0):
            raise ScenarioError(f"simplified model: {item.name}: mass must be a positive number, got {item.mass!r} kg")
    if not vehicle.wheelsets:
        raise ScenarioError("simplified model: the vehicle has no wheelset")
    if not (np.isfinite(speed) and speed > 0.1 and np.isfinite(acceleration)):
        raise ScenarioError(
            f"simplified model: speed must be above 0.1 m/s, got {speed!r} m/s at {acceleration!r} m/s2"
        )
    if not 0.001 <= zones.tread_slope <= 0.6:
        raise ScenarioError(f"simplified model: slope of the tread must be 0.001 to 0.6, got {zones.tread_slope!r}")
    if (
        zones.tread.ndim != 2
        or zones.tread.shape[1] != 9
        or len(zones.tread) < 2
        or not np.all(np.isfinite(zones.tread))
    ):
        raise ScenarioError(f"simplified model: table of the tread {zones.tread.shape}: expected finite (n, 9)")
    for name in ("half_distance", "flange_clearance", "flange_stiffness", "friction", "climb_shift"):
        value = getattr(zones, name)
        if not (np.isfinite(value) and value > 0.0):
            raise ScenarioError(f"simplified model: {name} must be a positive number, got {value!r}")
    units = len(vehicle.bodies) + len(vehicle.wheelsets)
    if vehicle.stiffness.shape != (5 * units, 5 * units) or not np.all(np.isfinite(vehicle.stiffness)):
        raise ScenarioError(
            f"simplified model: stiffness {vehicle.stiffness.shape}: expected finite ({5 * units},) * 2"
        )


def _reason(model, status, time):
    names = [w.name for w in model.vehicle.wheelsets]
    if status == NOT_FINITE:
        return f"the numbers of the simplified model failed at t = {time:.4f} s; try a smaller step"
    if status == LIFTED:
        row = int(np.argmax(model.scratch.lifted.max(axis=1)))
        return f"derailed at t = {time:.4f} s: a tread of wheelset {names[row]} has been without load for 50 ms"
    if status == CLIMBED:
        row = int(np.argmax(model.scratch.flange.max(axis=1)))
        shift = 1e3 * model.zones.climb_shift
        return f"derailed at t = {time:.4f} s: wheelset {names[row]} is {shift:g} mm beyond its flange contact"
    return ""
