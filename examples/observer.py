"""On-board observer: wheelset lateral position and track irregularity from noisy accelerations of car body and bogies.

The ML95 runs over straight track with irregularities. The truth is the full three-dimensional model with the standard
profiles (or, quicker, the simplified model with `truth="simplified"`); a Kalman filter on the linear simplified model
gets accelerometer samples with noise, starts 5 mm wrong, and estimates where the wheelsets stand on the track and what
the track looks like. Run it:  python examples/observer.py [full | simplified] [picture.png]
"""

import sys
from pathlib import Path

import numpy as np
from scipy.signal import butter, sosfiltfilt

from flexwheel.run.keys.reader import read_scenario_source
from flexwheel.systems.reduced.observer import ObserverSensor, build_observer, measure, observe
from flexwheel.systems.reduced.reduced_run import build_reduced, run_full
from flexwheel.systems.reduced.simulate_reduced import run
from flexwheel.track.psd import RationalSpectrum, erri_b176

SCENARIO = Path(__file__).with_name("ml95_straight.toml")
STEP = 0.01  # [s] between samples
BODY_NOISE, BOGIE_NOISE = 0.01, 0.05  # [m/s2] standard deviation of one sample of an accelerometer
SETTLED = 3.0  # [s] after which errors are counted
BAND = (3.0, 25.0)  # [m] wavelengths in which the alignment is compared (D1 of EN 13848)


def main(truth="full", noise_scale=1.0, wrong_start=0.005, seed=1, picture=None, show=print):
    """Errors of the estimate; returns a dict of figures."""
    options = [f"run.output_step_s={STEP}", "run.end_position_m=280"]
    source = read_scenario_source(SCENARIO, options)
    model = build_reduced(source.scenario, source.scenario.reduced)
    contact = {"tread": "conicity", "conicity_amplitude_mm": 2.0}  # near the amplitude that the track will bring
    linear = build_reduced(source.scenario, source.scenario.reduced.model_copy(update=contact))
    records = run(
        model,
        source.scenario.run.duration,
        source.scenario.reduced.step_s,
        round(STEP / source.scenario.reduced.step_s),
    ).records
    irregularity, time = records.irregularity[1:], records.time[1:]
    if truth == "full":
        full = run_full(source.scenario)
        coordinates, accelerations = full.coordinates[1:], full.accelerations[1:]
    else:
        coordinates, accelerations = records.coordinates[1:], records.accelerations[1:]
    bodies, wheelsets = len(model.vehicle.bodies), len(model.vehicle.wheelsets)

    sensors = []
    for unit, (arm, noise) in enumerate(((6.0, BODY_NOISE), (0.8, BOGIE_NOISE), (0.8, BOGIE_NOISE))):
        noise = noise * noise_scale
        sensors += [ObserverSensor(unit, "lateral", arm, noise), ObserverSensor(unit, "lateral", -arm, noise)]
        sensors += [ObserverSensor(unit, "roll", 0.9, noise / (0.9 * np.sqrt(2.0)))]
    measured = measure(sensors, coordinates, accelerations, np.random.default_rng(seed))

    spectra = erri_b176("low")
    angle = spectra.cross_level
    cross_level = RationalSpectrum(angle.amplitude * (2.0 * spectra.half_spacing) ** 2, angle.rise, angle.corners)
    observer = build_observer(linear, spectra.lateral, cross_level, sensors, STEP)
    start = np.zeros(len(observer.transition))
    for i in range(wheelsets):
        start += wrong_start * observer.rows[f"lateral {i}"]
    estimates = observe(observer, measured, start)

    alignment = irregularity[:, :, [0, 2]].mean(axis=2)
    relative = coordinates[:, bodies:, 0] - alignment
    guessed_alignment = np.stack([estimates @ observer.rows[f"alignment {i}"] for i in range(wheelsets)], axis=1)
    guessed = (
        np.stack([estimates @ observer.rows[f"lateral {i}"] for i in range(wheelsets)], axis=1) - guessed_alignment
    )
    late = time > SETTLED
    speed = source.scenario.run.speed
    # under the last wheelset: the track there has been passed by the others, the estimate is a smoothed one
    band = [_band(a[:, -1], STEP * speed, BAND)[late] for a in (alignment, guessed_alignment)]
    figures = {
        "position_rms_mm": 1e3 * _rms(relative[late]),
        "position_error_rms_mm": 1e3 * _rms((guessed - relative)[late]),
        "first_error_mm": 1e3 * abs(guessed[0, 0] - relative[0, 0]),
        "alignment_rms_mm": 1e3 * _rms(band[0]),
        "alignment_error_rms_mm": 1e3 * _rms(band[1] - band[0]),
        "expected_position_error_mm": 1e3 * _expected(observer, "lateral 0", "alignment 0"),
        "expected_alignment_error_mm": 1e3 * _expected(observer, f"alignment {wheelsets - 1}"),
        "states": len(observer.transition),
    }
    f = figures
    show(f"truth: {truth} model; {f['states']} states, samples every {1e3 * STEP:g} ms")
    show(f"wheelset on the track: rms {f['position_rms_mm']:.2f} mm; started {f['first_error_mm']:.1f} mm wrong, error "
         f"after {SETTLED:g} s rms {f['position_error_rms_mm']:.2f} mm (the filter expects "
         f"{f['expected_position_error_mm']:.2f} mm)")  # fmt: skip
    show(f"alignment under the last wheelset, waves of {BAND[0]:g} to {BAND[1]:g} m: "
         f"rms {f['alignment_rms_mm']:.2f} mm, error rms {f['alignment_error_rms_mm']:.2f} mm")  # fmt: skip
    if picture:
        draw(picture, time, relative[:, 0], guessed[:, 0], alignment[:, 0], guessed_alignment[:, 0], truth)
    return figures


