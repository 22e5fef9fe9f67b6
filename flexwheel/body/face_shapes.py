"""Faces of elements: the places of their nodes, and shape functions on them."""

import numpy as np

from flexwheel.body.elements import EDGES
from flexwheel.body.surface import CORNER_FACES


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
