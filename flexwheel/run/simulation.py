"""A scenario run to its results: model built, brought to rest, stepped, recorded, stresses recovered."""

import time
from dataclasses import replace
from pathlib import Path

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import digest
from flexwheel.base.variables import PATCH_FIELD, named
from flexwheel.numerics.kernels.arrays_within import arrays_digest
from flexwheel.numerics.kernels.compile_progress import telling_of_compilation
from flexwheel.results.check_results import ALL
from flexwheel.results.checkpoint import program_identity
from flexwheel.results.dataset import make_dataset
from flexwheel.results.evaluate.control_nodes import influences_of
from flexwheel.results.evaluate.histories import with_control_nodes
from flexwheel.results.evaluate.result_bounds import ResultBounds
from flexwheel.results.evaluate.span import default_settling
from flexwheel.results.evaluate.valid_band import with_bands
from flexwheel.results.files import PART_NAME, RESULTS_NAME, open_results
from flexwheel.results.recording import chosen_variables, recorded
from flexwheel.results.stream import PartFile
from flexwheel.run.assumptions import assumed_values
from flexwheel.run.build.build_simulation import Simulation, build_simulation
from flexwheel.run.build.build_track import bed_notes
from flexwheel.run.interrupts import held_interrupt
from flexwheel.run.keys.idle_keys import idle_lines
from flexwheel.run.keys.plausibility import (
    file_end_warnings,
    irregularity_warnings,
    plausibility_warnings,
    vehicle_warnings,
    wheel_load_warnings,
)
from flexwheel.run.keys.toml_text import scenario_toml
from flexwheel.run.paper_example import is_paper_example
from flexwheel.run.reduced_bodies import flexible_wheelsets
from flexwheel.run.run_settings import in_phase, loop_settings, run_labels
from flexwheel.run.valid_bands import run_bands
from flexwheel.track.excitation import excitations_of
from flexwheel.track.irregularity import record_span
from flexwheel.vehicle.step.simulate import simulate
from flexwheel.vehicle.step.simulate_record import make_sampling, source_arrays, unpacked


def run_scenario(scenario, report=None, text="", wheelsets=None, out=None, resume=None):
    """Run a scenario.

    Parameters
    ----------
    scenario : Scenario                 of reader.read_scenario
    report : callable(fraction, note), optional     told how far the work is
    text : str                          the scenario as the user wrote it, kept with the results
    wheelsets : dict, optional          name -> FlexibleWheelset already at hand
    out : Path, optional                folder; samples go to the disk while the run goes on, into results.nc at its end
    resume : (Checkpoints, str), optional   with `out`: those that it leaves or goes on from, and its name there

    Returns
    -------
    Dataset         the table of variables, in memory, or open on results.nc in `out`, its times then without an index;
                    complete = False with the reason in `status` when the run was interrupted or a wheel left the rail

    Raises
    ------
    FlexwheelError  when the scenario cannot be built, the numbers fail, or the disk is full
    """
    if resume is not None and resume[0].finished(resume[1], Path(out) / PART_NAME):
        return open_results(Path(out) / RESULTS_NAME)
    report = report or (lambda fraction, note="": None)
    say = lambda line: report(0.0, line)  # noqa: E731
    wheelsets = flexible_wheelsets(scenario, say) if wheelsets is None else wheelsets
    bodies = {name: item.body for name, item in wheelsets.items()}
    with telling_of_compilation(say):
        simulation = build_simulation(scenario, bodies, say)
        of_meshes = (line for item in wheelsets.values() for line in item.warnings)
        simulation = replace(simulation, warnings=(*simulation.warnings, *of_meshes))
        take_steps(simulation, 0.0)
    return execute(simulation, report, text, out, resume)


def execute(simulation: Simulation, report=None, text="", out=None, resume=None):
    """Time loop of a simulation at rest, and its samples as a Dataset; as `run_scenario`."""
    scenario, run, assembly = simulation.scenario, simulation.scenario.run, simulation.assembly
    report = report or (lambda fraction, note="": None)
    names, groups, check_rails = scenario.output.variables, scenario.output.groups, bool(scenario.track.check_rail)
    chosen = chosen_variables(assembly, simulation.coupled, names, groups, check_rails)
    labels, attributes = run_labels(simulation), known_before(simulation, text)
    attributes["warnings"] = [*attributes["warnings"], *_not_stored(scenario.output.variables, chosen)]
    with held_interrupt() as release:

        def told(now, end):
            release()  # ends the loop with what it has
            report(now / end, f"t = {now:.2f} of {end:g} s")

        recorder = Recorder(simulation, chosen, labels, attributes, out, resume)
        started, checkpoint = time.perf_counter(), recorder.checkpoint
        try:
            outcome = take_steps(simulation, run.duration, told, recorder.sink, checkpoint)
            before = 0.0 if checkpoint is None else checkpoint.seconds
            seconds = before + time.perf_counter() - started
            report(1.0, "displacement and stress at the control nodes")
            attributes = attributes | known_after(simulation, outcome, seconds)
            attributes["warnings"] = [*attributes["warnings"], *phase_lines(simulation)]
            return recorder.results(outcome, attributes)
        except BaseException:
            if recorder.part is not None:
                recorder.part.leave()
            raise


