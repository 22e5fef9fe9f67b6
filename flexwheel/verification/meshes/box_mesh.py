"""A box of any element kind, regular or distorted: the mesh of patch tests and of small trials."""

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.elements import EDGES, LINEAR_KIND
from flexwheel.body.mesh import NODES_PER_ELEMENT, ElementBlock, Material, Mesh

STEEL = Material(2.1e11, 0.3, 7850.0, "steel")
_WEDGES = ((0, 1, 2, 4, 5, 6), (0, 2, 3, 4, 6, 7))  # of a hexahedron's corners
_TETRAHEDRA = ((0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6))


def box_mesh(kind, cells, size=(1.0, 1.0, 1.0), distortion=0.0, seed=0, material=STEEL) -> Mesh:
    """Box [0, size] cut into cells of one element kind.

    Parameters
    ----------
    kind : str                  key of NODES_PER_ELEMENT; a cell makes 1 hexahedron, 2 wedges, 3 pyramids, 6 tetrahedra
    cells : (3,) int
    size : (3,) [m]
    distortion : float          corner nodes inside the box are moved at random by up to this part of a cell;
                                midside nodes stay on straight edges
    seed : int
    material : Material

    Returns
    -------
    Mesh                        with node sets X0 X1 Y0 Y1 Z0 Z1 (faces) and INSIDE
    """
    if kind not in NODES_PER_ELEMENT:
        raise MeshError(f"element kind must be one of {', '.join(NODES_PER_ELEMENT)}, got {kind!r}")
    cells, size = np.asarray(cells), np.asarray(size, dtype=float)
    grid = np.indices(cells + 1).reshape(3, -1).T
    nodes = grid * (size / cells)
    inside = np.all((grid > 0) & (grid < cells), axis=1)
    shift = np.random.default_rng(seed).uniform(-distortion, distortion, nodes.shape) * (size / cells)
    nodes = nodes + shift * inside[:, None]
    connectivity = _corner_elements(LINEAR_KIND[kind], cells)
    nodes, connectivity = _add_midsides(kind, nodes, connectivity)
    sets = {}
    for axis, letter in enumerate("XYZ"):
        sets[f"{letter}0"] = np.flatnonzero(nodes[:, axis] < 1e-9 * size[axis])
        sets[f"{letter}1"] = np.flatnonzero(nodes[:, axis] > (1 - 1e-9) * size[axis])
    sets["INSIDE"] = np.setdiff1d(np.arange(len(nodes)), np.concatenate(list(sets.values())))
    block = ElementBlock(kind, connectivity, np.arange(1, len(connectivity) + 1))
    return Mesh(nodes, np.arange(1, len(nodes) + 1), (block,), (material,), sets)


def _corner_elements(linear, cells):
    """Connectivity of the corner nodes."""
    number = np.arange(np.prod(cells + 1)).reshape(cells + 1)
    corners = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    nx, ny, nz = cells
    hexes = np.stack([number[a : a + nx, b : b + ny, c : c + nz].ravel() for a, b, c in corners], axis=1)
    if linear == "pyramid5":
        return _pyramids(hexes, np.indices((nx, ny, nz)).reshape(3, -1).T % 2, corners)
    split = {"hex8": (tuple(range(8)),), "wedge6": _WEDGES, "tet4": _TETRAHEDRA}[linear]
    return np.stack([hexes[:, list(part)] for part in split], axis=1).reshape(-1, len(split[0]))


def _pyramids(hexes, odd, corners):
    """Three pyramids of every cell, with their apexes at the corner whose place in the grid is even."""
    rows = []
    for cell, flips in zip(hexes, odd, strict=True):
        turned = cell[[corners.index(tuple(np.abs(np.array(c) - flips))) for c in corners]]
        for base in ((1, 5, 6, 2), (3, 2, 6, 7), (4, 7, 6, 5)):
            rows.append([*turned[list(base[:: -1 if flips.sum() % 2 else 1])], turned[0]])
    return np.array(rows)


def _add_midsides(kind, nodes, corners):
    """Nodes and connectivity with one shared node in the middle of every edge."""
    if kind not in EDGES:
        return nodes, corners
    pairs = np.sort(np.stack([corners[:, list(edge)] for edge in EDGES[kind]], axis=1).reshape(-1, 2), axis=1)
    unique, inverse = np.unique(pairs, axis=0, return_inverse=True)
    midsides = nodes[unique].mean(axis=1)
    added = len(nodes) + inverse.reshape(len(corners), len(EDGES[kind]))
    return np.vstack([nodes, midsides]), np.hstack([corners, added])
