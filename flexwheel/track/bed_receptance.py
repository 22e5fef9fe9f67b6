"""Receptance of the flexible track on an elastic bed: both rails and all semi-sleepers coupled, on a ring of bays.

Every motion of the ring is a sum of waves exp(i theta j) over the bays j; for each theta one bay with both rails
remains. 256 bays: what comes round the ring has to have died away, as it has on any damped track.
"""

import numpy as np

from flexwheel.track.bed import RING, bed_symbol, check_bed, foundation_diagonals
from flexwheel.track.flexible_assembly import impedance, support_vectors

JOINTS = {"z": 0, "y": 1, "roll": 2}


def ring_receptance(track, elements, load, response, bays, w, loss_factors):
    """Response per force (4, 4) at one angular frequency w, without the loaded element's own compliance.

    Parameters
    ----------
    track : FlexibleTrack                  with a bed
    elements : (2, 6, 6) complex           dynamic stiffness of an element, planes V and L
    load, response : (4, 3 (per_bay + 1))  rows of the head in their bays
    bays : int                             bays from load to response
    w : float [rad/s]
    loss_factors : bool                    False: spring and damper of the bed as in the time domain
    """
    theta = 2.0 * np.pi * np.arange(RING) / RING
    last = load.shape[1] // 3 - 1
    kept = np.unique([0, last, *(np.flatnonzero(np.any([*load, *response], axis=0)) // 3)])
    own = 3 * (len(kept) - 1)
    starts = {(0, 0): 0, (1, 0): own, (0, 1): 2 * own, (1, 1): 2 * own + 3}
    first = 2 * own + 6
    matrix = np.zeros((RING, first + 6, first + 6), dtype=complex)
    for p in range(2):
        for side, nodes in enumerate((kept, np.array([0, last]))):
            wave, at = _wave(theta, len(nodes)), starts[p, side]
            size = wave.shape[2]
            bay = wave.conj().transpose(0, 2, 1) @ _condensed(elements[p], last, nodes) @ wave
            matrix[:, at : at + size, at : at + size] += bay
    coefficients = (complex(-w * w), 1j * w, 1.0 + 0.0j)
    f = track.fastener
    springs = {"z": f.vertical, "y": f.lateral, "roll": f.roll, "x": f.longitudinal, "pitch": f.pitch, "yaw": f.yaw}
    for p, vector, name in support_vectors(track.rail):
        spring = springs[name] if loss_factors else _plain(springs[name])
        for side in range(2):
            row = np.zeros(first + 6)
            row[starts[p, side] : starts[p, side] + 3] = vector
            if name in JOINTS:
                row[first + 2 * JOINTS[name] + side] = -1.0
            matrix += impedance(spring, 0.0, coefficients) * np.outer(row, row)
    m = track.sleeper
    matrix[:, first:, first:] += _bed(track, w, loss_factors) - w * w * np.diag([m.mass] * 4 + [m.roll_inertia] * 2)
    wave = _wave(theta, len(kept))
    columns = (3 * kept[:, None] + np.arange(3)).ravel()
    right, left = np.zeros((RING, first + 6, 4), dtype=complex), np.zeros((RING, 4, first + 6), dtype=complex)
    for p, components in ((0, [0, 2]), (1, [1, 3])):
        place = slice(starts[p, 0], starts[p, 0] + own)
        right[:, place, components] = wave.conj().transpose(0, 2, 1) @ load[components][:, columns].T
        left[:, components, place] = response[components][:, columns] @ wave
    answer = left @ np.linalg.solve(matrix, right)
    return np.mean(np.exp(1j * theta * bays)[:, None, None] * answer, axis=0)


def _plain(spring):
    """The spring with its damper only."""
    return type(spring)(spring.stiffness, spring.damping)


def _bed(track, w, loss_factors):
    """Dynamic stiffness (RING, 6, 6) under the semi-sleepers."""
    check_bed(track.bed, track.foundation)
    compliance = bed_symbol(np.asarray(track.bed, dtype=float))
    k, c, loss = foundation_diagonals(track.foundation)
    one = np.eye(6)
    spring = k * (1.0 + 1j * loss) + 1j * w * c if loss_factors else k
    full = np.broadcast_to(np.diag(spring), compliance.shape)
    stiffness = np.linalg.solve(one + spring[:, None] * compliance, full)
    if loss_factors:
        return stiffness
    share = one - compliance @ stiffness
    return stiffness + 1j * w * (share.conj().transpose(0, 2, 1) @ (c[:, None] * share))


def _wave(theta, nodes):
    """Motion (RING, 3 n, 3 (n - 1)) of n nodes of a bay, the last being the first of the next bay."""
    out = np.zeros((len(theta), 3 * nodes, 3 * (nodes - 1)), dtype=complex)
    at = np.arange(3 * (nodes - 1))
    out[:, at, at] = 1.0
    for c in range(3):
        out[:, 3 * (nodes - 1) + c, c] = np.exp(1j * theta)
    return out


def _condensed(element, last, nodes):
    """Dynamic stiffness of a chain of elements, nodes 0 to last, condensed to some of them."""
    chain = np.zeros((3 * last + 3, 3 * last + 3), dtype=complex)
    for i in range(last):
        chain[3 * i : 3 * i + 6, 3 * i : 3 * i + 6] += element
    stay = (3 * np.asarray(nodes)[:, None] + np.arange(3)).ravel()
    go = np.setdiff1d(np.arange(len(chain)), stay)
    if not len(go):
        return chain
    return chain[np.ix_(stay, stay)] - chain[np.ix_(stay, go)] @ np.linalg.solve(
        chain[np.ix_(go, go)], chain[np.ix_(go, stay)]
    )
