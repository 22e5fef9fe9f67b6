"""Mass of the rail elements, and the waves that they and the continuous rail carry.

A consistent mass follows the deflection of the static element; a lumped one stands on the nodes. In plane L of a
matched element the roll is quadratic, with an inner value of its own. What the step adds: seen_frequency.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import scipy

from flexwheel.track import timoshenko
from flexwheel.track.timoshenko import deflection_shape, rotation_shape

HIGHEST_HZ = 1300.0
"""Of the waves that a match holds to their frequency as sharply as a resonance needs."""
SAMPLES, WEIGHTS = np.polynomial.legendre.leggauss(5)
SAMPLES, WEIGHTS = 0.5 + 0.5 * SAMPLES, 0.5 * WEIGHTS


class Elements(NamedTuple):
    """Element matrices of planes V and L.

    length : float [m]                element
    stiffness, mass : (2, 7, 7)       of the nodal values and the inner value of the bar or shaft
    inner : (2,)                      1: it has one; 0: it is linear, the inner value stays at rest
    node_mass : (2, 3) [kg, kg m2]    lumped mass of a node with two elements, for the absorbing layer; of the bar 0
    phi : (2,)                        12 EI / (kGA l^2)
    inertia : (2, 3, 3, 3)            of the section per length, section_inertia
    share : (2, 3)                    lumped share of its three parts
    along : (2, 2) [s2]               b of the momentum b N^T that either head force of a plane takes along
    """

    length: float
    stiffness: np.ndarray
    mass: np.ndarray
    inner: np.ndarray
    node_mass: np.ndarray
    phi: np.ndarray
    inertia: np.ndarray
    share: np.ndarray
    along: np.ndarray


def plain_elements(rail, length, share, inner=(0.0, 0.0)):
    """Elements of a RailSection, not matched; share (3,): lumped one of the mass, inner: as in Elements."""
    section = np.array([section_stiffness(rail, p) for p in range(2)])
    phi = 12.0 * section[:, 0] / (section[:, 1] * length * length)
    inertia = np.array([section_inertia(rail, p) for p in range(2)])
    mass = [element_mass(inertia[p], length, phi[p], share, inner[p]) for p in range(2)]
    return Elements(
        length=length,
        stiffness=np.array([element_stiffness(section[p], length, inner[p]) for p in range(2)]),
        mass=np.array(mass),
        inner=np.array(inner, dtype=float),
        node_mass=length * np.diagonal(inertia.sum(axis=1), axis1=1, axis2=2) * [[1.0, 1.0, 0.0], [1.0, 1.0, 1.0]],
        phi=phi,
        inertia=inertia,
        share=np.tile(share, (2, 1)),
        along=np.zeros((2, 2)),
    )


def element_stiffness(section, l, twist=0.0):
    """Stiffness (7, 7) of one plane from section_stiffness; twist: factor of the inner value's, 0: none."""
    bending, shear, bar = section
    out = np.zeros((7, 7))
    out[np.ix_([0, 1, 3, 4], [0, 1, 3, 4])] = timoshenko.beam_stiffness(bending, shear, l)
    out[np.ix_([2, 5], [2, 5])] = timoshenko.bar_stiffness(bar, l)
    out[6, 6] = 16.0 / 3.0 * twist * bar / l if twist else 1.0
    return out


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


def bar_impedance(rail):
    """Force over velocity [kg/s] of a wave along a free rail: a damper of as much at its end takes it whole."""
    return rail.area * np.sqrt(rail.youngs_modulus * rail.density)


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


def element_mass(inertia, l, phi, share, inner=0.0):
    """Mass (7, 7) of one plane from section_inertia, with the lumped share (3,) of each of its three parts."""
    mass = np.zeros((7, 7))
    fields = sampled_fields(float(l), float(phi), float(inner))
    for part, a in zip(inertia, share, strict=True):
        mass += (1.0 - a) * l * np.tensordot(WEIGHTS[:, None, None] * fields, part @ fields, axes=((0, 1), (0, 1)))
        mass[:3, :3] += 0.5 * a * l * part
        mass[3:6, 3:6] += 0.5 * a * l * part
    if inner == 0.0:
        mass[6, 6] = 1.0
    return mass


def without_inner(matrix):
    """Matrices (..., 6, 6) of the nodes, the inner value of (..., 7, 7) eliminated."""
    return matrix[..., :6, :6] - matrix[..., :6, 6:] @ matrix[..., 6:, :6] / matrix[..., 6:, 6:]


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
    return free_motions(rail, plane, k)[0]


def free_motions(rail, plane, k):
    """free_waves, and the motions (3, 3) of the section in them, of unit modal mass per length [m]."""
    bending, shear, bar = section_stiffness(rail, plane)
    stiffness = np.diag([shear * k * k, shear + bending * k * k, bar * k * k]).astype(complex)
    stiffness[0, 1], stiffness[1, 0] = 1j * shear * k, -1j * shear * k
    squared, motions = scipy.linalg.eigh(stiffness, section_inertia(rail, plane).sum(axis=0))
    return np.sqrt(squared) / (2.0 * np.pi), motions


def chain_motions(stiffness, mass, phase):
    """Frequencies (..., K, N) [Hz] of an endless chain of elements, motions (..., K, 6 or 7, N) of an element in them.

    Frequencies ascend, and are the highest where mass is negative; motions are of unit modal mass.

    stiffness, mass : (..., 6, 6) or (..., 7, 7); phase (K,) per element, not 0
    """
    n = mass.shape[-1] - 3
    turn = np.exp(1j * np.asarray(phase, dtype=float))
    folded = np.zeros((*turn.shape, n + 3, n), dtype=complex)
    folded[..., :3, :3] = np.eye(3)
    folded[..., 3:6, :3] = turn[..., None, None] * np.eye(3)
    folded[..., 6:, 3:] = np.eye(n - 3)
    k, m = (folded.conj().swapaxes(-1, -2) @ x[..., None, :, :] @ folded for x in (stiffness, mass))
    root = np.linalg.inv(np.linalg.cholesky(k))
    squared, vectors = np.linalg.eigh(root @ m @ root.conj().swapaxes(-1, -2))
    w = 1.0 / np.sqrt(np.maximum(squared[..., ::-1], 1e-16))
    motions = folded @ root.conj().swapaxes(-1, -2) @ (vectors[..., ::-1] * w[..., None, :])
    return w / (2.0 * np.pi), motions
