"""From a mesh to a reduced wheelset: the whole chapter; its routes stand in reduction_routes."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.body.attached_mass import with_points
from flexwheel.body.control_errors import control_errors
from flexwheel.body.control_node import UNASKED
from flexwheel.body.control_rings import ring_tables, select_rings, turned_places
from flexwheel.body.coupling import COUPLINGS
from flexwheel.body.craig_bampton import ModeChoice
from flexwheel.body.digest import reduction_key
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.free_surface import FreeSurface, free_surface
from flexwheel.body.interfaces import bearing_centre, find_interfaces, interface_rows
from flexwheel.body.invariants import inertia_invariants, mass_centre_inertia
from flexwheel.body.mesh import Mesh
from flexwheel.body.modal_basis import ModalBasis
from flexwheel.body.press_fit import PressFit
from flexwheel.body.reduced_body import ABOUT_AXLE, ReducedBody, Tread
from flexwheel.body.reduction_audit import complete_hz, corner_lines, reduction_audit
from flexwheel.body.reduction_memory import require_reduction_memory
from flexwheel.body.reduction_routes import Wanted, chosen_symmetry, mesh_errors, reduced_parts, symmetry_of_revolution
from flexwheel.body.revolution import placed_on_lowest_point
from flexwheel.body.rotation_map import order_and_generator, step_map
from flexwheel.body.section_outline import section_outline
from flexwheel.body.submodel import with_submodels
from flexwheel.body.surface import SurfaceModes, outer_surface, surface_modes
from flexwheel.body.tread import TreadNodes, TreadOptions, find_treads, node_rows, profile_operator
from flexwheel.body.tread_compliance import bounded_below

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
    revolution, reason = symmetry_of_revolution(mesh, options.route)
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
    symmetry, why = chosen_symmetry(mesh, revolution, interfaces, options)
    audit += why
    if revolution is None and symmetry is not None:
        audit[0] = ABOUT_AXLE + symmetry.why_lagrangian
    require_reduction_memory(mesh, symmetry, options.modes_up_to_hz)
    free = free_surface(mesh, np.concatenate([t.nodes.ravel() for t in treads] + [i.nodes for i in interfaces]))
    if options.submodel:
        say(f"submodels of {len(rings)} control nodes")
        rings, free, said = with_submodels(
            mesh, rings, symmetry is not None and symmetry is revolution, options.formulation, free
        )
        audit += said
    parts = reduced_parts(mesh, symmetry, Wanted(interfaces, treads, rings, options, say, with_surface, free))
    say("invariants and rows")
    modal, rotation = parts.modal, None
    scalar_mass, positions, moved = with_points(mesh, parts.scalar_mass, modal.shapes)
    mass, centre, inertia = mass_centre_inertia(scalar_mass, positions)
    weighted = (scalar_mass @ moved.reshape(len(moved), -1)).reshape(moved.shape)
    origin = np.array([0.0, 0.5 * (treads[0].lateral + treads[1].lateral), 0.0])
    if revolution is not None:
        rotation = step_map(revolution, modal.shapes, weighted)  # it carries no mass points
        if symmetry is not revolution:
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
        sector_angle=getattr(revolution or symmetry, "step", 0.0),
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
        mesh_error=mesh_errors(mesh, symmetry or revolution, parts, complete, options),
        complete_hz=complete,
        near=parts.residual.near._replace(across=parts.residual.near.across - origin[1]),
        audit=(),
    )
    audit += parts.said + corner_lines(mesh, free)
    audit += reduction_audit(body, modal, parts.route, interfaces, rings, parts.residual, options)
    body = replace(body, audit=tuple(audit))
    return body, WheelsetShapes(mesh, origin, modal, free), parts.surface


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
