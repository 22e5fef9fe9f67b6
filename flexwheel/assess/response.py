"""The response of a scenario's vehicle in the frequency domain: linear system made, solved, spectra taken."""

from dataclasses import dataclass
from numbers import Real

import numpy as np

from flexwheel.assess.linear import inputs
from flexwheel.assess.linear.bands import band_rms, line_rms
from flexwheel.assess.linear.body_points import body_point_spectra
from flexwheel.assess.linear.fixed_receptance import decay_rate, fixed_receptance
from flexwheel.assess.linear.lines import passing_lines
from flexwheel.assess.linear.move_limits import node_spectra, relative_move, rms_moves
from flexwheel.assess.linear.near_waves import standing_patches
from flexwheel.assess.linear.node_motion import SPLIT, node_waves
from flexwheel.assess.linear.on_rails import WheelPlaces
from flexwheel.assess.linear.rail_tables import rail_table
from flexwheel.assess.linear.receptances import vehicle_receptances
from flexwheel.assess.linear.response_solution import (
    amplitudes_at_output,
    node_inputs,
    running_system,
    wheel_inputs,
    wheel_loads,
)
from flexwheel.assess.linear_analysis import of_the_start, straight_scenario
from flexwheel.assess.linearise import linearise
from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.spectra import band_edges, third_octave_centres
from flexwheel.results.response_dataset import response_dataset
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.build.build_track import build_supports
from flexwheel.run.keys.toml_text import scenario_toml
from flexwheel.run.reduced_bodies import flexible_wheelsets
from flexwheel.run.valid_bands import response_bands
from flexwheel.track.excitation import sampled_heights
from flexwheel.track.irregularity import file_record
from flexwheel.track.psd import erri_b176, fra
from flexwheel.track.roughness import PATCH_HALF_LENGTH, roughness_table, roughness_variance
from flexwheel.vehicle.step.balance import on_rail_heads

MOST_UNKNOWNS = 6000  # of the lines of the steady load, solved together
STEADY_PASSES = 2
"""Of steady running: rails first as they stand under wheels at rest, then under those that roll."""


SETTINGS_BOUNDS = (
    ("highest_hz", 20.0, 5000.0),
    ("step_hz", 0.05, 20.0),
    ("modes_up_to_hz", 0.0, 20000.0),
    ("harmonics", 0, 6),
)


@dataclass(frozen=True)
class ResponseSettings:
    """How a response is taken."""

    highest_hz: float = 1250.0  # third octaves up to that of this frequency
    step_hz: float = 1.5  # largest step of the frequencies
    modes_up_to_hz: float = 4000.0  # every flexible mode below it is in the basis
    harmonics: int = 2  # of the sleeper passing, to either side, that rails and vehicle exchange
    friction_dampers: str = "sticking"  # sticking or sliding
    patch_half_length_m: float = PATCH_HALF_LENGTH  # [m] of the contact filter of roughness
    spectrum_file: str = ""  # constants of the long waves' spectrum in place of the shipped ones

    def check(self, dashes=""):
        """Raise ScenarioError where a number is out of its bounds; dashes: before its name where it is an option."""
        for name, low, high in SETTINGS_BOUNDS:
            value, said = getattr(self, name), dashes + (name.replace("_", "-") if dashes else name)
            if not (isinstance(value, Real) and low <= value <= high):
                came = f"{value:g}" if isinstance(value, Real) else repr(value)
                raise ScenarioError(f"{said} must be a number from {low:g} to {high:g}, got {came}")


def response_scenario(scenario, settings):
    """The scenario with flexible wheelsets that hold every mode up to settings.modes_up_to_hz, on straight track."""
    parts = {}
    for name, part in scenario.wheelset.items():
        if part.formulation == "flexible":
            basis = {
                "mode": "eulerian",
                "modes_up_to_hz": settings.modes_up_to_hz,
                "fixed_interface_modes": None,
            }
            part = part.model_copy(update=basis)
        parts[name] = part
    return straight_scenario(scenario.model_copy(update={"wheelset": parts}), scenario.run.speed)


