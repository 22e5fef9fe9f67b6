"""The real-time locomotive as an object: step, set inputs, read outputs, save and restore state, linearise.

Hardware in the loop starts from `paced_runner`; a Kalman filter or parameter study from this class."""

import numpy as np

from flexwheel.base.errors import ContactError, ConvergenceError, FlexwheelError, ScenarioError
from flexwheel.numerics.kernels import handle
from flexwheel.numerics.kernels.arrays_within import arrays_digest, arrays_within
from flexwheel.systems.locomotive import locomotive_step as step_kernels
from flexwheel.systems.locomotive.dense_solution import AUGMENTED, PARTITIONED, SPARSE
from flexwheel.systems.locomotive.driver_tables import make_places, make_solution, make_tables, make_work
from flexwheel.systems.locomotive.generated_locomotive import generate_step
from flexwheel.systems.locomotive.hertz_kalker import shear_modulus
from flexwheel.systems.locomotive.locomotive_parameters import checked_parameters
from flexwheel.systems.locomotive.locomotive_step import KERNEL_ORDER, Core, Law
from flexwheel.systems.locomotive.run_steps import run_steps

WHEELS = 8
BUILT_IN = ("contact.E", "contact.nu", "geometry.rail_reference_spacing")  # parameters that make the tables
CHUNK = 20_000  # steps between looks at the keyboard
METHODS = {"imex": step_kernels.IMEX, "explicit": step_kernels.EXPLICIT, "trapezoidal": step_kernels.TRAPEZOIDAL}
SOLUTIONS = {"sparse": SPARSE, "partitioned": PARTITIONED, "augmented": AUGMENTED}


