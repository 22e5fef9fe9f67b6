"""Centrifugal load of 1 rad/s about the axle: geometric stiffness of its prestress, reduced to the modes, and what its
static response has beyond them."""

import numpy as np

from flexwheel.body.bordered import bordered_solver
from flexwheel.body.cyclic import COSINE, SectorMatrix, amplitude_count, harmonic_rows
from flexwheel.body.cyclic_modes import HarmonicModes, full_amplitudes, rigid_coordinates, tied_blocks
from flexwheel.body.general_modes import GeneralModes
from flexwheel.body.geometric_stiffness import centrifugal_load, geometric_stiffness
from flexwheel.body.mesh import Mesh
from flexwheel.body.n_fold_modes import HarmonicShapes
from flexwheel.body.revolution import Revolution
from flexwheel.body.sector import Harmonic, Sector, amplitudes_of, copies_of, on_mesh


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


def n_fold_prestress(mesh: Mesh, sector: Sector, harmonics: list[Harmonic], members: list[HarmonicShapes], formulation):
    """As `general_prestress` by the harmonics of a sector: its prestress is the same in all of them."""
    whole = harmonics[0]
    arms = np.sqrt(sector.fold.sections) * mesh.nodes * [1.0, 0.0, 1.0]
    load = whole.mass @ amplitudes_of(sector, 0, arms[..., None])
    response = whole.solve(load)
    displacement = (copies_of(sector, 0, sector.nodes) @ response)[:, 0] / np.sqrt(sector.fold.sections)
    matrix = geometric_stiffness(sector.mesh, displacement, formulation)
    count = sum(m.place.size for m in members)
    out = np.zeros((count, count))
    for m in members:
        copies = copies_of(sector, m.order, sector.nodes) @ m.shapes
        reduced = copies.conj().T @ (matrix @ copies)
        reduced = (reduced + reduced.conj().T) / 2
        for member in m.place.T:
            out[np.ix_(member, member)] = reduced.real
        if m.place.shape[1] == 2:
            cosine, sine = m.place.T
            out[np.ix_(cosine, sine)], out[np.ix_(sine, cosine)] = reduced.imag, -reduced.imag
        if m.order == 0:
            response = response - m.shapes @ ((m.shapes.T @ load) / (2 * np.pi * m.frequency[:, None]) ** 2)
    return out, on_mesh(sector, 0, response)
