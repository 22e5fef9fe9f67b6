"""Control nodes: choice by id, place or name, their rings, and the rows that give motion and stress there."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import scipy
import scipy.sparse as sp

from flexwheel.base.errors import MeshError
from flexwheel.body.control_node import PRESETS, ControlNode
from flexwheel.body.cyclic import harmonic_rows
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.free_surface import FreeSurface
from flexwheel.body.mesh import Mesh
from flexwheel.body.reduced_body import ControlRings
from flexwheel.body.revolution import SAME_PLACE, Revolution, section_angle
from flexwheel.body.section_outline import SectionOutline, inner_web
from flexwheel.body.stress import STRESS_PAIRS
from flexwheel.body.stress_error import node_stress_rows, stress_error_rows
from flexwheel.body.tread import TreadNodes

SINE = np.array([1, 0, 0, 0, 0, 0, 1, 0, 1], dtype=bool)  # u_x, sigma_xy, sigma_zx go with the sine, the rest not


@dataclass(frozen=True)
class Ring:
    """A control node and the nodes of its ring."""

    name: str
    row: int  # the control node itself
    home: int  # its section
    nodes: np.ndarray  # (S,) rows, -1 where the mesh has no node there
    distance: float = 0.0  # [m] from the place asked for, 0 where a node was named


def select_rings(
    mesh: Mesh,
    revolution: Revolution | None,
    outline: SectionOutline | None,
    treads: tuple[TreadNodes, TreadNodes],
    wanted: tuple,
    tolerance: float = np.inf,
    asked: bool = True,
) -> tuple[list[Ring], list[str]]:
    """Rings of the control nodes, and lines on what was left out.

    Parameters
    ----------
    wanted : sequence of ControlNode, str (name), int (id) or (x, y, z)
    tolerance : float [m]      from a place asked for to the node taken; ten times that from the place of a preset,
                               which says "next to" and is warned of beyond it
    asked : bool               False: nobody named them; those that the mesh does not have are left out with a warning

    Raises
    ------
    MeshError      a node further off; unknown id, name or preset; a node on the axle or between section planes of a
                   mesh of revolution
    """
    tree = scipy.spatial.cKDTree(mesh.nodes)
    rings, left_out = [], []
    for entry in wanted:
        node = as_control_node(entry)
        try:
            row, distance = _row(mesh, revolution, outline, treads, node, tree)
        except MeshError as error:
            if asked:
                raise
            left_out.append(f"WARNING: {error}; it was not asked for and is left out")
            continue
        name = node.name or f"node_{mesh.node_ids[row]}"
        if distance > (tolerance if node.position is not None else 10 * tolerance):
            at = ", ".join(f"{v:.4g}" for v in mesh.nodes[row])
            asked = f"at {node.position} m" if node.position is not None else repr(node.name)
            raise MeshError(
                f"control node {asked}: the nearest node, {mesh.node_ids[row]} at ({at}) m, lies "
                f"{1e3 * distance:.1f} mm away, expected at most {1e3 * tolerance:g} mm (control_node_tolerance_mm, "
                "--control-node-tolerance-mm)"
            )
        rings.append(replace(_ring(mesh, revolution, treads[0].angle, tree, row, name), distance=distance))
    return rings, left_out


def only_home(ring: Ring) -> Ring:
    """The ring without its other nodes."""
    return replace(ring, nodes=np.where(np.arange(len(ring.nodes)) == ring.home, ring.nodes, -1))


def turned_places(control: tuple, angle: float) -> tuple:
    """Control nodes given by place, turned by an angle about y with the mesh."""
    c, s = np.cos(angle), np.sin(angle)
    turn = lambda p: (c * p[0] + s * p[2], p[1], c * p[2] - s * p[0])  # noqa: E731
    nodes = [as_control_node(entry) for entry in control]
    return tuple(n if n.position is None else replace(n, position=turn(n.position)) for n in nodes)


class RingOperator:
    """Motion and stress at ring nodes from amplitudes of one circumferential order, section frame.

    Component c of (u_x, u_y, u_z, xx, yy, zz, xy, yz, zx) at angle alpha is row c of the amplitudes times
    sin(n alpha + phase) where SINE[c], else cos(n alpha + phase). The last `errors` rings have the estimated error of
    the stress in its place, of the first ones, which alone have submodels.
    """

    def __init__(
        self,
        mesh: Mesh,
        revolution: Revolution,
        rings: list[Ring],
        options: FormulationOptions | None,
        free: FreeSurface | None = None,
        errors: int = 0,
    ):
        base = np.array([ring.nodes[0] for ring in rings], dtype=np.int64)
        self.revolution = revolution
        self.count = len(rings)
        self._order = -1
        self.radius = np.array([np.hypot(*mesh.nodes[b, [0, 2]]) for b in base])
        if not self.count:
            return
        self.orbit = np.array([int(np.flatnonzero(revolution.ring[0] == b)[0]) for b in base])
        plain = free and replace(free, submodels={})
        parts = [node_stress_rows(mesh, base[:errors], options, free)]
        parts.append(node_stress_rows(mesh, base[errors : self.count - errors], options, plain))
        if errors:
            parts.append(stress_error_rows(mesh, base[self.count - errors :], options, free))
        stress = sp.vstack(parts).tocsc()
        self.nodes = np.unique(np.flatnonzero(np.diff(stress.indptr)) // 3)
        self.stress = stress[:, (3 * self.nodes[:, None] + np.arange(3)).ravel()].tocsr()

    def rows(self, order: int, amplitudes: np.ndarray) -> np.ndarray:
        """(C, 9, m) from amplitudes (A, m) of the order."""
        out = np.zeros((self.count, 9, amplitudes.shape[1]))
        if not self.count:
            return out
        ring = amplitudes[: 3 * self.revolution.orbits].reshape(self.revolution.orbits, 3, -1)
        out[:, :3] = ring[self.orbit]
        out[:, 3:] = (self._stress_of(order) @ amplitudes).reshape(self.count, 6, -1)
        return out

    def transposed(self, order: int, ring: int) -> np.ndarray:
        """(A, 9) rows of one ring of an order, as loads."""
        stress = self._stress_of(order)[6 * ring : 6 * ring + 6].toarray().T
        out = np.concatenate([np.zeros((len(stress), 3)), stress], axis=1)
        out[3 * self.orbit[ring] + np.arange(3), np.arange(3)] = 1.0
        return out

    def _stress_of(self, order):
        if order != self._order:  # most calls come one after the other
            self._order, odd = order, np.tile(SINE[3:], self.count)
            self._of_order = sum(
                sp.diags(taken.astype(float)) @ self.stress @ harmonic_rows(self.revolution, self.nodes, order, p)
                for p, taken in ((0.0, ~odd), (np.pi / 2, odd))
            ).tocsr()
        return self._of_order


class Waves:
    """Sum over orders of ring rows, taken at all section angles by one inverse Fourier transform."""

    def __init__(self, sections: int, shape: tuple[int, ...]):
        self.sections = sections
        self._spectrum = np.zeros((*shape, sections // 2 + 1), dtype=complex)

    def add(self, order: int, phase: np.ndarray, columns: np.ndarray, rows: np.ndarray) -> None:
        """Add rows (C, 9, m) of an order into `columns`, phase (m,) each: value cos or sin (n alpha + phase)."""
        weight = self.sections * (1.0 if order == 0 or 2 * order == self.sections else 0.5)
        turn = np.where(SINE[:, None], -1j, 1.0) * np.exp(1j * phase)[None]  # sin x = Re(-i e^(ix))
        self._spectrum[:, :, columns, order] += weight * turn[None] * rows

    def around(self) -> np.ndarray:
        """(..., S) sums at the section angles."""
        return np.fft.irfft(self._spectrum, n=self.sections, axis=-1)


def phase_factors(order: int, angle: np.ndarray, phase: float) -> np.ndarray:
    """(S, 9) factors of the ring rows at section angles."""
    psi = order * angle[:, None] + phase
    return np.where(SINE[None], np.sin(psi), np.cos(psi))


def rows_on_mesh(
    mesh: Mesh,
    rings: list[Ring],
    angle: np.ndarray,
    shapes: np.ndarray,
    options: FormulationOptions | None,
    free: FreeSurface | None = None,
) -> np.ndarray:
    """(C, S, 9, m) motion and stress in section frames from nodal fields (N, 3, m); nan where a ring has no node."""
    out = np.full((len(rings), len(angle), 9, shapes.shape[2]), np.nan)
    for c, ring in enumerate(rings):
        there = np.flatnonzero(ring.nodes >= 0)
        nodes = ring.nodes[there]
        stress = node_stress_rows(mesh, nodes, options, free)
        values = (stress @ shapes.reshape(mesh.dof_count, -1)).reshape(len(nodes), 6, -1)
        for k, s in enumerate(there):
            turn = section_axes(angle[s]).T
            out[c, s, :3] = turn @ shapes[nodes[k]]
            out[c, s, 3:] = turned_stress(turn) @ values[k]
    return out


def section_axes(angle: float) -> np.ndarray:
    """Ry(angle)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def turned_stress(turn: np.ndarray) -> np.ndarray:
    """(6, 6) matrix that takes xx yy zz xy yz zx to the axes given by the rows of `turn`."""
    out = np.zeros((6, 6))
    for i, (a, b) in enumerate(STRESS_PAIRS):
        for j, (c, d) in enumerate(STRESS_PAIRS):
            out[i, j] = turn[a, c] * turn[b, d]
            if c != d:
                out[i, j] += turn[a, d] * turn[b, c]
    return out


