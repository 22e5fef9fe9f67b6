"""Half-space fields against closed forms: Johnson 1985, Contact Mechanics, sections 3.2 to 3.6 and 4.2."""

from functools import cache

import numpy as np
import pytest

from flexwheel.body.half_space_field import (
    add_moving_field,
    ellipsoid_wave,
    field_table,
    grid_waves,
    half_space_rows,
)
from flexwheel.body.mesh import Material

STEEL = Material(2.1e11, 0.3, 7850.0, "STEEL")
NU = STEEL.poissons_ratio
SHEAR = 0.5 * STEEL.youngs_modulus / (1.0 + NU)
SPACING, COUNT = (0.0005, 0.0005), (512, 512)  # [m] 256 mm
A = 0.006  # [m]


@cache
def rows_of(depth, spacing):
    return half_space_rows(*plane_waves(spacing), depth, STEEL)


def plane_waves(spacing, count=COUNT):
    """Those of `irfft2`."""
    return 2.0 * np.pi * np.fft.fftfreq(count[0], spacing[0])[:, None], grid_waves(spacing, count)[1]


def whole_field(load, row, component, depth, spacing=SPACING):
    rows = rows_of(depth, spacing)
    return np.fft.irfft2(load * rows[row, component] / (spacing[0] * spacing[1]), s=COUNT)


def hertz():
    kx, ky = plane_waves(SPACING)
    return ellipsoid_wave(kx, ky, A, A)[0]


def test_displacement_under_hertz_pressure():
    """Fall of the surface from the centre of the circle, Johnson (3.41a): the mean, which a wave has not, cancels."""
    moved = whole_field(hertz(), 2, 2, 0.0)
    peak = 1.5 / (np.pi * A**2)
    curve = np.pi * peak * (1.0 - NU**2) / (4.0 * A * STEEL.youngs_modulus)
    for steps in (4, 8, 12):  # 2, 4, 6 mm
        fall = moved[0, 0] - moved[steps, 0]
        # images 256 mm away, and the waves beyond the grid's: a k = 38, where they have (a k)^-2.5
        assert fall == pytest.approx(curve * (steps * SPACING[0]) ** 2, rel=0.01)


def test_stress_under_hertz_pressure():
    """On the axis at 0.48 a, Johnson (3.45): largest shear stress 0.310 of the peak pressure."""
    z, peak = 0.48 * A, 1.5 / (np.pi * A**2)
    along, normal = (whole_field(hertz(), row, 2, z)[0, 0] for row in (3, 5))
    assert normal == pytest.approx(-peak / (1.0 + (z / A) ** 2), rel=2e-3)  # images: (z/256 mm)^3 and less
    expected = (1.0 + NU) * (1.0 - z / A * np.arctan(A / z)) - 0.5 / (1.0 + (z / A) ** 2)
    assert along == pytest.approx(-peak * expected, rel=5e-3)


