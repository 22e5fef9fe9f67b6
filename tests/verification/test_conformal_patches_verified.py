"""Contact on curved surfaces against Hertz, Persson's disc in a cavity (1964), CONTACT, and the gradient of its energy.

Persson's pressure, as in Ciavarella and Decuzzi, Int. J. Solids Structures 38 (2001) 4507, for one material:
q = R p/Q = 2 sqrt(b^2 - y^2)/(pi sqrt(b^2 + 1) (1 + y^2)) + log((h + r)/(h - r))/(2 pi b^2 (1 + b^2)) with
b = tan(eps/2), y = tan(phi/2), h^2 = b^2 + 1, r^2 = b^2 - y^2; its own balance, integral of q cos(phi) = 1, is
tested too.
"""

import numpy as np
import pytest

from flexwheel.assess import conformal_patches as curved
from flexwheel.assess.conformal_influence import ConformalInfluence
from flexwheel.assess.conformal_patches import conformal_patches
from flexwheel.assess.exact_patches import exact_patches
from flexwheel.assess.half_space import contact_pressure
from flexwheel.contact.geometry import WheelPair, first_touch
from flexwheel.contact.profiles.placement import Placement, place
from flexwheel.contact.profiles.profile import Profile
from flexwheel.contact.profiles.rail_60e1 import rail_60e1
from flexwheel.contact.profiles.s1002 import s1002
from flexwheel.verification.reference_rows import reference_rows
from flexwheel.verification.wheel_rail_benchmarks import MODULUS, _pair
from tests.hertz_contact import solve

RADIUS = 0.46


def arc(kind, radius):
    """A profile that is one arc of a radius [m], positive where the material is convex."""
    width = 0.9 * min(abs(radius), 0.03)
    y = np.linspace(-width, width, 2001)
    slope = -y / radius / np.sqrt(1.0 - (y / radius) ** 2)
    height = radius * (np.sqrt(1.0 - (y / radius) ** 2) - 1.0)
    return Profile("arc", kind, y, height, slope, np.full_like(y, -1.0 / radius))


@pytest.mark.parametrize(("wheel", "rail"), [(0.5, 0.3), (-0.33, 0.3), (0.1, 0.08)])
def test_hertz_ellipse(wheel, rail):
    pair = WheelPair(arc("wheel", wheel), arc("rail", rail), Placement(0.0, 0.0, RADIUS))
    hertz = solve(0.5 / RADIUS, 0.5 * (1.0 / wheel + 1.0 / rail), 5e4, MODULUS)
    (patch,) = conformal_patches(pair, np.array([0.0, 0.0, -hertz.approach, 0.0, 0.0, 0.0]), MODULUS)
    assert patch.turn < 0.1  # where curvature changes the answer by its square, 0.2 %
    assert patch.normal_force == pytest.approx(hertz.load, rel=2e-3)
    assert patch.peak_pressure == pytest.approx(hertz.peak_pressure, rel=2e-3)
    assert patch.half_length == pytest.approx(hertz.a, rel=0.05)  # one cell of 40
    assert patch.half_width == pytest.approx(hertz.b, rel=0.05)


def persson(phi, eps):
    """R p/Q of a disc in a cavity of the same material."""
    b, y = np.tan(0.5 * eps), np.tan(0.5 * phi)
    r, h = np.sqrt(np.maximum(b * b - y * y, 0.0)), np.sqrt(b * b + 1.0)
    return 2.0 * r / (np.pi * h * (1.0 + y * y)) + np.log((h + r) / (h - r)) / (2.0 * np.pi * b * b * (1.0 + b * b))


