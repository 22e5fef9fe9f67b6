"""The report on a run, or on several beside each other: what stands in each of its sections."""

import os
import shlex
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import xarray as xr

from flexwheel.assess.convergence import read_convergence
from flexwheel.assess.evaluate.track_sections import track_sections
from flexwheel.assess.figures.report_blocks import Listing, Report, ReportSection, Table, Text
from flexwheel.assess.report_comparison import comparison
from flexwheel.assess.report_figures import assessed, history_plots, safety_tables, spectrum_plots, stress_blocks
from flexwheel.assess.safety import safety_of, scenario_of
from flexwheel.base.errors import FlexwheelError
from flexwheel.base.input_files import parse_toml
from flexwheel.base.shipped import MESHES, TRACK
from flexwheel.results.check_results import require_variables
from flexwheel.results.evaluate.en14363 import safety_quantities
from flexwheel.results.evaluate.span import settled
from flexwheel.results.evaluate.statistics import run_statistics
from flexwheel.results.files import read_results
from flexwheel.run.keys.toml_text import toml_text
from flexwheel.run.reduced_bodies import flexible_wheelsets

REPEAT = "flexwheel run {name} --out runs/{stem}"


@dataclass(frozen=True)
class Reported:
    """One run with what the sections ask of it."""

    name: str
    place: Path  # folder of the results
    results: xr.Dataset

    @cached_property
    def scenario(self):
        """As run."""
        return scenario_of(self.results)

    @cached_property
    def quantities(self):
        """SafetyQuantities of all samples."""
        return safety_quantities(self.results)

    @cached_property
    def statistics(self):
        """RunStatistics."""
        return run_statistics(self.results)

    @cached_property
    def sections(self):
        """TrackSections of the alignment that the run passed."""
        last = float(self.quantities.position[-1])
        return [part for part in track_sections(self.scenario.track.layout) if part.start < last]

    @cached_property
    def after(self):
        """Results after settling."""
        return settled(self.results)

    @cached_property
    def convergence(self):
        """Dataset of `flexwheel converge` for this scenario, or None."""
        return read_convergence(self.place, self.scenario)


def report_of(folders, say=lambda line: None):
    """Report on the runs in folders; the first one in full, the others in comparison with it.

    Parameters
    ----------
    folders : sequence of str   of runs, or their results.nc
    say : callable(str)         told of each longer part

    Raises
    ------
    FlexwheelError      what is no whole result of a vehicle's run
    """
    runs = []
    for folder, name in zip(folders, names_of(folders), strict=True):
        say(f"reading {folder}")
        place = Path(folder)
        base = place if place.is_dir() else place.parent
        results = read_results(place, ["vehicle"])
        words = ("scenario", "source", "date_created", "status")
        missing = [key for key in words if not isinstance(results.attrs.get(key), str)]
        if missing:
            got = type(results.attrs[missing[0]]).__name__ if missing[0] in results.attrs else "nothing"
            raise FlexwheelError(
                f"{place}: attribute {missing[0]!r} must be text, got {got}; expected results of 'flexwheel run'"
            )
        require_variables(results, f"report of {place}", ["wheel_force", "body_position"])
        runs.append(Reported(name, base, results))
    first = runs[0]
    attributes = first.results.attrs
    sections = [ReportSection("Inputs", _inputs(first))]
    sections.append(ReportSection("Assumed values", _assumed(first)))
    say("model")
    sections.append(ReportSection("Model and modes", _model(first, say)))
    say("running safety")
    sections.append(ReportSection("Running safety", _safety(first)))
    say("stress and spectra")
    sections.append(ReportSection("Stress and fatigue", tuple(stress_blocks(first))))
    sections.append(ReportSection("Spectra", _or_sentence(spectrum_plots, first)))
    if len(runs) > 1:
        say("comparison")
        sections.append(ReportSection("Comparison of runs", _or_sentence(comparison, runs)))
    sections.append(ReportSection("Provenance", _provenance(runs)))
    lines = (
        f"{attributes.get('vehicle', 'vehicle')}, {3.6 * first.scenario.run.speed:g} km/h, "
        f"{float(first.results.time[-1]):g} s simulated",
        f"run of {attributes['date_created']} with {attributes['source']}; status: {attributes['status']}",
    )
    return Report(str(attributes.get("title", "")) or first.name, lines, tuple(sections))


def names_of(folders):
    """A short name of each folder: its last part, with those before it where two are alike."""
    parts = [Path(os.path.abspath(folder)).parts for folder in folders]
    for count in range(1, max(map(len, parts)) + 1):
        names = ["/".join(part[-count:]) for part in parts]
        if len(set(names)) == len(names):
            return names
    return [f"{'/'.join(part[-1:])} ({k + 1})" for k, part in enumerate(parts)]


