"""Timoshenko beams, straight or curved, as matrices of the motion of their ends.

Stiffness is the inverse of the flexibility of the beam held at its start, so exact for loads at its ends; what it moves
by under them interpolates its mass. A frame of three nodes about a node of the file carries the rotation there: all
unknowns are displacements of nodes, and a rigid motion is one of the nodes.

Source: Przemieniecki 1968, Theory of Matrix Structural Analysis, sections 5.6 and 11.
Verified in tests/verification/test_beams_verified.py.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.mesh import Beams

POINTS = 4  # of Gauss along a beam: exact for the mass of a straight one
LOOSE = 1e12  # condition of what the pins of a beam leave of its stiffness
AROUND = 2.0 * np.pi / 3.0 * np.arange(3)


class BeamLines(NamedTuple):
    """Geometry and section of B beams."""

    ids: np.ndarray  # (B,)
    frames: np.ndarray  # (B, 2, 3) rows of the nodes that carry the motion of either end
    axis: np.ndarray  # (B, 3, 3) start, middle and end of the line of centroids, a parabola [m]
    normal: np.ndarray  # (B, 3) first direction of the section; what it has along the axis is taken off
    area: np.ndarray  # (B,) [m2]
    second: np.ndarray  # (B, 2, 2) second moments of area by the first direction and axis x first direction [m4]
    torsion: np.ndarray  # (B,) [m4]
    shear: np.ndarray  # (B, 2) areas of shear along both directions [m2]; inf: none
    young: np.ndarray  # (B,) [Pa]
    modulus: np.ndarray  # (B,) of shear [Pa]
    density: np.ndarray  # (B,) [kg/m3]
    line_mass: np.ndarray  # (B,) further mass [kg/m]
    rod: np.ndarray  # (B,) whether it is stiff along its line alone
    free: (
        np.ndarray
    )  # (B, 12) pins: motions along and about axis, first and second direction at start, then end, let go


def beam_matrices(nodes: np.ndarray, beams: BeamLines) -> Beams:
    """Beams of a mesh; nodes (N, 3) [m]."""
    x, w = np.polynomial.legendre.leggauss(POINTS)
    x, w = 0.5 * (x + 1.0), 0.5 * w
    start, end = beams.axis[:, 0], beams.axis[:, 2]
    whole = _flexibility(beams, 1.0, end)
    load = np.linalg.inv(whole)
    turn = _moved(end - start)  # motion of the end from that of the start, as one rigid body
    own = [_frame_motion(nodes[beams.frames[:, k]], beams.axis[:, 2 * k]) for k in (0, 1)]
    zero = np.zeros_like(own[0])
    first, last = np.concatenate([own[0], zero], axis=2), np.concatenate([zero, own[1]], axis=2)  # (B, 6, 18)
    stretch = last - turn @ first
    pull, first = _let_go(beams, load, turn, stretch, first)
    stiffness = np.swapaxes(stretch, 1, 2) @ pull
    per_length = beams.density * beams.area + beams.line_mass
    inertia = beams.density[:, None, None] * beams.second / per_length[:, None, None]
    arms = np.sqrt(2.0) * np.linalg.cholesky(inertia) @ np.array([np.cos(AROUND), np.sin(AROUND)])
    position, mass, rows = [], [], []
    for at, weight in zip(x, w, strict=True):
        place, tangent = _curve(beams.axis, at)
        motion = _moved(place - start) @ first + _flexibility(beams, at, end) @ pull
        directions = _directions(beams, tangent)[:, :, 1:]
        for k in range(3):
            arm = (directions @ arms[:, :, k, None])[:, :, 0]
            position.append(place + arm)
            mass.append(per_length * np.linalg.norm(tangent, axis=1) * weight / 3.0)
            rows.append(_moved(arm)[:, :3] @ motion)
    stacked = (np.stack(part, axis=1) for part in (position, mass, rows))
    return Beams(beams.ids, beams.frames.reshape(-1, 6), 0.5 * (stiffness + np.swapaxes(stiffness, 1, 2)), *stacked)


def _let_go(beams, load, turn, stretch, first):
    """Force and moment at the end of each beam (B, 6, 18) and motion of its start: where pins let it go, it moves
    against its node so that no force acts there.

    Raises
    ------
    MeshError       pins that leave a beam loose
    """
    pull, begin = load @ stretch, first.copy()
    whole = np.zeros((len(beams.ids), 2, 6, 6))
    for k in (0, 1):
        whole[:, k, :3, :3] = whole[:, k, 3:, 3:] = _directions(beams, _curve(beams.axis, float(k))[1])
    for b in np.flatnonzero(beams.free.any(axis=1)):
        at_start, at_end = whole[b, 0][:, beams.free[b, :6]], whole[b, 1][:, beams.free[b, 6:]]
        jump = np.hstack([-turn[b] @ at_start, at_end])
        kept = jump.T @ load[b] @ jump
        scale = 1.0 / np.sqrt(np.diag(kept))
        if np.linalg.cond(kept * np.outer(scale, scale)) > LOOSE:
            raise MeshError(f"beam {beams.ids[b]}: its pins leave it loose")
        moved = -np.linalg.solve(kept, jump.T @ pull[b])
        pull[b] += load[b] @ jump @ moved
        begin[b] += at_start @ moved[: at_start.shape[1]]
    return pull, begin


def rod_matrices(nodes: np.ndarray, rods: BeamLines) -> Beams:
    """Rods of a mesh, their mass linear between their ends; nodes (N, 3) [m]."""
    x, w = np.polynomial.legendre.leggauss(POINTS)
    ends = nodes[rods.frames[:, :, 0]]
    along = ends[:, 1] - ends[:, 0]
    length = np.linalg.norm(along, axis=1)
    line = np.zeros((len(length), 18))
    line[:, :3], line[:, 9:12] = -along / length[:, None], along / length[:, None]
    stiffness = (rods.young * rods.area / length)[:, None, None] * line[:, :, None] * line[:, None]
    share = np.repeat(0.5 * (1.0 + x), 3)  # as many points as a beam has
    rows = np.zeros((len(length), len(share), 3, 18))
    for axis in range(3):
        rows[:, :, axis, axis], rows[:, :, axis, 9 + axis] = 1.0 - share, share
    mass = (rods.density * rods.area + rods.line_mass) * length
    position = ends[:, :1] + share[:, None] * along[:, None]
    parts = position, mass[:, None] * np.repeat(w / 6.0, 3), rows
    return Beams(rods.ids, rods.frames.reshape(-1, 6), stiffness, *parts)


def _flexibility(beams, upto, end):
    """Motion (B, 6, 6) at a place of the axis under a force and a moment at its end, held at its start."""
    x, w = np.polynomial.legendre.leggauss(POINTS)
    there = _curve(beams.axis, upto)[0]
    total = np.zeros((len(end), 6, 6))
    bending = (
        beams.young[:, None, None] * np.array([[0.0, 1.0], [-1.0, 0.0]]) @ beams.second @ [[0.0, -1.0], [1.0, 0.0]]
    )
    soft = np.linalg.inv(bending)
    for at, weight in zip(0.5 * upto * (x + 1.0), 0.5 * upto * w, strict=True):
        place, tangent = _curve(beams.axis, at)
        frame = _directions(beams, tangent)
        section = np.zeros((len(end), 6, 6))
        section[:, 0, 0] = 1.0 / (beams.young * beams.area)
        section[:, [1, 2], [1, 2]] = 1.0 / (beams.modulus[:, None] * beams.shear)
        section[:, 3, 3] = 1.0 / (beams.modulus * beams.torsion)
        section[:, 4:, 4:] = soft
        both = np.zeros_like(section)
        both[:, :3, :3] = both[:, 3:, 3:] = frame
        global_axes = both @ section @ np.swapaxes(both, 1, 2)
        size = weight * np.linalg.norm(tangent, axis=1)[:, None, None]
        total += size * _moved(there - place) @ global_axes @ np.swapaxes(_moved(end - place), 1, 2)
    return total


def _curve(axis, at):
    """Place (B, 3) on the parabolas, and its derivative."""
    shape = np.array([(1 - at) * (1 - 2 * at), 4 * at * (1 - at), at * (2 * at - 1)])
    slope = np.array([4 * at - 3, 4 - 8 * at, 4 * at - 1])
    return np.einsum("k,bkc->bc", shape, axis), np.einsum("k,bkc->bc", slope, axis)


def _directions(beams, tangent):
    """Axis and both directions of the section as columns (B, 3, 3)."""
    t = tangent / np.linalg.norm(tangent, axis=1, keepdims=True)
    n = beams.normal - (beams.normal * t).sum(axis=1, keepdims=True) * t
    n = n / np.linalg.norm(n, axis=1, keepdims=True)
    return np.stack([t, n, np.cross(t, n)], axis=2)


def _moved(arm):
    """(B, 6, 6) motion at the tip of an arm (B, 3) from that at its foot, as one rigid body."""
    out = np.tile(np.eye(6), (len(arm), 1, 1))
    x, y, z = arm.T
    out[:, 0, 4], out[:, 0, 5], out[:, 1, 5] = z, -y, x
    out[:, 1, 3], out[:, 2, 3], out[:, 2, 4] = -z, y, -x
    return out


def _frame_motion(frame, point):
    """Least-squares motion (B, 6, 9) at points (B, 3) of frames (B, 3, 3)."""
    rigid = np.concatenate([_moved(frame[:, k] - point)[:, :3] for k in range(3)], axis=1)
    return np.linalg.pinv(rigid)