@pytest.mark.parametrize("component", [0, 2])
def test_stress_on_planes_along_the_surface_under_a_point_force(component):
    """Boussinesq and Cerruti, Johnson (3.19), (3.76): tractions -3 F (.) z/(2 pi r^5) times position."""
    x, y, z = 0.02, 0.016, 0.03
    r, at, spacing = np.sqrt(x * x + y * y + z * z), (10, 8), (0.002, 0.002)
    ones = np.ones((COUNT[0], COUNT[1] // 2 + 1))
    along = x if component == 0 else z
    for row, direction in ((5, z), (7, y), (8, x)):
        found = whole_field(ones, row, component, z, spacing)[at]
        expected = -3.0 * along * z * direction / (2.0 * np.pi * r**5)
        assert found == pytest.approx(expected, abs=0.01 * 3.0 / (2.0 * np.pi * z**2))  # images: 4 (z/1.02 m)^2


def test_rectangle_of_uniform_pressure():
    """Displacement at the centre and in the corner's direction, Love 1929, Johnson (3.25)."""
    half = (0.010, 0.006)
    kx, ky = plane_waves(SPACING)
    load = np.sinc(kx * half[0] / np.pi) * np.sinc(ky * half[1] / np.pi)

    def love(x, y):
        total = 0.0
        for sx in (-1.0, 1.0):
            for sy in (-1.0, 1.0):
                a, b = half[0] + sx * x, half[1] + sy * y
                total += a * np.arcsinh(b / abs(a)) + b * np.arcsinh(a / abs(b))
        return (1.0 - NU**2) / (np.pi * STEEL.youngs_modulus) * total / (4.0 * half[0] * half[1])

    moved = whole_field(load, 2, 2, 0.0)
    fall = moved[0, 0] - moved[14, 8]  # at 7 mm, 4 mm
    assert fall == pytest.approx(love(0.0, 0.0) - love(0.007, 0.004), rel=0.02)  # edges between points of the grid


def test_surface_carries_the_load():
    """Stress on the surface is the load with the other sign, in every direction, and div sigma = 0 below it."""
    kx, ky = np.array([300.0, 0.0, 200.0]), np.array([0.0, 150.0, -400.0])
    rows = half_space_rows(kx, ky, 0.0, STEEL)
    traction = rows[[8, 7, 5]]  # zx yz zz
    np.testing.assert_allclose(traction, -np.eye(3)[:, :, None] * np.ones(3), atol=1e-12)
    h, z = 1e-6, 0.004
    below = [half_space_rows(kx, ky, z + s * h, STEEL) for s in (-1.0, 0.0, 1.0)]
    for in_plane, vertical in (((3, 6), 8), ((6, 4), 7), ((8, 7), 5)):
        along = 1j * kx * below[1][in_plane[0]] + 1j * ky * below[1][in_plane[1]]
        slope = (below[2][vertical] - below[0][vertical]) / (2.0 * h)
        np.testing.assert_allclose(slope, -along, atol=1e-5 * np.abs(along).max())  # difference: (k h)^2/6


def test_table_moves_as_its_field():
    """Velocity and acceleration of a point that passes a growing load are the derivatives of its displacement."""
    load, rows = load_and_rows(*grid_waves(SPACING, (256, 256)))
    table = field_table(load[None], rows, SPACING, (256, 256), (0.04, 0.02))
    step, speed, gain = 1e-7, 22.0, 4000.0
    time = step * np.arange(-30000, 30001, 10)
    place = np.stack([speed * time, np.full(len(time), 0.003)], axis=1)
    place = place[np.abs(place[:, 0]) < 0.03]
    time = place[:, 0] / speed
    force = np.outer(1.0 + np.sin(gain * time), [0.3, 0.2, 1.0])
    rates = np.outer(gain * np.cos(gain * time), [0.3, 0.2, 1.0])
    second = np.outer(-(gain**2) * np.sin(gain * time), [0.3, 0.2, 1.0])
    out = np.zeros((len(time), 15))
    moving = np.column_stack([np.full(len(time), speed), np.zeros(len(time))])
    add_moving_field(
        *table, place, moving, np.ones((len(time), 1)), np.stack([force, rates, second]), 9, np.empty((7, 32)), out
    )
    u, v, a = out[:, :3], out[:, 3:6], out[:, 6:9]
    # central differences over 1 us beside waves of 1.5 mm: (k V dt)^2/6 = 1e-3; splines: (k h)^4/240 = 5e-5
    assert np.abs(np.gradient(u, time, axis=0)[2:-2] - v[2:-2]).max() < 2e-3 * np.abs(v).max()
    assert np.abs(np.gradient(v, time, axis=0)[2:-2] - a[2:-2]).max() < 2e-3 * np.abs(a).max()


@pytest.mark.parametrize("place", [(20, 6), (-33, -14), (20, -6), (-33, 14)])
def test_table_passes_through_the_values_of_its_grid(place):
    """Every row under every component, on all sides of the load: the whole transform, to rounding."""
    count = (256, 256)
    load, rows = load_and_rows(*grid_waves(SPACING, count))
    table = field_table(load[None], rows, SPACING, count, (0.04, 0.02))
    load, rows = load_and_rows(*plane_waves(SPACING, count))
    whole = np.fft.irfft2(load * rows / (SPACING[0] * SPACING[1]), s=count)
    at, still = np.array([[place[0] * SPACING[0], place[1] * SPACING[1]]]), np.zeros((1, 2))
    for component, loads in enumerate(np.eye(3)):
        found, unit = np.zeros((1, 15)), np.stack([loads[None], np.zeros((1, 3)), np.zeros((1, 3))])
        add_moving_field(*table, at, still, np.ones((1, 1)), unit, 9, np.empty((7, 32)), found)
        there = whole[(slice(None), component, *place)]
        for part, own in ((slice(0, 3), slice(0, 3)), (slice(9, 15), slice(3, 9))):  # m/N, Pa/N
            np.testing.assert_allclose(found[0, part], there[own], rtol=0, atol=1e-9 * np.abs(whole[own]).max())


def load_and_rows(kx, ky):
    """Hertz's pressure less a smooth load, without the shortest waves, 2 mm below."""
    smooth = np.exp(-((0.012 * kx) ** 2)) * np.exp(-((0.012 * ky) ** 2))
    load = (hertz_of(kx, ky) - smooth) * np.exp(-((0.0015 * kx) ** 4))
    return load, half_space_rows(kx, ky, 0.002, STEEL)


def hertz_of(kx, ky):
    return ellipsoid_wave(kx, ky, A, A)[0]
