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


class Tangent(NamedTuple):
    """How a creep force Fx, Fy, Mz changes with creepages xi, eta, phi; exact where traction is smooth."""

    xx: float  # [N] -dFx/dxi
    xy: float  # [N] -dFx/deta
    xp: float  # [N m] -dFx/dphi
    yx: float
    yy: float
    yp: float
    px: float  # [N m] -dMz/dxi
    py: float
    pp: float  # [N m^2] -dMz/dphi
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


class StickColumns(NamedTuple):
    """Columns of what the cells before one carry, where all of them stick: per creepage at the leading edge (q), and
    per creepage that goes from 1 at the leading edge to -1 at the trailing one (r)."""

    q: int  # less traction at the last of them
    r: int
    sum_q: int  # over the widths
    sum_r: int
    turn_q: int  # first moments
    turn_r: int


STICK = StickColumns(*range(len(StickColumns._fields)))


class Cells(NamedTuple):
    """Cells along a strip, at equal angles on a circle above it."""

    row: np.ndarray  # (6, n) rows ALONG
    stick: np.ndarray  # (n + 1, 6) columns STICK
    parabolic: bool  # bound
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
    width = 2.0 * width
    q, r = np.cumsum(way), np.cumsum(way * (place + 0.5 * way))
    sums = (np.cumsum(width * part) for part in (q, r, place * q, place * r))
    stick = np.pad(np.stack([q, r, *sums], axis=1), ((1, 0), (0, 0)))
    return Cells(np.stack([place, width, way, around, 1.0 / around, drag]), stick, bound == PARABOLIC)


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

    Up to the first cell in which any strip slides, tractions and sums are those of sticking, known beforehand. The
    tangent is the derivative of every step of the march, carried along: growth of a cell's traction by less creepage
    along and across the strip and by less spin. Where a cell slides, what lies along its traction is left out.

    Parameters
    ----------
    n : int                       strips
    strip : (13, m)               of `empty_strips`, m >= n, those from n on without width; rows semi_hertzian.STRIP:
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
    row, xx, xy, xp, yx, yy, yp, px, py, pp = strip.shape[1], 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    force[0], force[1], force[2] = 0.0, 0.0, 0.0
    for j in range(0, n, 8):
        half, s = load_lanes(strip, STRIP.half * row + j, 8), load_lanes(strip, STRIP.s * row + j, 8)
        offset = load_lanes(strip, STRIP.offset * row + j, 8)
        most = scale * half
        if cells.parabolic:
            most *= half
        least = 1.0 / max(most, _LEAST)
        along = half * (xi - phi * s)
        across, spin = half * (eta + phi * offset), half * half * phi
        first = first_sliding(cells, along, across, spin, most)
        q, r = cells.stick[first, STICK.q], cells.stick[first, STICK.r]
        tx, ty = -q * along, -q * across - r * spin
        # growth of the traction by less of `along` (a), `across` (b) and `spin` (c)
        xa, xb, xc = fill_lanes(q, 8), fill_lanes(0.0, 8), fill_lanes(0.0, 8)
        ya, yb, yc = fill_lanes(0.0, 8), fill_lanes(q, 8), fill_lanes(r, 8)
        q, r = cells.stick[first, STICK.sum_q], cells.stick[first, STICK.sum_r]
        sum_x, sum_y = -q * along, -q * across - r * spin
        sum_xa, sum_xb, sum_xc = fill_lanes(q, 8), fill_lanes(0.0, 8), fill_lanes(0.0, 8)
        sum_ya, sum_yb, sum_yc = fill_lanes(0.0, 8), fill_lanes(q, 8), fill_lanes(r, 8)
        q, r = cells.stick[first, STICK.turn_q], cells.stick[first, STICK.turn_r]
        sum_m = -q * across - r * spin
        sum_ma, sum_mb, sum_mc = fill_lanes(0.0, 8), fill_lanes(q, 8), fill_lanes(r, 8)
        for i in range(first, cells.row.shape[1]):
            u, way, bound = cells.row[ALONG.place, i], cells.row[ALONG.way, i], cells.row[ALONG.bound, i] * most
            middle = u + 0.5 * way
            rigid, ahead = across + middle * spin, across + u * spin
            tx -= way * along
            ty -= way * rigid
            xa += way
            yb += way
            yc += way * middle
            # f as above, and by how much it grows with the traction's square and with the slip's size
            inverse, drag = least * cells.row[ALONG.inverse_bound, i], least * cells.row[ALONG.drag, i]
            inverse *= inverse
            slip = single_root(along * along + rigid * rigid + _LEAST)
            over, free = 0.25 * ((tx * tx + ty * ty) * inverse - 1.0), slip * drag
            more, begins = way * max(min(min(over, free), _MOST), 0.0), over < free
            by_force = where(begins, (0.5 * way) * inverse, 0.0)
            by_slip = where(begins, 0.0, way * drag / slip)
            push_x, push_y, slip_x, slip_y = by_force * tx, by_force * ty, by_slip * along, by_slip * rigid
            tx -= more * along
            ty -= more * ahead
            aside = tx * ahead - ty * along
            root = inverse_root(tx * tx + ty * ty + _LEAST)
            keep = min(bound * root, 1.0)
            slides, turn = keep < 1.0, keep * root * root
            turned = turn * (tx * ya - ty * (xa + more) - (push_x * xa + push_y * ya - slip_x) * aside)
            xa, ya = where(slides, -(ty * turned), xa), where(slides, tx * turned, ya)
            turned = turn * (tx * (yb + more) - ty * xb - (push_x * xb + push_y * yb - slip_y) * aside)
            xb, yb = where(slides, -(ty * turned), xb), where(slides, tx * turned, yb)
            turned = turn * (tx * (yc + more * u) - ty * xc - (push_x * xc + push_y * yc - middle * slip_y) * aside)
            xc, yc = where(slides, -(ty * turned), xc), where(slides, tx * turned, yc)
            tx *= keep
            ty *= keep
            width = cells.row[ALONG.width, i]
            arm = width * u
            sum_x += width * tx
            sum_y += width * ty
            sum_m += arm * ty
            sum_xa += width * xa
            sum_xb += width * xb
            sum_xc += width * xc
            sum_ya += width * ya
            sum_yb += width * yb
            sum_yc += width * yc
            sum_ma += arm * ya
            sum_mb += arm * yb
            sum_mc += arm * yc
        cell = half * load_lanes(strip, STRIP.width * row + j, 8)
        force[0] += total(sum_x * cell)
        force[1] += total(sum_y * cell)
        force[2] += total((half * sum_m + offset * sum_y - s * sum_x) * cell)
        cell *= half
        xx += total(sum_xa * cell)
        xy += total(sum_xb * cell)
        xp += total((half * sum_xc + offset * sum_xb - s * sum_xa) * cell)
        yx += total(sum_ya * cell)
        yy += total(sum_yb * cell)
        yp += total((half * sum_yc + offset * sum_yb - s * sum_ya) * cell)
        sum_ma = half * sum_ma + offset * sum_ya - s * sum_xa
        sum_mb = half * sum_mb + offset * sum_yb - s * sum_xb
        sum_mc = half * sum_mc + offset * sum_yc - s * sum_xc
        px += total(sum_ma * cell)
        py += total(sum_mb * cell)
        pp += total((half * sum_mc + offset * sum_mb - s * sum_ma) * cell)
    return Tangent(i1 * xx, i2 * xy, i3 * xp, i1 * yx, i2 * yy, i3 * yp, i1 * px, i2 * py, i3 * pp)


@kernel(fastmath=FAST, forceinline=True)
def first_sliding(cells, along, across, spin, most):
    """First cell in which a strip slides that has stuck before; the number of cells where none does."""
    count = cells.row.shape[1]
    for i in range(count):
        q, r, bound = cells.stick[i + 1, STICK.q], cells.stick[i + 1, STICK.r], cells.row[ALONG.bound, i] * most
        x, y = q * along, q * across + r * spin
        if any_lane(x * x + y * y > bound * bound):
            return i
    return count


@kernel(fastmath=FAST, forceinline=True)
def bound_scale(n, strip, limit, cells):
    """Bound of the traction over `ALONG.bound` and the half-length, or its square, so that the cells carry `limit`."""
    row, carried, around = strip.shape[1], fill_lanes(0.0, 8), 0.0
    for j in range(0, n, 8):
        half = load_lanes(strip, STRIP.half * row + j, 8)
        each = half * half * load_lanes(strip, STRIP.width * row + j, 8)
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
