"""What the results of a train hold, and what a train around a vehicle adds to those of the vehicle."""

from flexwheel.base.variables import Variable

_OF_VEHICLE, _OF_COUPLING = ("time", "vehicle"), ("time", "coupling")
TRAIN = (
    Variable("position", _OF_VEHICLE, "m", "centre of the vehicle along the route", "f8"),
    Variable("speed", _OF_VEHICLE, "m s-1", "speed", "f8"),
    Variable("force", _OF_COUPLING, "N", "coupling force, draft positive", "f8"),
    Variable("deflection", _OF_COUPLING, "m", "deflection, draft positive"),
    Variable("pressure", _OF_VEHICLE, "1", "brake cylinder, 1 full service"),
    Variable("level", ("time", "channel"), "1", "notch; negative is dynamic brake", "f8"),
    Variable("peak_force", ("coupling", "side"), "N", "largest force of the run", "f8"),
    Variable("peak_time", ("coupling", "side"), "s", "time of the largest force", "f8"),
    Variable("peak_deflection", ("coupling", "side"), "m", "largest deflection", "f8"),
)

AROUND = tuple(
    Variable(
        f"coupler_{name}", ("time", "coupler"), units, meaning, when="train", source="coupled.work.record", part=(k,)
    )
    for k, (name, units, meaning) in enumerate((
        ("force", "N", "coupler force on the vehicle, draft positive"),
        ("angle", "rad", "coupler against the track tangent at the vehicle's centre"),
        ("lateral_force", "N", "lateral coupler force on the vehicle, left positive"),
        ("pivot_offset", "m", "pivot of the coupler left of the centre line"),
    ))
)  # fmt: skip
