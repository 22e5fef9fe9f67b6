"""The AS4 run against itself: spinning and non-turning mesh, window and full-length track, step and half step."""

from __future__ import annotations

import functools

import numpy as np
from scipy import signal

from flexwheel.io.paths import PACKAGE_FOLDER
from flexwheel.io.scenario import read_scenario
from flexwheel.post.comparison import fluctuating, relative_difference
from flexwheel.post.spectra import level_difference, third_octaves
from flexwheel.run.reduced_bodies import flexible_wheelsets
from flexwheel.run.simulation import run_scenario
from flexwheel.verification.registry import bound, check, information

EXAMPLE = PACKAGE_FOLDER.parent / "examples" / "as4_curve.toml"
HIGHEST_HZ = 1300.0
SKIP_S = 0.5  # [s] of running in


@functools.lru_cache(maxsize=3)
def as4_run(*overrides):
    """Results of the AS4 scenario with keys set; the last three are kept."""
    scenario = read_scenario(EXAMPLE, overrides)
    return run_scenario(scenario, wheelsets=_wheelsets(scenario))


_MADE = {}


def _wheelsets(scenario):
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


@check("Lagrangian against Eulerian, AS4 run of 14 s", point=7, slow=True)
def lagrangian_against_eulerian():
    """Control nodes of the spinning mesh against those of the mesh that does not turn."""
    eulerian = after_running_in(as4_run("wheelset.front.mode=eulerian"))
    lagrangian = after_running_in(as4_run("wheelset.front.mode=lagrangian"))
    rows = []
    for name, percent in (("radial_displacement", 3.0), ("von_mises", 5.0)):
        for node in eulerian.control_node.values:
            for point in eulerian.point.values:
                pick = {"control_node": node, "point": point}
                part = relative_difference(lagrangian[name].sel(pick).values, eulerian[name].sel(pick).values)
                text = f"{name.replace('_', ' ')}, {node}, {point}: rms of the difference over that of the fluctuation"
                rows.append(bound(text, 100.0 * part, percent, "%", "Lagrangian against Eulerian run"))
    return rows


@check("Window against full-length track, AS4 run of 14 s", point=6, slow=True)
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
            difference = np.sqrt(np.mean(below(a - b, step) ** 2))
            part = difference / np.sqrt(np.mean(below(fluctuating(b), step) ** 2))
            rows.append(bound(f"{force} {wheel}: rms of the difference, 0-1300 Hz", 100.0 * part, 1.0, "%"))
            shift = abs(a.mean() - b.mean()) / abs(b.mean())
            rows.append(bound(f"{force} {wheel}: mean", 100.0 * shift, 1.0, "%", "full-length run"))
    return rows


@check("Halving the step, AS4 run of 14 s", point=9, slow=True)
def halving_the_step():
    """Third octaves 10-1250 Hz of wheel forces and node acceleration, bands within 60 dB of the highest."""
    coarse = after_running_in(as4_run("wheelset.front.mode=eulerian"))
    fine_step = float(coarse.attrs.get("step_s", 5e-5)) / 2.0
    fine = after_running_in(as4_run("wheelset.front.mode=eulerian", f"run.step_s={fine_step}"))
    step = float(coarse.time[1] - coarse.time[0])
    rows = []
    for force in ("Q", "Y"):
        for wheel in coarse.wheel.values:
            pick = {"wheel": wheel, "force": force}
            rows.append(_bands(f"{force} {wheel}", coarse.wheel_force.sel(pick), fine.wheel_force.sel(pick), step))
    for node in coarse.control_node.values:
        for point in coarse.point.values:
            pick = {"control_node": node, "point": point, "axis": "z"}
            a, b = coarse.absolute_acceleration.sel(pick), fine.absolute_acceleration.sel(pick)
            rows.append(_bands(f"radial acceleration {node} {point}", a, b, step))
    rows.append(information("wall time per simulated second", coarse.attrs["seconds_per_simulated_second"], "s"))
    return rows


def _bands(text, coarse, fine, step):
    first, second = (third_octaves(signal_.values, step)[1] for signal_ in (coarse, fine))
    largest = np.nanmax(np.abs(level_difference(first, second)))
    return bound(f"{text}: largest change of a band", largest, 0.5, "dB", "run with half the step")
