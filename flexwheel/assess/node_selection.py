"""Choice of nodes by a condition on a coordinate or by a node set."""

import re

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import Mesh

_CONDITION = re.compile(
    r"^\s*(?P<bar>\|?)\s*(?P<axis>[xyzXYZ])\s*\|?\s*(?P<sign><=|>=|=|<|>)\s*(?P<value>[-+]?[0-9.]+(?:[eE][-+]?\d+)?)\s*$"
)
RELATIVE_TOLERANCE = 1e-6  # of the mesh's bounding diagonal, for "=" and for the edge of <=, >=


def select_nodes(mesh: Mesh, condition: str) -> np.ndarray:
    """Rows of the nodes that meet a condition.

    Parameters
    ----------
    mesh : Mesh
    condition : str     "y=1.1", "|y|=1.1", "x<-1.08999", "z>=0" [m], or the name of a node set; "=" means
                        within 1e-6 of the mesh's bounding diagonal

    Returns
    -------
    rows : (P,) int64, ascending, at least one

    Raises
    ------
    MeshError           no node meets it; the nearest coordinate, or the sets there are, is named
    """
    match = _CONDITION.match(condition)
    if condition in mesh.node_sets:
        rows = np.unique(np.asarray(mesh.node_sets[condition], dtype=np.int64))
        if len(rows) == 0:
            raise MeshError(f"node set {condition!r} is empty")
        return rows
    if match is None:
        known = ", ".join(sorted(mesh.node_sets)) or "none"
        raise MeshError(f"{condition!r} is neither AXIS=VALUE (y=1.1, |y|=1.1, x<-1) nor a node set; sets: {known}")
    position = mesh.nodes[:, "xyz".index(match["axis"].lower())]
    if match["bar"]:
        position = np.abs(position)
    try:
        value = float(match["value"])
    except ValueError:
        raise MeshError(f"{condition!r}: {match['value']!r} is not a number") from None
    tolerance = RELATIVE_TOLERANCE * float(np.linalg.norm(np.ptp(mesh.nodes, axis=0)))
    chosen = {
        "=": np.abs(position - value) <= tolerance,
        "<": position < value,
        ">": position > value,
        "<=": position <= value + tolerance,
        ">=": position >= value - tolerance,
    }[match["sign"]]
    rows = np.flatnonzero(chosen)
    if len(rows) == 0:
        nearest = position[np.argmin(np.abs(position - value))]
        raise MeshError(
            f"no node meets {condition!r} (tolerance {tolerance:.1e} m): nearest coordinate {nearest:.9g} m, "
            f"range {position.min():.6g} to {position.max():.6g} m"
        )
    return rows


def clamped_dofs(mesh: Mesh, conditions) -> np.ndarray:
    """All three DOF of every node that meets one of the conditions, ascending; a node of beams is held with its
    rotation."""
    rows = np.unique(np.concatenate([select_nodes(mesh, c) for c in conditions]))
    if mesh.beams is not None:
        frames = np.unique(mesh.beams.nodes.reshape(-1, 3), axis=0)
        off = mesh.nodes[frames].mean(axis=1)[:, None] - mesh.nodes[rows]
        near = np.linalg.norm(off, axis=2).min(axis=1, initial=np.inf) < 1e-9 * np.ptp(mesh.nodes)
        rows = np.union1d(rows, frames[near])
    return (3 * rows[:, None] + np.arange(3)).ravel()
