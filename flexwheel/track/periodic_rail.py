"""The sleepered rail without elements: exact transfer matrix and dynamic stiffness of beam segments.

A segment's state (w, b, u, forces) changes along it by the exponential of a constant matrix; its dynamic stiffness
follows. Source: Timoshenko beam as in track.timoshenko.
Verified in tests/track/test_periodic_rail_verified.py.
"""

import numpy as np
import scipy

from flexwheel.track.flexible_assembly import condensed_supports
from flexwheel.track.loaded_element import head_of_section
from flexwheel.track.rail_mass import section_inertia, section_stiffness


def beams(rail):
    """Rows of the planes V and L: kGA, EI, bar stiffness, then masses a metre: of w, rotary, of the bar, coupled."""
    rows = []
    for p in range(2):
        (bending, shear, bar), m = section_stiffness(rail, p), section_inertia(rail, p).sum(axis=0)
        rows.append((shear, bending, bar, m[0, 0], m[1, 1], m[2, 2], m[0, 2]))
    return np.array(rows)


def head_rows(rail):
    """Head displacement (2, 2, 3) of planes V (ux, uz) and L (uy, roll) by the beam's three values."""
    return np.array([head_of_section(rail, plane) for plane in range(2)])


def support_blocks(track, w):
    """Dynamic stiffness (Q, 2, 3, 3) of the supports, semi-sleepers condensed, at angular frequencies w (Q,).

    Dampers as in the time domain, no loss factors.
    """
    return condensed_supports(track, (-w * w, 1j * w, 1.0), False)[0]


def transfer(rail, w, length):
    """Transfer matrices (F, 2, 6, 6) of (w, b, u, shear force, moment, bar force) along a segment [m]."""
    factor = 1.0 + 1j * w * rail.stiffness_damping
    out = np.empty((len(w), 2, 6, 6), dtype=complex)
    for p, (shear, bending, bar, m_w, m_b, m_u, m_c) in enumerate(beams(rail)):
        state = np.zeros((len(w), 6, 6), dtype=complex)
        state[:, 0, 1] = 1.0
        state[:, 0, 3], state[:, 1, 4], state[:, 2, 5] = (1.0 / (factor * k) for k in (shear, bending, bar))
        state[:, 3, 0], state[:, 4, 1], state[:, 5, 2] = -m_w * w * w, -m_b * w * w, -m_u * w * w
        state[:, 3, 2] = state[:, 5, 0] = -m_c * w * w
        state[:, 4, 3] = -1.0
        out[:, p] = scipy.linalg.expm(length * state)
    return out


def segment_stiffness(matrix):
    """Dynamic stiffness (..., 6, 6) of a segment's two ends from its transfer matrix."""
    p, q, r, s = matrix[..., :3, :3], matrix[..., :3, 3:], matrix[..., 3:, :3], matrix[..., 3:, 3:]
    inverse = np.linalg.inv(q)
    out = np.empty_like(matrix)
    out[..., :3, :3], out[..., :3, 3:] = inverse @ p, -inverse
    out[..., 3:, :3], out[..., 3:, 3:] = r - s @ inverse @ p, s @ inverse
    return out
