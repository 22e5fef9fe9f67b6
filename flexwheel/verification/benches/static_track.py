"""Static solution of a rail model: compliance under a wheel, and the state under standing wheels as initial state."""

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import spsolve

from flexwheel.base.errors import ConvergenceError, ScenarioError
from flexwheel.numerics.kernels import handle
from flexwheel.track.flexible_assembly import solved
from flexwheel.track.flexible_head import add_projections, head_rows, locate, spread_forces
from flexwheel.track.loaded_element import CLAMPED
from flexwheel.track.rail_types import (
    CONDENSED,
    FASTENER,
    FIRST,
    FOOT_BELOW_CENTROID,
    FOOT_BELOW_SHEAR_CENTRE,
    FOUNDATION,
    HEAD,
    INNER,
    LAST,
    NEW_FORCE,
    OLD_FORCE,
    PLACE,
    SPRING,
    STIFFNESS,
    UPPER,
    D,
    make_state,
)
from flexwheel.track.support_law import law_force

MOST_ITERATIONS = 100
SLEEPER = [0, 1, 3]
"""Components z, y, roll of RailState.sleeper."""


def rail_static_compliance(model, s=0.0):
    """Static compliance (4, 4) [m/N ...] of the head (ux, uy, uz, roll) under one wheel at s [m], linear laws.

    With the clamped element's own compliance, as the contact sees it.
    """
    if model.place.shape[0] == 0:
        return _rigid_compliance(model)
    nodes = model.place.shape[0]
    middle = (nodes // 2 // model.elements) * model.bay
    state = make_state(model, 1, 1, 0.0)
    state.first_bay[0] = 0
    s = middle + (s % model.bay)
    out = np.zeros((4, 4))
    for c in range(4):
        force = np.zeros(4)
        force[c] = 1.0
        u, _ = _flexible_static(model, state, [(s, 0, force)], linear=True)
        out[:, c] = _head(model, state, u, s, 0)
    return out + clamped_head_compliance(model, locate(model, state, s)[1])


def clamped_head_compliance(model, x):
    """Static compliance (4, 4) of the clamped element at x in [0, 1], of the head."""
    row = x ** np.arange(len(model.loaded))[::-1] @ model.loaded
    out = np.zeros((4, 4))
    for p, components in ((0, (0, 2)), (1, (1, 3))):
        out[np.ix_(components, components)] = row[CLAMPED + 4 * p : CLAMPED + 4 * p + 4].reshape(2, 2)
    follow = _inner_rows(model, x)
    return out + np.outer(follow, follow) / model.inner[7, 2]


def _inner_rows(model, x):
    """Head displacement (4,) per inner value of the element, at x in it."""
    ux, uz, uy, roll = head_rows(model, x)
    return np.array([ux[6], uy[6], uz[6], roll[6]])


def solve_static(model, state, loads):
    """Put state at rest in equilibrium with standing loads; the start of a run.

    Parameters
    ----------
    model : RailModel
    state : RailState          changed in place: displacement, past values, corrections; velocities become zero
    loads : sequence of (axle, s, side, force)    force (4,) [N, N, N, N m] on the rail head, track axes

    Returns
    -------
    displacement : (len(loads), 4) [m, rad]       of the head at each load, with the clamped element's share

    Raises
    ------
    ConvergenceError           if the nonlinear supports find no equilibrium (e.g. everything lifts off)
    """
    loads = [(int(axle), float(s), int(side), np.asarray(force, dtype=float)) for axle, s, side, force in loads]
    for _, _, _, force in loads:
        if force.shape != (4,) or not np.all(np.isfinite(force)):
            raise ScenarioError(f"static load must be four finite numbers (Fx, Fy, Fz, Mx), got {force!r}")
    if model.place.shape[0] == 0:
        return _rigid_static(model, state, loads)
    u, sleeper = _flexible_static(model, state, [load[1:] for load in loads], linear=False)
    state.rail[...] = 0.0
    state.sleeper[...] = 0.0
    state.rail[D, :, :3] = u
    state.sleeper[D][:, SLEEPER] = sleeper
    state.rail_past[...] = 0.0
    state.sleeper_past[...] = 0.0
    state.sleeper_past[:, D] = state.sleeper[D]
    out = []
    state.wheel[...] = 0.0
    state.push[...] = 0.0
    state.carried[...] = 0.0
    for axle, s, side, force in loads:
        w = 2 * axle + side
        state.wheel[NEW_FORCE, w] = state.wheel[OLD_FORCE, w] = force
        i, x = locate(model, state, s)
        state.wheel[PLACE, w] = s, s, x, 0.0
        state.rail[D, i, 3, side + 2] += _inner_rows(model, x) @ force / model.inner[7, 2]
        state.seat[:, w] = i
        own = clamped_head_compliance(model, x) @ force
        out.append(_head(model, state, u, s, side) + own)
    spread_forces(handle(model), handle(state))
    add_projections(handle(state), 0, D, 1.0)
    state.carried[1:], state.seat[2:] = state.carried[0], state.seat[1]
    state.rail_past[:, D] = state.rail[D]
    return np.array(out)


def _rigid_compliance(model):
    """Massless and inertial rails."""
    out = np.diag(1.0 / model.rigid[SPRING])
    if np.any(model.rigid[HEAD]):
        head = model.rigid[HEAD : HEAD + 3].T
        out[1:, :] = 0.0
        out += head @ np.linalg.inv(model.rigid[STIFFNESS : STIFFNESS + 3, :3]) @ head.T
    return out


def _rigid_static(model, state, loads):
    """Massless and inertial rails: each wheel by itself."""
    state.wheel[...] = 0.0
    state.wheel_past[...] = 0.0
    compliance = _rigid_compliance(model)
    out = []
    for axle, _, side, force in loads:
        w = 2 * axle + side
        displacement = compliance @ force
        out.append(displacement)
        state.wheel[OLD_FORCE, w] = force
        state.wheel[D, w] = displacement
        if np.any(model.rigid[HEAD]):
            head = model.rigid[HEAD : HEAD + 3].T
            state.wheel[OLD_FORCE, w, 1:] = 0.0
            state.wheel[D, w, 1:] = np.linalg.solve(model.rigid[STIFFNESS : STIFFNESS + 3, :3], head.T @ force)
            state.wheel_past[:, D, w] = state.wheel[D, w]
    return np.array(out)


def _head(model, state, u, s, side):
    """Head displacement (4,) at s from nodal values u (N, 3, 4)."""
    i, x = locate(model, state, s)
    ux, uz, uy, roll = (np.array(r[:6]) for r in head_rows(model, x))
    v, l = u[i : i + 2, :, side].ravel(), u[i : i + 2, :, side + 2].ravel()
    return np.array([ux @ v, uy @ l, uz @ v, roll @ l])


def _add_loads(model, state, loads, force):
    """Add nodal forces of loads (s, side, (4,)) on the head to force (N, 3, 4)."""
    for s, side, f in loads:
        i, x = locate(model, state, s)
        ux, uz, uy, roll = (np.array(r[:6]) for r in head_rows(model, x))
        force[i : i + 2, :, side] += (ux * f[0] + uz * f[2]).reshape(2, 3)
        force[i : i + 2, :, side + 2] += (uy * f[1] + roll * f[3]).reshape(2, 3)


def _flexible_static(model, state, loads, linear):
    """Newton's method on rail (N, 3, 4) and semi-sleepers (B + 1, 3, 2) with tangents of the support laws."""
    nodes, supports = model.place.shape[0], state.sleeper.shape[1]
    if model.coupling.shape[1]:
        return _on_bed(model, state, loads, linear)
    at = np.arange(supports) * model.elements
    force = np.zeros((nodes, 3, 4))
    _add_loads(model, state, loads, force)
    u, sleeper = np.zeros((nodes, 3, 4)), np.zeros((supports, 3, 2))
    k, base = model.support[FASTENER:FOUNDATION, 0], model.support[FOUNDATION:CONDENSED, 0]
    rigid = model.support[CONDENSED, 0] == 0.0
    vectors = _fastener_vectors(model)
    scale = np.max(np.abs(force))
    for _ in range(MOST_ITERATIONS):
        largest = 0.0
        for lane in range(4):
            plane, side = lane // 2, lane % 2
            diagonal, upper = _rail_blocks(model, lane)
            rest = force[:, :, lane] - _times(diagonal, upper, u[:, :, lane])
            for vector, spring, joint in vectors[plane]:
                x = u[at, :, lane] @ vector
                law = None if linear or joint is None or joint == 2 else plane
                if joint is not None:
                    x = x - sleeper[:, joint, side]
                tension, tangent = _law(model, law, side, k[spring], x)
                if joint is not None and not rigid:
                    y = sleeper[:, joint, side]
                    bottom = None if linear or joint == 2 else 2 + plane
                    t2, k2 = _law(model, bottom, side, base[joint], y)
                    total = tangent + k2
                    if np.any(total <= 0.0):
                        raise ConvergenceError("static track: a semi-sleeper has lost both its supports")
                    own = tension - t2
                    rest[at] += np.outer(tangent * own / total - tension, vector)
                    tangent = tangent - tangent**2 / total
                else:
                    rest[at] -= np.outer(tension, vector)
                diagonal[at] += tangent[:, None, None] * np.outer(vector, vector)
            try:
                change = solved(diagonal, upper, rest[:, :, None])[:, :, 0]
            except np.linalg.LinAlgError:
                raise ConvergenceError("static track: the supports carry no load") from None
            for vector, spring, joint in vectors[plane]:
                if joint is None or rigid:
                    continue
                x = u[at, :, lane] @ vector - sleeper[:, joint, side]
                law = None if linear or joint == 2 else plane
                bottom = None if linear or joint == 2 else 2 + plane
                tension, tangent = _law(model, law, side, k[spring], x)
                t2, k2 = _law(model, bottom, side, base[joint], sleeper[:, joint, side])
                sleeper[:, joint, side] += (tension - t2 + tangent * (change[at] @ vector)) / (tangent + k2)
            u[:, :, lane] += change
            largest = max(largest, np.max(np.abs(rest)))
        if largest <= 1e-10 * scale or linear:
            return u, sleeper
    raise ConvergenceError(f"static track: no equilibrium after {MOST_ITERATIONS} iterations, {largest:g} N left")


def _on_bed(model, state, loads, linear):
    """The same with semi-sleepers coupled through an elastic bed: all unknowns in one sparse matrix."""
    nodes, supports = model.place.shape[0], state.sleeper.shape[1]
    at, first = np.arange(supports) * model.elements, 12 * nodes
    stiffness = sp.lil_matrix((first + 6 * supports,) * 2)
    force = np.zeros(first + 6 * supports)
    _add_loads(model, state, loads, force[:first].reshape(nodes, 3, 4))
    for lane in range(4):
        diagonal, upper = _rail_blocks(model, lane)
        place = [12 * i + 4 * np.arange(3) + lane for i in range(nodes)]
        for i in range(nodes):
            stiffness[np.ix_(place[i], place[i])] = diagonal[i]
            if i + 1 < nodes:
                stiffness[np.ix_(place[i], place[i + 1])] = upper[i]
                stiffness[np.ix_(place[i + 1], place[i])] = upper[i].T
    reach = model.coupling.shape[1] // 2
    own = np.diag(np.repeat(model.support[FOUNDATION:CONDENSED, 0], 2))
    for j in range(supports):
        for i in range(max(j - reach, 0), min(j + reach, supports - 1) + 1):
            block = model.coupling[0, reach + i - j] + (own if i == j else 0.0)
            stiffness[first + 6 * j : first + 6 * j + 6, first + 6 * i : first + 6 * i + 6] = block
    rows, springs = [], []
    for plane, vectors in enumerate(_fastener_vectors(model)):
        for vector, spring, joint in vectors:
            for side in range(2):
                row = sp.lil_matrix((supports, len(force)))
                for c in np.flatnonzero(vector):
                    row[np.arange(supports), 12 * at + 4 * c + 2 * plane + side] = vector[c]
                if joint is not None:
                    row[np.arange(supports), first + 6 * np.arange(supports) + 2 * joint + side] = -1.0
                rows.append(row)
                law = plane if joint in (0, 1) and not linear else None
                springs.append((law, side, model.support[FASTENER + spring, 0]))
    stiffness, rows = stiffness.tocsc(), sp.vstack(rows, format="csc")
    x, scale = np.zeros(len(force)), np.max(np.abs(force))
    for _ in range(MOST_ITERATIONS):
        stretch = (rows @ x).reshape(len(springs), supports)
        tension, tangent = np.array(
            [_law(model, law, side, k, e) for (law, side, k), e in zip(springs, stretch, strict=True)]
        ).transpose(1, 0, 2)
        rest = force - stiffness @ x - rows.T @ tension.ravel()
        if np.max(np.abs(rest)) <= 1e-9 * scale:
            return x[:first].reshape(nodes, 3, 4), x[first:].reshape(supports, 3, 2)
        x = x + spsolve((stiffness + rows.T @ sp.diags(tangent.ravel()) @ rows).tocsc(), rest)
    raise ConvergenceError(f"static track: no equilibrium on the bed after {MOST_ITERATIONS} iterations")


def _fastener_vectors(model):
    """Per plane: (nodal vector, row of the fastener springs, semi-sleeper component or None for the ground)."""
    hc, hs = model.section[FOOT_BELOW_CENTROID], model.section[FOOT_BELOW_SHEAR_CENTRE]
    vertical = (
        (np.array([1.0, 0.0, 0.0]), 2, 0),
        (np.array([0.0, hc, 1.0]), 0, None),
        (np.array([0.0, 1.0, 0.0]), 4, None),
    )
    lateral = (
        (np.array([1.0, 0.0, hs]), 1, 1),
        (np.array([0.0, 0.0, 1.0]), 3, 2),
        (np.array([0.0, 1.0, 0.0]), 5, None),
    )
    return vertical, lateral


def _rail_blocks(model, lane):
    """Stiffness of the rail alone as block-tridiagonal matrix."""
    nodes = model.place.shape[0]
    diagonal = np.repeat(model.stiffness[INNER, :, :, lane][None], nodes, axis=0)
    diagonal[0], diagonal[-1] = model.stiffness[FIRST, :, :, lane], model.stiffness[LAST, :, :, lane]
    return diagonal, np.repeat(model.stiffness[UPPER, :, :, lane][None], nodes - 1, axis=0)


def _times(diagonal, upper, u):
    out = np.einsum("nij,nj->ni", diagonal, u)
    out[:-1] += np.einsum("nij,nj->ni", upper, u[1:])
    out[1:] += np.einsum("nji,nj->ni", upper, u[:-1])
    return out


def _law(model, law, side, stiffness, stretch):
    """Tension and tangent of a spring at every support; law None or empty: linear."""
    if law is None or model.law_start[law + 1] == model.law_start[law]:
        return stiffness * stretch, np.full(len(stretch), stiffness)
    sign = -1.0 if law % 2 == 0 or side == 1 else 1.0
    pairs = np.array([law_force(model.law_start, model.law_table, law, sign * x) for x in stretch])
    return sign * pairs[:, 0], pairs[:, 1]
