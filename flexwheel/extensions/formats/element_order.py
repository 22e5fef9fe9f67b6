"""Node order of solid elements: the package keeps that of VTK and meshio; Abaqus has the same.

Linear elements are numbered alike everywhere. Quadratic ones differ in the order of their mid nodes:
Nastran's CHEXA and CPENTA give the upright edges before those of the top face; Gmsh numbers edges its own
way.

Sources: Gmsh reference manual, "Node ordering"; MSC Nastran quick reference guide, CHEXA, CPENTA, CTETRA;
Abaqus elements guide, "Three-dimensional solid element library".
"""

import numpy as np

from flexwheel.body.elements import EDGES, LINEAR_KIND, REFERENCE_NODES

_NAMES = {  # kind -> Abaqus type, Nastran card, Gmsh type, meshio type
    "hex8": ("C3D8", "CHEXA", 5, "hexahedron"),
    "hex20": ("C3D20", "CHEXA", 17, "hexahedron20"),
    "wedge6": ("C3D6", "CPENTA", 6, "wedge"),
    "wedge15": ("C3D15", "CPENTA", 18, "wedge15"),
    "tet4": ("C3D4", "CTETRA", 4, "tetra"),
    "tet10": ("C3D10", "CTETRA", 11, "tetra10"),
    "pyramid5": ("C3D5", "CPYRAM", 7, "pyramid"),
    "pyramid13": ("C3D13", "CPYRAM", 19, "pyramid13"),
}
ABAQUS_TYPE, NASTRAN_CARD, GMSH_TYPE, MESHIO_TYPE = (
    {kind: names[column] for kind, names in _NAMES.items()} for column in range(4)
)
CORNERS = {kind: len(REFERENCE_NODES[linear]) for kind, linear in LINEAR_KIND.items()}

# edges of the mid nodes as pairs of corners, in the numbering of each format
_GMSH_EDGES = {
    "hex20": "01 03 04 12 15 23 26 37 45 47 56 67",
    "wedge15": "01 02 03 12 14 25 34 35 45",
    "tet10": "01 12 20 03 23 13",
    "pyramid13": "01 03 04 12 14 23 24 34",
}
_NASTRAN_EDGES = {
    "hex20": "01 12 23 30 04 15 26 37 45 56 67 74",
    "wedge15": "01 12 20 03 14 25 34 45 53",
    "tet10": "01 12 20 03 13 23",
    "pyramid13": "01 12 23 30 04 14 24 34",
}
_MIRROR_CORNERS = {
    "hex8": [0, 3, 2, 1, 4, 7, 6, 5],
    "wedge6": [0, 2, 1, 3, 5, 4],
    "tet4": [0, 2, 1, 3],
    "pyramid5": [0, 3, 2, 1, 4],
}


def to_gmsh(kind: str, connectivity: np.ndarray) -> np.ndarray:
    """Package order to Gmsh order, columns of (E, n)."""
    return connectivity[:, _columns(kind, _GMSH_EDGES)]


def from_gmsh(kind: str, connectivity: np.ndarray) -> np.ndarray:
    """Gmsh order to package order, columns of (E, n)."""
    return connectivity[:, np.argsort(_columns(kind, _GMSH_EDGES))]


def to_nastran(kind: str, connectivity: np.ndarray) -> np.ndarray:
    """Package order to Nastran order, columns of (E, n)."""
    return connectivity[:, _columns(kind, _NASTRAN_EDGES)]


def from_nastran(kind: str, connectivity: np.ndarray) -> np.ndarray:
    """Nastran order to package order, columns of (E, n)."""
    return connectivity[:, np.argsort(_columns(kind, _NASTRAN_EDGES))]


def mirrored(kind: str, connectivity: np.ndarray) -> np.ndarray:
    """The same elements numbered with the other handedness, columns of (E, n)."""
    turned = _MIRROR_CORNERS[LINEAR_KIND[kind]]
    own = _own_edges(kind)
    mids = [own.index(frozenset((turned[a], turned[b]))) for a, b in EDGES.get(kind, ())]
    return connectivity[:, turned + [CORNERS[kind] + m for m in mids]]


def _own_edges(kind: str) -> list[frozenset[int]]:
    return [frozenset(pair) for pair in EDGES.get(kind, ())]


def _columns(kind: str, edges: dict[str, str]) -> list[int]:
    """Columns of the package's order that give another numbering."""
    own, corners = _own_edges(kind), CORNERS[kind]
    mids = [own.index(frozenset(map(int, pair))) for pair in edges.get(kind, "").split()]
    return list(range(corners)) + [corners + m for m in mids]
