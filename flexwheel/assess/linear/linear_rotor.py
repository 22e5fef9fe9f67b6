"""A spinning free flexible body, linearised: mass, gyroscopic and stiffness matrices, whirl frequencies.

Coordinates p = (xi, phi, w): shift of the origin, small rotation vector and modal coordinates, all in axes
that turn with the constant spin Omega about y (`material`). The matrices are taken from the nonlinear
kernel itself, which is a quadratic in each argument, so central differences are exact to rounding. In the
axes that do not turn, p_E = R p with dR/dt = Omega J R, and for a body of revolution the matrices stay
constant:

    M_E = M,   C_E = C - 2 Omega M J,   K_E = K - Omega C J + Omega^2 M J^2

Source: Fayos, Baeza, Denia and Tarancon 2007, Journal of Sound and Vibration (non-rotating coordinates of
a solid of revolution).
Verified in tests/assess/test_floating_frame_rotor_verified.py.
"""

import numpy as np
import scipy.linalg

from flexwheel.vehicle.floating_frame import inertia_forces, pack_inertia
from flexwheel.vehicle.structural import spin_stiffness


def linearised_matrices(body, spin_rate, frame="material", centrifugal="both"):
    """Matrices of M p'' + C p' + K p = 0 of a free body about steady spin.

    Parameters
    ----------
    body : ReducedBody or BeamRotor
    spin_rate : float [rad/s]      Omega about +y
    frame : "material" (turns with the body) or "non_rotating" (bodies of revolution only)
    centrifugal : "both", "paper" or "none", see `structural`

    Returns
    -------
    M, C, K : (6 + H, 6 + H)       C holds Coriolis and structural damping
    """
    inertia = pack_inertia(body.invariants)
    h = inertia.mode_count
    size = 6 + h
    frequency = 2 * np.pi * np.asarray(body.frequency_hz)
    axis = np.array([0.0, 1.0, 0.0])

    def forces(p, pd, pdd):
        """Inertia forces in the axes of the perturbed body, to first order those of the turning axes."""
        xi, xid, xidd = p[:3], pd[:3], pdd[:3]
        phi, phid, phidd = p[3:6], pd[3:6], pdd[3:6]
        acc = xidd + 2 * spin_rate * np.cross(axis, xid)
        acc += spin_rate**2 * np.cross(axis, np.cross(axis, xi))
        omega = spin_rate * (axis - np.cross(phi, axis)) + phid
        alpha = -spin_rate * np.cross(phid, axis) + phidd
        out = np.empty(size)
        inertia_forces(inertia, acc, omega, alpha, p[6:], pd[6:], pdd[6:], out[:3], out[3:6], out[6:])
        return out

    zero = np.zeros(size)
    matrices = []
    for level in range(3):
        matrix = np.empty((size, size))
        for i in range(size):
            ends = []
            for sign in (1.0, -1.0):
                arguments = [zero, zero, zero]
                arguments[level] = zero.copy()
                arguments[level][i] = sign
                ends.append(forces(*arguments))
            matrix[:, i] = 0.5 * (ends[0] - ends[1])
        matrices.append(matrix)
    stiffness, damping, mass = matrices
    stiffness[6:, 6:] += np.diag(frequency**2)
    damping[6:, 6:] += np.diag(2 * np.asarray(body.damping_ratio) * frequency)
    stiffness[6:, 6:] += spin_rate**2 * spin_stiffness(body, centrifugal)
    if frame == "material":
        return mass, damping, stiffness
    if frame != "non_rotating":
        raise ValueError(f"frame must be 'material' or 'non_rotating', got {frame!r}")
    turn = turning_generator(body.generator)
    return (
        mass,
        damping - 2 * spin_rate * mass @ turn,
        stiffness - spin_rate * damping @ turn + spin_rate**2 * mass @ turn @ turn,
    )


def turning_generator(generator):
    """J of (xi, phi, w): d/d theta of the coordinates of a field turned by theta about y."""
    vector = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])
    return scipy.linalg.block_diag(vector, vector, generator)


def whirl_frequencies(mass, damping, stiffness, turn=None):
    """Frequencies [Hz] with positive imaginary part, ascending, and their whirl direction.

    Returns
    -------
    frequency : (k,)         of |Im lambda| / 2 pi > 1e-3
    direction : (k,)         mean of z^H (i J) z / z^H z: +n turns with the spin, -n against it, 0 stands
                             (torsion)
    value : (k,) complex     eigenvalues [rad/s]
    """
    size = len(mass)
    # unit mass, time counted in the stiffest period: the balancing of the eigenvalue routine fails on the
    # rounding left in the rows of the free rigid motion
    half = np.linalg.inv(np.linalg.cholesky(mass))
    rate = np.sqrt(np.abs(stiffness).max() / np.abs(mass).max()) or 1.0
    damping = _without_rounding(half @ damping @ half.T / rate)
    stiffness = _without_rounding(half @ stiffness @ half.T / rate**2)
    state = np.block([[np.zeros((size, size)), np.eye(size)], [-stiffness, -damping]])
    value, vector = np.linalg.eig(state)
    value = value * rate
    vector = half.T @ vector[:size]
    keep = value.imag > 2 * np.pi * 1e-3
    value, vector = value[keep], vector[:, keep]
    order = np.argsort(value.imag)
    value, vector = value[order], vector[:, order]
    direction = np.zeros(len(value))
    if turn is not None:
        weight = np.einsum("ik,ij,jk->k", vector.conj(), mass, vector).real
        direction = np.einsum("ik,ij,jk->k", vector.conj(), -1j * mass @ turn, vector).real / weight
    return value.imag / (2 * np.pi), direction, value


def _without_rounding(matrix):
    """Entries below 1e-13 of the largest set to zero."""
    return np.where(np.abs(matrix) < 1e-13 * np.abs(matrix).max(initial=0.0), 0.0, matrix)
