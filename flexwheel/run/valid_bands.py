"""Up to which frequency the spectra of a run, or of a response, hold: every reason there is, put together."""

import numpy as np

from flexwheel.base.variables import LABELS
from flexwheel.results.evaluate.histories import PATCHES
from flexwheel.results.evaluate.valid_band import (
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
from flexwheel.run.build.build_track import TOLD_DB, rail_error_of
from flexwheel.track.flexible_build import carries_inertia
from flexwheel.track.rail_error import BANDS, DIRECTIONS
from flexwheel.vehicle.patch_motion import valid_to_hz

NO_BOUND = Bound(np.inf, "nothing known")
ANSWERS = {"longitudinal": ("along",), "Y": ("lateral", "torsion"), "Q": ("vertical",)}
"""Directions of the rail's receptance that a wheel force depends on."""
LONGITUDINAL_HZ = 800.0
"""Lines of the longitudinal force on rough flexible rails differ between run and response by 3 dB (25 us) to 8 dB (100
us) from 860 Hz on, third octaves by 0.4 dB, for a reason not found (docs/spectra.md)."""
MOST_MOVE, MOVE_DB = 0.1, 0.5
"""Moves of a patch, rms, over the way in which its field changes, up to which a response takes it linear: a field that
falls with 1/way has of second order sqrt(2) times that beside the first, 0.1 dB as random moves do not correlate the
two. Where moves are larger, bands which they change by more than so many decibels do not hold."""


def run_bands(simulation, in_phase, stored) -> dict:
    """Coordinates of `valid_band` for the results of a Simulation.

    in_phase : bool     its wheelsets keep their frequencies whatever the step
    stored : names of the variables that the results hold
    """
    scenario, run, bodies = simulation.scenario, simulation.scenario.run, simulation.bodies
    common = [sample_bound(run.output_step_s)]
    if run.integrator == "newmark" and not in_phase:
        common.append(step_bound(run.step_s))
    names = [spec.name for spec in simulation.assembly.wheelset_specs]
    rails = _rail_bounds(simulation)
    patches = all(name in stored for name in PATCHES)
    turning = {name: _turning_bounds(scenario, name, body, patches) for name, body in bodies.items()}
    forces = {name: [*common, *rails[name]] for name in LABELS["force"]}
    across = [*rails["Y"], *rails["Q"], *common]
    return _force_bands(names, bodies, forces, "force") | _node_bands(scenario, bodies, across, turning)


def response_bands(scenario, bodies, wheelsets, moved) -> dict:
    """The same of a response, which knows neither samples nor steps nor elements of the rail.

    moved : dict     of each flexible wheelset and node the highest frequency [Hz] (C, 2) to which moves of the patches
                     may be taken linear, turning and fixed; inf where they may be throughout
    """
    turning, fixed = {}, {}
    words = f"the contact patch moves by more than {MOST_MOVE:g} of the way in which its field changes: not linear"
    for name, body in bodies.items():
        own = _turning_bounds(scenario, name, body)
        turning[name], fixed[name] = ([[Bound(float(hz), words)] for hz in at] for at in np.transpose(moved[name]))
        turning[name] = [[*b, *m] for b, m in zip(own, turning[name], strict=True)]
    forces = {axis: [] for axis in LABELS["axis"]}
    if scenario.track.model == "flexible":
        forces["x"] = [_longitudinal_bound()]
    return _force_bands(wheelsets, bodies, forces, "axis") | _node_bands(scenario, bodies, [], turning, fixed)


def _force_bands(wheelsets, bodies, forces, direction):
    """Of every wheel and force; forces: bounds by the force's name, beside those of the wheelset."""
    rows = []
    for name in wheelsets:
        own = [*basis_bounds(bodies[name]), *mesh_bounds(bodies[name])] if name in bodies else []
        rows += 2 * [[lowest([NO_BOUND, *own, *bounds]) for bounds in forces.values()]]
    return coordinates(FORCES, rows, ("wheel", direction))


def _node_bands(scenario, bodies, common, turning, fixed=None):
    """Of every control node, turning and fixed; turning, fixed: bounds by wheelset and node, of that point alone."""
    rows = []
    for name, body in bodies.items():
        residual = scenario.wheelset[name].residual != "modal_only"
        both = [*common, *basis_bounds(body, residual), *mesh_bounds(body)]
        still = fixed[name] if fixed else [[] for _ in turning[name]]
        rows += [[lowest([*both, *own]), lowest([*both, *at])] for own, at in zip(turning[name], still, strict=True)]
    return coordinates(NODES, rows, ("control_node", "point")) if rows else {}


def _rail_bounds(simulation):
    """Bounds of each force by the rails' elements under the step: the first third octave that is told."""
    track, rails = simulation.scenario.track, {name: [] for name in ANSWERS}
    if track.model != "flexible":
        return rails
    coefficients = simulation.model.coefficients
    third = np.abs(rail_error_of(track, coefficients, carries_inertia(simulation.model.rail)).third).max(axis=1)
    for name, directions in ANSWERS.items():
        for k in map(list(DIRECTIONS).index, directions):
            bad = np.flatnonzero(third[k] > TOLD_DB)
            if len(bad):
                words = f"elements of the rail: receptance ({list(DIRECTIONS)[k]}) {third[k, bad[0]]:.1f} dB off there"
                rails[name].append(Bound(float(BANDS[bad[0]] * 10.0**-0.05), words))
    rails["longitudinal"].append(_longitudinal_bound())
    return rails


def _longitudinal_bound():
    return Bound(LONGITUDINAL_HZ, "lines above differ between run and response (docs/spectra.md)")


def _turning_bounds(scenario, name, body, patches=True):
    """Bounds of each control node that turns: by the rolling load, and by straight rows between sections that turn."""
    part, speed = scenario.wheelset[name], scenario.run.speed
    smooth = scenario.irregularity.roughness == "none"
    curve = any(segment.kind != "straight" for segment in scenario.track.layout)
    nodes = range(len(body.control.name))
    out = [[Bound(*valid_to_hz(body, node, speed, patches, curve, smooth))] for node in nodes]
    if (part.mode != "eulerian" or body.whole_sectors) and part.between_sections == "linear":
        passing = speed / (2.0 * np.pi * body.treads[0].radius) * len(body.treads[0].angle)
        half = Bound(0.5 * passing, f"half of the section passing at {passing:.0f} Hz (between_sections = linear)")
        out = [[*bounds, half] for bounds in out]
    return out
