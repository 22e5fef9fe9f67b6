"""Rail elements matched to the step: mass, inner twist and a force's momentum with which the rail answers rightly.

Newmark's scheme with beta = 1/4 lowers a frequency w by (w h)^2/12 and a resonance's share of a force by (w h)^2/6; a
consistent mass raises frequencies, the more the longer an element is for the wave. Without a change of statics, rigid
motion and symmetry an element is free in three things: its mass, as far as deformation takes part in it; the stiffness
of its inner twist; a share b N^T of the momentum that a force takes along, of either sign, for each force of the head.
They are found at set-up by least squares on three aims: the receptance of the free rail's head, force and answer at
five places of an element, as that of the continuous rail in continuous time; the waves' lengths, above all those of
waves that pads and sleepers do not hold, with whole half waves in a bay, where the rail resonates without damping but
its own; and how much of these a force at each of the places excites. The mass stays definite.

Coordinates of an element's motion: translation, roll, bending, inner twist; turning, shear, twist. The first four are
symmetric about its middle, the others are not; translation, roll and turning are rigid.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import scipy

from flexwheel.numerics.integration import newmark
from flexwheel.numerics.kept_arrays import kept_arrays
from flexwheel.track.loaded_element import head_of_section, left_over, momentum
from flexwheel.track.rail_mass import (
    HIGHEST_HZ,
    Elements,
    chain_motions,
    element_fields,
    free_motions,
    free_waves,
    plain_elements,
    seen_frequency,
    without_inner,
)

CHANGED = (
    ((0, 2), (2, 2), (4, 5), (5, 5)),
    ((0, 2), (0, 3), (1, 2), (1, 3), (2, 2), (2, 3), (3, 3), (4, 5), (4, 6), (5, 5), (5, 6), (6, 6)),
)
"""Entries of the mass of planes V and L in these coordinates; not the bar's: more of it slows waves along the rail."""
PLACES = (0.0, 0.125, 0.25, 0.375, 0.5)
"""Of force and answer in the element."""
FREE_HZ = np.arange(400.0, 1501.0, 100.0)
LOSS, LENGTH, AT_REST = 0.03, (2500.0, 250.0), 64
"""Loss factor of the free rail, that it answers without sharp peaks; its length [m] on either side in planes V and L;
elements on either side where only inertia is left."""
SHORT = 0.025  # [m] elements that stand for the continuous rail
SAME = 1e-6  # of a frequency: the same wave's
PINNED = ((1.0,), (1.0, 2.0))  # half waves in a bay, planes V and L, of the waves that resonate
PINNED_BAYS, USUAL_BAY = (0.45, 0.8), 0.6
"""Bays [m] whose own resonances are taken; else those of the usual bay, which lie where spectra are asked for."""
OTHER_WAVES = np.arange(0.25, 4.01, 0.25)
"""Half waves in a bay of others."""
HIGHEST_WAVE_HZ = 1500.0
FOLLOWED = 1.5
"""Largest angular frequency times step at which anything is still asked for."""
PINNED_WEIGHT, WAVE_WEIGHT, EXCITED_WEIGHT, PHASE_WEIGHT = 134.0, 9.0, 2.5, 0.38
"""Of relative errors of those waves and of the others, of how much of them is excited; of the receptance's phase."""
OTHER_WEIGHT = 0.4, 1.5
"""Of what does not concern the vertical or the lateral force alone, planes V and L."""
LEAST_MASS, LEAST_MASS_BELOW, DEFINITE_WEIGHT, CHANGE_WEIGHT = 0.05, 0.4, 100.0, 3e-4
"""Least eigenvalue of the mass over its plain diagonal, and for a beta below 1/4, whose stable step is then that of the
plain mass; weights of what is lacking and of changes."""
SHARE_WEIGHT = 0.01, 0.04
"""Of how far the shares b are from their unit, with which dampers under the wheel damp best, planes V and L."""
SUPPORT_WEIGHT = 0.7  # of the receptance at a support
BEYOND, CONTACT_COMPLIANCE = 1e6, 7e-10
"""[rad/s] above all that elements follow; [m/N] of a wheel's contact, stiff."""
LEVERS = np.array([[1.0, 1.0], [1.0, 0.035]])
"""Of ux and uz, uy and roll [m]: half a head."""
LEAST_YIELDING, YIELDING_WEIGHT = -0.06 * CONTACT_COMPLIANCE, 30.0
"""Least compliance [m/N] of the head up there: with less than minus that of the contact the two would blow up, and the
nearer it is, the more they ring above 3 kHz."""
WHEELS = np.append(np.ones(len(PLACES)), 0.0)[:, None, None]
"""1 where a wheel is, 0 at the support."""
NOTHING = np.zeros((len(WHEELS), 2, 2))
MIRRORED = np.outer((1.0, -1.0, 1.0), (1.0, -1.0, 1.0))  # signs of a node's matrix seen from the other side
LED, LED_AT_START = 0.03, ((-0.3, -0.3), (-1.5, -1.5))  # unit of the shares b over Aim.unit; how many of it at first
STEP, FIRST_TRIALS, MOST_TRIALS, SETTLED = 1e-6, 20, 100, 1e-5  # of the least squares
SPEED = 3000.0  # [m/s] element over the time that is the unit of the share, if that is shorter than the step


