"""What the results of the simplified model hold, and of the full one beside it."""

from flexwheel.base.variables import Variable

_SHIFT, _TURN = ("model", "time", "body", "shift"), ("model", "time", "body", "turn")
REDUCED = (
    Variable("position", _SHIFT, "m", "place of the body across its track frame", "f8"),
    Variable("angle_position", _TURN, "rad", "angles of the body in its track frame; pitch of wheelsets is 0", "f8"),
    Variable("acceleration", _SHIFT, "m s-2", "second time derivative of position", "f8"),
    Variable("angle_acceleration", _TURN, "rad s-2", "second time derivative of angle_position", "f8"),
    Variable(
        "wheel_force", ("model", "time", "wheel", "quantity"), "N",
        "forces on the wheel; lateral_force (Y, to the field side) and vertical_force (Q) on the rail", "f8",
    ),
    Variable("irregularity", ("time", "wheelset", "rail"), "m", "of the rails under the wheelset", "f8"),
    Variable("arc_length", ("time",), "m", "of the leading wheelset along the track", "f8"),
)  # fmt: skip
