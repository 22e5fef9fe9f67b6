"""Mass of the rail elements, matched to the step: what the step slows down the mass makes fast.

Newmark's scheme with beta = 1/4 lowers a frequency w by (w h)^2/12, a consistent mass raises it: both give a wave the
wrong length. What is left over is taken at the waves that pads and sleepers do not hold, whose length is two bays
over a whole number (there the rail resonates without damping but its own), and at the others as far as there is
choice. Two values of each plane set the waves: a factor of the rotary inertia, and how straight the deflection is
that the mass of the section follows, 0 with the stiffness, 1 along the chord. Their difference takes mass from the
short waves alone, as the step does. Across, where bending and torsion run in common waves, there are three below
1.5 kHz (480, 770 and 1150 Hz on a UIC60), and two values more: factors of the stiffness of the element's inner
twist and of its coupling by mass with the translation. Mass of the section, statics and symmetry do not change, and
the mass stays definite.
"""

from functools import lru_cache

import numpy as np
import scipy

from flexwheel.track.timoshenko import deflection_shape, rotation_shape

PINNED = (((0, 1),), ((0, 1), (1, 1), (0, 2)))
"""Of planes V and L: branch of the waves, from the slowest, and half waves in a bay."""
PINNED_BAYS = 0.45, 0.8
"""Bays [m] whose own waves are taken; else those of 0.6 m, which lie where spectra are asked for."""
FOLLOWED = 1.5
"""Largest angular frequency times step at which a wave is still asked for."""
MATCHED_SHARE = ((0.0, 0.0, 0.5), (0.0, 0.0, 0.0))
"""Lumped share of translation, rotary inertia and bar in planes V and L; lumped inertia would bring back a comb."""
PLAIN = (1.0, 0.0, 1.0, 1.0)
"""Factor of the rotary inertia, straightness, factors of the inner twist's stiffness and of its coupling."""
BOUNDS = (0.1, -1.0, 0.3, 0.0), (8.0, 3.0, 16.0, 4.0)
"""Of them; of the straightness in terms of (CHORD / l)^2, by which it moves a wave."""
CHORD = 0.2  # [m]
MOST_TRIALS = 100  # of the values
QUARTER_WAVES, HIGHEST_HZ = 0.25 * np.pi * np.arange(1, 13), 1300.0
"""Phases over a bay and highest frequency of the other waves that are looked at."""
OTHER_WAVES, LEAST_CHANGE, LEAST_MASS = 0.05, 1e-3, 0.05
"""Weights of errors of other waves and of changes of PLAIN; least eigenvalue of the mass over its plain diagonal."""
SAMPLES, WEIGHTS = np.polynomial.legendre.leggauss(5)
SAMPLES, WEIGHTS = 0.5 + 0.5 * SAMPLES, 0.5 * WEIGHTS


def section_inertia(rail, plane):
    """Inertia (3, 3, 3) per length of (w, b, u) or (v, theta_z, roll): translation, rotary, axial or polar.

    Plane L is taken at the shear centre; the mass sits above it and moves by v - above * roll.
    """
    density, area = rail.density, rail.area
    moments = rail.second_moment_vertical, rail.second_moment_lateral
    parts = np.zeros((3, 3, 3))
    arm = np.array([1.0, 0.0, 0.0 if plane == 0 else rail.shear_centre_height - rail.centroid_height])
    parts[0] = density * area * np.outer(arm, arm)
    parts[1, 1, 1] = density * moments[plane]
    parts[2, 2, 2] = density * (area if plane == 0 else sum(moments))
    return parts


def section_stiffness(rail, plane):
    """Bending [N m2], shear [N] and bar or torsional stiffness [N, N m2] of the section."""
    moment = (rail.second_moment_vertical, rail.second_moment_lateral)[plane]
    factor = (rail.shear_factor_vertical, rail.shear_factor_lateral)[plane]
    bar = rail.youngs_modulus * rail.area if plane == 0 else rail.shear_modulus * rail.torsion_constant
    return rail.youngs_modulus * moment, factor * rail.shear_modulus * rail.area, bar


