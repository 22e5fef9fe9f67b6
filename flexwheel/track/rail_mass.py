"""Mass of the rail elements, matched to the step: what the step slows down the mass makes fast.

Newmark's scheme with beta = 1/4 lowers a frequency w by (w h)^2/12, a consistent mass raises it. Both errors are
waves of the wrong length, as rotary inertia is what makes short waves slow. So a factor of the rotary inertia gives
the propagating bending wave of a free rail its length up to 1.5 kHz, at the step at hand and the element at hand;
torsion takes a lumped share of the polar inertia. The mass of the section, statics and symmetry do not change, and
the mass stays definite.
"""

import numpy as np
from scipy.optimize import least_squares

from flexwheel.track.timoshenko import deflection_shape, rotation_shape

MATCHED_HZ = np.geomspace(200.0, 1500.0, 14)
"""Frequencies at which the waves are matched."""
SHORTEST = 0.8 * np.pi
"""Largest phase over an element at which a wave is still asked for."""
MATCHED_SHARE = ((0.0, 0.0, 0.5), (0.25, 1.0, 0.0))
"""Lumped share of translation, rotary inertia and bar in planes V and L (there of the shaft: matched).

Plane L, where roll and translation couple, has its rotary inertia lumped and a quarter of the translation: with less,
the projection of a load's own deflection (loaded_element) makes its lateral compliance within a step negative where
the element is long for the step, by more than a contact yields. Lumped inertia in plane V would bring back a comb.
"""
SHARE_BOUNDS = (0.0, 1.0)
"""Lumped share of the polar inertia."""
ROTARY_BOUNDS = (0.05, 4.0)
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


def element_fields(x, l, phi):
    """(3, 6): deflection, rotation and bar displacement at x in [0, 1] per nodal value of one plane."""
    out = np.zeros((3, 6))
    out[0, [0, 1, 3, 4]] = deflection_shape(x, l, phi)
    out[1, [0, 1, 3, 4]] = rotation_shape(x, l, phi)
    out[2, [2, 5]] = 1.0 - x, x
    return out


def element_mass(inertia, l, phi, share):
    """Mass (6, 6) of one plane from section_inertia, with the lumped share (3,) of each of its three parts."""
    mass = np.zeros((6, 6))
    for part, a in zip(inertia, share, strict=True):
        for x, weight in zip(SAMPLES, WEIGHTS, strict=True):
            f = element_fields(x, l, phi)
            mass += (1.0 - a) * weight * l * f.T @ part @ f
        mass[:3, :3] += 0.5 * a * l * part
        mass[3:, 3:] += 0.5 * a * l * part
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


def bending_wave(w, bending, shear, mass, rotary):
    """Wave number [1/m] of the propagating bending wave of a free Timoshenko beam at w (n,) [rad/s]."""
    # EI kGA k^4 - w^2 (EI m + kGA J) k^2 - m w^2 (kGA - J w^2) = 0
    a, b, c = bending * shear, w**2 * (bending * mass + shear * rotary), mass * w**2 * (shear - rotary * w**2)
    return np.sqrt((b + np.sqrt(b * b + 4.0 * a * c)) / (2.0 * a))


def _numerical_wave(stiffness, mass, phase):
    """Lowest frequency [rad/s] of a chain of elements at a phase per element; two degrees of freedom a node."""
    turn = np.exp(1j * phase)[:, None, None]
    k, m = (x[:2, :2] + x[2:, 2:] + turn * x[:2, 2:] + np.conj(turn) * x[2:, :2] for x in (stiffness, mass))
    a = (m[:, 0, 0] * m[:, 1, 1] - m[:, 0, 1] * m[:, 1, 0]).real
    b = (k[:, 0, 0] * m[:, 1, 1] + k[:, 1, 1] * m[:, 0, 0] - k[:, 0, 1] * m[:, 1, 0] - k[:, 1, 0] * m[:, 0, 1]).real
    c = (k[:, 0, 0] * k[:, 1, 1] - k[:, 0, 1] * k[:, 1, 0]).real
    return np.sqrt(2.0 * c / (b + np.sqrt(np.maximum(b * b - 4.0 * a * c, 0.0))))


def matched_rotary(stiffness, bending, shear, inertia, l, phi, share, coefficients):
    """Factor of the rotary inertia of one plane, with lumped shares (3,)."""
    w = 2.0 * np.pi * MATCHED_HZ
    k = bending_wave(w, bending, shear, inertia[0, 0, 0], inertia[1, 1, 1])
    use = k * l < SHORTEST
    if not np.any(use):
        return 1.0
    phase, wanted = k[use] * l, seen_frequency(MATCHED_HZ[use], coefficients)
    beam = np.ix_([0, 1, 3, 4], [0, 1, 3, 4])
    translation, rotary = (
        element_mass(inertia * np.eye(3)[part][:, None, None], l, phi, share)[beam] for part in (0, 1)
    )

    def error(x):
        return np.log(_numerical_wave(stiffness[beam], translation + x[0] * rotary, phase) / wanted)

    return float(least_squares(error, 1.0, bounds=ROTARY_BOUNDS).x[0])


def matched_bar(stiffness, inertia, l, coefficients):
    """Lumped share of a bar's or shaft's inertia [kg/m, kg m] with stiffness EA or GJ."""
    k = 2.0 * np.pi * MATCHED_HZ * np.sqrt(inertia / stiffness)
    use = k * l < SHORTEST
    if not np.any(use):
        return 0.5
    s2 = np.sin(0.5 * k[use] * l) ** 2
    wanted = seen_frequency(MATCHED_HZ[use], coefficients) ** 2 * inertia * l * l / stiffness

    def error(x):
        return np.log(4.0 * s2 / (1.0 - 2.0 / 3.0 * (1.0 - x[0]) * s2) / wanted)

    return float(least_squares(error, 0.4, bounds=SHARE_BOUNDS).x[0])