class Aim(NamedTuple):
    """What the element of a plane is matched to, and what it is made of.

    plane : int
    plain : Elements
    reading : ((X, 2, 7), (X, 2, 7), (X, 2, 2))   reading_of the plain element
    yielding : as reading                         what the inner twist's yielding takes off
    unit : float [s2]                             of the share b
    least_mass : float                            eigenvalue over the plain diagonal
    w : (F + 1,) [rad/s]                          at which the step evaluates inertia, and BEYOND
    receptance : (F, X, 2, 2)                     of the continuous rail
    damping : float [s]                           stiffness damping of the rail
    phase, branch, seen_hz, weight : (K,)         waves
    resonances : tuple of Resonance
    """

    plane: int
    plain: Elements
    reading: tuple
    yielding: tuple
    unit: float
    least_mass: float
    w: np.ndarray
    receptance: np.ndarray
    damping: float
    phase: np.ndarray
    branch: np.ndarray
    seen_hz: np.ndarray
    weight: np.ndarray
    resonances: tuple


class Resonance(NamedTuple):
    """A wave that pads and sleepers do not hold, with its mirror image where it is two elements long.

    phase : float           over an element
    branches : slice        of the chain's waves of this phase
    seen : float [rad/s]    frequency at which the step evaluates inertia there
    wanted : (2, 2) [m/kg]  products of the head's motions in it, of unit modal mass per length
    """

    phase: float
    branches: slice
    seen: float
    wanted: np.ndarray


@lru_cache(maxsize=16)
def _matched(rail, bay, per_bay, dt, beta):
    """Elements of `matched`; dt = 0: no step."""
    plain = plain_elements(rail, bay / per_bay, np.zeros(3), (0.0, 1.0))
    values, step = repr((rail, bay, per_bay, dt, beta)), newmark(dt, beta) if dt else None
    return plain._replace(**kept_arrays("track", values, [__file__], lambda: _match(rail, bay, plain, step)))


def _match(rail, bay, plain, step):
    """Matched stiffness, mass and share of the momentum along, by the names of Elements."""
    short = plain_elements(rail, SHORT, np.zeros(3), plain.inner)
    stiffness, mass, along = (x.copy() for x in (plain.stiffness, plain.mass, plain.along))
    for p in range(2):
        aim = aim_of(rail, p, bay, plain, short, step)
        y = least(aim)
        while least_mass(aim, changed(aim, y)[1]) < 0.5 * aim.least_mass:
            y = 0.5 * y
        stiffness[p], mass[p], along[p], _ = changed(aim, y)
    return {"stiffness": stiffness, "mass": mass, "along": along}


def least(aim):
    """Changes (n,) with the least errors: of some trials from each start the best is followed."""
    known = lru_cache(maxsize=1)(lambda y: errors(aim, np.frombuffer(y)[None])[0])  # slopes follow the errors there

    def found(start, trials):
        return scipy.optimize.least_squares(
            lambda y: known(y.tobytes()),
            start,
            lambda y: (errors(aim, y + STEP * np.eye(len(y))) - known(y.tobytes())).T / STEP,
            ftol=SETTLED,
            max_nfev=trials,
        )

    plain = np.zeros(len(CHANGED[aim.plane]) + aim.plane)
    best = min((found(np.append(plain, led), FIRST_TRIALS) for led in LED_AT_START), key=lambda start: start.cost)
    return found(best.x, MOST_TRIALS).x


