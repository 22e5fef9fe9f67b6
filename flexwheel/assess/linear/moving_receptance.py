"""Receptance of the endless sleepered rail under loads that move with the wheels: exact beam, exact motion.

A force exp(i w t) that moves at the speed V is a sum of waves exp(i k (x - V t)) of every wave number k, each of the
fixed frequency w' = w - k V at the rail. Timoshenko's beam with torsion answers by the inverse of its symbol D(k, w')
(3 x 3, planes V: w, b, u and L: v, theta_z, roll); supports at every bay b add, for S their dynamic stiffness,

    -1/b D(k + 2 pi m/b)^-1 (I + S g)^-1 S D(k)^-1,      g = 1/b sum over m of D(k + 2 pi m/b)^-1,

g in closed form by the poles of D^-1. Seen at a wheel the answer has the frequencies w + m 2 pi V/b:

    e(t) = sum over m of H_m(w) exp(i (w + m 2 pi V/b) t),    H_m = 1/(2 pi) integral of head^T (...) head dk.

Nothing is discretised but the integral, by the midpoint rule: it converges exponentially with the decay of the waves.
Source: Grassie et al. 1982, J. Mech. Eng. Sci. 24(2), 77-90 (beam and supports); Sheng, Li, Jones and Thompson 2007,
J. Sound Vib. 301, 3-12 (moving load on a periodic rail by wave numbers).
Verified in tests/track/test_periodic_rail_verified.py and by `flexwheel verify`, "Response of a moving wheel".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexwheel.assess.linear.fixed_receptance import floquet_factors
from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.kernels import FAST, kernel
from flexwheel.numerics.kernels.lanes import fill, less, load, more, store, times
from flexwheel.track.periodic_rail import beams, head_rows, support_blocks

WAVES = 6  # 2 pi/bay of wave number to either side that the supports feel of a load
TAIL_POINTS = 48  # of the integral over the wave numbers beyond
LEAST_DECAY = 0.02  # [1/m] slowest decay of a wave that the integral is made for
SAFETY = 1.0  # slowest decay over the step of the integral: its error is exp(-2 pi) of that wave
PLANES = ((0, 2), (1, 3))  # head components (ux, uz) and (uy, roll)


@dataclass(frozen=True)
class MovingReceptance:
    """Head receptances under moving loads.

    Attributes
    ----------
    frequency : (F,) [Hz]                    of the force on the wheel's side, from 0 in equal steps
    passing : float [Hz]                     sleepers a second
    harmonics : (M,) int                     m, -h to h
    distance : (L,) [m]                      place of the response ahead of that of the load
    displacement : (L, M, F, 4, 4) complex   H_m [response ux uy uz roll; force Fx Fy Fz Mx], [m/N] and their like
    velocity : (L, M, F, 4, 4) complex       material velocity of the rail there [m/s/N]
    """

    frequency: np.ndarray
    passing: float
    harmonics: np.ndarray
    distance: np.ndarray
    displacement: np.ndarray
    velocity: np.ndarray


def moving_receptance(track, speed, highest_hz, distances=(0.0,), harmonics=3, step_hz=2.0, waves=WAVES):
    """Receptances of one rail under forces moving at `speed`, phases for a load over a support at time 0.

    Parameters
    ----------
    track : FlexibleTrack           on rigid ground; dampers as in the time domain, no loss factors
    speed : float [m/s]             positive
    highest_hz : float
    distances : sequence [m]        response place minus load place
    harmonics : int                 h: sleeper passing's harmonics -h to h of the answer
    step_hz : float                 largest step of the frequencies; a whole part of the passing frequency is taken
    waves : int                     2 pi/bay of wave number to either side that the supports feel of a load

    Raises
    ------
    ScenarioError                   a track on an elastic bed
    """
    if track.bed is not None:
        raise ScenarioError("track.foundation.mesh: the moving load on an elastic bed from a mesh is not known here")
    bay, distances = track.bay, np.asarray(distances, dtype=float)
    passing = speed / bay
    parts = int(np.ceil(passing / step_hz))
    count = int(np.ceil(highest_hz * parts / passing)) + 1
    beam, damping = beams(track.rail), track.rail.stiffness_damping
    reach = waves * parts
    m = np.arange(-harmonics, harmonics + 1)
    shape = (2, len(distances), len(m), count, 4, 4)
    out = np.zeros(shape, dtype=complex)
    head, points = head_rows(track.rail), _points(track, highest_hz, np.max(np.abs(distances)))
    for p, components in enumerate(PLANES):
        sub = 2 * int(np.ceil(0.5 * points[p] / parts))
        number = parts * sub
        q = np.arange(-reach * sub - number, (count + reach) * sub + number)
        fine = (q + 0.5) * 2.0 * np.pi * passing / number  # every w' of every wave lies on this line
        support = np.ascontiguousarray(support_blocks(track, fine)[:, p])
        sums = np.zeros((count, len(m), len(distances), 2, 2, 4))
        scratch = np.zeros((2, 2 * waves + 1, 3, 3), dtype=complex)
        lanes = np.zeros((2 * waves + 2, 4, 2, 4))
        turns = np.concatenate([(np.arange(number) + 0.5) / number - 0.5, np.arange(-waves, waves + 1)])
        ahead = np.exp(2j * np.pi * np.outer(turns, distances) / bay)
        place = np.array([-reach, count + reach, sub, parts, number, harmonics, q[0]])
        _accumulate(
            beam[p], head[p], np.array([damping, bay]), fine, *_poles(beam[p], damping, fine, bay), support, ahead,
            place, (scratch, lanes), sums,
        )  # fmt: skip
        sums /= bay * number  # (1/2 pi) times the step 2 pi / (bay points)
        part = (sums[..., 0, :] + 1j * sums[..., 1, :]).reshape(*sums.shape[:4], 2, 2).transpose(3, 2, 1, 0, 4, 5)
        part[1] *= 1j
        _tail(part, beam[p], head[p], speed, bay, passing / parts, waves, distances)
        for s in range(2):
            for r in range(2):
                out[..., components[s], components[r]] = part[..., s, r]
    frequency = np.arange(count) * passing / parts
    return MovingReceptance(frequency, passing, m, distances, out[0], out[1])


def _points(track, highest_hz, distance):
    """Wave numbers within 2 pi/bay that resolve the least damped wave of the supported rail in planes V and L."""
    rate = np.max(np.abs(floquet_factors(track, np.geomspace(20.0, max(highest_hz, 1500.0), 200))), axis=(0, 2))
    least = np.maximum(-np.log(rate) / track.bay, LEAST_DECAY)
    return (SAFETY * 2.0 * np.pi / least + distance) / track.bay


def _poles(beam, damping, w, bay):
    """Of D^-1 in k^2: cos(k b), b sin(k b)/(2 k b) (Q, 3) and residues (Q, 3, 6) of the entries ww, wu, uu, bb, and of
    bw/k, bu/k; wb and ub are those with the other sign."""
    shear, bending, bar, m_w, m_b, m_u, m_c = beam
    c, w2 = 1.0 + 1j * damping * w, w * w
    one, two, three, off = shear * c, bending * c, bar * c, m_c * w2
    b0 = one - m_b * w2
    square = np.stack([-m_w * w2 * b0, -(one * m_b * w2 + m_w * w2 * two), one * two])  # ascending in k^2
    cubic = np.zeros((4, len(w)), dtype=complex)
    cubic[1:] += three * square
    cubic[:3] += -m_u * w2 * square
    cubic[0] -= off * off * b0
    cubic[1] -= off * off * two
    middle, root = -0.5 * square[1] / square[2], np.sqrt(0.25 * square[1] ** 2 - square[2] * square[0]) / square[2]
    x = np.stack([middle + root, middle - root, m_u * w2 / three], axis=1)
    monic = (cubic / cubic[3]).T
    for _ in range(30 if m_c else 0):  # Durand-Kerner
        value = ((x + monic[:, 2:3]) * x + monic[:, 1:2]) * x + monic[:, 0:1]
        others = [(x[:, i] - x[:, i - 1]) * (x[:, i] - x[:, i - 2]) for i in range(3)]
        change = value / np.stack(others, axis=1)
        x = x - change
        if np.all(np.abs(change) < 1e-13 * np.abs(x)):
            break
    slope = (cubic[3] * (x[:, [0, 1, 2]] - x[:, [1, 2, 0]]).T * (x[:, [0, 1, 2]] - x[:, [2, 0, 1]]).T).T
    one, two, three, off, b0 = (value[:, None] for value in (one, two, three, off, b0))
    a, b, t = one * x - (m_w * w2)[:, None], b0 + two * x, three * x - (m_u * w2)[:, None]
    entries = (t * b, off * b, a * b - x * one * one, a * t - off * off, 1j * one * t, 1j * one * off)
    k = np.sqrt(x) * bay
    return np.cos(k), bay * np.sin(k) / (2.0 * k), np.stack(np.broadcast_arrays(*entries), axis=2) / slope[:, :, None]


@kernel(fastmath=FAST, inline="always")
def _symbol(beam, damping, w, k, out):
    """Inverse (3, 3) of D at wave number k and angular frequency w."""
    c = 1.0 + 1j * damping * w
    one, w2 = beam[0] * c, w * w
    b = one + beam[1] * c * k * k - beam[4] * w2
    t = beam[2] * c * k * k - beam[5] * w2
    off = -beam[6] * w2
    slope = 1j * k * one / b
    a = one * k * k - beam[3] * w2 + one * slope * 1j * k
    det = 1.0 / (a * t - off * off)
    ww, wu, uu = t * det, -off * det, a * det
    out[0, 0], out[0, 2], out[2, 0], out[2, 2] = ww, wu, wu, uu
    out[1, 0], out[0, 1] = slope * ww, -slope * ww
    out[1, 2], out[2, 1] = slope * wu, -slope * wu
    out[1, 1] = 1.0 / b - slope * slope * ww


@kernel
def _invert(m):
    """Inverse of a (3, 3) in place."""
    a, b, c = m[0, 0], m[0, 1], m[0, 2]
    d, e, f = m[1, 0], m[1, 1], m[1, 2]
    g, h, i = m[2, 0], m[2, 1], m[2, 2]
    p, q, r = e * i - f * h, f * g - d * i, d * h - e * g
    s = 1.0 / (a * p + b * q + c * r)
    m[0, 0], m[0, 1], m[0, 2] = p * s, (c * h - b * i) * s, (b * f - c * e) * s
    m[1, 0], m[1, 1], m[1, 2] = q * s, (a * i - c * g) * s, (c * d - a * f) * s
    m[2, 0], m[2, 1], m[2, 2] = r * s, (b * g - a * h) * s, (a * e - b * d) * s


@kernel(fastmath=FAST)
def _accumulate(beam, head, scalars, fine, cosines, over, residues, support, ahead, place, scratch, out):
    """Add the waves within +-(2 waves + 1) pi/bay to out (F, M, L, 2, 2, 4): displacement, velocity of the material
    over i; real and imaginary parts; of the responses a under the loads h in the order 00 01 10 11, as in the lanes.

    place: first and last I, steps of the fine line in one of I, of I in the passing frequency, points, harmonics,
    first of the fine line. ahead (points + 2 waves + 1, L): phases to the distances by theta and by each n. A load at
    frequency i takes of its wave (theta + 2 pi n)/bay the rail's frequency I = i - n parts.
    """
    low, high, sub, parts, points, harmonics, q0 = place
    damping, bay = scalars[0], scalars[1]
    distances, one_lane = ahead.shape[1], fill(1.0)
    forced, small, lanes = scratch[0][0], scratch[0][1], scratch[1]
    count, waves = out.shape[0], forced.shape[0] // 2
    g, symbol = small[0], small[1]
    for big in range(low, high):
        for j in range(points):
            theta = 2.0 * np.pi * ((j + 0.5) / points - 0.5)
            q = big * sub - j - 1 + points // 2 - q0
            w = fine[q]
            cosine, sine = np.cos(theta), np.sin(theta)
            for r in range(3):
                for c in range(3):
                    g[r, c] = 0.0
            for i in range(3):
                away = 1.0 / (cosines[q, i] - cosine)
                one, two = over[q, i] * away, 0.5 * sine * away
                g[0, 0] += one * residues[q, i, 0]
                g[0, 2] += one * residues[q, i, 1]
                g[2, 2] += one * residues[q, i, 2]
                g[1, 1] += one * residues[q, i, 3]
                g[1, 0] += two * residues[q, i, 4]
                g[1, 2] += two * residues[q, i, 5]
            g[2, 0], g[0, 1], g[2, 1] = g[0, 2], -g[1, 0], -g[1, 2]
            for r in range(3):
                for c in range(3):
                    s = 1.0 + 0.0j if r == c else 0.0 + 0.0j
                    for k in range(3):
                        s += support[q, r, k] * g[k, c]
                    symbol[r, c] = s
            _invert(symbol)
            force = small[2]
            for r in range(3):
                for c in range(3):
                    s = 0.0 + 0.0j
                    for k in range(3):
                        s += symbol[r, k] * support[q, k, c]
                    force[r, c] = s / bay
            for n in range(-waves, waves + 1):
                _symbol(beam, damping, w, (theta + 2.0 * np.pi * n) / bay, symbol)
                for h in range(2):
                    for r in range(3):
                        s, t = 0.0 + 0.0j, 0.0 + 0.0j
                        for k in range(3):
                            s += symbol[r, k] * head[h, k]
                            t += head[h, k] * symbol[k, r]
                        forced[n + waves, r, h] = s
                        for other in range(2):
                            lanes[n + waves, r, 0, 2 * h + other] = t.real
                            lanes[n + waves, r, 1, 2 * h + other] = t.imag
                for a in range(2):
                    for h in range(2):
                        s = 0.0 + 0.0j
                        for k in range(3):
                            s += head[a, k] * forced[n + waves, k, h]
                        lanes[n + waves, 3, 0, 2 * a + h] = s.real
                        lanes[n + waves, 3, 1, 2 * a + h] = s.imag
            at_force = 32 * (2 * waves + 1)
            turning = fill(w)
            for n in range(-waves, waves + 1):
                i = big + n * parts
                if i < 0 or i >= count:
                    continue
                for h in range(2):
                    for r in range(3):
                        s = 0.0 + 0.0j
                        for k in range(3):
                            s -= force[r, k] * forced[n + waves, k, h]
                        for a in range(2):
                            lanes[2 * waves + 1, r, 0, 2 * a + h] = s.real
                            lanes[2 * waves + 1, r, 1, 2 * a + h] = s.imag
                for m in range(max(-harmonics, -waves - n), min(harmonics, waves - n) + 1):
                    at = 32 * (n + m + waves)
                    real, imaginary = fill(0.0), fill(0.0)
                    if m == 0:
                        real, imaginary = load(lanes, at + 24), load(lanes, at + 28)
                    for k in range(3):
                        answer, answer_i = load(lanes, at + 8 * k), load(lanes, at + 8 * k + 4)
                        given, given_i = load(lanes, at_force + 8 * k), load(lanes, at_force + 8 * k + 4)
                        real = less(more(real, answer, given), answer_i, given_i)
                        imaginary = more(more(imaginary, answer, given_i), answer_i, given)
                    for d in range(distances):
                        phase = ahead[j, d] * ahead[points + n + waves, d]
                        v = less(times(real, fill(phase.real)), imaginary, fill(phase.imag))
                        u = more(times(real, fill(phase.imag)), imaginary, fill(phase.real))
                        to = 16 * ((i * (2 * harmonics + 1) + m + harmonics) * distances + d)
                        store(out, to, more(load(out, to), v, one_lane))
                        store(out, to + 4, more(load(out, to + 4), u, one_lane))
                        store(out, to + 8, more(load(out, to + 8), v, turning))
                        store(out, to + 12, more(load(out, to + 12), u, turning))


@kernel
def _beyond(beam, head, damping, speed, wave, weight, step, symbol, out):
    """Add the rail without supports at the wave numbers (K,) with their weights to out (2, F, 2, 2)."""
    for i in range(out.shape[1]):
        for n in range(wave.shape[0]):
            w = i * step - speed * wave[n]
            _symbol(beam, damping, w, wave[n], symbol)
            for a in range(2):
                for h in range(2):
                    s = 0.0 + 0.0j
                    for r in range(3):
                        for k in range(3):
                            s += head[a, r] * symbol[r, k] * head[h, k]
                    out[0, i, a, h] += weight[n] * s
                    out[1, i, a, h] += 1j * w * weight[n] * s


def _tail(part, beam, head, speed, bay, step_hz, waves, distances):
    """Add the waves beyond, which the supports do not feel, where load and response have one place.

    Undamped: the kink under a point load would otherwise lie behind it, within speed times stiffness_damping, less
    than a tenth of a millimetre, and the rail's material under the load move with half the kink times the speed. Under
    a patch of some millimetres both halves cancel.
    """
    edge = (2 * waves + 1) * np.pi / bay
    t, weight = np.polynomial.legendre.leggauss(TAIL_POINTS)
    t, weight = 0.5 * (t + 1.0), 0.5 * weight
    wave = np.concatenate([edge / t, -edge / t])
    weight = np.tile(edge / t**2 * weight / (2.0 * np.pi), 2)
    added = np.zeros((2, *part.shape[3:]), dtype=complex)
    symbol = np.zeros((3, 3), dtype=complex)
    _beyond(beam, head, 0.0, speed, wave, weight, 2.0 * np.pi * step_hz, symbol, added)
    part[:, np.asarray(distances) == 0.0, part.shape[2] // 2] += added[:, None]
