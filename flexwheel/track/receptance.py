"""Receptance of the endless flexible track in the frequency domain: head displacement per head force.

The track to the left and to the right of a short piece that holds load and response is condensed exactly by
doubling: two equal chains of bays joined make a chain of twice the length, so that 16 steps stand for 65,536 bays.
All frequencies are solved together.
"""

import numpy as np
import scipy

from flexwheel.base.errors import ScenarioError
from flexwheel.track import timoshenko
from flexwheel.track.bed_receptance import ring_receptance
from flexwheel.track.chains import chained, joined
from flexwheel.track.flexible_assembly import condensed_supports, make_elements
from flexwheel.track.loaded_element import head_of_section
from flexwheel.track.rail_mass import element_fields, section_stiffness, without_inner

DOUBLINGS = 16
PLANES = (0, [0, 2]), (1, [1, 3])  # planes V and L, and the components of the head that each moves


def receptance(track, s_load, s_response, frequency, elements=8, mass="blended", loss_factors=True):
    """Response at s_response to a harmonic force at s_load on the same rail.

    Parameters
    ----------
    track : FlexibleTrack
    s_load, s_response : float [m]     supports are at whole multiples of track.bay
    frequency : (n,) [Hz]              positive
    elements : int                     per bay; 8 is within 0.2 dB of the exact beam up to 2 kHz, 4 within 0.7 dB
    mass : str                         as for make_elements
    loss_factors : bool                True: hysteretic, stiffness * (1 + i eta), besides the dampers;
                                       False: dampers only, as in the time domain

    Returns
    -------
    receptance : (n, 4, 4) complex     [response ux, uy, uz, roll; force Fx, Fy, Fz, Mx] in m/N, rad/N, rad/(N m);
                                       for exp(+i w t): a positive loss makes the imaginary part negative

    Verified in tests/verification/test_track_receptance_verified.py.
    """
    frequency = np.atleast_1d(np.asarray(frequency, dtype=float))
    if not np.all(np.isfinite(frequency)) or np.any(frequency <= 0.0):
        raise ScenarioError("receptance frequencies must be above 0")
    w = 2.0 * np.pi * frequency
    rail, bay = track.rail, track.bay
    parts = make_elements(rail, bay, elements, mass)
    rail_factor = 1.0 + 1j * (rail.loss_factor if loss_factors else w * rail.stiffness_damping)
    rail_factor = np.broadcast_to(rail_factor, w.shape)
    if track.bed is not None:
        return _on_bed(track, parts, s_load, s_response, w, rail_factor, elements, loss_factors)
    supports = condensed_supports(track, (-w * w, 1j * w, 1.0), loss_factors)[0]
    first = int(np.floor(min(s_load, s_response) / bay + 1e-9))
    bays = max(1, int(np.ceil(max(s_load, s_response) / bay - 1e-9)) - first)
    out = np.zeros((len(w), 4, 4), dtype=complex)
    load, spot_l = _rows(rail, parts, elements, s_load - first * bay, bays)
    response, spot_r = _rows(rail, parts, elements, s_response - first * bay, bays)
    for p, components in PLANES:
        element = without_inner(parts.stiffness[p] * rail_factor[:, None, None] - parts.mass[p] * (w**2)[:, None, None])
        matrix = _piece(element, supports[:, p], elements, bays)
        right, left = _endless(element, supports[:, p], elements)
        matrix[:, -3:, -3:] += right
        matrix[:, :3, :3] += left
        columns = np.broadcast_to(load[components].T, (len(w), matrix.shape[1], 2))
        answer = response[components] @ np.linalg.solve(matrix, columns)
        out[np.ix_(range(len(w)), components, components)] = answer
    if spot_l[0] == spot_r[0]:
        inside = _clamped_influence(rail, parts, spot_l[1], spot_r[1])
        out += inside / rail_factor[:, None, None]
    return out