def vehicle_on_rails(scenario, bodies, settings, report=lambda line: None, rails=None):
    """RunningSystem of a `response_scenario`, its Simulation, and the receptances of the steady load (M, 4 W2, 4 W2).

    rails: what `rail_table` gave for the same track, speed, places and settings, where it is at hand.

    Raises
    ------
    ScenarioError       a rail model or a mesh of which no exact receptance is known; wheels that are not round
    """
    speed, track = scenario.run.speed, scenario.track
    if scenario.roundness:
        raise ScenarioError("roundness: a response knows round wheels only; take the section out, or make a run")
    for name, body in bodies.items():
        if np.any(np.asarray(body.order) < 0):
            raise ScenarioError(
                f"wheelset.{name}.mesh must be of revolution for a response ({body.not_of_revolution}): its equations "
                "change as it turns"
            )
    simulation = build_simulation(scenario, bodies, report)
    positions = np.array([w.position for w in simulation.assembly.wheelset_specs])
    places = WheelPlaces(positions)
    supports = build_supports(track) if track.model == "flexible" else None
    top = band_edges(third_octave_centres(settings.highest_hz, settings.highest_hz))[1][0]
    if supports is not None:
        _require_speed(speed, top * supports.bay, 8 * places.count)
    if rails is None:
        report("rails under moving loads")
        rails = rail_table(track, supports, speed, top, places.distances(), settings)
    rail, steady = rails
    report("steady running")
    middle = len(rail.harmonics) // 2
    own = np.argmin(np.abs(rail.distance)), middle, 0
    under = rail.displacement[own].real, rail.velocity[own].real, -rail.velocity[own].real / speed
    force, sides = on_rail_heads(simulation.model, simulation.work, simulation.static_wrench), places.count
    for _ in range(STEADY_PASSES):
        heads = np.einsum("lij,wsj->wsli", under, force)
        linear = linearise(
            simulation.model, simulation.assembly, simulation.state, simulation.work, simulation.contact_work, heads,
            settings.friction_dampers, scenario.accept,
        )  # fmt: skip
        force = linear.contact.output[6 * sides : 10 * sides].reshape(force.shape)
    report("vehicle on its contacts")
    bay = 1.0 if supports is None else supports.bay
    return running_system(linear, rail, positions, bay), simulation, steady


def _require_speed(speed, per_harmonic, unknowns):
    """Refuse a speed [m/s] at which too many harmonics of the sleeper passing, with so many unknowns each, are coupled;
    per_harmonic [m/s]: speed at which there is one."""
    least = per_harmonic * unknowns / MOST_UNKNOWNS
    if speed < least:
        raise ScenarioError(
            f"run.speed_kmh must be at least {3.6 * least:.3g}, got {3.6 * speed:g}: sleeper passing has "
            f"{per_harmonic / speed:.0f} lines below the highest frequency; or lower that frequency"
        )


def input_matrix(section, hz, speed, settings=None, span=(0.0, 1000.0)):
    """Density matrix (F, 4, 4) [m2/Hz] of both rails' irregularity: spectra of the section or its file.

    Excitations enter by their mean spectrum over `span` [m] of the line.
    """
    settings = settings or ResponseSettings()
    matrix = np.zeros((len(hz), 4, 4), dtype=complex)
    if section.file is not None:
        record = file_record(section.file)
        matrix += inputs.record_matrix(record.values, record.step, hz, speed)
        if not section.lateral:
            matrix[:, 0::2] = 0.0
            matrix[:, :, 0::2] = 0.0
    elif section.spectrum != "none":
        own = settings.spectrum_file
        spectra = erri_b176(section.level, own) if section.spectrum == "erri_b176" else fra(section.track_class, own)
        waves = section.longest_wave_m, section.shortest_wave_m
        matrix += inputs.spectral_matrix(spectra, *waves, section.lateral, hz, speed)
    if section.roughness != "none":
        wave, level = roughness_table(section.roughness)
        filtered = settings.patch_half_length_m if section.contact_filter else 0.0
        table = roughness_variance(
            wave, level + section.roughness_shift_db, section.roughness_longest_wave_m,
            section.roughness_shortest_wave_m, filtered,
        )  # fmt: skip
        matrix += inputs.roughness_matrix(*table, hz, speed)
    local = sampled_heights(section, *span)
    if local is not None:
        matrix += inputs.span_matrix(*local, hz, speed)
    return matrix


