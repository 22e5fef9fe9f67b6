"""The AS4 run against itself: spinning and non-turning mesh, window and full-length track, step and its eighth."""

import functools

import numpy as np
from scipy import signal

from flexwheel.base.shipped import EXAMPLES, MESHES
from flexwheel.numerics.spectra import decibel, level_difference, third_octaves
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.reduced_bodies import flexible_wheelsets
from flexwheel.run.simulation import run_scenario
from flexwheel.verification import norms
from flexwheel.verification.check_registry import check, claim, distance, information, order, other_code

EXAMPLE, PAPER_EXAMPLE = EXAMPLES / "as4_curve.toml", EXAMPLES / "as4_paper.toml"
FILLET = "front web_fillet_right"  # the paper's control node
AT_FILLET = {"control_node": FILLET, "point": "fixed"}
HIGHEST_HZ = 1300.0
SKIP_S = 0.5  # [s] of running in
SHORT_RUN = ("wheelset.front.mode=eulerian", "run.duration_s=3.0")
CONVERGED = "run.contact_tolerance_n=0.05"


@functools.lru_cache(maxsize=3)
def as4_run(*overrides):
    """Results of the AS4 scenario with keys set; the last three are kept."""
    scenario = read_scenario(EXAMPLE, overrides)
    return run_scenario(scenario, wheelsets=as4_wheelsets(scenario))


def settled_run(after, *keys):
    """Results of the AS4 scenario with keys set and wheelsets of its own, later than `after` [s]."""
    scenario = read_scenario(EXAMPLE, keys)
    results = run_scenario(scenario, wheelsets=flexible_wheelsets(scenario))
    return results.isel(time=results.time.values > after)


_MADE = {}


def as4_wheelsets(scenario):
    """Reduced once for all runs: no check changes the mesh."""
    if not _MADE:
        _MADE.update(flexible_wheelsets(scenario))
    return _MADE


def below(values, step, highest_hz=HIGHEST_HZ):
    """Signal (T, ...) without what lies above highest_hz, phase kept."""
    sections = signal.butter(8, highest_hz, fs=1.0 / step, output="sos")
    return signal.sosfiltfilt(sections, np.asarray(values, dtype=float), axis=0)


def after_running_in(results):
    """The part of a run after SKIP_S."""
    return results.isel(time=results.time.values > SKIP_S)


@check(
    "Lagrangian against Eulerian, AS4 run of 14 s", subject="Turning mesh", slow=True,
    ground=claim("paper 004: both descriptions give the same results; 3 and 5 % are what a picture of them shows"),
)  # fmt: skip
def lagrangian_against_eulerian():
    """Control nodes of the spinning mesh against those of the mesh that does not turn."""
    eulerian = after_running_in(as4_run("wheelset.front.mode=eulerian"))
    lagrangian = after_running_in(as4_run("wheelset.front.mode=lagrangian"))
    return _description_rows("", lagrangian, eulerian)


def _description_rows(prefix, lagrangian, eulerian, judged=""):
    """rms of the difference of both runs at every control node; those with `judged` in their names have to agree."""
    rows = []
    for name, percent in (("radial_displacement", 3.0), ("von_mises", 5.0)):
        for node in eulerian.control_node.values:
            for point in eulerian.point.values:
                pick = {"control_node": node, "point": point}
                pair = (lagrangian[name].sel(pick).values, eulerian[name].sel(pick).values)
                text = f"{name.replace('_', ' ')}, {node}, {point}: rms of the difference over that of the fluctuation"
                source = "Lagrangian against Eulerian run"
                made = distance(prefix + text, *pair, percent, "%", source, _over_fluctuation, 100.0)
                rows.append(made if judged in node else information(made.quantity, made.value, "%", source))
    return rows


def _fluctuation_rows(prefix, run):
    """How much the paper's figures 17 to 19 move: rms about the mean, at the fixed point."""
    found = (
        ("radial displacement", 1e6, "um", run.radial_displacement.sel(AT_FILLET)),
        ("von Mises stress", 1e-6, "MPa", run.von_mises.sel(AT_FILLET)),
        ("radial acceleration", 1.0, "m/s2", run.absolute_acceleration.sel(AT_FILLET | {"axis": "z"})),
    )
    return [
        information(f"{prefix}{name}, {FILLET}, fixed: rms of the fluctuation", scale * float(values.std()), unit)
        for name, scale, unit, values in found
    ]


