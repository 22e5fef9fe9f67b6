"""Reference elements: shape functions and the tables the kernels integrate with.

Node order is that of meshio and VTK (midside nodes of hex20: bottom ring, top ring, verticals; of wedge15 the
same; of tet10: edges 01 12 20 03 13 23; of pyramid13: the ring of the
base, then the edges to the apex). A wedge counts nodes 0 1 2 so that 3 4 5 lie on the side of their right-hand normal,
as Abaqus, Gmsh and Nastran do.

A pyramid has rational shape functions: with the apex at the origin and the base at z = -1 those of the wedge and the
tetrahedron, and x y / z (second order: also x^2 y / z and x y^2 / z), so that its triangles and its base move as
the faces of tetrahedra, wedges and hexahedra do. Source: Bedrosian 1992, IJNME 35, 95-108.
"""

import itertools
from functools import cache
from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body import quadrature
from flexwheel.body.formulation import FormulationOptions

_HEX8 = [(-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1), (-1, -1, 1), (1, -1, 1), (1, 1, 1), (-1, 1, 1)]
_WEDGE6 = [(0, 0, -1), (1, 0, -1), (0, 1, -1), (0, 0, 1), (1, 0, 1), (0, 1, 1)]
_PYRAMID5 = [(-1, -1, -1), (1, -1, -1), (1, 1, -1), (-1, 1, -1), (0, 0, 0)]
_TET4 = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
_RING4 = [(0, 1), (1, 2), (2, 3), (3, 0)]
_RING3 = [(0, 1), (1, 2), (2, 0)]
EDGES = {  # corner pairs of the midside nodes, in node order
    "hex20": _RING4 + [(a + 4, b + 4) for a, b in _RING4] + [(k, k + 4) for k in range(4)],
    "wedge15": _RING3 + [(a + 3, b + 3) for a, b in _RING3] + [(k, k + 3) for k in range(3)],
    "tet10": _RING3 + [(0, 3), (1, 3), (2, 3)],
    "pyramid13": _RING4 + [(k, 4) for k in range(4)],
}
LINEAR_KIND = {
    "hex8": "hex8",
    "hex20": "hex8",
    "wedge6": "wedge6",
    "wedge15": "wedge6",
    "tet4": "tet4",
    "tet10": "tet4",
    "pyramid5": "pyramid5",
    "pyramid13": "pyramid5",
}


def _with_midsides(corners, edges):
    """Corner nodes followed by the midpoints of the edges."""
    corners = np.array(corners, dtype=float)
    return np.vstack([corners, [(corners[a] + corners[b]) / 2 for a, b in edges]])


REFERENCE_NODES = {
    "hex8": np.array(_HEX8, dtype=float),
    "hex20": _with_midsides(_HEX8, EDGES["hex20"]),
    "wedge6": np.array(_WEDGE6, dtype=float),
    "wedge15": _with_midsides(_WEDGE6, EDGES["wedge15"]),
    "tet4": np.array(_TET4, dtype=float),
    "tet10": _with_midsides(_TET4, EDGES["tet10"]),
    "pyramid5": np.array(_PYRAMID5, dtype=float),
    "pyramid13": _with_midsides(_PYRAMID5, EDGES["pyramid13"]),
}


def _total_degree(degree, dimension):
    return [m for m in itertools.product(range(degree + 1), repeat=dimension) if sum(m) <= degree]


_MONOMIALS = {  # exponents of the polynomial space of each element
    "hex8": list(itertools.product((0, 1), repeat=3)),
    "hex20": [m for m in itertools.product((0, 1, 2), repeat=3) if sum(v for v in m if v > 1) <= 2],
    "wedge6": [(*p, k) for p in _total_degree(1, 2) for k in (0, 1)],
    "wedge15": [(*p, k) for p in _total_degree(2, 2) for k in (0, 1, 2) if sum(p) < 2 or k < 2],
    "tet4": _total_degree(1, 3),
    "tet10": _total_degree(2, 3),
    "pyramid5": [*_total_degree(1, 3), (1, 1, -1)],
    "pyramid13": [*_total_degree(2, 3), (1, 1, -1), (2, 1, -1), (1, 2, -1)],
}


def _monomials(kind, points):
    return _powers(points, np.array(_MONOMIALS[kind]))


def _powers(points, exponents):
    """Products of powers of the coordinates; at the apex of a pyramid their limit along its axis."""
    points = np.where(points == 0.0, 1e-30, points)[:, None, :] if np.any(exponents < 0) else points[:, None, :]
    return np.prod(points ** exponents[None].astype(float), axis=2)


@cache
def _coefficients(kind):
    return np.linalg.inv(_monomials(kind, REFERENCE_NODES[kind]))


