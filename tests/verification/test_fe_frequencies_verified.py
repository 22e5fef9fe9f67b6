"""Natural frequencies: CalculiX 2.20, a Fourier-harmonic solution (verification/data), beam and bar theory."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from flexwheel.assess.node_selection import clamped_dofs
from flexwheel.base.errors import MeshError
from flexwheel.body.assembly import assemble
from flexwheel.body.eigen import natural_modes
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.mesh import Material
from flexwheel.body.rigid_motion import rigid_modes
from flexwheel.verification.finite_elements import (
    PARITY,
    calculix_frequencies,
    coarse_frequencies,
    converged_frequencies,
    frequencies_by_harmonics,
)
from flexwheel.verification.meshes.box_mesh import box_mesh
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, WheelsetDimensions, wheelset_mesh


def frequencies(mesh, options, count, clamped=False):
    stiffness, mass = assemble(mesh, options)
    if clamped:
        return natural_modes(stiffness, mass, count, clamped_dofs(mesh, ["|y|=1.1"]))[0]
    return natural_modes(stiffness, mass, count, exclude=rigid_modes(mesh.nodes))[0]


@cache
def quadratic(options, held_at):
    """Frequencies of the coarse mesh of quadratic elements [Hz]."""
    return frequencies_by_harmonics(wheelset_mesh(order=2), 24, options, held_at=held_at)


@cache
def linear(clamped, bore_radius):
    """Frequencies of the coarse mesh of linear elements as they are by default [Hz], of the whole mesh."""
    mesh = wheelset_mesh(replace(WheelsetDimensions(), bore_radius=bore_radius))
    return frequencies(mesh, FormulationOptions(), 24, clamped)


@pytest.mark.parametrize(("case", "order", "options"), PARITY)
def test_same_formulation_as_calculix(case, order, options):
    """Within 0.05 %: what remains are the points of the mass integral of C3D8, C3D6 and C3D20R.

    Quadratic meshes by harmonics, ten times cheaper, and as they are in `flexwheel verify`; the linear one as it is.
    """
    wanted = calculix_frequencies(case)
    if order == 2:
        found = quadratic(options, 1.1 if "_fix_" in case else np.inf)[: len(wanted)]
    else:
        found = coarse_frequencies(order, options, len(wanted))
    np.testing.assert_allclose(found, wanted, rtol=5e-4)


@pytest.mark.parametrize("case", ["coarse_ff_C3D8I", "coarse_fix_C3D8I", "coarsehollow_ff_C3D8I"])
def test_incompatible_hexahedron_is_near_c3d8i(case):
    """Not the same element (C3D8I has other internal shapes): within 6 % on this coarse mesh."""
    wanted = calculix_frequencies(case)
    found = linear("_fix_" in case, 0.03 if "hollow" in case else 0.0)[: len(wanted)]
    np.testing.assert_allclose(found, wanted, rtol=0.06)


def test_quadratic_elements_approach_the_converged_solution():
    found = quadratic(FormulationOptions(), np.inf)[:20]
    np.testing.assert_allclose(found, converged_frequencies(), rtol=0.035)  # 24 sectors, 1 cell across the web


def test_default_element_on_the_mesh_of_the_papers_size():
    """56,021 nodes: the first 20 flexible frequencies within 3 % of the converged solution."""
    found = frequencies_by_harmonics(wheelset_mesh(refinement=REFINEMENTS["paper"]), 20)
    np.testing.assert_allclose(found, converged_frequencies(), rtol=0.03)
    assert np.all(found > converged_frequencies())  # displacement elements are too stiff


@pytest.mark.parametrize("clamped", [False, True])
def test_harmonics_and_the_whole_mesh_give_the_same_frequencies(clamped):
    found = frequencies_by_harmonics(wheelset_mesh(), 20, held_at=1.1 if clamped else np.inf)
    np.testing.assert_allclose(found, linear(clamped, 0.0)[:20], rtol=1e-6)


def test_harmonics_of_a_mesh_without_a_section_at_the_lowest_point():
    mesh = wheelset_mesh(refinement=replace(REFINEMENTS["coarse"], sectors=6))
    np.testing.assert_allclose(frequencies_by_harmonics(mesh, 4), frequencies(mesh, FormulationOptions(), 4), rtol=1e-6)


@pytest.mark.parametrize("kind", ["hex8", "hex20", "wedge15", "tet10"])
def test_slender_beam_bends_and_stretches_as_theory(kind):
    """Free-free Timoshenko beam 40 x 1 x 1 (kappa = 10(1+nu)/(12+11nu)) and bar theory, first three bending pairs."""
    steel = Material(2.1e11, 0.3, 7850.0)
    cells = {"hex8": (60, 2, 2), "hex20": (20, 2, 1)}.get(kind, (24, 1, 1))  # reduced hex20 needs two abreast
    mesh = box_mesh(kind, cells, (40.0, 1.0, 1.0), material=steel)
    found = frequencies(mesh, FormulationOptions(), 14)
    bending = timoshenko_free_free(40.0, 1.0, steel, 3)
    axial = np.sqrt(2.1e11 / 7850) / 80
    pairs = found[np.r_[0:6]]
    np.testing.assert_allclose(pairs, np.repeat(bending, 2), rtol=1e-2)  # discretization: one or two elements across
    assert np.min(np.abs(found / axial - 1)) < 3e-3


def timoshenko_free_free(length, side, material, count):
    """Roots of the exact frequency equation, by the determinant of the end conditions."""
    e, nu, rho = material.youngs_modulus, material.poissons_ratio, material.density
    g, kappa = e / (2 * (1 + nu)), 10 * (1 + nu) / (12 + 11 * nu)
    area, inertia = side**2, side**4 / 12

    def determinant(omega):
        # w = sum a_k exp(lambda_k x), lambda from the dispersion relation; shear force and moment zero at both ends
        a = e * inertia
        b = rho * inertia * omega**2 + e * inertia * rho * omega**2 / (kappa * g)
        c = (rho * inertia * omega**2 / (kappa * g * area) - 1) * rho * area * omega**2
        lam = np.roots([a, 0, b, 0, c]).astype(complex)
        ratio = lam + rho * omega**2 / (kappa * g * lam)  # rotation / deflection
        rows = [ratio * lam, lam - ratio]
        ends = [r * np.exp(lam * x) for x in (0.0, length) for r in rows]
        value = np.linalg.det(np.array(ends))
        return value / np.exp(np.abs(lam.real).max() * length)

    roots, grid = [], 2 * np.pi * np.linspace(0.3, 60.0, 6000)
    values = np.array([determinant(w) for w in grid])
    part = values.real if np.abs(values.real).max() > np.abs(values.imag).max() else values.imag
    for k in np.flatnonzero(np.sign(part[1:]) != np.sign(part[:-1])):
        roots.append((grid[k] - part[k] * (grid[k + 1] - grid[k]) / (part[k + 1] - part[k])) / (2 * np.pi))
    return np.array(roots[:count])


def test_modes_are_mass_orthonormal_eigenvectors_and_pairs_are_complete():
    mesh = wheelset_mesh()
    stiffness, mass = assemble(mesh)
    hz, shapes = natural_modes(stiffness, mass, 26)
    np.testing.assert_allclose(shapes.T @ (mass @ shapes), np.eye(26), atol=1e-10)
    assert hz[5] < 1e-2 < 60 < hz[6]  # six rigid modes, then torsion
    residual = stiffness @ shapes - (mass @ shapes) * (2 * np.pi * hz) ** 2
    scale = np.linalg.norm((mass @ shapes) * (2 * np.pi * hz) ** 2, axis=0)[6:]
    assert np.max(np.linalg.norm(residual, axis=0)[6:] / scale) < 1e-5
    np.testing.assert_allclose(hz[7], hz[8], rtol=1e-9)
    np.testing.assert_allclose(hz[14:17], hz[17], rtol=1e-6)  # four n = 2 disc modes of two equal wheels
    limit = np.sqrt(hz[17] * hz[18])
    low, own = natural_modes(stiffness, mass, 26, below=limit)
    assert len(low) == 18  # those below the limit, none of the others
    np.testing.assert_allclose(low[6:], hz[6:18], rtol=1e-9)
    np.testing.assert_allclose(own.T @ (mass @ own), np.eye(18), atol=1e-8)  # the last inversion keeps them so


def test_small_problems_take_the_dense_way_to_the_same_numbers():
    mesh = box_mesh("hex8", (3, 3, 3))
    stiffness, mass = assemble(mesh)
    hz, shapes = natural_modes(stiffness, mass, 10, exclude=rigid_modes(mesh.nodes))
    free, _ = natural_modes(stiffness, mass, 16)
    np.testing.assert_allclose(free[6:], hz, rtol=1e-9)
    np.testing.assert_allclose(shapes.T @ (mass @ shapes), np.eye(10), atol=1e-10)
    with pytest.raises(MeshError, match="modes asked for"):
        natural_modes(stiffness, mass, 1000)
