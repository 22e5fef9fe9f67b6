"""A train written down once more: numpy and scipy, no kernel of flexwheel/train, every stop and start an event.

Shares with the package nothing but the data of vehicles, couplers, cylinders, route and driving. One state per vehicle
(no bars): speeds, and the deflections between them. Integrated by LSODA with a banded Jacobian at a tolerance far below
what is compared, from event to event: a vehicle comes to rest, or is pulled from it. The largest forces are those of
the dense output, every 0.2 ms where a sample comes close to the largest so far.
"""

from dataclasses import dataclass

import numpy as np
from scipy.integrate import LSODA

G = 9.81
TOLERANCE = 3e-9
LONGEST_STEP = 0.05  # [s]
SAMPLES = 4  # of the dense output in each step


@dataclass(frozen=True)
class Independent:
    """Trajectory at `time`, and the largest draft and buff forces (n - 1, 2) between them as well."""

    time: np.ndarray
    speed: np.ndarray
    peak_force: np.ndarray
    pressure: np.ndarray


def coupler_law(coupler, x, w):
    """Equation (7) of one kind of coupler, vectorised."""
    force = np.zeros_like(x)
    for side, free, sign in ((coupler.draft, coupler.draft_free, 1.0), (coupler.buff, coupler.buff_free, -1.0)):
        delta, rate = sign * x - free, sign * w
        beyond = np.maximum(delta - side.deflection[-1], 0.0) * side.solid_stiffness
        load = np.interp(delta, side.deflection, side.loading) + beyond
        unload = np.interp(delta, side.deflection, side.unloading) + beyond
        share = np.clip(rate / coupler.transition_speed, -1.0, 1.0)
        one = 0.5 * (load + unload) + 0.5 * (load - unload) * share + coupler.damping * rate
        force += np.where(delta > 0.0, sign * one, 0.0)
    return force


def pressure_history(cylinder, arrivals, targets, time):
    """Cylinder pressure [-] at `time` (T,) for targets that arrive at the instants `arrivals` (k,), by its two curves.

    Time on the curve is found from the pressure there is when a target arrives; straight lines between its points.
    """
    p, at = 0.0, -np.inf
    out = np.zeros(len(time))
    for k in range(len(arrivals)):
        until = arrivals[k + 1] if k + 1 < len(arrivals) else np.inf
        at, target = arrivals[k], targets[k]
        if target >= p:
            start = np.interp(p, cylinder.fill_pressure, cylinder.fill_time)

            def course(t, start=start, at=at, target=target):
                return np.minimum(target, np.interp(start + t - at, cylinder.fill_time, cylinder.fill_pressure))
        else:
            start = np.interp(-p, -cylinder.release_pressure, cylinder.release_time)

            def course(t, start=start, at=at, target=target):
                return np.maximum(target, np.interp(start + t - at, cylinder.release_time, cylinder.release_pressure))

        now = (time >= at) & (time < until)
        out[now] = course(time[now])
        if np.isfinite(until):
            p = float(course(np.array([until]))[0])
    return out


class Equations:
    """Right-hand side of one run: no bars, one kind of coupler and cylinder, notches and brake by time."""

    def __init__(self, run):
        train = run.train
        self.n = len(train.vehicles)
        self.mass = np.array([v.mass for v in train.vehicles])
        tonnes, axles = self.mass / 1e3, np.array([v.axles for v in train.vehicles])
        q, axle_load = np.array([v.q_ad for v in train.vehicles]), tonnes / axles
        self.r0 = tonnes * q * (2.943 + 89.2 / axle_load)  # 002 (6), V in km/h
        self.r1, self.r2 = tonnes * q * 0.0306 * 3.6, tonnes * q * 0.122 * 3.6**2 / (axle_load * axles)
        self.rc = tonnes * 6116.0
        self.brake = np.array([v.brake_force for v in train.vehicles])
        friction = train.vehicles[-1]
        self.friction = friction.brake_speed, friction.brake_friction
        self.engines = [i for i, v in enumerate(train.vehicles) if v.traction is not None]
        self.engine = train.vehicles[self.engines[0]].traction
        self.coupler = train.couplers[0]
        self.route, self.driving = run.route, run.driving
        length = np.array([v.length for v in train.vehicles])
        self.back = np.concatenate([[0.0], np.cumsum(0.5 * (length[1:] + length[:-1]))])
        away = self.back  # from the head, the only source of commands
        air, commands = train.air_brake, run.driving
        before = np.concatenate([[0.0], commands.brake[:-1]])
        rise = commands.brake > before
        self.grid = np.arange(0.0, run.duration + 1e-3, 1e-3)
        self.pressure = np.empty((self.n, len(self.grid)))
        for i in range(self.n):
            delay = np.where(rise, away[i] / air.apply_speed, away[i] / air.release_speed)
            cylinder = train.vehicles[i].cylinder
            self.pressure[i] = pressure_history(cylinder, commands.brake_at + delay, commands.brake, self.grid)

    def cylinders(self, t):
        """Pressures (n,): straight lines between milliseconds."""
        k = min(int(t * 1e3), self.pressure.shape[1] - 2)
        z = t * 1e3 - k
        return (1.0 - z) * self.pressure[:, k] + z * self.pressure[:, k + 1]

    def traction(self, t, v):
        """Closed form at a notch, straight lines between notches: (traction, dynamic brake)."""
        level = np.interp(t, self.driving.at, self.driving.level[0])
        e = self.engine
        effort, power = (e.effort, e.power) if level >= 0 else (e.brake_effort, e.brake_power)
        n = min(int(abs(level)), len(effort) - 2)
        two = [min(effort[k], power[k] / v) if v > 0 else effort[k] for k in (n, n + 1)]
        force = two[0] + (abs(level) - n) * (two[1] - two[0])
        if level >= 0:
            return force, 0.0
        return 0.0, force * min(1.0, v / e.brake_fade_speed)

    def split(self, y):
        """Speeds, deflections, position of the head."""
        return y[0:-1:2], y[1:-1:2], y[-1]

    def forces(self, t, y):
        """What drives each vehicle, and what opposes its motion or holds it; coupler forces."""
        v, x, s0 = self.split(y)
        s = s0 - self.back - np.concatenate([[0.0], np.cumsum(x)])
        gradient = np.interp(s, self.route.distance, self.route.gradient)
        curvature = np.interp(s, self.route.distance, np.abs(self.route.curvature))
        speed = np.abs(v)
        against = self.r0 + self.r1 * speed + self.r2 * speed**2 + self.rc * curvature
        against += self.brake * self.cylinders(t) * np.interp(speed, *self.friction)
        drive = -self.mass * G * gradient
        for i in self.engines:
            pull, retard = self.traction(t, speed[i])
            drive[i] += pull
            against[i] += retard
        coupler = coupler_law(self.coupler, x, v[:-1] - v[1:])
        drive[:-1] -= coupler
        drive[1:] += coupler
        return drive, against, coupler

    def rates(self, t, y, direction):
        """dy/dt with vehicles of direction 0 held."""
        v, _, _ = self.split(y)
        drive, against, _ = self.forces(t, y)
        out = np.empty_like(y)
        out[0:-1:2] = np.where(direction == 0.0, 0.0, (drive - direction * against) / self.mass)
        out[1:-1:2], out[-1] = v[:-1] - v[1:], v[0]
        return out