def draw(path, time, relative, guessed, alignment, guessed_alignment, truth):
    """True and estimated position of the leading wheelset and alignment."""
    from flexwheel.assess.figures.style import label, new_figure, save_figure

    figure, axes = new_figure(3, f"Observer on ML95 accelerations, truth: {truth} model", height=8.5)
    axes[0].plot(time, 1e3 * relative, color="black", linewidth=1.0, label="true")
    axes[0].plot(time, 1e3 * guessed, color="tab:blue", linewidth=1.0, label="estimated")
    label(axes[0], y="leading wheelset\non the track [mm]")
    axes[1].plot(time, 1e3 * alignment, color="black", linewidth=1.0)
    axes[1].plot(time, 1e3 * guessed_alignment, color="tab:blue", linewidth=1.0)
    label(axes[1], y="alignment [mm]")
    axes[2].plot(time, 1e3 * (guessed - relative), color="tab:red", linewidth=0.8, label="position")
    axes[2].plot(time, 1e3 * (guessed_alignment - alignment), color="tab:orange", linewidth=0.8, label="alignment")
    label(axes[2], "time [s]", "error [mm]")
    return save_figure(figure, path)


def _rms(values):
    return float(np.sqrt(np.mean(np.square(values))))


def _expected(observer, name, less=None):
    """Standard deviation of an estimate, or of the difference of two, as the filter itself expects it."""
    row = observer.rows[name] - (observer.rows[less] if less else 0.0)
    return float(np.sqrt(row @ observer.covariance @ row))


def _band(values, spacing, waves):
    """Values with only waves between two lengths [m]."""
    edges = [1.0 / waves[1], 1.0 / waves[0]]
    return sosfiltfilt(butter(3, edges, "bandpass", fs=1.0 / spacing, output="sos"), values)


if __name__ == "__main__":
    found = main(*(sys.argv[1:2] or ["full"]), picture=(sys.argv[2:3] or [None])[0])
    # checked against what the filter did not compute: the truth
    assert found["position_error_rms_mm"] < 0.75 * found["position_rms_mm"], "the estimate is no better than a guess"
    assert found["position_error_rms_mm"] < 0.5 * found["first_error_mm"], "the wrong start was not forgotten"