def respond(scenario, bodies, settings=None, report=lambda line: None, rails=None):
    """Response of a vehicle scenario as a dict of arrays, see `response_dataset.VARIABLES`; and labels and notes.

    Parameters
    ----------
    scenario : VehicleScenario
    bodies : dict           ReducedBody of each flexible wheelset of `response_scenario`
    settings : ResponseSettings

    Returns
    -------
    arrays, labels, notes
    """
    settings = settings or ResponseSettings()
    chosen = response_scenario(scenario, settings)
    running, simulation, steady = vehicle_on_rails(chosen, bodies, settings, report, rails)
    assembly, speed = simulation.assembly, running.linear.speed
    step = running.rail.frequency[1]
    centre = third_octave_centres(10.0, settings.highest_hz)
    count = int(band_edges(centre)[1][-1] / step) + 1
    grid = running.rail.frequency[1 : count + 1]
    report(f"{count} frequencies")
    passed = wheel_inputs(running, count)
    run = scenario.run
    span = run.start_position_m, run.place_at(run.duration)
    matrix = input_matrix(scenario.irregularity, grid, speed, settings, span)
    amplitude = amplitudes_at_output(running, passed, inputs.amplitudes(matrix), count)
    wrench = wheel_loads(running, amplitude)
    wheels = running.places.count
    force = np.sum(np.abs(wrench) ** 2, axis=2).reshape(count, wheels, 6)[..., :3]
    lines = passing_lines(running, steady)
    middle = len(running.rail.harmonics) // 2
    direct = (running.system.wrench[1 : count + 1] @ passed[:, middle]).reshape(count, wheels, 6, 4)[:, :, :3]
    arrays = {
        "input_density": np.einsum("fcc->fc", matrix).real,
        "contact_force_density": force,
        "contact_force_band": band_rms(grid, force, centre),
        "contact_force_line_band": line_rms(lines.frequency, lines.wrench.reshape(-1, wheels, 6)[..., :3], centre),
        "force_per_irregularity": np.stack([direct.real, direct.imag], axis=-1),
    }
    arrays |= vehicle_receptances(running, assembly, bodies, count)
    arrays |= _rail_receptances(chosen, running, grid)
    names = []
    report("control nodes")
    parts, holds = {"density": [], "mises": [], "lines": [], "holds": []}, {}
    for name, body in bodies.items():
        w = next(k for k, spec in enumerate(assembly.wheelset_specs) if spec.name == name)
        offset = assembly.units.offset[assembly.wheelsets.unit[w]] + 6
        modes = slice(offset, offset + len(body.frequency_hz))
        spin = running.linear.steady[1][offset - 1]
        moved = node_inputs(running, modes, w, wrench, amplitude)
        fixed_lines = lines.node_inputs(running, modes, w)
        residual = scenario.wheelset[name].residual != "modal_only"
        patches = standing_patches(running.linear, w)
        moves = rms_moves(grid, moved, fixed_lines[1])
        for node, label in enumerate(body.control.name):
            names.append(f"{name} {label}")
            waves = node_waves(body, node, residual, patches)
            relative = relative_move(body, node, patches, moves)
            found = node_spectra(relative, waves, spin, (grid, moved), fixed_lines, centre)
            for part, value in zip(parts.values(), found, strict=True):
                part.append(value)
        holds[name] = parts["holds"][-len(body.control.name) :]
    if names:
        density = np.stack(parts["density"]).transpose(2, 0, 1, 3)  # (F, C, 2, 12)
        mises = np.stack(parts["mises"]).transpose(2, 0, 1)
        line = np.stack(parts["lines"]).transpose(2, 0, 1, 3)
        for quantity, rows in SPLIT.items():
            arrays[f"{quantity}_density"] = density[..., rows]
            arrays[f"{quantity}_band"] = band_rms(grid, density[..., rows], centre)
            arrays[f"{quantity}_line_band"] = line[..., rows]
        arrays["von_mises_density"] = mises
        arrays["von_mises_band"] = band_rms(grid, mises, centre)
    points, body_points = body_point_spectra(running, assembly, (grid, wrench), lines, centre)
    arrays |= points
    labels = {
        "frequency": grid,
        "body_point": body_points,
        "band": centre,
        "wheelset": [w.name for w in assembly.wheelset_specs],
        "control_node": names,
        "bands": response_bands(chosen, bodies, [w.name for w in assembly.wheelset_specs], holds),
    }
    return arrays, labels, _notes(scenario, running, simulation, bodies, settings, excited=bool(matrix.any()))


