"""What a run will take, before it begins: steps, memory, disk; refused where it does not fit."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

from flexwheel.capacity import require_memory
from flexwheel.dynamics.simulate_record import make_records
from flexwheel.errors import ScenarioError
from flexwheel.io.paths import require_space
from flexwheel.variables import PATCH_MAX
from flexwheel.vehicles.vehicle_file import read_vehicle

MOST_STEPS = 2e9
"""A day and more of computing; beyond it a slip in step_s or duration_s is likelier."""
COPIES = 2.0
"""Memory of a run over that of its records: results and stresses beside them. Measured: 1.5 with two control nodes."""
STORED = 0.5
"""Disk over memory of the records: single precision, compressed. Measured: 0.31."""
MORE_MODES = 32
"""Constraint modes, and those that replace pairs, beyond `fixed_interface_modes`."""


@dataclass(frozen=True)
class RunSize:
    """Figures of a run.

    steps, samples : int
    memory, disk : float [byte]     of all its modes (run.compare_modes) together; upper estimates
    """

    steps: int
    samples: int
    memory: float
    disk: float

    def line(self, step):
        """One line for the reader; step [s]."""
        return (
            f"{self.steps} steps of {step:g} s, {self.samples} samples: up to {_size(self.memory)} of memory, "
            f"{_size(self.disk)} on the disk"
        )


def run_size(scenario) -> RunSize:
    """RunSize of a scenario, from its keys and its vehicle alone."""
    run, vehicle = scenario.run, read_vehicle(scenario.vehicle.file)
    steps = run.duration / run.step_s
    if steps > MOST_STEPS:
        raise ScenarioError(
            f"run.step_s = {run.step_s:g}: {steps:.3g} steps to t = {run.duration:g} s; expected at most "
            f"{MOST_STEPS:.0e}, a longer step or a shorter run"
        )
    flexible = [part for part in scenario.wheelset.values() if part.formulation == "flexible"]
    coordinates = 6 * (len(vehicle.bodies) + len(vehicle.wheelsets))
    coordinates += sum(part.fixed_interface_modes + MORE_MODES for part in flexible)
    shape = SimpleNamespace(coordinate_count=coordinates, wheelset_specs=list(vehicle.wheelsets))
    sample = sum(array.nbytes for array in make_records(1, shape, PATCH_MAX))
    samples = int(steps) // run.stride
    runs = 1 + (len(run.compare_modes) if flexible else 0)
    return RunSize(int(steps), samples, COPIES * sample * samples * runs, STORED * sample * samples * runs)


def require_fit(size: RunSize, scenario, folder=None):
    """Refuse a run whose samples do not fit into memory, or onto the disk of a folder, naming the key to change."""
    key = f"run.output_step_s = {scenario.run.output_step_s:g}"
    require_memory(size.memory, f"{key}: {size.samples} samples", "raise run.output_step_s or shorten the run")
    if folder is not None:
        require_space(folder, size.disk, f"{size.samples} samples ({key})")


def _size(amount):
    return f"{amount / 1e9:.1f} GB" if amount >= 1e9 else f"{amount / 1e6:.1f} MB"