def _not_stored(names, chosen):
    """A line on variables that are asked for and that this run has not; a ScenarioError where it has none of them."""
    missing = [name for name in names if not named(name, chosen)]
    if missing and len(missing) == len(names):
        raise ScenarioError(f"output.variables must name a variable that this run has, got {', '.join(missing)}")
    return [f"output.variables: this run has no {', '.join(missing)}"] if missing else []


class Recorder:
    """Takes the samples of a run, in memory or to the disk, and makes its results of them."""

    def __init__(self, simulation, chosen, labels, attributes, out, resume=None):
        """chosen: Variables; labels, attributes: as of `make_dataset`; out: folder, or None for a run in memory;
        resume: as of `run_scenario`."""
        self.simulation, self.chosen, self.labels, self.part, self.sink = simulation, chosen, labels, None, None
        self.resume, self.checkpoint, goes_on, self.attributes = resume, None, False, attributes
        if resume is not None:
            checkpoints, name = resume
            self.checkpoint = checkpoints.of(name, run_identity(simulation))
            goes_on = checkpoints.take_up(self.checkpoint, Path(out) / PART_NAME)
        if out is not None:
            sources = source_arrays(simulation.state, simulation.work, simulation.coupled, simulation.watch)
            records = unpacked(sources, make_sampling(sources, 0, 1, 0).rows)
            samples = loop_settings(simulation.scenario).samples(steps_of(simulation.scenario))
            empty = recorded(records, simulation.assembly, self.chosen, every_slot=True)
            self.part = PartFile(out, empty, labels, attributes, samples, goes_on, self._made)
            self.sink = lambda records: self.part.append(records.time, self.arrays(records))

    def arrays(self, records):
        """Arrays of the variables chosen."""
        return recorded(records, self.simulation.assembly, self.chosen)

    def _made(self, blocks):
        """Blocks with motion and stress of the control nodes; attributes with warnings on what is out of bounds."""
        bounds, bodies = ResultBounds(self.attributes["static_wheel_load_n"]), self.simulation.bodies
        stored = [variable.name for variable in self.chosen]
        modal_only = all(self.simulation.scenario.wheelset[name].residual == "modal_only" for name in bodies)
        bands = run_bands(self.simulation, keeps_phase(self.simulation), stored)
        influences = {} if modal_only else {name: influences_of(body) for name, body in bodies.items()}
        asked = {v for name in self.simulation.scenario.output.variables for v in named(name, self.chosen)}
        used = {v.name for v in self.chosen if v.when == PATCH_FIELD} - asked

        def whole(block):
            bounds.add(block)
            block = with_control_nodes(block, bodies, modal_only, influences or None).drop_vars(used)
            return with_bands(block if "rate" in block.dims else block.drop_vars("rate", errors="ignore"), bands)

        def seen():
            return self.attributes | {"warnings": [*self.attributes["warnings"], *bounds.lines()]}

        return map(whole, blocks), seen

    def results(self, outcome, attributes):
        """Dataset of the run."""
        self.attributes = attributes | {"complete": outcome.complete, "status": outcome.message or "complete"}
        if self.part is None:
            records = outcome.records
            labels = self.labels | {"time": records.time}
            arrays = {name: np.ascontiguousarray(values) for name, values in self.arrays(records).items()}
            results = make_dataset("vehicle", arrays, labels, outcome.complete, outcome.message, attributes)
            blocks, seen = self._made([results])
            return next(blocks).assign_attrs(seen())
        if self.resume is None:
            return open_results(self.part.finish())
        checkpoints, name = self.resume
        if self.checkpoint.interrupted:
            return open_results(self.part.finish(self.checkpoint.samples))
        return open_results(self.part.finish(written=lambda: checkpoints.finish(name)))


def own_stage(scenario):
    """Name of a run among those that `run.compare_modes` adds to it: the mode of its flexible wheelsets, or rigid."""
    return next((part.mode for part in scenario.wheelset.values() if part.formulation == "flexible"), "rigid")


def known_before(simulation, text):
    """Attributes of a run's results that hold from its start."""
    scenario, run = simulation.scenario, simulation.scenario.run
    resolved = scenario_toml(scenario)
    return {
        "title": run.title,
        "sample_step_s": run.output_step_s,
        "integration_step_s": run.step_s,
        "output_variables": ", ".join(scenario.output.variables) or ALL,
        "scenario_text": text,
        "scenario": resolved,
        "scenario_digest": digest(resolved),
        **mesh_digests(scenario),
        "vehicle": simulation.vehicle.name,
        "vehicle_kind": simulation.vehicle.kind,
        "settling_s": settling_time(scenario),
        "paper_example": is_paper_example(scenario),
        "assumed": assumed_values(scenario, simulation.vehicle, simulation.coupled),
        "warnings": run_warnings(simulation),
        **bed_attributes(scenario.track),
        "modal_rates": "material",
        "static_wheel_load_n": np.asarray(simulation.static_wrench)[..., 2].ravel(),
    }


