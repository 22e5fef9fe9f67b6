"""The report on a run, or on several beside each other: what all kinds of run share, and the assessments between."""

import os
import shlex
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property, partial
from pathlib import Path

import numpy as np
import xarray as xr

from flexwheel.assess.assessment import ASSESSMENTS
from flexwheel.assess.convergence import read_convergence
from flexwheel.assess.evaluate.en14363_limits import READ
from flexwheel.assess.evaluate.track_sections import track_sections
from flexwheel.assess.figures.report_blocks import Listing, Report, ReportSection, Table, Text
from flexwheel.assess.report_assumed import assumed_blocks
from flexwheel.assess.report_comparison import comparison
from flexwheel.assess.report_results import results_blocks
from flexwheel.assess.report_summary import summary_blocks
from flexwheel.assess.report_template import PLAIN
from flexwheel.assess.safety import safety_of, scenario_of
from flexwheel.base.errors import FlexwheelError
from flexwheel.base.input_files import parse_toml
from flexwheel.base.kind import KINDS
from flexwheel.base.shipped import MESHES, TRACK
from flexwheel.results.evaluate.en14363 import safety_quantities
from flexwheel.results.evaluate.span import settled
from flexwheel.results.evaluate.statistics import run_statistics
from flexwheel.results.files import read_results
from flexwheel.run.keys.toml_text import toml_text
from flexwheel.run.reduced_bodies import flexible_wheelsets
from flexwheel.vehicle.vehicle_file import read_vehicle

ATTRIBUTES = ("scenario", "source", "date_created", "status")
REPEAT = "flexwheel run {name} --out runs/{stem}"


@dataclass(frozen=True)
class Reported:
    """One run with what the sections ask of it."""

    name: str
    place: Path  # folder of the results
    results: xr.Dataset
    limits: str = READ  # of EN 14363: en14363_limits

    @property
    def kind(self):
        """Kind of the run."""
        return KINDS[self.results.attrs.get("kind", KINDS.default)]

    @cached_property
    def scenario(self):
        """As run, of a vehicle."""
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
    def safety(self):
        """Safety."""
        return safety_of(self.results, limits=self.limits)

    @cached_property
    def vehicle(self):
        """VehicleFile."""
        return read_vehicle(self.scenario.vehicle.file)

    @cached_property
    def wheelsets(self):
        """FlexibleWheelset of every flexible wheelset by name; FlexwheelError where a mesh is not at hand."""
        return flexible_wheelsets(self.scenario, lambda line: None)

    @cached_property
    def sections(self):
        """AssessedSections of the alignment, as far as the run passed them."""
        first, last = (float(self.quantities.position[k]) for k in (0, -1))
        parts = [p for p in track_sections(self.scenario) if p.start < last and p.end > first]
        return [replace(part, start=max(part.start, first), end=min(part.end, last)) for part in parts]

    @cached_property
    def after(self):
        """Results after settling."""
        return settled(self.results)

    @cached_property
    def convergence(self):
        """Dataset of `flexwheel converge` for this scenario, or None."""
        return read_convergence(self.place, self.scenario)