def _on_bed(track, parts, s_load, s_response, w, rail_factor, per_bay, loss_factors):
    """The same with both rails coupled by an elastic bed."""
    first = [int(np.floor(s / track.bay + 1e-9)) for s in (s_load, s_response)]
    load, spot_l = _rows(track.rail, parts, per_bay, s_load - first[0] * track.bay, 1)
    response, spot_r = _rows(track.rail, parts, per_bay, s_response - first[1] * track.bay, 1)
    out = np.zeros((len(w), 4, 4), dtype=complex)
    for n, x in enumerate(w):
        element = without_inner(parts.stiffness * rail_factor[n] - parts.mass * x**2)
        out[n] = ring_receptance(track, element, load, response, first[1] - first[0], x, loss_factors)
    if first[0] == first[1] and spot_l[0] == spot_r[0]:
        out += _clamped_influence(track.rail, parts, spot_l[1], spot_r[1]) / rail_factor[:, None, None]
    return out


def _piece(element, support, per_bay, bays):
    """Dense matrix (n, 3 N, 3 N) of some bays, with the support of every first node of a bay."""
    nodes = bays * per_bay + 1
    matrix = np.zeros((len(element), 3 * nodes, 3 * nodes), dtype=complex)
    for i in range(nodes - 1):
        matrix[:, 3 * i : 3 * i + 6, 3 * i : 3 * i + 6] += element
        if i % per_bay == 0:
            matrix[:, 3 * i : 3 * i + 3, 3 * i : 3 * i + 3] += support
    return matrix


def _endless(element, support, per_bay):
    """Dynamic stiffness (n, 3, 3) of the endless track to the right, from a support node on with its support, and of
    that to the left, up to a support node without its support."""
    chain = chained(element, per_bay).copy()
    chain[:, :3, :3] += support
    for _ in range(DOUBLINGS):
        chain = joined(chain, chain)
    return chain[:, :3, :3], chain[:, 3:, 3:]


def _rows(rail, parts, per_bay, s, bays):
    """Head rows (4, 3 N) of both planes together at s [m] from the first node; and (element, place in it)."""
    nodes = bays * per_bay + 1
    i = min(max(int(np.floor(s / parts.length + 1e-9)), 0), nodes - 2)
    x = s / parts.length - i
    rows = np.zeros((4, 3 * nodes))
    for p, components in PLANES:
        fields = element_fields(x, parts.length, parts.phi[p])[:, :6]
        rows[components, 3 * i : 3 * i + 6] = head_of_section(rail, p) @ fields
    return rows, (i, x)


def _clamped_influence(rail, parts, x_load, x_response):
    """Static head compliance (4, 4) of one clamped element between two places in it."""
    l, tiny = parts.length, 1e-9
    out = np.zeros((4, 4))
    if min(x_load, x_response) < tiny or max(x_load, x_response) > 1.0 - tiny:
        return out
    stretched = min(x_load, x_response) * (1.0 - max(x_load, x_response)) * l
    for p, components in PLANES:
        (bending, shear, bar), head = section_stiffness(rail, p), head_of_section(rail, p)
        inside = scipy.linalg.block_diag(_two_points(bending, shear, l, x_load, x_response), stretched / bar)
        out[np.ix_(components, components)] = head @ inside @ head.T
    return out


def _two_points(bending, shear, l, x_load, x_response):
    """(w, b) at x_response per (force, moment) at x_load of a clamped element."""
    points = sorted({x_load, x_response})
    ends = [0.0, *points, 1.0]
    matrix = np.zeros((2 * len(ends), 2 * len(ends)))
    for k in range(len(ends) - 1):
        matrix[2 * k : 2 * k + 4, 2 * k : 2 * k + 4] += timoshenko.beam_stiffness(
            bending, shear, (ends[k + 1] - ends[k]) * l
        )
    inverse = np.linalg.inv(matrix[2:-2, 2:-2])
    i, j = 2 * points.index(x_response), 2 * points.index(x_load)
    return inverse[i : i + 2, j : j + 2]
