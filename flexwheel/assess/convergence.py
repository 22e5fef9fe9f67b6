"""How far a run's spectra depend on what is only numerical: short pieces run again with each of it refined.

More modes, half the step, finer rail, wider window, the other description of the mesh: the change of every third octave
of wheel forces, and of acceleration and von Mises stress at the control nodes, extrapolated by the order of what is
refined (Richardson 1911, Phil. Trans. A 210, 307-357), is what that choice costs. One more run with a tighter contact
tolerance is the same run but for what its iteration leaves: the difference of the two is that noise itself, and the
change of the level another part of the error. Independent parts add up as their squares. Runs with a shorter step are
sampled at every step of theirs: at the samples of the run as given, what a short step excites above half their rate
would fold into the bands (3 dB of a tread's acceleration at 20 us), an error of the comparison alone.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import xarray as xr

from flexwheel.base.errors import FlexwheelError, ScenarioError
from flexwheel.numerics.spectra import level_difference, third_octaves
from flexwheel.results.evaluate.span import settled
from flexwheel.results.files import loaded, write_results
from flexwheel.run.assumed_ranking import identity
from flexwheel.run.keys.reader import parse_scenario
from flexwheel.run.reduced_bodies import flexible_wheelsets
from flexwheel.run.simulation import run_scenario, settling_time
from flexwheel.track.rail_models import RAIL_MODELS

CONVERGENCE_NAME = "convergence.nc"
LOWEST_HZ, HIGHEST_HZ, WITHIN_DB = 10.0, 1250.0, 60.0
MOST_ELEMENTS, MOST_MARGIN = 8, 500
USUAL_MARGIN = 60  # bays, where the margin is left to the track
ORDER = {"step": 2, "rail": 2, "step and rail": 1, "modes": 2}
"""Order of the error in what is halved or doubled: Newmark's step, elements, and the truncated modes, whose statics are
kept, in the highest mode's frequency. Elements matched to their step have what the match leaves, at chosen places and
waves: of 48 largest errors of the receptance against the exact periodic rail (bays of 0.5 to 0.75 m, two to four
elements, four directions) half the step and twice the elements leave less than half in 42, a fourth in 16. The others
have none: their error falls as a wave decays, or is a comparison."""
NOISE, MESH_MODE = "iteration noise", "mesh mode"
TIGHTER, NOISE_SHARE = 100.0, 0.05
"""Parts of the contact tolerance that the run without iteration noise has; share of a band from which noise is told."""
SIGNALS = {"absolute_acceleration": "acceleration", "von_mises": "von Mises stress"}


@dataclass(frozen=True)
class Variation:
    """One refinement of a scenario.

    Attributes
    ----------
    name : str          what is refined, in a word or two
    change : str        from what to what
    overrides : tuple of str    as of `--set`
    """

    name: str
    change: str
    overrides: tuple[str, ...]

    @property
    def factor(self):
        """Error over change: 1 / (1 - 2^-order) of what is halved."""
        return 1.0 / (1.0 - 0.5 ** ORDER[self.name]) if self.name in ORDER else 1.0


def tighter(scenario):
    """Variation without iteration noise, or None where a step does not iterate."""
    run = scenario.run
    if run.integrator == "dormand_prince":
        return None
    end = run.contact_tolerance_n / TIGHTER
    more = f"run.contact_iterations_max={max(50, run.contact_iterations_max)}"
    change = f"run.contact_tolerance_n {run.contact_tolerance_n:g} to {end:g} N"
    return Variation(NOISE, change, (f"run.contact_tolerance_n={end!r}", more))


def variations(scenario):
    """Refinements of a vehicle's scenario, in the order they are run."""
    run, track, found = scenario.run, scenario.track, []
    flexible = {name: part for name, part in scenario.wheelset.items() if part.formulation == "flexible"}
    if flexible:
        changes, overrides = zip(*(_more_modes(name, part) for name, part in flexible.items()), strict=True)
        found.append(Variation("modes", ", ".join(sorted(set(changes))), overrides))
    reads, elements = RAIL_MODELS[track.model].reads, track.elements_per_bay
    half = f"run.step_s={run.step_s / 2!r}", f"run.output_step_s={run.step_s / 2!r}"
    finer = (f"track.elements_per_bay={2 * elements}",)
    in_time, in_space = f"{run.step_s:g} to {run.step_s / 2:g} s", f"{elements} to {2 * elements} elements a bay"
    rails = "elements_per_bay" in reads and 2 * elements <= MOST_ELEMENTS
    if rails and track.rail_mass == "matched":  # to one step: neither is finer without the other
        found.append(Variation("step and rail", f"{in_time}, {in_space}", half + finer))
    else:
        if run.integrator != "dormand_prince":
            found.append(Variation("step", in_time, half))
        if rails:
            found.append(Variation("rail", in_space, finer))
    margin = track.window_margin_bays
    if "window_margin_bays" in reads and track.extent == "window" and (margin or 0) < MOST_MARGIN:
        wider = min(2 * (margin or USUAL_MARGIN), MOST_MARGIN)
        absorbing = min(2 * track.absorbing_bays, wider // 2)
        change = f"margin {margin or 'as needed'} to {wider} bays, absorbing {track.absorbing_bays} to {absorbing}"
        wide = (f"track.window_margin_bays={wider}", f"track.absorbing_bays={absorbing}")
        found.append(Variation("window", change, wide))
    if flexible:
        other = {name: "eulerian" if part.mode != "eulerian" else "lagrangian" for name, part in flexible.items()}
        first = next(iter(flexible))
        change = f"{flexible[first].mode} to {other[first]}"
        found.append(Variation(MESH_MODE, change, _of_wheelsets("mode", other)))
    return found


def _more_modes(name, part):
    """What a wheelset's basis changes to, in words and as an override."""
    number, up_to = part.fixed_interface_modes, part.modes_up_to_hz
    if number is not None:
        more = number + 60
        return f"{number} to {more} fixed-interface modes", f"wheelset.{name}.fixed_interface_modes={more}"
    return f"modes up to {up_to:g} to {2 * up_to:g} Hz", f"wheelset.{name}.modes_up_to_hz={2 * up_to!r}"


def _of_wheelsets(key, values):
    return tuple(f"wheelset.{name}.{key}={value}" for name, value in values.items())


def convergence(source, seconds=4.0, report=None):
    """Change of every third octave by each refinement, from runs of settling and `seconds` more.

    Parameters
    ----------
    source : ScenarioSource     of a vehicle
    seconds : float [s]         that count, after settling
    report : callable(fraction, note), optional

    Returns
    -------
    xarray.Dataset   band [Hz], signal (names), variation (names); rms (band, signal), in N, m/s2 or Pa; change
                     (variation, band, signal) [dB], nan where a band lies more than 60 dB below the signal's highest or
                     cannot be told from a record of that length; error, the change extrapolated; iteration_noise
                     (band, signal): rms of what the contact iteration leaves over rms, nan as change and without
                     iteration

    Raises
    ------
    FlexwheelError  when a run does not reach its end; the one without iteration noise may fail to converge, whose
                    values are nan then and whose reason is the attribute `noise_unknown`
    """
    report = report or (lambda fraction, note="": None)
    scenario = source.scenario
    piece, noise = _piece(scenario, seconds), tighter(scenario)
    refined = [*([noise] if noise else []), *variations(scenario)]
    plan = [Variation("as given", "", ()), *refined]
    bands, given, left, unknown, same = [], None, None, "", False
    for k, item in enumerate(plan):
        if item.name == MESH_MODE and same:  # the other description of an n-fold mesh has the same equations
            refined[k - 1] = replace(item, change="not run, the same equations by whole sectors")
            bands.append(np.full_like(bands[0], np.nan))
            continue
        note = f"{item.name}{f': {item.change}' if item.change else ''}"
        chosen = parse_scenario(source.text, source.path, (*source.overrides, *piece, *item.overrides))
        tell = lambda fraction, line="", k=k, note=note: report((k + fraction) / len(plan), f"{note}; {line}")  # noqa: E731
        wheelsets = flexible_wheelsets(chosen, lambda line, tell=tell: tell(0.0, line))
        same = bool(wheelsets) and all(part.body.whole_sectors for part in wheelsets.values())
        results = run_scenario(chosen, tell, source.text, wheelsets)
        if not results.attrs["complete"] and item is noise:
            unknown = str(results.attrs["status"])
            bands.append(np.full_like(bands[0], np.nan))
            continue
        if not results.attrs["complete"]:
            raise FlexwheelError(f"converge: the run of {note} did not reach its end: {results.attrs['status']}")
        names, series, step = signals_of(settled(results))
        if item is noise:
            left = third_octaves_of(series - given, step)[1]
        given = series if k == 0 else given
        centres, rms = third_octaves_of(series, step)
        bands.append(rms)
    change = np.array([level_difference(rms, bands[0], WITHIN_DB) for rms in bands[1:]]).reshape(-1, *bands[0].shape)
    factor = np.array([item.factor for item in refined]).reshape(-1, 1, 1)
    counts = np.isfinite(level_difference(bands[0], bands[0], WITHIN_DB))
    share = np.full(bands[0].shape, np.nan)
    if left is not None:
        share[counts] = left[counts] / bands[0][counts]
    cube = ("variation", "band", "signal")
    return xr.Dataset(
        {
            "rms": (("band", "signal"), bands[0], {"long_name": "rms in the third octave: N, m s-2, Pa"}),
            "change": (cube, change, {"units": "dB", "long_name": "change of the level"}),
            "error": (cube, factor * change, {"units": "dB", "long_name": "error of the level, by extrapolation"}),
            "iteration_noise": (
                ("band", "signal"),
                share,
                {"units": "1", "long_name": "rms of the noise of the contact iteration over rms"},
            ),
        },
        {
            "band": ("band", centres, {"units": "Hz", "long_name": "mid-band frequency"}),
            "signal": names,
            "variation": [item.name for item in refined],
            "refinement": ("variation", [item.change for item in refined]),
        },
        {
            "kind": "convergence",
            "title": scenario.run.title,
            "seconds": seconds,
            "scenario_digest": identity(scenario),
            "noise_unknown": unknown,
        },
    )


def _piece(scenario, seconds):
    """Overrides that make a run short and store what is compared."""
    run = scenario.run
    if not 0.5 <= seconds <= 600.0:
        raise ScenarioError(f"--seconds must be 0.5 to 600, got {seconds:g}")
    settling = settling_time(scenario)
    end = settling + seconds
    if end > run.duration * (1.0 + 1e-9):
        raise ScenarioError(
            f"converge: the scenario runs for {run.duration:.3g} s, the piece asked for takes {end:.3g} s (settling "
            f"{settling:.3g} s and --seconds {seconds:g}); ask for less, or let the scenario run longer"
        )
    if run.output_step_s > 0.4 / HIGHEST_HZ:
        raise ScenarioError(
            f"converge: run.output_step_s = {run.output_step_s:g}: third octaves to {HIGHEST_HZ:g} Hz need "
            f"{0.4 / HIGHEST_HZ:g} s at most"
        )
    place = run.place_at(end)
    length = f"run.duration_s={end!r}" if run.end_position_m is None else f"run.end_position_m={place!r}"
    return length, "run.compare_modes=[]", "output.variables=[]", "output.start_s=0"


def signals_of(results):
    """Names of the signals, their values (T, S), and the time between two [s]."""
    step = float(results.time[1] - results.time[0])
    names, columns = [], []
    for force in ("Q", "Y"):
        for wheel in map(str, results.wheel.values):
            names.append(f"{force} {wheel}")
            columns.append(results.wheel_force.sel(wheel=wheel, force=force).values)
    for node in map(str, results.control_node.values) if "control_node" in results.coords else ():
        for variable, text in SIGNALS.items():
            values = results[variable].sel(control_node=node)
            for point in map(str, values.point.values):
                for axis in map(str, values.axis.values) if "axis" in values.dims else ("",):
                    picked = values.sel(point=point, **({"axis": axis} if axis else {}))
                    names.append(signal_name(node, text, point, axis))
                    columns.append(picked.values)
    return names, np.stack(columns, axis=1), step


def third_octaves_of(series, step):
    """Mid-band frequencies (B,) and rms per band (B, S)."""
    return third_octaves(series, step, LOWEST_HZ, HIGHEST_HZ)


def signal_name(node, text, point, axis=""):
    """Name of a signal of a control node."""
    return f"{node}: {text}, {f'{axis}, ' if axis else ''}{point} point"


def total_error(error):
    """Error [dB] from those of all refinements (V, ...), root of the sum of squares; nan where all are."""
    return np.where(np.isnan(error).all(axis=0), np.nan, np.sqrt(np.nansum(error**2, axis=0)))


def largest_error(found, signals):
    """Largest total error [dB] (B,) over some signals, and the name of the refinement that has the most part in it."""
    error = found.error.sel(signal=signals).values
    total = total_error(error)
    size = np.where(np.isnan(total), -1.0, total)
    rows, worst = np.arange(size.shape[0]), size.argmax(axis=-1)
    most, parts = size[rows, worst], np.nan_to_num(np.abs(error[:, rows, worst]), nan=-1.0)
    return np.where(most < 0.0, np.nan, most), [str(found.variation.values[k]) for k in parts.argmax(axis=0)]


def groups(found):
    """`groups_of` a Dataset of convergence."""
    return groups_of(map(str, found.signal.values))


def groups_of(names):
    """Heading -> signals of the printed table: Q, Y, and every control node's acceleration and stress."""
    columns = {}
    for name in names:
        head = name.partition(",")[0] if ": " in name else name.partition(" ")[0]
        columns.setdefault(head, []).append(name)
    return columns


def convergence_table(found):
    """Lines: per third octave the largest error [dB] of each group of signals, and where most of it comes from."""
    columns = groups(found)
    found_by = {head: largest_error(found, names) for head, names in columns.items()}
    widths = {head: max(16, *(len(word) for word in head.split(": "))) for head in columns}
    lines = []
    for row in range(2):
        words = {head: ([""] + head.split(": "))[-2 + row] for head in columns}
        start = "band [Hz]" if row else ""
        lines.append(f"{start:>10}  " + "  ".join(f"{words[head]:>{widths[head]}}" for head in columns))
    for k, band in enumerate(found.band.values):
        cells = []
        for head in columns:
            most, source = found_by[head]
            text = "-" if np.isnan(most[k]) else f"{most[k]:.2f} {source[k]}"
            cells.append(f"{text:>{widths[head]}}")
        lines.append(f"{band:10.1f}  " + "  ".join(cells))
    return lines


def noise_lines(found):
    """Lines on the bands of each group of signals where iteration noise passes NOISE_SHARE; none where nowhere."""
    why, lines = found.attrs.get("noise_unknown", ""), []
    if why:
        lines.append(
            f"iteration noise not known, and not in the errors: the run with a tighter tolerance failed: {why}"
        )
    for head, names in groups(found).items():
        share = found.iteration_noise.sel(signal=names).values
        most = np.where(np.isnan(share), 0.0, share).max(axis=1)
        much = np.flatnonzero(most > NOISE_SHARE)
        if len(much):
            bands = ", ".join(f"{found.band.values[k]:.0f} Hz {100.0 * most[k]:.0f} %" for k in much)
            lines.append(f"iteration noise of {head}: {bands}; lower run.contact_tolerance_n")
    return lines


def write_convergence(found, folder):
    """Write the Dataset as convergence.nc in a folder, whole or not at all; returns its Path."""
    return write_results(found, Path(folder) / CONVERGENCE_NAME)


def read_convergence(folder, scenario):
    """Dataset of convergence.nc in a folder, if there is one and it is of that scenario; else None.

    Raises
    ------
    ScenarioError   when the file is not one of `flexwheel converge`
    """
    path = Path(folder) / CONVERGENCE_NAME
    if not path.is_file():
        return None
    found = loaded(path)
    if found.attrs.get("kind") != "convergence" or not {"change", "error", "rms"} <= set(found.data_vars):
        raise ScenarioError(f"{path}: not a file of 'flexwheel converge'; make it again")
    return found if found.attrs.get("scenario_digest") == identity(scenario) else None


def band_factor(found, signal):
    """Factor (B,) >= 1 between a signal's third octaves and their bounds: its errors [dB], root of their squares."""
    return 10.0 ** (total_error(found.error.sel(signal=signal).values) / 20.0)
