"""`fw.fmu`: a scenario as a functional mock-up unit for co-simulation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import expanded
from flexwheel.base.output_files import output_file, output_folder
from flexwheel.face.calls import scenario_of
from flexwheel.face.scenario import Scenario
from flexwheel.run.keys.reader import read_scenario_source
from flexwheel.studies.fmi.model_description import VERSIONS

KINDS = "realtime", "vehicle"


@dataclass(frozen=True)
class Unit:
    """A functional mock-up unit that was written."""

    file: Path
    fmi: str  # version of the standard
    step_s: float
    inputs: tuple[str, ...]  # names
    outputs: tuple[str, ...]
    parameters: tuple[str, ...]


def fmu(scenario: Scenario | str | Path, out: str | Path, fmi: str = "2.0", sources_only: bool = False) -> Unit:
    """Write a scenario of kind realtime or vehicle as an FMU for co-simulation, compiled by the system's C compiler.

    Parameters
    ----------
    scenario : Scenario, or path of one
    out : str or Path       archive to write, FILE.fmu
    fmi : str               "2.0" or "3.0"
    sources_only : bool     no binary: no C compiler is needed

    Raises
    ------
    ScenarioError           what is given cannot be a unit; no C compiler

    Example
    -------
    >>> fw.fmu(fw.Scenario.example("feve3000_curve"), "locomotive.fmu").inputs
    """
    chosen = scenario_of(scenario)
    _require_kind(chosen.kind, chosen.source.path)
    file = archive_of(out, fmi)
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"{chosen.source.path.stem}.toml"
        path.write_text(chosen.toml(), encoding="utf-8")
        return write_fmu(path, (), file, fmi, sources_only)


def archive_of(out: str | Path, fmi: str, dashes: str = "") -> Path:
    """Archive that can be written, of a version that there is; dashes: before names of options in messages."""
    if fmi not in VERSIONS:
        raise ScenarioError(f"{dashes}fmi must be one of {', '.join(VERSIONS)}, got {fmi}")
    file = expanded(out)
    if file.suffix != ".fmu":
        raise ScenarioError(f"{dashes}out must be a name that ends in .fmu, got {out}")
    output_folder(file.parent)
    output_file(file)
    return file


def write_fmu(
    path: str | Path, settings: Sequence[str], file: Path, fmi: str, sources_only: bool,
    report: Callable[[float, str], None] = lambda fraction, note: None,
) -> Unit:  # fmt: skip
    """As `fmu`, of a scenario's file with settings "section.key=value" into an archive of `archive_of`."""
    from flexwheel.numerics.kernels.compile_progress import telling_of_compilation

    source = read_scenario_source(path, settings)
    kind = source.scenario.kind
    _require_kind(kind, path)
    with telling_of_compilation(lambda line: report(0.0, line)):
        if kind == "realtime":
            from flexwheel.studies.locomotive.locomotive_unit import locomotive_unit
            from flexwheel.systems.locomotive.build_locomotive import build_locomotive_run, locomotive_of

            locomotive = locomotive_of(source)
            model = locomotive_unit(build_locomotive_run(locomotive), locomotive, fmi, file, not sources_only)
        else:
            from flexwheel.studies.fmi.vehicle_unit import vehicle_unit

            model = vehicle_unit(path, list(settings), fmi, file, not sources_only)
    names = (tuple(v.name for v in model.variables if v.causality == kind) for kind in ("input", "output", "parameter"))
    return Unit(file, fmi, float(model.step), *names)


def _require_kind(kind, path):
    if kind not in KINDS:
        raise ScenarioError(f"{path}: kind must be {' or '.join(map(repr, KINDS))}, got {kind!r}")
