"""Routes of a reduction: by Fourier orders, by the sectors of an n-fold mesh, by the sparse solver.

All give the same modes, rows and tables. A mesh of revolution takes seconds, one of n sectors a fraction of the time
of any other mesh, which takes minutes at the size of the paper's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import MeshError
from flexwheel.body.assembly import assemble
from flexwheel.body.attached_mass import attached_matrix, mass_points
from flexwheel.body.control_errors import home_errors
from flexwheel.body.control_rings import RingOperator, phase_factors, rows_on_mesh
from flexwheel.body.cyclic import SectorMatrix, amplitude_count, whole_scalar_mass
from flexwheel.body.cyclic_modes import HarmonicModes, cyclic_modes, full_amplitudes
from flexwheel.body.free_surface import FreeSurface
from flexwheel.body.general_modes import Truncated, general_modes, truncated
from flexwheel.body.invariants import scalar_mass_matrix
from flexwheel.body.mesh import Mesh
from flexwheel.body.mesh_error import cyclic_frequency_errors, frequency_errors, n_fold_frequency_errors
from flexwheel.body.modal_basis import ModalBasis
from flexwheel.body.press_fit import press_fits
from flexwheel.body.prestress import cyclic_prestress, general_prestress
from flexwheel.body.revolution import Revolution, detect_revolution, submesh
from flexwheel.body.surface import outer_surface
from flexwheel.body.surface_fields import cyclic_surface, general_surface, surface_rings
from flexwheel.body.symmetry_route import SYMMETRY_ROUTES
from flexwheel.body.tread_compliance import material_at, spread_load
from flexwheel.body.tread_field import NearNodes
from flexwheel.body.truncation_residual import Residual, cyclic_residual, general_residual, no_residual


class Wanted(NamedTuple):
    """What is reduced on a mesh, and what is asked of it."""

    interfaces: tuple
    treads: tuple
    rings: list
    options: object
    say: Callable[[str], None]  # called with one line before each longer part
    with_surface: bool  # tables of surface_modes
    free: FreeSurface


@dataclass(frozen=True)
class ReductionParts:
    """What the two routes hand to the assembly of the reduced body."""

    modal: ModalBasis
    scalar_mass: object
    geometric: np.ndarray
    ring_rows: np.ndarray  # (C, S, 9, H)
    error_rows: np.ndarray  # (C, 6, H) of the estimated error of the stress at the control nodes, section frame
    residual: Residual
    centrifugal: np.ndarray  # (C, S, 9) residual of the centrifugal load at 1 rad/s
    prestress: np.ndarray  # (C, S, 6) of the press fits
    route: str
    said: list[str]  # for the audit
    surface: dict  # optional tables of surface_modes at all nodes; empty where not asked for
    partner: np.ndarray | None = (
        None  # (H,) other member of each mode's pair, itself where there is none; None: unknown
    )


def symmetry_of_revolution(mesh: Mesh, route: str) -> tuple[Revolution | None, str]:
    """As `detect_revolution`; route "cyclic" refuses a mesh that is neither of revolution nor n-fold."""
    revolution, reason = detect_revolution(mesh)
    if revolution is None and route == "cyclic":
        found = {name: by.detect(mesh) for name, by in SYMMETRY_ROUTES.items()}
        if not any(symmetry for symmetry, _ in found.values()):
            others = "; ".join(why for _, why in found.values())
            raise MeshError(f"route = 'cyclic', but the mesh is not of revolution about y: {reason}; {others}")
    return revolution, reason


def chosen_symmetry(mesh, revolution, interfaces, options) -> tuple[object, list[str]]:
    """Symmetry by which a mesh is reduced, None for the sparse solver, and lines for the audit."""
    if options.route == "general" or options.press_fits or revolution is not None:
        return revolution if options.route != "general" and not options.press_fits else None, []
    for by in SYMMETRY_ROUTES.values():
        symmetry, reason = by.detect(mesh)
        if symmetry is None:
            continue
        missing = by.missing(symmetry, interfaces, options)
        if missing and options.route == "cyclic":
            raise MeshError(f"route = 'cyclic', mesh {reason}: {missing}; take route = 'general'")
        return (None if missing else symmetry), [f"{reason}; by the sparse solver: {missing}" if missing else reason]
    return None, []


def reduced_parts(mesh, symmetry, wanted: Wanted) -> ReductionParts:
    """ReductionParts by the route of a symmetry."""
    if symmetry is None:
        return _by_sparse_solver(mesh, symmetry, wanted)
    return (_by_harmonics if isinstance(symmetry, Revolution) else symmetry.route.parts)(mesh, symmetry, wanted)


def mesh_errors(mesh, symmetry, parts, complete, options) -> np.ndarray:
    """(H,) of `frequency_errors` for the modes that the basis has of the mesh, nan for the others."""
    modal = parts.modal
    out = np.full(len(modal.frequency), np.nan)
    held = np.flatnonzero(modal.frequency < complete)
    if len(held) == 0:
        return out
    if parts.partner is not None:
        out[held] = n_fold_frequency_errors(mesh, symmetry, modal, held, parts.partner, options.formulation)
    elif isinstance(symmetry, Revolution):
        out[held] = cyclic_frequency_errors(mesh, symmetry, modal, held, options.formulation)
    else:
        out[held] = frequency_errors(mesh, modal.shapes[..., held], modal.frequency[held], options.formulation)
    return out


def _by_harmonics(mesh, revolution, wanted: Wanted) -> ReductionParts:
    """The cyclic route: one sector, one small problem per circumferential order."""
    interfaces, treads, rings, options, say, with_surface, free = wanted
    say("stiffness and mass of one sector")
    sector, nodes = submesh(mesh, revolution.sector_elements)
    stiffness, mass = assemble(sector, options.formulation)
    folded_k, folded_m = (SectorMatrix(revolution, nodes, a) for a in (stiffness, mass))
    say("modes by circumferential order")
    modal, harmonics = cyclic_modes(revolution, folded_k, folded_m, interfaces, options.coupling, options.choice)
    on_surface, on_axle = surface_rings(outer_surface(mesh, free.faces), revolution) if with_surface else ([], [])
    operator = RingOperator(mesh, revolution, rings + on_surface + rings, options.formulation, free, len(rings))
    if options.residual:
        say(f"static residual, {revolution.sections // 2 + 1} orders")
        residual = cyclic_residual(
            revolution, folded_k, folded_m, harmonics, interfaces, options.coupling, treads, _loads(mesh, treads),
            operator, len(rings), NearNodes(mesh, revolution, treads, rings),
        )  # fmt: skip
    else:
        residual = no_residual(treads, rings, interfaces)
    rows = _ring_rows(revolution, operator, harmonics, len(modal.frequency))
    geometric, spun = cyclic_prestress(revolution, sector, nodes, folded_k, folded_m, harmonics, interfaces, options)
    centrifugal = np.repeat(operator.rows(0, spun)[:, :, 0][:, None], revolution.sections, axis=1) * options.residual
    surface, shown = {}, slice(len(rings), operator.count - len(rings))
    if with_surface:
        say("stress on the surface")
        surface = cyclic_surface(
            mesh, modal, on_surface, on_axle, rows[shown], residual, centrifugal[shown], treads[0].angle, options, free
        )
    own = slice(0, len(rings))
    return ReductionParts(
        modal,
        whole_scalar_mass(revolution, nodes, mass),
        geometric,
        rows[own],
        rows[shown.stop :][np.arange(len(rings)), [r.home for r in rings], 3:],
        residual._replace(tread=residual.tread[own], interface=residual.interface[own]),
        centrifugal[own],
        np.zeros((len(rings), revolution.sections, 6)),
        "cyclic symmetry",
        [],
        surface,
    )


def _by_sparse_solver(mesh, symmetry, wanted: Wanted) -> ReductionParts:
    """The general route: matrices of the whole mesh, one factorization."""
    interfaces, treads, rings, options, say, with_surface, free = wanted
    say(f"stiffness and mass of {len(mesh.nodes)} nodes")
    stiffness, mass = assemble(mesh, options.formulation)
    said, fitted = [], np.zeros((len(mesh.nodes), 3))
    if options.press_fits:
        say("press fits")
        fit = press_fits(mesh, stiffness, options.press_fits)
        said, fitted = fit.said(), fit.displacement
    say(f"modes of {mesh.dof_count} unknowns by the sparse solver")
    modal, general = general_modes(mesh, stiffness, mass, interfaces, options.coupling, options.choice)
    geometric, spun = general_prestress(mesh, mass, general, modal.shapes, options.formulation)
    scalar = scalar_mass_matrix(mass - attached_matrix(mass_points(mesh)) if mesh.has_points else mass)
    found = Found(modal, truncated(general), scalar, geometric, spun, fitted, "sparse solver", said)
    return parts_on_mesh(mesh, found, wanted)


class Found(NamedTuple):
    """Solutions on the nodes of the whole mesh."""

    modal: ModalBasis
    truncated: Truncated
    scalar_mass: object
    geometric: np.ndarray
    spun: np.ndarray  # (N, 3, 1) residual of the centrifugal load at 1 rad/s
    fitted: np.ndarray  # (N, 3) displacement by the press fits
    route: str
    said: list[str]
    fold: object = None  # symmetry of a SymmetryRoute


def parts_on_mesh(mesh: Mesh, found: Found, wanted: Wanted) -> ReductionParts:
    """ReductionParts from solutions on the whole mesh."""
    interfaces, treads, rings, options, say, with_surface, free = wanted
    modal, angle = found.modal, treads[0].angle
    if options.residual:
        say(f"static residual, {9 * len(rings) + 40} solutions")
        residual = general_residual(
            mesh,
            found.truncated,
            interfaces,
            treads,
            _loads(mesh, treads),
            rings,
            options.formulation,
            free,
            found.fold,
        )
    else:
        residual = no_residual(treads, rings, interfaces)
    fields = np.concatenate([modal.shapes, found.spun, found.fitted[..., None]], axis=2)
    rows = rows_on_mesh(mesh, rings, angle, fields, options.formulation, free)
    surface = {}
    if with_surface:
        surface = general_surface(mesh, modal, found.truncated, treads, found.spun, found.fitted, options, free)
    return ReductionParts(
        modal,
        found.scalar_mass,
        found.geometric,
        np.ascontiguousarray(rows[..., :-2]),
        home_errors(mesh, rings, angle, modal.shapes, options.formulation, free),
        residual,
        rows[..., -2] * options.residual,
        rows[..., 3:, -1],
        found.route,
        found.said,
        surface,
    )


def _loads(mesh, treads):
    """Load of each running surface under which its compliance is taken."""
    return tuple(spread_load(tread, material_at(mesh, tread), mesh) for tread in treads)


def _ring_rows(revolution: Revolution, operator: RingOperator, harmonics: list[HarmonicModes], count: int):
    """(C, S, 9, H) motion and stress of the rings per mode."""
    angle = revolution.step * np.arange(revolution.sections)
    out = np.zeros((operator.count, len(angle), 9, count))
    for h in harmonics:
        order = h.tied.block.order
        rows = operator.rows(order, full_amplitudes(h.tied, h.shapes, amplitude_count(revolution, order)))
        for member, phase in enumerate(h.tied.block.phases):
            factor = phase_factors(order, angle, phase)
            out[..., h.place[:, member]] = factor[None, :, :, None] * rows[:, None]
    return out
