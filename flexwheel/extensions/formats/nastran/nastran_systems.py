"""Coordinate systems of Nastran: CORD1R, CORD1C, CORD1S, CORD2R, CORD2C, CORD2S resolved to the basic system."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.extensions.formats.nastran.nastran_cards import BulkCard, integer


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
    """One CORDxx card: points A (origin), B (on z) and C (in the xz plane), each in a system of its own."""

    kind: str
    references: tuple[int, int, int]  # systems of the points
    points: np.ndarray  # (3, 3)
    place: str  # `file:line`
    card: str  # its name


DEEPEST = 50  # systems defined in one another


def resolve(
    path: Path, definitions: dict[int, Definition], number: int, within: tuple[int, ...] = ()
) -> CoordinateSystem:
    """System `number` in basic coordinates.

    Raises
    ------
    MeshError  not defined, defined by itself, or by points on one line

    Source: MSC Nastran quick reference guide, CORD1R, CORD1C, CORD1S, CORD2R, CORD2C, CORD2S.
    """
    if number == 0:
        return BASIC
    if number not in definitions:
        raise MeshError(
            f"{path}: coordinate system {number} is not defined as CORD1R, CORD1C, CORD1S, CORD2R, CORD2C or CORD2S"
        )
    card = definitions[number]
    if number in within:
        raise MeshError(f"{card.place}: coordinate system {number} is defined by itself")
    if len(within) > DEEPEST:
        raise MeshError(f"{card.place}: coordinate systems are defined in one another more than {DEEPEST} deep")
    a, b, c = (
        resolve(path, definitions, system, (*within, number)).to_basic(point[None])[0]
        for system, point in zip(card.references, card.points, strict=True)
    )
    z, side = b - a, np.cross(b - a, c - a)
    if np.linalg.norm(side) <= 1e-9 * np.linalg.norm(z) * np.linalg.norm(c - a):
        raise MeshError(f"{card.place}: the points of coordinate system {number} lie on one line")
    z, y = z / np.linalg.norm(z), side / np.linalg.norm(side)
    return CoordinateSystem(card.kind, a, np.column_stack([np.cross(y, z), y, z]))


def systems_by_nodes(cards: list[BulkCard], ids: list[int], systems: list[int], places: list) -> dict[int, Definition]:
    """Systems of CORD1x, by three nodes each, two systems a card; ids, systems and places of all nodes."""
    row = {number: k for k, number in enumerate(ids)} if cards else {}
    found = {}
    for card in cards:
        for start in (0, 4) if card.field(4) else (0,):
            nodes = [integer(card, start + k) for k in (1, 2, 3)]
            if missing := [n for n in nodes if n not in row]:
                raise MeshError(f"{card.at()}: {card.name} {card.field(start)}: node {missing[0]} is not defined")
            points, own = np.array([places[row[n]] for n in nodes]), tuple(systems[row[n]] for n in nodes)
            found[integer(card, start)] = Definition(card.name[-1], own, points, card.at(), card.name)
    return found


def directions_at(system: CoordinateSystem, point: np.ndarray | None, node: int) -> np.ndarray:
    """Directions 1 2 3 of displacements at a node, columns (3, 3), basic axes; point (3,) basic or None."""
    if system.kind == "R" or point is None:
        return system.axes
    x, y, z = system.axes.T @ (point - system.origin)
    radius = np.hypot(x, y)
    if radius <= 1e-9 * np.linalg.norm((x, y, z)):
        raise MeshError(f"node {node} lies on the axis of its displacement system and has no radial direction there")
    along, around = np.array([x / radius, y / radius, 0.0]), np.array([-y / radius, x / radius, 0.0])
    up = np.array([0.0, 0.0, 1.0])
    if system.kind == "S":
        size = np.hypot(radius, z)
        along, up = (radius * along + z * up) / size, (z * along - radius * up) / size
        return system.axes @ np.column_stack([along, up, around])  # r, theta from the pole, phi
    return system.axes @ np.column_stack([along, around, up])


def _cartesian(kind: str, points: np.ndarray) -> np.ndarray:
    if kind == "R":
        return points
    if kind == "C":
        r, theta, z = points[:, 0], np.radians(points[:, 1]), points[:, 2]
        return np.column_stack([r * np.cos(theta), r * np.sin(theta), z])
    r, theta, phi = points[:, 0], np.radians(points[:, 1]), np.radians(points[:, 2])
    return np.column_stack([r * np.sin(theta) * np.cos(phi), r * np.sin(theta) * np.sin(phi), r * np.cos(theta)])