def shape_functions(kind, points):
    """Shape functions of `kind` at reference `points` (Q, 3) -> (Q, n)."""
    return _monomials(kind, np.atleast_2d(points)) @ _coefficients(kind)


def shape_gradients(kind, points):
    """Derivatives of the shape functions by the reference coordinates at `points` (Q, 3) -> (Q, n, 3)."""
    points = np.atleast_2d(points)
    exponents = np.array(_MONOMIALS[kind])
    gradients = np.empty((len(points), len(exponents), 3))
    for axis in range(3):
        lowered = exponents.copy()
        lowered[:, axis] -= exponents[:, axis] != 0
        terms = exponents[:, axis] * _powers(points, lowered)
        gradients[:, :, axis] = terms @ _coefficients(kind)
    return gradients


class ElementTables(NamedTuple):
    """Everything the kernels need of one element kind; Q, R, S points of stiffness, mass, stress recovery."""

    gradients: np.ndarray  # (Q, n, 3)
    weights: np.ndarray  # (Q,)
    bubbles: np.ndarray  # (Q, b) derivative -2 xi_k of the internal mode 1 - xi_k^2; b = 3, 1 (k = 2) or 0
    centre: np.ndarray  # (n, 3) gradients at the element centre
    mass_shape: np.ndarray  # (R, n)
    mass_gradients: np.ndarray  # (R, n, 3)
    mass_weights: np.ndarray  # (R,)
    stress_shape: np.ndarray  # (S, n)
    stress_gradients: np.ndarray  # (S, n, 3)
    stress_bubbles: np.ndarray  # (S, b)
    extrapolation: np.ndarray  # (n, S) nodal values from those at the recovery points


def _rules(kind, options):
    """Rules of stiffness, mass and stress recovery (recovery at the points of best accuracy)."""
    if kind == "hex8":
        return quadrature.cube(2), quadrature.cube(3), quadrature.cube(2)
    if kind == "hex20":
        return quadrature.cube(2 if options.hex20 == "reduced" else 3), quadrature.cube(3), quadrature.cube(2)
    if kind == "wedge6":
        points = 1 if options.wedge6 == "reduced" else 3
        return quadrature.wedge(points, 2), quadrature.wedge(6, 3), quadrature.wedge(points, 2)
    if kind == "wedge15":
        return quadrature.wedge(3, 3), quadrature.wedge(6, 3), quadrature.wedge(3, 3)
    if kind == "tet4":
        return quadrature.tetrahedron(1), quadrature.tetrahedron(4), quadrature.tetrahedron(1)
    if kind == "tet10":
        return quadrature.tetrahedron(4), quadrature.tetrahedron(14), quadrature.tetrahedron(4)
    if kind in ("pyramid5", "pyramid13"):
        points = 2 if kind == "pyramid5" else 3
        return quadrature.pyramid(points), quadrature.pyramid(3), quadrature.pyramid(2)
    raise MeshError(f"element kind {kind!r} is not known: expected one of {', '.join(REFERENCE_NODES)}")


def _extrapolation(kind, points):
    """Fit of the linear element's polynomials through the recovery points, evaluated at the nodes."""
    if len(points) == 1:
        return np.ones((len(REFERENCE_NODES[kind]), 1))
    linear = LINEAR_KIND[kind]
    return shape_functions(linear, REFERENCE_NODES[kind]) @ np.linalg.pinv(shape_functions(linear, points))


@cache
def element_tables(kind, options=None):
    """Tables of one element kind under `options` (FormulationOptions), cached."""
    options = options or FormulationOptions()
    stiffness, mass, recovery = _rules(kind, options)
    bubbled = {"hex8": options.hex8, "wedge6": options.wedge6}.get(kind) == "incompatible"
    internal = slice(0 if kind == "hex8" else 2, 3 if bubbled else 0)
    centre = np.mean(REFERENCE_NODES[kind], axis=0, keepdims=True)
    return ElementTables(
        gradients=shape_gradients(kind, stiffness.points),
        weights=stiffness.weights,
        bubbles=np.ascontiguousarray(-2.0 * stiffness.points[:, internal]),
        centre=shape_gradients(kind, centre)[0],
        mass_shape=shape_functions(kind, mass.points),
        mass_gradients=shape_gradients(kind, mass.points),
        mass_weights=mass.weights,
        stress_shape=shape_functions(kind, recovery.points),
        stress_gradients=shape_gradients(kind, recovery.points),
        stress_bubbles=np.ascontiguousarray(-2.0 * recovery.points[:, internal]),
        extrapolation=_extrapolation(kind, recovery.points),
    )
