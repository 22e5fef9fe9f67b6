"""From a mesh to a reduced wheelset: the whole chapter, two routes.

A mesh of revolution goes by Fourier harmonics (seconds), any other one through the sparse solver (minutes at the size
of the paper's mesh). Both give the same modes, rows and tables.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace

import numpy as np

from flexwheel.base.errors import MeshError, ScenarioError
from flexwheel.body.assembly import assemble
from flexwheel.body.attached_mass import attached_matrix, mass_points, with_points
from flexwheel.body.control_errors import control_errors, home_errors
from flexwheel.body.control_node import UNASKED
from flexwheel.body.control_rings import (
    RingOperator,
    phase_factors,
    ring_tables,
    rows_on_mesh,
    select_rings,
    turned_places,
)
from flexwheel.body.coupling import COUPLINGS
from flexwheel.body.craig_bampton import ModeChoice
from flexwheel.body.cyclic import SectorMatrix, amplitude_count, whole_scalar_mass
from flexwheel.body.cyclic_modes import HarmonicModes, cyclic_modes, full_amplitudes
from flexwheel.body.digest import reduction_key
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.free_surface import FreeSurface, free_surface
from flexwheel.body.general_modes import general_modes
from flexwheel.body.interfaces import bearing_centre, find_interfaces, interface_rows
from flexwheel.body.invariants import inertia_invariants, mass_centre_inertia, scalar_mass_matrix
from flexwheel.body.mesh import Mesh
from flexwheel.body.mesh_error import cyclic_frequency_errors, frequency_errors
from flexwheel.body.modal_basis import ModalBasis
from flexwheel.body.press_fit import PressFit, press_fits
from flexwheel.body.prestress import cyclic_prestress, general_prestress
from flexwheel.body.reduced_body import ABOUT_AXLE, ReducedBody, Tread
from flexwheel.body.reduction_audit import complete_hz, corner_lines, reduction_audit
from flexwheel.body.reduction_memory import require_reduction_memory
from flexwheel.body.revolution import Revolution, detect_revolution, placed_on_lowest_point, submesh
from flexwheel.body.rotation_map import order_and_generator, step_map
from flexwheel.body.section_outline import section_outline
from flexwheel.body.submodel import with_submodels
from flexwheel.body.surface import SurfaceModes, outer_surface, surface_modes
from flexwheel.body.surface_fields import cyclic_surface, general_surface, surface_rings
from flexwheel.body.tread import TreadNodes, TreadOptions, find_treads, node_rows, profile_operator
from flexwheel.body.tread_compliance import bounded_below, material_at, spread_load
from flexwheel.body.tread_field import NearNodes
from flexwheel.body.truncation_residual import Residual, cyclic_residual, general_residual, no_residual

ROUTES = ("auto", "cyclic", "general")


@dataclass(frozen=True)
class ReductionOptions:
    """Choices of a reduction; all enter the key under which it is cached."""

    fixed_interface_modes: int | None = None  # the nearest count that splits no pair is taken; None: by modes_up_to_hz
    modes_up_to_hz: float = 2000.0  # all free modes below, beside the constraint modes; idle beside a number
    exact_below_hz: float = 1300.0  # of a number: modes below are those of the full mesh; 0: none (paper 004)
    damping_ratio: float = 0.01
    coupling: str = "averaging"  # | "rigid"
    interfaces: str | tuple[str, str] = "journals"  # | "end_faces" | two node sets, left first
    journal_range: tuple[float, float] = (0.915, 1.10)  # [m] |y| of the journals, where the mesh has no node sets
    route: str = "auto"  # | "cyclic" | "general"
    formulation: FormulationOptions = field(default_factory=FormulationOptions)
    tread: TreadOptions = field(default_factory=TreadOptions)
    control: tuple = UNASKED[0]  # ControlNode, name, id or (x, y, z)
    control_tolerance: float = 5e-3  # [m] from the place asked for to the control node taken
    residual: bool = True  # False: modes only
    press_fits: tuple[PressFit, ...] = ()
    submodel: bool = False  # stress of the control nodes from split elements around them

    def __post_init__(self):
        if self.route not in ROUTES:
            raise ScenarioError(f"route must be one of {', '.join(ROUTES)}, got {self.route!r}")
        if self.coupling not in COUPLINGS:
            raise ScenarioError(f"coupling must be one of {', '.join(COUPLINGS)}, got {self.coupling!r}")
        number = self.fixed_interface_modes
        if number is not None and not (isinstance(number, int) and number >= 0):
            raise ScenarioError(f"fixed_interface_modes must be 0, 1, 2 ..., got {self.fixed_interface_modes!r}")
        if not 0 <= self.damping_ratio < 1:
            raise ScenarioError(f"damping_ratio must be a number from 0 to below 1, got {self.damping_ratio!r}")
        if not (np.isfinite(self.exact_below_hz) and self.exact_below_hz >= 0):
            raise ScenarioError(f"exact_below_hz must be a frequency or 0, got {self.exact_below_hz!r}")
        if not (np.isfinite(self.modes_up_to_hz) and self.modes_up_to_hz > 0):
            raise ScenarioError(f"modes_up_to_hz must be a frequency, got {self.modes_up_to_hz!r}")

    @property
    def choice(self) -> ModeChoice:
        """Which modes are taken."""
        return ModeChoice(self.fixed_interface_modes, self.modes_up_to_hz, self.exact_below_hz)


@dataclass(frozen=True)
class WheelsetShapes:
    """Fields of a reduction on the whole mesh, for pictures and checks; not cached."""

    mesh: Mesh  # as placed: a section plane of a mesh of revolution at the lowest point
    origin: np.ndarray  # (3,) of the body frame, mesh coordinates [m]
    modes: ModalBasis
    free: FreeSurface


@dataclass(frozen=True)
class _Parts:
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


def reduce_wheelset(
    mesh: Mesh, options: ReductionOptions | None = None, name: str = "wheelset", progress=None
) -> ReducedBody:
    """Reduced flexible wheelset.

    Parameters
    ----------
    mesh : Mesh                      axle along y, left wheel at y > 0, axle at x = z = 0
    options : ReductionOptions
    name : str
    progress : function(str), optional   called with one line before each longer part

    Returns
    -------
    ReducedBody

    Raises
    ------
    MeshError                        no tread nodes, no interface nodes, unknown control node, route "cyclic" for a
                                     mesh that is not of revolution, two bodies
    ConvergenceError                 an eigenvalue problem failed

    Source: paper 004, sections 2.1, 2.4, 2.6; Craig, Bampton 1968.
    Verified in tests/verification/test_reduction_verified.py and test_reduction_residual.py.
    """
    return _reduced(mesh, options, name, progress, False)[0]


def reduce_with_shapes(
    mesh: Mesh, options: ReductionOptions | None = None, name: str = "wheelset", progress=None
) -> tuple[ReducedBody, WheelsetShapes]:
    """As `reduce_wheelset`, with the mode shapes on the whole mesh."""
    return _reduced(mesh, options, name, progress, False)[:2]


def reduce_with_surface(
    mesh: Mesh, options: ReductionOptions | None = None, name: str = "wheelset", progress=None
) -> tuple[ReducedBody, SurfaceModes]:
    """As `reduce_wheelset`, with motion and stress of the modes on the outer surface.

    Further shapes there: families "constraint" and "fixed_interface" of the Craig-Bampton basis.
    """
    body, shapes, tables = _reduced(mesh, options, name, progress, True)
    modal, count = shapes.modes, shapes.mesh.dof_count
    families = {"constraint": modal.constraint_shapes, "fixed_interface": modal.fixed_shapes}
    surface = surface_modes(
        shapes.mesh,
        shapes.origin,
        modal.shapes.reshape(count, -1),
        modal.frequency,
        modal.order,
        surface=outer_surface(shapes.mesh, shapes.free.faces),
        name=name,
        key=body.key,
        families={k: v.reshape(count, -1) for k, v in families.items()},
        family_hz={
            "constraint": np.full(modal.constraint_shapes.shape[-1], np.nan),
            "fixed_interface": modal.fixed_frequency,
        },
        **tables,
    )
    return body, surface


def _reduced(mesh, options, name, progress, with_surface):
    """(body, shapes, surface tables); the chapter itself."""
    options = options or ReductionOptions()
    say = progress or (lambda line: None)
    key = reduction_key(mesh, options)
    revolution, reason = _revolution(mesh, options)
    outline = None
    audit = [ABOUT_AXLE + reason]
    if revolution is not None:
        if revolution.first:
            audit.append(
                f"turned by {np.degrees(-revolution.first):.6g} degrees about y: a section plane at the bottom"
            )
            mesh = replace(mesh, nodes=placed_on_lowest_point(mesh, revolution))
            options = replace(options, control=turned_places(options.control, -revolution.first))
        outline = section_outline(mesh, revolution)
    treads = find_treads(mesh, revolution, outline, options.tread)
    interfaces = find_interfaces(mesh, options.interfaces, options.journal_range)
    asked = options.control not in UNASKED
    rings, said = select_rings(mesh, revolution, outline, treads, options.control, options.control_tolerance, asked)
    audit += said
    by_harmonics = revolution is not None and options.route != "general" and not options.press_fits
    require_reduction_memory(mesh, by_harmonics, options.modes_up_to_hz)
    route = _by_harmonics if by_harmonics else _by_sparse_solver
    free = free_surface(mesh, np.concatenate([t.nodes.ravel() for t in treads] + [i.nodes for i in interfaces]))
    if options.submodel:
        say(f"submodels of {len(rings)} control nodes")
        rings, free, said = with_submodels(mesh, rings, by_harmonics, options.formulation, free)
        audit += said
    parts = route(mesh, revolution, interfaces, treads, rings, options, say, with_surface, free)
    say("invariants and rows")
    modal, rotation = parts.modal, None
    scalar_mass, positions, moved = with_points(mesh, parts.scalar_mass, modal.shapes)
    mass, centre, inertia = mass_centre_inertia(scalar_mass, positions)
    weighted = (scalar_mass @ moved.reshape(len(moved), -1)).reshape(moved.shape)
    origin = np.array([0.0, 0.5 * (treads[0].lateral + treads[1].lateral), 0.0])
    if revolution is not None:
        rotation = step_map(revolution, modal.shapes, weighted)  # it carries no mass points
        if not by_harmonics:
            order, generator = order_and_generator(rotation.matrix, revolution.step)
            modal = replace(modal, order=order, generator=generator)
    count = len(modal.frequency)
    complete = complete_hz(modal, options)
    control = ring_tables(
        mesh, origin, rings, parts.ring_rows, parts.residual, parts.centrifugal, prestress=parts.prestress,
        stress_error=control_errors(rings, parts, treads, interfaces), corner=free.turn_at([r.row for r in rings]),
    )  # fmt: skip
    body = ReducedBody(
        name=name,
        key=key,
        options=asdict(options),
        mass=mass,
        centre=centre,
        inertia=inertia,
        frequency_hz=modal.frequency,
        damping_ratio=np.full(count, options.damping_ratio),
        order=modal.order,
        generator=modal.generator,
        closure_defect=np.nan if rotation is None else rotation.defect,
        sector_angle=0.0 if revolution is None else revolution.step,
        sector_map=np.zeros((count, count)) if rotation is None else rotation.matrix,
        invariants=inertia_invariants(scalar_mass, positions - origin, moved, weighted, mass * (centre - origin)),
        geometric_stiffness=parts.geometric,
        interface_position=np.array([bearing_centre(i, origin) for i in interfaces]),
        interface_rows=np.array([interface_rows(i, modal.shapes) for i in interfaces]),
        treads=tuple(
            _tread(t, origin, modal.shapes, bounded_below(c)[0])
            for t, c in zip(treads, parts.residual.compliance, strict=True)
        ),
        control=control,
        mesh_error=_mesh_error(mesh, revolution, modal, complete, options),
        complete_hz=complete,
        near=parts.residual.near._replace(across=parts.residual.near.across - origin[1]),
        audit=(),
    )
    audit += parts.said + corner_lines(mesh, free)
    audit += reduction_audit(body, modal, parts.route, interfaces, rings, parts.residual, options)
    body = replace(body, audit=tuple(audit))
    return body, WheelsetShapes(mesh, origin, modal, free), parts.surface


def _mesh_error(mesh, revolution, modal, complete, options):
    """(H,) of `frequency_errors` for the modes that the basis has of the mesh, nan for the others."""
    out = np.full(len(modal.frequency), np.nan)
    held = np.flatnonzero(modal.frequency < complete)
    if len(held) == 0:
        return out
    if revolution is None:
        out[held] = frequency_errors(mesh, modal.shapes[..., held], modal.frequency[held], options.formulation)
    else:
        out[held] = cyclic_frequency_errors(mesh, revolution, modal, held, options.formulation)
    return out


def _revolution(mesh: Mesh, options: ReductionOptions) -> tuple[Revolution | None, str]:
    revolution, reason = detect_revolution(mesh)
    if revolution is None and options.route == "cyclic":
        raise MeshError(f"route = 'cyclic', but the mesh is not of revolution about y: {reason}")
    return revolution, reason


def _by_harmonics(mesh, revolution, interfaces, treads, rings, options, say, with_surface, free) -> _Parts:
    """The cyclic route: one sector, one small problem per circumferential order."""
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
    return _Parts(
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


def _by_sparse_solver(mesh, revolution, interfaces, treads, rings, options, say, with_surface, free) -> _Parts:
    """The general route: matrices of the whole mesh, one factorization."""
    say(f"stiffness and mass of {len(mesh.nodes)} nodes")
    stiffness, mass = assemble(mesh, options.formulation)
    said, fitted = [], np.zeros((len(mesh.nodes), 3))
    if options.press_fits:
        say("press fits")
        fit = press_fits(mesh, stiffness, options.press_fits)
        said, fitted = fit.said(), fit.displacement
    say(f"modes of {mesh.dof_count} unknowns by the sparse solver")
    modal, general = general_modes(mesh, stiffness, mass, interfaces, options.coupling, options.choice)
    if options.residual:
        say(f"static residual, {9 * len(rings) + 40} solutions")
        residual = general_residual(
            mesh, general, interfaces, treads, _loads(mesh, treads), rings, options.formulation, free
        )
    else:
        residual = no_residual(treads, rings, interfaces)
    geometric, spun = general_prestress(mesh, mass, general, modal.shapes, options.formulation)
    angle = treads[0].angle
    return _Parts(
        modal,
        scalar_mass_matrix(mass - attached_matrix(mass_points(mesh)) if mesh.masses else mass),
        geometric,
        rows_on_mesh(mesh, rings, angle, modal.shapes, options.formulation, free),
        home_errors(mesh, rings, angle, modal.shapes, options.formulation, free),
        residual,
        rows_on_mesh(mesh, rings, angle, spun, options.formulation, free)[..., 0] * options.residual,
        rows_on_mesh(mesh, rings, angle, fitted[..., None], options.formulation, free)[:, :, 3:, 0],
        "sparse solver",
        said,
        general_surface(mesh, modal, general, treads, spun, fitted, options, free) if with_surface else {},
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


def _tread(tread: TreadNodes, origin: np.ndarray, shapes: np.ndarray, compliance: np.ndarray) -> Tread:
    rows = node_rows(tread, shapes)
    sections, points, _, modes = rows.shape
    operator = profile_operator(tread.profile, tread.lateral, tread.radius)
    return Tread(
        side=tread.side,
        radius=tread.radius,
        lateral=tread.lateral - origin[1],
        angle=tread.angle,
        profile=tread.profile - np.array([origin[1], 0.0]),
        node_rows=rows,
        profile_rows=operator @ rows.reshape(sections, 3 * points, modes),
        residual_compliance=compliance,
    )
