"""What the results of the locomotive in real time hold."""

from flexwheel.base.variables import Variable

_WHEEL = ("time", "wheel")
REALTIME = (
    Variable("position", ("time", "coordinate"), "m", "coordinates that are lengths", "f8"),
    Variable("velocity", ("time", "coordinate"), "m s-1", "their rates", "f8"),
    Variable("angle_position", ("time", "angle"), "rad", "coordinates that are angles", "f8"),
    Variable("angle_velocity", ("time", "angle"), "rad s-1", "their rates", "f8"),
    Variable("normal_force", _WHEEL, "N", "normal force", "f8"),
    Variable("contact_angle", _WHEEL, "rad", "place of the contact about the axle, from the lowest point", "f8"),
    Variable("u_wheel", _WHEEL, "m", "lateral place of the contact on the wheel profile", "f8"),
    Variable("s_rail", _WHEEL, "m", "arc length of the contact along the rail", "f8"),
    Variable("u_rail", _WHEEL, "m", "lateral place of the contact on the rail profile", "f8"),
    Variable("creepage_x", _WHEEL, "1", "longitudinal creepage, over 1 mm/s at least", "f8"),
    Variable("creepage_y", _WHEEL, "1", "lateral creepage", "f8"),
    Variable("creepage_spin", _WHEEL, "m-1", "spin creepage", "f8"),
    Variable("force_x", _WHEEL, "N", "longitudinal creep force on the wheel", "f8"),
    Variable("force_y", _WHEEL, "N", "lateral creep force on the wheel", "f8"),
    Variable("moment_z", _WHEEL, "N m", "spin moment on the wheel", "f8"),
    Variable("stop_force", _WHEEL, "N", "force of the lateral stop on the wheel", "f8"),
    Variable("residual", _WHEEL, "1", "largest constraint residual found, lengths in m", "f8"),
    Variable("tangent_iterations", ("time",), "1", "iterations of the tangent constraints", "i4"),
    Variable("normal_iterations", ("time",), "1", "iterations of the normal constraints", "i4"),
    Variable("contacts_sought", ("time",), "1", "contacts sought anew", "i4"),
)
