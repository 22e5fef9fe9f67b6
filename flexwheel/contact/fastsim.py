"""Creep force of a contact patch by FASTSIM, with three flexibilities.

Strips along the rolling direction are marched from the leading (+x) to the trailing edge; a cell whose trial
traction passes the Coulomb bound slides. Kalker's bound is parabolic; the elliptic one is mu times the pressure of
Hertz and nearer to the exact solution (docs/contact.md).

Source: Kalker, A fast algorithm for the simplified theory of rolling contact, Vehicle System Dynamics 11
(1982) 1-13. Verified in tests/verification/test_fastsim_verified.py.
"""

import math
from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ContactError
from flexwheel.contact.fejer import fejer
from flexwheel.contact.gap import FAST
from flexwheel.contact.kalker_coefficients import kalker_ellipse
from flexwheel.contact.semi_hertzian import STRIP, empty_strips
from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lane_arithmetic import any_lane, inverse_root, single_root, total, where
from flexwheel.numerics.kernels.lanes import fill_lanes, load_lanes

_LEAST = 1e-12  # [Pa], [Pa^2] of what divides
_MOST = 1e3  # of the correction where a strip slides: beyond, only its direction counts
_SLIDES = 0.005  # of the tangent while nothing slides that is left at least, for the iteration's sake


class Tangent(NamedTuple):
    """How a creep force Fx, Fy, Mz changes with creepages xi, eta, phi, and with the bound."""

    xx: float  # [N] -dFx/dxi
    xy: float  # [N] -dFx/deta; of FASTSIM its mean with yx, from which it differs as L1 and L2 do: so it dissipates
    xp: float  # [N m] -dFx/dphi
    yx: float
    yy: float
    yp: float
    px: float  # [N m] -dMz/dxi
    py: float
    pp: float  # [N m^2] -dMz/dphi
    slides_x: float  # [N] part of Fx that grows with the bound
    slides_y: float  # [N]
    BY_VALUE = True


PARABOLIC = 0
BOUNDS = {"parabolic": PARABOLIC, "elliptic": 1}


class AlongRows(NamedTuple):
    """Rows of the cells along a strip."""

    place: int  # u where the traction is taken, from the leading edge, 1, to the trailing one, -1
    width: int  # sum 2
    way: int  # from the place before, of the first from the edge
    bound: int  # of the traction: 1 - u^2 or its root
    inverse_bound: int
    drag: int  # half of the way over the bound, here or at the place before, where it is larger


ALONG = AlongRows(*range(len(AlongRows._fields)))


class Cells(NamedTuple):
    """Cells along a strip, at equal angles on a circle above it."""

    row: np.ndarray  # (6, n) rows ALONG
    parabolic: bool  # bound
    spun: float  # where a strip sticks: mean of its traction by spin over that by creepage, and first moments of both
    arm: float
    spun_arm: float
    BY_VALUE = True


def cells_along(count, bound) -> Cells:
    """Cells of a strip for one of BOUNDS.

    The bound ends like a root, which equal angles resolve; sums are exact where a strip slides along its whole length,
    and where it sticks.
    """
    behind, width = fejer(count)
    place = 1.0 - 2.0 * behind
    square = 1.0 - place**2
    around = square if bound == PARABOLIC else np.sqrt(square)
    way = -np.diff(place, prepend=1.0)
    drag = 0.5 * way / np.maximum(around, np.roll(around, 1))
    drag[0] = 0.5 * way[0] / around[0]
    crept, spun = np.cumsum(way), np.cumsum(way * (place + 0.5 * way))
    means = (width @ row / (width @ crept) for row in (spun, place * crept, place * spun))
    return Cells(np.stack([place, 2.0 * width, way, around, 1.0 / around, drag]), bound == PARABOLIC, *means)


@kernel(inline="always")
def flexibilities(ellipse):
    """L1, L2, L3 [m^3/N] of an ellipse: 8a/(3 G c11), 8a/(3 G c22), pi a sqrt(a/b)/(4 G c23)."""
    a, shear_modulus = ellipse.a, ellipse.shear_modulus
    L1 = 8.0 * a / (3.0 * shear_modulus * ellipse.c11)
    L2 = 8.0 * a / (3.0 * shear_modulus * ellipse.c22)
    L3 = math.pi * a * math.sqrt(a / ellipse.b) / (4.0 * shear_modulus * ellipse.c23)
    return L1, L2, L3