def matched(rail, bay, per_bay, coefficients):
    """Elements of a RailSection, per_bay in a bay [m], matched to the step of IntegratorCoefficients, or to none: None.

    A scheme with past steps is taken as if it had no error of its own.
    """
    if coefficients is None or coefficients.depth > 1:
        return _matched(rail, float(bay), per_bay, 0.0, 0.25)
    return _matched(rail, float(bay), per_bay, float(coefficients.dt), float(coefficients.beta))


def element_motions(l):
    """Columns (7, 7): motions of an element's values, in the order of the coordinates."""
    out = np.zeros((7, 7))
    out[[0, 3], 0] = 1.0
    out[[2, 5], 1] = 1.0
    out[[1, 4], 2] = 1.0, -1.0
    out[6, 3] = 1.0
    out[[0, 1, 3, 4], 4] = -0.5 * l, 1.0, 0.5 * l, 1.0
    out[[1, 4], 5] = 1.0
    out[[2, 5], 6] = -1.0, 1.0
    return out


def aim_of(rail, plane, bay, plain, short, step):
    """Aim of a plane; plain, short: Elements to be matched, of the continuous rail; step: its coefficients or None."""
    top = np.inf if step is None else FOLLOWED / (2.0 * np.pi * step.dt)
    hz = FREE_HZ[FREE_HZ <= max(top, FREE_HZ[0])]
    soft = plain.stiffness.copy()
    soft[:, 6, 6] *= 2.0
    reading, half = (reading_of(rail, plane, parts) for parts in (plain, plain._replace(stiffness=soft)))
    at_node = [part[[0] * len(PLACES) + [-1]] for part in reading_of(rail, plane, short)]
    phase, branch, waves, weight = waves_asked(rail, plane, bay, plain.length, top)
    across = plain.length / SPEED
    return Aim(
        plane=plane,
        plain=plain,
        reading=reading,
        yielding=tuple(2.0 * (b - a) for a, b in zip(reading, half, strict=True)),
        least_mass=LEAST_MASS if step is None or step.beta >= 0.25 else LEAST_MASS_BELOW,
        unit=across**2 if step is None else step.dt * min(step.dt, across),
        w=np.append(seen_frequency(hz, step), BEYOND),
        receptance=free_receptance(
            (short.stiffness[plane], short.mass[plane]),
            2.0 * np.pi * hz,
            at_node[0][None],
            at_node[2],
            LENGTH[plane] / SHORT,
            rail.stiffness_damping,
        ),
        damping=rail.stiffness_damping,
        phase=phase,
        branch=branch,
        seen_hz=seen_frequency(waves, step) / (2.0 * np.pi),
        weight=weight,
        resonances=tuple(resonances_asked(rail, plane, bay, plain.length, top, step)),
    )


def reading_of(rail, plane, parts):
    """Rows (X, 2, 7), momentum (X, 2, 7) and compliance (X, 2, 2) of the clamped element: of the head at PLACES, then
    of a node as its support feels it, where there is no more than the row."""
    head, foot = head_of_section(rail, plane), foot_of_section(rail, plane)
    fields = [element_fields(x, parts.length, parts.phi[plane], parts.inner[plane]) for x in PLACES]
    rows = [*(head @ np.array(fields)), foot @ fields[0]]
    momenta = [momentum(rail, plane, parts, x).T for x in PLACES]
    inside = [head @ left_over(rail, plane, parts, x) @ head.T for x in PLACES]
    return np.array(rows), np.array([*momenta, np.zeros((2, 7))]), np.array([*inside, np.zeros((2, 2))])


def foot_of_section(rail, plane):
    """(2, 3): displacement of the rail's foot along it and up, or across and its roll, per values of the section."""
    if plane == 0:
        return np.array([[0.0, rail.centroid_height, 1.0], [1.0, 0.0, 0.0]])
    return np.array([[1.0, 0.0, rail.shear_centre_height], [0.0, 0.0, 1.0]])


def waves_asked(rail, plane, bay, l, top):
    """Phases (K,) over an element, branches, frequencies [Hz] and weights of the waves that a match looks at.

    Elements carry a wave and its mirror image, l - 1 half waves longer, alike: both are asked for, the lower one first.
    """
    pinned = pinned_waves(plane, bay)
    out = []
    for k in pinned + [q * np.pi / bay for q in OTHER_WAVES if not np.any(np.isclose(q * np.pi / bay, pinned))]:
        if k * l > np.pi * (1.0 + 1e-9):
            continue
        own = free_waves(rail, plane, k)
        for branch, hz in enumerate(with_images(rail, plane, k, l)[: 1 + 2 * plane]):
            if hz < min(top, HIGHEST_WAVE_HZ):
                sharp = k in pinned and hz < HIGHEST_HZ and np.any(np.isclose(own, hz, rtol=SAME))
                out.append((k * l, branch, hz, PINNED_WEIGHT if sharp else WAVE_WEIGHT))
    phase, branch, hz, weight = np.array(out).reshape(-1, 4).T
    return phase, branch.astype(int), hz, weight