class RealtimeLocomotive:
    """A locomotive on a track, ready to step.

    Parameters
    ----------
    values : dict                 parameters, as flexwheel/vehicle/files/feve3000.toml
    profiles : Profiles
    rails : RailCurves
    law : ContactLaw
    time_step : float [s]
    motored : (bool, bool)        front and rear bogie
    generated : GeneratedStep     default: made or taken from the cache

    time : float [s]
    coordinates, inputs : tuple of str     names, in the order of q and of the torques
    """

    def __init__(self, values, profiles, rails, law, time_step=1e-3, motored=(False, True), generated=None):
        if not (np.isfinite(time_step) and time_step > 0.0):
            raise ScenarioError(f"time step must be a positive number, got {time_step!r} s")
        if law.method not in METHODS:
            raise ScenarioError(f"method must be one of {', '.join(METHODS)}, got {law.method!r}")
        if law.solution not in SOLUTIONS:
            raise ScenarioError(f"solution must be one of {', '.join(SOLUTIONS)}, got {law.solution!r}")
        if not law.friction >= 0.0:
            raise ScenarioError(f"friction must be zero or a positive number, got {law.friction!r}")
        values = checked_parameters(values)
        self.generated = g = generated if generated is not None else generate_step(values, motored)
        self.values = dict(values)
        self.law = law
        self.time = 0.0
        self.coordinates, self.inputs, self.wheelsets = g.coordinates, g.torques, g.wheelsets
        kernels = np.array([g.code.addresses[name] for name in KERNEL_ORDER], np.int64)
        self._work = make_work(g)
        self._places = make_places(g)
        self._status, self._counts = np.zeros(2, np.int64), np.zeros(8, np.int64)
        self._backup = np.zeros(g.blocks["torques"].offset)
        self._law = Law(
            1.5 * (1.0 - law.poisson**2) / law.young,
            shear_modulus(law.young, law.poisson, law.shear_modulus),
            float(law.friction),
            METHODS[law.method],
            float(law.tolerance),
            float(law.flange_stiffness),
            float(law.flange_damping),
            float(law.flange_clearance),
        )
        self._profiles, self._rails = profiles, rails
        self._tables = make_tables(g, profiles, rails, law.poisson)
        solution = self._solution = make_solution(g, SOLUTIONS[law.solution])
        core = Core(self._work, kernels, self._places, self._tables, self._law, self._status, self._counts)
        self._core = handle(core)
        self._dense = None if solution is None else handle(solution)
        trapezoidal = law.method == "trapezoidal"
        self._start = np.zeros(4 * len(g.coordinates) + 64) if trapezoidal else None
        self._nothing, self._no_places = np.empty((0, 3)), np.empty(0, np.int64)
        self.set_parameters(values)
        self._block("time_step")[0] = time_step

    # --- state, inputs, outputs

    @property
    def time_step(self):
        """Time step [s]."""
        return float(self._block("time_step")[0])

    @property
    def q(self):
        """(n,) coordinates; a view."""
        return self._block("q")

    @property
    def qd(self):
        """(n,) velocities; a view."""
        return self._block("qd")

    @property
    def torques(self):
        """(k,) inputs [N m]; a view, in the order of `inputs`."""
        return self._block("torques")

    @property
    def normal_forces(self):
        """(8,) wheel-rail normal forces [N], front to rear, left before right."""
        return self._block("normal_force").copy()

    @property
    def surface(self):
        """(4, 8) surface coordinates: wheel angle from the lowest point, u_wheel, s_rail, u_rail."""
        return self._block("surface").reshape(4, WHEELS).copy()

    def index(self, name):
        """Index of a coordinate.

        Raises
        ------
        FlexwheelError      when there is none of that name
        """
        if name not in self.coordinates:
            raise FlexwheelError(f"coordinate must be one of {', '.join(self.coordinates)}, got {name!r}")
        return self.coordinates.index(name)

    def set_parameters(self, values):
        """Give parameters new values; state and time stay.

        Raises
        ------
        ScenarioError      a parameter missing or impossible, or a new value for one of BUILT_IN
        """
        values = checked_parameters(values)
        missing = [n for n in (*self.generated.parameters, *BUILT_IN) if n not in values]
        if missing:
            raise ScenarioError(f"locomotive: parameter {missing[0]!r} must be given in the vehicle file")
        for name in BUILT_IN:
            if values[name] != self.values[name]:
                raise ScenarioError(
                    f"locomotive: parameter {name!r} must stay {self.values[name]!r}, which the tables of contact and "
                    f"rails hold, got {values[name]!r}; make a new locomotive"
                )
        self.values = values
        half = 0.5 * values["geometry.wheel_reference_spacing"]
        self._block("fixed").reshape(2, WHEELS)[:] = np.stack(
            [np.where(np.arange(WHEELS) % 2, -half, half), np.full(WHEELS, values["gravity"])]
        )
        self._block("parameters")[:] = [values[n] for n in self.generated.parameters]
        self.generated.code.call("set_parameters", self._work)

    def set_input(self, name, value):
        """Set a torque [N m]: `motor.<wheelset>` drives forward, `brake.<wheelset>` holds back."""
        if name not in self.inputs:
            raise FlexwheelError(f"input must be one of {', '.join(self.inputs)}, got {name!r}")
        if not np.isfinite(value):
            raise FlexwheelError(f"input {name!r} must be a finite number, got {value!r}")
        self._block("torques")[self.inputs.index(name)] = value

    def set_motor_torque(self, value):
        """The same torque on every motor [N m]."""
        self._set_all("motor.", value)

    def set_brake_torque(self, value):
        """The same torque on every wheelset [N m], against forward rolling."""
        self._set_all("brake.", value)

    def _set_all(self, kind, value):
        for name in self.inputs:
            if name.startswith(kind):
                self.set_input(name, value)

    def outputs(self):
        """What a HiL rig reads: time, position and speed of the body, normal and creep forces of the eight wheels."""
        creep = self._block("creep").reshape(4, WHEELS)
        c11, c22, c23, c33 = self._block("creep_coefficient").reshape(4, WHEELS) / self.creep_scale
        vx, vy, spin, speed = creep
        return {
            "time": self.time,
            "position": self.q[:6].copy(),
            "velocity": self.qd[:6].copy(),
            "normal_force": self.normal_forces,
            "longitudinal_force": -c11 * vx,
            "lateral_force": -c22 * vy - c23 * spin,
            "stop_force": self._block("stop_force").copy(),
            "spin_moment": c23 * vy - c33 * spin,
            "creepage": np.stack([vx, vy, spin]) / np.maximum(speed, 1e-3),  # 000 (25)-(27)
        }

    def save_state(self):
        """State as an array: time, then q, q', surface coordinates and their rates, normal forces."""
        return np.concatenate([[self.time], self._work[: self._backup.size]])

    def restore_state(self, state):
        """Go back to a saved state.

        Raises
        ------
        FlexwheelError    when the array has another length
        """
        state = np.asarray(state, float)
        if state.shape != (self._backup.size + 1,):
            raise FlexwheelError(f"state of shape {state.shape}, expected ({self._backup.size + 1},)")
        self.time = float(state[0])
        self._work[: self._backup.size] = state[1:]

    def compact_state(self):
        """(2 n + 8,) q, q' and normal forces: what determines the motion."""
        return np.concatenate([self.q, self.qd, self._block("normal_force")])

    def set_compact_state(self, state):
        """Set q, q' and normal forces, then solve the constraints for the rest."""
        n = len(self.coordinates)
        self.q[:], self.qd[:], self._block("normal_force")[:] = state[:n], state[n : 2 * n], state[2 * n :]
        self.project()

    def project(self):
        """Solve the constraints of position and velocity at the present coordinates.

        Raises
        ------
        ContactError, ConvergenceError
        """
        self._status[:] = (step_kernels.GOOD, -1)
        step_kernels.project(self._core, self._dense)
        self._raise(self._status)

    # --- motion

    def place(self, x, y, speed, body_height):
        """Put the locomotive on the rails at x, with all bodies in line and rolling; constraints are then solved.

        Raises
        ------
        ContactError      when a wheel finds no contact on its profile
        """
        work = self._work
        work[: self._backup.size] = 0.0
        self.time = 0.0
        q, qd = self.q, self.qd
        v = self.values
        height = float(np.mean([self._rails.evaluate(rail, np.array([x]))[2, 0] for rail in (0, 1)]))
        radius = float(self._profiles.wheel_left(np.zeros(1))[0])
        axle = radius + float(self._profiles.rail_left(np.zeros(1))[0]) + height
        q[self.index("x")], q[self.index("z")] = x, body_height + height
        qd[self.index("x")] = speed
        for bogie in ("front", "rear"):
            sign = 1.0 if bogie == "front" else -1.0
            q[self.index(f"{bogie}.frame_z")] = axle - v["motor_bushing.z_on_bogie"] - q[self.index("z")]
            for number, along in ((1, 1.0), (2, -1.0)):
                name = f"{bogie}.{number}"
                q[self.index(f"{name}.z")] = v["motor_bushing.z_on_bogie"]
                qd[self.index(f"{name}.spin")] = speed / radius
                if f"{name}.rotor" in self.coordinates:
                    ratio = v["gear.teeth_wheel"] / v["gear.teeth_rotor"]
                    qd[self.index(f"{name}.rotor")] = -ratio * speed / radius
                w = self.wheelsets.index(name)
                place = x + sign * 0.5 * v["geometry.bogie_pivot_distance"] + along * v["geometry.semi_wheelbase"]
                surface = self._block("surface").reshape(4, WHEELS)
                surface[2, 2 * w : 2 * w + 2] = place
        weight = sum(v[f"{kind}.mass"] * count for kind, count in _COUNTS.items()) * v["gravity"]
        self._block("normal_force")[:] = weight / WHEELS
        for share in np.linspace(0.0, 1.0, 2 + int(abs(y) / 2.5e-4)):  # along the tread, never over to the flange
            q[self.index("y")] = share * y
            self.project()

    def step(self, count=1):
        """Advance `count` steps.

        Raises
        ------
        ContactError, ConvergenceError     naming wheel and time; the last good state is kept
        """
        done = run_steps(self._core, self._dense, self._start, count, self._backup, self._nothing, 0, self._no_places)
        self.time += done * self.time_step
        if self._status[0] != step_kernels.GOOD:
            self._raise(self._status)

    def run(self, count, every=0, places=(), checkpoint=None):
        """Advance `count` steps and record values of the work array.

        Parameters
        ----------
        count : int
        every : int                record every so many steps; 0: nothing
        places : list of int       as `record_places` gives
        checkpoint : Checkpoint, optional      of results.checkpoint: where it goes on from, and what it leaves

        Returns
        -------
        (rows, len(places) + 3) float     last three: iterations of tangent and normal constraints, contacts sought anew

        Raises
        ------
        ContactError, ConvergenceError     naming wheel and time; the last good state is kept
        """
        places = np.asarray(places, np.int64)
        count, every = int(count), int(every)
        record = np.empty((count // every if every else 0, places.size + 3))
        chunk = CHUNK if checkpoint is None else min(CHUNK, checkpoint.steps(self.time_step))
        chunk = max(chunk // every, 1) * every if every else chunk
        begun, self._counts[4:] = self.time, 0
        kept = count if checkpoint is None else checkpoint.steps(chunk * self.time_step) * chunk
        if checkpoint is not None:
            checkpoint.restore(self.moving(), {"record": record})
        try:
            while (first := int(self._counts[4])) < count:
                rows = record[first // every :] if every else record
                steps = min(chunk, count - first)
                run_steps(self._core, self._dense, self._start, steps, self._backup, rows, every, places)
                if self._status[0] != step_kernels.GOOD:
                    break
                if (first + steps) % kept == 0 and first + steps < count:
                    self._keep(checkpoint, record, every)
        except KeyboardInterrupt:
            if checkpoint is not None:
                checkpoint.interrupted = True
                self._keep(checkpoint, record, every)
            raise
        finally:  # Ctrl-C between two chunks as well
            done = int(self._counts[4])
            self.time = begun + done * self.time_step
            self.recorded = record[: done // every] if every else record
        self._raise(self._status)
        return self.recorded

    def moving(self):
        """Arrays that move from step to step, name -> array; see `arrays_within`."""
        return arrays_within(
            work=self._work, status=self._status, counts=self._counts, backup=self._backup, start=self._start,
            dense=self._solution,
        )  # fmt: skip

    def digest(self):
        """Digest of tables and present state: what the steps to come follow from."""
        return arrays_digest(tables=self._tables, **self.moving())

    def _keep(self, checkpoint, record, every):
        rows = int(self._counts[4]) // every if every else 0
        checkpoint.save(self.moving(), {"record": record[:rows]})

    @property
    def run_counts(self):
        """Of the last `run`: steps completed, steps with a projection above its tolerance, most iterations.

        Keys: steps, not_converged, tangent_iterations, normal_iterations.
        """
        names = ("steps", "not_converged", "tangent_iterations", "normal_iterations")
        return dict(zip(names, (int(n) for n in self._counts[4:]), strict=True))

    def record_places(self, block, entries=None):
        """Places of a block's entries in the work array, lane blocks entry by entry."""
        b = self.generated.blocks[block]
        every = range(b.count * b.width) if entries is None else entries
        return [b.offset + k for k in every]

    def values_at(self, places):
        """(len(places) + 3,) float: a row as `run` records it of the present state, its counts zero."""
        return np.append(self._work[np.asarray(places, np.int64)], np.zeros(3))

    def wheel_name(self, wheel):
        """Name of a wheel, 0 to 7."""
        return f"{self.wheelsets[wheel // 2]} {'right' if wheel % 2 else 'left'}"

    def _raise(self, status):
        code, wheel = int(status[0]), int(status[1])
        if code == step_kernels.GOOD:
            return
        where = f"wheel {self.wheel_name(wheel)} at t = {self.time:.4f} s" if wheel >= 0 else f"t = {self.time:.4f} s"
        force, step = self._block("new_normal_force")[wheel], f"(time step {self.time_step:g} s)"
        kind, what = {
            step_kernels.LEFT_PROFILE: (ContactError, "the contact point left the profile"),
            step_kernels.LIFTED: (ContactError, f"normal force must be above 0, got {force:.0f} N"),
            step_kernels.SINGULAR: (ConvergenceError, "the constraints are singular"),
            step_kernels.LEFT_TRACK: (ContactError, "beyond the end of the track"),
            step_kernels.NOT_FINITE: (ConvergenceError, f"the solution is not finite {step}"),
        }.get(code, (ConvergenceError, f"contact constraints did not converge {step}"))
        raise kind(f"{where}: {what}; last good state kept")

    @property
    def creep_scale(self):
        """Factor of the creep coefficients in the work array: the step they are implicit over, or 1."""
        return {"imex": 1.0, "trapezoidal": 0.5}.get(self.law.method, 1.0 / self.time_step) * self.time_step

    def _block(self, name):
        b = self.generated.blocks[name]
        return self._work[b.offset : b.offset + b.count * b.width]


_COUNTS = {
    "vehicle_body": 1, "slider": 2, "bogie_frame": 2, "wheelset": 4, "axle_box": 8, "motor_housing": 2, "rotor": 2,
}  # fmt: skip