@kernel(fastmath=FAST)
def fastsim_strips(n, strip, limit, creepage, flexibility, cells, force):
    """March FASTSIM over strips of any half-length.

    A cell that slides has its traction along T - c h, with c the rigid slip over L in the middle of the way h from the
    cell before: backward Euler, whose direction lags by a part of the order of h. To make it second order, -f c' h is
    added, with c' at the cell and f = (|T - c h|/g - 1)/2, g the bound; where T has come to lie along -c that is
    |c| h/(2 g). The smaller of this and ((T - c h)^2/g^2 - 1)/4 is taken, which is continuous where slip begins.

    The tangent comes along: where a cell sticks its traction has grown by the way times the creepages' change since
    the edge, q; where it slides only its direction changes, by the part of q across it, lowered as the traction is.
    Spin changes the creepage along a strip; the tangent takes the mean over a strip that sticks.

    Parameters
    ----------
    n : int                       strips
    strip : (11, m)               of `empty_strips`, m >= n, those from n on without width; rows semi_hertzian.STRIP:
                                  half, s, width, offset are read
    limit : float [N]             mu times the normal load
    creepage : (3,) [-, -, 1/m]   xi, eta, phi; wheel minus rail
    flexibility : (3,) [m^3/N]    L1, L2, L3
    cells : Cells                 along each strip; the bound carries `limit` over the patch on any of them
    force : (3,) [N, N, N m]      out: Fx, Fy, Mz on the wheel in the patch frame

    Returns
    -------
    Tangent
    """
    i1, i2, i3 = 1.0 / flexibility[0], 1.0 / flexibility[1], 1.0 / flexibility[2]
    xi, eta, phi = creepage[0] * i1, creepage[1] * i2, creepage[2] * i3
    scale = bound_scale(n, strip, limit, cells)
    row, fx, fy, mz = strip.shape[1], fill_lanes(0.0, 16), fill_lanes(0.0, 16), fill_lanes(0.0, 16)
    all_q, xx_q, xy_q, yy_q = fill_lanes(0.0, 16), fill_lanes(0.0, 16), fill_lanes(0.0, 16), fill_lanes(0.0, 16)
    slid_x, slid_y = fill_lanes(0.0, 16), fill_lanes(0.0, 16)
    x_spin, y_spin, x_turn, y_turn = fill_lanes(0.0, 16), fill_lanes(0.0, 16), fill_lanes(0.0, 16), fill_lanes(0.0, 16)
    turn_spin = fill_lanes(0.0, 16)
    for j in range(0, n, 16):
        half, s = load_lanes(strip, STRIP.half * row + j, 16), load_lanes(strip, STRIP.s * row + j, 16)
        offset = load_lanes(strip, STRIP.offset * row + j, 16)
        most = scale * half
        if cells.parabolic:
            most *= half
        least = 1.0 / max(most, _LEAST)
        along = half * (xi - phi * s)
        across, spin = half * (eta + phi * offset), half * half * phi
        tx, ty = fill_lanes(0.0, 16), fill_lanes(0.0, 16)
        sum_x, sum_y, sum_m = fill_lanes(0.0, 16), fill_lanes(0.0, 16), fill_lanes(0.0, 16)
        q, sum_q, slid = fill_lanes(0.0, 16), fill_lanes(0.0, 16), fill_lanes(0.0, 16)
        xx, xy = fill_lanes(0.0, 16), fill_lanes(0.0, 16)
        with_x, with_y = fill_lanes(0.0, 16), fill_lanes(0.0, 16)
        for i in range(cells.row.shape[1]):
            u, way, bound = cells.row[ALONG.place, i], cells.row[ALONG.way, i], cells.row[ALONG.bound, i] * most
            rigid = across + (u + 0.5 * way) * spin
            tx -= way * along
            ty -= way * rigid
            q += way
            width = cells.row[ALONG.width, i]
            square = tx * tx + ty * ty
            if any_lane(square > bound * bound):
                over = (
                    square * (least * least) * (cells.row[ALONG.inverse_bound, i] * cells.row[ALONG.inverse_bound, i])
                    - 1.0
                )
                free = single_root(along * along + rigid * rigid + _LEAST) * least * cells.row[ALONG.drag, i]
                more = way * max(min(min(0.25 * over, free), _MOST), 0.0)
                tx -= more * along
                ty -= more * (across + u * spin)
                keep = min(bound * inverse_root(tx * tx + ty * ty + _LEAST), 1.0)
                tx *= keep
                ty *= keep
                q = keep * (q + more)
                slides = where(keep < 1.0, fill_lanes(width, 16), fill_lanes(0.0, 16))
                x, y = slides * tx, slides * ty
                with_x += x
                with_y += y
                slid += slides * q
                inverse = least * cells.row[ALONG.inverse_bound, i]
                turn = q * inverse * inverse * x
                xx += turn * tx
                xy += turn * ty
            sum_x += width * tx
            sum_y += width * ty
            sum_m += (width * u) * ty
            sum_q += width * q
        cell = half * load_lanes(strip, STRIP.width * row + j, 16)
        fx += sum_x * cell
        fy += sum_y * cell
        mz += (half * sum_m + offset * sum_y - s * sum_x) * cell
        slid_x += with_x * cell
        slid_y += with_y * cell
        cell *= half
        all_q += sum_q * cell
        xy *= cell
        gx, gy = (sum_q - xx) * cell, (sum_q - slid + xx) * cell
        ahead, behind = offset + half * cells.spun, offset + half * cells.arm
        xx_q += gx
        xy_q += xy
        yy_q += gy
        x_spin += s * gx + ahead * xy
        y_spin += s * xy + ahead * gy
        x_turn += s * gx + behind * xy
        y_turn += s * xy + behind * gy
        arms = offset * (ahead + behind - offset) + half * half * cells.spun_arm
        turn_spin += s * (s * gx + (ahead + behind) * xy) + arms * gy
    force[0], force[1], force[2] = total(fx), total(fy), total(mz)
    least, both = _SLIDES * total(all_q), -0.5 * (i1 + i2) * total(xy_q)
    return Tangent(
        i1 * (total(xx_q) + least),
        both,
        -i3 * total(x_spin),
        both,
        i2 * (total(yy_q) + least),
        i3 * total(y_spin),
        -i1 * total(x_turn),
        i2 * total(y_turn),
        i3 * total(turn_spin),
        total(slid_x),
        total(slid_y),
    )


