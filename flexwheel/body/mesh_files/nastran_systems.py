"""Coordinate systems of Nastran: CORD2R, CORD2C, CORD2S resolved to the basic system."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from flexwheel.base.errors import MeshError


@dataclass(frozen=True)
class CoordinateSystem:
    """A rectangular, cylindrical or spherical system in basic coordinates."""

    kind: str  # R, C or S
    origin: np.ndarray  # (3,)
    axes: np.ndarray  # (3, 3) columns x, y, z

    def to_basic(self, points: np.ndarray) -> np.ndarray:
        """(N, 3) coordinates of this system to basic Cartesian; angles in degrees."""
        return self.origin + _cartesian(self.kind, points) @ self.axes.T


BASIC = CoordinateSystem("R", np.zeros(3), np.eye(3))


@dataclass(frozen=True)
class Definition:
    """One CORD2x card: points A (origin), B (on z) and C (in the xz plane) given in system `reference`."""

    kind: str
    reference: int
    points: np.ndarray  # (3, 3)
    place: str  # `file:line`


DEEPEST = 50  # systems defined in one another


def resolve(
    path: Path, definitions: dict[int, Definition], number: int, within: tuple[int, ...] = ()
) -> CoordinateSystem:
    """System `number` in basic coordinates.

    Raises
    ------
    MeshError  not defined, defined by itself, or by points on one line

    Source: MSC Nastran quick reference guide, CORD2R, CORD2C, CORD2S.
    """
    if number == 0:
        return BASIC
    if number not in definitions:
        raise MeshError(
            f"{path}: coordinate system {number} is not defined as CORD2R, CORD2C or CORD2S (CORD1x are not read)"
        )
    card = definitions[number]
    if number in within:
        raise MeshError(f"{card.place}: coordinate system {number} is defined by itself")
    if len(within) > DEEPEST:
        raise MeshError(f"{card.place}: coordinate systems are defined in one another more than {DEEPEST} deep")
    a, b, c = resolve(path, definitions, card.reference, (*within, number)).to_basic(card.points)
    z, side = b - a, np.cross(b - a, c - a)
    if np.linalg.norm(side) <= 1e-9 * np.linalg.norm(z) * np.linalg.norm(c - a):
        raise MeshError(f"{card.place}: the points of coordinate system {number} lie on one line")
    z, y = z / np.linalg.norm(z), side / np.linalg.norm(side)
    return CoordinateSystem(card.kind, a, np.column_stack([np.cross(y, z), y, z]))


def _cartesian(kind: str, points: np.ndarray) -> np.ndarray:
    if kind == "R":
        return points
    if kind == "C":
        r, theta, z = points[:, 0], np.radians(points[:, 1]), points[:, 2]
        return np.column_stack([r * np.cos(theta), r * np.sin(theta), z])
    r, theta, phi = points[:, 0], np.radians(points[:, 1]), np.radians(points[:, 2])
    return np.column_stack([r * np.sin(theta) * np.cos(phi), r * np.sin(theta) * np.sin(phi), r * np.cos(theta)])
