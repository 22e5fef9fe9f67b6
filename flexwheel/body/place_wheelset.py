"""A wheelset mesh brought into the frame of the package: axle along y, its middle at the origin."""

from dataclasses import replace

import numpy as np

from flexwheel.base.disagreements import disagree
from flexwheel.base.errors import MeshError
from flexwheel.body.axle_line import DEFAULT_SETS, axle_line
from flexwheel.body.mesh import Equation, Mesh
from flexwheel.body.mesh_format import WARNING
from flexwheel.body.mesh_properties import mass_properties

_PERMUTATIONS = {  # proper rotations that bring the named axis to y
    "x": np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]),
    "y": np.eye(3),
    "z": np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]]),
}
_ROUND = 0.02  # difference of the two transverse moments of inertia, relative, below which a body is round
_TILT = 5e-3  # [rad] from a coordinate axis below which that axis is meant: an irregular mesh is round to 1e-4
_NOT_ROUND, _ALIKE = 0.2, 0.05  # difference of the moments across an axis given wrongly, and across the right one
_OFFSET = 1e-3  # of the length, offset of the middle below which the mesh is drawn on it
MOST_IMBALANCE = 1.0
"""[kg m] four times what EN 13262 allows two wheels of its worst class (125 g m each); more is an axis missed."""


def place_wheelset(
    mesh: Mesh,
    axle_axis: str | np.ndarray = "auto",
    middle: float | None = None,
    round_sets: tuple[tuple[str, str], ...] = DEFAULT_SETS,
    accepted: tuple[str, ...] = (),
) -> tuple[Mesh, tuple[str, ...]]:
    """Turn and move a wheelset mesh so that its axle lies on y, x forward, z up.

    The axle passes through the centres of the journals, of the running surfaces, or of the axle's ends, never through
    the mass centre: what the mass centre lies off it is the imbalance of the wheelset, and is kept.

    Parameters
    ----------
    mesh : Mesh
    axle_axis : "x", "y", "z"      axis of the mesh that becomes y
                (3,) float         direction that becomes y
                "auto"             the principal axis of inertia whose two others are most alike
    middle : float [m]             coordinate along the axle (old origin) that becomes y = 0; the middle of the
                                   extent when left out
    round_sets : pairs of names    node sets that lie round about the axle, in order of preference
    accepted : tuple of str        disagreements that are meant, see disagreements.py

    Returns
    -------
    mesh : Mesh                    the same one where it was in place
    audit : tuple of str           axis found, turn and shift applied, imbalance

    Raises
    ------
    MeshError                      "auto" and no two equal moments of inertia; an axis that is not known, or that the
                                   body is not round about; more imbalance than any wheelset has

    Verified in tests/verification/test_mesh_import_place_verified.py.
    """
    body = mass_properties(mesh)
    direction, notes = _direction(mesh, axle_axis, body.inertia)
    turn = _turn_to_y(direction)
    nodes = mesh.nodes if np.array_equal(turn, np.eye(3)) else mesh.nodes @ turn.T
    centre = turn @ body.centre
    ends = nodes[:, 1].min(), nodes[:, 1].max()
    line = axle_line(mesh, nodes, round_sets)
    if line is None:
        cross = centre[[0, 2]]
        notes.append(
            f"{WARNING}nothing round found on the axle: it is taken through the mass centre, without imbalance"
        )
    else:
        cross = line.centre
        notes.append(
            f"axle through {line.source}: x = {1e3 * cross[0] + 0.0:.4f} mm, z = {1e3 * cross[1] + 0.0:.4f} mm in the "
            f"turned mesh, round to {1e3 * line.rms:.2g} mm"
        )
    drawn = line is not None and np.linalg.norm(cross) <= max(2 * line.rms, 1e-9)  # as near as its nodes are round
    origin = np.array([cross[0], 0.5 * (ends[0] + ends[1]) if middle is None else middle, cross[1]])
    origin[[0, 2]] = 0.0 if drawn else origin[[0, 2]]
    near = abs(origin[1]) <= (_OFFSET if middle is None else 0.0) * (ends[1] - ends[0])
    if near and abs(origin[1]) > 1e-9:
        notes.append(f"middle lies {abs(origin[1]):.3g} m off the origin: taken as drawn on it")
    origin[1] = 0.0 if near else origin[1]
    if origin.any():
        nodes = nodes - origin
        notes.append("moved by " + _row(-origin) + " m")
    if mesh.materials:
        notes.append(_imbalance(body, turn, centre - origin, accepted))
    if nodes is mesh.nodes:
        notes.append("mesh left where it is")
        return mesh, tuple(notes)
    if not np.array_equal(turn, np.eye(3)):
        notes.append("turned: new axes in old coordinates x' = " + ", y' = ".join(_row(r) for r in turn[:2]))
    masses = tuple(
        replace(m, position=turn @ m.position - origin, inertia=turn @ m.inertia @ turn.T) for m in mesh.masses
    )
    ties = tuple(replace(t, coefficients=t.coefficients @ turn.T) if isinstance(t, Equation) else t for t in mesh.ties)
    springs = tuple(replace(s, stiffness=turn @ s.stiffness @ turn.T) for s in mesh.springs)
    beams, whole = mesh.beams, np.kron(np.eye(6), turn)
    if beams is not None:
        stiffness, rows = whole @ beams.stiffness @ whole.T, turn @ beams.rows @ whole.T
        beams = replace(beams, stiffness=stiffness, position=beams.position @ turn.T - origin, rows=rows)
    moved = replace(mesh, nodes=np.ascontiguousarray(nodes), masses=masses, ties=ties, springs=springs, beams=beams)
    return moved, tuple(notes)


