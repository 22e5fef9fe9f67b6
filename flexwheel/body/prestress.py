"""Centrifugal load of 1 rad/s about the axle: geometric stiffness of its prestress, reduced to the modes, and what its
static response has beyond them."""

import numpy as np

from flexwheel.body.bordered import bordered_solver
from flexwheel.body.cyclic import COSINE, SectorMatrix, amplitude_count, harmonic_rows
from flexwheel.body.cyclic_modes import HarmonicModes, full_amplitudes, rigid_coordinates, tied_blocks
from flexwheel.body.general_modes import GeneralModes
from flexwheel.body.geometric_stiffness import centrifugal_load, geometric_stiffness
from flexwheel.body.mesh import Mesh
from flexwheel.body.revolution import Revolution


def cyclic_prestress(
    revolution: Revolution,
    sector: Mesh,
    nodes: np.ndarray,
    stiffness: SectorMatrix,
    mass: SectorMatrix,
    harmonics: list[HarmonicModes],
    interfaces,
    options,
) -> tuple[np.ndarray, np.ndarray]:
    """Static axisymmetric solution, then one folded matrix per order.

    Returns
    -------
    stiffness : (H, H) [1/s2 per (rad/s)2]
    residual : (A, 1) [m per (rad/s)2]       amplitudes of order 0 of the response less the share of the modes
    """
    tied = tied_blocks(stiffness, mass, interfaces, options.coupling, 0)[0]
    size = amplitude_count(revolution, 0)
    outward = np.zeros(size)
    outward[2 : 3 * revolution.orbits : 3] = -revolution.radius
    load = tied.block.mass @ outward[tied.block.dof]
    if tied.problem.recover is not None:
        load = tied.problem.recover.T @ load
    border = tied.problem.mass @ rigid_coordinates(revolution, tied)
    response = bordered_solver(tied.problem.stiffness, border)(load[:, None])
    displacement = harmonic_rows(revolution, nodes, 0, COSINE) @ full_amplitudes(tied, response, size)[:, 0]
    prestress = SectorMatrix(revolution, nodes, geometric_stiffness(sector, displacement, options.formulation))
    count = sum(h.place.size for h in harmonics)
    out = np.zeros((count, count))
    for order in sorted({h.tied.block.order for h in harmonics}):
        folded = prestress.folded(order)
        members = [h for h in harmonics if h.tied.block.order == order]
        amplitudes = [full_amplitudes(h.tied, h.shapes, folded.shape[0]) for h in members]
        for a, h in zip(amplitudes, members, strict=True):
            reduced = a.T @ (folded @ a)
            for member in range(h.place.shape[1]):
                out[np.ix_(h.place[:, member], h.place[:, member])] = (reduced + reduced.T) / 2
    for h in harmonics:
        if h.tied.block.order == 0 and h.tied.block.phases == tied.block.phases:
            response = response - h.shapes @ ((h.shapes.T @ load) / (2 * np.pi * h.frequency) ** 2)[:, None]
    return out, full_amplitudes(tied, response, size)


def general_prestress(mesh: Mesh, mass, general: GeneralModes, shapes: np.ndarray, formulation):
    """As `cyclic_prestress` by the matrices of the whole mesh; the residual as a field (N, 3, 1)."""
    load = centrifugal_load(mesh, mass)
    recover = general.problem.recover
    response = general.free_solve((load if recover is None else recover.T @ load)[:, None])[:, 0]
    displacement = response if recover is None else recover @ response
    matrix = geometric_stiffness(mesh, displacement, formulation)
    flat = shapes.reshape(len(mesh.nodes) * 3, -1)
    reduced = flat.T @ (matrix @ flat)
    residual = displacement - flat @ ((flat.T @ load) / (2 * np.pi * general.frequency) ** 2)
    return (reduced + reduced.T) / 2, residual.reshape(-1, 3, 1)