def element_fields(x, l, phi, inner=0.0):
    """(3, 7): deflection, rotation and bar displacement at x in [0, 1] per nodal value of one plane and inner value.

    inner : largest bar displacement of a unit inner value: 1, or 0 where the bar is linear
    """
    out = np.zeros((3, 7))
    out[0, [0, 1, 3, 4]] = deflection_shape(x, l, phi)
    out[1, [0, 1, 3, 4]] = rotation_shape(x, l, phi)
    out[2, [2, 5, 6]] = 1.0 - x, x, 4.0 * inner * x * (1.0 - x)
    return out


@lru_cache(maxsize=32)
def sampled_fields(l, phi, inner):
    """(samples, 3, 7) of element_fields at SAMPLES; not to be changed."""
    return np.array([element_fields(x, l, phi, inner) for x in SAMPLES])


def moved_fields(fields, x, straight):
    """Fields (..., 3, 7) at x (...) whose deflection is that which the mass of the section follows."""
    out = fields.copy()
    out[..., 0, :] *= 1.0 - straight
    out[..., 0, 0] += straight * (1.0 - x)
    out[..., 0, 3] += straight * x
    return out


def element_mass(inertia, l, phi, share, inner=0.0, coupling=1.0, straight=0.0):
    """Mass (7, 7) of one plane from section_inertia, with the lumped share (3,) of each of its three parts.

    coupling : factor of the mass that couples the inner value with the translation of the nodes
    straight : share of the chord in the deflection that the mass of the section follows
    """
    mass = np.zeros((7, 7))
    fields = sampled_fields(float(l), float(phi), float(inner))
    moved = moved_fields(fields, SAMPLES, straight)
    for part, a, own in zip(inertia, share, (moved, fields, fields), strict=True):
        mass += (1.0 - a) * l * np.tensordot(WEIGHTS[:, None, None] * own, part @ own, axes=((0, 1), (0, 1)))
        mass[:3, :3] += 0.5 * a * l * part
        mass[3:6, 3:6] += 0.5 * a * l * part
    if inner == 0.0:
        mass[6, 6] = 1.0
    beam = [0, 1, 3, 4]
    mass[beam, 6] *= coupling
    mass[6, beam] *= coupling
    return mass


def seen_frequency(frequency, coefficients):
    """Angular frequency [rad/s] at which a step evaluates inertia and dampers where the motion has `frequency` [Hz].

    Newmark's scheme, coefficients None or with past steps: the motion's own. W^2 = (4/h^2) s^2/(1 - 4 beta s^2).
    """
    w = 2.0 * np.pi * np.asarray(frequency, dtype=float)
    if coefficients is None or coefficients.depth > 1:
        return w
    s = np.sin(np.minimum(0.5 * w * coefficients.dt, 0.45 * np.pi))
    return 2.0 / coefficients.dt * s / np.sqrt(np.maximum(1.0 - 4.0 * coefficients.beta * s * s, 1e-6))


def free_waves(rail, plane, k):
    """Frequencies (3,) [Hz], ascending, of the waves of a free rail with wave number k [1/m]."""
    bending, shear, bar = section_stiffness(rail, plane)
    stiffness = np.diag([shear * k * k, shear + bending * k * k, bar * k * k]).astype(complex)
    stiffness[0, 1], stiffness[1, 0] = 1j * shear * k, -1j * shear * k
    return np.sqrt(scipy.linalg.eigvalsh(stiffness, section_inertia(rail, plane).sum(axis=0))) / (2.0 * np.pi)


