"""Points placed on faces: which face is nearest to each, and by which weights of its nodes it stays there."""

from typing import NamedTuple

import numpy as np
import scipy

from flexwheel.body.face_shapes import shapes_on_face

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
