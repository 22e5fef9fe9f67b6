"""A rim under a contact patch: each circumferential order solved on a fine section of its own.

A free ring of rectangular section carries Hertz's pressure on an ellipse on its tread. In cylindrical coordinates
u_r, u_y = a_r, a_y cos(n theta), u_theta = a_theta sin(n theta): an order is a plane problem of the section, which
9-node elements solve, 1 mm wide under the patch. Nothing is shared with the package's elements, sections or half-space.

Source: Zienkiewicz, Taylor 2000, The Finite Element Method, vol. 2, section 9.4 (semi-analytical elements).
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sla
from scipy.special import j1

RADIUS, DEPTH, HALF = 0.460, 0.060, 0.0675  # [m] of the tread, of the rim, half of its width
PATCH = (0.006, 0.005)  # [m] semi-axes along and across
FINEST, GROWTH, COARSEST = 0.001, 1.35, 0.008  # [m] of the elements


class RimSection(NamedTuple):
    """9-node elements of a rectangle, graded towards the middle of the tread."""

    y: np.ndarray  # (Ny,) lines of nodes across [m]
    r: np.ndarray  # (Nr,) [m]
    shape: np.ndarray  # (G, 9) at the Gauss points of an element
    cells: np.ndarray  # (E, 9) nodes
    gradient: np.ndarray  # (E, G, 9, 2) by y and r
    radius: np.ndarray  # (E, G)
    weight: np.ndarray  # (E, G)


def rim_section() -> RimSection:
    """The section of the rim."""
    half = _graded(HALF)
    y, r = _with_middles(np.concatenate([-half[:0:-1], half])), _with_middles(RADIUS - _graded(DEPTH)[::-1])
    ey, er = (len(y) - 1) // 2, (len(r) - 1) // 2
    point, weight = np.polynomial.legendre.leggauss(3)
    line = np.stack([0.5 * point * (point - 1.0), 1.0 - point**2, 0.5 * point * (point + 1.0)], axis=1)
    slope = np.stack([point - 0.5, -2.0 * point, point + 0.5], axis=1)
    shape = np.einsum("ai,bj->abij", line, line).reshape(9, 9)
    by_y = np.einsum("ai,bj->abij", slope, line).reshape(9, 9)
    by_r = np.einsum("ai,bj->abij", line, slope).reshape(9, 9)
    cells = np.array(
        [[(2 * a + i) * len(r) + 2 * b + j for i in range(3) for j in range(3)] for a in range(ey) for b in range(er)]
    )
    hy, hr = np.repeat(np.diff(y[::2]), er), np.tile(np.diff(r[::2]), ey)
    gradient = np.stack([by_y[None] * (2.0 / hy)[:, None, None], by_r[None] * (2.0 / hr)[:, None, None]], axis=-1)
    radius = np.einsum("gk,ek->eg", shape, r[cells % len(r)])
    area = np.outer(weight, weight).ravel() * (hy * hr / 4.0)[:, None]
    return RimSection(y, r, shape, cells, gradient, radius, area)


def rim_field(section, order, material, points, forces=(0, 1, 2)):
    """Displacement x, y, z, section axes, at points of the section of one order under unit forces on the patch.

    Parameters
    ----------
    order : int                 2 or more
    points : (n, 2) [m]         y and depth, taken at the nearest node

    Returns
    -------
    (n, 3, 3) [m/N]     amplitudes under those of the forces x, y, z that are asked for; cosine, of x under y and z and
                        of y, z under x: sine
    """
    moved = np.zeros((len(points), 3, 3))
    count = len(section.y) * len(section.r)
    at = [
        int(np.argmin(np.abs(section.y - y)) * len(section.r) + np.argmin(np.abs(section.r - (RADIUS - depth))))
        for y, depth in points
    ]
    loads = np.zeros((2, 3 * count, 2))
    top = np.arange(len(section.y)) * len(section.r) + len(section.r) - 1
    share = _patch_shares(section.y, order / RADIUS)
    loads[0, 3 * top + 1, 0], loads[0, 3 * top, 1] = share, -share  # force y; force z points to the axle
    loads[1, 3 * top + 2, 0] = share
    for family, components in ((0, (1, 2)), (1, (0,))):
        if not set(components) & set(forces):
            continue
        # under a force along, u_theta goes with the cosine: the same problem with -n
        solve = sla.splu(_stiffness(section, order if family == 0 else -order, material)).solve
        for k, a in enumerate(components):
            u = solve(loads[family][:, k]).reshape(-1, 3)[at]
            moved[:, 1, a], moved[:, 2, a] = u[:, 1], -u[:, 0]
            moved[:, 0, a] = -u[:, 2]
    moved[:, 0, 0] *= -1.0
    return moved


def _stiffness(section, order, material):
    """Stiffness of one order, unknowns r, y, theta of each node."""
    nu, young = material.poissons_ratio, material.youngs_modulus
    shear, lame = young / (2.0 * (1.0 + nu)), young * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))
    elastic = np.zeros((6, 6))
    elastic[:3, :3] = lame
    elastic[range(6), range(6)] += np.repeat([2.0 * shear, shear], 3)
    over = section.shape[None] / section.radius[..., None]
    rows = np.zeros((*section.radius.shape, 6, 9, 3))  # rr yy tt, ry, yt, rt
    by_y, by_r = section.gradient[..., 0], section.gradient[..., 1]
    rows[:, :, 0, :, 0], rows[:, :, 1, :, 1] = by_r, by_y
    rows[:, :, 2, :, 0], rows[:, :, 2, :, 2] = over, order * over
    rows[:, :, 3, :, 0], rows[:, :, 3, :, 1] = by_y, by_r
    rows[:, :, 4, :, 1], rows[:, :, 4, :, 2] = -order * over, by_y
    rows[:, :, 5, :, 0], rows[:, :, 5, :, 2] = -order * over, by_r - over
    rows = rows.reshape(*section.radius.shape, 6, 27)
    weighted = rows * (np.pi * section.radius * section.weight)[..., None, None]
    local = np.einsum("egia,ij,egjb->eab", weighted, elastic, rows, optimize=True)
    dof = (3 * section.cells[:, :, None] + np.arange(3)).reshape(-1, 27)
    place = np.broadcast_to(dof[:, :, None], local.shape), np.broadcast_to(dof[:, None], local.shape)
    size = 3 * len(section.y) * len(section.r)
    return sp.coo_matrix((local.ravel(), (place[0].ravel(), place[1].ravel())), shape=(size, size)).tocsc()


def _patch_shares(y, k):
    """Nodal shares of Hertz's pressure of one wave along: p_0 pi/a x_m J_1(k x_m)/k at each y, x_m its half length."""
    a, b = PATCH
    point, weight = np.polynomial.legendre.leggauss(24)
    out = np.zeros(len(y))
    for i in range(0, len(y) - 1, 2):
        low, high = max(y[i], -b), min(y[i + 2], b)
        if low >= high:
            continue
        at = 0.5 * (low + high) + 0.5 * (high - low) * point
        half = a * np.sqrt(np.maximum(1.0 - (at / b) ** 2, 0.0))
        line = 1.5 / (np.pi * a * b) / a * np.pi * half * j1(k * half) / k * weight * 0.5 * (high - low)
        s = (at - y[i + 1]) / (0.5 * (y[i + 2] - y[i]))
        for j, value in enumerate((0.5 * s * (s - 1.0), 1.0 - s**2, 0.5 * s * (s + 1.0))):
            out[i + j] += np.sum(value * line)
    return out


def _graded(length):
    """Ends of elements from 0 to a length, fine at 0."""
    size, ends = FINEST, [0.0]
    while ends[-1] < length:
        fine = ends[-1] < 2.0 * max(PATCH)
        size = FINEST if fine else min(size * GROWTH, COARSEST)
        ends.append(ends[-1] + size)
    return np.array(ends) * (length / ends[-1])


def _with_middles(ends):
    return np.sort(np.concatenate([ends, 0.5 * (ends[1:] + ends[:-1])]))
