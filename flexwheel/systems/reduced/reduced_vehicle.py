"""From a vehicle file to the simplified model: masses, and the suspension linear about the nominal pose.

Stiffness and damping are those of the force elements of the three-dimensional model, by differences. Axle boxes go with
their wheelset. Longitudinal motion is prescribed: what couples to it is condensed without its inertia. Lateral bump
stops keep their force law; series stiffnesses of dampers are left out.
"""

import numpy as np

from flexwheel.assess.linear.suspension_matrices import suspension_matrices
from flexwheel.base.gravity import GRAVITY
from flexwheel.extensions.elements.bump_stop import STOP
from flexwheel.extensions.elements.damper import SERIES_DAMPER
from flexwheel.extensions.elements.friction_damper import FRICTION
from flexwheel.systems.reduced.simplified_model import LateralStop, ReducedVehicle, SmallBody, SmallWheelset
from flexwheel.systems.reduced.suspension_equations import coupling_left_out
from flexwheel.vehicle.build_vehicle import nominal_positions, vehicle_bodies, vehicle_elements, vehicle_wheelsets
from flexwheel.vehicle.elements.columns import Poses, make_suspension_state
from flexwheel.vehicle.step.assemble import assemble_vehicle
from flexwheel.vehicle.suspension import forces_at
from flexwheel.vehicle.suspension_elements import pack_suspension
from flexwheel.vehicle.suspension_linear import linear_elements

ORDER = (1, 3, 5, 2, 4)  # y, roll, yaw, z, pitch among x, y, z and three rotations
ALONG, PITCH = 0, 4
FAR = 10.0  # [m] to which the last slope of a bump stop's table is drawn out


def reduced_vehicle(vehicle, lateral=0.75, gravity=GRAVITY):
    """ReducedVehicle of a VehicleFile; lateral: half distance of the profile origins [m]."""
    assembly = assemble_vehicle(vehicle_bodies(vehicle), vehicle_wheelsets(vehicle, lateral))
    elements = vehicle_elements(vehicle, assembly, gravity)
    positions = nominal_positions(assembly)
    poses, units = len(positions), len(assembly.unit_names)
    to_pose = _rigid_motion(assembly, positions)
    if elements:
        packed = linear_elements(pack_suspension(elements, positions), series=False)
        state = make_suspension_state(packed)
        rotation, zero = np.repeat(np.eye(3)[None], poses, axis=0), np.zeros((poses, 3))
        nominal = Poses(positions, rotation, zero, zero)
        applied = forces_at(packed, nominal, state)
        matrices = suspension_matrices(packed, nominal, state)
    else:
        applied, matrices = np.zeros((poses, 6)), (np.zeros((6 * poses, 6 * poses)),) * 2
    stiffness, damping = (to_pose.T @ m @ to_pose for m in matrices)
    preload = (to_pose.T @ applied.ravel()).reshape(units, 6)
    full = [_condensed(m, units, len(assembly.body_specs)) for m in (stiffness, damping)]
    boxes = [_box_mass(w) for w in assembly.wheelset_specs]
    return ReducedVehicle(
        name=vehicle.name,
        bodies=tuple(
            SmallBody(b.name, b.mass, tuple(float(x) for x in np.diag(b.inertia)), b.position[0], b.position[2])
            for b in assembly.body_specs
        ),
        wheelsets=tuple(
            SmallWheelset(w.name, w.mass + m, float(w.inertia[0, 0]) + i, float(w.inertia[1, 1]), w.position, w.radius)
            for w, (m, i) in zip(assembly.wheelset_specs, boxes, strict=True)
        ),
        stiffness=full[0],
        damping=full[1],
        preload=preload[:, ORDER].ravel(),
        stops=_stops(elements, assembly),
        coupling_left_out=max(coupling_left_out(0.5 * (m + m.T)) for m in full),
        left_out=_left_out(elements, assembly),
    )


