"""From named bodies and wheelsets to the arrays of the compiled step."""

from dataclasses import dataclass, field

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.variables import BESIDE, BODY, PATCH, PATCH_MAX
from flexwheel.body.reduced_body import FlexibleBody, ReducedBody
from flexwheel.numerics.kernels import handle
from flexwheel.numerics.kernels.lanes import aligned
from flexwheel.vehicle.elements.columns import Poses
from flexwheel.vehicle.kinematics import make_body_motion, make_track_frames
from flexwheel.vehicle.modal_bodies import FlexibleBodies, pack_flexible
from flexwheel.vehicle.step.iteration_matrix import refresh
from flexwheel.vehicle.step.model import Units, VehicleState, Wheelsets, Workspace
from flexwheel.vehicle.step.suspension_coupling import make_coupling
from flexwheel.vehicle.step.wheelset_arrays import check_inertia, wheelset_arrays
from flexwheel.vehicle.step.wheelset_rows import lay_rows


@dataclass(frozen=True)
class RigidBody:
    """Free body, rigid or flexible: car body, bogie frame."""

    name: str
    mass: float  # [kg]
    inertia: np.ndarray  # (3, 3) about the centre [kg m2]
    position: tuple[float, float, float]  # centre: s from the vehicle's reference, y, z above the rails [m]
    flexible: FlexibleBody | None = None  # of the same mass and inertia
    reach: float = 0.0  # [m] from the end of a force element to the attachment of a flexible body that takes it


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
    flexible: FlexibleBodies
    unit_names: tuple[str, ...]
    pose_names: tuple[str, ...]
    wheelset_specs: tuple[WheelsetSpec, ...]
    body_specs: tuple[RigidBody, ...]
    element_names: tuple[str, ...] = ()  # force elements in their order in the suspension, where known

    @property
    def coordinate_count(self) -> int:
        return int(self.units.offset[-1])

    @property
    def pose_units(self) -> np.ndarray:
        """Unit (P,) that each pose belongs to."""
        boxes, places = np.repeat(self.wheelsets.unit, 2), self.flexible.unit[self.flexible.owner]
        return np.concatenate([np.arange(len(self.unit_names)), boxes, places])


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
        check_inertia(body.name, body.mass, body.inertia)
        offset.append(offset[-1] + 6 + (0 if body.flexible is None else len(body.flexible.frequency_hz)))
        mass.append(body.mass)
        inertia.append(np.asarray(body.inertia, float))
        row.append(-1)
    for k, w in enumerate(wheelsets):
        h = 0 if w.body is None else len(w.body.frequency_hz)
        m, i = (w.mass, w.inertia) if w.body is None else (w.body.mass, w.body.inertia_about_origin)
        check_inertia(w.name, m, i)
        pitch = 2 if w.axle_boxes is not None and w.revolute else 0
        offset.append(offset[-1] + 6 + h + pitch)
        mass.append(m)
        inertia.append(np.asarray(i, float))
        row.append(k)
    units = Units(np.array(offset), np.array(row), np.array(mass, float), np.array(inertia))
    boxes = [f"{w.name} axle box {side}" for w in wheelsets for side in ("left", "right")]
    places = [f"{b.name} {place}" for b in bodies if b.flexible is not None for place in b.flexible.place_name]
    return Assembly(
        units,
        wheelset_arrays(wheelsets, len(bodies)),
        pack_flexible(bodies, len(names)),
        tuple(names),
        tuple(names + boxes + places),
        tuple(wheelsets),
        tuple(bodies),
    )


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
        drive_speed=np.array([float(speed), 0.0]),
        contraction=np.ones(2),
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
    h = max(assembly.wheelsets.frequency.shape[1], assembly.flexible.frequency.shape[1])
    places = len(assembly.flexible.owner)
    poses = units + 2 * count + places
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
        coupling=make_coupling(poses, count, len(spring_state.accepted), nmax),
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
        places=z((places, 4, 3)),
        place_motion=z((places, 2, 3)),
        place_stress=np.full((places, 6), np.nan),
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
        jac_pose=z((count, 2, 6, 6)),
        jac_rate=z((count, 2, 6, 6)),
        pressed=np.zeros(2, dtype=np.bool_),
        known=np.zeros((count, 2), dtype=np.bool_),
        before=np.zeros((2, 6)),
        small=z((12, 12)),
        small_rhs=z(12),
        rail=z((count, 2, 3, 4)),
        rail_compliance=z((count, 2, 2, 4, 4)),
        rail_force=z((count, 2, 4)),
        rail_change=z(4),
        wear4=z(4),
        wear_slope4=z(4),
        irregularity=z((count, 2, 4)),
        track_height=z((count, 2, 3)),
        patches=z((count, 2, PATCH_MAX, len(PATCH))),
        patch_count=np.zeros((count, 2), dtype=np.int64),
        beside=np.tile(np.where(np.arange(len(BESIDE)) == BESIDE.gap, np.nan, 0.0), (count, 2, 1)),
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
