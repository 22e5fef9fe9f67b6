"""Running surfaces of a wheelset: profile nodes in every section, and the profile's rigid motion by least squares.

The wheel profile stays undeformed; its shift R and small rotation follow from the displacements of the profile nodes
(paper 004, eqs (12)-(14)). In the section frame, d the node position from the profile origin:

    in the plane of the section:    u_y = R_y - phi_x d_z,   u_z = R_z + phi_x d_y
    along running:                  u_x = R_x + phi_y d_z - phi_z d_y

phi_y, which the paper leaves out, makes R_x the motion at the radius of the profile origin: without it a wheel in
torsion moves its profile as its mean radius does, that of the flange included. The transposed rows spread a wrench
(Fx, Fy, Fz, Mx, My, Mz about the origin) over the same nodes, so that motion and force do equal work.
"""

from dataclasses import dataclass

import numpy as np
import scipy

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import Mesh
from flexwheel.body.revolution import Revolution, section_angle
from flexwheel.body.section_outline import SectionOutline, running_surface

FLANGE_BACK = 0.070  # [m] from the tread datum to the flange back, EN 13715
MOST_ABOVE_TREAD = 0.005  # [m] by which tread nodes may miss the stated radius
WALL = 1e-6  # [m] in y, below which two nodes of a section lie above each other
LEAST_RELIEF = 0.003  # [m] rms height of profile nodes off a straight line, below which phi_y is not told from phi_z
SIDES = {1: "LEFT", -1: "RIGHT"}


@dataclass(frozen=True)
class TreadOptions:
    """Where the running surfaces are."""

    sets: tuple[str, str] = ("TREAD_LEFT", "TREAD_RIGHT")  # node sets, left first; used when the mesh has them
    wheel_radius: float | None = None  # [m] rolling radius at the tread datum; default: of the mesh, to 1 mm
    # [m] |y| of the tread datum; default: 70 mm outside the flange back, the innermost node of the rim, to 0.1 mm
    lateral: float | None = None
    sections: int = 72  # interpolated sections where the tread nodes form no grid
    stations: int = 12  # interpolated profile points there


@dataclass(frozen=True)
class TreadNodes:
    """Profile nodes of one wheel; a profile point is a weighted mean of K mesh nodes (K = 1 on a regular mesh)."""

    side: int  # +1 left, -1 right
    radius: float  # [m]
    lateral: float  # [m] y of the profile origin, mesh coordinates
    angle: np.ndarray  # (S,)
    profile: np.ndarray  # (P, 2) y, rising, and r, mesh coordinates
    nodes: np.ndarray  # (S, P, K) rows of the mesh
    weights: np.ndarray  # (S, P, K)


def find_treads(
    mesh: Mesh, revolution: Revolution | None, outline: SectionOutline | None, options: TreadOptions
) -> tuple[TreadNodes, TreadNodes]:
    """Left and right running surface.

    From the node sets named in the options; on a mesh of revolution without them, from the outline of the section:
    the nodes seen from outside within 35 mm below the flange tip.

    Raises
    ------
    MeshError       no tread nodes, a set that is missing on one side, too few nodes, a radius that does not fit
    """
    given = [name in mesh.node_sets and len(mesh.node_sets[name]) > 0 for name in options.sets]
    if any(given) and not all(given):
        raise MeshError(f"mesh without tread nodes: node set {options.sets[given.index(False)]!r} is missing or empty")
    if not any(given) and outline is None:
        raise MeshError(
            f"mesh without tread nodes: it has no node sets {options.sets[0]!r} and {options.sets[1]!r}, and is not of "
            "revolution, where they are found by themselves; name two (tread_sets, --tread-set); a body that is no "
            "wheelset stands in [body.NAME] of a scenario"
        )
    found = []
    for side, name in zip((1, -1), options.sets, strict=True):
        if revolution is not None:
            ring = revolution.ring[0]
            rows = mesh.node_sets[name] if all(given) else running_surface(outline, side)
            orbits = np.flatnonzero(np.isin(ring, rows) & (revolution.offset == 0))
            profile = np.column_stack([revolution.y[orbits], revolution.radius[orbits]])
            nodes = revolution.ring[:, orbits, None]
            angle = revolution.step * np.arange(revolution.sections)
            weights = np.ones(nodes.shape)
        else:
            angle, profile, nodes, weights = _from_set(mesh, np.unique(mesh.node_sets[name]), name, options)
        found.append(_placed(side, angle, profile, nodes, weights, options, mesh.nodes))
    if len(found[0].angle) != len(found[1].angle):
        raise MeshError(
            f"tread sets {options.sets[0]} and {options.sets[1]}: {len(found[0].angle)} and {len(found[1].angle)} "
            "sections; both wheels need the same"
        )
    return found[0], found[1]


