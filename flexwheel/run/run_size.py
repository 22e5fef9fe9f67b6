"""What a run will take, before it begins: steps, disk, and memory where samples are kept there; refused if too much."""

from dataclasses import dataclass

from flexwheel.base.capacity import require_memory
from flexwheel.base.errors import ScenarioError
from flexwheel.base.output_files import require_space
from flexwheel.base.variables import PATCH, PATCH_FIELD, PATCH_MAX, named, vehicle_variables
from flexwheel.vehicle.vehicle_file import read_vehicle

MOST_STEPS = 2e9
"""A day and more of computing; beyond it a slip in step_s or duration_s is likelier."""
COPIES = 2.0
"""Memory of a run that is kept there over that of its records: results beside them."""
STORED = 2.0
"""Disk over a sample's bytes in the table: double precision while the run goes on, the compressed file at its end."""
USUAL_PATCHES = 2
"""Patches of a wheel that take space."""
USUAL_ELEMENTS = 6
"""Force elements over wheels, at most."""
SPACING_HZ = 25.0
"""Between the modes of a wheelset, at least: 41 below 2 kHz, 119 below 4.5 kHz (AS4)."""
MORE_MODES = 32
"""Constraint modes, and those that replace pairs, beyond those counted."""


@dataclass(frozen=True)
class RunSize:
    """Figures of a run."""

    steps: int
    samples: int
    memory: float  # [byte] where its samples are kept there; an upper estimate
    disk: float  # [byte] of all its modes (run.compare_modes) together; an upper estimate

    def line(self, step):
        """One line for the reader; step [s]."""
        return f"{self.steps} steps of {step:g} s, {self.samples} samples: up to {_size(self.disk)} on the disk"


def _modes(part):
    """Modes of a wheelset section at most, from its keys alone."""
    number = part.fixed_interface_modes
    return MORE_MODES + (int(part.modes_up_to_hz / SPACING_HZ) if number is None else number)


def run_size(scenario) -> RunSize:
    """RunSize of a scenario, from its keys and its vehicle alone."""
    run, vehicle = scenario.run, read_vehicle(scenario.vehicle.file)
    steps = run.duration / run.step_s
    if steps > MOST_STEPS:
        raise ScenarioError(
            f"run.step_s = {run.step_s:g}: a run must have at most {MOST_STEPS:.0e} steps, got {steps:.3g} to "
            f"t = {run.duration:g} s; take a longer step or a shorter run"
        )
    flexible = [part for part in scenario.wheelset.values() if part.formulation == "flexible"]
    bodies, wheels = len(vehicle.bodies) + len(vehicle.wheelsets), 2 * len(vehicle.wheelsets)
    modes = max(map(_modes, flexible), default=0)
    sizes = {"body": bodies, "wheel": wheels, "patch": USUAL_PATCHES, "flexible": len(flexible), "mode": modes}
    sizes["element"] = USUAL_ELEMENTS * wheels
    sizes["body_point"] = sum(len(part.attachments) + len(part.control_nodes) for part in scenario.body.values())
    known = vehicle_variables()
    wanted = {found for name in scenario.output.variables for found in named(name, known)}
    has = {""} | ({"flexible wheelset", PATCH_FIELD} if flexible else set())
    has |= {"flexible body"} if scenario.body else set()
    stored = [v for v in known if v.when in scenario.output.groups or (v.name in wanted if wanted else v.when in has)]
    sample = sum(v.size(sizes) for v in stored)
    row = 8 * (3 * (6 * bodies + modes * len(flexible)) + wheels * (PATCH_MAX * len(PATCH) + 40))
    samples = int(steps) // run.stride + 1
    runs = 1 + (len(run.compare_modes) if flexible else 0)
    return RunSize(int(steps), samples, COPIES * row * samples * runs, STORED * sample * samples * runs)


def require_fit(size: RunSize, scenario, folder=None):
    """Refuse a run whose samples do not fit onto the disk of a folder, or into memory, naming the key to change."""
    key = f"run.output_step_s = {scenario.run.output_step_s:g}"
    if folder is None:
        require_memory(size.memory, f"{key}: {size.samples} samples", "raise run.output_step_s or shorten the run")
    else:
        require_space(folder, size.disk, f"{size.samples} samples ({key})")


def _size(amount):
    return f"{amount / 1e9:.1f} GB" if amount >= 1e9 else f"{amount / 1e6:.1f} MB"
