"""From named bodies and wheelsets to the arrays of the compiled step."""

from dataclasses import dataclass, field

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.variables import BODY, PATCH, PATCH_MAX
from flexwheel.body.reduced_body import ReducedBody
from flexwheel.numerics.kernels import handle
from flexwheel.numerics.kernels.lanes import aligned
from flexwheel.vehicle.between_sections import SPLINE, between_sections, section_slopes
from flexwheel.vehicle.elements.columns import Poses
from flexwheel.vehicle.eulerian_map import check_closed
from flexwheel.vehicle.floating_frame import pack_inertia, rigid_inertia
from flexwheel.vehicle.kinematics import make_body_motion, make_track_frames
from flexwheel.vehicle.row_slices import slice_rows, stack_slices
from flexwheel.vehicle.step.iteration_matrix import refresh
from flexwheel.vehicle.step.model import (
    EULERIAN,
    LAGRANGIAN,
    MESH_MODES,
    Units,
    VehicleState,
    Wheelsets,
    Workspace,
)
from flexwheel.vehicle.step.suspension_coupling import make_coupling
from flexwheel.vehicle.step.wheelset_rows import lay_rows
from flexwheel.vehicle.structural import spin_stiffness
from flexwheel.vehicle.tread_contact import DISTRIBUTIONS


@dataclass(frozen=True)
class RigidBody:
    """Free rigid body: car body, bogie frame."""

    name: str
    mass: float  # [kg]
    inertia: np.ndarray  # (3, 3) about the centre [kg m2]
    position: tuple[float, float, float]  # centre: s from the vehicle's reference, y, z above the rails [m]


@dataclass(frozen=True)
class AxleBox:
    """Axle box on a journal; `centre` of mass from the journal centre."""

    mass: float
    inertia: np.ndarray  # (3, 3)
    centre: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class WheelsetSpec:
    """Rigid wheelset (`body` None) or flexible one.

    journal : y of the journal centres of a rigid wheelset, left then right; a flexible one has its interfaces.
    """

    name: str
    position: float  # s from the vehicle's reference [m]
    radius: float  # nominal rolling radius [m]
    lateral: float  # half distance of the profile origins [m]
    body: ReducedBody | None = None
    mass: float = 0.0
    inertia: np.ndarray | None = None
    journal: tuple[float, float] = (1.0, -1.0)
    mesh_mode: str = "eulerian"
    residual: bool = True
    centrifugal: str = "both"
    force_distribution: str = "least_squares"
    between_sections: str = "smooth"  # | "linear"
    axle_boxes: tuple[AxleBox, AxleBox] | None = None
    revolute: bool = True  # the axle boxes have a pitch coordinate
    options: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Assembly:
    """Units and wheelsets with the names that results and suspension elements use."""

    units: Units
    wheelsets: Wheelsets
    unit_names: tuple[str, ...]
    pose_names: tuple[str, ...]
    wheelset_specs: tuple[WheelsetSpec, ...]
    body_specs: tuple[RigidBody, ...]
    element_names: tuple[str, ...] = ()  # force elements in their order in the suspension, where known

    @property
    def coordinate_count(self) -> int:
        return int(self.units.offset[-1])


def assemble_vehicle(bodies, wheelsets) -> Assembly:
    """Units (free bodies first, wheelsets after) and padded wheelset arrays.

    Parameters
    ----------
    bodies : sequence of RigidBody
    wheelsets : sequence of Wheelset     leading one first

    Raises
    ------
    ScenarioError   masses or inertias that are not positive, a mesh mode the wheelset does not support
    """
    names = [b.name for b in bodies] + [w.name for w in wheelsets]
    if len(set(names)) != len(names):
        raise ScenarioError(f"two bodies share a name: {sorted(names)}")
    offset, mass, inertia, row = [0], [], [], []
    for body in bodies:
        _check_inertia(body.name, body.mass, body.inertia)
        offset.append(offset[-1] + 6)
        mass.append(body.mass)
        inertia.append(np.asarray(body.inertia, float))
        row.append(-1)
    for k, w in enumerate(wheelsets):
        h = 0 if w.body is None else len(w.body.frequency_hz)
        m, i = (w.mass, w.inertia) if w.body is None else (w.body.mass, w.body.inertia_about_origin)
        _check_inertia(w.name, m, i)
        pitch = 2 if w.axle_boxes is not None and w.revolute else 0
        offset.append(offset[-1] + 6 + h + pitch)
        mass.append(m)
        inertia.append(np.asarray(i, float))
        row.append(k)
    units = Units(np.array(offset), np.array(row), np.array(mass, float), np.array(inertia))
    boxes = [f"{w.name} axle box {side}" for w in wheelsets for side in ("left", "right")]
    return Assembly(
        units,
        _wheelset_arrays(wheelsets, len(bodies)),
        tuple(names),
        tuple(names + boxes),
        tuple(wheelsets),
        tuple(bodies),
    )