def tread_radius(profile: np.ndarray, lateral: float) -> float:
    """Radius [m] at the tread datum, y = lateral, by a cubic through the nearest nodes of a profile (P, 2) y, r."""
    near = np.argsort(np.abs(profile[:, 0] - lateral))[:4]
    return float(np.polyval(np.polyfit(profile[near, 0] - lateral, profile[near, 1], len(near) - 1), 0.0))


def profile_operator(profile: np.ndarray, lateral: float, radius: float) -> np.ndarray:
    """Rows (6, 3 P) giving shift x, y, z and rotation about x, y, z from node displacements (P, 3), section frame.

    Where the nodes lie on a straight line to LEAST_RELIEF (a tread without its flange), the row of phi_y is zero and
    phi_z holds what it does there.

    Source: paper 004, eqs (12)-(14); rotations about y and z by the same principle.
    """
    d_y, d_z = profile[:, 0] - lateral, radius - profile[:, 1]
    motion = np.zeros((len(profile), 3, 6))  # of the nodes by R_x, R_y, R_z, phi_x, phi_y, phi_z
    motion[:, range(3), range(3)] = 1.0
    motion[:, 1, 3], motion[:, 2, 3] = -d_z, d_y  # 004 (13)
    motion[:, 0, 4], motion[:, 0, 5] = d_z, -d_y
    line = np.column_stack([np.ones(len(profile)), d_y])
    relief = d_z - line @ (np.linalg.pinv(line) @ d_z)
    told = [0, 1, 2, 3, 5] if np.sqrt(np.mean(relief**2)) < LEAST_RELIEF else [0, 1, 2, 3, 4, 5]
    rows = np.zeros((6, 3 * len(profile)))
    rows[told] = np.linalg.pinv(motion[:, :, told].reshape(-1, len(told)))  # 004 (14)
    return rows


def node_rows(tread: TreadNodes, shapes: np.ndarray) -> np.ndarray:
    """Displacements of the profile points (S, P, 3, H) in section frames from mode shapes (N, 3, H)."""
    if tread.nodes.shape[2] == 1:
        body = shapes[tread.nodes[:, :, 0]]
    else:
        body = np.einsum("spk,spkah->spah", tread.weights, shapes[tread.nodes])
    return to_section_frame(body, tread.angle)  # 004 (12)


