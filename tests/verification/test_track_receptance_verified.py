"""Point mobility against rolland's one-layer track; pinned-pinned frequencies against the exact Timoshenko span."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from flexwheel.track.rail_mass import section_inertia
from flexwheel.track.receptance import receptance
from flexwheel.track.track_parameters import Fastener, FlexibleTrack, SupportSpring, flexible_track, rail_section
from flexwheel.verification.reference_rows import DATA

NONE = SupportSpring(0.0)


def one_layer(rail):
    """Pad 300e6 (1 + 0.25 i) on rigid ground; lateral and roll values play no part."""
    pad = SupportSpring(300e6, 0.0, 0.25)
    return FlexibleTrack(rail, Fastener(pad, pad, NONE, SupportSpring(3e5, 0.0, 0.25)), None, None, 0.6)


def test_point_mobility_above_a_support():
    frequency, mobility = np.loadtxt(DATA / "mobility_one_layer.csv", delimiter=",", skiprows=3).T
    computed = receptance(one_layer(rail_section("uic60")), 0.0, 0.0, frequency)[:, 2, 2]
    error = 20.0 * np.log10(np.abs(computed) * 2.0 * np.pi * frequency / mobility)
    assert np.max(np.abs(error)) < 0.25, "dB, 20-950 and 1250-2000 Hz; 0.16 measured with 8 elements per bay"


def test_rail_turns_about_its_mass_centre():
    """A turn about the mass centre, a height above the shear centre, moves that by the height to the left."""
    rail = rail_section("uic60")
    above = rail.centroid_height - rail.shear_centre_height
    motion = np.array([above, 0.0, 1.0])
    polar = rail.density * (rail.second_moment_vertical + rail.second_moment_lateral)
    assert motion @ section_inertia(rail, 1).sum(axis=0) @ motion == pytest.approx(polar, rel=1e-12)


def exact_pinned_pinned(bending, shear, mass, rotary, span):
    """Lowest frequency [Hz] of a simply supported Timoshenko span, sin(pi x / span), from its quadratic in w^2."""
    k = np.pi / span
    a = mass * rotary
    b = -(bending * k**2 * mass + shear * mass + shear * k**2 * rotary)
    c = bending * shear * k**4
    return np.sqrt((-b - np.sqrt(b * b - 4.0 * a * c)) / (2.0 * a)) / (2.0 * np.pi)


def pinned_track(rail):
    """Supports that hold the rail but let it turn about y and z."""
    stiff = SupportSpring(1e13)
    return FlexibleTrack(replace(rail, loss_factor=1e-5), Fastener(stiff, stiff, NONE, SupportSpring(1e12)), None, None)


def peak(track, component, near, elements):
    """Frequency [Hz] of the largest midspan receptance within 1.5 % of near."""

    def minus(f):
        return -np.log(abs(receptance(track, 0.3, 0.3, [f], elements=elements)[0, component, component]))

    grid = np.linspace(0.985 * near, 1.015 * near, 61)
    best = grid[np.argmin([minus(f) for f in grid])]
    step = grid[1] - grid[0]
    return minimize_scalar(minus, bounds=(best - step, best + step), method="bounded", options={"xatol": 1e-3}).x


@pytest.mark.parametrize(
    "name, published, elements, limit",
    [("uic60", 1067.9, 8, 2e-4), ("uic60", 1067.9, 2, 4e-3), ("r65", 1093.3, 2, 5e-3)],
)
def test_pinned_pinned_vertical(name, published, elements, limit):
    rail = rail_section(name)
    exact = exact_pinned_pinned(
        rail.youngs_modulus * rail.second_moment_vertical,
        rail.shear_factor_vertical * rail.shear_modulus * rail.area,
        rail.density * rail.area,
        rail.density * rail.second_moment_vertical,
        0.6,
    )
    if name == "uic60":
        assert abs(exact - published) < 0.1, "the closed form itself, one decimal published"
    found = peak(pinned_track(rail), 2, exact, elements)
    assert abs(found / exact - 1.0) < limit


def test_pinned_pinned_lateral():
    rail = replace(rail_section("uic60"), shear_centre_height=0.081)
    exact = exact_pinned_pinned(
        rail.youngs_modulus * rail.second_moment_lateral,
        rail.shear_factor_lateral * rail.shear_modulus * rail.area,
        rail.density * rail.area,
        rail.density * rail.second_moment_lateral,
        0.6,
    )
    assert abs(exact - 554.9) < 0.1
    found = peak(pinned_track(replace(rail, height=0.081)), 1, exact, 2)
    assert abs(found / exact - 1.0) < 5e-3


def test_mesh_convergence_and_reciprocity():
    track = flexible_track()
    f = np.array([30.0, 150.0, 400.0, 800.0, 1060.0, 1200.0])
    for a, b in ((0.3, 0.3), (0.15, 0.45), (0.15, 4.35), (1.2, 0.0)):
        fine, coarse = receptance(track, a, b, f, elements=16), receptance(track, a, b, f, elements=8)
        for i, j in ((0, 0), (1, 1), (2, 2), (3, 3), (1, 3)):
            np.testing.assert_allclose(
                coarse[:, i, j], fine[:, i, j], rtol=0, atol=0.04 * np.max(np.abs(fine[:, i, j]))
            )
        back = receptance(track, b, a, f, elements=8)
        np.testing.assert_allclose(back, np.swapaxes(coarse, 1, 2), rtol=1e-6, atol=1e-20, err_msg="Maxwell-Betti")
