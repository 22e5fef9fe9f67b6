"""A wheel that moves over a sleepered rail against an independent solution of high order, and the rail's receptance."""

from dataclasses import replace

import numpy as np
from scipy.interpolate import CubicSpline

from flexwheel.numerics.integration import newmark
from flexwheel.track.flexible_build import make_window
from flexwheel.track.track_parameters import (
    Fastener,
    FlexibleTrack,
    Foundation,
    SemiSleeper,
    SupportSpring,
    flexible_track,
    rail_section,
)
from flexwheel.verification import norms
from flexwheel.verification.benches.rolling_wheel import Wheel, rolling_force
from flexwheel.verification.benches.struck_rail import COMPONENTS, PLACES, receptance_error
from flexwheel.verification.check_registry import bound, check, distance, other_code
from flexwheel.verification.reference_rows import DATA

SPEED, PERIOD, STEP = 22.2, 6.0, 5e-5
"""[m/s], [m] of the roughness, [s] the default step."""
DISCRETE = ((2, 1e-4), (3, 8e-5), (4, 5e-5))
"""Elements a bay and step [s]: of examples/as4_curve.toml, and where a scenario names none."""
WHEEL = Wheel(mass=600.0, load=75e3, stiffness=1.33834e9)


def reference_track():
    """The track of moving_wheel_lines.csv: rail damping 5e-7 s; what the plane problem does not have is as shipped."""
    rail = replace(rail_section("uic60"), stiffness_damping=5e-7)
    fastener = Fastener(
        vertical=SupportSpring(2e8, 2.5e4),
        lateral=SupportSpring(4e7, 1e4),
        longitudinal=SupportSpring(1e4),  # no rotation of the pad: a spring at the foot would resist it
        roll=SupportSpring(3.75e5),
    )
    foundation = Foundation(SupportSpring(5e7, 6e4), SupportSpring(4e7, 4.7e4), SupportSpring(5.2e6))
    return FlexibleTrack(rail, fastener, SemiSleeper(140.0, 18.2), foundation, 0.6)


def reference_lines():
    """Fourier lines (351, 2) complex [N] of the force: rough and smooth rail, at 3.7 Hz times 1 to 351."""
    table = np.loadtxt(DATA / "moving_wheel_lines.csv", delimiter=",")
    return table[:, 1::2] + 1j * table[:, 2::2]


def roughness():
    """Height [m] of the reference's rough rail as a function of s (n,) [m]."""
    k, amplitude, phase = np.loadtxt(DATA / "moving_wheel_roughness.csv", delimiter=",", skiprows=3).T
    return lambda s: np.cos(2.0 * np.pi / PERIOD * s[:, None] * k + phase) @ amplitude


def settled_lines(height, periods=5, step=STEP, wheel=WHEEL, speed=SPEED, **window):
    """Fourier lines (351,) [N] of the last period of rolling_force over `periods` of them; window: of make_window."""
    coefficients = newmark(step)
    model = make_window(reference_track(), coefficients, **window)
    start = 5.0 * PERIOD
    s, force = rolling_force(model, coefficients, wheel, speed, height, PERIOD * periods + 0.2, start)
    x = start + PERIOD * (periods - 1) + PERIOD / 6000.0 * np.arange(6000)
    return 2.0 / 6000.0 * np.fft.fft(CubicSpline(s, force)(x))[1:352]


def third_octaves(found, wanted):
    """Largest difference [dB] of the third octaves from 20 Hz to 1.25 kHz that lines 3.7 Hz apart fill."""
    frequency = 3.7 * np.arange(1, len(found) + 1)
    worst = 0.0
    for centre in 10.0 ** (0.1 * np.arange(13, 32)):
        band = (frequency >= centre * 10.0**-0.05) & (frequency < centre * 10.0**0.05)
        worst = max(worst, abs(10.0 * np.log10(np.sum(np.abs(found[band]) ** 2) / np.sum(np.abs(wanted[band]) ** 2))))
    return worst


@check(
    "Wheel that rolls over a sleepered rail, step by step", subject="Track", slow=True,
    ground=other_code("independent solver, elements of order 7, 250 bays; 2 %, 0.1 dB, 1 N and 0.3 % set beforehand"),
)  # fmt: skip
def rolling_wheel():
    """600 kg on a linear Hertz spring at 22.2 m/s, lightly damped rail, default elements, step and window."""
    return [row for elements, step in DISCRETE for row in _rolling_rows(elements, step)]


def _rolling_rows(elements, step):
    wanted = reference_lines()
    settings = {"step": step, "elements": elements}
    found = settled_lines(roughness(), **settings)
    source, of = "order 7, 250 bays", f"{elements} elements, {1e6 * step:g} us"
    rows = []
    for top in (1000, 1298):
        lines = slice(int(top / 3.7))
        text = f"rough rail, force to {top} Hz, {of}"
        rows.append(distance(text, found[lines], wanted[lines, 0], 0.02, "", source, norms.rms_relative))
    text = f"rough rail, worst third octave, {of}"
    rows.append(distance(text, found, wanted[:, 0], 0.1, "dB", source, third_octaves))
    smooth = settled_lines(np.zeros_like, **settings)
    passing = np.arange(10 * elements, 351, 10 * elements) - 1  # multiples of the speed over the element's length
    rows.append(
        distance(f"smooth rail, lines of element passing, largest difference, {of}", smooth[passing],
                 wanted[passing, 1], 1.0, "N rms", source, lambda a, b: np.abs(a - b).max() / np.sqrt(2.0))
    )  # fmt: skip
    band = slice(int(900 / 3.7), int(1200 / 3.7))
    long = settled_lines(roughness(), window_bays=250, **settings)
    text = f"window against 250 bays, force 900-1200 Hz, {of}"
    rows.append(bound(text, norms.rms_relative(found[band], long[band]), 0.003, "", "250 bays"))
    return rows


@check(
    "Receptance of the sleepered rail, step by step", subject="Track", slow=True,
    ground=other_code("exact dynamic stiffness of the periodic rail; 0.3 dB set beforehand"),
)  # fmt: skip
def struck_rail():
    """Shipped track, 100 to 1400 Hz, rail struck over a sleeper, at quarter and mid-bay; default window."""
    frequency = np.unique(np.r_[100.0:1400.1:5.0, 470.0:490.1:0.5, 1060.0:1075.1, 1140.0:1160.1])
    rows = []
    for elements, step in (*DISCRETE, (8, 5e-5), (8, 2.5e-5)):
        for name, place in PLACES.items():
            error = receptance_error(flexible_track(), newmark(step), place, frequency, elements=elements)
            for component, worst in zip(COMPONENTS, np.max(np.abs(error), axis=1), strict=True):
                text = f"{component}, {name}, {elements} elements, {1e6 * step:g} us"
                rows.append(bound(text, float(worst), 0.3, "dB", "exact periodic rail"))
    return rows
