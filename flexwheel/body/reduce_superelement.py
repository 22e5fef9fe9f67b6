"""Flexible body of a vehicle from matrices that another code, or numpy, reduced.

Free modes of the matrices up to a frequency and the static responses of the free body to loads on its attachments, as
of a mesh (flexible_body.py). Mass, centre and inertia are what the mass matrix gives the rigid motions of the nodes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from flexwheel.base.errors import MeshError
from flexwheel.body.craig_bampton import FixedModes, TiedProblem, with_static_shapes
from flexwheel.body.reduced_body import FlexibleBody
from flexwheel.body.rigid_motion import rigid_modes
from flexwheel.body.superelement import Superelement, rigid_coordinates

MOST_COORDINATES = 4000
"""Dense matrices of more take minutes and gigabytes; reduced bodies have hundreds."""
GROUNDED = 1e-3
"""Of the square of the first frequency: what rigid motions have beyond is a support, not digits lost in a text file."""
ROUNDED = 1e-6
"""As GROUNDED: beyond it digits lost in the file are told of."""
UNEVEN = 1e-4
"""Relative difference of the masses along x, y, z of a file of five digits."""
STIFF = 1e-6
"""Share of an attachment's compliance beyond which the modes lose it, as that of coordinates without mass."""
LIGHT = 1e3
"""Times modes_up_to_hz: highest frequency that coordinates without mass are given; modes below fall by 1e-6 / 2."""
COUPLED = 0.1
"""Off-diagonal modal damping against the diagonal beyond which leaving it out is told of."""


@dataclass(frozen=True)
class MatrixOptions:
    """What of the matrices a body is made of."""

    attachments: Mapping[str, tuple[int, ...]]  # name -> node with six components, or nodes whose motion is averaged
    points: Mapping[str, int | str] = field(default_factory=dict)  # name -> node id, or recovery point of the file
    modes_up_to_hz: float = 100.0
    damping_ratio: float = 0.01  # of every mode, where the matrices hold no damping


def reduce_superelement(body: Superelement, options: MatrixOptions, name: str = "body") -> FlexibleBody:
    """FlexibleBody of matrices.

    Raises
    ------
    MeshError        matrices of a body that is held, loose or massless; nodes that they do not have

    Verified in tests/verification/test_superelement_verified.py.
    """
    body = _without_empty(body)
    if len(body.node) > MOST_COORDINATES:
        raise MeshError(
            f"matrices of {len(body.node)} coordinates, expected at most {MOST_COORDINATES}: reduce the body to its "
            "attachments first, or give its mesh"
        )
    stiffness, mass, damping, structural = (
        None if a is None else (a.toarray() if sp.issparse(a) else np.asarray(a, dtype=float))
        for a in (body.stiffness, body.mass, body.damping, body.structural)
    )
    if not (np.diag(mass)[body.component == 0] > 0.0).all():
        raise MeshError("a further coordinate has no mass: is a file of `matrices` truncated?")
    total, centre, inertia, rigid = _mass_properties(body, mass)
    places = [_place(body, label, nodes) for label, nodes in options.attachments.items()]
    rows = np.array([r for _, r in places])
    points = [_point(body, label, asked) for label, asked in options.points.items()]
    flat = rows.reshape(-1, len(body.node))
    basis = _basis(stiffness, mass, rigid, flat, options.modes_up_to_hz)
    said, (worst, lost) = [], _lost_compliance(flat, basis)
    if lost > STIFF:
        light = stiffness / (2.0 * np.pi * LIGHT * options.modes_up_to_hz) ** 2
        basis = _basis(stiffness, mass + light, rigid, flat, options.modes_up_to_hz)
        said.append(
            f"attachment {[*options.attachments][worst // 6]}: {100 * lost:.2g} % of its compliance is that of "
            f"coordinates without mass: they have modes of {1e-3 * LIGHT * options.modes_up_to_hz:g} kHz and less"
        )
    frequency, shapes, omega = basis.frequency, basis.shapes, 2.0 * np.pi * basis.frequency
    held = _rigid_share(stiffness, mass, rigid, basis.first)
    ratio, told = _damping(damping, structural, shapes, omega, options.damping_ratio)
    said += told
    moments = np.zeros((3, 3, len(omega)))
    if body.first_moments is not None:
        moments = body.first_moments @ shapes
    else:
        said.append("change of the inertia with the deformation left out: the file has no first moments of the shapes")
    if held > ROUNDED:
        said.append(f"WARNING: digits of the stiffness: rigid motions have {held:.1g} of the first mode's stiffness")
    still = np.zeros((3, len(omega)))
    return FlexibleBody(
        name=name,
        key="",
        mass=total,
        centre=centre,
        inertia=inertia,
        frequency_hz=frequency,
        damping_ratio=ratio,
        s_h=still,
        p_xh=moments,
        place_name=(*options.attachments, *options.points),
        attachments=len(places),
        place=np.array([*(p for p, _ in places), *(p[0] for p in points)]) - centre,
        place_rows=np.array([*(r @ shapes for r in rows), *(np.vstack([p[1] @ shapes, still]) for p in points)]),
        stress_rows=np.array([p[2] @ shapes for p in points]).reshape(-1, 6, len(omega)),
        stress_error=np.full(len(points), np.nan),
        corner=np.zeros(len(points)),
        complete_hz=options.modes_up_to_hz,
        audit=(*body.notes, *_audit(body, options, total, centre, basis), *said),
    )


