"""Variables of a result file: dimensions, unit and meaning of each.

Frames and signs are those of docs/architecture.md. Wheels are ordered by wheelset, left before right.
"""

from __future__ import annotations

from dataclasses import dataclass

SCHEMA_VERSION = 1

BODY_COORDINATES = ("s", "y", "z", "yaw", "roll", "spin")
WRENCH_COMPONENTS = ("Fx", "Fy", "Fz", "Mx", "My", "Mz")
STRESS_COMPONENTS = ("xx", "yy", "zz", "xy", "yz", "zx")
RAIL_COORDINATES = ("u", "v", "w", "roll")
SIDES = ("left", "right")
PATCH_MAX = 6

COORDINATES = {
    "body_coordinate": BODY_COORDINATES,
    "wrench": WRENCH_COMPONENTS,
    "stress_component": STRESS_COMPONENTS,
    "rail_coordinate": RAIL_COORDINATES,
    "force": ("longitudinal", "Y", "Q"),
    "direction": ("lateral", "vertical"),
    "axis": ("x", "y", "z"),
    "interface": SIDES,
    "coupler": ("front", "rear"),
}


@dataclass(frozen=True)
class Variable:
    """One variable of a result file."""

    dims: tuple[str, ...]
    units: str
    meaning: str


VARIABLES = {
    "coupler_force": Variable(("time", "coupler"), "N", "coupler force on the vehicle, draft positive"),
    "coupler_angle": Variable(("time", "coupler"), "rad", "coupler against the track tangent at the vehicle's centre"),
    "coupler_lateral_force": Variable(("time", "coupler"), "N", "lateral coupler force on the vehicle, left positive"),
    "coupler_pivot_offset": Variable(("time", "coupler"), "m", "pivot of the coupler left of the centre line"),
    "body_position": Variable(
        ("time", "body", "body_coordinate"),
        "m m m rad rad rad",
        "coordinates of the body relative to the track frame at its own arc length",
    ),
    "body_velocity": Variable(
        ("time", "body", "body_coordinate"),
        "m/s m/s m/s rad/s rad/s rad/s",
        "time derivative of body_position",
    ),
    "body_acceleration": Variable(
        ("time", "body", "body_coordinate"),
        "m/s2 m/s2 m/s2 rad/s2 rad/s2 rad/s2",
        "second time derivative of body_position",
    ),
    "wheel_force": Variable(
        ("time", "wheel", "force"),
        "N",
        "force of the wheel on the rail, track axes: longitudinal positive forward, Y positive to the field "
        "side of its own rail, Q positive downward",
    ),
    "contact_wrench": Variable(
        ("time", "wheel", "wrench"),
        "N N N N m N m N m",
        "force and moment of the rail on the wheel about its profile origin P, track axes",
    ),
    "patch_count": Variable(("time", "wheel"), "1", "number of separate contact patches"),
    "patch_y_rail": Variable(
        ("time", "wheel", "patch"), "m", "lateral place on the rail profile, positive to the field side"
    ),
    "patch_y_wheel": Variable(
        ("time", "wheel", "patch"), "m", "lateral place on the wheel profile, positive to the field side"
    ),
    "patch_normal_force": Variable(("time", "wheel", "patch"), "N", "normal force, positive in compression"),
    "patch_creep_force_x": Variable(
        ("time", "wheel", "patch"), "N", "creep force on the wheel along rolling, patch frame"
    ),
    "patch_creep_force_y": Variable(
        ("time", "wheel", "patch"), "N", "lateral creep force on the wheel, patch frame, to the field side"
    ),
    "patch_spin_moment": Variable(
        ("time", "wheel", "patch"), "N m", "creep moment on the wheel about the patch normal"
    ),
    "patch_half_length": Variable(("time", "wheel", "patch"), "m", "half length along rolling"),
    "patch_half_width": Variable(("time", "wheel", "patch"), "m", "half width across"),
    "patch_approach": Variable(("time", "wheel", "patch"), "m", "approach of the bodies"),
    "patch_x_contact": Variable(
        ("time", "wheel", "patch"), "m", "place of the patch ahead of the wheel's lowest point"
    ),
    "patch_area": Variable(("time", "wheel", "patch"), "m2", "area of the patch"),
    "patch_peak_pressure": Variable(("time", "wheel", "patch"), "Pa", "largest normal pressure"),
    "patch_xi": Variable(("time", "wheel", "patch"), "1", "longitudinal creepage"),
    "patch_eta": Variable(("time", "wheel", "patch"), "1", "lateral creepage"),
    "patch_phi": Variable(("time", "wheel", "patch"), "1/m", "spin creepage"),
    "patch_contact_angle": Variable(("time", "wheel", "patch"), "rad", "angle of the patch to the track plane"),
    "rail_displacement": Variable(
        ("time", "wheel", "rail_coordinate"),
        "m m m rad",
        "rail under the wheel: along, left, up, roll about x",
    ),
    "rail_velocity": Variable(
        ("time", "wheel", "rail_coordinate"), "m/s m/s m/s rad/s", "time derivative of rail_displacement"
    ),
    "irregularity": Variable(
        ("time", "wheel", "direction"), "m", "irregularity of the rail under the wheel, left and up positive"
    ),
    "modal_coordinate": Variable(
        ("time", "flexible", "mode"),
        "kg^0.5 m",
        "coordinates of M-orthonormal modes, in the spinning mesh (lagrangian) or the non-turning mesh; rates are "
        "those of the material (seen from the spinning wheel) where the attribute modal_rates says so",
    ),
    "modal_velocity": Variable(("time", "flexible", "mode"), "kg^0.5 m/s", "derivative of modal_coordinate"),
    "modal_acceleration": Variable(
        ("time", "flexible", "mode"), "kg^0.5 m/s2", "second derivative of modal_coordinate"
    ),
    "interface_force": Variable(
        ("time", "flexible", "interface", "wrench"),
        "N N N N m N m N m",
        "force and moment on the wheelset at the journal, axes of the non-spinning wheelset frame E",
    ),
}
"""What the time loop stores."""