def _check_inertia(name, mass, inertia):
    inertia = np.asarray(inertia, float)
    if not (np.isfinite(mass) and mass > 0.0):
        raise ScenarioError(f"{name}: mass must be a positive number, got {mass!r} kg")
    if inertia.shape != (3, 3) or not np.all(np.isfinite(inertia)) or np.min(np.linalg.eigvalsh(inertia)) <= 0.0:
        raise ScenarioError(f"{name}: inertia must be a positive definite 3 x 3 matrix")


def _wheelset_arrays(wheelsets, first_unit):
    """Padded arrays of all wheelsets."""
    count = len(wheelsets)
    modes = [0 if w.body is None else len(w.body.frequency_hz) for w in wheelsets]
    h = max([1, *modes])
    packed = [
        rigid_inertia(w.mass, w.inertia) if w.body is None else pack_inertia(w.body.invariants) for w in wheelsets
    ]
    spinning = [np.zeros((0, 0)) if w.body is None else spin_stiffness(w.body, w.centrifugal) for w in wheelsets]
    sections = max([1, *(len(w.body.treads[0].angle) for w in wheelsets if w.body is not None)])
    turn_pairs = h // 2 + 1
    distribution = np.array([DISTRIBUTIONS[w.force_distribution] for w in wheelsets])
    nodes = max(
        [1, *(len(w.body.treads[0].profile) for w in wheelsets if w.body and w.force_distribution != "least_squares")]
    )
    between = [None if w.body is None else _between(w) for w in wheelsets]
    splined = any(b is not None and b.rule == SPLINE for b in between)
    slopes = sections if splined else 1
    z = np.zeros
    a = Wheelsets(
        unit=np.arange(count) + first_unit,
        mode_count=np.array(modes),
        mesh_mode=np.full(count, EULERIAN),
        radius=z(count),
        lateral=z((count, 2)),
        frequency=z((count, h)),
        damping=z((count, h)),
        geometric=stack_slices([slice_rows(k[None], 1e-11 * np.abs(k).max(initial=0.0)) for k in spinning]),
        centrifugal=np.zeros(count, dtype=np.int64),
        mass=z(count),
        s_x=z((count, 3)),
        s_h=z((count, 3, h)),
        p_xx=z((count, 3, 3)),
        p_xh=z((count, 3, 3, h)),
        even=stack_slices([p.even for p in packed]),
        odd=stack_slices([p.odd for p in packed]),
        section_count=np.ones(count, dtype=np.int64),
        tread_rows=z((count, 2, sections, 6, h)),
        between=np.zeros(count, dtype=np.int64),
        tread_slopes=z((count, 2, slopes, 6, h)),
        distribution=distribution,
        section_angle=z((count, sections)),
        profile_nodes=z((count, 2, nodes, 2)),
        node_rows=z((count, 2, sections if nodes > 1 else 1, nodes, 3, h)),
        node_slopes=z((count, 2, slopes if nodes > 1 else 1, nodes, 3, h)),
        generator=z((count, h, h)),
        pair=np.full((count, turn_pairs, 2), -1),
        pair_order=z((count, turn_pairs)),
        sector_map=z((count, h, h)),
        sector_angle=np.ones(count),
        residual=z((count, 2, 6, 6)),
        interface_position=z((count, 2, 3)),
        interface_rows=z((count, 2, 6, h)),
        box_mass=z((count, 2)),
        box_inertia=z((count, 2, 3, 3)),
        box_centre=z((count, 2, 3)),
        box_pitch=np.zeros(count, dtype=np.int64),
        calls=np.zeros((2, 2), dtype=np.int64),
    )
    for k, w in enumerate(wheelsets):
        a.radius[k] = w.radius
        a.lateral[k] = w.lateral, -w.lateral
        p = packed[k]
        n = p.mode_count
        a.mass[k], a.s_x[k], a.s_h[k, :, :n] = p.mass, p.s_x, p.s_h
        a.p_xx[k] = p.p_xx
        a.p_xh[k, :, :, :n] = p.p_xh
        a.interface_position[k, :, 1] = w.journal
        if w.axle_boxes is not None:
            a.box_pitch[k] = 1 if w.revolute else 0
            for side, box in enumerate(w.axle_boxes):
                _check_inertia(f"{w.name} axle box", box.mass, box.inertia)
                a.box_mass[k, side] = box.mass
                a.box_inertia[k, side] = box.inertia
                a.box_centre[k, side] = box.centre
        if w.body is not None:
            _fill_flexible(a, k, w, between[k])
    return a


