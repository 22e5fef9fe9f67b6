"""Figures 11 to 14 of paper 000 in numbers: where and when the run has its peaks, and how often it iterates."""

import numpy as np
from scipy.ndimage import uniform_filter1d

from flexwheel.systems.locomotive.build_locomotive import build_locomotive_run, read_realtime_scenario
from flexwheel.systems.locomotive.run_realtime import realtime_results
from flexwheel.verification.check_registry import bound, check, claim, exact, floor, information, row
from flexwheel.verification.locomotive.realtime_core import EXAMPLE, FREE, hunting, locomotive, settled

CURVE_M = (45.0, 315.0)  # beginning and end of the double transition
MIDDLE_M = 180.0
STRAIGHT_S = 15.0  # from here on the paper sees what the irregularities make
WAVE_M, SPEED = 10.0, 23.7
CURVES_S = {"first": (3.0, 7.5), "second": (7.5, 13.2)}  # the paper's 5 and 10 s lie in them
WHEELS = {", left wheel": 4, "": 5}  # of the rear bogie's front wheelset, the right one as in the paper


@check(
    "Real-time locomotive: figures 11 and 13 of paper 000",
    ground=claim("paper 000: creepages are larger in the middle of the curves, at t about 5 and 10 s"),
)  # fmt: skip
def peaks():
    """Path of the body, and peaks of the rear bogie's front wheels in means over a wave of 10 m."""
    source = read_realtime_scenario(EXAMPLE, ["run.output_step_s=0.001"])
    run = realtime_results(source, build_locomotive_run(source))[0]
    t, x, y = run.time.values, *(run.position.sel(coordinate=c).values for c in "xy")
    over = np.argmax(x > MIDDLE_M)
    ground = exact("the line is symmetric about the middle; a wheelset keeps within 20 mm of it or leaves its rails")
    rows = [
        row("figure 11: y at the middle", y[over], 25.0, "m", absolute=0.02, source="symmetry", ground=ground),
        information("figure 11: time at the middle", t[over], "s"),
        information("figure 11: time at the end of the second curve", t[np.argmax(x > CURVE_M[1])], "s"),
    ]
    mean = {}
    for side, place in WHEELS.items():
        wheel = run.sel(wheel=str(run.wheel.values[place]))
        for name in ("creepage_y", "force_y", "moment_z", "normal_force"):
            mean[name] = np.abs(uniform_filter1d(wheel[name].values, round(WAVE_M / SPEED / (t[1] - t[0]))))
        for curve, (begin, end) in CURVES_S.items():
            at = np.flatnonzero((t > begin) & (t < end))
            middle = at[np.argmax(mean["creepage_y"][at])]
            for name in ("creepage_y", "force_y", "moment_z"):
                top = at[np.argmax(mean[name][at])]
                text = f"figure 13: {name.replace('_', ' ')}, {curve} curve{side}"
                rows += [information(f"{text}: largest", mean[name][top], str(run[name].attrs["units"]))]
                rows += [information(f"{text}: its time", t[top], "s"), information(f"{text}: its place", x[top], "m")]
            text = f"figure 13: wheel load, middle of the {curve} curve{side}"
            rows.append(information(text, mean["normal_force"][middle], "N"))
    late, curve = t > STRAIGHT_S, (x > CURVE_M[0]) & (x < CURVE_M[1])
    ratio = mean["creepage_y"][curve].max() / mean["creepage_y"][late].max()
    return [*rows, floor("figure 13: lateral creepage in the curves over that after 15 s", ratio, 1.0)]


@check(
    "Real-time locomotive: figure 14 of paper 000",
    ground=claim("paper 000, figure 14: none or one iteration, more often one in the curves"),
)  # fmt: skip
def iterations():
    """Share of steps with an iteration, by the constraints' tolerance and the amplitude of the irregularities."""
    rows = []
    for amplitude, tolerance in ((10, 1e-6), (10, 5e-6), (5, 1e-6), (5, 2e-6), (3, 1e-6)):
        x, tangent, _ = _counts(f"contact.tolerance={tolerance}", f"track.amplitude_mm={amplitude}")
        text = f"{amplitude} mm, {tolerance:g}"
        rows.append(bound(f"{text}: iterations, tangent, at most", tangent.max(), 1))
        curve, late = (x > CURVE_M[0]) & (x < CURVE_M[1]), x > STRAIGHT_S * SPEED
        for where, steps in (("curves", curve), ("after 15 s", late)):
            rows.append(information(f"{text}: steps with one, {where}", 100.0 * np.mean(tangent[steps] > 0), "%"))
    for tolerance, most in ((1e-8, 0), (1e-9, 1)):
        normal = _counts(f"contact.tolerance={tolerance}")[2]
        rows.append(bound(f"10 mm, {tolerance:g}: iterations, normal, at most", normal.max(), most))
    return rows


def _counts(*settings):
    """Place, tangent and normal iterations of each step."""
    loco = locomotive(*settings)
    found = loco.run(35_000, 1, loco.record_places("q", [0]))
    return found[1:, 0], found[1:, -3], found[1:, -2]


@check(
    "Real-time locomotive: figure 12 of paper 000",
    ground=claim("paper 000, figure 12: behind the second curve a longer wave, of hunting, is seen"),
)  # fmt: skip
def hunting_behind_the_curve():
    """Half the range of the body's lateral motion from 330 to 500 m, whole and as a mean over the 10 m of a wave.

    By the amplitude of the irregularities, of which the paper gives 10 mm.
    """
    rows = []
    for amplitude in (10, 5, 0):
        loco = locomotive(f"track.amplitude_mm={amplitude}")
        x, y = loco.run(35_000, 1, loco.record_places("q", [0, 1]))[:, :2].T
        places = np.arange(325.0, 800.0, 0.05)
        path = 1e3 * (np.interp(places, x, y) - 50.0)
        wave = np.convolve(path, np.full(200, 1 / 200), "valid")
        near = np.s_[: round((500.0 - 330.0) / 0.05)]
        spectrum = np.abs(np.fft.rfft((wave - wave.mean()) * np.hanning(len(wave))))
        number = np.fft.rfftfreq(len(wave), 0.05)
        long = (number > 1 / 150) & (number < 1 / 15)
        rows.append(information(f"{amplitude} mm: longer wave", np.ptp(wave[near]) / 2, "mm"))
        rows.append(information(f"{amplitude} mm: motion with both waves", np.ptp(path[near]) / 2, "mm"))
        if np.ptp(wave[near]) > 1.0:
            length = 1 / number[long][np.argmax(spectrum[long])]
            rows.append(information(f"{amplitude} mm: length of the longer wave", length, "m"))
    return [*rows, floor("5 mm: longer wave, as the paper sees one", rows[2].value, 0.5, "mm")]


@check("Real-time locomotive: what decides the hunting of figure 12")
def deciding_datum():
    """Growth at 85.3 km/h by inclination of the rails, which paper 000 does not give, and its shear modulus."""
    rows = []
    for inclined, setting in (("1:20", ()), ("upright", ("track.inclination=0.0",))):
        for choice, text in (("right", "E/(2(1 + nu))"), ("paper", "E/(2(1 - nu)), the authors'")):
            loco = settled(*FREE, "contact.friction=0.0", *setting, f"contact.shear_modulus='{choice}'")
            loco.run(200)
            rows.append(information(f"growth, rails {inclined}, G = {text}", hunting(loco)[0].real, "1/s"))
    return rows