def _without_empty(body):
    """Without coordinates that have neither stiffness nor mass, as rotations of nodes of solids have none."""
    used = np.asarray(abs(body.stiffness).sum(axis=1)).ravel() + np.asarray(abs(body.mass).sum(axis=1)).ravel() > 0.0
    if used.all():
        return body
    keep = np.flatnonzero(used)
    cut = lambda a: None if a is None else (a.tocsr() if sp.issparse(a) else a)[keep][:, keep]  # noqa: E731
    return replace(
        body,
        stiffness=cut(body.stiffness), mass=cut(body.mass), damping=cut(body.damping), structural=cut(body.structural),
        node=body.node[keep], component=body.component[keep],
        points=tuple(replace(p, motion=p.motion[:, keep], stress=p.stress[:, keep]) for p in body.points),
        first_moments=None if body.first_moments is None else body.first_moments[..., keep],
        notes=(*body.notes, f"{len(used) - len(keep)} coordinates without stiffness and mass dropped"),
    )  # fmt: skip


def _mass_properties(body, mass):
    """Mass, centre, inertia about it, and the rigid motions (D, 6) about it."""
    nodes = np.array([body.place[n] for n in dict.fromkeys(body.node[body.component > 0].tolist())], dtype=float)
    start = nodes.mean(axis=0) if len(nodes) else np.zeros(3)
    rigid = rigid_coordinates(body, start)
    of_start = rigid.T @ mass @ rigid
    along = np.diag(of_start)[:3]
    if not along.min() > 0.0:
        raise MeshError("the mass matrix gives no mass to a rigid translation: add the file that holds it")
    if np.ptp(along) > UNEVEN * along.max():
        raise MeshError(
            "the mass along x, y, z must be the same, got " + ", ".join(f"{m:.6g}" for m in along) + " kg: are "
            "all nodes of the body's mass among the coordinates?"
        )
    total = float(along.mean())
    offset = np.array([of_start[1, 5], of_start[2, 3], of_start[0, 4]]) / total
    rigid[:, 3:] -= rigid[:, :3] @ np.cross(np.eye(3), offset).T
    inertia = (rigid[:, 3:].T @ mass @ rigid[:, 3:]).copy()
    if la.eigvalsh(inertia)[0] <= 0.0:
        raise MeshError("the mass matrix gives no inertia to a rigid rotation: the body is a point or a line")
    return total, start + offset, 0.5 * (inertia + inertia.T), rigid


