"""Nodes of one surface placed on the faces of another: which face each follows, and by which weights."""

from typing import NamedTuple

import numpy as np
import scipy

from flexwheel.body.elements import EDGES
from flexwheel.body.surface import CORNER_FACES

NEAREST = 12  # faces, by their middles, that are tried for a node
DEFAULT_TOLERANCE = 0.05  # of the mean side of the faces: Abaqus' default for surfaces of elements
ROUNDS = 12
WIDEST = 8  # nodes of a face


class Placed(NamedTuple):
    """Points on faces."""

    faces: np.ndarray  # (P, 8) nodes of the nearest face, its first one repeated
    weights: np.ndarray  # (P, 8)
    place: np.ndarray  # (P, 3) on the face
    distance: np.ndarray  # (P,)


def faces_of(kind: str) -> list[tuple[int, ...]]:
    """Places in an element of the nodes of its faces S1, S2, ... with the mid nodes behind the corners."""
    corners = CORNER_FACES[kind]
    if kind not in EDGES:
        return list(corners)
    first = max(max(face) for face in corners) + 1
    middle = {frozenset(edge): first + k for k, edge in enumerate(EDGES[kind])}
    return [
        (*face, *(middle[frozenset(pair)] for pair in zip(face, (*face[1:], face[0]), strict=True))) for face in corners
    ]


def place_on_faces(points: np.ndarray, nodes: np.ndarray, faces: list[np.ndarray]) -> Placed:
    """Nearest places of points (P, 3) on faces.

    Parameters
    ----------
    nodes : (N, 3)
    faces : list of (F, n) rows of nodes, n = 3, 4, 6 or 8: corners, then the middles of the sides
    """
    padded = np.concatenate([np.hstack([f, np.repeat(f[:, :1], WIDEST - f.shape[1], axis=1)]) for f in faces])
    size = np.concatenate([np.full(len(f), f.shape[1]) for f in faces])
    corners = np.where(np.isin(size, (3, 6)), 3, 4)
    middles = np.array([nodes[row[:n]].mean(axis=0) for row, n in zip(padded, corners, strict=True)])
    count = min(NEAREST, len(padded))
    near = scipy.spatial.cKDTree(middles).query(points, count)[1].reshape(len(points), count)
    best = Placed(padded[near[:, 0]], np.zeros((len(points), WIDEST)), points.copy(), np.full(len(points), np.inf))
    for width in np.unique(size):
        point, column = np.nonzero(size[near] == width)
        face = near[point, column]
        weights = _project(points[point], nodes[padded[face, :width]])
        place = np.einsum("pn,pnc->pc", weights, nodes[padded[face, :width]])
        distance = np.linalg.norm(place - points[point], axis=1)
        order = np.lexsort((distance, point))
        first = order[np.unique(point[order], return_index=True)[1]]
        first = first[distance[first] < best.distance[point[first]]]
        rows = point[first]
        best.faces[rows], best.place[rows], best.distance[rows] = padded[face[first]], place[first], distance[first]
        best.weights[rows] = 0.0
        best.weights[rows, :width] = weights[first]
    return best


def side_length(nodes: np.ndarray, faces: list[np.ndarray]) -> float:
    """Mean side of the faces."""
    sides = []
    for f in faces:
        corners = f[:, : 3 if f.shape[1] in (3, 6) else 4]
        sides.append(np.linalg.norm(nodes[corners] - nodes[np.roll(corners, -1, axis=1)], axis=2).ravel())
    return float(np.concatenate(sides).mean())


def _project(points, corners):
    """Weights (P, n) of the nearest place on each face; corners (P, n, 3)."""
    triangle = corners.shape[1] in (3, 6)
    at = np.full((len(points), 2), 1 / 3 if triangle else 0.0)
    for _ in range(ROUNDS):
        shape, slope = shapes_on_face(at, corners.shape[1])
        away = points - np.einsum("pn,pnc->pc", shape, corners)
        tangent = np.einsum("pnk,pnc->pkc", slope, corners)
        metric = np.einsum("pkc,plc->pkl", tangent, tangent)
        at = _inside(at + np.linalg.solve(metric, np.einsum("pkc,pc->pk", tangent, away)[..., None])[..., 0], triangle)
    return shapes_on_face(at, corners.shape[1])[0]


def _inside(at, triangle):
    """Coordinates moved to the nearest place of the face."""
    if not triangle:
        return np.clip(at, -1.0, 1.0)
    over = np.maximum(at.sum(axis=1, keepdims=True) - 1.0, 0.0)
    at = np.maximum(at - 0.5 * over, 0.0)
    return at / np.maximum(at.sum(axis=1, keepdims=True), 1.0)


def shapes_on_face(at: np.ndarray, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Shape functions (P, n) and their derivatives (P, n, 2) of triangles and quadrilaterals at places (P, 2)."""
    r, s = at.T
    one, zero = np.ones_like(r), np.zeros_like(r)
    if width in (3, 6):
        area = np.stack([1 - r - s, r, s], axis=1)
        slope = np.broadcast_to(np.array([[-1.0, -1.0], [1.0, 0.0], [0.0, 1.0]]), (len(r), 3, 2))
        if width == 3:
            return area, slope
        following = np.roll(area, -1, axis=1)
        other = np.roll(slope, -1, axis=1)
        shape = np.hstack([area * (2 * area - 1), 4 * area * following])
        corner = (4 * area - 1)[..., None] * slope
        middle = 4 * (slope * following[..., None] + area[..., None] * other)
        return shape, np.concatenate([corner, middle], axis=1)
    x, y = np.array([[-1.0, 1.0, 1.0, -1.0], [-1.0, -1.0, 1.0, 1.0]])
    a, b = 1 + r[:, None] * x, 1 + s[:, None] * y
    if width == 4:
        return 0.25 * a * b, 0.25 * np.stack([x * b, a * y], axis=2)
    c = r[:, None] * x + s[:, None] * y - 1
    corner = 0.25 * a * b * c
    corner_slope = 0.25 * np.stack([x * b * (c + a), y * a * (c + b)], axis=2)
    p, q = 1 - r * r, 1 - s * s
    middle = 0.5 * np.stack([p * (1 - s), (1 + r) * q, p * (1 + s), (1 - r) * q], axis=1)
    along = np.stack([-2 * r * (1 - s), q, -2 * r * (1 + s), -q], axis=1)
    across = np.stack([-p, -2 * s * (one + r), p, -2 * s * (one - r)], axis=1)
    return np.hstack([corner, middle]), np.concatenate(
        [corner_slope, 0.5 * np.stack([along, across], axis=2)], axis=1
    ) + zero[:, None, None]