@pytest.mark.parametrize("clearance", [1e-4, 1e-5])
def test_disc_in_a_cavity_of_persson(clearance):
    radius, m = 0.013, 401
    angle = np.linspace(-1.2, 1.2, m)
    width = np.full(m, radius * (angle[1] - angle[0]))
    y, z = radius * np.sin(angle), -radius * np.cos(angle)
    surface = ConformalInfluence(y, z, angle, width, np.zeros(m), 1, 200.0 * radius, MODULUS)
    distance = clearance * (1.0 - np.cos(angle)) - 6e-5 * np.cos(angle)
    pressure = contact_pressure(distance[None, :], surface.displacement)[0]
    half = 0.5 * np.count_nonzero(pressure) * width[0] / radius
    assert 0.3 < half < 1.0  # a patch that turns by 40 to 110 degrees
    found = radius * pressure / (pressure @ (width * np.cos(angle)))
    middle = np.abs(angle) < 0.95 * half
    exact = persson(angle[middle], half)
    assert np.trapezoid(exact * np.cos(angle[middle]), angle[middle]) == pytest.approx(1.0, abs=0.02)  # 5 % cut off
    # the uniform closing that the influence leaves out is line load/(2 pi E*), up to a tenth of these clearances
    assert np.abs(found[middle] - exact).max() < 0.01 * exact.max()


def test_projected_chord_is_the_series_of_disc_and_cavity():
    """Michell's solution for p cos(n theta): closing (1 + kappa)/(4 mu) p 2 n/(n^2 - 1), of n = 0 one half of 2."""
    theta = (np.arange(65536) + 0.5) * 2.0 * np.pi / 65536
    kernel = -2.0 * np.cos(theta) * np.log(2.0 * np.sin(0.5 * theta)) - 0.5
    for n in (0, 2, 3, 7):
        closing = np.mean(kernel * np.cos(n * theta)) * 2.0
        assert closing == pytest.approx(1.0 if n == 0 else 2.0 * n / (n * n - 1.0), rel=2e-3)


@pytest.mark.parametrize("case", ["n20_b0_13a", "n100_b0_01a", "two20_comb_06a", "e60_40_11a"])
def test_contact_rows_of_little_turn(case):
    line = next(line for line in reference_rows("normal_contact.csv") if line["case"] == case)
    pair = _pair({}, line)
    d = np.array([0.0, 1e-3 * line["y_ws_mm"], -1e-3 * line["z_ws_mm"], 0.0, 0.0, 0.0])
    found = conformal_patches(pair, d, MODULUS)
    assert max(patch.peak_pressure for patch in found) == pytest.approx(1e6 * line["pmax_MPa"], rel=0.01)
    assert sum(patch.area for patch in found) == pytest.approx(1e-6 * line["area_mm2"], rel=0.03)  # CONTACT's cells
    assert len(found) == len(str(line["regions"]).split())


@pytest.mark.parametrize(("shift", "yaw"), [(6.4e-3, 0.0), (6.5e-3, 0.0), (6.6e-3, 0.01)])
def test_force_at_a_flange_root_is_the_gradient_of_the_elastic_energy(shift, yaw, monkeypatch):
    """Virtual work: no choice of a normal enters the energy 1/2 sum p u dA, so that it judges the direction."""
    rail, energy = rail_60e1(1 / 40), []
    pair = WheelPair(s1002(), rail, place(rail))
    patches = curved._patches

    def with_energy(*parts):
        _, strips, _, dx, distance, pressure = parts
        energy.append(-0.5 * float((pressure * strips.width * dx * np.where(pressure > 0.0, distance, 0.0)).sum()))
        return patches(*parts)

    monkeypatch.setattr(curved, "_patches", with_energy)
    height, step = first_touch(pair, shift, 0.0, yaw)[0] - 9e-5, 2e-6

    def solved(aside, up):
        found = conformal_patches(pair, np.array([0.0, shift + aside, height + up, 0.0, 0.0, yaw]), MODULUS)
        return energy[-1], found

    across = (solved(-step, 0.0)[0] - solved(step, 0.0)[0]) / (2.0 * step)
    upward = (solved(0.0, -step)[0] - solved(0.0, step)[0]) / (2.0 * step)
    (patch,) = solved(0.0, 0.0)[1]
    assert patch.force_angle == pytest.approx(np.arctan2(-across, upward), abs=1e-3)  # the energy's differences
    assert patch.normal_force == pytest.approx(np.hypot(across, upward), rel=2e-3)
    # the half space of one plane, its load along the local normals
    half = exact_patches(pair, np.array([0.0, shift, height, 0.0, 0.0, yaw]), MODULUS)[0]
    assert half.force_angle == pytest.approx(patch.force_angle, abs=5e-3)
