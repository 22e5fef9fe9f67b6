"""Flange contact: elastic with damping, normal to the flange, and Coulomb friction along the track.

Source: paper 001, elastic flange forces and their tangential force.
"""

from flexwheel.numerics.kernels import kernel

SLIP_SCALE = 0.002
"""Sliding velocity over speed at which friction has reached half its bound: smooths the sign."""


@kernel(inline="always")
def flange_load(model, shift, rate):
    """Normal force [N] from the wheel's lateral shift toward its own rail [m] and its rate; 0 without contact."""
    depth = (shift - model.clearance) * model.flange_sin
    if depth <= 0.0:
        return 0.0
    load = model.flange_stiffness * depth + model.flange_damping * rate * model.flange_sin  # 001 (flange)
    return load if load > 0.0 else 0.0


@kernel(inline="always")
def flange_friction(model, load, slip, speed):
    """Longitudinal force [N] on the wheel against its sliding velocity [m/s]."""
    return -model.friction * load * slip / (abs(slip) + SLIP_SCALE * speed)  # 001 (flange friction)