_CONTROL = ("time", "control_node", "point")
DERIVED = {
    "displacement": Variable(
        (*_CONTROL, "axis"), "m", "flexible displacement in section axes: tangential, axial, towards the axle"
    ),
    "radial_displacement": Variable(_CONTROL, "m", "flexible displacement away from the axle"),
    "velocity": Variable((*_CONTROL, "axis"), "m/s", "material velocity seen from the spinning wheel, section axes"),
    "acceleration": Variable(
        (*_CONTROL, "axis"), "m/s2", "material acceleration seen from the spinning wheel, section axes"
    ),
    "absolute_acceleration": Variable(
        (*_CONTROL, "axis"), "m/s2", "acceleration with the motion of the wheelset included, section axes"
    ),
    "stress": Variable((*_CONTROL, "stress_component"), "Pa", "stress tensor in section axes"),
    "von_mises": Variable(_CONTROL, "Pa", "equivalent stress of von Mises"),
}
"""What is computed after the run at the control nodes; point is `rotating` or `fixed`."""

REQUIRED = (
    "body_position",
    "body_velocity",
    "wheel_force",
    "contact_wrench",
    "patch_normal_force",
    "patch_y_rail",
    "patch_area",
    "patch_peak_pressure",
    "patch_half_length",
    "patch_half_width",
    "patch_x_contact",
    "irregularity",
)
"""Variables that every run writes and that its summary and pictures read."""
MODAL = ("modal_coordinate", "modal_velocity", "modal_acceleration", "interface_force", "body_acceleration")
"""The same of a run with a flexible wheelset."""
MESH_MODES = ("lagrangian", "eulerian_interpolated", "eulerian")