def _imbalance(body, turn, centre, accepted) -> str:
    """Line on how far the mass centre lies off the axle; more than any wheelset has is refused unless accepted."""
    off = float(np.hypot(centre[0], centre[2]))
    inertia = turn @ body.inertia @ turn.T
    products = max(abs(inertia[0, 1]), abs(inertia[1, 2]))
    first = body.mass * off
    line = (
        f"imbalance: {round(1e3 * first, 6):.4g} g m (mass centre {round(1e3 * off, 9):.4g} mm off the axle), products "
        f"of inertia with the axle {round(products, 9):.4g} kg m2"
    )
    if first <= MOST_IMBALANCE:
        return line
    said = (
        f"axle_axis: mass centre {1e3 * off:.1f} mm off the axle, an imbalance of {first:.3g} kg m, expected at most "
        f"{MOST_IMBALANCE:g} kg m"
    )
    return WARNING + disagree("axle_place", said, accepted, MeshError)


def _direction(mesh: Mesh, axle_axis: str | np.ndarray, inertia: np.ndarray) -> tuple[np.ndarray, list[str]]:
    """Unit vector along the axle in mesh axes, and what the audit says of it."""
    if isinstance(axle_axis, str) and axle_axis in _PERMUTATIONS:
        _check_axis(mesh, axle_axis, inertia)
        return np.eye(3)["xyz".index(axle_axis)], [f"axle axis: {axle_axis}, as given"]
    if not isinstance(axle_axis, str):
        direction = np.asarray(axle_axis, dtype=float)
        length = np.linalg.norm(direction)
        if direction.shape != (3,) or not np.isfinite(length) or length == 0:
            raise MeshError(f"axle_axis must be three numbers not all zero, got {axle_axis!r}")
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


def _check_axis(mesh: Mesh, axle_axis: str, inertia: np.ndarray) -> None:
    """Refuse an axis that the body is not round about where it is round about another one."""
    moments = np.diag(inertia)
    unlike = {}
    for k, name in enumerate("xyz"):
        a, b = np.delete(moments, k)
        unlike[name] = abs(a - b) / max(a, b)
    best = min(unlike, key=unlike.get)
    if unlike[axle_axis] > _NOT_ROUND and unlike[best] < _ALIKE:
        extent = ", ".join(f"{name} {e:.4g} m" for name, e in zip("xyz", np.ptp(mesh.nodes, axis=0), strict=True))
        raise MeshError(
            f"axle_axis = '{axle_axis}' does not fit: the moments of inertia about x, y, z are "
            f"{', '.join(f'{m:.4g}' for m in moments)} kg m2, alike across {best} (extent {extent}); "
            f"expected axle_axis = '{best}'"
        )


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
