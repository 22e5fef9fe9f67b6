"""Inputs that contradict each other: an error with the figures, unless the user has named the case as meant.

A scenario accepts a case with `accept = ["name"]`, a command without one with `--accept name`; the figures are then a
warning of the run.
"""

from flexwheel.base.errors import FlexwheelError, ScenarioError

DISAGREEMENTS = {
    "wheelset_mass": "mass of the wheelset's mesh against the vehicle's",
    "wheelset_inertia": "inertia of the wheelset's mesh against the vehicle's",
    "tread_radius": "rolling radius of the mesh against the vehicle's wheel.radius_m",
    "tread_place": "tread datum of the mesh against the vehicle's flange back",
    "tread_radii": "radius of the left tread against the right one's",
    "axle_place": "mass centre of the wheelset's mesh against its axle: imbalance",
    "kink": "slope of a force law to one side against the other, where a linear analysis takes it",
    "rail_inclination": "lean of the head of a rail file against what is said of it",
    "rail_sections": "features or smoothing that a list of rail sections asks for, against heights at equal y",
    "growth": "a vehicle of which something grows, or is held by nothing, at walking pace",
    "gauge": "gauge between the rails against the wheelset's flanges",
}
"""Names a scenario may accept, with what is compared."""


def disagree(name: str, message: str, accepted=(), error: type[FlexwheelError] = ScenarioError) -> str:
    """Refuse a disagreement, or return it as a warning where it is accepted.

    Parameters
    ----------
    name : str          of DISAGREEMENTS
    message : str       both figures and where they come from
    accepted : sequence of str
    error : type        raised otherwise

    Returns
    -------
    str     the warning
    """
    if name not in DISAGREEMENTS:
        raise KeyError(name)
    if name in accepted:
        return f"{message} (accepted: {name})"
    intended = f'set accept = ["{name}"] in the scenario; of a command that reads none, --accept {name}'
    raise error(f"{message}; if this is intended, {intended}")