@kernel(fastmath=FAST, forceinline=True)
def bound_scale(n, strip, limit, cells):
    """Bound of the traction over `ALONG.bound` and the half-length, or its square, so that the cells carry `limit`."""
    row, carried, around = strip.shape[1], fill_lanes(0.0, 16), 0.0
    for j in range(0, n, 16):
        half = load_lanes(strip, STRIP.half * row + j, 16)
        each = half * half * load_lanes(strip, STRIP.width * row + j, 16)
        carried += each * half if cells.parabolic else each
    for i in range(cells.row.shape[1]):
        around += cells.row[ALONG.bound, i] * cells.row[ALONG.width, i]
    whole = total(carried) * around
    return limit / whole if whole > 0.0 else 0.0


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

    Source: Kalker 1982. Verified in tests/verification/test_fastsim_verified.py.
    """
    for name, value in (("a", a), ("b", b), ("shear_modulus", shear_modulus)):
        if not (np.isfinite(value) and value > 0.0):
            raise ContactError(f"fastsim: {name} must be a positive number, got {value!r}")
    for name, value in (("load", load), ("mu", mu)):
        if not (np.isfinite(value) and value >= 0.0):
            raise ContactError(f"fastsim: {name} must be a number >= 0, got {value!r}")
    if not np.all(np.isfinite(creepage)):
        raise ContactError(f"fastsim: creepages {creepage!r} must be finite")
    if bound not in BOUNDS:
        raise ContactError(f"fastsim: bound must be one of {sorted(BOUNDS)}, got {bound!r}")
    nx, ny = grid
    if nx < 1 or ny < 1:
        raise ContactError(f"fastsim: grid must be at least 1 x 1, got {nx} x {ny}")
    u = -1.0 + (2.0 * np.arange(ny) + 1.0) / ny
    y, width = b * u, np.full(ny, 2.0 * b / ny)
    half = a * np.sqrt(1.0 - u * u)
    force, strip = np.zeros(3), empty_strips(ny)
    strip[STRIP.half, :ny], strip[STRIP.s, :ny], strip[STRIP.width, :ny] = half, y, width
    # the sums over the cells in place of the integrals 4 a^2 b/3 and 3 pi a^3 b/8: Kalker's slopes on any grid
    plain = float((half**2) @ width) / (4.0 / 3.0 * a * a * b)
    turned = float((half**3) @ width) / (3.0 / 8.0 * np.pi * a**3 * b)
    L1, L2, L3 = flexibilities(kalker_ellipse(a, b, shear_modulus, poisson))
    L = L1 * plain, L2 * plain, L3 * turned
    fastsim_strips(ny, strip, mu * load, np.array(creepage, float), L, cells_along(nx, BOUNDS[bound]), force)
    return force