def report_of(folders, say=lambda line, share=0.0: None, template=PLAIN):
    """Report on the runs in folders; the first one in full, the others in comparison with it.

    Parameters
    ----------
    folders : sequence of str   of runs, or their results.nc
    say : callable(str, share=0.0)      told of each longer part, and what share of the sections is made
    template : ReportTemplate   whose order of the sections it has

    Raises
    ------
    FlexwheelError      what is no whole result of a run; runs of different kinds; an unknown section in the order
    """
    runs, places = [], [Path(os.path.realpath(folder)) for folder in folders]
    if twice := [str(folder) for k, folder in enumerate(folders) if places[k] in places[:k]]:
        raise FlexwheelError(f"report: a run must be named once, got {twice[0]} twice")
    for folder, name in zip(folders, names_of(folders), strict=True):
        say(f"reading {folder}")
        runs.append(_reported(Path(folder), name, template.limits))
    kinds = list(dict.fromkeys(run.kind.name for run in runs))
    if len(kinds) > 1:
        raise FlexwheelError(f"report: runs must be of one kind, got {', '.join(kinds)}")
    first, made = runs[0], {}
    parts = _parts(runs, say)
    shown = template.chosen(parts, ASSESSMENTS)
    left_out = [title for name, (title, _, _) in parts.items() if name not in shown]
    for k, name in enumerate(shown):
        title, blocks, appendix = parts[name]
        say(title, k / len(shown))
        made[name] = ReportSection(title, _or_sentence(blocks), name, appendix)
    page = ReportSection("Summary", _or_sentence(lambda: summary_blocks(first, template, left_out)), "summary")
    attributes = first.results.attrs
    line = f"run of {date_words(attributes['date_created'])} with {attributes['source']}"
    name = str(attributes.get("title", "")) or first.name
    return Report(name, (line,), (page, *made.values()))


def date_words(text):
    """An ISO date as a reader has it, "2026-11-29, 17:38 UTC"; another text as it is."""
    try:
        return datetime.fromisoformat(text).astimezone(UTC).strftime("%Y-%m-%d, %H:%M UTC")
    except ValueError:
        return text


def _parts(runs, say):
    """Section by name: its title, what makes its blocks, whether it is an appendix; the appendices last."""
    first = runs[0]
    parts = {
        item.name: (item.heading, partial(_section, item, first, say), item.appendix)
        for item in sorted(ASSESSMENTS.values(), key=lambda item: item.place)
        if not item.kinds or first.kind.name in item.kinds
    }
    if first.kind.curves_in_report:
        parts = {"results": ("Results", partial(results_blocks, first, say), False)} | parts
    if len(runs) > 1:
        parts["comparison"] = "Comparison of runs", partial(comparison, runs), False
    parts |= {
        "assumed": ("Assumed values", partial(assumed_blocks, first), True),
        "inputs": ("Inputs", partial(_inputs, first), True),
        "provenance": ("Provenance", partial(_provenance, runs), True),
    }
    return dict(sorted(parts.items(), key=lambda item: item[1][2]))


def _reported(place, name, limits):
    results = read_results(place)
    missing = [key for key in ATTRIBUTES if not isinstance(results.attrs.get(key), str)]
    if missing:
        got = type(results.attrs[missing[0]]).__name__ if missing[0] in results.attrs else "nothing"
        raise FlexwheelError(
            f"{place} must be results of 'flexwheel run': attribute {missing[0]!r} must be text, got {got}"
        )
    parse_toml(results.attrs["scenario"], f"{place}: attribute scenario")
    return Reported(name, place if place.is_dir() else place.parent, results, limits)


def _section(assessment, run, say):
    missing = [name for name in assessment.needs if name not in run.results]
    if missing:
        return (Text(f"Left out: the results hold no {missing[0]} (output.variables)."),)
    return assessment.blocks(run, say)


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


def _or_sentence(make):
    try:
        return tuple(make())
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
    said = [(words, [run.results.attrs.get(key) for run in runs]) for words, key in keys.items()]
    said = [(words, [*map(date_words, values)] if words == "made on" else values) for words, values in said]
    rows = [(words, *map(_shown, values)) for words, values in said if any(value is not None for value in values)]
    files = [Path(run.results.encoding.get("source", "")) for run in runs]
    rows.append(("SHA-256 of results.nc", *(sha256(path) if path.is_file() else "-" for path in files)))
    blocks = [Table("", ("", *(run.name for run in runs)), tuple(rows))]
    for run in runs:
        blocks += [
            Text(f"Warning of {run.name!r}: {line}") for line in np.atleast_1d(run.results.attrs.get("warnings", ()))
        ]
    return tuple(blocks)


def _shown(value):
    return "-" if value is None else f"{value:.6g}" if isinstance(value, float | np.floating) else str(value)


def sha256(path):
    """SHA-256 of a file, hexadecimal."""
    import hashlib

    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