@functools.lru_cache(maxsize=1)
def stand_in_runs(paper_settings):
    """Lagrangian and Eulerian results of the AS4 on the stand-in for paper 004's wheelset, 14 s.

    paper_settings : bool    as examples/as4_paper.toml, or as the example is otherwise
    """
    file, keys, eulerian = PAPER_EXAMPLE, (), "eulerian_interpolated"
    if not paper_settings:
        mesh = f'wheelset.front.mesh="{(MESHES / "wheelset_paper.inp").as_posix()}"'
        file, keys, eulerian = EXAMPLE, (mesh, 'accept=["wheelset_mass", "wheelset_inertia"]'), "eulerian"
    wheelsets = flexible_wheelsets(read_scenario(file, keys))
    modes = {"Lagrangian": "lagrangian", "Eulerian": eulerian}
    return {
        name: run_scenario(read_scenario(file, (*keys, f"wheelset.front.mode={mode}")), wheelsets=wheelsets)
        for name, mode in modes.items()
    }


@check(
    "Stand-in for the wheelset of paper 004, AS4 run of 14 s", subject="Turning mesh", slow=True,
    ground=claim("paper 004: practically identical at its node of the fillet; 3 and 5 % are what a picture of them "
                 "shows. Interpolation over 2 degrees, the paper's, damps"),
)  # fmt: skip
def stand_in_in_the_railcar():
    """Both descriptions on a wheelset of the paper's frequencies: settings of this package, then those of the paper."""
    rows = []
    for paper_settings, text in ((False, "settings here"), (True, "settings of the paper")):
        lagrangian, eulerian = (after_running_in(run) for run in stand_in_runs(paper_settings).values())
        rows += _description_rows(f"{text}: ", lagrangian, eulerian, judged="fillet")
        rows += _fluctuation_rows(f"{text}: ", eulerian)
    return rows


def _over_fluctuation(a, b):
    """rms of the difference over that of the second about its mean."""
    return norms.rms(a, b) / np.std(b, axis=0)


@check(
    "Window against full-length track, AS4 run of 14 s", subject="Track", slow=True,
    ground=other_code("a track of every sleeper; the absorbing ends may send back 1 % in amplitude, 40 dB"),
)  # fmt: skip
def window_against_full_length():
    """Wheel-rail forces on the travelling window against those on every sleeper of the route."""
    window = after_running_in(as4_run("wheelset.front.mode=eulerian"))
    full = after_running_in(as4_run("wheelset.front.mode=eulerian", "track.extent=full_length"))
    step = float(window.time[1] - window.time[0])
    rows = []
    for force in ("Q", "Y"):
        for wheel in window.wheel.values:
            pick = {"wheel": wheel, "force": force}
            a, b = window.wheel_force.sel(pick).values, full.wheel_force.sel(pick).values
            text, source = f"{force} {wheel}: rms of the difference, 0-1300 Hz", "full-length run"
            slow = [below(x, step) for x in (a, b)]
            rows.append(distance(text, *slow, 1.0, "%", source, _over_fluctuation, 100.0))
            rows.append(distance(f"{force} {wheel}: mean", a.mean(), b.mean(), 1.0, "%", source, norms.each, 100.0))
    return rows


@check(
    "Default step against an eighth of it, AS4 run of 3 s", subject="Time step", slow=True,
    ground=order("wheelsets in phase and rails matched to the step have no error of second order in their "
                 "frequencies; 0.25 dB accepted. Rails of the fine run have 8 elements a bay, as the step is short; "
                 "contact iterations end at 0.05 N, as what they leave is no error of the step"),
)  # fmt: skip
def default_step_against_an_eighth():
    """Third octaves 10-1250 Hz of forces, node acceleration and stress, bands within 60 dB of the highest.

    Inertial rails in steps of 50 us: they are not matched to the step. What iterations leave at the default tolerance
    has rows of its own. Von Mises stress at a turning node on the tread is a pulse of 1 ms a turn, of which samples of
    100 us fold what lies above 5 kHz: it is compared at the same instants, and what is folded is told.
    """
    short = "run.step_s=5e-5", "run.output_step_s=1e-4"
    rows = _step_rows("default rails", (), ("track.elements_per_bay=8",)) + _tolerance_rows()
    return rows + _step_rows("inertial rails, 50 us", ("track.model=inertial", *short), ())