def _between(w):
    """How the rows of a flexible wheelset go on between sections."""
    return between_sections(w.body.generator, w.body.closure_defect, w.between_sections)


def _fill_flexible(a, k, w, between):
    """Arrays of one flexible wheelset."""
    body = w.body
    h = len(body.frequency_hz)
    if w.mesh_mode not in MESH_MODES:
        raise ScenarioError(f"{w.name}: mode must be one of {', '.join(MESH_MODES)}, got {w.mesh_mode!r}")
    mode = MESH_MODES[w.mesh_mode]
    a.mesh_mode[k] = mode
    if mode != LAGRANGIAN:
        check_closed(body, w.name)
    a.frequency[k, :h] = 2.0 * np.pi * np.asarray(body.frequency_hz)
    a.damping[k, :h] = body.damping_ratio
    if w.centrifugal == "none":
        check_closed(body, w.name, 'centrifugal = "none"', 'centrifugal = "both"')
    a.centrifugal[k] = 0 if w.centrifugal == "paper" else 1
    a.interface_position[k] = body.interface_position
    a.interface_rows[k, :, :, :h] = body.interface_rows
    for side, tread in enumerate(body.treads):
        if tread.side != (1, -1)[side]:
            raise ScenarioError(f"{w.name}: treads of the reduced body are not in the order left, right")
        angle = np.asarray(tread.angle)
        a.section_count[k] = len(angle)
        if not np.allclose(np.diff(angle), 2.0 * np.pi / len(angle), rtol=0.0, atol=1e-6) or abs(angle[0]) > 1e-6:
            raise ScenarioError(f"{w.name}: tread sections are not uniform from the lowest point")
        a.tread_rows[k, side, : len(angle), :, :h] = tread.profile_rows
        if w.force_distribution != "least_squares":
            order = np.argsort(tread.profile[:, 0])
            a.section_angle[k, : len(angle)] = angle
            a.profile_nodes[k, side, : len(order)] = tread.profile[order]
            nodes = tread.node_rows[:, order]
            a.node_rows[k, side, : len(angle), : len(order), :, :h] = nodes
            if between.rule == SPLINE:
                a.node_slopes[k, side, : len(angle), : len(order), :, :h] = section_slopes(angle, nodes)
        if between.rule == SPLINE:
            a.tread_slopes[k, side, : len(angle), :, :h] = section_slopes(angle, tread.profile_rows)
        if w.residual:
            a.residual[k, side] = tread.residual_compliance
    generator = np.asarray(body.generator)
    a.generator[k, :h, :h] = generator
    a.sector_map[k, :h, :h] = body.sector_map
    a.sector_angle[k] = body.sector_angle if body.sector_angle > 0.0 else 1.0
    a.between[k] = between.rule
    a.pair[k, : len(between.pair)], a.pair_order[k, : len(between.pair)] = between.pair, between.order


def make_state(assembly, start, speed) -> VehicleState:
    """State of straight running at `speed` [m/s], every body at its place, the vehicle's reference at s = start [m]."""
    n = assembly.coordinate_count
    state = VehicleState(
        time=np.zeros(1),
        history=np.zeros((3, 3, n)),
        spin_reference=np.zeros(len(assembly.wheelset_specs)),
        wrench=np.zeros((len(assembly.wheelset_specs), 2, 6)),
        past_wrench=np.zeros((2, len(assembly.wheelset_specs), 2, 6)),
        interface_force=np.zeros((len(assembly.wheelset_specs), 2, 6)),
        contact_point=np.zeros((len(assembly.wheelset_specs), 2, 3)),
        drive_integral=np.zeros(1),
        contraction=np.ones(1),
        mesh_angle_of_matrix=np.full(len(assembly.wheelset_specs), np.nan),
    )
    d, v = state.history[0, 0], state.history[0, 1]
    offset = assembly.units.offset
    for u, body in enumerate(assembly.body_specs):
        d[offset[u] : offset[u] + 3] = start + body.position[0], body.position[1], body.position[2]
        v[offset[u]] = speed
    for k, w in enumerate(assembly.wheelset_specs):
        o = offset[len(assembly.body_specs) + k]
        d[o : o + 3] = start + w.position, 0.0, w.radius
        v[o] = speed
        v[o + 5] = speed / w.radius
    return state


