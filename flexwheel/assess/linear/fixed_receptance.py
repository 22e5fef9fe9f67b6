"""The endless sleepered rail under a load that stands: receptance, waves, decay rate.

Bays are joined exactly and doubled as in `track.receptance`, which has elements in their place.
Source of the decay rate: EN 15461:2008+A1:2010, eq. (4).
Verified in tests/track/test_periodic_rail_verified.py.
"""

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.track.chains import joined
from flexwheel.track.periodic_rail import head_rows, segment_stiffness, support_blocks, transfer

DOUBLINGS = 16
DECAY_BAYS = 60  # along which the decay rate adds up the answer
VERTICAL, LATERAL = (0, 1), (1, 0)  # plane and row of the head of uz and uy


def floquet_factors(track, frequency_hz):
    """Factors (F, 2, 3) complex of the waves of planes V and L from bay to bay, at most 1 in size, the largest last."""
    w = 2.0 * np.pi * np.asarray(frequency_hz, dtype=float)
    over = np.broadcast_to(np.eye(6, dtype=complex), (len(w), 2, 6, 6)).copy()
    over[..., 3:, :3] = support_blocks(track, w)
    values = np.linalg.eigvals(transfer(track.rail, w, track.bay) @ over)
    return np.take_along_axis(values, np.argsort(np.abs(values), axis=-1)[..., :3], axis=-1)


def fixed_receptance(track, place, frequency_hz):
    """Head receptance (F, 4, 4) [ux uy uz roll; Fx Fy Fz Mx] at a place [m] from a support, load and response there.

    Raises ScenarioError for a track on an elastic bed.
    """
    point, _ = _at_place(track, place, frequency_hz)
    head = head_rows(track.rail)
    out = np.zeros((len(point), 4, 4), dtype=complex)
    for p, components in enumerate(((0, 2), (1, 3))):
        found = head[p] @ point[:, p] @ head[p].T
        for i, row in enumerate(components):
            for j, column in enumerate(components):
                out[:, row, column] = found[:, i, j]
    return out


def decay_rate(track, frequency_hz):
    """Decay rates (F, 2) [dB/m], vertical and lateral, as measured by EN 15461 from mid-bay.

    4.343 over the sum of |A(x)/A(0)|^2 dx along one side, here at one point a bay. Vertical and lateral
    mobilities of the head are taken; waves of all kinds share in it.
    """
    point, onward = _at_place(track, 0.5 * track.bay, frequency_hz)
    head = head_rows(track.rail)
    rates = []
    for p, row in (VERTICAL, LATERAL):
        h = head[p][row]
        state = point[:, p] @ h
        first = np.abs(state @ h) ** 2
        total = 0.5 * first
        for _ in range(DECAY_BAYS):
            state = np.einsum("fab,fb->fa", onward[:, p], state)
            total = total + np.abs(state @ h) ** 2
        rates.append(4.343 * first / (total * track.bay))
    return np.stack(rates, axis=1)


def _at_place(track, place, frequency_hz):
    """Receptance (F, 2, 3, 3) of the beam's own three values, and the matrix (F, 2, 3, 3) that takes their motion one
    bay onward."""
    if track.bed is not None:
        raise ScenarioError("track.foundation.mesh: the exact rail on an elastic bed from a mesh is not known here")
    w = 2.0 * np.pi * np.atleast_1d(np.asarray(frequency_hz, dtype=float))
    place = place % track.bay
    support = support_blocks(track, w)
    if min(place, track.bay - place) < 1e-6:
        bay = segment_stiffness(transfer(track.rail, w, track.bay))
        bay[..., :3, :3] += 0.5 * support
        bay[..., 3:, 3:] += 0.5 * support
    else:  # from the place over the next support to the same place of the next bay
        first, second = (segment_stiffness(transfer(track.rail, w, x)) for x in (track.bay - place, place))
        bay = joined(first, second, support)
    whole = bay
    for _ in range(DOUBLINGS):
        whole = joined(whole, whole)
    a, d = whole[..., :3, :3], whole[..., 3:, 3:]
    return np.linalg.inv(a + d), -np.linalg.solve(bay[..., 3:, 3:] + a, bay[..., 3:, :3])
