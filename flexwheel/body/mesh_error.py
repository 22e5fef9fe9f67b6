"""How far the modes of a mesh are from those of the body: an estimate from the jumps of stress between elements.

The stress of a displacement model jumps from element to element; the averaged nodal field is nearer to the truth. The
energy of the difference, e^T K e, is what the mesh lacks, and by Rayleigh's quotient the eigenvalue is too high by it:

    (f_h - f) / f = e^T K e / (2 omega^2)        shapes with modal mass 1

The estimate sees what smaller elements would change, not geometry that the mesh leaves out (a corner for a
fillet).

Source: Zienkiewicz, Zhu 1987, International Journal for Numerical Methods in Engineering 24(2), eqs (7)-(12).
Verified in tests/verification/test_mesh_error_verified.py.
"""

import numpy as np

from flexwheel.body import quadrature
from flexwheel.body.assembly import lame_parameters
from flexwheel.body.elements import LINEAR_KIND, shape_functions
from flexwheel.body.mesh import Mesh
from flexwheel.body.revolution import Revolution, elements_around, submesh
from flexwheel.body.stress import element_stress, nodal_stress

SAME_HZ = 1e-6  # of the frequency: modes that close belong to a pair, as the reduction makes them
RULES = {
    "hex8": quadrature.cube(2),
    "wedge6": quadrature.wedge(3, 2),
    "tet4": quadrature.tetrahedron(4),
    "pyramid5": quadrature.pyramid(2),
}
"""Rules for the square of a linear field: the corners hold it."""
LEAST_HZ = 1e-3  # below, a shape is a rigid motion


def frequency_errors(mesh: Mesh, shapes, frequency, options=None) -> np.ndarray:
    """Estimated relative error of natural frequencies, positive: the mesh is too stiff.

    Parameters
    ----------
    mesh : Mesh
    shapes : (N, 3, L) float    modal mass 1
    frequency : (L,) float [Hz]
    options : FormulationOptions

    Returns
    -------
    (L,) float      nan for rigid motions
    """
    fields = np.asarray(shapes, dtype=float).reshape(mesh.dof_count, -1)
    everything = tuple(np.arange(len(block.connectivity)) for block in mesh.blocks)
    return _relative(_jump_energy(mesh, fields, everything, options), frequency)


def cyclic_frequency_errors(mesh: Mesh, revolution: Revolution, modal, held, options=None) -> np.ndarray:
    """As `frequency_errors`, for a mesh of revolution, from the elements of one sector.

    The energy of a pair (cos n, sin n) is the same in all sectors. modal: ModalBasis; held (L,): those of its modes
    that are asked for.
    """
    energy = _sector_energy(mesh, revolution, modal.shapes[..., held], options)
    frequency, order = modal.frequency[held], modal.order[held]
    for k in range(len(energy) - 1):
        near = abs(frequency[k + 1] - frequency[k]) <= SAME_HZ * frequency[k + 1]
        if order[k] > 0 and order[k] == order[k + 1] and near:
            energy[k : k + 2] = energy[k : k + 2].mean()
    return _relative(energy, frequency)


def n_fold_frequency_errors(mesh: Mesh, fold, modal, held, partner, options=None) -> np.ndarray:
    """As `cyclic_frequency_errors`, for an NFold; partner (H,): other member of each mode's pair, or itself."""
    energy = np.zeros(len(modal.frequency))
    energy[held] = _sector_energy(mesh, fold, modal.shapes[..., held], options)
    return _relative(0.5 * (energy + energy[partner])[held], modal.frequency[held])


def _sector_energy(mesh, symmetry, shapes, options):
    """As _jump_energy of fields (N, 3, L), from one sector of a Revolution or NFold."""
    touched = [b.connectivity[rows].ravel() for b, rows in zip(mesh.blocks, symmetry.sector_elements, strict=True)]
    wide = elements_around(mesh, np.unique(np.concatenate(touched)))
    around, used = submesh(mesh, wide)
    kept = [rows for rows in wide if len(rows)]
    own = [rows for rows, some in zip(symmetry.sector_elements, wide, strict=True) if len(some)]
    inside = tuple(np.searchsorted(some, rows) for some, rows in zip(kept, own, strict=True))
    return symmetry.sections * _jump_energy(around, shapes[used].reshape(3 * len(used), -1), inside, options)


def _relative(energy, frequency):
    omega = 2.0 * np.pi * np.asarray(frequency)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(omega > 2.0 * np.pi * LEAST_HZ, energy / (2.0 * omega**2), np.nan)


def _jump_energy(mesh, fields, selected, options):
    """(L,) energy e^T K e of averaged less element stress over the selected rows of each block."""
    mean = nodal_stress(mesh, fields, options)
    energy = np.zeros(fields.shape[1])
    for block, rows in zip(mesh.blocks, selected, strict=True):
        compliance = _compliance(*lame_parameters(mesh.materials[block.material]))
        rule = RULES[LINEAR_KIND[block.kind]]
        at_points = shape_functions(LINEAR_KIND[block.kind], rule.points)
        corners, share = at_points.shape[1], rule.weights / rule.weights.sum()
        for chunk, stress, volume in element_stress(mesh, block, rows, fields, options):
            nodes = block.connectivity[chunk][:, :corners]
            jump = np.einsum("qn,encl->eqcl", at_points, mean[nodes] - stress[:, :corners])
            density = np.einsum("eqcl,cd,eqdl,q->el", jump, compliance, jump, share, optimize=True)
            energy += volume @ density
    return energy


def _compliance(lame, shear):
    """(6, 6) elastic energy of a stress: s C s is twice the density, shear components once."""
    young = shear * (3.0 * lame + 2.0 * shear) / (lame + shear)
    poisson = 0.5 * lame / (lame + shear)
    out = np.zeros((6, 6))
    out[:3, :3] = (np.eye(3) * (1.0 + poisson) - poisson) / young
    out[3:, 3:] = np.eye(3) / shear
    return out