def pinned_waves(plane, bay):
    """Wave numbers [1/m] of the waves that resonate."""
    span = bay if PINNED_BAYS[0] <= bay <= PINNED_BAYS[1] else USUAL_BAY
    return [q * np.pi / span for q in PINNED[plane]]


def with_images(rail, plane, k, l):
    """Frequencies (9,) [Hz], ascending, of the free waves that a chain of elements tells from those of k as little."""
    return np.sort(np.concatenate([free_waves(rail, plane, x) for x in (k, 2.0 * np.pi / l - k, 2.0 * np.pi / l + k)]))


def resonances_asked(rail, plane, bay, l, top, step):
    """Resonances of the waves of pinned_waves that are two to four elements of length l long.

    Two elements long, a wave and its mirror image stand over nodes or over middles: two resonances, told apart by
    nothing else that is asked. Shorter elements have the right shares by themselves. A step that evaluates inertia at
    W(w) answers near a resonance as one in continuous time does if a force excites d(W^2)/d(w^2) times as much of it.
    """
    for k in pinned_waves(plane, bay):
        if not 0.5 - SAME < k * l / np.pi < 1.0 + SAME:
            continue
        every = with_images(rail, plane, k, l)
        frequencies, motions = free_motions(rail, plane, k)
        for hz, motion in zip(frequencies, motions.T, strict=True):
            alike = np.flatnonzero(np.isclose(every, hz, rtol=SAME))
            if hz < min(top, HIGHEST_HZ):
                w = seen_frequency(hz * np.array([1.0 - 1e-4, 1.0, 1.0 + 1e-4]), step)
                slope = (w[2] ** 2 - w[0] ** 2) / (4e-4 * (2.0 * np.pi * hz) ** 2)
                head = head_of_section(rail, plane) @ motion
                wanted = len(alike) * slope * np.outer(head, head.conj()).real
                yield Resonance(k * l, slice(alike[0], alike[-1] + 1), w[1], wanted)


def changed(aim, y):
    """Stiffness, mass (..., 7, 7), shares b (..., 2) [s2] and factor of the twist's stiffness of changes y (..., n)."""
    plain, p, entries = aim.plain, aim.plane, CHANGED[aim.plane]
    motions = element_motions(plain.length)
    size = np.sqrt(np.diag(motions.T @ plain.mass[p] @ motions))
    change = np.zeros((*y.shape[:-1], 7, 7))
    for k, (i, j) in enumerate(entries):
        change[..., i, j] = change[..., j, i] = y[..., k] * size[i] * size[j]
    back = np.linalg.inv(motions)
    mass = plain.mass[p] + back.T @ change @ back
    twist = np.exp(y[..., len(entries)]) if p == 1 else np.ones(y.shape[:-1])
    stiffness = np.broadcast_to(plain.stiffness[p], mass.shape).copy()
    stiffness[..., 6, 6] *= twist
    return stiffness, mass, aim.unit * LED * y[..., -2:], twist


