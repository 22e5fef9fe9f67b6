"""A vehicle of a scenario as a model that another program steps: inputs, outputs, steps, start anew.

Inputs: held_inputs.py. Parameters: vehicle_parameters.py; they take effect by building the vehicle anew. Outputs are
result variables (flexwheel/base/variables.py).
"""

import hashlib
from pathlib import Path

import numpy as np

import flexwheel
from flexwheel.base.coupled_system import coupled_section
from flexwheel.base.errors import ScenarioError
from flexwheel.base.variables import LABELS
from flexwheel.numerics.kernels.arrays_within import arrays_within
from flexwheel.results.recording import chosen_variables, recorded
from flexwheel.run.assumptions import assumed_values
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.build.vehicle_on_track import EXPLICIT
from flexwheel.run.keys.changed_vehicle import source_of_run
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.keys.toml_text import scenario_toml
from flexwheel.run.run_settings import loop_settings, run_labels
from flexwheel.studies.fmi.held_inputs import apply_inputs, held_inputs, inputs_at_start
from flexwheel.studies.fmi.held_steps import held_steps
from flexwheel.studies.fmi.model_description import UnitVariable
from flexwheel.studies.fmi.unit_bodies import bodies_of
from flexwheel.studies.fmi.vehicle_parameters import overrides as parameter_overrides
from flexwheel.studies.fmi.vehicle_parameters import vehicle_parameters
from flexwheel.vehicle.step.coupled_step import CONVERGED
from flexwheel.vehicle.step.simulate import failure_text

BEYOND = 1.0  # [m] beyond the end of the track of a unit: the way of a drive that comes back to its speed
DEFAULT_OUTPUTS = ("body_position", "body_angle", "body_velocity", "body_angular_velocity", "wheel_force")


