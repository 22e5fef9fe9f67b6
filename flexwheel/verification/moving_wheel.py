"""A wheel that moves over a sleepered rail, in the frequency domain, beside an independent solution in time."""

import numpy as np

from flexwheel.assess.linear.linear_contact import ContactSystem
from flexwheel.assess.linear.moving_receptance import moving_receptance
from flexwheel.assess.linear.on_rails import WheelPlaces, rail_coupling, solve_harmonics
from flexwheel.numerics.spectra import band_edges
from flexwheel.track.track_parameters import (
    Fastener,
    FlexibleTrack,
    Foundation,
    RailSection,
    SemiSleeper,
    SupportSpring,
)
from flexwheel.verification.check_registry import check, other_code, row
from flexwheel.verification.reference_rows import DATA

SPEED, PERIOD, MASS, HERTZ, LOAD = 22.2, 6.0, 600.0, 1.33834e9, 75.0e3 + 600.0 * 9.81
HIGHEST = 1412.6  # [Hz] upper edge of the last band
LIMIT_DB = 0.1
REFERENCE_ERROR = 0.3  # [N] of the reference on the smooth rail, as its author states; weaker bands are left out
VERTICAL = (2, 6)  # of the head coordinates of both wheels


def reference_track():
    """The track of the reference: vertical pads alone; springs across and in torsion do not matter."""
    rail = RailSection(
        7.67e-3, 3.0383e-5, 5e-6, 2e-6, 7850.0, 0.4, 0.4, 2.1e11, 8.1e10, 0.172, 0.081, 0.05, 0.0, 5e-7
    )  # fmt: skip
    weak, side = SupportSpring(1.0), SupportSpring(4e7, 1e4)
    fastener = Fastener(SupportSpring(2e8, 2.5e4), side, weak, SupportSpring(3.75e5, 52.5))
    below = Foundation(SupportSpring(5e7, 6e4), side, SupportSpring(5.2e6, 6.1e3))
    return FlexibleTrack(rail, fastener, SemiSleeper(140.0, 18.0), below, 0.6)


def wheel_on_spring(frequency):
    """ContactSystem of two equal wheels of one wheelset, each on its Hertz spring, free of each other."""
    s = 2j * np.pi * frequency
    stiffness = HERTZ / (1.0 + HERTZ / (MASS * s * s))
    wrench = np.zeros((len(frequency), 12, 20), dtype=complex)
    heads = np.zeros((len(frequency), 8, 20), dtype=complex)
    for side, z in enumerate(VERTICAL):
        for source in (z, 17 + 2 * side):
            wrench[:, 6 * side + 2, source] = stiffness
            heads[:, z, source] = -stiffness
    nothing = np.zeros((len(frequency), 12, 12), dtype=complex)
    return ContactSystem(frequency, wrench, heads, nothing[:, :, :0], nothing[:, :0], nothing, nothing[:, :0])


def force_lines(rough):
    """Fourier amplitudes (K,) of one wheel's force at the lines k V/period, k from 0."""
    track, harmonics = reference_track(), 5
    passing, parts = SPEED / track.bay, int(round(PERIOD / track.bay))
    beyond = HIGHEST + (harmonics + 1) * passing
    rail = moving_receptance(track, SPEED, beyond, (0.0,), harmonics, passing / parts * 1.000001)
    frequency = rail.frequency.copy()
    frequency[0] = 1e-3 * frequency[1]
    system, places = wheel_on_spring(frequency), WheelPlaces(np.zeros(1))
    coupling = rail_coupling(rail, places, track.bay)
    out = np.zeros(len(frequency), dtype=complex)

    def add(index, inputs):
        most = inputs.shape[0] // 2
        for m in range(-most, most + 1):
            k = index + m * parts
            if 0 < abs(k) < len(out):
                force = system.wrench[abs(k)] if k > 0 else system.wrench[abs(k)].conj()
                value = force[2] @ inputs[m + most]
                out[abs(k)] += value if k > 0 else value.conj()

    if rough:
        lines, size, phase = np.loadtxt(DATA / "moving_wheel_roughness.csv", delimiter=",", skiprows=3).T
        for k, amplitude in zip(lines.astype(int), size * np.exp(1j * phase), strict=True):
            drive = np.zeros((1, 2 * harmonics + 1, 20, 1), dtype=complex)
            drive[0, harmonics, 17] = drive[0, harmonics, 19] = amplitude
            add(k, solve_harmonics(system, coupling, parts, np.array([k]), drive)[0, :, :, 0])
    most = int(HIGHEST / passing)
    steady = moving_receptance(track, SPEED, 0.0, (0.0,), most, passing, most + 20)
    heads = np.zeros(8)
    heads[list(VERTICAL)] = -LOAD
    drive = np.zeros((1, 2 * most + 1, 20, 1), dtype=complex)
    drive[0, :, :8, 0] = rail_coupling(steady, places, track.bay)[0, :, 0] @ heads
    drive[0, most] = 0.0
    inputs = solve_harmonics(system, coupling, parts, np.zeros(1, dtype=int), drive)[0, :, :, 0]
    inputs[:most] = 0.0
    add(0, 2.0 * inputs)
    return frequency, out


@check(
    "Response of a moving wheel", subject="Response",
    ground=other_code("elements of order 7 in time, 0.01 dB at 1 kHz; 0.1 dB set beforehand"),
)  # fmt: skip
def moving_wheel():
    """Linear Hertz spring, rough and smooth rail at 80 km/h: third octaves from 20 Hz to 1.25 kHz."""
    centre, *wanted = np.loadtxt(DATA / "moving_wheel_bands.csv", delimiter=",", skiprows=4).T
    lower, upper = band_edges(centre)
    rows = []
    for name, rms in zip(("rough", "smooth"), wanted, strict=True):
        frequency, force = force_lines(name == "rough")
        inside = (frequency >= lower[:, None]) & (frequency < upper[:, None])
        found = np.sqrt(inside @ (0.5 * np.abs(force) ** 2))
        used = rms * (10.0 ** (LIMIT_DB / 20.0) - 1.0) > 2.0 * REFERENCE_ERROR
        error = 20.0 * np.log10(found[used] / rms[used])
        worst = np.argmax(np.abs(error))
        text = f"{name} rail, largest deviation of {np.sum(used)} bands, at {centre[used][worst]:.0f} Hz"
        rows.append(row(text, error[worst], 0.0, "dB", absolute=LIMIT_DB, source="independent solution in time"))
    return rows
