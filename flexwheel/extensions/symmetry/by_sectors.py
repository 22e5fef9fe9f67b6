"""Reduction of an n-fold mesh by the harmonics of one sector."""

from dataclasses import replace

import numpy as np

from flexwheel.body.geometric_stiffness import geometric_stiffness
from flexwheel.body.mesh import Mesh
from flexwheel.body.reduction_routes import Found, ReductionParts, Wanted, parts_on_mesh
from flexwheel.body.symmetry_route import SymmetryRoute
from flexwheel.extensions.symmetry.n_fold import NFold, detect_n_fold
from flexwheel.extensions.symmetry.n_fold_modes import HarmonicShapes, n_fold_modes, partners, whole_rings
from flexwheel.extensions.symmetry.sector import (
    Harmonic,
    Sector,
    amplitudes_of,
    copies_of,
    harmonics_of,
    on_mesh,
    sector_matrices,
)


def by_sectors(mesh: Mesh, fold: NFold, wanted: Wanted) -> ReductionParts:
    """The route of an n-fold mesh: one sector factorized, its harmonics one by one."""
    interfaces, options, say = wanted.interfaces, wanted.options, wanted.say
    say(f"stiffness and mass of one of {fold.sections} sectors")
    sector = sector_matrices(mesh, fold, options.formulation)
    harmonics = harmonics_of(sector, mesh.nodes)
    say(f"modes of {mesh.dof_count} unknowns by {len(harmonics)} harmonics")
    modal, left, members, scalar = n_fold_modes(mesh, sector, harmonics, interfaces, options.choice)
    geometric, spun = n_fold_prestress(mesh, sector, harmonics, members, options.formulation)
    fitted = np.zeros((len(mesh.nodes), 3))
    found = Found(modal, left, scalar, geometric, spun, fitted, f"{fold.sections}-fold symmetry", [], fold)
    parts = parts_on_mesh(mesh, found, wanted)
    return replace(parts, partner=partners(members))


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


def missing(fold: NFold, interfaces, options) -> str:
    """What this route cannot do, "" where nothing."""
    if options.coupling != "averaging":
        return f"coupling = {options.coupling!r}, by sectors 'averaging' alone"
    return "" if whole_rings(fold, interfaces) else "the nodes of an interface are not the same in every sector"


def found(mesh: Mesh):
    """As `detect_n_fold`, with this route."""
    fold, reason = detect_n_fold(mesh)
    return fold and replace(fold, route=N_FOLD), reason


N_FOLD = SymmetryRoute("n_fold", found, missing, by_sectors)
