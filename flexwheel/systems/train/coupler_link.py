"""Couplers of a vehicle modelled in detail: where they hold it, in which direction they pull, what wrench they give.

A coupler stands between the pivots of two vehicles. Its angle against the vehicle's track tangent is that of the
track between the vehicle's centre and the middle of the coupler, and of the lateral offset of the two pivots over the
coupler's length. The pivot of the vehicle itself is where its body carries it; that of a neighbour, which is no body
of the model, is where a vehicle on two bogies on the centre line would have it, shifted sideways like this vehicle's
body where the neighbours are taken to be `alike`.

Sources: geometry of two-bogie vehicles in curves; components as in coupler_angle.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.systems.train.coupler_angle import coupler_angle, coupler_components
from flexwheel.systems.train.driving import interpolate
from flexwheel.track.layout import track_frame

FORCE, ANGLE, LATERAL, OFFSET = 0, 1, 2, 3
COUPLER_FIELDS = 4


class CouplerLink(NamedTuple):
    """Geometry of both couplers of one body; index 0 front, 1 rear."""

    unit: int  # body that carries the pivots
    pivot: float  # distance of either pivot from the body's centre along it [m]
    height: float  # of the pivots above the body's centre [m]
    half_length: float  # from the body's centre to the middle of either coupler [m]
    bogie: float  # half distance of the bogie centres [m]
    coupler_length: float  # between the pivots of two vehicles [m]
    neighbour_half_length: np.ndarray  # (2,) centre of the neighbour to the middle of the coupler [m]
    neighbour_bogie: np.ndarray  # (2,) half distance of its bogie centres [m]
    alike: float  # 1: neighbours shift sideways on their springs like this body, 0: not at all
    rail_height: float  # of the body's centre above the rails [m]
    resistance: np.ndarray  # (3,) ordinary resistance r0 + r1 v + r2 v^2 [N]
    brake_force: float  # [N] at full cylinder pressure and standstill
    brake_speed: np.ndarray  # (k,) [m/s]
    brake_friction: np.ndarray  # (k,) relative to standstill


class LinkWork(NamedTuple):
    """Scratch."""

    position: np.ndarray  # (3, 3)
    rotation: np.ndarray  # (3, 3, 3)
    kappa: np.ndarray  # (3, 3)
    dkappa: np.ndarray  # (3, 3)
    offset: np.ndarray  # (2, 2) pivots of the vehicle: where they are, and where rigid geometry has them [m]
    record: np.ndarray  # (2, COUPLER_FIELDS) force, angle, lateral force, offset of the pivot


def make_link_work() -> LinkWork:
    """Scratch of `couple`."""
    z = np.zeros
    return LinkWork(z((3, 3)), z((3, 3, 3)), z((3, 3)), z((3, 3)), z((2, 2)), np.full((2, COUPLER_FIELDS), np.nan))


@kernel
def _frame(layout, s, w, k):
    track_frame(layout, s, w.position[k], w.rotation[k], w.kappa[k], w.dkappa[k])


@kernel
def chord_offset(layout, s, bogie, x, w):
    """Lateral place [m], left positive, against the centre line at s + x of a point x ahead of a vehicle's centre.

    The vehicle's axis goes through the centre line at s - bogie and s + bogie.
    """
    _frame(layout, s - bogie, w, 0)
    _frame(layout, s + bogie, w, 1)
    part = 0.5 * (x / bogie + 1.0)
    _frame(layout, s + x, w, 2)
    y = 0.0
    for i in range(3):
        point = w.position[0, i] + part * (w.position[1, i] - w.position[0, i])
        y += w.rotation[2, i, 1] * (point - w.position[2, i])
    return y


@kernel
def heading_between(layout, s0, s1, w):
    """Angle by which the track turns left from s0 to s1 [rad]."""
    _frame(layout, s0, w, 0)
    _frame(layout, s1, w, 1)
    a, b = w.rotation[0], w.rotation[1]
    return np.arctan2(a[0, 0] * b[1, 0] - a[1, 0] * b[0, 0], a[0, 0] * b[0, 0] + a[1, 0] * b[1, 0])


@kernel
def couple(model, link, force_front, force_rear, pressure, work, w):
    """Put the wrench of both couplers, of ordinary resistance and of the air brake on the body, for the coming step.

    Parameters
    ----------
    force_front, force_rear : floats [N]    coupler forces, draft positive
    pressure : float [-]                    of the brake cylinder, 1 full service
    work : Workspace                        motion of the accepted step; receives `external` of the body
    w : LinkWork                            receives `record`

    Resistance and brake act along the track at axle height, as a force on the body.
    """
    u = link.unit
    layout = model.layout
    s, v = work.q6[u, 0], work.qd6[u, 0]
    rotation, position = work.poses.rotation[u], work.poses.position[u]
    for e in range(2):
        end = 1.0 if e == 0 else -1.0
        _frame(layout, s + end * link.pivot, w, 2)
        y = 0.0
        for i in range(3):
            point = position[i] + rotation[i, 0] * end * link.pivot + rotation[i, 2] * link.height
            y += w.rotation[2, i, 1] * (point - w.position[2, i])
        w.offset[e, 0] = y
        w.offset[e, 1] = chord_offset(layout, s, link.bogie, end * link.pivot, w)
    shift = 0.5 * link.alike * (w.offset[0, 0] - w.offset[0, 1] + w.offset[1, 0] - w.offset[1, 1])
    wrench = work.external[u]
    for i in range(6):
        wrench[i] = 0.0
    for e in range(2):
        end = 1.0 if e == 0 else -1.0
        force = force_front if e == 0 else force_rear
        centre = s + end * (link.half_length + link.neighbour_half_length[e])
        pivot = -end * (link.neighbour_half_length[e] - 0.5 * link.coupler_length)
        neighbour = chord_offset(layout, centre, link.neighbour_bogie[e], pivot, w) + shift
        if e == 0:
            turn = heading_between(layout, s, s + link.half_length, w)
        else:
            turn = heading_between(layout, s - link.half_length, s, w)
        angle = coupler_angle(end, turn, w.offset[e, 0], neighbour, link.coupler_length)
        along, left = coupler_components(force, end, angle)
        w.record[e, FORCE], w.record[e, ANGLE], w.record[e, LATERAL] = force, angle, left
        w.record[e, OFFSET] = w.offset[e, 0]
        _frame(layout, s, w, 0)
        a = w.rotation[0]
        fx = a[0, 0] * along + a[0, 1] * left
        fy = a[1, 0] * along + a[1, 1] * left
        fz = a[2, 0] * along + a[2, 1] * left
        _add_at(rotation, end * link.pivot, link.height, fx, fy, fz, wrench)
    r = link.resistance
    against = r[0] + r[1] * abs(v) + r[2] * v * v
    against += link.brake_force * pressure * interpolate(abs(v), link.brake_speed, link.brake_friction)
    along = -against * np.sign(v)
    a = w.rotation[0]
    _add_at(
        rotation,
        0.0,
        model.wheelsets.radius[0] - link.rail_height,
        a[0, 0] * along,
        a[1, 0] * along,
        a[2, 0] * along,
        wrench,
    )


@kernel
def _add_at(rotation, x, z, fx, fy, fz, wrench):
    """Add a global force at (x, 0, z) of a body to its wrench."""
    rx = rotation[0, 0] * x + rotation[0, 2] * z
    ry = rotation[1, 0] * x + rotation[1, 2] * z
    rz = rotation[2, 0] * x + rotation[2, 2] * z
    wrench[0] += fx
    wrench[1] += fy
    wrench[2] += fz
    wrench[3] += ry * fz - rz * fy
    wrench[4] += rz * fx - rx * fz
    wrench[5] += rx * fy - ry * fx