def _rigid_motion(assembly, positions):
    """(6 P, 6 U) motion of every pose by that of the units; axle boxes go with their wheelset."""
    units = len(assembly.unit_names)
    t = np.zeros((6 * len(positions), 6 * units))
    t[: 6 * units] = np.eye(6 * units)
    for pose in range(units, len(positions)):
        unit = len(assembly.body_specs) + (pose - units) // 2
        x, y, z = positions[pose] - positions[unit]
        block = t[6 * pose : 6 * pose + 6, 6 * unit : 6 * unit + 6]
        block[:] = np.eye(6)
        block[:3, 3:] = [[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]]
    return t


def _condensed(matrix, units, bodies):
    """(5 U, 5 U) without the longitudinal coordinates and the pitch of what hangs on the wheelsets' journals."""
    n = 6 * units
    dropped = np.zeros(n, dtype=bool)
    dropped[ALONG::6] = True
    dropped[6 * bodies + PITCH :: 6] = True
    inner = matrix[np.ix_(dropped, dropped)]
    scale = max(np.abs(matrix).max(), 1.0)
    link = matrix[np.ix_(dropped, ~dropped)]
    out = np.zeros((n, n))
    kept = np.ix_(~dropped, ~dropped)
    back = matrix[np.ix_(~dropped, dropped)]
    out[kept] = matrix[kept] - back @ np.linalg.pinv(inner, rcond=1e-9) @ link
    out[np.abs(out) < 1e-9 * scale] = 0.0
    index = np.concatenate([6 * u + np.array(ORDER) for u in range(units)])
    return out[np.ix_(index, index)]


def _box_mass(wheelset):
    """Mass and yaw inertia that the axle boxes add to their wheelset."""
    mass = inertia = 0.0
    for box, y in zip(wheelset.axle_boxes or (), wheelset.journal, strict=False):
        mass += box.mass
        inertia += box.mass * y * y + float(box.inertia[2, 2])
    return mass, inertia


def _left_out(elements, assembly):
    """Lines on the force elements that are here other than in the three-dimensional model."""
    lines = []
    series = [e.name for e in elements if e.law is SERIES_DAMPER]
    if series:
        lines.append(f"simplified model: {len(series)} dampers act without the spring in series, {series[0]} and so on")
    stops = [e.name for e in elements if e.law is STOP and not _is_lateral_stop(e, len(assembly.unit_names))]
    if stops:
        few = f"{len(stops)} bump stops do not act, {stops[0]} and so on"
        lines.append(f"simplified model: {few}: only those across the track between two bodies do")
    friction = [e.name for e in elements if e.law is FRICTION]
    if friction:
        lines.append(f"simplified model: {len(friction)} friction dampers stick throughout, {friction[0]} and so on")
    return tuple(lines)


def _is_lateral_stop(e, units):
    """Whether a bump stop acts across the track between two units."""
    return abs(e.axis[1]) >= 0.99 and 0 <= min(e.body_a, e.body_b) and max(e.body_a, e.body_b) < units


def _stops(elements, assembly):
    """Lateral bump stops; others have no counterpart in a model of two planes."""
    found = []
    units = len(assembly.unit_names)
    for e in elements:
        if e.law is not STOP or not _is_lateral_stop(e, units):
            continue
        d, f = e.force_tables.get(0, (np.array([0.0, 1.0]), np.array([0.0, e.stiffness[0]])))
        d, f = np.asarray(d, float), np.asarray(f, float)
        slope = (f[-1] - f[-2]) / (d[-1] - d[-2])
        d, f = np.append(d, d[-1] + FAR), np.append(f, f[-1] + slope * FAR)
        rows = [(1.0, -p[2], p[0], 0.0, 0.0) for p in (e.point_a, e.point_b)]
        found.append(LateralStop(e.body_a, e.body_b, *rows, d + max(e.clearance), f))
    return tuple(found)
