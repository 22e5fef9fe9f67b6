"""Spectra of control nodes against what a model leaves open: number of modes, description of the turning mesh."""

import functools

import numpy as np

from flexwheel.post.spectra import level_difference, third_octaves
from flexwheel.run.reduced_bodies import flexible_wheelsets
from flexwheel.run.simulation import run_scenario
from flexwheel.scenario.reader import read_scenario
from flexwheel.shipped import EXAMPLES, MESHES
from flexwheel.verification.registry import check, distance, exact, order, row

IN_ARC = ("run.start_position_m=70.0", "run.duration_s=4.0")
CONVERGED = "run.contact_tolerance_n=0.05"
STRAIGHT = ('track.layout=[{kind="straight", length_m=400.0}]', "run.duration_s=4.0")
SETTLED = 1.5  # [s]
QUANTITIES = ("acceleration", "von_mises")
MORE_MODES = 119  # fixed-interface modes: 125 in all, to 4.4 kHz


def settled_run(*keys):
    """The AS4 railcar of the example after running in, with keys set."""
    scenario = read_scenario(EXAMPLES / "as4_curve.toml", keys)
    results = run_scenario(scenario, wheelsets=flexible_wheelsets(scenario))
    return results.isel(time=results.time.values > SETTLED)


def level_rows(text, results, reference, limit, source, bands=(10.0, 1250.0)):
    """A row a node, point and quantity: largest difference of a third octave in `bands` [Hz] over all components."""
    step = float(results.time[1] - results.time[0])
    rows = []
    for node in results.control_node.values:
        for point in results.point.values:
            pick = {"control_node": node, "point": point}
            for name in QUANTITIES:
                pair = (x[name].sel(pick).values.reshape(x.sizes["time"], -1) for x in (results, reference))
                levels = [third_octaves(values, step) for values in pair]
                within = (levels[0][0] > 0.9 * bands[0]) & (levels[0][0] < 1.1 * bands[1])
                label = f"{text}, {bands[0]:g} to {bands[1]:g} Hz: {name.replace('_', ' ')}, {node}, {point}"
                largest = functools.partial(_largest, within=within)
                rows.append(distance(label, levels[0][1], levels[1][1], limit, "dB", source, largest))
    return rows


def _largest(a, b, within):
    """Largest difference [dB] of levels (bands, components) no more than 60 dB below the highest of their component."""
    return np.nanmax(np.abs(level_difference(a, b)[within]))


@check(
    "Spectra of control nodes: modes up to a frequency against 125 modes", point=3, slow=True,
    ground=order("two terms of the answer of modes above 2 kHz leave (f/2 kHz)^4 of their share: 10 % (0.8 dB) at "
                 "1.12 kHz, where the band of 1 kHz ends, 25 % (1.9 dB) at 1.41 kHz"),
)  # fmt: skip
def modes_up_to_a_frequency():
    """Acceleration and von Mises stress, turning and fixed, three components, in the arc."""
    results = settled_run(*IN_ARC)
    reference = settled_run(*IN_ARC, f"wheelset.front.fixed_interface_modes={MORE_MODES}")
    rows = level_rows("in the arc", results, reference, 0.8, "125 modes", (10.0, 1000.0))
    return rows + level_rows("in the arc", results, reference, 1.9, "125 modes", (1250.0, 1250.0))


@check(
    "Spectra of control nodes: spinning mesh against mesh at rest", point=7, slow=True,
    ground=exact("the modes' harmonics are exact between sections, so that both are the same equations; 0.2 dB and 1 % "
                 "of the band leave room for the ends of the iterations"),
)  # fmt: skip
def turning_of_the_mesh():
    """Third octaves, and the line at section passing, where sections pass within the band; both shipped meshes."""
    rows = []
    cases = [(60.0, IN_ARC, "wheelset.inp"), (80.0, STRAIGHT, "wheelset.inp"), (200.0, STRAIGHT, "wheelset_coarse.inp")]
    for speed, track, mesh in cases:
        keys = (*track, CONVERGED, f"run.speed_kmh={speed}", f"wheelset.front.mesh={str(MESHES / mesh)!r}")
        eulerian, lagrangian = (settled_run(*keys, f"wheelset.front.mode={m}") for m in ("eulerian", "lagrangian"))
        text = f"{speed:g} km/h, {mesh}"
        rows += level_rows(text, lagrangian, eulerian, 0.2, "eulerian")
        sections = {"wheelset.inp": 180, "wheelset_coarse.inp": 24}[mesh]
        passing = sections * speed / 3.6 / 0.46 / (2 * np.pi)
        share = passing_share(lagrangian, eulerian, passing)
        rows.append(row(f"{text}: difference at section passing over the band's rms", share, 0.0, "-", absolute=0.01))
    return rows


def passing_share(results, reference, passing_hz):
    """rms of the difference of accelerations within 3 % of a frequency over the reference's rms there; the largest."""
    a, b = (x.acceleration.values.reshape(x.sizes["time"], -1) for x in (results, reference))
    window = np.hanning(len(a))[:, None]
    frequency = np.fft.rfftfreq(len(a), float(results.time[1] - results.time[0]))
    near = np.abs(frequency - passing_hz) < 0.03 * passing_hz
    difference, whole = (np.sum(np.abs(np.fft.rfft(x * window, axis=0)[near]) ** 2, axis=0) for x in (a - b, b))
    return float(np.sqrt(np.max(difference / whole)))
