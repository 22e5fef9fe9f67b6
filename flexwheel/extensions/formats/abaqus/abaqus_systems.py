"""Coordinate systems of an Abaqus (CalculiX) file: *SYSTEM, in which nodes are given, and *TRANSFORM, their directions.

Source: Abaqus keywords reference guide, *SYSTEM, *TRANSFORM; CalculiX user's manual 2.20, *TRANSFORM.
Verified in tests/verification/test_deck_features_verified.py.
"""

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.extensions.formats.abaqus.abaqus_cards import Card, real_records


def node_system(card: Card) -> tuple[np.ndarray, np.ndarray]:
    """Origin (3,) and axes (3, 3), columns x y z, of a *SYSTEM card: x towards the second point, the third in the plane
    x y; one point moves, two turn about z, none ends it."""
    numbers = sum(_padded(card, 6, 2), [])
    a, b, c = np.array((numbers + [0.0] * 12)[:9]).reshape(3, 3)
    lines = real_records(card)
    if not lines or len(lines[0]) <= 3:
        return a, np.eye(3)
    if len(lines) < 2:
        c = a + np.cross((0.0, 0.0, 1.0), b - a)
    return a, _axes(card, b - a, c - a)


def node_directions(card: Card, point: np.ndarray) -> np.ndarray:
    """Directions 1 2 3 at a point (3,) as columns (3, 3), by a *TRANSFORM card."""
    numbers = _padded(card, 6, 1)
    if not numbers:
        raise MeshError(f"{card.at()}: *TRANSFORM must have a line of six numbers, got none")
    a, b = np.array(numbers[0]).reshape(2, 3)
    kind = card.get("TYPE", "R").upper()
    if kind == "R":
        return _axes(card, a, b)
    if kind != "C" or np.array_equal(a, b):
        raise MeshError(f"{card.at()}: *TRANSFORM must be of TYPE R or C about two different points, got TYPE={kind}")
    z = (b - a) / np.linalg.norm(b - a)
    radius = point - a - (point - a) @ z * z
    size = np.linalg.norm(radius)
    if size <= 1e-9 * np.linalg.norm(point - a):
        raise MeshError(f"{card.at()}: *TRANSFORM, TYPE=C: a node on the axis has no radial direction")
    return np.column_stack([radius / size, np.cross(z, radius / size), z])


def _padded(card, count, most):
    lines = real_records(card)
    if len(lines) > most or any(len(line) > count for line in lines) or not np.isfinite(sum(lines, [])).all():
        raise MeshError(f"{card.at()}: *{card.keyword} must have up to {most} lines of {count} finite numbers")
    return [line + [0.0] * (count - len(line)) for line in lines]


def _axes(card, x, in_plane):
    z = np.cross(x, in_plane)
    if not np.linalg.norm(z) > 1e-9 * np.linalg.norm(x) * np.linalg.norm(in_plane):
        raise MeshError(f"{card.at()}: the points of *{card.keyword} lie on one line")
    x, z = x / np.linalg.norm(x), z / np.linalg.norm(z)
    return np.column_stack([x, np.cross(z, x), z])
