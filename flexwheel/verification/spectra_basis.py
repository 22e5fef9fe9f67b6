"""Spectra of control nodes against what a model leaves open: number of modes, description of the turning mesh."""

import functools

import numpy as np

from flexwheel.base.shipped import MESHES
from flexwheel.numerics.spectra import third_octaves
from flexwheel.results.evaluate.histories import wheelset_history
from flexwheel.verification import norms
from flexwheel.verification.as4_runs import CONVERGED, settled_run
from flexwheel.verification.check_registry import check, distance, exact, order, row

IN_ARC = ("run.start_position_m=70.0", "run.duration_s=4.0")
SHORTER = ("run.step_s=5e-5", "run.output_step_s=5e-5", "track.elements_per_bay=4")
STRAIGHT = ('track.layout=[{kind="straight", length_m=400.0}]', "run.duration_s=4.0")
SETTLED = 1.5  # [s]
CHANCE = 3.0  # standard deviations that noise alone may have on lines
HANN = 1.94  # sum of the squared correlations of a bin's power with its neighbours' under Hann's window
QUANTITIES = ("acceleration", "von_mises")
MORE_MODES = 119  # fixed-interface modes: 125 in all, to 4.4 kHz
after_settling = functools.partial(settled_run, SETTLED)


def level_rows(text, results, reference, limit, source, bands=(10.0, 1250.0)):
    """A row a node, point and quantity: largest difference of a third octave in `bands` [Hz] over all components.

    Each run with its own samples.
    """
    rows = []
    for node in results.control_node.values:
        for point in results.point.values:
            pick = {"control_node": node, "point": point}
            for name in QUANTITIES:
                levels = [
                    third_octaves(x[name].sel(pick).values.reshape(x.sizes["time"], -1), float(x.time[1] - x.time[0]))
                    for x in (results, reference)
                ]
                within = (levels[0][0] > 0.9 * bands[0]) & (levels[0][0] < 1.1 * bands[1])
                label = f"{text}, {bands[0]:g} to {bands[1]:g} Hz: {name.replace('_', ' ')}, {node}, {point}"
                largest = functools.partial(norms.levels, within=within)
                rows.append(distance(label, levels[0][1], levels[1][1], limit, "dB", source, largest))
    return rows


@check(
    "Spectra of control nodes: modes up to a frequency against 125 modes", subject="Reduction", slow=True,
    ground=order("three terms of the answer of modes above 2 kHz leave (f/2 kHz)^6 of their share at the nodes, two "
                 "shapes for each load on the journals (f/2 kHz)^8 there: 12 and 6 % at 1.41 kHz, where the last band "
                 "ends; the aim is 0.5 dB (6 %)"),
)  # fmt: skip
def modes_up_to_a_frequency():
    """Acceleration and von Mises stress, turning and fixed, three components, in the arc.

    The reference takes half of the step, with rail elements for it: modes to 4.4 kHz are not right in 100 us. It stores
    every step: modes above 5 kHz move their acceleration from step to step, which samples of 100 us fold to all bands,
    0.8 dB of the fixed tread point's radial acceleration at 13 Hz.
    """
    results = after_settling(*IN_ARC, CONVERGED)
    reference = after_settling(*IN_ARC, CONVERGED, f"wheelset.front.fixed_interface_modes={MORE_MODES}", *SHORTER)
    return level_rows("in the arc", results, reference, 0.5, "125 modes")


@check(
    "Spectra of control nodes: spinning mesh against mesh at rest", subject="Turning mesh", slow=True,
    ground=exact("the modes' harmonics are exact between sections, so that both are the same equations; 0.2 dB and 1 % "
                 "of the band leave room for the ends of the iterations; on lines what these have by chance, three "
                 "standard deviations of the power between the lines, does not count"),
)  # fmt: skip
def turning_of_the_mesh():
    """Third octaves, and the line at section passing, where sections pass within the band; both shipped meshes.

    The line also at the default contact tolerance, whose noise fills the third octaves below 40 Hz.
    """
    rows = []
    shipped, coarse = ("wheelset.inp", 180), ("wheelset_coarse.inp", 24)
    cases = [
        (40.0, IN_ARC, *coarse), (60.0, IN_ARC, *shipped), (60.0, IN_ARC, *coarse), (80.0, STRAIGHT, *shipped),
        (120.0, STRAIGHT, *coarse), (200.0, STRAIGHT, *coarse),
    ]  # fmt: skip
    for speed, track, mesh, sections in cases:
        keys = (*track, CONVERGED, f"run.speed_kmh={speed}", f"wheelset.front.mesh={str(MESHES / mesh)!r}")
        eulerian, lagrangian = (after_settling(*keys, f"wheelset.front.mode={m}") for m in ("eulerian", "lagrangian"))
        text = f"{speed:g} km/h, {mesh}"
        rows += level_rows(text, lagrangian, eulerian, 0.2, "eulerian")
        rows.append(_line_row(text, lagrangian, eulerian, sections))
    eulerian, lagrangian = (after_settling(*IN_ARC, f"wheelset.front.mode={m}") for m in ("eulerian", "lagrangian"))
    return [*rows, _line_row("80 km/h, wheelset.inp, default contact tolerance", lagrangian, eulerian, shipped[1])]


def _line_row(text, results, reference, sections):
    share = passing_shares(results, reference, sections)[1]
    return row(f"{text}: line at section passing over the band's rms", share, 0.0, "-", absolute=0.01)


def passing_shares(results, reference, sections):
    """rms of the difference of accelerations within 3 % of the section passing over the reference's rms there, and of
    its lines alone; the largest.

    Lines stand at multiples of the turning frequency; what the mean between them leaves of their power is theirs, as
    far as it is more than noise of the power between them has there by chance.
    """
    a, b = (x.acceleration.values.reshape(x.sizes["time"], -1) for x in (results, reference))
    window = np.hanning(len(a))[:, None]
    time, spin = results.time.values, wheelset_history(results, "front").spin
    frequency = np.fft.rfftfreq(len(a), time[1] - time[0])
    turning = (spin[-1] - spin[0]) / (time[-1] - time[0]) / (2 * np.pi)
    near = np.abs(frequency - sections * turning) < 0.03 * sections * turning
    difference, whole = (np.abs(np.fft.rfft(x * window, axis=0)[near]) ** 2 for x in (a - b, b))
    on_line = np.abs((frequency[near] / turning + 0.5) % 1 - 0.5) * turning < 2.1 * frequency[1]  # Hann's main lobe
    mean, deviation = difference[~on_line].mean(axis=0), difference[~on_line].std(axis=0)
    count = on_line.sum()
    chance = CHANCE * deviation * np.sqrt(HANN * count * (1.0 + count / np.sum(~on_line)))  # the mean's own as well
    lines = difference[on_line].sum(axis=0) - count * mean - chance
    shares = (difference.sum(axis=0) / whole.sum(axis=0), np.maximum(lines, 0.0) / whole.sum(axis=0))
    return tuple(float(np.sqrt(share.max())) for share in shares)