def ring_tables(mesh, origin, rings, rows, residual, centrifugal, **marks) -> ControlRings:
    """Tables from rows (C, S, 9, H), a `truncation_residual.Residual`, centrifugal (C, S, 9); marks: further fields."""
    tables = {
        "{}_rows": (rows, -2),
        "tread_{}": (residual.tread, -3),
        "interface_{}": (residual.interface, -3),
        "tread_{}_dynamic": (residual.tread_dynamic, -3),
        "interface_{}_dynamic": (residual.interface_dynamic, -3),
        "centrifugal_{}": (centrifugal, -1),
    }
    columns = {"displacement": range(3), "stress": range(3, 9)}
    named = {
        name.format(quantity): np.ascontiguousarray(np.take(table, at, axis))
        for name, (table, axis) in tables.items()
        for quantity, at in columns.items()
    }
    nodes = np.array([ring.row for ring in rings], dtype=np.int64)
    return ControlRings(
        node_id=mesh.node_ids[nodes],
        name=tuple(ring.name for ring in rings),
        position=mesh.nodes[nodes] - origin,
        home=np.array([ring.home for ring in rings], dtype=np.int64),
        **named,
        **marks,
    )


def as_control_node(entry) -> ControlNode:
    """ControlNode of a name, an id or x, y, z [m]; MeshError on anything else."""
    if isinstance(entry, ControlNode):
        return entry
    if isinstance(entry, str):
        return ControlNode(name=entry)
    if isinstance(entry, int | np.integer) and not isinstance(entry, bool):
        return ControlNode(id=int(entry))
    try:
        x, y, z = (float(v) for v in entry)
    except (TypeError, ValueError):
        raise MeshError(f"control node must be a name, a node id or x, y, z in metres, got {entry!r}") from None
    return ControlNode(position=(x, y, z))