def errors(aim, y):
    """Residuals (..., R) of the match at changes y (..., n)."""
    p = aim.plane
    stiffness, mass, share, twist = changed(aim, y)
    lag = (1.0 - 1.0 / twist)[..., None, None, None]
    rows, momenta, inside = (a + lag * b for a, b in zip(aim.reading, aim.yielding, strict=True))
    momenta = momenta + share[..., None, :, None] * WHEELS * rows
    w2 = (aim.w**2)[:, None, None, None]
    head = rows[..., None, :, :, :] + w2 * momenta[..., None, :, :, :]
    found = free_receptance((stiffness, mass), aim.w, head, inside, LENGTH[p] / aim.plain.length, aim.damping)
    main, other = (1, 0) if p == 0 else (0, 1)
    found = found + w2 * own_inertia(mass, momenta)[..., None, :, :, :]
    yielding = LEVERS[p] * found[..., -1, :-1, :, :].real * LEVERS[p][:, None]
    yielding = np.linalg.eigvalsh(yielding + yielding.swapaxes(-1, -2))[..., 0] / 2.0

    def over(i, j):
        return found[..., :-1, :, i, j] / aim.receptance[..., i, j]

    level, second = np.log(over(main, main)), np.log(np.abs(over(other, other)))
    weight = np.append(np.ones(len(PLACES)), SUPPORT_WEIGHT)
    level, second = weight * level, weight * second
    less = OTHER_WEIGHT[p]
    out = [level.real, PHASE_WEIGHT * level.imag, less * second]
    if p == 1:
        out.append(less * weight * np.log(np.abs(over(0, 1))))
    out = [part.reshape(*y.shape[:-1], -1) for part in out]
    used = slice(6 + p)
    phases = np.append(aim.phase, [part.phase for part in aim.resonances])
    waves, motions = chain_motions(stiffness[..., used, used], mass[..., used, used], phases)
    own = waves[..., np.arange(len(aim.phase)), aim.branch]
    out.append(aim.weight * np.log(np.maximum(own, 1.0) / aim.seen_hz))
    for k, part in enumerate(aim.resonances, len(aim.phase)):
        reading = rows[..., :-1, :, used] + part.seen**2 * momenta[..., :-1, :, used]
        lacking = excited_error(part, reading, motions[..., k, :, part.branches], aim.plain.length)
        lacking[..., other, other] *= less
        out.append(EXCITED_WEIGHT * lacking[..., [main, other, 0], [main, other, 1]].reshape(*y.shape[:-1], -1))
    lack = np.maximum(aim.least_mass - least_mass(aim, mass), 0.0)
    against = np.maximum(LEAST_YIELDING - yielding, 0.0) / CONTACT_COMPLIANCE
    out += [
        DEFINITE_WEIGHT * lack[..., None],
        YIELDING_WEIGHT * against,
        CHANGE_WEIGHT * y,
        SHARE_WEIGHT[p] * (y[..., -2:] - 1.0),
    ]
    return np.concatenate(out, axis=-1)


def excited_error(resonance, reading, motions, length):
    """(..., X, 2, 2): relative errors of how much of a resonance a head force excites in itself and the other.

    reading : (..., X, 2, n) of the head; motions (..., n, m) of the waves, of unit modal mass in an element of length
    """
    head = reading @ motions[..., None, :, :]
    found = length * (head @ head.conj().swapaxes(-1, -2)).real
    size = np.sqrt(np.diag(resonance.wanted))
    return (found - resonance.wanted) / np.outer(size, size)


def own_inertia(mass, momenta):
    """(..., X, 2, 2) [m s2/N]: what the reading of the loaded element's own inertia takes of the force itself."""
    chain = np.zeros_like(mass), mass
    return free_receptance(chain, np.array([1j]), momenta[..., None, :, :, :], NOTHING, AT_REST)[..., 0, :, :, :].real


def least_mass(aim, mass):
    """Least eigenvalue (...) of a mass (..., 7, 7) over the plain one's diagonal."""
    used = slice(6 + aim.plane)
    diagonal = np.sqrt(np.diag(aim.plain.mass[aim.plane])[used])
    return np.linalg.eigvalsh(mass[..., used, used] / np.outer(diagonal, diagonal))[..., 0]


def free_receptance(chain, w, head, inside, elements, damping=0.0):
    """Receptance (..., F, X, 2, 2) of the head of a long chain of elements without supports, LOSS included.

    chain : stiffness, mass (..., 7, 7); w (F,) [rad/s]; head : (..., F or 1, X, 2, 7), of its reading and its load
    inside : (..., X, 2, 2)   clamped compliance of the head; elements : float, on either side at least
    """
    (stiffness, mass), factor = chain, (1.0 + 1j * (LOSS + damping * w))[:, None, None]
    element = stiffness[..., None, :, :] * factor - mass[..., None, :, :] * (w**2)[:, None, None]
    a, b = np.split(without_inner(element)[..., :3, :], 2, axis=-1)  # the other end is its mirror image
    for _ in range(int(np.ceil(np.log2(elements)))):
        onto = b @ np.linalg.inv(a + MIRRORED * a)
        a, b = a - onto @ b.swapaxes(-1, -2), -onto @ b
    element[..., 3:6, 3:6] += a
    element[..., :3, :3] += MIRRORED * a
    nodes = head @ np.linalg.inv(element)[..., None, :, :] @ head.swapaxes(-1, -2)
    return nodes + inside[..., None, :, :, :] / (1.0 + 1j * LOSS)
