"""What the rails as built answer wrongly: receptance of their elements under the run's step against the exact rail.

The step is linear while the wheel stands: a force exp(i w t) sampled every dt is answered at the same frequency, and
velocity and acceleration are then exact factors of the displacement, those of the integrator. With them in place of
i w and -w^2 the element matrices give the receptance that a run has, without a run. Against it stands the periodic
rail in continuous time (`periodic_rail`). Both are made of a bay that is doubled until nothing comes back.

Error of the loaded element as in loaded_element: head = (N - s m) q + c F - s m^T M^-1 m F, with s the factor of the
acceleration, and dampers feel what `lead_velocities` leaves of the projection's velocity.

Verified in tests/verification/test_rail_error_verified.py; `benchmarks/rail_error.py` strikes random tracks.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.track.chains import beyond, chained, turned
from flexwheel.track.flexible_assembly import condensed_supports
from flexwheel.track.loaded_element import head_of_section, left_over, momentum
from flexwheel.track.periodic_rail import head_rows, segment_stiffness, support_blocks, transfer
from flexwheel.track.rail_mass import element_fields, free_waves, without_inner
from flexwheel.track.rail_match import own_inertia

BANDS = 1000.0 * 10.0 ** (np.arange(-13, 2) / 10.0)
"""[Hz] middles of the third octaves that are told: 50 to 1250 Hz."""
STEPS_OF_BAY = 16
PLACES = np.array([0, 1, 2, 4, 6, 7, 8]) / STEPS_OF_BAY
"""Of the load, in bays from a sleeper: there, at quarter points and mid-bay, and where elements of half a bay err most;
what is beyond mid-bay is their mirror image."""
DIRECTIONS = {"along": (0, 0), "lateral": (1, 0), "vertical": (0, 1), "torsion": (1, 1)}
"""Direction of the head's force and answer -> plane and row of the head."""
COARSE, FINE, NEAR = 0.012, 0.0015, 0.04
"""Steps of frequency, relative: between resonances, and within NEAR of one, whose half width is 0.01 (loss 0.02)."""
ENOUGH, DOUBLINGS = 1e-7, 16
"""Of the bay's own stiffness that a chain's far end may still put on its near end; doublings at most."""


class RailError(NamedTuple):
    """Deviation of the rails' receptance from the exact rail.

    third : (4, P, B) [dB]      level in third octaves BANDS, by direction and place
    narrow : (4, P, F) [dB]     at each frequency
    frequency : (F,) [Hz]
    """

    third: np.ndarray
    narrow: np.ndarray
    frequency: np.ndarray


def rail_error(track, parts, per_bay, coefficients, carried=True):
    """RailError of a FlexibleTrack on rigid ground made of Elements `parts`, per_bay in a bay, under a step.

    coefficients : IntegratorCoefficients
    carried : bool      whether the loaded element's own deflection has its inertia (flexible_build.carries_inertia)
    """
    hz = frequencies(track)
    found = built_receptance(track, parts, per_bay, coefficients, hz, carried)
    exact = exact_receptance(track, hz)
    square, wanted = np.abs(found) ** 2, np.abs(exact) ** 2
    weight = _weights(hz)
    third = 10.0 * np.log10((square @ weight) / (wanted @ weight))
    return RailError(third, 10.0 * np.log10(square / wanted), hz)


def frequencies(track):
    """(F,) [Hz]: over BANDS, denser about the waves that pads and sleepers do not hold and their neighbours."""
    low, high = BANDS[0] * 10.0**-0.05, BANDS[-1] * 10.0**0.05
    edges = np.concatenate([BANDS * 10.0**-0.05, [high]])
    points = [np.geomspace(low, high, int(np.log(high / low) / COARSE)), edges]
    for plane in range(2):
        for half_waves in (1.0, 2.0):
            for f in free_waves(track.rail, plane, half_waves * np.pi / track.bay)[: 1 + plane]:
                points.append(f * np.exp(np.arange(-NEAR, NEAR, FINE)))
    hz = np.unique(np.concatenate(points))
    return hz[(hz >= low) & (hz <= high)]


def _weights(hz):
    """(F, B): weights of the trapezoidal rule over each of BANDS, whose edges are among hz."""
    out = np.zeros((len(hz), len(BANDS)))
    for b, middle in enumerate(BANDS):
        inside = (hz >= middle * 10.0**-0.05 * (1.0 - 1e-9)) & (hz <= middle * 10.0**0.05 * (1.0 + 1e-9))
        f = hz[inside]
        w = np.zeros(len(f))
        w[:-1] += 0.5 * np.diff(f)
        w[1:] += 0.5 * np.diff(f)
        out[inside, b] = w
    return out


