"""Displacement and stress in an elastic half-space under loads on its surface, by Fourier's integral.

Axes x, y on the surface, z into the body; a load is a force per area on the body, components x, y, z. Of waves
exp(i (kx x + ky y)) the potentials of Boussinesq and Cerruti are exponentials of the depth, with
phi_a = 2 pi q_a exp(-k z)/k for the load q_a, k = |(kx, ky)|, H = -phi_z/k and

    psi_1 = (i kx phi_x + i ky phi_y)/k^2 - phi_z/k,       psi = -k psi_1
    4 pi G u_x = 2 phi_x - i kx H + 2 nu i kx psi_1 - z i kx psi,           u_y likewise
    4 pi G u_z = phi_z + (1 - 2 nu) psi + z k psi

A `FieldTable` holds the field on a quarter of a grid around a load, in which each row is even or odd, as the
coefficients of splines, which interpolate exactly at its places: value and derivatives anywhere, the second along
within (k h)^4/240 of each wave. The field of a load without resultant falls off with the third power of the distance or
faster: images of the periodic grid do not matter.

Source: Johnson 1985, Contact Mechanics, section 3.2, eqs (3.7)-(3.9).
Verified in tests/body/test_half_space_field_verified.py.
"""

import math
from typing import NamedTuple

import numpy as np

from flexwheel.body.mesh import Material
from flexwheel.numerics.kernels import FAST, kernel, lane_arithmetic  # noqa: F401, lets + and * take lanes
from flexwheel.numerics.kernels.lanes import fill_lanes, load_lanes, store

QUINTIC = np.array(
    [[1, -5, 10, -10, 5, -1], [26, -50, 20, 20, -20, 5], [66, 0, -60, 0, 30, -10],
     [26, 50, 20, -20, -20, 10], [1, 5, 10, 10, 5, -5], [0, 0, 0, 0, 0, 1]]
) / 120.0  # fmt: skip
"""Quintic B-spline between two of its knots, by powers of the part of the way."""
_ROWS = "x y z xx yy zz xy yz zx".split()
_ODD = np.array([[[(row + load).count(axis) % 2 == 1 for load in "xyz"] for row in _ROWS] for axis in "xy"])
_SIGN = np.array([[np.where((_ODD[0] & x) != (_ODD[1] & y), -1.0, 1.0) for y in (False, True)] for x in (False, True)])


class FieldTable(NamedTuple):
    """Field around a load, as coefficients of a tensor product of B-splines: quintic along, cubic across."""

    spacing: np.ndarray  # (2,) x and y [m]; the first coefficients stand two of it before 0
    value: np.ndarray  # (Nx, Ny, 9 m up to a multiple of 8) displacement x y z and stress xx yy zz xy yz zx by m loads,
    # x y z of each


def half_space_rows(kx, ky, depth: float, material: Material) -> np.ndarray:
    """Displacement and stress (9, 3, ...) of waves kx, ky [1/m] under loads of amplitude 1; 0 for the mean.

    Parameters
    ----------
    kx, ky : float array, same shape     wave numbers
    depth : float [m]                    below the surface
    """
    nu = material.poissons_ratio
    shear = 0.5 * material.youngs_modulus / (1.0 + nu)
    kx, ky = np.broadcast_arrays(np.asarray(kx, dtype=float), np.asarray(ky, dtype=float))
    finite = np.hypot(kx, ky)
    k = np.where(finite > 0.0, finite, np.inf)
    wave, phi = (kx, ky), 2.0 * np.pi / k
    decay = np.exp(-finite * depth) / (4.0 * np.pi * shear)
    out = np.zeros((9, 3, *k.shape), dtype=complex)
    for load in range(3):  # in real numbers: of a load x or y psi_1, psi and u_z are i times these, of z u_x and u_y
        across = load < 2
        psi_1 = wave[load] * phi / k**2 if across else -phi / k
        psi = -finite * psi_1
        inner = 2.0 * nu * psi_1 if across else phi / k + 2.0 * nu * psi_1
        sign = -1.0 if across else 1.0  # of i times i
        still = [sign * wave[a] * inner + (2.0 * phi if load == a else 0.0) for a in range(2)]
        still.append((1.0 - 2.0 * nu) * psi + (0.0 if across else phi))
        growing = [-sign * wave[0] * psi, -sign * wave[1] * psi, finite * psi]
        u = [a + depth * b for a, b in zip(still, growing, strict=True)]
        below = [b - finite * a for a, b in zip(u, growing, strict=True)]  # derivative with the depth
        slope = [[-sign * wave[0] * a, -sign * wave[1] * a, d] for a, d in zip(u[:2], below[:2], strict=True)]
        slope.append([sign * wave[0] * u[2], sign * wave[1] * u[2], below[2]])
        bulk = 2.0 * shear * nu / (1.0 - 2.0 * nu) * (slope[0][0] + slope[1][1] + slope[2][2])
        stress = [bulk + 2.0 * shear * slope[a][a] for a in range(3)]
        stress += [shear * (slope[a][b] + slope[b][a]) for a, b in ((0, 1), (1, 2), (2, 0))]
        for row, value in enumerate((*u, *stress)):
            part = out.imag if across == (2 <= row <= 6) else out.real
            part[row, load] = value * decay
    return out


