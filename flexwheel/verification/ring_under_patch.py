"""A rim under a contact patch: each circumferential order solved on a fine section of its own.

A free ring, plain or with the profile of a wheel, carries Hertz's pressure on an ellipse on its running surface. In
cylindrical coordinates u_r, u_y = a_r, a_y cos(n theta), u_theta = a_theta sin(n theta): an order is a plane problem of
the section, which 9-node elements solve, 1 mm wide under the patch. Nothing is shared with the package's elements,
sections or half-space.

Source: Zienkiewicz, Taylor 2000, The Finite Element Method, vol. 2, section 9.4 (semi-analytical elements).
"""

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sla
from scipy.special import j1

RADIUS, INNER, HALF = 0.460, 0.400, 0.0675  # [m] of the tread and of the rim's inside; half width of the plain rim
DEPTH = RADIUS - INNER
PATCH = (0.006, 0.005)  # [m] semi-axes along and across
FINEST, GROWTH, COARSEST = 0.001, 1.2, 0.003  # [m] of the elements; e-fold at order 163: 2.8 mm


class RimSection(NamedTuple):
    """9-node elements between a running surface and a cylinder, graded towards the patch."""

    nodes: np.ndarray  # (Ny, Nr, 2) y and r of the lines of nodes [m]
    arc: np.ndarray  # (Ny,) way along the surface from the patch [m]
    cells: np.ndarray  # (E, 9) rows of nodes
    shape: np.ndarray  # (G, 9) at the Gauss points of an element
    gradient: np.ndarray  # (E, G, 9, 2) by y and r
    radius: np.ndarray  # (E, G)
    weight: np.ndarray  # (E, G)


def rim_section(surface=None, patch=0.0) -> RimSection:
    """The section of the rim.

    Parameters
    ----------
    surface : (P, 2) [m]    y ascending and radius of the running surface, straight between; None: plain
    patch : float [m]       y of the patch's middle
    """
    line = np.array([[-HALF, RADIUS], [HALF, RADIUS]]) if surface is None else np.asarray(surface, dtype=float)
    way = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    middle = np.interp(patch, line[:, 0], way)
    ends = np.concatenate([-_graded(middle)[:0:-1], _graded(way[-1] - middle)])
    arc = _with_middles(ends)
    y, top = (np.interp(arc + middle, way, column) for column in line.T)
    t = _with_middles(1.0 - _graded(DEPTH)[::-1] / DEPTH)
    nodes = np.stack(np.broadcast_arrays(y[:, None], INNER + (top[:, None] - INNER) * t), axis=-1)
    ey, er = len(y) // 2, len(t) // 2
    at = lambda a, b: [(2 * a + i) * len(t) + 2 * b + j for i in range(3) for j in range(3)]  # noqa: E731
    cells = np.array([at(a, b) for a in range(ey) for b in range(er)])
    point, weight = np.polynomial.legendre.leggauss(3)
    grid = np.stack(np.meshgrid(point, point, indexing="ij"), axis=-1).reshape(-1, 2)
    shape, slope = _shapes(grid)
    corner = nodes.reshape(-1, 2)[cells]
    jacobian = np.einsum("ecx,gck->egxk", corner, slope)
    gradient = np.einsum("gck,egkx->egcx", slope, np.linalg.inv(jacobian))
    area = np.outer(weight, weight).ravel() * np.linalg.det(jacobian)
    return RimSection(nodes, arc, cells, shape, gradient, corner[..., 1] @ shape.T, area)