def known_after(simulation, outcome, seconds):
    """Attributes with the figures of a run that took `seconds`."""
    return {
        **(simulation.coupled.attributes() if simulation.coupled else {}),
        "loop_seconds": seconds,
        "seconds_per_simulated_second": seconds / max(outcome.steps * simulation.scenario.run.step_s, 1e-12),
        "iterations_mean": outcome.iterations_mean,
        "steps": outcome.steps,
        "steps_not_converged": outcome.unconverged,
    }


def mesh_digests(scenario):
    """Attribute with the digests of the files of flexible wheelsets and bodies."""
    parts = {name: part for name, part in scenario.wheelset.items() if part.formulation == "flexible"} | scenario.body
    found = [
        f"{name}: {digest(Path(file).read_bytes())}"
        for name, part in parts.items()
        for file in getattr(part, "matrices", ()) or (part.mesh,)
        if Path(file).is_file()
    ]
    return {"mesh_digest": found} if found else {}


def keeps_phase(simulation):
    """Whether the wheelsets of a run that has begun keep their frequencies: all rigid coordinates have beta = 1/12."""
    model, rigid = simulation.model, np.arange(6)
    gain = simulation.work.gain[model.units.offset[model.wheelsets.unit][:, None] + rigid]
    return in_phase(simulation.scenario.run) and np.allclose(gain, model.coefficients.dt**2 / 12.0, rtol=1e-9, atol=0.0)


def phase_lines(simulation):
    """A line where a run that is over could not keep its wheelsets in phase."""
    if not in_phase(simulation.scenario.run) or keeps_phase(simulation):
        return []
    return [
        "run.wheelsets_in_phase: stiff connections in the iteration matrix, or a step too long for stability, leave "
        "wheelsets with newmark_beta or near it: frequencies near the highest of interest are (omega step_s)^2/12 low"
    ]


def steps_of(scenario):
    """Steps of a run."""
    return int(round(scenario.run.duration / scenario.run.step_s))


def run_identity(simulation):
    """What must be as it was for a run to go on: the program of its step, and all that it read, part by part."""
    parts = simulation.model._asdict() | {"coupled": simulation.coupled and simulation.coupled.moving}
    meshes = {"meshes": "; ".join(mesh_digests(simulation.scenario).get("mesh_digest", ()))}
    inputs = {name.replace("_", " "): arrays_digest(**{name: part}) for name, part in parts.items()}
    return program_identity("flexwheel.vehicle.step.simulate") | meshes | inputs


def take_steps(simulation: Simulation, duration, progress=None, sink=None, checkpoint=None):
    """Run of a simulation over a duration [s] with the settings of its scenario; of none, to compile the step."""
    s, settings = simulation, loop_settings(simulation.scenario, simulation.watch)
    return simulate(
        s.model, s.assembly, s.state, s.rail_state, s.contact_work, s.work, duration, settings,
        coupled=s.coupled, progress=progress, sink=sink, checkpoint=checkpoint,
    )  # fmt: skip


def bed_attributes(track):
    """Attribute with what is to be known of an elastic track bed."""
    notes = bed_notes(track)
    return {"track_bed": notes} if notes else {}


def run_warnings(simulation):
    """Lines on what is doubtful in a run: implausible values, keys that nothing reads, accepted disagreements."""
    idle, run = idle_lines(simulation.scenario), simulation.scenario.run
    end = run.place_at(run.duration)
    wheels = [f"{w.name} {side}" for w in simulation.assembly.wheelset_specs for side in ("left", "right")]
    return [
        *plausibility_warnings(simulation.scenario),
        *vehicle_warnings(simulation.vehicle),
        *irregularity_warnings(simulation.model.irregularity),
        *wheel_load_warnings(wheels, np.asarray(simulation.static_wrench)[..., 2]),
        *idle,
        *file_end_warnings(simulation.scenario, *record_span(simulation.model.irregularity), end),
        *_by_whole_sectors(simulation),
        *simulation.warnings,
    ]


def _by_whole_sectors(simulation):
    """A line on each n-fold wheelset in `eulerian`."""
    modes = {name: section.mode for name, section in simulation.scenario.wheelset.items()}
    return [
        f"wheelset {name}: eulerian by whole sectors ({body.whole_sectors}): within a sector its mesh turns, so that "
        "equations and results are those of lagrangian, modal coordinates those of the turning mesh"
        for name, body in simulation.bodies.items()
        if body.whole_sectors and modes[name] == "eulerian"
    ]


def settling_time(scenario):
    """run.settling_s, or its default [s]: the time over the ramp of irregularity, and that of the bodies."""
    if scenario.run.settling_s is not None:
        return scenario.run.settling_s
    section = scenario.irregularity
    smooth = section.file is None and section.spectrum == "none" and section.roughness == "none"
    smooth = smooth and not excitations_of(section)
    return default_settling(0.0 if smooth else section.ramp_m, scenario.run.speed)