def to_section_frame(vectors: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """Ry(alpha_s)^T v for vectors (S, ..., 3, H) of section s."""
    shape = (-1,) + (1,) * (vectors.ndim - 2)
    c, s = np.cos(angle).reshape(shape), np.sin(angle).reshape(shape)
    x, y, z = np.moveaxis(vectors, -2, 0)
    return np.stack([c * x - s * z, y, s * x + c * z], axis=-2)


def flange_back(points: np.ndarray, side: int, profile: np.ndarray) -> float:
    """|y| [m] of the innermost of the mesh's points (N, 3) of a wheel that lie no deeper than its profile (P, 2) y, r.

    The profile's own nodes need not reach the flange back; the rim does.
    """
    outward = side * points[:, 1]
    rim = (outward > 0.0) & (np.hypot(points[:, 0], points[:, 2]) > profile[:, 1].min() - 1e-6)
    return float(np.min(outward[rim], initial=(side * profile[:, 0]).min()))


def _placed(side, angle, profile, nodes, weights, options, points):
    """Tread with its origin: datum 70 mm from the flange back, radius of the profile there, unless stated."""
    which = SIDES[side].lower()
    seen = np.lexsort((profile[:, 1], profile[:, 0].round(6)))
    seen = seen[np.diff(profile[seen, 0], append=np.inf) > WALL]  # of a flange back or field face the outermost node
    profile, nodes, weights = profile[seen], nodes[:, seen], weights[:, seen]
    if len(profile) < 2 or np.ptp(profile[:, 0]) < 1e-3:
        raise MeshError(f"mesh without tread nodes: {len(profile)} profile nodes on the {which} wheel, 2 are needed")
    outward = side * profile[:, 0]
    if outward.min() <= 0:
        raise MeshError(f"tread nodes of the {which} wheel reach y = {side * outward.min():.4g} m, beyond the middle")
    lateral, taken = options.lateral, "as stated"
    if lateral is None:
        back = flange_back(points, side, profile)
        lateral, taken = round(back + FLANGE_BACK, 4), f"70 mm outside the innermost node of the rim, {back:.4g} m"
    if not outward.min() < lateral < outward.max():
        raise MeshError(
            f"tread datum of the {which} wheel at |y| = {lateral:.4g} m ({taken}) lies outside its profile nodes, "
            f"{outward.min():.4g} to {outward.max():.4g} m; state it (tread_datum_mm), or name other tread sets"
        )
    there = tread_radius(profile, side * lateral)
    radius = options.wheel_radius if options.wheel_radius is not None else round(there, 3)
    if abs(radius - there) > MOST_ABOVE_TREAD:
        raise MeshError(
            f"the {which} tread has the radius {1000 * there:.2f} mm at |y| = {lateral:.4g} m, "
            f"{1000 * radius:.2f} mm is stated"
        )
    return TreadNodes(side, float(radius), float(side * lateral), angle, profile, nodes, weights)


def _from_set(mesh, rows, name, options):
    """Sections of a tread given as a node set: its own grid if it has one, else interpolated."""
    points = mesh.nodes[rows]
    radius = np.hypot(points[:, 0], points[:, 2])
    if len(rows) < 6:
        raise MeshError(f"mesh without tread nodes: set {name!r} has {len(rows)} nodes")
    return _grid(rows, points, radius) or _interpolated(rows, points, radius, name, options)


def _grid(rows, points, radius):
    """(angle, profile, nodes, weights) when the nodes are the same profile at equal angles from 0, else None."""
    tolerance = 1e-5 * radius.max()
    order = np.lexsort((radius, points[:, 1]))
    y, r = points[order, 1], radius[order]
    starts = np.flatnonzero(
        np.concatenate([[True], (np.abs(np.diff(y)) > tolerance) | (np.abs(np.diff(r)) > tolerance)])
    )
    sizes = np.diff(np.concatenate([starts, [len(order)]]))
    sections = sizes[0]
    if sections < 3 or (sizes != sections).any():
        return None
    step = 2 * np.pi / sections
    columns = []
    for start in starts:
        members = rows[order[start : start + sections]]
        alpha = section_angle(points[order[start : start + sections]])
        index = np.round(alpha / step).astype(int)
        if np.abs(alpha - index * step).max() * radius.max() > 10 * tolerance:
            return None
        index %= sections
        if len(np.unique(index)) != sections:
            return None
        columns.append(members[np.argsort(index)])
    nodes = np.column_stack(columns)[:, :, None]
    return step * np.arange(sections), np.column_stack([y[starts], r[starts]]), nodes, np.ones(nodes.shape)


def _interpolated(rows, points, radius, name, options):
    """Profile points at equal angles and stations, linear in triangles of the developed surface."""
    alpha = section_angle(points)
    mean = radius.mean()
    developed = np.concatenate(
        [np.column_stack([mean * (alpha + turn), points[:, 1]]) for turn in (-2 * np.pi, 0, 2 * np.pi)]
    )
    try:
        triangles = scipy.spatial.Delaunay(developed)
    except scipy.spatial.QhullError as error:
        raise MeshError(f"mesh without tread nodes: set {name!r} spans no surface") from error
    angle = 2 * np.pi / options.sections * np.arange(options.sections)
    low, high = points[:, 1].min(), points[:, 1].max()
    station = np.linspace(low + 1e-3 * (high - low), high - 1e-3 * (high - low), options.stations)
    at = np.stack(np.meshgrid(mean * angle, station, indexing="ij"), axis=-1)
    inside = np.array([triangles.find_simplex(at[:, p]).min() >= 0 for p in range(len(station))])
    station, at = station[inside], at[:, inside]
    if len(station) < 2:
        raise MeshError(f"mesh without tread nodes: set {name!r} does not reach around the wheel")
    simplex = triangles.find_simplex(at)
    affine = triangles.transform[simplex]
    first = np.einsum("spab,spb->spa", affine[:, :, :2], at - affine[:, :, 2])
    weights = np.concatenate([first, 1 - first.sum(axis=-1, keepdims=True)], axis=-1)
    local = triangles.simplices[simplex] % len(rows)
    profile = np.column_stack([station, (weights * radius[local]).sum(axis=-1).mean(axis=0)])
    return angle, profile, rows[local], weights
