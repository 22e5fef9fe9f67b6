"""Quadrature on the reference solids: cube [-1, 1]^3, wedge (unit triangle x [-1, 1]), unit tetrahedron, pyramid."""

from typing import NamedTuple

import numpy as np
import scipy


class Rule(NamedTuple):
    """Points and weights; the weights sum to the volume of the reference solid (8, 1, 1/6, 4/3)."""

    points: np.ndarray  # (Q, 3)
    weights: np.ndarray  # (Q,)


def cube(order):
    """Gauss-Legendre rule of `order` points per direction, first coordinate slowest."""
    x, w = np.polynomial.legendre.leggauss(order)
    points = np.array([(a, b, c) for a in x for b in x for c in x])
    weights = np.array([a * b * c for a in w for b in w for c in w])
    return Rule(points, weights)


def wedge(triangle_points, order):
    """Triangle rule (1, 3 or 6 points, exact to degree 1, 2 or 4) times `order` Gauss points along the axis.

    Source: Strang and Fix 1973 (3 points); Cowper 1973, IJNME 7, 405-408 (6 points).
    """
    if triangle_points == 1:
        triangle, w_triangle = np.full((1, 2), 1 / 3), np.array([0.5])
    elif triangle_points == 3:
        triangle = np.array([[1 / 6, 1 / 6], [2 / 3, 1 / 6], [1 / 6, 2 / 3]])
        w_triangle = np.full(3, 1 / 6)
    else:
        root = np.sqrt(10.0)
        inner = (8 - root + np.sqrt(38 - 44 * np.sqrt(0.4))) / 18
        outer = (8 - root - np.sqrt(38 - 44 * np.sqrt(0.4))) / 18
        spread = np.sqrt(213125 - 53320 * root)
        triangle = np.array([p for v in (inner, outer) for p in ((v, v), (1 - 2 * v, v), (v, 1 - 2 * v))])
        w_triangle = np.repeat([(620 + spread) / 7440, (620 - spread) / 7440], 3)
    z, w_axis = np.polynomial.legendre.leggauss(order)
    points = np.array([(a, b, c) for a, b in triangle for c in z])
    weights = np.array([a * b for a in w_triangle for b in w_axis])
    return Rule(points, weights)


def tetrahedron(count):
    """1, 4 or 14 points, exact to degree 1, 2 or 5.

    Source: Hammer and Stroud 1956 (1, 4 points); Walkington 2000, Quadrature on simplices of arbitrary
    dimension, Carnegie Mellon University (14 points).
    """
    if count == 1:
        return Rule(np.full((1, 3), 0.25), np.array([1 / 6]))
    if count == 4:
        near, far = (5 - np.sqrt(5)) / 20, (5 + 3 * np.sqrt(5)) / 20
        points = np.array([(near, near, near), (far, near, near), (near, far, near), (near, near, far)])
        return Rule(points, np.full(4, 1 / 24))
    points, weights = [], []
    for v, w in ((0.31088591926330060980, 0.018781320953002641800), (0.092735250310891226402, 0.012248840519393658257)):
        points += [(v, v, v), (1 - 3 * v, v, v), (v, 1 - 3 * v, v), (v, v, 1 - 3 * v)]
        weights += [w] * 4
    v = 0.045503704125649649492
    u = 0.5 - v
    points += [(v, u, u), (u, v, u), (u, u, v), (u, v, v), (v, u, v), (v, v, u)]
    weights += [0.0070910034628469110730] * 6
    return Rule(np.array(points), np.array(weights))


def pyramid(order):
    """Pyramid over the square [-1, 1]^2 at z = -1 with its apex at the origin: Gauss points of the square, carried
    towards the apex to those of the weight z^2 (Gauss-Jacobi)."""
    x, w = np.polynomial.legendre.leggauss(order)
    depth, w_depth = scipy.special.roots_jacobi(order, 0.0, 2.0)
    depth, w_depth = 0.5 * (1.0 + depth), w_depth / 8.0
    points = np.array([(a * s, b * s, -s) for a in x for b in x for s in depth])
    weights = np.array([a * b * s for a in w for b in w for s in w_depth])
    return Rule(points, weights)
