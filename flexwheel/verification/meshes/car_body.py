"""Mesh of a car body for the Manchester coach: a tube of sandwich walls with bulkheads, drawn for this package.

Length, width and height are those of a passenger coach; densities give the benchmark's mass and height of the mass
centre, the modulus a first bending near 10 Hz, as of steel coaches. Axes x forward from the middle, y left, z
from the rails.
"""

from dataclasses import replace

import numpy as np

from flexwheel.body.mesh import ElementBlock, Material, Mesh

WALLS = Material(6.0e9, 0.3, 477.5, "WALLS")
FLOOR = Material(6.0e9, 0.3, 2262.8, "FLOOR")
"""With what hangs below the floor."""
LENGTH, WIDTH, BOTTOM, HEIGHT, WALL = 26.0, 2.8, 1.13, 2.5, 0.12  # [m]
BULKHEADS = (-13.0, -9.5, 9.5, 13.0)  # [m] at the ends and over the bolsters
PIVOT, SPRING_Y, REACH = 9.5, 0.96, 0.51  # [m]


def car_body_mesh() -> Mesh:
    """Hexahedra, one through the wall.

    Returns
    -------
    Mesh    node sets SECONDARY_FRONT_LEFT ... _REAR_RIGHT under the springs, PIVOT_FRONT, PIVOT_REAR between them, SEAT
            in the middle of the floor; element sets WALLS, FLOOR
    """
    half = 0.5 * LENGTH
    own = [b + s * 0.5 * WALL for b in BULKHEADS[1:-1] for s in (-1, 1)] + [WALL - half, half - WALL]
    regular = np.linspace(-half, half, 53)
    x = np.sort(np.concatenate([regular[[min(abs(r - b) for b in BULKHEADS[1:-1]) > 1e-9 for r in regular]], own]))
    y = np.concatenate([[-0.5 * WIDTH], np.linspace(WALL - 0.5 * WIDTH, 0.5 * WIDTH - WALL, 13), [0.5 * WIDTH]])
    z = np.concatenate([[0.0], np.linspace(WALL, HEIGHT - WALL, 9), [HEIGHT]]) + BOTTOM
    shape = len(x), len(y), len(z)
    points = np.stack(np.meshgrid(x, y, z, indexing="ij"), axis=-1).reshape(-1, 3)
    number = np.arange(len(points)).reshape(shape)
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    i, j, k = (c.ravel() for c in np.meshgrid(*(np.arange(n - 1) for n in shape), indexing="ij"))
    cells = np.stack([number[i + a, j + b, k + c] for a, b, c in corners], axis=1)
    thin = np.abs(np.diff(x) - WALL) < 1e-9
    wall = thin[i] | np.isin(j, (0, shape[1] - 2)) | np.isin(k, (0, shape[2] - 2))
    parts = [(WALLS, cells[wall & (k > 0)]), (FLOOR, cells[k == 0])]
    used, rows = np.unique(np.concatenate([c for _, c in parts]), return_inverse=True)
    rows = rows.reshape(-1, 8)
    ids = np.arange(1, len(rows) + 1)
    cut = len(parts[0][1])
    blocks = (ElementBlock("hex8", rows[:cut], ids[:cut], 0), ElementBlock("hex8", rows[cut:], ids[cut:], 1))
    mesh = Mesh(points[used], np.arange(1, len(used) + 1), blocks, (WALLS, FLOOR))
    return replace(mesh, node_sets=_sets(mesh.nodes), element_sets={"WALLS": ids[:cut], "FLOOR": ids[cut:]})


def _sets(nodes):
    x, y, z = nodes.T
    below = np.abs(z - BOTTOM) < 1e-9
    sets = {}
    for end, at in (("FRONT", PIVOT), ("REAR", -PIVOT)):
        near = below & (np.abs(x - at) < REACH)
        for side, sign in (("LEFT", 1.0), ("RIGHT", -1.0)):
            sets[f"SECONDARY_{end}_{side}"] = np.flatnonzero(near & (np.abs(sign * y - SPRING_Y) < 0.34))
        sets[f"PIVOT_{end}"] = np.flatnonzero(near & (np.abs(y) < 0.34))
    sets["SEAT"] = np.flatnonzero((np.abs(x) < 1e-9) & (np.abs(y - 0.64) < 1e-9) & (np.abs(z - BOTTOM - WALL) < 1e-9))
    return sets
