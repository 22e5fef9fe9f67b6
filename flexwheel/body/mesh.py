"""Finite element mesh as the rest of the package sees it: frozen, 0-based rows, original ids kept."""

from dataclasses import dataclass, field

import numpy as np

NODES_PER_ELEMENT = {
    "hex8": 8,
    "hex20": 20,
    "wedge6": 6,
    "wedge15": 15,
    "tet4": 4,
    "tet10": 10,
    "pyramid5": 5,
    "pyramid13": 13,
}


@dataclass(frozen=True)
class Material:
    """Isotropic linear elastic material."""

    youngs_modulus: float  # [Pa]
    poissons_ratio: float  # [-]
    density: float  # [kg/m3]
    name: str = "material"


@dataclass(frozen=True)
class ElementBlock:
    """Elements of one kind and one material."""

    kind: str  # key of NODES_PER_ELEMENT
    connectivity: np.ndarray  # (E, n) int64, rows of Mesh.nodes, meshio (= VTK) node order
    ids: np.ndarray  # (E,) int64, original element ids
    material: int = 0  # row of Mesh.materials


@dataclass(frozen=True)
class AttachedMass:
    """A point mass with inertia that moves with one node, or with the mean motion of many (see attached_mass.py)."""

    name: str  # card and id of the file
    mass: float  # [kg]
    position: np.ndarray  # (3,) its centre [m]
    inertia: np.ndarray  # (3, 3) about its centre [kg m2]
    node: int | None = None  # row of the node it moves with; None: `nodes`
    nodes: np.ndarray | None = None  # (n,) rows of the nodes whose mean motion it follows


@dataclass(frozen=True)
class Tie:
    """Nodes on the surface of one part that follow the surface of another."""

    name: str  # card and name of the file
    nodes: np.ndarray  # (d,) rows of the nodes that follow
    faces: np.ndarray  # (d, m) rows of the nodes each follows, repeated where there are fewer than m
    weights: np.ndarray  # (d, m) sum 1, and as mean of the positions of `faces` the place of the node
    pair: str = ""  # its two surfaces as FIRST/SECOND


@dataclass(frozen=True)
class RigidSet:
    """Nodes that move as one rigid body, but for stretches of it."""

    name: str
    nodes: np.ndarray  # (n,) rows
    stretch: np.ndarray | None = None  # (n, 3, g) displacement of the nodes by each of g coordinates of their own


@dataclass(frozen=True)
class Equation:
    """Linear equation between displacements: the sum of coefficients[k] . u[nodes[k]] is zero."""

    name: str
    nodes: np.ndarray  # (m,) rows; the first one follows the others
    coefficients: np.ndarray  # (m, 3)


@dataclass(frozen=True)
class Spring:
    """A spring between two nodes, without mass."""

    name: str
    nodes: np.ndarray  # (2,) rows
    stiffness: np.ndarray  # (3, 3) [N/m] force by the difference of their displacements


@dataclass(frozen=True)
class Beams:
    """Beams by their matrices; the three nodes of an end move as one rigid body, the section with its rotation."""

    ids: np.ndarray  # (B,) int64, original element ids
    nodes: np.ndarray  # (B, 6) rows, three of either end
    stiffness: np.ndarray  # (B, 18, 18) [N/m]
    position: np.ndarray  # (B, Q, 3) points that stand for the mass [m]
    mass: np.ndarray  # (B, Q) [kg]
    rows: np.ndarray  # (B, Q, 3, 18) displacement of the points from that of the nodes


@dataclass(frozen=True)
class Mesh:
    """Solid mesh; DOF = 3*node + axis."""

    nodes: np.ndarray  # (N, 3) float64 [m]
    node_ids: np.ndarray  # (N,) int64, original node ids
    blocks: tuple[ElementBlock, ...]
    materials: tuple[Material, ...]
    node_sets: dict[str, np.ndarray] = field(default_factory=dict)  # name -> rows of nodes
    element_sets: dict[str, np.ndarray] = field(default_factory=dict)  # name -> original element ids
    masses: tuple[AttachedMass, ...] = ()
    ties: tuple[Tie | RigidSet | Equation, ...] = ()
    springs: tuple[Spring, ...] = ()
    beams: Beams | None = None

    @property
    def has_points(self) -> bool:
        """Whether mass stands as points beside the solids."""
        return bool(self.masses) or self.beams is not None

    @property
    def dof_count(self) -> int:
        return 3 * len(self.nodes)

    @property
    def element_count(self) -> int:
        beams = 0 if self.beams is None else len(np.unique(self.beams.ids))
        return sum(len(block.connectivity) for block in self.blocks) + beams