def _row(mesh, revolution, outline, treads, node, tree):
    """Row of the node, and its distance [m] from the place asked for."""
    if node.id is not None:
        found = np.flatnonzero(mesh.node_ids == node.id)
        if len(found) == 0:
            raise MeshError(f"control node {node.id}: no such node id in the mesh")
        return int(found[0]), 0.0
    if node.position is not None:
        if not np.isfinite(node.position).all():
            raise MeshError(f"control node at {node.position}: not finite")
        row = _nearest(mesh, revolution, tree, np.array(node.position, dtype=float))
        return row, float(np.linalg.norm(mesh.nodes[row] - node.position))
    if node.name in mesh.node_sets and len(mesh.node_sets[node.name]):
        return _lowest(mesh, mesh.node_sets[node.name]), 0.0
    if node.name not in PRESETS:
        raise MeshError(
            f"control node {node.name!r}: neither a node set of the mesh nor one of the presets {', '.join(PRESETS)}"
        )
    place, side = node.name.rsplit("_", 1)
    tread = treads[0 if side == "left" else 1]
    if place == "tread":
        middle = int(np.argmin(np.abs(tread.profile[:, 0] - tread.lateral)))
        row = int(tread.nodes[0, middle, np.argmax(tread.weights[0, middle])])
        return row, float(abs(mesh.nodes[row, 1] - tread.lateral))
    web = _web(mesh, outline, tread.side, node.name)
    radius = np.hypot(mesh.nodes[web, 0], mesh.nodes[web, 2])
    target = {"web_fillet": radius.min(), "web_rim": radius.max(), "web_middle": (radius.min() + radius.max()) / 2}[
        place
    ]
    nearest = radius[np.argmin(np.abs(radius - target))]
    return _lowest(mesh, web[np.abs(radius - nearest) < 1e-4]), float(abs(nearest - target))