def _rail_receptances(scenario, running, grid):
    """Receptances of the rail: mean along the bay under the moving load, and under a standing one over a sleeper, at
    the quarter point and at mid-bay; decay rates."""
    rail = running.rail
    own, middle = np.argmin(np.abs(rail.distance)), len(rail.harmonics) // 2
    moving = rail.displacement[own, middle, 1 : len(grid) + 1]
    found = {"rail_receptance_moving": np.stack([moving.real, moving.imag], axis=-1)}
    if scenario.track.model == "flexible":
        track = build_supports(scenario.track)
        places = [fixed_receptance(track, x * track.bay, grid) for x in (0.0, 0.25, 0.5)]
        at = np.stack(places, axis=1)
        found["rail_receptance"] = np.stack([at.real, at.imag], axis=-1)
        found["track_decay_rate"] = decay_rate(track, grid)
    return found


def unexcited(irregularity):
    """Whether neither a spectrum, roughness nor a file excites the vehicle at random."""
    return irregularity.file is None and irregularity.spectrum == irregularity.roughness == "none"


def _notes(scenario, running, simulation, bodies, settings, excited):
    """Lines on how the response was taken."""
    lines = [
        f"straight track at {3.6 * running.linear.speed:.1f} km/h; linear about steady running; rails exact under "
        f"loads that move, {settings.harmonics} harmonics of the sleeper passing ({running.rail.passing:.2f} Hz) "
        "to each side"
    ]
    for name, body in bodies.items():
        exact = [line for line in body.audit if line.endswith("are those of the full mesh")]
        lines.append(f"wheelset {name}: {len(body.frequency_hz)} modes; {'; '.join(exact)}")
    bodies = [spec.flexible for spec in simulation.assembly.body_specs if spec.flexible is not None]
    lines += [
        f"body {b.name}: {len(b.frequency_hz)} modes, all of its mesh below {b.complete_hz:g} Hz (modes_up_to_hz): "
        "up to there the spectra at its points hold"
        for b in bodies
    ]
    nonlinear = simulation.scenario.track
    if nonlinear.model == "flexible" and nonlinear.foundation.lift_off:
        lines.append("track.foundation.lift_off is not used: the response is linear")
    if not excited:
        lines.append("the random part is zero: irregularity has no spectrum, roughness or file; give one of them")
    return [*lines, *running.linear.notes, *running.linear.warnings, *of_the_start(scenario)]


def response_of(scenario, settings, report=lambda line: None):
    """Dataset of `response_dataset` of a vehicle scenario, its wheelsets reduced for it."""
    wheelsets = flexible_wheelsets(response_scenario(scenario, settings), report)
    bodies = {name: item.body for name, item in wheelsets.items()}
    arrays, labels, notes = respond(scenario, bodies, settings, report)
    attributes = {
        "title": scenario.run.title,
        "scenario": scenario_toml(scenario),
        "speed_m_s": scenario.run.speed,
        "notes": list(notes),
    }
    return response_dataset(arrays, labels, attributes)