def make_workspace(assembly, spring_state) -> Workspace:
    """Scratch of the step; `spring_state` holds the internal states of the suspension elements."""
    units = len(assembly.unit_names)
    count = len(assembly.wheelset_specs)
    n = assembly.coordinate_count
    nmax = int(np.max(np.diff(assembly.units.offset)))
    wide = nmax + -nmax % 16
    h = assembly.wheelsets.frequency.shape[1]
    poses = units + 2 * count
    z = np.zeros
    rotation = z((poses, 3, 3))
    rotation[:] = np.eye(3)
    return Workspace(
        q=z(n),
        qd=z(n),
        qdd=z(n),
        q6=z((units, 6)),
        qd6=z((units, 6)),
        qdd6=z((units, 6)),
        spins=np.asarray(assembly.units.wheelset) >= 0,
        track=make_track_frames(units),
        motion=make_body_motion(units),
        to_track=z((units, 3, 3)),
        alpha_frame=z((units, 3)),
        residual=z(n),
        step=z(n),
        gain=z(n),
        coupling=make_coupling(units, count, len(spring_state.accepted), nmax),
        culprit=np.zeros(1, dtype=np.int64),
        failures=np.zeros(units + count + 1, dtype=np.int64),
        contact_change=z(count),
        accepted_pose=np.full((count, 2, 6), np.nan),
        matrix=z((nmax, nmax)),
        matrix2=z((nmax, nmax)),
        inverse=aligned(z((units, nmax, wide))),
        row=z(nmax),
        journal_scratch=z((6, h)),
        tread=z((count, 2, 6, h)),
        tread_slope=z((count, 2, 6, h)),
        journal=z((count, 2, 6, h)),
        journal_motion=z((count, 2, 6, 3)),
        poses=Poses(z((poses, 3)), rotation, z((poses, 3)), z((poses, 3))),
        external=z((poses, 6)),
        applied=z((poses, 6)),
        spring_state=spring_state,
        g=z((count, 12, nmax)),
        sg=aligned(z((count, 12, wide))),
        x=z((count, 12, 12)),
        x_gain=z((count, 12, 12)),
        shift=z((count, 2, 6)),
        pose=z((count, 2, 6)),
        rate=z((count, 2, 6)),
        gap_rate=z((count, 2, 6)),
        contact_force=z((count, 2, 6)),
        jac_pose=z((2, 6, 6)),
        jac_rate=z((2, 6, 6)),
        columns=z((6, 13)),
        small=z((12, 12)),
        small_rhs=z(12),
        rail=z((count, 2, 3, 4)),
        rail_compliance=z((count, 2, 2, 4, 4)),
        rail_force=z((count, 2, 4)),
        rail_change=z(4),
        wear4=z(4),
        wear_slope4=z(4),
        irregularity=z((count, 2, 4)),
        patches=z((count, 2, PATCH_MAX, len(PATCH))),
        patch_count=np.zeros((count, 2), dtype=np.int64),
        body_columns=z((units, len(BODY))),
        measured=z((units, 3)),
        box_measured=z((count, 2, 3)),
        roundness=z((count, 2, 2)),
        vectors=z((16, 3)),
        box_scratch=z((8, 3)),
        wrench6=z(6),
        applied6=z(6),
        profile_rate=z(6),
        profile_spatial_rate=z(6),
        modal=z(h),
        turn=z((h // 2 + 1, 2)),
        gained=z(nmax),
        g_columns=z((nmax, 12)),
    )


def prepare(model, work):
    """Gains and iteration matrices of all units and rows of all wheelsets before the first step."""
    work.gain[:] = model.coefficients.beta * model.coefficients.dt**2
    compiled, scratch = handle(model), handle(work)
    lay_rows(model.wheelsets, work)
    for u in range(len(model.units.mass)):
        if refresh(compiled, u, 0.0, scratch) != 0:
            raise ScenarioError(f"iteration matrix of unit {u} is not positive definite; check masses and inertias")
