"""A wheelset mesh brought into the frame of the package: axle along y, its middle at the origin."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flexwheel.errors import MeshError
from flexwheel.fe.mesh import Mesh
from flexwheel.io.mesh_properties import mass_properties

_PERMUTATIONS = {  # proper rotations that bring the named axis to y
    "x": np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
    "y": np.eye(3),
    "z": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]),
}
_ROUND = 0.02  # difference of the two transverse moments of inertia, relative, below which a body is round
_TILT = 5e-3  # [rad] from a coordinate axis below which that axis is meant: an irregular mesh is round to 1e-4
_OFFSET = 1e-3  # of the length, offset of the mass centre from the axle below which the mesh is drawn on it


def place_wheelset(
    mesh: Mesh, axle_axis: str | np.ndarray = "auto", middle: float | None = None
) -> tuple[Mesh, tuple[str, ...]]:
    """Turn and move a wheelset mesh so that its axle lies on y, x forward, z up.

    Parameters
    ----------
    mesh : Mesh
    axle_axis : "x", "y", "z"      axis of the mesh that becomes y; the axle passes through the mass centre
                (3,) float         direction that becomes y
                "auto"             the principal axis of inertia whose two others are most alike
    middle : float [m]             coordinate along the axle (old origin) that becomes y = 0; the middle of the
                                   extent when left out

    Returns
    -------
    mesh : Mesh                    the same one where it was in place
    audit : tuple of str           axis found, turn and shift applied

    Raises
    ------
    MeshError                      "auto" and no two equal moments of inertia; an axis that is not known

    Verified in tests/verification/test_mesh_import_place.py.
    """
    body = mass_properties(mesh)
    direction, notes = _direction(mesh, axle_axis, body.inertia)
    turn = _turn_to_y(direction)
    nodes = mesh.nodes if np.array_equal(turn, np.eye(3)) else mesh.nodes @ turn.T
    centre = turn @ body.centre
    ends = nodes[:, 1].min(), nodes[:, 1].max()
    origin = np.array([centre[0], 0.5 * (ends[0] + ends[1]) if middle is None else middle, centre[2]])
    near = np.abs(origin) <= (_OFFSET if middle is None else 0.0) * (ends[1] - ends[0])
    if (np.abs(origin[near]) > 1e-9).any():
        notes.append(f"middle lies {np.linalg.norm(origin[near]):.3g} m off the origin: taken as drawn on it")
    origin = np.where(near, 0.0, origin)
    if origin.any():
        nodes = nodes - origin
        notes.append("moved by " + _row(-origin) + " m")
    if nodes is mesh.nodes:
        notes.append("mesh left where it is")
        return mesh, tuple(notes)
    if not np.array_equal(turn, np.eye(3)):
        notes.append("turned: new axes in old coordinates x' = " + ", y' = ".join(_row(r) for r in turn[:2]))
    return replace(mesh, nodes=np.ascontiguousarray(nodes)), tuple(notes)


def _direction(mesh: Mesh, axle_axis: str | np.ndarray, inertia: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Unit vector along the axle in mesh axes, and what the audit says of it."""
    if isinstance(axle_axis, str) and axle_axis in _PERMUTATIONS:
        return np.eye(3)["xyz".index(axle_axis)], [f"axle axis: {axle_axis}, as given"]
    if not isinstance(axle_axis, str):
        direction = np.asarray(axle_axis, dtype=float)
        length = np.linalg.norm(direction)
        if direction.shape != (3,) or not np.isfinite(length) or length == 0:
            raise MeshError(f"axle_axis = {axle_axis!r}, expected three numbers not all zero")
        return direction / length, [f"axle axis: {_row(direction / length)}, as given"]
    if axle_axis != "auto":
        raise MeshError(f"axle_axis = '{axle_axis}' is not known, expected 'x', 'y', 'z', 'auto' or a direction")
    moments, axes = np.linalg.eigh(inertia)
    others = np.array([[1, 2], [0, 2], [0, 1]])
    difference = np.abs(moments[others[:, 0]] - moments[others[:, 1]]) / moments[others].max(axis=1)
    found = int(np.argmin(difference))
    if difference[found] > _ROUND:
        raise MeshError(
            f"no axis of revolution: principal inertias {moments[0]:.6g}, {moments[1]:.6g}, {moments[2]:.6g} kg m2, no "
            "two alike; give axle_axis"
        )
    direction = axes[:, found]
    if np.sort(difference)[1] < _ROUND:
        raise MeshError("no single axis of revolution: three equal principal inertias; give axle_axis")
    nearest = int(np.argmax(np.abs(direction)))
    direction = direction * np.sign(direction[nearest])
    tilt = np.linalg.norm(np.delete(direction, nearest))
    if tilt < _TILT:
        direction = np.eye(3)[nearest]
        return direction, [f"axle axis: {'xyz'[nearest]}, found from inertia (tilt {tilt:.2g} rad taken as none)"]
    return direction, [f"axle axis: {_row(direction)}, found from inertia (others differ by {difference[found]:.2g})"]


def _turn_to_y(direction: np.ndarray) -> np.ndarray:
    """Rotation that brings a direction to y: a permutation of axes where it is one, else the shortest turn."""
    for axis, turn in zip(np.eye(3), _PERMUTATIONS.values(), strict=True):
        if np.linalg.norm(direction - axis) < 1e-12:
            return turn
    y = np.array([0.0, 1.0, 0.0])
    if direction[1] < -1 + 1e-12:
        return np.diag([-1.0, -1.0, 1.0])
    v, c = np.cross(direction, y), direction[1]
    skew = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + skew + skew @ skew / (1 + c)


def _row(values: np.ndarray) -> str:
    return "(" + ", ".join(f"{v + 0.0:.6g}" for v in values) + ")"