def _free_modes(stiffness, mass, rigid):
    """Frequencies [Hz] and M-orthonormal shapes (D, H) of the free body, and its response to balanced loads."""
    diagonal = np.diag(stiffness)
    size = np.where(diagonal > 0.0, diagonal, np.diag(mass) * diagonal.max())
    scale = 1.0 / np.sqrt(np.where(size > 0.0, size, 1.0))[:, None]
    inner = scale * la.null_space((scale * (mass @ rigid)).T / np.linalg.norm(scale * (mass @ rigid), axis=0)[:, None])
    k, m = (inner.T @ a @ inner for a in (stiffness, mass))
    k = 0.5 * (k + k.T)
    if la.eigvalsh(k)[0] <= 1e-13:
        raise MeshError("the stiffness is not positive beyond six rigid motions: the body has loose parts")
    inverse, vector = la.eigh(0.5 * (m + m.T), k)
    keep = np.flatnonzero(inverse > 1e-14 * inverse[-1])[::-1]
    shapes = inner @ (vector[:, keep] / np.sqrt(inverse[keep]))
    factor = la.cho_factor(k)
    return 1.0 / np.sqrt(inverse[keep]) / (2.0 * np.pi), shapes, lambda f: inner @ la.cho_solve(factor, inner.T @ f)


class _Basis(NamedTuple):
    """Modes of the body for its attachments."""

    frequency: np.ndarray  # (H,) [Hz]
    shapes: np.ndarray  # (D, H)
    static: np.ndarray  # (D, A) responses to unit loads on the attachments
    free: int  # modes of the matrices among them
    first: float  # [Hz] lowest one of the matrices


def _basis(stiffness, mass, rigid, rows, up_to):
    """_Basis; MeshError where numbers are beyond the range of arithmetic."""
    try:
        frequency, shapes, solve = _free_modes(stiffness, mass, rigid)
        low = frequency < up_to
        static = solve(rows.T)
        problem = TiedProblem(stiffness, mass, rows, None)
        found = with_static_shapes(problem, FixedModes(frequency[low], shapes[:, low]), static, rigid)
    except (la.LinAlgError, ValueError, IndexError) as error:
        raise MeshError(f"the matrices have no modes: {' '.join(str(error).split())[:120]}") from None
    return _Basis(*found, static, int(low.sum()), float(frequency[0]))


def _lost_compliance(rows, basis):
    """Row of an attachment of whose compliance the modes lose most, and the share lost."""
    whole = np.einsum("id,di->i", rows, basis.static)
    held = (((rows @ basis.shapes) / (2.0 * np.pi * basis.frequency)) ** 2).sum(axis=1)
    lost = np.abs(whole - held) / np.maximum(whole, 1e-300)
    return int(lost.argmax()), float(lost.max())


def _rigid_share(stiffness, mass, rigid, first):
    """Largest stiffness of a rigid motion against that of the first mode, at equal mass; refused where it is held."""
    square = np.abs(la.eigvalsh(rigid.T @ stiffness @ rigid, rigid.T @ mass @ rigid)).max()
    share = square / (2.0 * np.pi * first) ** 2
    if share > GROUNDED:
        raise MeshError(
            f"the body must be free, but its stiffness holds a rigid motion at {np.sqrt(square) / 2 / np.pi:.3g} Hz, "
            f"its first mode has {first:.3g} Hz: take supports out, and write stiffness with more digits"
        )
    return share


def _place(body, label, nodes):
    """Place (3,) and motion (6, D) of an attachment."""
    if len(nodes) == 1:
        return np.asarray(body.place[_known(body, label, nodes[0])]), _selected(body, label, nodes[0], 6)
    at = np.array([body.place[_known(body, label, n)] for n in nodes], dtype=float)
    spread = np.linalg.svd(at - at.mean(axis=0), compute_uv=False)
    if len(nodes) < 3 or spread[1] < 1e-6 * spread[0]:
        raise MeshError(f"attachment {label}: give one node with six components, or three or more not in a line")
    rigid = rigid_modes(at, at.mean(axis=0))
    moved = np.concatenate([_selected(body, label, n, 3) for n in nodes])
    return at.mean(axis=0), np.linalg.solve(rigid.T @ rigid, rigid.T @ moved)


