"""Stiff force elements in the iteration matrix: coupling between units, within the step's iteration.

With S0 the matrices of the units alone (`iteration_matrix`) and the tangents of the stiff force elements K, weighted
with beta dt^2 and gamma dt, on the poses that they touch, p = B q, the iteration matrix is S = S0 + B^T K B, and

    S^-1 = S0^-1 - S0^-1 B^T W B S0^-1,   W = (1 + K X)^-1 K,   X = B S0^-1 B^T

Poses are displacement and rotation of a body's centre, or of an axle box at its journal, in the track axes of its
unit. Only elements whose fixed-point iteration would contract slower than SLOW are taken up; without one the step
pays nothing. K is renewed where a step converges slowly: stops close, sliders slip, bodies turn.

Source: Sherman, Morrison and Woodbury (Golub and Van Loan 2013, Matrix Computations, section 2.1.4).
Verified in tests/vehicle/test_stiff_connections.py.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.vehicle.elements.force_law import MOST_ROWS, ROW_COLUMNS


class Coupling(NamedTuple):
    """Matrices of the stiff force elements; P poses of the model, m = 6 P, n the largest unit."""

    active: np.ndarray  # (1,) 1: there are stiff elements
    stale: np.ndarray  # (1,) 1: to be renewed before the next iteration
    element: np.ndarray  # (E,) 1: taken up
    poses: np.ndarray  # (1,) how many poses are touched
    pose: np.ndarray  # (P,) the touched ones
    place: np.ndarray  # (P,) where a pose stands among the touched ones, -1
    row: np.ndarray  # (P, 6, n) B
    column: np.ndarray  # (P, 6, n) (S0^-1 B^T)^T
    stiffness: np.ndarray  # (m, m) K [kg, kg m, kg m2]
    compliance: np.ndarray  # (m, m) X
    inner: np.ndarray  # (m, m) W
    matrix: np.ndarray  # (m, m) scratch
    motion: np.ndarray  # (m,) change of the accelerations of the touched poses
    force: np.ndarray  # (m,)
    tangent: np.ndarray  # (MOST_ROWS, ROW_COLUMNS)
    arm: np.ndarray  # (12,) d of one tangent row
    contact: np.ndarray  # (W, 18, 12) B S0^-1 G^T of the wheelset's own touched poses
    own: np.ndarray  # (W, 3) places of the wheelset's own poses, -1


def make_coupling(p, wheelsets, elements, nmax) -> Coupling:
    """Nothing taken up yet; counts of poses, wheelsets and force elements, coordinates of the largest unit."""
    z, none = np.zeros, lambda *shape: np.full(shape, -1, dtype=np.int64)
    return Coupling(
        np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64), np.zeros(elements, dtype=np.int64),
        np.zeros(1, dtype=np.int64), none(p), none(p), z((p, 6, nmax)), z((p, 6, nmax)), z((6 * p, 6 * p)),
        z((6 * p, 6 * p)), z((6 * p, 6 * p)), z((6 * p, 6 * p)), z(6 * p), z(6 * p), z((MOST_ROWS, ROW_COLUMNS)),
        z(12), z((wheelsets, 18, 12)), none(wheelsets, 3),
    )  # fmt: skip


@kernel
def unit_of_pose(model, pose):
    """Unit that a pose belongs to."""
    units = model.units.mass.shape[0]
    if pose < units:
        return pose
    place = pose - units - 2 * model.wheelsets.unit.shape[0]
    if place < 0:
        return model.wheelsets.unit[(pose - units) // 2]
    return model.flexible.unit[model.flexible.owner[place]]


@kernel
def couple_units(model, work):
    """Bring work.step = -S0^-1 residual to -S^-1 residual."""
    coupling = work.coupling
    offset = model.units.offset
    for a in range(coupling.poses[0]):
        u = unit_of_pose(model, coupling.pose[a])
        o = offset[u]
        for i in range(6):
            s = 0.0
            for k in range(offset[u + 1] - o):
                s += coupling.row[a, i, k] * work.step[o + k]
            coupling.motion[6 * a + i] = s
    size = 6 * coupling.poses[0]
    for i in range(size):
        s = 0.0
        for j in range(size):
            s += coupling.inner[i, j] * coupling.motion[j]
        coupling.force[i] = s
    resist(model, work)


@kernel
def couple_contact(model, w, change, work):
    """Resistance of the stiff elements to what a change (12,) of wheelset w's contact wrenches did to work.step."""
    coupling = work.coupling
    size = 6 * coupling.poses[0]
    for i in range(size):
        coupling.force[i] = 0.0
    for b in range(3):
        place = coupling.own[w, b]
        if place < 0:
            continue
        for j in range(6):
            s = 0.0
            for c in range(12):
                s += coupling.contact[w, 6 * b + j, c] * change[c]
            for i in range(size):
                coupling.force[i] += coupling.inner[i, 6 * place + j] * s
    resist(model, work)


@kernel
def resist(model, work):
    """work.step -= S0^-1 B^T force."""
    coupling = work.coupling
    offset = model.units.offset
    for a in range(coupling.poses[0]):
        u = unit_of_pose(model, coupling.pose[a])
        o = offset[u]
        for i in range(6):
            f = coupling.force[6 * a + i]
            for k in range(offset[u + 1] - o):
                work.step[o + k] -= coupling.column[a, i, k] * f


@kernel
def stiffen_contact(model, w, n, work):
    """Contact compliance of wheelset w, in work.x, less what the stiff elements hold; n coordinates."""
    coupling = work.coupling
    sg, x, h = work.sg[w], work.x[w], coupling.contact[w]
    for b in range(3):
        place = coupling.own[w, b]
        for j in range(6):
            for c in range(12):
                s = 0.0
                if place >= 0:
                    for k in range(n):
                        s += coupling.row[place, j, k] * sg[c, k]
                h[6 * b + j, c] = s
    for b in range(18):
        place = coupling.own[w, b // 6]
        if place < 0:
            continue
        for e in range(18):
            other = coupling.own[w, e // 6]
            if other < 0:
                continue
            inner = coupling.inner[6 * place + b % 6, 6 * other + e % 6]
            for c in range(12):
                for d in range(12):
                    x[c, d] -= h[b, c] * inner * h[e, d]
