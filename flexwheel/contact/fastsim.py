"""Creep force of a contact patch by FASTSIM, with three flexibilities.

Strips along the rolling direction are marched from the leading (+x) to the trailing edge; a cell whose trial
traction passes the Coulomb bound slides. Kalker's bound is parabolic; the elliptic one is mu times the pressure of
Hertz and nearer to the exact solution (docs/contact.md).

Source: Kalker, A fast algorithm for the simplified theory of rolling contact, Vehicle System Dynamics 11
(1982) 1-13. Verified in tests/verification/test_fastsim.py.
"""

import math

import numpy as np

from flexwheel.contact.gap import FAST
from flexwheel.contact.kalker_coefficients import kalker_ellipse
from flexwheel.contact.semi_hertzian import STRIP
from flexwheel.errors import ContactError
from flexwheel.kernels import kernel

_ONE = np.float32(1.0)
_LEAST_SQUARE = 1e-12  # [Pa^2] of a traction, so that its size may divide
PARABOLIC = 0
BOUNDS = {"parabolic": PARABOLIC, "elliptic": 1}


@kernel(inline="always")
def flexibilities(ellipse):
    """L1, L2, L3 [m^3/N] of an ellipse: 8a/(3 G c11), 8a/(3 G c22), pi a sqrt(a/b)/(4 G c23)."""
    a, shear_modulus = ellipse.a, ellipse.shear_modulus
    L1 = 8.0 * a / (3.0 * shear_modulus * ellipse.c11)
    L2 = 8.0 * a / (3.0 * shear_modulus * ellipse.c22)
    L3 = math.pi * a * math.sqrt(a / ellipse.b) / (4.0 * shear_modulus * ellipse.c23)
    return L1, L2, L3


@kernel(fastmath=FAST)
def fastsim_strips(n, strip, limit, creepage, flexibility, bound, nx, force):
    """March FASTSIM over strips of any half-length.

    Parameters
    ----------
    n : int                       strips
    strip : (17, >=n)             rows semi_hertzian.STRIP: half, s, width, offset are read; tractions and sums are
                                  scratch
    limit : float [N]             mu times the normal load
    creepage : (3,) [-, -, 1/m]   xi, eta, phi; wheel minus rail
    flexibility : (3,) [m^3/N]    L1, L2, L3
    bound : int                   of BOUNDS; parabolic: mu p ~ a_j^2 - x^2; elliptic: ~ sqrt(a_j^2 - x^2); each
                                  carries `limit` over the patch
    nx : int                      cells per strip
    force : (3,) [N, N, N m]      out: Fx, Fy, Mz on the wheel in the patch frame
    """
    i1, i2, i3 = 1.0 / flexibility[0], 1.0 / flexibility[1], 1.0 / flexibility[2]
    xi, eta, phi = creepage[0] * i1, creepage[1] * i2, creepage[2] * i3
    total, cells = 0.0, 0.0
    for j in range(n):
        aj = strip[STRIP.half, j]
        strip[STRIP.traction_x, j], strip[STRIP.traction_y, j] = 0.0, 0.0
        strip[STRIP.sum_x, j], strip[STRIP.sum_y, j], strip[STRIP.sum_m, j] = 0.0, 0.0, 0.0
        total += aj * aj * strip[STRIP.width, j] * (aj if bound == PARABOLIC else 1.0)
    for i in range(nx):  # the bound's sum over the cells, so that |T| <= mu N holds on any grid
        u = 1.0 - (2.0 * i + 1.0) / nx
        cells += (1.0 - u * u) if bound == PARABOLIC else math.sqrt(1.0 - u * u)
    total *= 2.0 * cells / nx
    scale = limit / total if total > 0.0 else 0.0
    for i in range(nx):
        u = 1.0 - (2.0 * i + 1.0) / nx
        rest = scale * (1.0 - u * u if bound == PARABOLIC else math.sqrt(1.0 - u * u))
        way = 2.0 / nx if i > 0 else 1.0 / nx
        middle = u + 0.5 * way
        for j in range(n):
            aj = strip[STRIP.half, j]
            step = way * aj
            tx = strip[STRIP.traction_x, j] - step * (xi - phi * strip[STRIP.s, j])
            ty = strip[STRIP.traction_y, j] - step * (eta + phi * (aj * middle + strip[STRIP.offset, j]))
            most = rest * (aj * aj if bound == PARABOLIC else aj)
            square = tx * tx + ty * ty + _LEAST_SQUARE
            inverse = float(_ONE / math.sqrt(np.float32(square)))  # single precision is quicker; one step of Newton
            keep = min(1.0, most * inverse * (1.5 - 0.5 * square * inverse * inverse))
            tx *= keep
            ty *= keep
            strip[STRIP.traction_x, j], strip[STRIP.traction_y, j] = tx, ty
            strip[STRIP.sum_x, j] += tx
            strip[STRIP.sum_y, j] += ty
            strip[STRIP.sum_m, j] += u * ty
    fx, fy, mz = 0.0, 0.0, 0.0
    for j in range(n):
        aj = strip[STRIP.half, j]
        cell = 2.0 * aj / nx * strip[STRIP.width, j]
        tx, ty = strip[STRIP.sum_x, j], strip[STRIP.sum_y, j]
        fx += tx * cell
        fy += ty * cell
        mz += (aj * strip[STRIP.sum_m, j] + strip[STRIP.offset, j] * ty - strip[STRIP.s, j] * tx) * cell
    force[0], force[1], force[2] = fx, fy, mz


