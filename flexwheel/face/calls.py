"""Functions of the face: run, open_results, response, eigen, contact, report."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from numbers import Real
from pathlib import Path
from typing import Any, get_type_hints

import numpy as np
import xarray as xr

from flexwheel.base.errors import ScenarioError
from flexwheel.base.kind import KINDS, PICTURES, VEHICLE
from flexwheel.face.datasets import Results, results_of
from flexwheel.face.scenario import Scenario
from flexwheel.results import files
from flexwheel.results.response_dataset import RESPONSE_NAME
from flexwheel.run.any_kind import run_source
from flexwheel.run.derived_files import derived_files_follow
from flexwheel.run.progress import progress
from flexwheel.run.resume import is_begun, resumable
from flexwheel.run.run_folder import folders_released, run_folder


def run(
    scenario: Scenario | str | Path, out: str | Path | None = None, *, resume: bool = False, quiet: bool = False
) -> Results:
    """Run a scenario of any kind.

    Parameters
    ----------
    scenario : Scenario, or the path of one
    out : str or Path       folder for results.nc; a vehicle's samples go there as it runs, and stay there: memory does
                            not grow with the run, and checkpoints every run.checkpoint_s. Without it the results are
                            in memory
    resume : bool           a run of the scenario that was killed or interrupted in `out` goes on from its last
                            checkpoint, to the same result; where there is none it begins
    quiet : bool            show no progress

    Returns
    -------
    Results         Dataset of the table of variables (docs/results.md) with the accessor `fw`; complete = False with
                    the reason in `status` where a wheel left the rail or it was interrupted

    Raises
    ------
    FlexwheelError  what is wrong with scenario, mesh or numbers: file, key, what came, what was expected

    Example
    -------
    >>> results = fw.run(fw.Scenario.example("as4_curve", {"run.duration_s": 2.0}), out="out/short")
    >>> results.fw.plot.forces()
    """
    chosen = scenario_of(scenario)
    KINDS[chosen.kind].check(chosen.source)
    with ExitStack() as stack:
        folder = checkpoints = None
        if out is not None:
            stack.enter_context(folders_released())
            folder = run_folder(out)
            stack.enter_context(derived_files_follow(folder, files.RESULTS_NAME))
            checkpoints = stack.enter_context(resumable(folder, chosen.source, resume and is_begun(folder)))
        elif resume:
            raise ScenarioError("run: resume must be given with `out`, the folder of the checkpoints")
        stack.enter_context(KINDS[chosen.kind].ahead(chosen.source))
        report = stack.enter_context(progress("run", not quiet))
        found = run_source(chosen.source, report, None, folder, checkpoints)
    return results_of(found, folder)


def open_results(path: str | Path) -> Results:
    """Results of a run, a study or a response from their file or folder.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    Results         of a run: on the disk, values are read as they are asked for; of one that was killed what it wrote;
                    of a study, a response: in memory

    Raises
    ------
    ScenarioError   no such file, or none of this version of flexwheel

    Example
    -------
    >>> fw.open_results("out/as4_curve").wheel_force.sel(force="Q").mean("time")
    """
    place = Path(path)
    if place.is_dir():
        others = (pictures.file for pictures in PICTURES.values() if pictures.file)
        own = [place / name for name in (files.PART_NAME, files.RESULTS_NAME, *others, RESPONSE_NAME)]
        place = next((file for file in own if file.is_file()), place)
    file = files.results_file(place)
    if file.name.endswith(files.PART_NAME):
        return results_of(files.read_results(file), file)
    attributes = files.stored_attributes(file)
    kind = attributes.get("kind")
    if kind in KINDS:
        files.require_version(xr.Dataset(attrs=attributes), file)
        return results_of(files.open_results(file).set_xindex("time"), file)
    if kind is None and not str(attributes.get("source", "")).startswith("flexwheel"):
        raise ScenarioError(f"{file} must be a file of flexwheel, got netCDF of another program")
    return results_of(files.loaded(file), file)


def response(
    scenario: Scenario | str | Path,
    *,
    highest_hz: float = 1250.0,
    step_hz: float = 1.5,
    modes_up_to_hz: float = 4000.0,
    harmonics: int = 2,
) -> Results:
    """Spectra of forces, accelerations and stresses of the linearised running vehicle, without a step in time.

    Parameters
    ----------
    scenario : Scenario, or the path of one, of kind vehicle
    highest_hz, step_hz : float     highest third octave, largest step of the frequencies
    modes_up_to_hz : float          flexible wheelsets hold every mode below it
    harmonics : int                 of the sleeper passing that couple frequencies, to each side

    Returns
    -------
    Results         over frequency and band; docs/spectra.md

    Example
    -------
    >>> found = fw.response(fw.Scenario.example("as4_curve"))
    >>> found.contact_force_band.sel(wheel="front left", axis="z")
    """
    from flexwheel.assess.response import ResponseSettings, response_of

    settings = ResponseSettings(highest_hz, step_hz, modes_up_to_hz, harmonics)
    settings.check()
    with progress("response") as report:
        return results_of(response_of(_vehicle(scenario), settings, lambda line: report(0.0, line)))


def eigen(
    scenario: Scenario | str | Path,
    speeds_kmh: Sequence[float] = tuple(range(20, 301, 20)),
    *,
    critical: bool = True,
    friction_dampers: str = "sticking",
) -> Results:
    """Eigenvalues against speed, critical speed, receptances of wheel and rail, on straight track.

    Parameters
    ----------
    scenario : Scenario, or the path of one, of kind vehicle
    speeds_kmh : list of float
    critical : bool             look for the critical speed between the outer speeds
    friction_dampers : str      sticking or sliding

    Returns
    -------
    Results         frequency [Hz], that without damping (|eigenvalue|/2 pi), damping_ratio and dominant (what moves
                    most) by speed [km/h] and oscillation, nan beyond a speed's last one; wheel and rail receptance
                    [m/N] by receptance_frequency; attribute critical_speed_kmh, nan where there is none with everything
                    below it stable, critical_speed_reason why there is none, growing: what grows at each speed

    Example
    -------
    >>> fw.eigen(fw.Scenario.example("manchester_s_curve"), [100, 200, 300]).attrs["critical_speed_kmh"]
    """
    from flexwheel.assess.linear_analysis import analyse

    try:
        speeds = np.sort(np.atleast_1d(np.asarray(speeds_kmh, dtype=float)).ravel()) / 3.6
    except (TypeError, ValueError):
        speeds = np.zeros(1)
    if not len(speeds) or not np.all((speeds > 0.0) & (speeds < 300.0)):
        raise ScenarioError(f"speeds_kmh must be numbers above 0, at most 1000 km/h, got {speeds_kmh!r}")
    if friction_dampers not in ("sticking", "sliding"):
        raise ScenarioError(f"friction_dampers must be sticking or sliding, got {friction_dampers!r}")
    with progress("linear analysis") as report:
        found = analyse(_vehicle(scenario), speeds, friction_dampers, critical, report)
    most = max(len(row["frequency_hz"]) for row in found.oscillations)
    dims = ("speed", "oscillation")

    def padded(key: str, empty: Any) -> list[list[Any]]:
        return [list(row[key]) + [empty] * (most - len(row[key])) for row in found.oscillations]

    data: dict[str, Any] = {
        "frequency": (dims, padded("frequency_hz", np.nan), {"units": "Hz"}),
        "damping_ratio": (dims, padded("damping_ratio", np.nan), {"units": "1"}),
        "dominant": (dims, padded("dominant", "")),
    }
    for name, values in (("wheel", found.wheel), ("rail", found.rail)):
        if values is not None:
            data[f"{name}_receptance"] = (("receptance_frequency", "axis", "load_axis"), values, {"units": "m N-1"})
    axes = list("xyz")
    coordinates = {"speed": ("speed", 3.6 * speeds, {"units": "km/h"}), "axis": axes, "load_axis": axes}
    coordinates["receptance_frequency"] = ("receptance_frequency", found.frequency, {"units": "Hz"})
    attributes = {"kind": "eigen", "critical_speed_kmh": 3.6 * found.critical, **found.assumed}
    attributes["critical_speed_reason"] = found.reason
    attributes["growing"] = [
        f"{3.6 * speed:.0f} km/h: {one.text()}" for speed, at in zip(speeds, found.growths, strict=True) for one in at
    ]
    return results_of(xr.Dataset(data, coordinates, attributes))


def contact(
    wheel: str | Path = "S1002", rail: str | Path = "60E1", lateral_shift_mm: float | None = None, **options: Any
) -> Results:
    """Contact geometry of a wheelset on rails, or with a shift its contact patches under load.

    Parameters
    ----------
    wheel, rail : str or Path       shipped profile, or a file of points
    lateral_shift_mm : float        of the wheelset, to the left; without it: geometry over shifts
    **options                       those of `flexwheel contact`: inclination, yaw_mrad, gauge_mm, flange_back_mm,
                                    radius_mm, load_kn, mu, speed_kmh, normal, tangential, unit, rail_inclined ..

    Returns
    -------
    Results         by lateral_shift [m]: delta_r [m], roll [rad], left and right contact angle [rad] and place [m],
                    attribute conicity_3mm; with a shift by patch: side, place, load, area, peak pressure .., SI units

    Example
    -------
    >>> fw.contact("S1002", "60E1").attrs["conicity_3mm"]
    >>> fw.contact(lateral_shift_mm=5.0, load_kn=60.0).peak_pressure_pa.max()
    """
    from flexwheel.assess.commands.contact_command import WheelsetOptions, contact_result
    from flexwheel.assess.commands.contact_load import LoadOptions
    from flexwheel.assess.commands.contact_options import ProfileFileOptions

    if lateral_shift_mm is not None and not isinstance(lateral_shift_mm, Real):
        raise ScenarioError(f"contact: lateral_shift_mm must be one number, got {lateral_shift_mm!r}")
    shift = None if lateral_shift_mm is None else f"{lateral_shift_mm:.12g}"
    groups: list[dict[str, Any]] = [{"wheel": str(wheel), "rail": str(rail), "lateral_shift_mm": shift}, {}, {}]
    kinds = (WheelsetOptions, ProfileFileOptions, LoadOptions)
    for key, value in options.items():
        place = next((k for k, kind in enumerate(kinds) if key in kind.__dataclass_fields__), None)
        if place is None:
            known = ", ".join(name for kind in kinds for name in kind.__dataclass_fields__)
            raise ScenarioError(f"contact: unknown option {key!r}; known: {known}")
        if isinstance(value, str) and "str" not in str(get_type_hints(kinds[place])[key]):
            raise ScenarioError(f"contact: {key} must be a number, got {value!r}")
        groups[place][key] = value
    made, profiles, load = (kind(**group) for kind, group in zip(kinds, groups, strict=True))
    plain = contact_result(made, profiles, None, None, load)
    names = ("wheel", "rail", "inclination", "gauge_m", "flange_back_m", "radius_m")
    attributes = {"kind": "contact", **{name: plain[name] for name in names}, "warnings": plain["warnings"]}
    if shift is not None:
        rows = [
            {"side": side["side"], **patch}
            for one in plain["configurations"]
            for side in one["wheels"]
            for patch in side["patches"]
        ]
        data = {name: ("patch", [np.nan if row[name] is None else row[name] for row in rows]) for name in rows[0]}
        return results_of(xr.Dataset(data, attrs=attributes | {"lateral_shift_m": 1e-3 * float(shift)}))
    data = {
        name: ("lateral_shift", plain[f"{name}_{unit}"], {"units": unit})
        for name, unit in (("delta_r", "m"), ("roll", "rad"))
    }
    for side in ("left", "right"):
        for key, unit in (("contact_angle", "rad"), ("y_wheel", "m"), ("y_rail", "m"), ("rolling_radius", "m")):
            data[f"{side}_{key}"] = ("lateral_shift", plain[side][f"{key}_{unit}"], {"units": unit})
    shifts = ("lateral_shift", plain["lateral_shift_m"], {"units": "m", "long_name": "of the wheelset, to the left"})
    return results_of(xr.Dataset(data, {"lateral_shift": shifts}, attributes | {"conicity_3mm": plain["conicity_3mm"]}))


def report(
    runs: str | Path | xr.Dataset | Sequence[str | Path | xr.Dataset],
    out: str | Path | None = None,
    template: str | Path | None = None,
    pdf: bool = False,
) -> list[Path]:
    """Write a report on a run, or on several beside each other: one HTML file, which prints.

    Parameters
    ----------
    runs : folder, results, or a list   the first in full, the others in comparison; results of a folder
    out : str or Path                   HTML file; default report.html in the first folder
    template : str or Path              TOML file: order, logo, author, revision, language, limits (docs/report.md)
    pdf : bool                          print it as PDF as well, by a browser of this machine

    Returns
    -------
    list of Path        what was written

    Example
    -------
    >>> fw.report(["out/as4_curve", "out/slower"], "comparison.html")
    """
    from flexwheel.assess.commands.report_command import write_report

    given = [runs] if isinstance(runs, str | Path | xr.Dataset) else runs
    folders = [str(run.fw._place() if isinstance(run, xr.Dataset) else run) for run in given]
    if not folders:
        raise ScenarioError("report: runs must be a folder of a run or a list of them, got none")
    with progress("report") as tell:
        return write_report(folders, None if out is None else str(out), tell, template, pdf)


def scenario_of(scenario: Scenario | str | Path) -> Scenario:
    if not isinstance(scenario, Scenario | str | Path):
        raise ScenarioError(f"scenario must be a Scenario or the path of one, got {scenario!r}")
    return scenario if isinstance(scenario, Scenario) else Scenario.read(scenario)


def _vehicle(scenario: Scenario | str | Path) -> Any:
    """Values of a scenario of kind vehicle."""
    chosen = scenario_of(scenario)
    if chosen.kind != VEHICLE:
        raise ScenarioError(f"{chosen.source.path}: kind must be 'vehicle', got {chosen.kind!r}")
    return chosen.source.scenario