def ellipsoid_wave(kx, ky, a: float, b: float) -> tuple[np.ndarray, np.ndarray]:
    """Fourier transform of Hertz's pressure of resultant 1 over an ellipse, and its derivative with ln of its size.

    3 j_1(q)/q, q^2 = (a kx)^2 + (b ky)^2; source: Johnson 1985, eq. (3.58), transformed.
    """
    q = np.hypot(a * np.asarray(kx, dtype=float), b * np.asarray(ky, dtype=float))
    small = q < 1e-2
    x = np.where(small, 1.0, q)
    first = (np.sin(x) - x * np.cos(x)) / x**2
    second = 3.0 * first / x - np.sin(x) / x
    return np.where(small, 1.0 - q**2 / 10.0, 3.0 * first / x), np.where(small, -(q**2) / 5.0, -3.0 * second)


def field_table(loads, rows, spacing, count, reach) -> FieldTable:
    """FieldTable of loads whose transforms are real and even, on the waves of `grid_waves`.

    Parameters
    ----------
    loads : (q, Nx/2 + 1, Ny/2 + 1)     m = 3 q
    rows : (9, 3, Nx/2 + 1, Ny/2 + 1)   `half_space_rows` at these waves
    spacing, count : of `grid_waves`
    reach : (2,) [m]                    along and across, within half a period
    """
    along, across = (2.0 * np.pi / n * np.arange(n // 2 + 1) for n in count)
    quintic = (33.0 + 26.0 * np.cos(along) + np.cos(2.0 * along)) / 60.0  # transforms of the B-splines' values
    used = 1 + int(np.flatnonzero(np.any(loads[:, :-1] != 0.0, axis=(0, 2))).max(initial=0))  # many pass too fast
    scale = loads / (spacing[0] * spacing[1] * quintic[:, None] * (2.0 + np.cos(across)) / 3.0)
    scale = np.ascontiguousarray(scale[:, :used, :-1])
    picks = [np.arange(-2, min(int(reach[k] / spacing[k]) + 4, count[k] // 2) + 1) for k in range(2)]
    (cos_x, sin_x), (cos_y, sin_y) = (
        [np.where(wave == 0.0, 1.0, 2.0) / n * turn(np.outer(pick, wave)) for turn in (np.cos, np.sin)]  # k and -k
        for wave, n, pick in zip((along[:used], across[:-1]), count, picks, strict=True)
    )
    value = np.empty((len(rows), len(scale), 3, len(picks[0]), len(picks[1])))
    for row, component in np.ndindex(9, 3):
        odd_x, odd_y = _ODD[0, row, component], _ODD[1, row, component]
        part = rows[row, component, :used, :-1]
        lines = (scale * (part.imag if odd_x != odd_y else part.real)) @ (sin_y if odd_y else cos_y).T
        value[row, :, component] = (-1.0 if odd_x or odd_y else 1.0) * ((sin_x if odd_x else cos_x) @ lines)
    value = value.reshape(-1, len(picks[0]), len(picks[1]))
    table = np.zeros((*value.shape[1:], len(value) + -len(value) % 8))
    table[..., : len(value)] = np.moveaxis(value, 0, -1)
    return FieldTable(np.array(spacing), table)


def grid_waves(spacing, count):
    """Wave numbers kx (Nx/2 + 1, 1), ky (1, Ny/2 + 1) [1/m] of a periodic grid; those below zero are left out."""
    kx, ky = (2.0 * np.pi * np.fft.rfftfreq(n, step) for n, step in zip(count, spacing, strict=True))
    return kx[:, None], ky[None]


@kernel(fastmath=FAST)
def add_moving_field(spacing, value, place, speed, share, force, rows, scratch, out):
    """Add the field of moving loads to motion and stress.

    Parameters
    ----------
    spacing, value : of a FieldTable
    place : (T, 2) [m]        of the point from the load, x and y; nothing is added outside the table
    speed : (T, 2)            rate of x and its rate [m/s, m/s2]
    share : (T, m/3)          of the force in each load; the first is 0 where all are
    force : (3, T, 3)         [N] and its two rates
    rows : int                9, or 3 without stress
    scratch : (7, 9 m up to a multiple of 8)
    out : (T, 15)             displacement, velocity, acceleration (3 each), stress (6)
    """
    h, m = spacing[0], value.shape[2] // 9
    wx, wy, sums = scratch[:3], scratch[3], scratch[4:]
    for t in range(place.shape[0]):
        px, py = 2.0 + abs(place[t, 0]) / h, 2.0 + abs(place[t, 1]) / spacing[1]
        if share[t, 0] == 0.0 or not (math.isfinite(px) and math.isfinite(py)):
            continue
        ix, iy = math.floor(px), math.floor(py)
        if ix + 3 >= value.shape[0] or iy + 2 >= value.shape[1]:
            continue
        x, y = px - ix, py - iy
        for i in range(6):
            a, b, c, d, e, f = QUINTIC[i]
            wx[0, i] = a + x * (b + x * (c + x * (d + x * (e + x * f))))
            wx[1, i] = (b + x * (2.0 * c + x * (3.0 * d + x * (4.0 * e + x * 5.0 * f)))) / h
            wx[2, i] = (2.0 * c + x * (6.0 * d + x * (12.0 * e + x * 20.0 * f))) / h**2
        wy[0], wy[3] = (1.0 - y) ** 3 / 6.0, y**3 / 6.0
        wy[1], wy[2] = (3.0 * y**3 - 6.0 * y**2 + 4.0) / 6.0, (1.0 + 3.0 * y + 3.0 * y**2 - 3.0 * y**3) / 6.0
        first, size = ((ix - 2) * value.shape[1] + iy - 1) * value.shape[2], scratch.shape[1]
        for k in range(0, rows * m, 8):
            u0, u1, u2 = fill_lanes(0.0, 8), fill_lanes(0.0, 8), fill_lanes(0.0, 8)
            for i in range(6):
                u, at = fill_lanes(0.0, 8), first + i * value.shape[1] * value.shape[2] + k
                for j in range(4):
                    u += wy[j] * load_lanes(value, at + j * value.shape[2], 8)
                u0, u1, u2 = u0 + wx[0, i] * u, u1 + wx[1, i] * u, u2 + wx[2, i] * u
            store(scratch, 4 * size + k, u0)
            store(scratch, 5 * size + k, u1)
            store(scratch, 6 * size + k, u2)
        behind = place[t, 0] < 0.0
        v, dv = (-speed[t, 0], -speed[t, 1]) if behind else (speed[t, 0], speed[t, 1])
        sign = _SIGN[int(behind), int(place[t, 1] < 0.0)]
        for q in range(m // 3):
            for row in range(3):
                for a in range(3):
                    f, k = share[t, q] * sign[row, a], row * m + 3 * q + a
                    u, u1, u2 = f * sums[0, k], f * sums[1, k], f * sums[2, k]
                    out[t, row] += u * force[0, t, a]
                    out[t, 3 + row] += v * u1 * force[0, t, a] + u * force[1, t, a]
                    out[t, 6 + row] += (
                        (v * v * u2 + dv * u1) * force[0, t, a] + 2.0 * v * u1 * force[1, t, a] + u * force[2, t, a]
                    )
            for row in range(3, rows):
                for a in range(3):
                    out[t, 6 + row] += share[t, q] * sign[row, a] * sums[0, row * m + 3 * q + a] * force[0, t, a]
