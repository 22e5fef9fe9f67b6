"""Flexible bodies of a vehicle that do not spin, as arrays for the kernels.

Modes couple with one another by the identity alone: their Coriolis and centrifugal terms, of the square of a car body's
turning against that of its modes (1e-4 and less), are left out. Their inertia against that of the frame is whole.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.numerics.kernels import kernel
from flexwheel.vehicle.floating_frame import EVEN, ODD, PackedInertia, rigid_inertia
from flexwheel.vehicle.row_slices import RowSlices, slice_rows, slices_of, stack_slices


class FlexibleBodies(NamedTuple):
    """F bodies, padded to the largest number of modes H, with A places: attachments and points."""

    of_unit: np.ndarray  # (U,) row here of each unit, -1
    unit: np.ndarray  # (F,)
    mode_count: np.ndarray  # (F,)
    frequency: np.ndarray  # (F, H) [rad/s]
    damping: np.ndarray  # (F, H) ratio
    mass: np.ndarray  # (F,)
    s_h: np.ndarray  # (F, 3, H)
    p_xx: np.ndarray  # (F, 3, 3)
    p_xh: np.ndarray  # (F, 3, 3, H)
    even: RowSlices  # (F, ...) see floating_frame.PackedInertia
    odd: RowSlices
    start: np.ndarray  # (F + 1,) first place of each body
    owner: np.ndarray  # (A,) body of each place
    place: np.ndarray  # (A, 3) from the mass centre, body axes [m]
    rows: np.ndarray  # (A, 6, H) translation and rotation by the modes
    point: np.ndarray  # (A,) 1: a point, 0: an attachment
    stress: np.ndarray  # (A, 6, H) xx yy zz xy yz zx of points [Pa]
    origin: np.ndarray  # (3,) zero: the mass centre is the origin


def pack_flexible(bodies, units: int) -> FlexibleBodies:
    """Arrays of the flexible ones among the first units.

    Parameters
    ----------
    bodies : sequence of RigidBody       the free bodies, unit by unit; `flexible` is a FlexibleBody or None
    units : int                          of the vehicle, wheelsets included
    """
    found = [(u, b.flexible) for u, b in enumerate(bodies) if b.flexible is not None]
    modes = [len(b.frequency_hz) for _, b in found]
    count, h = len(found), max([1, *modes])
    places = [len(b.place) for _, b in found]
    z = np.zeros
    packed = [_packed(b) for _, b in found] or [rigid_inertia(1.0, np.eye(3))]
    a = FlexibleBodies(
        of_unit=np.full(units, -1),
        unit=np.array([u for u, _ in found], dtype=np.int64),
        mode_count=np.array(modes, dtype=np.int64),
        frequency=z((count, h)),
        damping=z((count, h)),
        mass=z(count),
        s_h=z((count, 3, h)),
        p_xx=z((count, 3, 3)),
        p_xh=z((count, 3, 3, h)),
        even=stack_slices([p.even for p in packed]),
        odd=stack_slices([p.odd for p in packed]),
        start=np.concatenate([[0], np.cumsum(places, dtype=np.int64)]).astype(np.int64),
        owner=np.repeat(np.arange(count), places),
        place=z((sum(places), 3)),
        rows=z((sum(places), 6, h)),
        point=np.zeros(sum(places), dtype=np.int64),
        stress=z((sum(places), 6, h)),
        origin=z(3),
    )
    for f, (u, body) in enumerate(found):
        n, own = modes[f], slice(a.start[f], a.start[f + 1])
        a.of_unit[u] = f
        a.frequency[f, :n], a.damping[f, :n] = 2.0 * np.pi * body.frequency_hz, body.damping_ratio
        a.mass[f], a.s_h[f, :, :n] = packed[f].mass, packed[f].s_h
        a.p_xx[f], a.p_xh[f, :, :, :n] = packed[f].p_xx, packed[f].p_xh
        a.place[own], a.rows[own, :, :n] = body.place, body.place_rows
        points = slice(own.start + body.attachments, own.stop)
        a.point[points], a.stress[points, :, :n] = 1, body.stress_rows
    return a


def _packed(body):
    """PackedInertia of a FlexibleBody."""
    h = len(body.frequency_hz)
    even = np.zeros((EVEN, h, h))
    even[5] = np.eye(h)  # the trace: M-orthonormal modes
    rigid = rigid_inertia(body.mass, body.inertia)
    return PackedInertia(
        h, float(body.mass), np.zeros(3), body.s_h, rigid.p_xx, body.p_xh,
        slice_rows(even, 0.0), slice_rows(np.zeros((ODD, h, h)), 0.0),
    )  # fmt: skip


@kernel(inline="always")
def body_inertia(bodies, f):
    """PackedInertia of body f."""
    h = bodies.mode_count[f]
    return PackedInertia(
        h,
        bodies.mass[f],
        bodies.origin,
        bodies.s_h[f, :, :h],
        bodies.p_xx[f],
        bodies.p_xh[f, :, :, :h],
        slices_of(bodies.even, f),
        slices_of(bodies.odd, f),
    )