def _web(mesh, outline, side, name):
    label = f"WEB_INNER_{'LEFT' if side > 0 else 'RIGHT'}"
    if label in mesh.node_sets and len(mesh.node_sets[label]):
        return np.unique(mesh.node_sets[label])
    if outline is None:
        raise MeshError(
            f"control node {name!r}: the mesh is not of revolution and has no node set {label!r}; "
            "name control nodes by id or position"
        )
    return inner_web(outline, side)


def _lowest(mesh, rows):
    """The node of a set nearest to the lowest section."""
    rows = np.asarray(rows)
    alpha = section_angle(mesh.nodes[rows])
    return int(rows[np.argmin(np.minimum(alpha, 2 * np.pi - alpha))])


def _nearest(mesh, revolution, tree, position):
    """Nearest node, in a section plane where the mesh is of revolution."""
    if revolution is None:
        return int(tree.query(position)[1])
    plane = revolution.ring[:, revolution.offset == 0].ravel()
    return int(plane[np.argmin(((mesh.nodes[plane] - position) ** 2).sum(axis=1))])


def _ring(mesh, revolution, angle, tree, row, name):
    sections = len(angle)
    if revolution is not None:
        place = np.argwhere(revolution.ring == row)
        if len(place) == 0:
            raise MeshError(f"control node {mesh.node_ids[row]} lies on the axle; take one off it")
        home, orbit = (int(v) for v in place[0])
        if revolution.offset[orbit] != 0:
            near = mesh.node_ids[_nearest(mesh, revolution, tree, mesh.nodes[row])]
            raise MeshError(
                f"control node {mesh.node_ids[row]} is a mid node between two section planes; take node {near} next to "
                "it"
            )
        return Ring(name, row, home, revolution.ring[:, orbit])
    alpha = section_angle(mesh.nodes[row])
    home = int(np.round(alpha / (2 * np.pi / sections))) % sections
    nodes = np.full(sections, -1)
    turned = np.array([section_axes(a - angle[home]) @ mesh.nodes[row] for a in angle])
    distance, nearest = tree.query(turned)
    size = np.hypot(mesh.nodes[:, 0], mesh.nodes[:, 2]).max()
    if distance.max() <= SAME_PLACE * size:
        nodes = nearest
    nodes[home] = row
    return Ring(name, row, home, nodes)
