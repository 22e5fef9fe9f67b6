"""Mass of the rail elements, matched to the step: what the step slows down the mass makes fast.

Newmark's scheme with beta = 1/4 lowers a frequency w by (w h)^2/12, a consistent mass raises it: both give a wave the
wrong length. What is left over is taken at the waves that pads and sleepers do not hold, whose length is two bays
over a whole number: there the rail resonates without damping but its own. A factor of the rotary inertia sets the
vertical one. Across, where bending and torsion run in common waves, there are three below 1.5 kHz (480, 770 and
1150 Hz on a UIC60), and three factors: of the rotary inertia, and of the stiffness of the element's inner twist and
of its coupling by mass with the translation. Mass of the section, statics and symmetry do not change, and the mass
stays definite.
"""

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
FACTOR_BOUNDS = (0.05, 0.5, 0.0), (4.0, 8.0, 4.0)
"""Of rotary inertia, stiffness of the inner twist and its coupling with the translation."""
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


def element_mass(inertia, l, phi, share, inner=0.0, coupling=1.0):
    """Mass (7, 7) of one plane from section_inertia, with the lumped share (3,) of each of its three parts.

    coupling : factor of the mass that couples the inner value with the translation of the nodes
    """
    mass = np.zeros((7, 7))
    for part, a in zip(inertia, share, strict=True):
        for x, weight in zip(SAMPLES, WEIGHTS, strict=True):
            f = element_fields(x, l, phi, inner)
            mass += (1.0 - a) * weight * l * f.T @ part @ f
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
    """Frequencies [Hz], ascending, of an endless chain of elements (6, 6) or (7, 7) with a phase per element."""
    n = len(mass) - 3
    folded = np.vstack([np.eye(3, n), np.exp(1j * phase) * np.eye(3, n), np.eye(n - 3, n, 3)])
    k, m = (folded.conj().T @ x @ folded for x in (stiffness, mass))
    return np.sqrt(np.abs(scipy.linalg.eigvalsh(k, m))) / (2.0 * np.pi)


def matched(rail, plane, bay, l, make, coefficients):
    """Element's (stiffness, mass, rotary factor) with the waves of PINNED at the frequency that the step makes right.

    make : callable (rotary, twist, coupling) -> stiffness, mass (6, 6) or (7, 7)
    """
    span = bay if PINNED_BAYS[0] <= bay <= PINNED_BAYS[1] else 0.6
    waves = [(b, n * np.pi / span) for b, n in PINNED[plane] if 2.0 * l <= span * (1.0 + 1e-9)]
    wanted = [(b, k, free_waves(rail, plane, k)[b]) for b, k in waves]
    if coefficients is not None:
        wanted = [w for w in wanted if 2.0 * np.pi * w[2] * coefficients.dt < FOLLOWED]
    unknowns = 3 if plane == 1 else 1

    def error(x):
        try:
            pair = make(*x)
            return [
                np.log(2.0 * np.pi * chain_waves(*pair, k * l)[b] / seen_frequency(hz, coefficients))
                for b, k, hz in wanted
            ]
        except np.linalg.LinAlgError:
            return [1.0 for _ in wanted]

    x = np.ones(unknowns)
    if wanted:
        bounds = tuple(b[:unknowns] for b in FACTOR_BOUNDS)
        x = scipy.optimize.least_squares(error, x, bounds=bounds).x
    while scipy.linalg.eigvalsh(make(*x)[1])[0] <= 0.0:
        x = 0.5 + 0.5 * x
    return *make(*x), float(x[0])


def wave_error(rail, bay, parts, coefficients, top=1300.0):
    """Largest relative error of the frequency of a free rail's waves below `top` [Hz], as the step runs them."""
    worst = 0.0
    for plane in range(2):
        used = slice(7 if parts.inner[plane] else 6)
        for k in np.arange(1, 13) * 0.25 * np.pi / bay:
            hz = free_waves(rail, plane, k)[: 1 + plane]
            if k * parts.length > np.pi or hz[0] > top:
                break
            found = chain_waves(parts.stiffness[plane, used, used], parts.mass[plane, used, used], k * parts.length)
            ratio = 2.0 * np.pi * found[: len(hz)] / seen_frequency(hz, coefficients)
            worst = max(worst, np.max(np.abs(ratio - 1.0), where=hz < top, initial=0.0))
    return worst