def built_receptance(track, parts, per_bay, coefficients, hz, carried=True):
    """Receptance (4, P, F) complex of the head in DIRECTIONS at PLACES, load and answer, as the step gives it."""
    w = 2.0 * np.pi * np.asarray(hz)
    first, second = step_factors(coefficients, w)
    support = condensed_supports(track, (second, first, 1.0), False)[0]
    out = np.zeros((len(DIRECTIONS), len(PLACES), len(w)), dtype=complex)
    for p in range(2):
        factor = 1.0 + first * track.rail.stiffness_damping
        whole = parts.stiffness[p] * factor[:, None, None] + parts.mass[p] * second[:, None, None]
        element = without_inner(whole)
        left, right = endless(chained(element, per_bay), support[:, p])
        from_left, from_right = [left], [right]
        for _ in range(per_bay - 1):
            from_left.append(beyond(from_left[-1], element))
            from_right.append(beyond(from_right[-1], turned(element)))
        for i in range((per_bay + 1) // 2):
            matrix = whole.copy()
            matrix[:, :3, :3] += from_left[i]
            matrix[:, 3:6, 3:6] += from_right[per_bay - 1 - i]
            inverse = np.linalg.inv(matrix)
            for k in np.flatnonzero(np.maximum(np.ceil(PLACES * per_bay) - 1, 0) == i):
                answer = _of_head(track.rail, parts, p, PLACES[k] * per_bay - i, second, inverse, carried)
                for d, (plane, row) in enumerate(DIRECTIONS.values()):
                    if plane == p:
                        out[d, k] = answer[:, row, row]
    return out


def _of_head(rail, parts, p, x, second, inverse, carried):
    """Receptance (F, 2, 2) of the head at x in [0, 1] of an element in its track, of inverse stiffness (F, 7, 7)."""
    head = head_of_section(rail, p)
    row = head @ element_fields(x, parts.length, parts.phi[p], parts.inner[p])
    momenta = momentum(rail, p, parts, x).T if carried else np.zeros_like(row)
    inside = head @ left_over(rail, p, parts, x) @ head.T
    less = second[:, None, None]
    reading = row - less * momenta
    answer = reading @ inverse @ reading.swapaxes(-1, -2)
    return answer + inside - less * own_inertia(parts.mass[p], momenta[None])[0]


def step_factors(coefficients, w):
    """Velocity and acceleration (F,) per displacement of a motion exp(i w t) sampled by a step's scheme."""
    c = coefficients
    back = np.exp(-1j * np.outer(np.arange(1, 4), w * c.dt))[: c.depth]
    # d = sum (wd0 d + wd1 v + wd2 a) z^-i + beta dt^2 a, v likewise
    d, v = c.displacement_weights[: c.depth], c.velocity_weights[: c.depth]
    matrix = np.empty((len(w), 2, 2), dtype=complex)
    matrix[:, 0, 0], matrix[:, 0, 1] = -back.T @ d[:, 1], -back.T @ d[:, 2] - c.beta * c.dt**2
    matrix[:, 1, 0], matrix[:, 1, 1] = 1.0 - back.T @ v[:, 1], -back.T @ v[:, 2] - c.gamma * c.dt
    right = np.stack([back.T @ d[:, 0] - 1.0, back.T @ v[:, 0]], axis=1)[..., None]
    found = np.linalg.solve(matrix, right)[..., 0]
    return found[:, 0], found[:, 1]


def exact_receptance(track, hz):
    """Receptance (4, P, F) of the continuous rail in continuous time, as built_receptance."""
    w = 2.0 * np.pi * np.asarray(hz)
    support, head = support_blocks(track, w), head_rows(track.rail)
    step = transfer(track.rail, w, track.bay / STEPS_OF_BAY)
    over = [np.broadcast_to(np.eye(6), step.shape), step]
    while len(over) <= STEPS_OF_BAY:
        over.append(over[-1] @ step)
    left, right = endless(segment_stiffness(over[-1]), support)
    out = np.zeros((len(DIRECTIONS), len(PLACES), len(w)), dtype=complex)
    for k, place in enumerate((STEPS_OF_BAY * PLACES).astype(int)):
        before = beyond(left, segment_stiffness(over[place])) if place else left
        after = beyond(right, turned(segment_stiffness(over[STEPS_OF_BAY - place])))
        answer = head @ np.linalg.inv(before + after) @ head.swapaxes(-1, -2)
        for d, (plane, row) in enumerate(DIRECTIONS.values()):
            out[d, k] = answer[:, plane, row, row]
    return out


def endless(bay, support):
    """Dynamic stiffness (..., 3, 3) at a support of all that lies left of it, and right, the support in either.

    bay : (..., 6, 6) between two supports; support : (..., 3, 3)
    """
    a, b, c, d = bay[..., :3, :3], bay[..., :3, 3:], bay[..., 3:, :3], bay[..., 3:, 3:] + support
    for _ in range(DOUBLINGS):
        joint = np.linalg.inv(d + a)
        onto, back = b @ joint, c @ joint
        a, b, c, d = a - onto @ c, -onto @ b, -back @ c, d - back @ b
        if np.max(np.abs(onto) ** 2) < ENOUGH:
            break
    return d, a + support
