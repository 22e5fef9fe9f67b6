"""Coupling of a set of mesh nodes to one interface point with six degrees of freedom.

Rigid (RBE2): the nodes follow the point as a rigid body. Averaging (RBE3): the point follows the nodes
by weighted least squares, and a load on it spreads over them without stiffening them. Both end as a
transformation u = T z with z = (remaining mesh DOF, six DOF of every interface), so that a reduction
treats them alike.
"""

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.rigid_motion import rigid_modes

COUPLINGS = ("rigid", "averaging")
LINE = 1e-6
"""Of the extent of some nodes along their line, by which they must leave it to hold a rotation about it."""


def averaging_rows(places, point, weights=None):
    """Least-squares motion of the point (3,) from the displacement of nodes at places (P, 3) -> (6, 3 P).

    weights : (P,), optional    of the nodes, default equal. The transpose spreads a wrench on the point over
                                the nodes with the same resultant.
    """
    rigid = rigid_modes(places, point)
    weighted = rigid * np.repeat(np.ones(len(places)) if weights is None else np.asarray(weights), 3)[:, None]
    return np.linalg.solve(rigid.T @ weighted, weighted.T)


def on_a_line(places):
    """Whether all nodes at places (P, 3) lie on one line."""
    spread = np.linalg.svd(places - places.mean(axis=0), compute_uv=False)
    return len(places) < 3 or spread[1] < LINE * spread[0]


def require_turned(name, places):
    """Refuse nodes at places (P, 3) whose motion is no rotation."""
    if len(places) < 3:
        raise MeshError(f"interface {name}: {len(places)} nodes, at least 3 are needed")
    if on_a_line(places):
        raise MeshError(f"interface {name}: its {len(places)} nodes lie in one line and hold no rotation about it")
