"""Up to which frequency the spectra of a run, or of a response, hold: every reason there is, put together."""

import numpy as np

from flexwheel.post.valid_band import (
    FORCES,
    NODES,
    Bound,
    basis_bounds,
    coordinates,
    lowest,
    mesh_bounds,
    sample_bound,
    step_bound,
)
from flexwheel.variables import LABELS

NO_BOUND = Bound(np.inf, "nothing known")


def run_bands(simulation, in_phase) -> dict:
    """Coordinates of `post.valid_band` for the results of a Simulation; in_phase: its wheelsets keep their frequencies.

    Those of the forces are among the labels of the run, those of its control nodes come with them.
    """
    scenario, run = simulation.scenario, simulation.scenario.run
    common = [sample_bound(run.output_step_s)]
    if run.integrator == "newmark" and not in_phase:
        common.append(step_bound(run.step_s))
    bodies = simulation.bodies
    names = [spec.name for spec in simulation.assembly.wheelset_specs]
    out = _force_bands(names, bodies, common, "force")
    rules = {name: _section_bound(scenario, name, body) for name, body in bodies.items()}
    modal = {name: scenario.wheelset[name].residual == "modal_only" for name in bodies}
    return out | _node_bands(bodies, modal, common, rules)


def response_bands(scenario, bodies, wheelsets) -> dict:
    """The same of a response, which knows neither samples nor steps."""
    modal = {name: scenario.wheelset[name].residual == "modal_only" for name in bodies}
    return _force_bands(wheelsets, bodies, [], "axis") | _node_bands(bodies, modal, [], {})


def _force_bands(wheelsets, bodies, common, direction):
    rows = []
    for name in wheelsets:
        own = [*basis_bounds(bodies[name]), *mesh_bounds(bodies[name])] if name in bodies else []
        rows += 2 * [[lowest([NO_BOUND, *common, *own])] * len(LABELS[direction])]
    return coordinates(FORCES, rows, ("wheel", direction))


def _node_bands(bodies, modal, common, rules):
    rows = []
    for name, body in bodies.items():
        both = [*common, *basis_bounds(body, not modal[name]), *mesh_bounds(body)]
        turning = [*both, *rules.get(name, ())]
        rows += len(body.control.name) * [[lowest(turning), lowest(both)]]
    return coordinates(NODES, rows, ("control_node", "point")) if rows else {}


def _section_bound(scenario, name, body):
    """Bounds by the sections of a mesh that turns under straight rows between them (between_sections = "linear")."""
    part = scenario.wheelset[name]
    if part.mode == "eulerian" or part.between_sections != "linear":
        return []
    passing = scenario.run.speed / (2.0 * np.pi * body.treads[0].radius) * len(body.treads[0].angle)
    return [Bound(0.5 * passing, f"half of the section passing at {passing:.0f} Hz (between_sections = linear)")]