@check(
    "Rail elements a bay, AS4 run of 3 s", subject="Track", slow=True,
    ground=order("elements matched to the step are the same rail however long; 0.3 dB set beforehand"),
)  # fmt: skip
def elements_a_bay():
    """Third octaves 10-1250 Hz of Q and Y of every wheel in the curve in steps of 80 us: 2, 4, 8 elements against 3."""
    keys = (
        "wheelset.front.mode=eulerian", "run.duration_s=3.0", "run.contact_tolerance_n=0.5", "run.step_s=8e-5",
        "run.output_step_s=8e-5",
    )  # fmt: skip
    default, rows = after_running_in(as4_run(*keys, "track.elements_per_bay=3")), []
    for elements in (2, 4, 8):
        run = after_running_in(as4_run(*keys, f"track.elements_per_bay={elements}"))
        for force in "QY":
            for wheel in run.wheel.values:
                pick = {"wheel": wheel, "force": force}
                pair = band_changes(run.wheel_force.sel(pick), default.wheel_force.sel(pick))
                text = f"{elements} elements: {force} {wheel}, largest change of a band"
                rows.append(distance(text, *pair, 0.3, "dB", "3 elements", norms.largest))
    return rows


def _step_rows(rails, overrides, finer):
    keys = (*SHORT_RUN, CONVERGED, *overrides)
    coarse = after_running_in(as4_run(*keys))
    fine_step = float(coarse.attrs["integration_step_s"]) / 8.0
    sampled = (
        f"run.output_step_s={fine_step}"  # what lies above 5 kHz in it would fold into the bands at coarse samples
    )
    fine = after_running_in(as4_run(*keys, f"run.step_s={fine_step}", sampled, *finer))
    rows = []
    for text, name, pick in _signals(coarse):
        pulses = name == "von_mises" and pick["point"] == "rotating"  # shorter than the band of coarse samples
        reference = fine[name].sel(pick)
        if pulses:
            reference = reference.sel(time=coarse.time, method="nearest")
        pair = band_changes(coarse[name].sel(pick), reference)
        source = "run with an eighth of the step" + (", at the same instants" if pulses else "")
        rows.append(distance(f"{rails}: {text}, largest change of a band", *pair, 0.25, "dB", source, norms.largest))
        if pulses:
            folded = norms.largest(*band_changes(reference, fine[name].sel(pick)))
            rows.append(information(f"{rails}: {text}, folded by samples a step apart", folded, "dB"))
    seconds = coarse.attrs["seconds_per_simulated_second"]
    rows.append(information(f"{rails}: wall time per simulated second", seconds, "s"))
    return rows


def _tolerance_rows():
    """Contact tolerance as it is by default against CONVERGED."""
    default, converged = (after_running_in(as4_run(*SHORT_RUN, *keys)) for keys in ((), (CONVERGED,)))
    rows = []
    for text, name, pick in _signals(default):
        pair = band_changes(default[name].sel(pick), converged[name].sel(pick))
        text = f"default contact tolerance: {text}, largest change of a band"
        rows.append(distance(text, *pair, 0.25, "dB", "run with 0.05 N", norms.largest))
    return rows


def _signals(results):
    """(text, variable, selection) of Q and Y of each wheel, acceleration and von Mises stress of each control node."""
    signals = [(f"{f} {w}", "wheel_force", {"wheel": w, "force": f}) for f in "QY" for w in results.wheel.values]
    for node in results.control_node.values:
        for point in results.point.values:
            pick = {"control_node": node, "point": point}
            signals += [(f"acceleration {a}, {node} {point}", "acceleration", {**pick, "axis": a}) for a in "xyz"]
            signals.append((f"von Mises, {node} {point}", "von_mises", pick))
    return signals


def band_changes(measured, reference, least_hz=10.0):
    """Levels [dB] of two signals in the third octaves above least_hz, within 60 dB of the reference's highest."""
    (centres, first), (_, second) = (
        third_octaves(x.values, float(x.time[1] - x.time[0])) for x in (measured, reference)
    )
    keep = (centres > 0.9 * least_hz) & ~np.isnan(level_difference(second, second))
    return decibel(first[keep], 1.0), decibel(second[keep], 1.0)
