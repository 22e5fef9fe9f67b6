"""Outline of the section of a mesh of revolution, and what is found on it: running surfaces and inner web faces."""

from dataclasses import dataclass

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import Mesh
from flexwheel.body.revolution import CORNERS, Revolution
from flexwheel.body.surface import CORNER_FACES

BELOW_FLANGE_TIP = 0.035  # [m] the S1002 field face lies 30.6 mm below the flange tip
WEB_THICKNESS = 2.0  # times the thinnest place: beyond it a radius belongs to hub or rim


@dataclass(frozen=True)
class SectionOutline:
    """Free edges of the section in the plane of section 0."""

    edges: np.ndarray  # (E, 2) rows of the mesh
    y: np.ndarray  # (E, 2) [m]
    radius: np.ndarray  # (E, 2) [m]


def section_outline(mesh: Mesh, revolution: Revolution) -> SectionOutline:
    """Edges in the plane of section 0 that belong to one face only."""
    allowed = np.zeros(len(mesh.nodes), dtype=bool)
    allowed[revolution.ring[0]] = True
    on_axis = np.zeros(len(mesh.nodes), dtype=bool)
    on_axis[revolution.axis] = True
    edges = []
    for block, rows in zip(mesh.blocks, revolution.sector_elements, strict=True):
        corner = block.connectivity[rows, : CORNERS[block.kind]]
        for face in CORNER_FACES[block.kind]:
            nodes = corner[:, face]
            nodes = nodes[(allowed | on_axis)[nodes].all(axis=1) & allowed[nodes].any(axis=1)]
            edges += [np.stack([nodes, np.roll(nodes, -1, axis=1)], axis=-1).reshape(-1, 2)]
    edges = np.sort(np.concatenate(edges), axis=1)
    edges, count = np.unique(edges, axis=0, return_counts=True)
    edges = edges[(count == 1) & ~on_axis[edges].all(axis=1)]
    points = mesh.nodes[edges]
    return SectionOutline(edges, points[..., 1], np.hypot(points[..., 0], points[..., 2]))


def running_surface(outline: SectionOutline, side: int) -> np.ndarray:
    """Rows of the outline's nodes on the running surface of one wheel, flange included; may be empty."""
    y, r, rows = _nodes(outline)
    mine = side * y > 0
    if not mine.any():
        return rows[:0]
    near = mine & (r > r[mine].max() - BELOW_FLANGE_TIP)
    return rows[[i for i in np.flatnonzero(near) if not _covered(outline, y[i], r[i])]]


def inner_web(outline: SectionOutline, side: int) -> np.ndarray:
    """Rows of the nodes of the inner web face of one wheel, from the hub fillet outwards to the rim fillet.

    Raises
    ------
    MeshError    no radius at which the section of that wheel is thinner than hub and rim
    """
    y, r = side * outline.y, outline.radius
    mine = (y > 0).all(axis=1)
    levels = np.unique(np.round(r[mine], 7))
    middle = (levels[1:] + levels[:-1]) / 2
    thickness = np.full(len(middle), np.inf)
    inner = np.full(len(middle), -1)
    for k, level in enumerate(middle):
        crossing = np.flatnonzero(mine & ((r[:, 0] - level) * (r[:, 1] - level) < 0))
        if len(crossing) < 2:
            continue
        share = (level - r[crossing, 0]) / (r[crossing, 1] - r[crossing, 0])
        at = y[crossing, 0] + share * (y[crossing, 1] - y[crossing, 0])
        thickness[k], inner[k] = np.ptp(at), crossing[np.argmin(at)]
    wheel = np.zeros(len(middle), dtype=bool)
    if mine.any():
        tip = r[mine].max()
        wheel = (middle > 0.25 * tip) & (middle < tip - 2 * BELOW_FLANGE_TIP)
    if not wheel.any() or not np.isfinite(thickness[wheel]).any():
        raise MeshError(
            f"no web found on the {'left' if side > 0 else 'right'} wheel; name control nodes by id or position"
        )
    thin = np.where(wheel, thickness, np.inf)
    web = thin < WEB_THICKNESS * thin.min()
    first = last = int(np.argmin(thin))
    while first > 0 and web[first - 1]:
        first -= 1
    while last + 1 < len(web) and web[last + 1]:
        last += 1
    edges = np.unique(inner[first : last + 1])
    rows, place = np.unique(outline.edges[edges], return_index=True)
    return rows[np.argsort(outline.radius[edges].ravel()[place])]


def _nodes(outline):
    rows, place = np.unique(outline.edges, return_index=True)
    return outline.y.ravel()[place], outline.radius.ravel()[place], rows


def _covered(outline, y, r):
    """Whether some edge passes above the point."""
    y0, y1 = outline.y[:, 0], outline.y[:, 1]
    over = (np.minimum(y0, y1) <= y + 1e-9) & (np.maximum(y0, y1) >= y - 1e-9)
    span = np.where(np.abs(y1 - y0) < 1e-9, np.inf, y1 - y0)
    height = outline.radius[:, 0] + (y - y0) / span * (outline.radius[:, 1] - outline.radius[:, 0])
    height = np.where(np.isinf(span), outline.radius.max(axis=1), height)
    return bool((over & (height > r + 1e-6)).any())
