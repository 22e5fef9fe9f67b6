"""Mesh of a uniform track bed: a box with sleeper seats on it, an example of what a bed's mesh has to hold."""

from dataclasses import dataclass, replace

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import Material, Mesh
from flexwheel.body.seat_compliance import BASE, SEATS
from flexwheel.verification.meshes.box_mesh import box_mesh

BALLAST = Material(1.3e8, 0.2, 1800.0, "BALLAST")
"""Elastic constants usual for ballast under a track, E 110 to 130 MPa."""


@dataclass(frozen=True)
class BedDimensions:
    """A uniform bed; cells are of equal size along each axis, seats have to end on them."""

    bays: int = 5  # odd
    bay: float = 0.6  # [m]
    width: float = 3.0  # [m]
    depth: float = 0.5  # [m]
    seat_length: float = 0.3  # [m] along the track: width of a sleeper
    seat_inner: float = 0.25  # [m] |y| where a half sleeper's support begins
    seat_outer: float = 1.25  # [m] |y| where it ends
    cells: tuple[int, int, int] = (4, 12, 2)  # in a bay, over the width, over the depth


def ballast_bed_mesh(dimensions: BedDimensions | None = None, material: Material = BALLAST) -> Mesh:
    """Box of hexahedra: x from 0, sleepers in the middle of the bays, y left, top at z = 0.

    Returns
    -------
    Mesh        node sets FOUNDATION_BASE, SEAT_LEFT_1 .., SEAT_RIGHT_1 .., element set BED
    """
    d = dimensions or BedDimensions()
    if d.bays < 1 or d.bays % 2 == 0:
        raise MeshError(f"ballast bed: {d.bays} bays, expected an odd number")
    size = (d.bays * d.bay, d.width, d.depth)
    box = box_mesh("hex8", (d.bays * d.cells[0], *d.cells[1:]), size, material=material)
    x, y, z = nodes = (box.nodes - [0.0, 0.5 * d.width, d.depth]).T
    tiny = 1e-9 * max(size)
    sets = {BASE: np.flatnonzero(z < tiny - d.depth)}
    for k in range(d.bays):
        under = (np.abs(x - (k + 0.5) * d.bay) < 0.5 * d.seat_length + tiny) & (z > -tiny)
        for prefix, sign in zip(SEATS, (1.0, -1.0), strict=True):
            across = (sign * y > d.seat_inner - tiny) & (sign * y < d.seat_outer + tiny)
            sets[f"{prefix}_{k + 1}"] = np.flatnonzero(under & across)
    return replace(box, nodes=nodes.T.copy(), node_sets=sets, element_sets={"BED": box.blocks[0].ids})
