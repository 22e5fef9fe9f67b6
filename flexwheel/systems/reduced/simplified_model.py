"""The simplified vehicle: what does not change, and what moves.

Units are the bodies (car body, bogie frames) and after them the wheelsets, leading one first. A body has the
coordinates y, roll, yaw, z, pitch in its own track frame, a wheelset y and yaw. The state is
x = (bodies (B, 5), wheelsets (W, 2), and the rates of both).
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from flexwheel.contact.friction.coefficient import FRICTION


@dataclass(frozen=True)
class SmallBody:
    """Car body or bogie frame."""

    name: str
    mass: float  # [kg]
    inertia: tuple[float, float, float]  # roll, pitch, yaw [kg m2]
    position: float  # along the vehicle, from its reference [m]
    height: float  # of the centre above the rails [m]


@dataclass(frozen=True)
class SmallWheelset:
    """Wheelset with what is fixed on its journals."""

    name: str
    mass: float
    inertia: float  # about x and z
    spin_inertia: float
    position: float
    radius: float


@dataclass(frozen=True)
class LateralStop:
    """Nonlinear spring across the track between two units: force against displacement of b relative to a."""

    unit_a: int
    unit_b: int
    row_a: tuple  # (5,) displacement of the stop's point by the unit's coordinates
    row_b: tuple
    displacement: np.ndarray
    force: np.ndarray


@dataclass(frozen=True)
class ReducedVehicle:
    """Vehicle of the simplified model."""

    name: str
    bodies: tuple[SmallBody, ...]
    wheelsets: tuple[SmallWheelset, ...]
    stiffness: np.ndarray  # (5 U, 5 U) of y, roll, yaw, z, pitch of every unit in one common frame
    damping: np.ndarray  # (5 U, 5 U)
    preload: np.ndarray  # (5 U,) suspension forces in the nominal pose
    stops: tuple[LateralStop, ...] = ()
    coupling_left_out: float = 0.0
    left_out: tuple[str, ...] = ()  # lines on what of the force elements has no counterpart here

    @property
    def units(self):
        """Names of all units."""
        return tuple(b.name for b in self.bodies) + tuple(w.name for w in self.wheelsets)


@dataclass(frozen=True)
class ContactZones:
    """Tread and flange of the wheels, and the creep coefficients."""

    # (n, 9) against the contact's shift toward the flange [m], equally spaced: change of the rolling radius [m],
    # tangent of the contact angle, place outside of the knife edge [m], f11, f22, f23, f33 over those of the centred
    # wheelset, rise of the wheel beyond that of the straight tread [m]; see `cone_tread`
    tread: np.ndarray
    tread_slope: float  # of the straight treads of the knife edge, lambda
    half_distance: float  # [m] of the contacts
    flange_clearance: float  # [m] lateral play to flange contact
    # (4,) f11 [N], f22 [N], f23 [N m], f33 [N m2] of one wheel at its static load
    creep: tuple[float, float, float, float]
    flange_angle: float = np.radians(70.0)  # [rad] of the flange to the horizontal
    flange_stiffness: float = 5e7  # [N/m] normal to the flange
    flange_damping: float = 2e4  # [N s/m]
    flange_depth: float = 0.010  # [m] of the flange contact below the tread contact
    flange_y: float = 0.715  # [m] of the flange contact from the middle of the axle
    friction: float = FRICTION.default
    saturated: bool = True  # bounded by friction (Shen, Hedrick, Elkins), or linear as the paper
    load_dependent: bool = True  # coefficients grow with (N / N static)^(2/3)
    climb_shift: float = 0.005  # [m] beyond flange contact at which the wheelset counts as derailed
    notes: tuple[str, ...] = field(default=())
    # (n, 2) shift of the wheelset [m] and how far its axle rises there on the profiles [m], where the tread leaves that
    # out; to judge a run by
    lift: np.ndarray = field(default_factory=lambda: np.zeros((2, 2)))


def cone_tread(conicity, growth=0.0, angle=None, reach=0.03):
    """Tread table of a cone, or of a tread whose contact angle is angle + growth * shift.

    conicity : slope of the rolling radius against the contact's shift; angle : default that of the cone
    """
    shift = np.array([-reach, reach])
    angle = conicity if angle is None else angle
    one = np.ones(2)
    return np.stack([shift, conicity * shift, angle + growth * shift, 0.0 * one, one, one, one, one, 0.0 * one], axis=1)


class Kernels(NamedTuple):
    """Everything that the compiled step reads; see `simulate.build_model`."""

    contact: int  # addresses of the generated kernels
    balance: int
    bodies: int
    suspension: int
    layout: NamedTuple
    irregularity: NamedTuple
    table: NamedTuple  # track_input.TrackTable
    position: np.ndarray  # (U,) along the vehicle
    height: np.ndarray  # (U,) of the centres above the rails
    static_load: np.ndarray  # (W,) of one wheel
    radius: np.ndarray  # (W,)
    half_distance: float
    tread_slope: float
    tread: np.ndarray  # (n, 9)
    stop_unit: np.ndarray  # (S, 2)
    stop_row: np.ndarray  # (S, 2, 5)
    stop_first: np.ndarray  # (S + 1,) rows of the table
    stop_table: np.ndarray  # (rows, 2)
    clearance: float
    flange_sin: float
    flange_cos: float
    flange_stiffness: float
    flange_damping: float
    friction: float
    creep: np.ndarray  # (4,) f11, f22, f23, f33
    climb_shift: float
    saturated: bool
    load_dependent: bool
    gravity: float
    start: float
    speed: float
    acceleration: float
    creep_rate: np.ndarray  # (W, 2) speed times the decay rate of y' and yaw' by creep alone [m/s2]
    implicit: bool  # step linearly implicit in that decay


class Scratch(NamedTuple):
    """Arrays that move."""

    wheelset: np.ndarray  # work arrays of the generated kernels
    body: np.ndarray
    suspension: np.ndarray
    track: np.ndarray  # (U, 11) inputs of the track frames
    offset: np.ndarray  # (U, 5) y, roll, yaw, z, pitch of the unit's track frame in the common frame
    offset_rate: np.ndarray  # (U, 5)
    rails: np.ndarray  # (W, 12) irregularity, its rate and its second derivative in time
    creep_ratio: np.ndarray  # (W, 2, 4) creep coefficients over those of the centred wheelset
    normal: np.ndarray  # (W, 2) tread loads of the last evaluation
    flange: np.ndarray  # (W, 2) flange normal forces
    lifted: np.ndarray  # (W, 2) [s] since the tread load was last positive
    stage: np.ndarray  # (5, n)
    vectors: np.ndarray  # (8, 4)
    rotation: np.ndarray  # (2, 3, 3)