def _point(body, label, asked):
    """Place, motion (3, D) and stress (6, D) of a point; stress is nan where the matrices have none."""
    for point in body.points:
        if point.name == str(asked):
            return point.position, point.motion, point.stress
    if isinstance(asked, str):
        known = ", ".join(p.name for p in body.points) or "none"
        raise MeshError(f"control node {label}: the matrices have no recovery point {asked!r}; they have: {known}")
    moved = _selected(body, label, asked, 3)
    return np.asarray(body.place[asked]), moved, np.full((6, len(body.node)), np.nan)


def _selected(body, label, node, count):
    """(count, D) first components of a node."""
    out = np.zeros((count, len(body.node)))
    of_node = np.flatnonzero((body.node == _known(body, label, node)) & (body.component > 0))
    has = body.component[of_node]
    if not set(range(1, count + 1)) <= set(has.tolist()):
        wanted = "translations and rotations" if count == 6 else "translations"
        more = "; an attachment of three or more such nodes is their mean" if count == 6 else ""
        raise MeshError(f"{label}: node {node} has components {sorted(has.tolist())}, expected all {wanted}{more}")
    for row, component in zip(of_node, has, strict=True):
        if component <= count:
            out[component - 1, row] = 1.0
    return out


def _known(body, label, node):
    if not ((body.node == node) & (body.component > 0)).any():
        known = sorted(set(body.node[body.component > 0].tolist()))
        shown = ", ".join(map(str, known[:12])) + (" ..." if known[12:] else "")
        raise MeshError(f"{label}: the matrices have no node {node}; they have: {shown or 'none'}")
    return node


def _damping(damping, structural, shapes, omega, ratio):
    """Ratio (H,) of critical damping and lines of the audit."""
    if damping is None and structural is None:
        return np.full(len(omega), ratio), [f"damping: ratio {ratio:g} of every mode, the file has none"]
    out, said = np.zeros(len(omega)), []
    if damping is not None:
        modal = shapes.T @ damping @ shapes
        own = np.diag(modal)
        if own.min() < -1e-9 * np.abs(own).max():
            raise MeshError("the damping matrix must not feed energy into a mode, got a negative modal damping")
        out += np.maximum(own, 0.0) / (2.0 * omega)
        scale = np.sqrt(np.maximum(np.outer(own, own), 1e-300))
        off = np.abs(modal - np.diag(own)) / scale if own.max() > 0.0 else np.zeros((1, 1))
        if off.max() > COUPLED:
            said.append(
                f"WARNING: damping couples modes by up to {off.max():.2g} of their own; of it the diagonal is taken"
            )
    if structural is not None:
        out += 0.5 * np.maximum(np.diag(shapes.T @ structural @ shapes), 0.0) / omega**2
        said.append("structural damping taken as viscous at the frequency of each mode")
    low, high = out.min(), out.max()
    return out, [f"damping: of the file, ratios {low:.3g} to {high:.3g}", *said]


def _audit(body, options, mass, centre, basis):
    yield f"mass {mass:.9g} kg, centre " + ", ".join(f"{x:.6g}" for x in centre) + " m"
    further = int((body.component == 0).sum())
    yield f"coordinates: {len(body.node)}, {len(body.node) - further} of nodes, {further} further ones"
    yield (
        f"modes: {len(basis.frequency)}, {basis.free} below {options.modes_up_to_hz:g} Hz (the first at "
        + ", ".join(f"{f:.4g}" for f in basis.frequency[:6])
        + f" Hz), the others static shapes of {len(options.attachments)} attachments"
    )
