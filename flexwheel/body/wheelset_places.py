"""A reduced wheelset as a free flexible body with places, as it goes to another code.

Attachments: the two journals, and the two wheels, whose motion is the rigid one nearest to that of their running
surfaces. Points: the control nodes, and the profile origin in every section of the treads. Axes and origin of the body
frame (reduced_body.py). The static residual of the truncated modes at treads and control nodes is left out.
"""

import numpy as np

from flexwheel.body.control_rings import section_axes, turned_stress
from flexwheel.body.reduced_body import FlexibleBody, ReducedBody

SIDES = ("left", "right")


def wheelset_with_places(body: ReducedBody) -> FlexibleBody:
    """FlexibleBody of a wheelset.

    Verified in tests/verification/test_superelement_verified.py.
    """
    invariants, count = body.invariants, len(body.frequency_hz)
    centre = invariants.s_x / invariants.mass
    names = [f"journal_{side}" for side in SIDES[: len(body.interface_position)]]
    places, rows = [*body.interface_position], [*body.interface_rows]
    for tread in body.treads:
        names.append(f"wheel_{SIDES[tread.side < 0]}")
        places.append(np.array([0.0, tread.lateral, 0.0]))
        rows.append(_wheel_rows(tread))
    held, still, stress = len(places), np.zeros((3, count)), []
    for c, name in enumerate(body.control.name):
        home = body.control.home[c]
        turn = section_axes(body.treads[0].angle[home])
        names.append(name)
        places.append(body.control.position[c])
        rows.append(np.vstack([turn @ body.control.displacement_rows[c, home], still]))
        stress.append(turned_stress(turn) @ body.control.stress_rows[c, home])
    for tread in body.treads:
        for section, angle in enumerate(tread.angle):
            turn = section_axes(angle)
            names.append(f"tread_{SIDES[tread.side < 0]}_{np.degrees(angle):.6g}_deg")
            places.append(np.array([0.0, tread.lateral, 0.0]) + turn @ [0.0, 0.0, -tread.radius])
            rows.append(np.vstack([turn @ tread.profile_rows[section, :3], still]))
            stress.append(np.full((6, count), np.nan))
    return FlexibleBody(
        name=body.name,
        key=body.key,
        mass=body.mass,
        centre=centre,
        inertia=body.inertia,
        frequency_hz=body.frequency_hz,
        damping_ratio=body.damping_ratio,
        s_h=invariants.s_h,
        p_xh=invariants.p_xh - centre[:, None, None] * invariants.s_h,
        place_name=tuple(names),
        attachments=held,
        place=np.array(places) - centre,
        place_rows=np.array(rows),
        stress_rows=np.array(stress),
        stress_error=np.append(body.control.stress_error, np.full(len(names) - held - len(body.control.name), np.nan)),
        corner=np.append(body.control.corner, np.zeros(len(names) - held - len(body.control.name))),
        complete_hz=body.complete_hz,
        audit=body.audit,
    )


def _wheel_rows(tread):
    """(6, H) motion of the wheel's centre: least squares of the shifts and turns of all sections."""
    rigid = np.zeros((len(tread.angle), 6, 6))
    for section, angle in enumerate(tread.angle):
        turn = section_axes(angle)
        arm = turn @ [0.0, 0.0, -tread.radius]
        rigid[section, :3, :3] = rigid[section, 3:, 3:] = turn.T
        rigid[section, :3, 3:] = turn.T @ np.cross(np.eye(3), arm).T
    rows = tread.profile_rows
    return np.linalg.lstsq(rigid.reshape(-1, 6), rows.reshape(-1, rows.shape[-1]), rcond=None)[0]
