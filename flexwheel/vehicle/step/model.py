"""The constant side of a simulation: units, wheelsets and the model tuple that the compiled step reads.

A *unit* is a set of coordinates with its own iteration matrix: a free body (6 coordinates, and modes if it is flexible)
or a wheelset with its modes and axle boxes (6 + modes + one pitch per axle box). Coordinates of a unit are
(s, y, z, yaw, roll, spin, modes..., axle box pitch left, right); see docs/architecture.md for frames and signs.

Suspension elements see *poses*: pose u < U is unit u, pose U + 2 w + side is the axle box of wheelset w, pose
U + 2 W + a is place a of the flexible bodies.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.integration import IntegratorCoefficients
from flexwheel.numerics.kernels import Each
from flexwheel.vehicle.modal_bodies import FlexibleBodies
from flexwheel.vehicle.row_slices import RowSlices
from flexwheel.vehicle.step.load_rates import LoadRates, make_load_rates

LAGRANGIAN, EULERIAN_INTERPOLATED, EULERIAN = 0, 1, 2
MESH_MODES = {"lagrangian": LAGRANGIAN, "eulerian_interpolated": EULERIAN_INTERPOLATED, "eulerian": EULERIAN}


class Units(NamedTuple):
    """Bodies with coordinates of their own."""

    offset: np.ndarray  # (U + 1,) first coordinate of each unit
    wheelset: np.ndarray  # (U,) row in Wheelsets, -1 for a free body
    mass: np.ndarray  # (U,) [kg]
    inertia: np.ndarray  # (U, 3, 3) about the centre, body axes [kg m2]


class Wheelsets(NamedTuple):
    """Rigid (no modes) and flexible wheelsets alike, padded to the largest number of modes H and sections S."""

    unit: np.ndarray  # (W,)
    mode_count: np.ndarray  # (W,)
    mesh_mode: np.ndarray  # (W,) LAGRANGIAN, EULERIAN_INTERPOLATED or EULERIAN
    radius: np.ndarray  # (W,) nominal rolling radius [m]
    lateral: np.ndarray  # (W, 2) y of the profile origins, left then right [m]
    frequency: np.ndarray  # (W, H) [rad/s]
    damping: np.ndarray  # (W, H) ratio
    geometric: RowSlices  # (W, ...) stiffness that goes with the spin, at 1 rad/s: structural.spin_stiffness
    centrifugal: np.ndarray  # (W,) 1: `geometric` acts, 0: it is zero
    mass: np.ndarray  # (W,)
    s_x: np.ndarray  # (W, 3) mass times offset of the mass centre from the origin [kg m]
    s_h: np.ndarray  # (W, 3, H)
    p_xx: np.ndarray  # (W, 3, 3)
    p_xh: np.ndarray  # (W, 3, 3, H)
    even: RowSlices  # (W, ...) mode by mode, see floating_frame.PackedInertia
    odd: RowSlices
    section_count: np.ndarray  # (W,)
    tread_rows: np.ndarray  # (W, 2, S, 6, H) section frame
    between: np.ndarray  # (W,) how rows go on between sections: between_sections
    tread_slopes: np.ndarray  # (W, 2, S, 6, H) d tread_rows / d section angle; this and node_slopes only for SPLINE
    distribution: np.ndarray  # (W,) of contact forces over nodes: tread_contact.DISTRIBUTIONS
    section_angle: np.ndarray  # (W, S); this and the next two only where the distribution needs them
    profile_nodes: np.ndarray  # (W, 2, P, 2) y and r, ascending in y
    node_rows: np.ndarray  # (W, 2, S, P, 3, H) section frame
    node_slopes: np.ndarray  # (W, 2, S, P, 3, H)
    generator: np.ndarray  # (W, H, H) J
    pair: np.ndarray  # (W, H // 2 + 1, 2) mode indices of each rotating pair, ascending in |order|, -1: unused
    pair_order: np.ndarray  # (W, H // 2 + 1) signed order: J[i, j] = -n, J[j, i] = n
    sector_map: np.ndarray  # (W, H, H)
    sector_angle: np.ndarray  # (W,)
    residual: np.ndarray  # (W, 2, 6, 6) static residual compliance at the treads
    interface_position: np.ndarray  # (W, 2, 3)
    interface_rows: np.ndarray  # (W, 2, 6, H)
    box_mass: np.ndarray  # (W, 2) [kg], 0: no axle-box body
    box_inertia: np.ndarray  # (W, 2, 3, 3)
    box_centre: np.ndarray  # (W, 2, 3) from the journal centre, axle-box axes [m]
    box_pitch: np.ndarray  # (W,) 1: the axle box has a pitch coordinate (revolute joint)
    calls: np.ndarray  # (2, 2) entries of the kernels of rows: wheelset_rows


class Drive(NamedTuple):
    """Speed-holding drive: proportional-integral on the speed of one unit."""

    kind: int  # 0 none, 1 force on the unit along the track, 2 torque on the driven wheelsets
    unit: int  # acted on by the force; its speed is held
    proportional: float  # [N s/m]
    integral: float  # [N/m]
    height: float  # [m] of the force above the unit's centre
    limit: float  # [N] largest force
    mass: float = 0.0  # [kg] that a rate of the speed held has to accelerate
    profile: np.ndarray = np.zeros((0, 2))  # (n, 2) time [s] and speed to hold [m/s]; none: state.drive_speed alone
    share: np.ndarray = np.zeros(1)  # (W,) part of the torque on each wheelset, 0 where it is not driven
    carrier: np.ndarray = np.zeros(1, dtype=np.int64)  # (W,) unit that takes the reaction of its torque, -1: the ground


class Model(NamedTuple):
    """Everything that does not change during a run."""

    coefficients: IntegratorCoefficients
    layout: NamedTuple  # track.layout.Layout
    irregularity: NamedTuple  # track.irregularity.IrregularityTable
    rail: NamedTuple  # track rail model
    units: Units
    wheelsets: Wheelsets
    contact: Each  # ContactTables (2 W) of each wheel on its rail, left before right
    suspension: NamedTuple  # suspension elements
    drive: Drive
    gravity: float  # [m/s2]
    speed: float  # [m/s] reference speed of the creepages
    roundness: np.ndarray  # (W, 2, n) of track.roundness, n = 0: round wheels
    flexible: FlexibleBodies


class VehicleState(NamedTuple):
    """All that moves on the vehicle side."""

    time: np.ndarray  # (1,) [s]
    history: np.ndarray  # (3, 3, N) accepted steps n, n-1, n-2 by (d, v, a)
    spin_reference: np.ndarray  # (W,) spin to which the modal coordinates are referred; 0 in `lagrangian`
    wrench: np.ndarray  # (W, 2, 6) contact wrench on the wheel about P, track axes [N, N m]
    past_wrench: np.ndarray  # (2, W, 2, 6) contact wrenches one and two steps ago
    interface_force: np.ndarray  # (W, 2, 6) on the wheelset at the journals, E axes [N, N m]
    contact_point: np.ndarray  # (W, 2, 3) centre of the contact forces from P, track axes [m]
    drive_integral: np.ndarray  # (1,) [m]
    drive_speed: np.ndarray  # (2,) that the drive holds [m/s], and its rate [m/s2], of the profile or of an importer
    contraction: np.ndarray  # (2,) expected fall of the force error in one iteration; last step's change of forces [N]
    mesh_angle_of_matrix: np.ndarray  # (W,) mesh angle at which the iteration matrix was made; nan: never
    loads: LoadRates = make_load_rates()  # of flexible wheelsets


class Workspace(NamedTuple):
    """Scratch of the step, made once."""

    q: np.ndarray  # (N,) present iterate
    qd: np.ndarray  # (N,)
    qdd: np.ndarray  # (N,)
    q6: np.ndarray  # (U, 6)
    qd6: np.ndarray  # (U, 6)
    qdd6: np.ndarray  # (U, 6)
    spins: np.ndarray  # (U,) bool
    track: NamedTuple  # kinematics.TrackFrames
    motion: NamedTuple  # kinematics.BodyMotion
    to_track: np.ndarray  # (U, 3, 3) E axes -> track axes
    alpha_frame: np.ndarray  # (U, 3) angular acceleration of E, E axes
    residual: np.ndarray  # (N,)
    step: np.ndarray  # (N,) change of the accelerations
    gain: np.ndarray  # (N,) displacement by acceleration: beta dt^2 of each coordinate [s2], see `step_gain`
    coupling: NamedTuple  # suspension_coupling.Coupling
    culprit: np.ndarray  # (1,) what failed last: unit u, U + w the contacts of wheelset w, U + W the rail supports
    failures: np.ndarray  # (U + W + 1,) steps that did not converge, by what did not
    contact_change: np.ndarray  # (W,) last change of the contact forces [N]
    accepted_pose: np.ndarray  # (W, 2, 6) `pose` of the last accepted step; nan: none yet
    matrix: np.ndarray  # (nmax, nmax)
    matrix2: np.ndarray  # (nmax, nmax)
    inverse: np.ndarray  # (U, nmax, nmax up to a multiple of 16)
    row: np.ndarray  # (nmax,)
    journal_scratch: np.ndarray  # (6, H)
    tread: np.ndarray  # (W, 2, 6, H) profile rows, E axes
    tread_slope: np.ndarray  # (W, 2, 6, H)
    journal: np.ndarray  # (W, 2, 6, H) interface rows, E axes
    journal_motion: np.ndarray  # (W, 2, 6, 3)
    poses: NamedTuple  # columns.Poses of units, axle boxes and places, P = U + 2 W + A, frame: the housing
    spring_state: NamedTuple  # internal states of the suspension elements
    places: np.ndarray  # (A, 4, 3) of flexible bodies: rows of modal_body, body axes
    place_motion: np.ndarray  # (A, 2, 3) elastic displacement, acceleration less gravity, body axes
    place_stress: np.ndarray  # (A, 6) xx yy zz xy yz zx of points [Pa]; nan at attachments
    external: np.ndarray  # (P, 6) wrench of what stands outside the model on each pose, held over a step
    applied: np.ndarray  # (P, 6) suspension wrench on each pose, global axes, about its reference point
    g: np.ndarray  # (W, 12, nmax) contact rows of each wheelset
    sg: np.ndarray  # (W, 12, as wide as `inverse`) G S^-1
    x: np.ndarray  # (W, 12, 12) G S^-1 G^T: accelerations by wrenches
    x_gain: np.ndarray  # (W, 12, 12) G gain S^-1 G^T: displacements by wrenches
    shift: np.ndarray  # (W, 2, 6) flexible motion of the profile, E axes
    pose: np.ndarray  # (W, 2, 6) pose of the profile relative to the rail, mirrored
    rate: np.ndarray  # (W, 2, 6) material velocity relative to the rail, mirrored
    gap_rate: np.ndarray  # (W, 2, 6) rate of the pose, mirrored
    contact_force: np.ndarray  # (W, 2, 6) from the contact law, track axes
    jac_pose: np.ndarray  # (W, 2, 6, 6) tangents of the contact law, track axes
    jac_rate: np.ndarray  # (W, 2, 6, 6)
    pressed: np.ndarray  # (2,) bool; whether the contact law is evaluated for a wheel
    known: np.ndarray  # (W, 2) bool; whether the contact law has been evaluated for a wheel
    before: np.ndarray  # (2, 6) pose and rate of a wheel at its last evaluation, mirrored
    small: np.ndarray  # (12, 12)
    small_rhs: np.ndarray  # (12,)
    rail: np.ndarray  # (W, 2, 3, 4) rail-head displacement, velocity, slope under each wheel
    rail_compliance: np.ndarray  # (W, 2, 2, 4, 4) of displacement and velocity
    rail_force: np.ndarray  # (W, 2, 4) force on the rail included so far in this step
    rail_change: np.ndarray  # (4,)
    wear4: np.ndarray  # (4,)
    wear_slope4: np.ndarray  # (4,)
    irregularity: np.ndarray  # (W, 2, 4) lateral, vertical and their slopes under each wheel
    track_height: np.ndarray  # (W, 2, 3) from outside, under each wheel: height [m] at arc length [m], slope
    patches: np.ndarray  # (W, 2, patch, field)
    patch_count: np.ndarray  # (W, 2)
    beside: np.ndarray  # (W, 2, columns variables.BESIDE) what touches beside the running rail
    body_columns: np.ndarray  # (U, column) named in variables.BODY
    measured: np.ndarray  # (U, 3) acceleration of the centres less gravity, E axes [m/s2]
    box_measured: np.ndarray  # (W, 2, 3) acceleration of axle boxes less gravity, E axes of their wheelset [m/s2]
    roundness: np.ndarray  # (W, 2, 2) radius of each wheel where it touches less the nominal [m], and d/d spin [m/rad]
    vectors: np.ndarray  # (16, 3)
    box_scratch: np.ndarray  # (8, 3)
    wrench6: np.ndarray  # (6,)
    applied6: np.ndarray  # (6,)
    profile_rate: np.ndarray  # (6,)
    profile_spatial_rate: np.ndarray  # (6,)
    modal: np.ndarray  # (H,)
    turn: np.ndarray  # (H // 2 + 1, 2) of `pair_turns`
    gained: np.ndarray  # (n,) step of one unit times its gains
    g_columns: np.ndarray  # (n, 12)