def integrate(run, tolerance=TOLERANCE):
    """Independent of a TrainRun whose couplers and cylinders are of one kind each, without bars."""
    eq = Equations(run)
    n = eq.n
    y = np.zeros(2 * n)
    y[0:-1:2] = run.speed
    y[-1] = run.start - 0.5 * run.train.vehicles[0].length
    direction = np.sign(y[0:-1:2])
    kinks = np.unique(np.concatenate([run.driving.at, run.driving.brake_at, [run.duration]]))
    time = np.arange(0.0, run.duration + 1e-9, run.driving.tick)
    speed, pressure = np.zeros((len(time), n)), np.array([eq.cylinders(t) for t in time])
    speed[0] = y[0:-1:2]
    peak = np.zeros((n - 1, 2))
    t = 0.0
    scale = np.ones(2 * n)
    scale[1:-1:2] = 0.05
    options = dict(max_step=LONGEST_STEP, rtol=1e-11, atol=tolerance * scale, lband=2, uband=2)
    while t < run.duration - 1e-12:
        direction = release(eq, t, y, direction)
        end = kinks[kinks > t + 1e-12][0]
        solver = LSODA(lambda t, y, d=direction: eq.rates(t, y, d), t, y, end, **options)
        while solver.status == "running":
            message = solver.step()
            if solver.status == "failed":
                raise ArithmeticError(f"LSODA at {solver.t}: {message}")
            dense, t0, t1 = solver.dense_output(), solver.t_old, solver.t
            at = first_event(eq, dense, t0, t1, direction)
            stop = t1 if at is None else at
            keep(eq, dense, t0, stop, peak)
            inside = (time > t0 + 1e-12) & (time <= stop + 1e-12)
            for k in np.flatnonzero(inside):
                speed[k] = dense(time[k])[0:-1:2]
            if at is not None:
                break
        t = stop
        y = dense(t).copy()
        stopped = (direction != 0.0) & (y[0:-1:2] * direction <= 1e-9)
        y[0:-1:2] = np.where(stopped | (direction == 0.0), 0.0, y[0:-1:2])
        direction = np.where(stopped, 0.0, direction)
    return Independent(time, speed, peak, pressure)


def release(eq, t, y, direction):
    """Directions after held vehicles that are pulled harder than held have come loose."""
    drive, against, _ = eq.forces(t, y)
    loose = (direction == 0.0) & (np.abs(drive) >= against)
    return np.where(loose, np.sign(drive), direction)


def event(eq, t, y, direction):
    """Positive until a moving vehicle stops or a held one comes loose: smallest of all."""
    v, _, _ = eq.split(y)
    drive, against, _ = eq.forces(t, y)
    moving = np.where(direction != 0.0, v * direction + 1e-10, np.inf)
    held = np.where(direction == 0.0, (against - np.abs(drive)) / eq.mass, np.inf)
    return min(moving.min(), held.min())


def first_event(eq, dense, t0, t1, direction):
    """Instant of the first event in a step, by bisection; None without."""
    if event(eq, t1, dense(t1), direction) > 0.0:
        return None
    lo, hi = t0, t1
    for _ in range(60):
        middle = 0.5 * (lo + hi)
        if event(eq, middle, dense(middle), direction) > 0.0:
            lo = middle
        else:
            hi = middle
        if hi - lo < 1e-9:
            break
    return hi


def keep(eq, dense, t0, t1, peak):
    """Largest coupler forces of a step, refined where a sample comes close to what there was."""
    times = np.linspace(t0, t1, SAMPLES + 1)[1:]
    samples = np.array([eq.forces(t, dense(t))[2] for t in times])
    near = np.any((samples.max(0) > peak[:, 0] - 500.0) | (samples.min(0) < peak[:, 1] + 500.0))
    if near and t1 - t0 > 2e-4 * SAMPLES:
        samples = np.array([eq.forces(t, dense(t))[2] for t in np.append(np.arange(t0, t1, 2e-4), t1)])
    peak[:, 0] = np.maximum(peak[:, 0], samples.max(0))
    peak[:, 1] = np.minimum(peak[:, 1], samples.min(0))
