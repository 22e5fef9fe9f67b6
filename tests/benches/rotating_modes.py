"""Modes of the whole mesh spinning freely: a sparse quadratic eigenproblem, no modal basis.

In axes that turn with the body, (lambda^2 M + 2 lambda Omega M S + K + Omega^2 (K_sigma - M_perp)) u =
0, S u = e x u for the spin axis e. Bending that whirls in these axes with the spin at `rate` is seen
from outside at rate + Omega (forward), one that whirls against it at rate - Omega (backward).

Source: Meirovitch 1980, Computational Methods in Structural Dynamics, section 3.7 (gyroscopic systems).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from mass_of_matrix import mass_properties
from scipy.sparse.linalg import LinearOperator, eigs, splu

from flexwheel.base.errors import ConvergenceError
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.geometric_stiffness import centrifugal_load, geometric_stiffness
from flexwheel.body.mesh import Mesh
from flexwheel.body.rigid_motion import rigid_modes
from tests.benches.free_statics import free_static_solution


class SpinningMesh(NamedTuple):
    """Matrices of the free mesh in axes that turn with it; (D, D) sparse."""

    mass: sp.csr_matrix
    gyroscopic: sp.csr_matrix  # per unit spin: 2 M S
    stiffness: sp.csr_matrix
    spin_stiffness: sp.csr_matrix  # per unit spin squared: K_sigma - M_perp
    turn: sp.csr_matrix  # S


class RotatingModes(NamedTuple):
    """Modes near a rate, those of positive and of negative rate apart."""

    rate: np.ndarray  # (m,) [rad/s] in the turning axes, positive
    shapes: np.ndarray  # (D, m) complex: u(t) = Re(shape exp(i rate t))
    direction: np.ndarray  # (m,) +1: the motion across the axle turns with the spin, -1 against it, 0 stands


def spinning_mesh(mesh: Mesh, stiffness, mass, axis=1, options: FormulationOptions | None = None) -> SpinningMesh:
    """Matrices of a free mesh about steady spin, with the geometric stiffness of its own prestress.

    Parameters
    ----------
    stiffness, mass : (D, D) sparse     of `assemble` with the same options
    axis : int                          spin axis through the mass centre along x, y or z
    """
    centre = mass_properties(mesh.nodes, mass).centre
    load = centrifugal_load(mesh, mass, axis, centre)
    prestress = free_static_solution(stiffness, mass, rigid_modes(mesh.nodes, centre), load)
    geometric = geometric_stiffness(mesh, prestress, options)
    one, two = (axis + 1) % 3, (axis + 2) % 3
    cross = np.zeros((3, 3))
    cross[two, one], cross[one, two] = 1.0, -1.0
    turn = sp.kron(sp.identity(len(mesh.nodes)), cross, format="csr")
    softening = transverse_mass(mass, axis)
    return SpinningMesh(mass, 2.0 * mass @ turn, stiffness, sp.csr_matrix(geometric - softening), turn)


def rotating_modes(system: SpinningMesh, spin_rate, near_hz, count=8) -> RotatingModes:
    """Modes of the spinning mesh whose rate in the turning axes lies nearest to `near_hz`.

    Parameters
    ----------
    system : SpinningMesh
    spin_rate : float [rad/s]
    near_hz : float [Hz]           not itself a natural frequency
    count : int

    Returns
    -------
    RotatingModes                  ascending rate

    Raises
    ------
    ConvergenceError               the iteration did not converge
    """
    size = system.mass.shape[0]
    gyroscopic = spin_rate * system.gyroscopic
    stiffness = system.stiffness + spin_rate**2 * system.spin_stiffness
    shift = 2j * np.pi * near_hz
    factor = splu(
        sp.csc_matrix(stiffness + shift * gyroscopic + shift**2 * system.mass),
        permc_spec="MMD_AT_PLUS_A",
        options={"SymmetricMode": True},
        diag_pivot_thresh=0.1,
    )

    def inverse(state):
        """(A - shift)^-1 of the state (u, u')."""
        u, v = state[:size], state[size:]
        first = factor.solve(-(system.mass @ v) - gyroscopic @ u - shift * (system.mass @ u))
        return np.concatenate([first, u + shift * first])

    operator = LinearOperator((2 * size, 2 * size), matvec=inverse, dtype=complex)
    start = np.random.default_rng(1).standard_normal(2 * size).astype(complex)
    try:
        values, vectors = eigs(operator, k=count, v0=start, tol=1e-10)
    except Exception as error:  # ARPACK has its own classes of failure
        raise ConvergenceError(f"modes of the spinning mesh near {near_hz} Hz: {error}") from error
    rate = (shift + 1.0 / values).imag
    order = np.argsort(rate)
    rate, shapes = rate[order], vectors[:size, order]
    keep = rate > 0
    shapes = shapes[:, keep] / np.linalg.norm(shapes[:, keep], axis=0)
    return RotatingModes(rate[keep], shapes, _direction(system, shapes))


def transverse_mass(mass, axis=1):
    """M_perp: the mass matrix with the rows and columns of the spin axis set to zero."""
    keep = np.ones(mass.shape[0])
    keep[axis::3] = 0.0
    return sp.csr_matrix(sp.diags(keep) @ mass @ sp.diags(keep))


def _direction(system, shapes):
    """Sense in which the displacement vectors turn across the axle: S u = i u for exp(i rate t) with the spin."""
    turned = system.turn @ shapes
    weight = np.einsum("ij,ij->j", turned.conj(), system.mass @ turned).real
    return np.einsum("ij,ij->j", shapes.conj(), -1j * (system.mass @ turned)).real / weight


def whirl_hz(modes: RotatingModes, spin_rate):
    """Frequencies [Hz] of bending seen from outside, > 0 forward, < 0 backward; other motions nan."""
    sign = np.where(np.abs(modes.direction) > 0.5, np.sign(modes.direction), np.nan)
    return sign * modes.rate / (2 * np.pi) + spin_rate / (2 * np.pi)
