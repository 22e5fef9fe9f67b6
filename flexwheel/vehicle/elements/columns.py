"""The arrays of force elements, what moves beside them, and points of attachment."""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.vehicle.force_tables import ForceTables


class SuspensionElements(NamedTuple):
    """E elements, constant, one row each; few arrays, because every array of a tuple costs time in a kernel."""

    integer: np.ndarray  # (E, 9) columns LAW .. DAMPER_TABLE
    number: np.ndarray  # (E, 31) columns POINT_A .. LIMIT
    tables: ForceTables
    calls: np.ndarray  # (L, 5, 2) entries of the kernels of every law, columns FORCE .. MEASURE; `suspension.link`


# columns of SuspensionElements.integer
LAW = 0  # place in `force_law.LAWS`
BODY_A = 1  # -1: the ground, its points are global
BODY_B = 2
AXES_OF_B = 3  # 1: laws in the axes of body b, 0: of body a
TURNS = 4  # 1: has rotational stiffness or damping
FORCE_TABLE = 5  # 3 columns: table in place of stiffness, -1: none
DAMPER_TABLE = 8  # table in place of damping, -1: none
INTEGER_COLUMNS = 9

# columns of SuspensionElements.number; vectors take three
POINT_A = 0  # from the body's centre [m]
POINT_B = 3
REST = 6  # relative vector, or in the first column the length, of the nominal pose [m]
PRELOAD = 9  # force on body b, or in the first column the tension, of the nominal pose [N]
STIFFNESS = 12  # [N/m]
DAMPING = 15  # [N s/m]
TURN_STIFFNESS = 18  # [N m/rad]
TURN_DAMPING = 21  # [N m s/rad]
AXIS = 24  # unit axis of a stop
CLEARANCE = 27  # 2 columns: of a stop, to the negative and to the positive side [m]
SERIES = 29  # stiffness in series with a damper or a slider [N/m]
LIMIT = 30  # friction force [N]
NUMBER_COLUMNS = 31

FORCE, PROPOSE, TANGENT, RATE, MEASURE = 0, 1, 2, 3, 4
"""Columns of SuspensionElements.calls."""

MEASURED = 6  # first rows of a record are results: FORCE_ROW .. TURN_RATE_ROW
FORCE_ROW, MOMENT_ROW, STROKE_ROW, TURN_ROW, RATE_ROW, TURN_RATE_ROW = 0, 1, 2, 3, 4, 5
LOSS_ROW, TURN_LOSS_ROW, INNER_ROW = 6, 7, 8
RECORD_ROWS = 9
"""Rows (3,) of what `ForceLaw.measure` fills: force [N] and moment [N m] with which the element resists stroke and turn
(so that force times rate is what it takes up), stroke [m], turn [rad] and their rates, all of body b against body a
since the nominal pose; along the axes of the body that the laws are in, or in the first column along the element's
line or axis. LOSS_ROW, TURN_LOSS_ROW: parts of force and moment that are damping. INNER_ROW, columns: """
SLIP, SLIP_FORCE, STORED = 0, 1, 2
"""displacement of piston or slider [m] and the force on it [N], elastic energy [J]."""


class SuspensionState(NamedTuple):
    """Internal states: piston or slider displacement, and elongation [m]."""

    accepted: np.ndarray  # (E, 2)
    proposed: np.ndarray  # (E, 2)


class Poses(NamedTuple):
    """Where the bodies are that force elements act on, B of them; global axes."""

    position: np.ndarray  # (B, 3) centres [m]
    rotation: np.ndarray  # (B, 3, 3) frame that carries the attachments -> global
    velocity: np.ndarray  # (B, 3) of the centre [m/s]
    omega: np.ndarray  # (B, 3) of the frame [rad/s]


class Weights(NamedTuple):
    """Of a tangent in an iteration matrix, so that it is in kg."""

    dt: float  # step [s]
    stiffness: float  # beta dt^2
    damping: float  # gamma dt
    stiffest: float  # 1.0: every stop closed, every table at its steepest, every slider stuck

    BY_VALUE = True  # see flexwheel.handles


def make_suspension_state(elements: SuspensionElements) -> SuspensionState:
    """Internal states of the nominal pose: nothing displaced."""
    count = len(elements.integer)
    return SuspensionState(np.zeros((count, 2)), np.zeros((count, 2)))


@kernel
def attachment(poses, body, number, e, first):
    """Lever arm, global position and velocity of an attachment point, as nine scalars."""
    x, y, z = number[e, first + 0], number[e, first + 1], number[e, first + 2]
    if body < 0:
        return 0.0, 0.0, 0.0, x, y, z, 0.0, 0.0, 0.0
    R, position, velocity, omega = poses.rotation, poses.position, poses.velocity, poses.omega
    rx = R[body, 0, 0] * x + R[body, 0, 1] * y + R[body, 0, 2] * z
    ry = R[body, 1, 0] * x + R[body, 1, 1] * y + R[body, 1, 2] * z
    rz = R[body, 2, 0] * x + R[body, 2, 1] * y + R[body, 2, 2] * z
    ox, oy, oz = omega[body, 0], omega[body, 1], omega[body, 2]
    return (
        rx,
        ry,
        rz,
        position[body, 0] + rx,
        position[body, 1] + ry,
        position[body, 2] + rz,
        velocity[body, 0] + oy * rz - oz * ry,
        velocity[body, 1] + oz * rx - ox * rz,
        velocity[body, 2] + ox * ry - oy * rx,
    )


@kernel
def axis_of(poses, body, i):
    """Axis i of a body, of the global frame for the ground, as three scalars."""
    if body < 0:
        return 1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0
    R = poses.rotation
    return R[body, 0, i], R[body, 1, i], R[body, 2, i]


@kernel
def add_force(applied, body, arm, force):
    """Add a force (3 scalars) at a lever arm (3 scalars) to the wrench of a body."""
    if body < 0:
        return
    rx, ry, rz = arm
    fx, fy, fz = force
    applied[body, 0] += fx
    applied[body, 1] += fy
    applied[body, 2] += fz
    applied[body, 3] += ry * fz - rz * fy
    applied[body, 4] += rz * fx - rx * fz
    applied[body, 5] += rx * fy - ry * fx


def home_body(elements, e):
    """Body in whose axes the laws of a spring or stop are."""
    return elements.integer[e, BODY_B if elements.integer[e, AXES_OF_B] == 1 else BODY_A]


def axes_of(poses, body):
    """Axes (3, 3) of a body, of the global frame for the ground."""
    return np.eye(3) if body < 0 else poses.rotation[body]


def span(elements, e, poses):
    """Vector from the point on body a to that on body b, global axes."""
    ends = []
    for body, first in ((elements.integer[e, BODY_A], POINT_A), (elements.integer[e, BODY_B], POINT_B)):
        point = elements.number[e, first : first + 3]
        ends.append(point if body < 0 else poses.position[body] + poses.rotation[body] @ point)
    return ends[1] - ends[0]