def chain_waves(stiffness, mass, phase):
    """Frequencies (..., N) [Hz], ascending, of an endless chain of elements (6, 6) or (7, 7); phase (...) per element.

    Raises LinAlgError where the mass is not definite.
    """
    n = len(mass) - 3
    turn = np.exp(1j * np.asarray(phase, dtype=float))
    folded = np.zeros((*turn.shape, n + 3, n), dtype=complex)
    folded[..., :3, :3] = np.eye(3)
    folded[..., 3:6, :3] = turn[..., None, None] * np.eye(3)
    folded[..., 6:, 3:] = np.eye(n - 3)
    k, m = (folded.conj().swapaxes(-1, -2) @ x @ folded for x in (stiffness, mass))
    root = np.linalg.inv(np.linalg.cholesky(m))
    return np.sqrt(np.abs(np.linalg.eigvalsh(root @ k @ root.conj().swapaxes(-1, -2)))) / (2.0 * np.pi)


def matched(rail, plane, bay, l, make, coefficients):
    """Values (2,) or (4,) in the order of PLAIN that put the waves of PINNED where the step makes them right.

    make : callable of them -> stiffness, mass (6, 6) or (7, 7)
    """
    span = bay if PINNED_BAYS[0] <= bay <= PINNED_BAYS[1] else 0.6
    asked = [(b, n * np.pi / span, 1.0) for b, n in PINNED[plane] if 2.0 * l <= span * (1.0 + 1e-9)]
    other = [(b, k, OTHER_WAVES) for k in QUARTER_WAVES / bay if k * l <= np.pi for b in range(1 + plane)]
    limit = np.inf if coefficients is None else FOLLOWED / (2.0 * np.pi * coefficients.dt)
    waves = [(b, k, weight, free_waves(rail, plane, k)[b]) for b, k, weight in asked + other]
    waves = [w for w in waves if w[3] < (limit if w[2] == 1.0 else min(limit, 1.1 * HIGHEST_HZ))]
    count = 4 if plane == 1 else 2
    plain = np.array(PLAIN[:count])
    if not any(w[2] == 1.0 for w in waves):
        return plain
    branch, k, weight, hz = (np.array(column) for column in zip(*waves, strict=True))
    branch = branch.astype(int)
    wanted = seen_frequency(hz, coefficients) / (2.0 * np.pi)
    scale = np.array([1.0, (CHORD / l) ** 2, 1.0, 1.0])[:count]
    size = np.sqrt(np.diag(make(*plain)[1]))

    def error(x):
        stiffness, mass = make(*x)
        lack = max(LEAST_MASS - scipy.linalg.eigvalsh(mass / np.outer(size, size))[0], 0.0)
        try:
            found = chain_waves(stiffness, mass, k * l)[np.arange(len(k)), branch]
            off = weight * np.log(found / wanted)
        except np.linalg.LinAlgError:
            off = weight
        return np.r_[off, 10.0 * lack, LEAST_CHANGE * (x - plain) / scale]

    bounds = tuple(np.array(b[:count]) * scale ** [0, 1, 0, 0][:count] for b in BOUNDS)
    x = scipy.optimize.least_squares(error, plain, bounds=bounds, x_scale=scale, max_nfev=MOST_TRIALS).x
    while scipy.linalg.eigvalsh(make(*x)[1])[0] <= 0.0:
        x = 0.5 * (plain + x)
    return x


def wave_error(rail, bay, parts, coefficients, top=HIGHEST_HZ):
    """Largest relative error of the frequency of a free rail's waves below `top` [Hz], as the step runs them."""
    worst = 0.0
    for plane in range(2):
        used = slice(7 if parts.inner[plane] else 6)
        for k in QUARTER_WAVES / bay:
            hz = free_waves(rail, plane, k)[: 1 + plane]
            if k * parts.length > np.pi or hz[0] > top:
                break
            found = chain_waves(parts.stiffness[plane, used, used], parts.mass[plane, used, used], k * parts.length)
            ratio = 2.0 * np.pi * found[: len(hz)] / seen_frequency(hz, coefficients)
            worst = max(worst, np.max(np.abs(ratio - 1.0), where=hz < top, initial=0.0))
    return worst
