"""A vehicle of a scenario as a model that another program steps: inputs, outputs, steps, start anew.

Inputs are a force and a moment on every body, in the axes of the track at its arc length, about the body's reference
point; they stand still over a communication step. Outputs are result variables (flexwheel/base/variables.py).
"""

import numpy as np

from flexwheel.base.coupled_system import coupled_section
from flexwheel.base.errors import ScenarioError
from flexwheel.base.variables import LABELS
from flexwheel.results.recording import chosen_variables, recorded
from flexwheel.run.assumptions import assumed_values
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.build.vehicle_on_track import EXPLICIT
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.reduced_bodies import flexible_wheelsets
from flexwheel.run.simulation import loop_settings, run_labels
from flexwheel.studies.fmi.held_steps import held_steps
from flexwheel.studies.fmi.model_description import UnitVariable
from flexwheel.vehicle.step.coupled_step import CONVERGED
from flexwheel.vehicle.step.simulate import failure_text

DEFAULT_OUTPUTS = ("body_position", "body_angle", "body_velocity", "body_angular_velocity", "wheel_force")
LARGEST = 1e9  # [N, N m] of an input


class HeldVehicle:
    """Vehicle of a scenario file of kind vehicle, at rest on its track.

    variables : tuple of UnitVariable   time, inputs, outputs, by value reference
    step : float [s]                internal step
    """

    def __init__(self, path, overrides=()):
        """Build it; raises FlexwheelError, ScenarioError where the scenario has a train or the explicit step."""
        self.scenario = read_scenario(path, overrides)
        system, _ = coupled_section(self.scenario)
        if system is not None:
            raise ScenarioError(f"{path} must have no [{system.name}] for a unit, which takes forces from outside")
        if self.scenario.run.integrator == EXPLICIT:
            raise ScenarioError(f"{path}: run.integrator must be 'newmark' or 'park' for a unit, got {EXPLICIT!r}")
        if self.scenario.output.groups:
            raise ScenarioError(f"{path}: output.also must be left out for a unit, which gives no force elements")
        self.step = self.scenario.run.step_s
        self._bodies = {name: item.body for name, item in flexible_wheelsets(self.scenario, lambda line: None).items()}
        self.reset()
        assembly = self._simulation.assembly
        names = self.scenario.output.variables or DEFAULT_OUTPUTS
        self._chosen = [v for v in chosen_variables(assembly, None, names) if not {"patch", "derivative"} & set(v.dims)]
        self._units = list(assembly.unit_names)
        inputs = [
            UnitVariable(
                f"{what}.{body}.{axis}", "input", unit, f"{meaning} {body}, track axes", 0.0, -LARGEST, LARGEST
            )
            for body in self._units
            for what, unit, meaning in (("force", "N", "force on"), ("moment", "N m", "moment on"))
            for axis in "xyz"
        ]
        self._inputs = np.zeros((len(self._units), 6))
        self.variables = (UnitVariable("time", "independent", "s", "time"), *inputs, *self._output_variables())
        self._first_output = 1 + len(inputs)

    def reset(self):
        """Back to rest at the start."""
        self._simulation = s = build_simulation(self.scenario, self._bodies)
        settings = loop_settings(self.scenario)
        self._take, self._sample = held_steps(s.model, s.state, s.rail_state, s.contact_work, s.work, settings)
        self._inputs = np.zeros((len(s.assembly.unit_names), 6))
        self._outputs, self.taken = None, 0

    def set(self, references, values):
        """Give inputs new values."""
        self._inputs.reshape(-1)[np.asarray(references) - 1] = values

    def get(self, references):
        """Values of inputs and outputs; 0 for the time, which the caller keeps."""
        if self._outputs is None:
            arrays = recorded(self._sample(), self._simulation.assembly, self._chosen, every_slot=True)
            values = [arrays[v.name].reshape(-1) for v in self._chosen]
            self._outputs = np.concatenate([np.zeros(1), np.zeros(self._inputs.size), *values])
        self._outputs[1 : self._first_output] = self._inputs.reshape(-1)
        return self._outputs[references]

    def take(self, steps):
        """Take internal steps with the inputs as they are.

        Returns
        -------
        int, str        steps taken, and why not all: a wheel left the rail, the state is not finite; "" for all
        """
        s = self._simulation
        rotation = s.work.track.rotation[: len(self._units)]
        external = s.work.external[: len(self._units)]
        external[:, :3] = np.einsum("uij,uj->ui", rotation, self._inputs[:, :3])
        external[:, 3:] = np.einsum("uij,uj->ui", rotation, self._inputs[:, 3:])
        status, done, unconverged = self._take(steps)
        self.taken += done
        self._outputs = None
        if status == CONVERGED or done == steps:
            return done, ""
        return done, failure_text(status, s.model, s.assembly, s.state, s.work, self.taken, unconverged)

    def assumed(self):
        """Lines on what is assumed of the vehicle, the track and the scenario."""
        return assumed_values(self.scenario, self._simulation.vehicle)

    def _output_variables(self):
        """Output of every entry of the variables chosen, in the order of the arrays."""
        labels = run_labels(self._simulation)
        wheels = [f"{name}.{side}" for name in labels["wheelset"] for side in ("left", "right")]
        for variable in self._chosen:
            values = recorded(self._sample(), self._simulation.assembly, [variable], every_slot=True)
            for place in np.ndindex(values[variable.name].shape[1:]):
                words = [variable.name]
                for dim, k in zip(variable.dims[1:], place, strict=True):
                    named = wheels if dim == "wheel" else labels.get(dim) or LABELS.get(dim)
                    words.append(str(named[k]) if named else str(k + 1))
                yield UnitVariable(".".join(words), "output", fmi_unit(variable.units), variable.meaning)


def fmi_unit(units):
    """Unit of the table of variables, "m s-1", as the model description has it, "m/s"."""
    above = [word for word in units.split() if "-" not in word and word != "1"]
    below = [word.replace("-1", "").replace("-", "") for word in units.split() if "-" in word]
    return " ".join(above or ["-"]) + ("/" + " ".join(below) if below else "")