def rim_field(section, order, material, points, forces=(0, 1, 2)):
    """Displacement x, y, z, section axes, at points of the section of one order under unit forces on the patch.

    Parameters
    ----------
    order : int                 2 or more
    points : (n, 2) [m]         y and radius
    forces : tuple              those that are asked for: x along, y to the side, z to the axle

    Returns
    -------
    (n, 3, 3) [m/N]     amplitudes under those of the forces x, y, z that are asked for; cosine, of x under y and z and
                        of y, z under x: sine
    """
    moved = np.zeros((len(points), 3, 3))
    count = section.nodes.shape[0] * section.nodes.shape[1]
    cell, shape = _located(section, points)
    loads = np.zeros((2, 3 * count, 2))
    top = np.arange(len(section.arc)) * section.nodes.shape[1] + section.nodes.shape[1] - 1
    share = _patch_shares(section.arc, order / RADIUS)
    loads[0, 3 * top + 1, 0], loads[0, 3 * top, 1] = share, -share  # force y; force z points to the axle
    loads[1, 3 * top + 2, 0] = share
    for family, components in ((0, (1, 2)), (1, (0,))):
        if not set(components) & set(forces):
            continue
        # under a force along, u_theta goes with the cosine: the same problem with -n
        stiffness = _stiffness(section, order if family == 0 else -order, material)
        solve = sla.splu(stiffness, "MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options={"SymmetricMode": True}).solve
        for k, a in enumerate(components):
            u = np.einsum("nc,nca->na", shape, solve(loads[family][:, k]).reshape(-1, 3)[section.cells[cell]])
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
    local = (weighted.transpose(0, 3, 1, 2) @ elastic).reshape(len(rows), 27, -1) @ rows.reshape(len(rows), -1, 27)
    dof = (3 * section.cells[:, :, None] + np.arange(3)).reshape(-1, 27)
    place = np.broadcast_to(dof[:, :, None], local.shape), np.broadcast_to(dof[:, None], local.shape)
    size = 3 * section.nodes.shape[0] * section.nodes.shape[1]
    return sp.coo_matrix((local.ravel(), (place[0].ravel(), place[1].ravel())), shape=(size, size)).tocsc()


def _shapes(at):
    """Shape functions (n, 9) of an element and their slopes (n, 9, 2) at points (n, 2) of -1 to 1."""
    line = np.stack([0.5 * at * (at - 1.0), 1.0 - at**2, 0.5 * at * (at + 1.0)], axis=-1)  # (n, 2, 3)
    slope = np.stack([at - 0.5, -2.0 * at, at + 0.5], axis=-1)
    product = lambda a, b: np.einsum("ni,nj->nij", a, b).reshape(len(at), 9)  # noqa: E731
    by = [product(slope[:, 0], line[:, 1]), product(line[:, 0], slope[:, 1])]
    return product(line[:, 0], line[:, 1]), np.stack(by, axis=-1)


def _located(section, points):
    """Element of each point and the shape functions (n, 9) there; lines of one y are straight in r."""
    y, er = section.nodes[:, 0, 0], section.nodes.shape[1] // 2
    found, natural = [], []
    for at, radius in points:
        a = min(max(int(np.searchsorted(y[::2], at)) - 1, 0), len(y) // 2 - 1)
        u = (at - y[2 * a + 1]) / (0.5 * (y[2 * a + 2] - y[2 * a]))
        for _ in range(8):  # middles need not lie half way across
            shape = np.array([0.5 * u * (u - 1.0), 1.0 - u**2, 0.5 * u * (u + 1.0)])
            u -= (shape @ y[2 * a : 2 * a + 3] - at) / (np.array([u - 0.5, -2.0 * u, u + 0.5]) @ y[2 * a : 2 * a + 3])
        line = np.array([0.5 * u * (u - 1.0), 1.0 - u**2, 0.5 * u * (u + 1.0)]) @ section.nodes[2 * a : 2 * a + 3, :, 1]
        b = min(max(int(np.searchsorted(line[::2], radius)) - 1, 0), er - 1)
        found.append(a * er + b)
        natural.append([u, (radius - line[2 * b + 1]) / (0.5 * (line[2 * b + 2] - line[2 * b]))])
    return np.array(found), _shapes(np.array(natural))[0]


def _patch_shares(arc, k):
    """Nodal shares of Hertz's pressure of one wave along: p_0 pi/a x_m J_1(k x_m)/k at each place, x_m its half
    length there."""
    a, b = PATCH
    point, weight = np.polynomial.legendre.leggauss(24)
    out = np.zeros(len(arc))
    for i in range(0, len(arc) - 1, 2):
        low, high = max(arc[i], -b), min(arc[i + 2], b)
        if low >= high:
            continue
        at = 0.5 * (low + high) + 0.5 * (high - low) * point
        half = a * np.sqrt(np.maximum(1.0 - (at / b) ** 2, 0.0))
        line = 1.5 / (np.pi * a * b) / a * np.pi * half * j1(k * half) / k * weight * 0.5 * (high - low)
        s = (at - arc[i + 1]) / (0.5 * (arc[i + 2] - arc[i]))
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
