"""What the parameters of a locomotive may be."""

import math

from flexwheel.base.errors import ScenarioError

SPINNING = ("wheelset", "rotor")
BOUNDS = {
    "mass": (1e-3, 1e7, "kg"),
    "inertia": (1e-6, 1e9, "kg m2"),
    "k": (0.0, 1e12, "N/m or N m/rad"),
    "c": (0.0, 1e10, "N s/m or N m s/rad"),
    "length": (0.0, 100.0, "m"),
    "place": (-100.0, 100.0, "m"),
    "gear.teeth": (1.0, 1000.0, "-"),
    "gravity": (0.1, 100.0, "m/s2"),
    "contact.E": (1e8, 1e13, "Pa"),
    "contact.nu": (0.0, 0.499, "-"),
}
CANCELS = {
    "geometry.axle_box_spring_semi_spacing": "axle boxes keep the pitch of the frame, the two springs turn by the same "
    "angle and their spacing cancels",
}
"""Parameters of the published set that change nothing in this model, with the reason."""


def checked_parameters(values):
    """The values as floats.

    Parameters
    ----------
    values : dict      name -> number, as flexwheel/vehicle/files/feve3000.toml

    Raises
    ------
    ScenarioError      naming the parameter that is no number, outside its bounds, or without effect: a spinning body
                       has one moment of inertia across its axis
    """
    checked = {}
    for name, value in values.items():
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            raise ScenarioError(f"locomotive: parameter {name!r} must be a finite number, got {value!r}")
        bounds = BOUNDS.get(kind_of(name))
        if bounds is not None and not bounds[0] <= value <= bounds[1]:
            allowed = f"{bounds[0]:g} to {bounds[1]:g} {bounds[2]}".removesuffix(" -")
            raise ScenarioError(f"locomotive: parameter {name!r} must be {allowed}, got {value!r}")
        checked[name] = float(value)
    for body in SPINNING:
        across = [checked.get(f"{body}.{axis}") for axis in ("Ixx", "Izz")]
        if across[0] != across[1]:
            raise ScenarioError(
                f"locomotive: {body}.Ixx and {body}.Izz must be equal, because {body} spins, got {across[0]} and "
                f"{across[1]}"
            )
    return checked


def kind_of(name):
    """Key of BOUNDS that a parameter's name falls under."""
    section, _, last = name.partition(".")
    if name in BOUNDS:
        return name
    if last == "mass":
        return "mass"
    if last.startswith("I") or last.endswith("Iyy_extra"):
        return "inertia"
    if last.startswith("teeth"):
        return "gear.teeth"
    if last in ("k", "k_rot", "k_mesh"):
        return "k"
    if last in ("c", "c_rot", "c_mesh", "c_yaw"):
        return "c"
    if last.startswith("cg_") or last == "z_on_bogie":
        return "place"
    if section == "geometry":
        place = last.endswith(("_z", "_z_on_bogie", "_x_on_bogie", "_x", "_y")) or last == "suspender_length"
        return "place" if place else "length"
    return ""