def fastsim(a, b, load, mu, creepage, *, shear_modulus=82e9, poisson=0.28, bound="elliptic", grid=(66, 66)):
    """Creep force of an elliptic contact patch by FASTSIM.

    Parameters
    ----------
    a, b : float [m]                 semi-axes, a along rolling
    load : float [N]                 normal load
    mu : float [-]                   friction coefficient
    creepage : (3,) [-, -, 1/m]      longitudinal, lateral, spin; wheel minus rail
    shear_modulus, poisson : float [Pa, -]
    bound : str                      "elliptic" (mu times Hertz's pressure, 1.5N/(pi a b) at the middle; over 35 exact
                                     solutions the median error is 0.020 mu N) or "parabolic" (2N/(pi a b), as in
                                     Kalker 1982; 0.031 mu N)
    grid : (int, int)                cells per strip and strips

    Returns
    -------
    (3,) float [N, N, N m]           Fx, Fy, Mz on the wheel, patch frame (x rolling, z into the wheel)

    Raises
    ------
    ContactError                     for a non-positive size, load or grid, or an unknown bound

    Source: Kalker 1982. Verified in tests/verification/test_fastsim.py.
    """
    for name, value in (("a", a), ("b", b), ("shear_modulus", shear_modulus)):
        if not (np.isfinite(value) and value > 0.0):
            raise ContactError(f"fastsim: {name} = {value!r}, expected a positive number")
    for name, value in (("load", load), ("mu", mu)):
        if not (np.isfinite(value) and value >= 0.0):
            raise ContactError(f"fastsim: {name} = {value!r}, expected a number >= 0")
    if not np.all(np.isfinite(creepage)):
        raise ContactError(f"fastsim: creepages {creepage!r} must be finite")
    if bound not in BOUNDS:
        raise ContactError(f"fastsim: bound = {bound!r}, expected one of {sorted(BOUNDS)}")
    nx, ny = grid
    if nx < 1 or ny < 1:
        raise ContactError(f"fastsim: grid {nx} x {ny}, expected at least 1 x 1")
    u = -1.0 + (2.0 * np.arange(ny) + 1.0) / ny
    y, width = b * u, np.full(ny, 2.0 * b / ny)
    half = a * np.sqrt(1.0 - u * u)
    force, strip = np.zeros(3), np.zeros((len(STRIP), ny))
    strip[STRIP.half], strip[STRIP.s], strip[STRIP.width] = half, y, width
    # the sums over the cells in place of the integrals 4 a^2 b/3 and 3 pi a^3 b/8: Kalker's slopes on any grid
    plain = float((half**2) @ width) / (4.0 / 3.0 * a * a * b)
    turned = float((half**3) @ width) / (3.0 / 8.0 * np.pi * a**3 * b) * (1.0 + 0.5 / nx**2)
    L1, L2, L3 = flexibilities(kalker_ellipse(a, b, shear_modulus, poisson))
    L = L1 * plain, L2 * plain, L3 * turned
    fastsim_strips(ny, strip, mu * load, np.array(creepage, float), L, BOUNDS[bound], nx, force)
    return force