class HeldVehicle:
    """Vehicle of a scenario file of kind vehicle, at rest on its track.

    bodies : dict                   name of a flexible wheelset -> ReducedBody
    variables : tuple of UnitVariable   time, inputs, parameters, outputs, by value reference
    step : float [s]                internal step
    """

    def __init__(self, path, overrides=()):
        """Build it; raises FlexwheelError, ScenarioError where the scenario has a train or the explicit step."""
        self._path, self._overrides = Path(path), list(overrides)
        self.scenario = read_scenario(path, overrides)
        system, _ = coupled_section(self.scenario)
        if system is not None:
            raise ScenarioError(f"{path} must have no [{system.name}] for a unit, which takes forces from outside")
        if self.scenario.run.integrator == EXPLICIT:
            raise ScenarioError(f"{path}: run.integrator must be 'newmark' or 'park' for a unit, got {EXPLICIT!r}")
        if self.scenario.output.groups:
            raise ScenarioError(f"{path}: output.also must be left out for a unit, which gives no force elements")
        self.step = self.scenario.run.step_s
        self.bodies = bodies_of(self.scenario, self._path)
        self._parameters = vehicle_parameters(self.scenario)
        self._start = np.array([p.variable.start for p in self._parameters])
        self._built = self._given = None
        self._build(self._start)
        assembly = self._simulation.assembly
        names = self.scenario.output.variables or DEFAULT_OUTPUTS
        self._chosen = [v for v in chosen_variables(assembly, None, names) if not {"patch", "derivative"} & set(v.dims)]
        inputs = held_inputs(self._simulation)
        parameters = [p.variable for p in self._parameters]
        self.inputs = len(inputs)
        self._first_output = 1 + len(inputs) + len(parameters)
        self._at_start = inputs_at_start(inputs)
        self._inputs = self._at_start.copy()
        head = UnitVariable("time", "independent", "s", "time"), *inputs, *parameters
        self.variables = (*head, *self._output_variables())

    def reset(self):
        """Back to rest at the start: inputs and parameters as at the export."""
        self._inputs[:] = self._at_start
        if self.taken or not np.array_equal(self._built, self._start):
            self._build(self._start)
        self._given = self._start.copy()

    def settle(self):
        """Let parameters that were set take effect; ScenarioError where they are refused."""
        if not np.array_equal(self._given, self._built):
            self._build(self._given)

    def set(self, references, values):
        """Give inputs and parameters new values."""
        for reference, value in zip(references, values, strict=True):
            parameter = int(reference) - 1 - self.inputs
            if parameter < 0:
                self._inputs[reference - 1] = value
            else:
                self._given[parameter] = value

    def get(self, references):
        """Values of inputs, parameters and outputs; 0 for the time, which the caller keeps."""
        if any(reference >= self._first_output for reference in references):
            self.settle()
            if self._outputs is None:
                arrays = recorded(self._sample(), self._simulation.assembly, self._chosen, every_slot=True)
                self._outputs = np.concatenate([arrays[v.name].reshape(-1) for v in self._chosen])
        outputs = np.zeros(0) if self._outputs is None else self._outputs
        inputs = np.where(np.isnan(self._inputs), self._simulation.state.drive_speed[0], self._inputs)
        return np.concatenate([[0.0], inputs, self._given, outputs])[references]

    def take(self, steps):
        """Take internal steps with the inputs as they are.

        Returns
        -------
        int, str        steps taken, and why not all: a wheel left the rail, the state is not finite, the track ends; ""
                        for all
        """
        self.settle()
        s = self._simulation
        ahead = front(s, steps * self.step)
        if ahead > self._track_end + BEYOND:
            return 0, (
                f"the track of the unit ends at s = {self._track_end:.1f} m, a step would end at {ahead:.1f} m: export "
                "it with a longer run.end_position_m or run.duration_s"
            )
        apply_inputs(s, self._inputs, steps * self.step)
        status, done, unconverged = self._take(steps)
        self.taken += done
        self._outputs = None
        if status == CONVERGED or done == steps:
            return done, ""
        return done, failure_text(status, s.model, s.assembly, s.state, s.work, self.taken, unconverged)

    def keep(self):
        """Bytes of the state: parameters, inputs and every array that moves."""
        self.settle()
        head = self._stamp, np.int64(self.taken), self._built, self._inputs
        return b"".join(item.tobytes() for item in (*head, *self._moving.values()))

    def restore(self, data):
        """Go back to a state of `keep`, of this unit in this or another process.

        Raises
        ------
        ScenarioError       bytes that this unit has not saved
        """
        stamp, start = self._stamp.nbytes, self._start
        before = stamp + 8
        after = before + start.nbytes
        if data[:stamp] != self._stamp.tobytes() or len(data) < after + self._inputs.nbytes:
            raise ScenarioError("a state must be one that this unit has saved, got another")
        self._given = np.frombuffer(data[before:after]).copy()
        self.settle()
        places = {"inputs": self._inputs, **self._moving}
        if len(data) != after + sum(array.nbytes for array in places.values()):
            raise ScenarioError("a state must be one that this unit has saved, got one of another size")
        for array in places.values():
            array[...] = np.frombuffer(data, array.dtype, array.size, after).reshape(array.shape)
            after += array.nbytes
        self.taken = int(np.frombuffer(data, np.int64, 1, stamp)[0])
        self._outputs = None

    def _build(self, values):
        """Vehicle at rest with these values of the parameters."""
        text = self._path.read_text(encoding="utf-8")
        changes = parameter_overrides(self._parameters, values)
        scenario = source_of_run(text, self._path, [*self._overrides, *changes]).scenario if changes else self.scenario
        self._simulation = s = build_simulation(scenario, self.bodies)
        settings = loop_settings(scenario)
        self._take, self._sample = held_steps(s.model, s.state, s.rail_state, s.contact_work, s.work, settings)
        moving = {"state": s.state, "rail_state": s.rail_state, "contact_work": s.contact_work, "work": s.work}
        self._moving = arrays_within(**moving)
        words = f"{flexwheel.__version__} {scenario_toml(self.scenario)}".encode()
        self._stamp = np.frombuffer(hashlib.blake2b(words, digest_size=16).digest(), np.uint8)
        self._built, self._given = np.array(values), np.array(values)
        self._outputs, self.taken = None, 0
        self._track_end = track_end(s)

    def assumed(self):
        """Lines on what is assumed of the vehicle, the track and the scenario."""
        return assumed_values(self.scenario, self._simulation.vehicle)

    def _output_variables(self):
        """Output of every entry of the variables chosen, in the order of the arrays."""
        labels = run_labels(self._simulation)
        wheels = [f"{name}.{side}" for name in labels["wheelset"] for side in ("left", "right")]
        values = recorded(self._sample(), self._simulation.assembly, self._chosen, every_slot=True)
        for variable in self._chosen:
            for place in np.ndindex(values[variable.name].shape[1:]):
                words = [variable.name]
                for dim, k in zip(variable.dims[1:], place, strict=True):
                    named = wheels if dim == "wheel" else labels.get(dim) or LABELS.get(dim)
                    words.append(str(named[k]) if named else str(k + 1))
                yield UnitVariable(".".join(words), "output", fmi_unit(variable.units), variable.meaning)


def track_end(simulation):
    """Arc length [m] to which the rails are as the scenario says: beyond the run they have no irregularity."""
    run, model = simulation.scenario.run, simulation.model
    rough = any(len(layer) for layer in (model.irregularity.long, model.irregularity.short, model.irregularity.local))
    return run.place_at(run.duration) if rough else float(model.layout.length)


def front(simulation, seconds):
    """Arc length [m] at which the leading wheelset will be in so many seconds, at the speed that it has."""
    model = simulation.model
    place, speed = simulation.state.history[0, :2, model.units.offset[model.wheelsets.unit]].T
    return float(np.max(place + seconds * speed))


def fmi_unit(units):
    """Unit of the table of variables, "m s-1", as the model description has it, "m/s"."""
    above = [word for word in units.split() if "-" not in word and word != "1"]
    below = [word.replace("-1", "").replace("-", "") for word in units.split() if "-" in word]
    return " ".join(above or ["-"]) + ("/" + " ".join(below) if below else "")
