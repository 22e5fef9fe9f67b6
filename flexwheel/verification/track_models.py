"""Track models beside exact Timoshenko solutions and a published mobility."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.optimize import minimize_scalar

from flexwheel.io.paths import PACKAGE_FOLDER
from flexwheel.track.parameters import Fastener, FlexibleTrack, SupportSpring, rail_section
from flexwheel.track.receptance import receptance
from flexwheel.verification.registry import bound, check, row

DATA = PACKAGE_FOLDER.parent / "tests" / "data" / "track" / "mobility_one_layer.csv"
NONE = SupportSpring(0.0)


def exact_span(rail, span=0.6):
    """Lowest vertical frequency [Hz] of a simply supported Timoshenko span."""
    k = np.pi / span
    mass, rotary = rail.density * rail.area, rail.density * rail.second_moment_vertical
    bending = rail.youngs_modulus * rail.second_moment_vertical
    shear = rail.shear_factor_vertical * rail.shear_modulus * rail.area
    a, b, c = mass * rotary, -(bending * k**2 * mass + shear * mass + shear * k**2 * rotary), bending * shear * k**4
    return np.sqrt((-b - np.sqrt(b * b - 4.0 * a * c)) / (2.0 * a)) / (2.0 * np.pi)


@check("Pinned-pinned frequency", point=6)
def pinned_pinned():
    """Rail held at every seat but free to turn; peak of the midspan receptance with two elements a bay."""
    rows = []
    for name in ("uic60", "r65"):
        rail = rail_section(name)
        exact = exact_span(rail)
        stiff = SupportSpring(1e13)
        fastener = Fastener(stiff, stiff, NONE, SupportSpring(1e12))
        track = FlexibleTrack(replace(rail, loss_factor=1e-5), fastener, None, None)

        def minus(f, track=track):
            return -np.log(abs(receptance(track, 0.3, 0.3, [f], elements=2)[0, 2, 2]))

        grid = np.linspace(0.985 * exact, 1.015 * exact, 61)
        best = grid[np.argmin([minus(f) for f in grid])]
        width = grid[1] - grid[0]
        found = minimize_scalar(minus, bounds=(best - width, best + width), method="bounded", options={"xatol": 1e-3}).x
        rows.append(row(f"{name}, 0.6 m, vertical", found, exact, "Hz", relative=0.005, source="exact Timoshenko span"))
    return rows


@check("Point mobility above a support, one layer", point=6)
def mobility():
    """Pad 300 MN/m (1 + 0.25 i) on rigid ground, rail loss 0.02; 20-950 and 1250-2000 Hz."""
    pad = SupportSpring(300e6, 0.0, 0.25)
    track = FlexibleTrack(
        rail_section("uic60"), Fastener(pad, pad, NONE, SupportSpring(3e5, 0.0, 0.25)), None, None, 0.6
    )
    frequency, wanted = np.loadtxt(DATA, delimiter=",", skiprows=3).T
    found = np.abs(receptance(track, 0.0, 0.0, frequency)[:, 2, 2]) * 2.0 * np.pi * frequency
    error = np.abs(20.0 * np.log10(found / wanted))
    return [bound(f"largest deviation at {len(frequency)} frequencies", error.max(), 1.0, "dB", "rolland")]
