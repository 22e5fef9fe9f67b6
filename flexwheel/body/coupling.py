"""Coupling of a set of mesh nodes to one interface point with six degrees of freedom.

Rigid (RBE2): the nodes follow the point as a rigid body. Averaging (RBE3): the point follows the nodes
by weighted least squares, and a load on it spreads over them without stiffening them. Both end as a
transformation u = T z with z = (remaining mesh DOF, six DOF of every interface), so that a reduction
treats them alike.
"""

from dataclasses import dataclass

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import Mesh
from flexwheel.body.rigid_motion import rigid_modes

COUPLINGS = ("rigid", "averaging")


@dataclass(frozen=True)
class InterfaceNodes:
    """A point with six DOF (translation, then rotation, mesh axes) tied to nodes of the mesh."""

    name: str
    point: np.ndarray  # (3,) [m]
    node_rows: np.ndarray  # (P,) rows of Mesh.nodes
    kind: str = "rigid"  # "rigid" (RBE2) | "averaging" (RBE3)


def rigid_rows(mesh: Mesh, interface: InterfaceNodes):
    """Displacement of the coupled nodes as a rigid body of the point -> (3 P, 6)."""
    return rigid_modes(mesh.nodes[interface.node_rows], interface.point)


def averaging_rows(mesh: Mesh, interface: InterfaceNodes, weights=None):
    """Least-squares motion of the point from the displacement of the nodes -> (6, 3 P).

    weights : (P,), optional    of the nodes, default equal. The transpose spreads a wrench on the point over
                                the nodes with the same resultant.
    """
    rigid = rigid_rows(mesh, interface)
    weight = np.repeat(np.ones(len(interface.node_rows)) if weights is None else np.asarray(weights), 3)
    weighted = rigid * weight[:, None]
    return np.linalg.solve(rigid.T @ weighted, weighted.T)


def check_interfaces(mesh, interfaces):
    """Refuse couplings that are singular or that overlap."""
    owner = {}
    for interface in interfaces:
        if interface.kind not in COUPLINGS:
            raise MeshError(
                f"interface {interface.name!r}: coupling must be one of {', '.join(COUPLINGS)}, got {interface.kind!r}"
            )
        rows = np.asarray(interface.node_rows)
        if len(rows) < 3:
            raise MeshError(f"interface {interface.name!r}: {len(rows)} nodes, at least 3 are needed")
        spread = np.linalg.svd(mesh.nodes[rows] - mesh.nodes[rows].mean(axis=0), compute_uv=False)
        if spread[1] < 1e-9 * max(spread[0], np.finfo(float).tiny):
            raise MeshError(f"interface {interface.name!r}: its nodes lie on one line and hold no rotation about it")
        for row in rows:
            other = owner.setdefault(int(row), interface.name)
            if other != interface.name:
                raise MeshError(f"node {mesh.node_ids[row]} belongs to the interfaces {other!r} and {interface.name!r}")
        if len(np.unique(rows)) != len(rows):
            raise MeshError(f"interface {interface.name!r}: a node is listed twice")
