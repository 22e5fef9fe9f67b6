"""Cross sections of beams: area, second moments, torsion constant, shear coefficients.

First and second direction of the section as in Abaqus, the second being axis x first. Torsion of rectangles by their
series, of thin walls after Bredt and Saint-Venant. Shear coefficients of solids: Cowper 1966, Journal of Applied
Mechanics 33(2), 335-340. Verified in tests/verification/test_beams_verified.py.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class BeamSection:
    """A section, in units of the file."""

    area: float
    second: np.ndarray  # (2, 2) second moments of area, [0, 0] that of the square of the first direction
    torsion: float
    shear: Callable[[float], tuple] = lambda nu: (np.inf, np.inf)  # coefficients along both directions
    line_mass: float = 0.0
    offset: tuple[float, float] = (0.0, 0.0)  # of the line of centroids from the nodes, along both directions


def rectangle(first: float, second: float) -> BeamSection:
    """Solid rectangle of two side lengths."""
    area, long, short = first * second, max(first, second), min(first, second)
    odd = np.arange(1, 40, 2) * np.pi / 2.0
    series = float(np.sum(np.tanh(odd * long / short) / odd**5))
    torsion = long * short**3 / 3.0 * (1.0 - 6.0 * short / long * series)
    moments = np.diag([area * first**2, area * second**2]) / 12.0
    return BeamSection(area, moments, torsion, lambda nu: (10.0 * (1.0 + nu) / (12.0 + 11.0 * nu),) * 2)


def ellipse(first: float, second: float) -> BeamSection:
    """Solid ellipse of two diameters."""
    area, torsion = 0.25 * np.pi * first * second, np.pi / 16.0 * (first * second) ** 3 / (first**2 + second**2)

    def along(nu, n):
        side = (40.0 + 37.0 * nu) * n**4 + (16.0 + 10.0 * nu) * n**2 + nu
        return 12.0 * (1.0 + nu) * n**2 * (3.0 * n**2 + 1.0) / side

    moments = area / 16.0 * np.diag([first**2, second**2])
    return BeamSection(area, moments, torsion, lambda nu: (along(nu, first / second), along(nu, second / first)))


def tube(outer: float, inner: float = 0.0) -> BeamSection:
    """Circle or ring of two radii."""
    area, moment, m = np.pi * (outer**2 - inner**2), np.pi / 4.0 * (outer**4 - inner**4), inner / outer

    def shear(nu):
        even = 6.0 * (1.0 + nu) * (1.0 + m * m) ** 2
        return (even / ((7.0 + 6.0 * nu) * (1.0 + m * m) ** 2 + (20.0 + 12.0 * nu) * m * m),) * 2

    return BeamSection(area, np.diag([moment, moment]), 2.0 * moment, shear)


def box(first: float, second: float, across_first: float, across_second: float) -> BeamSection:
    """Hollow rectangle of outer sides and the thicknesses of the walls normal to the first and second direction."""
    inner = first - 2.0 * across_first, second - 2.0 * across_second
    area = first * second - inner[0] * inner[1]
    moments = (
        np.diag([second * first**3 - inner[1] * inner[0] ** 3, first * second**3 - inner[0] * inner[1] ** 3]) / 12.0
    )
    wide, high = first - across_first, second - across_second
    torsion = 2.0 * (wide * high) ** 2 / (wide / across_second + high / across_first)

    def shear(nu):
        return (
            _box_shear(nu, high * across_first / (wide * across_second), high / wide),
            _box_shear(nu, wide * across_second / (high * across_first), wide / high),
        )

    return BeamSection(area, moments, torsion, shear)


def _box_shear(nu, m, n):
    """m: area of one flange by that of one web, n: width by height."""
    side = 12.0 + 72.0 * m + 150.0 * m**2 + 90.0 * m**3 + nu * (11.0 + 66.0 * m + 135.0 * m**2 + 90.0 * m**3)
    return 10.0 * (1.0 + nu) * (1.0 + 3.0 * m) ** 2 / (side + 10.0 * n**2 * ((3.0 + nu) * m + 3.0 * m**2))


def i_section(height: float, width: float, flange: float, web: float) -> BeamSection:
    """Doubly symmetric I, its height along the second direction."""
    inner = height - 2.0 * flange
    area = 2.0 * width * flange + inner * web
    weak = 2.0 * flange * width**3 + inner * web**3
    strong = width * height**3 - (width - web) * inner**3
    torsion = (2.0 * width * flange**3 + (height - flange) * web**3) / 3.0
    high = height - flange
    m, n = 2.0 * width * flange / (high * web), width / high

    def shear(nu):
        side = 12.0 + 72.0 * m + 150.0 * m**2 + 90.0 * m**3 + nu * (11.0 + 66.0 * m + 135.0 * m**2 + 90.0 * m**3)
        side += 30.0 * n**2 * (m + m**2) + 5.0 * nu * n**2 * (8.0 * m + 9.0 * m**2)
        flanges = 10.0 * (1.0 + nu) / (12.0 + 11.0 * nu) * 2.0 * width * flange / area
        return flanges, 10.0 * (1.0 + nu) * (1.0 + 3.0 * m) ** 2 / side

    return BeamSection(area, np.diag([weak, strong]) / 12.0, torsion, shear)


def walls(*rectangles: tuple[float, float, float, float]) -> BeamSection:
    """Open section of thin walls, rectangles (place along both directions, size along both), about its centroid.

    Shear areas: five sixths of the walls along each direction.
    """
    place, size = np.array(rectangles)[:, :2], np.array(rectangles)[:, 2:]
    own = size.prod(axis=1)
    arm = place - own @ place / own.sum()
    moments = (arm * own[:, None]).T @ arm + np.diag(own @ size**2) / 12.0
    torsion = (size.max(axis=1) * size.min(axis=1) ** 3).sum() / 3.0
    along = [own[size[:, k] >= size[:, 1 - k]].sum() for k in (0, 1)]
    shear = tuple(5.0 / 6.0 * part / own.sum() for part in along)
    return BeamSection(own.sum(), moments, torsion, lambda nu: shear)


def general(area, first, second, product, torsion, shear=(np.inf, np.inf), line_mass=0.0) -> BeamSection:
    """Section by its numbers: second moments of the squares of the first and of the second direction, their product."""
    coefficients = tuple(float(k) for k in shear)
    moments = np.array([[first, product], [product, second]])
    return BeamSection(area, moments, torsion, lambda nu: coefficients, line_mass)


def turned(section: BeamSection) -> BeamSection:
    """The same section with its first direction as the second."""
    moments = np.array([[0.0, 1.0], [-1.0, 0.0]]) @ section.second @ [[0.0, -1.0], [1.0, 0.0]]
    return replace(section, second=moments, shear=lambda nu: tuple(reversed(section.shear(nu))))


def shifted(axis: np.ndarray, normal: np.ndarray, offset: np.ndarray) -> np.ndarray:
    """Lines of centroids (B, 3, 3) moved by offsets (B, 2) along both directions of their sections at each place."""
    slope = np.array([[-3.0, 4.0, -1.0], [-1.0, 0.0, 1.0], [1.0, -4.0, 3.0]])
    if not offset.any():
        return axis
    along = np.einsum("sk,bkc->bsc", slope, axis)
    along /= np.maximum(np.linalg.norm(along, axis=2, keepdims=True), 1e-300)
    first = normal[:, None] - (normal[:, None] * along).sum(axis=2, keepdims=True) * along
    first /= np.maximum(np.linalg.norm(first, axis=2, keepdims=True), 1e-300)
    return axis + offset[:, None, :1] * first + offset[:, None, 1:] * np.cross(along, first)


def bar(area: float, line_mass: float = 0.0) -> BeamSection:
    """Section of a rod, of which its area counts."""
    return BeamSection(area, np.eye(2), 1.0, line_mass=line_mass)


def wrong(section: BeamSection) -> str:
    """What no section can be; empty for a good one."""
    if not (np.isfinite(section.area) and section.area > 0.0):
        return f"area must be positive, got {section.area:g}"
    if not (np.isfinite(section.second).all() and np.linalg.eigvalsh(section.second).min() > 0.0):
        a, b, c = section.second[0, 0], section.second[1, 1], section.second[0, 1]
        return f"second moments of area must be positive, got {a:g}, {b:g} and the product {c:g}"
    if not (np.isfinite(section.torsion) and section.torsion > 0.0):
        return f"torsion constant must be positive, got {section.torsion:g}"
    if not (np.isfinite(section.line_mass) and section.line_mass >= 0.0):
        return f"mass by length must be at least 0, got {section.line_mass:g}"
    return ""
