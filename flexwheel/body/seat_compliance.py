"""Compliance of a meshed track bed at the sleeper seats.

A stretch of an odd number of bays, clamped at its base, is condensed statically to its seats. A seat's motion is the
weighted least-squares motion of its nodes (RBE3), weights their share of the seat's area, so that a seat load is a
pressure that does not stiffen the bed. The rows of the middle bay are taken as those of every bay.

Mesh axes: x along the track, y left, z up.
"""

from dataclasses import dataclass

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.assembly import assemble
from flexwheel.body.coupling import averaging_rows
from flexwheel.body.interfaces import interface_of, nodes_of_set
from flexwheel.body.mesh import Mesh
from flexwheel.body.statics import static_solution
from flexwheel.body.surface import CORNER_FACES

BASE = "FOUNDATION_BASE"
SEATS = ("SEAT_LEFT", "SEAT_RIGHT")
SPACING_TOLERANCE = 0.01  # of the bay, by which seats may lie off their places


@dataclass(frozen=True)
class SeatCompliance:
    """What a bed gives under its seats, the same for every bay."""

    # (2 m + 1, 6, 6) [m/N, 1/N, rad/N, rad/(N m)] motion of the seats of bay j + o under loads on those of bay j in
    # block m + o; order z left, z right, y left, y right, roll left, roll right; blocks[m + o] = blocks[m - o].T
    blocks: np.ndarray
    asymmetry: float  # largest difference of the middle bay's two sides that was averaged out, of the peak
    edge: float  # vertical compliance left at the last bay, of that under the load


def seat_compliance(mesh: Mesh, bay: float, where="track bed mesh") -> SeatCompliance:
    """Compliance of the middle bay's seats and its neighbours'.

    Parameters
    ----------
    mesh : Mesh             node sets SEAT_LEFT_1 .. and SEAT_RIGHT_1 .., an odd number of each, in any order;
                            FOUNDATION_BASE, or else the lowest nodes are clamped
    bay : float [m]         sleeper spacing
    where : str             named in errors

    Raises
    ------
    MeshError               a set is missing, seats off the spacing, too few nodes, a seat on the base

    Verified in tests/verification/test_track_bed_verified.py.
    """
    seats = _seats(mesh, bay, where)
    clamped = _base(mesh, seats, where)
    nodes, counts = np.unique(np.concatenate([seat.nodes for pair in seats for seat in pair]), return_counts=True)
    if counts.max() > 1:
        raise MeshError(f"{where}: node {mesh.node_ids[nodes[counts.argmax()]]} belongs to two seats")
    stiffness, _ = assemble(mesh)
    rows = np.zeros((len(seats), 6, mesh.dof_count))
    for j, pair in enumerate(seats):
        for side, seat in enumerate(pair):
            average = averaging_rows(mesh.nodes[seat.nodes], seat.centre, _area_weights(mesh, seat.nodes))
            dofs = (3 * seat.nodes[:, None] + np.arange(3)).ravel()
            for component, axis in enumerate((2, 1, 3)):
                rows[j, 2 * component + side, dofs] = average[axis]
    m = len(seats) // 2
    answer = static_solution(mesh, stiffness, (3 * clamped[:, None] + np.arange(3)).ravel(), rows[m].T)
    raw = rows @ answer
    blocks = 0.5 * (raw + raw[::-1].transpose(0, 2, 1))
    asymmetry = float(np.max(np.abs(raw - blocks)[:, :2, :2]) / np.max(raw[m, :2, :2]))
    edge = float(np.max(np.abs(blocks[0, :2, :2])) / np.max(blocks[m, :2, :2]))
    return SeatCompliance(blocks, asymmetry, edge)


def _seats(mesh, bay, where):
    """Seats (left, right) of every bay in order along x."""
    found = []
    for prefix in SEATS:
        names = [name for name in mesh.node_sets if name.upper().startswith(prefix + "_")]
        if not names:
            known = ", ".join(mesh.node_sets) or "none"
            raise MeshError(f"{where}: no node sets {prefix}_1, {prefix}_2 ..; the mesh has: {known}")
        side = [interface_of(mesh, name, nodes_of_set(mesh, name)) for name in names]
        found.append(sorted(side, key=lambda seat: seat.centre[0]))
    left, right = found
    if len(left) != len(right) or len(left) % 2 == 0:
        raise MeshError(
            f"{where}: sets {SEATS[0]}_.. and {SEATS[1]}_.. must be of the same odd number, got {len(left)} and "
            f"{len(right)}"
        )
    middle = left[len(left) // 2].centre[0]
    for k, pair in enumerate(zip(left, right, strict=True)):
        place = middle + (k - len(left) // 2) * bay
        for seat in pair:
            if abs(seat.centre[0] - place) > SPACING_TOLERANCE * bay:
                raise MeshError(
                    f"{where}: seat {seat.name} is at x = {seat.centre[0]:.4g} m, expected {place:.4g} m at a sleeper "
                    f"spacing of {bay:g} m"
                )
        if pair[0].centre[1] <= pair[1].centre[1]:
            raise MeshError(
                f"{where}: seat {pair[0].name} at y = {pair[0].centre[1]:.4g} m is not to the left (+y) of "
                f"{pair[1].name} at y = {pair[1].centre[1]:.4g} m"
            )
    return list(zip(left, right, strict=True))


def _base(mesh, seats, where):
    """Rows of the clamped nodes."""
    sets = {name.upper(): rows for name, rows in mesh.node_sets.items()}
    z = mesh.nodes[:, 2]
    base = sets[BASE] if BASE in sets else np.flatnonzero(z < z.min() + 1e-6 * np.ptp(z))
    if len(base) < 3:
        raise MeshError(
            f"{where}: {len(base)} nodes are clamped, expected a node set {BASE} or a level base of at least 3"
        )
    for pair in seats:
        for seat in pair:
            if np.intersect1d(seat.nodes, base).size:
                raise MeshError(f"{where}: seat {seat.name} has nodes on the clamped base")
    return base


def _area_weights(mesh, node_rows):
    """Share of the area of the seat's whole faces that each node holds; equal where there is no whole face."""
    inside = np.zeros(len(mesh.nodes), dtype=bool)
    inside[node_rows] = True
    weight = np.zeros(len(mesh.nodes))
    for block in mesh.blocks:
        for corners in CORNER_FACES[block.kind]:
            faces = block.connectivity[:, corners]
            faces = faces[inside[faces].all(axis=1)]
            x = mesh.nodes[faces]
            normal = np.cross(x[:, 2] - x[:, 0], x[:, -1] - x[:, 1])
            if len(corners) == 3:
                normal = np.cross(x[:, 1] - x[:, 0], x[:, 2] - x[:, 0])
            area = 0.5 * np.linalg.norm(normal, axis=1)
            for k in range(len(corners)):
                np.add.at(weight, faces[:, k], area / len(corners))
    weight = weight[node_rows]
    if np.count_nonzero(weight) < 3:
        return np.ones(len(node_rows))
    return weight / weight.mean()