def portable_scenario(text):
    """A scenario as run without the folders of this machine, and the files that it names.

    Returns
    -------
    text : str          TOML; a file is named by its last part, to lie beside the scenario unless it is shipped
    files : dict        name there -> Path here
    """
    files = {}

    def short(value):
        if isinstance(value, dict):
            return {key: short(item) for key, item in value.items()}
        if isinstance(value, list):
            return [short(item) for item in value]
        if isinstance(value, str) and Path(value).is_absolute():
            path = Path(value)
            name = path.name if files.get(path.name, path) == path else f"{path.parent.name}_{path.name}"
            files[name] = path
            return name
        return value

    return toml_text(short(parse_toml(text, "scenario of the results"))), files


def _inputs(run):
    text, files = portable_scenario(str(run.results.attrs["scenario"]))
    rows = []
    for name, path in files.items():
        here = sha256(path) if path.is_file() else "not there any more"
        shipped = any((folder / name).is_file() and sha256(folder / name) == here for folder in (MESHES, TRACK))
        rows.append((name, "shipped with flexwheel" if shipped else "to lie beside the scenario", here))
    stem = Path(os.path.abspath(run.place)).name or "run"
    intro = f"The scenario as run, every key resolved. Saved as {stem}.toml it repeats the run: " + REPEAT.format(
        name=f"{shlex.quote(stem)}.toml", stem=shlex.quote(stem)
    )
    blocks = [Text(intro), Listing(f"{stem}.toml", text)]
    if rows:
        blocks.append(Table("Files that it names", ("file", "where", "SHA-256"), tuple(rows)))
    return tuple(blocks)


def _assumed(run):
    lines = [str(line) for line in np.atleast_1d(run.results.attrs.get("assumed", ()))]
    if not lines:
        return (Text("None: every value has a source."),)
    rows = []
    for line in lines:
        group, _, rest = line.partition(": ")
        value, _, reason = rest.partition(": ")
        rows.append((group, value, reason))
    summary = Text(f"{len(rows)} values act in this run that no published source stands behind.")
    return (summary, Table("", ("of", "value", "reason"), tuple(rows)))


def _model(run, say):
    if "flexible" not in run.results.coords:
        return (Text("All wheelsets are rigid: no mesh, no modes."),)
    try:
        wheelsets = flexible_wheelsets(run.scenario, say)
    except FlexwheelError as error:
        return (Text(f"The mesh is not at hand: {error}"),)
    blocks = []
    for item in wheelsets.values():
        body, hz = item.body, item.body.frequency_hz
        rows = [
            ("nodes, elements", f"{item.nodes}, {item.elements}"), ("mass", f"{body.mass:.2f} kg"),
            ("centre of mass", ", ".join(f"{1e3 * x:.3f}" for x in body.centre) + " mm"),
            ("moments of inertia x, y, z", ", ".join(f"{x:.2f}" for x in np.diag(body.inertia)) + " kg m2"),
            ("flexible modes", f"{len(hz)}, {min(hz):.1f} to {max(hz):.1f} Hz"),
        ]  # fmt: skip
        blocks.append(Table(f"Wheelset {item.name}", ("quantity", "value"), tuple(rows)))
        audit = tuple((str(line).strip(),) for line in (*item.audit, *body.audit))
        blocks.append(Table(f"Audit of mesh and reduction, wheelset {item.name}", ("line",), audit))
        modes = zip(hz, body.order, body.damping_ratio, strict=True)
        rows = [(f"{k + 1}", f"{f:.2f}", f"{n}" if n >= 0 else "-", f"{d:g}") for k, (f, n, d) in enumerate(modes)]
        head = ("mode", "frequency [Hz]", "circumferential order", "damping ratio")
        blocks.append(Table(f"Modes of wheelset {item.name}", head, tuple(rows)))
    return tuple(blocks)


def _safety(run):
    try:
        return (*assessed(run), *history_plots(run), *safety_tables(safety_of(run.results)))
    except FlexwheelError as error:
        return (Text(str(error)),)


def _or_sentence(make, run):
    try:
        return tuple(make(run))
    except FlexwheelError as error:
        return (Text(str(error)),)


def _provenance(runs):
    keys = {
        "made with": "versions", "made on": "date_created", "status": "status",
        "SHA-256 of the scenario": "scenario_digest",
        "SHA-256 of mesh content": "mesh_digest", "steps": "steps", "steps not converged": "steps_not_converged",
        "iterations a step": "iterations_mean", "step [s]": "integration_step_s", "sample step [s]": "sample_step_s",
        "left out for settling [s]": "settling_s",
    }  # fmt: skip
    rows = [(words, *(_shown(run.results.attrs.get(key, "-")) for run in runs)) for words, key in keys.items()]
    files = [Path(run.results.encoding.get("source", "")) for run in runs]
    rows.append(("SHA-256 of results.nc", *(sha256(path) if path.is_file() else "-" for path in files)))
    blocks = [Table("", ("", *(run.name for run in runs)), tuple(rows))]
    for run in runs:
        blocks += [
            Text(f"Warning of {run.name}: {line}") for line in np.atleast_1d(run.results.attrs.get("warnings", ()))
        ]
    return tuple(blocks)


def _shown(value):
    return f"{value:.6g}" if isinstance(value, float | np.floating) else str(value)


def sha256(path):
    """SHA-256 of a file, hexadecimal."""
    import hashlib

    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
