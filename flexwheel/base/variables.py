"""The one table of result variables of every kind of run: name, dimensions, unit, meaning, storage, origin.

Kernels take the columns of their records from it (`PATCH`), the recorder takes what to copy, the files their layout,
docs/results.md its text. A new variable is a row here and the kernel that computes it.

Frames and signs are those of docs/architecture.md. Wheels are ordered by wheelset, left before right. Units are those
of UDUNITS; modes have a modal mass of 1 kg, so that their coordinates are lengths.
"""

from collections import namedtuple
from dataclasses import dataclass
from math import prod

import numpy as np

from flexwheel.base.coupled_system import COUPLED_SYSTEMS
from flexwheel.base.kind import KINDS
from flexwheel.base.kind import VEHICLE as VEHICLE_KIND

SCHEMA_VERSION = 2
SIDES = ("left", "right")
PATCH_MAX = 6  # patches of one wheel
BESIDE = namedtuple("BesideColumns", "x y z normal_force friction_force gap lead", module=__name__)(*range(7))
"""Columns of a kernel's record of what touches a wheel beside its running rail."""
CHECK_RAIL = "check rail"
"""`when` of what a run has that has check rails."""
MESH_MODES = ("lagrangian", "eulerian_interpolated", "eulerian")
WHEEL_QUANTITIES = (
    "tread_normal",
    "creep_x",
    "creep_y",
    "flange_normal",
    "flange_x",
    "lateral_force",
    "vertical_force",
)
"""Forces on a wheel of the simplified model; Y (to the field side) and Q act on the rail."""

GROUPS = ("elements", "energy")
"""Groups of variables of a vehicle run that `output.also` asks for; `when` of their rows."""
LABELS = {
    "axis": ("x", "y", "z"),
    "path": ("s", "y", "z"),
    "rotation": ("yaw", "roll", "spin"),
    "stress_component": ("xx", "yy", "zz", "xy", "yz", "zx"),
    "force": ("longitudinal", "Y", "Q"),
    "direction": ("lateral", "vertical"),
    "point": ("rotating", "fixed"),
    "interface": SIDES,
    "coupler": ("front", "rear"),
    "side": ("draft", "buff"),
    "shift": ("y", "z"),
    "turn": ("roll", "yaw", "pitch"),
    "quantity": WHEEL_QUANTITIES,
    "derivative": ("first", "second", "third", "fourth", "fifth", "sixth"),
    "rate": ("first", "second"),
    "rail": ("left lateral", "left vertical", "right lateral", "right vertical"),
}
"""Dimensions whose labels are always the same."""
NAMED = tuple(
    "wheelset wheel body body_point flexible control_node coordinate angle vehicle coupling model element".split()
)
"""Dimensions whose labels are names of the run; the others have neither."""


@dataclass(frozen=True)
class Variable:
    """One variable of a result file."""

    name: str
    dims: tuple[str, ...]
    units: str
    meaning: str  # its long_name
    storage: str = "f4"  # numpy type in the file: f4 keeps seven digits
    when: str = ""  # condition under which a run has it; "" always; `asked`: only named in output.variables
    # what the recorder of vehicle runs copies: path from `state`, `work`, `coupled` or `watch`; a number is an index
    source: str = ""
    part: tuple = ()  # index into the axes of the source after those of body, wheel or journal
    column: str = ""  # of patches, and of bodies beside their motion: name of the kernel's column
    absent: float = np.nan  # of patches: value where there is no patch
    read: bool = False  # summary and pictures read it: a file without it is refused unless output.variables left it

    def size(self, sizes) -> int:
        """Bytes of one sample, uncompressed; sizes: dimension -> length where LABELS does not say it."""
        lengths = [len(LABELS[dim]) if dim in LABELS else sizes[dim] for dim in self.dims if dim != "time"]
        return prod(lengths) * np.dtype(self.storage).itemsize


def _motion(name, units, meaning, source, storage, read=False):
    """Rows of a motion of the bodies: along and across the track, and turning."""
    rotation = {"position": "angle", "velocity": "angular_velocity", "acceleration": "angular_acceleration"}[name]
    turning = meaning.replace("place", "angles")
    words = "relative to the track frame at the body's own arc length"
    return (
        Variable(
            f"body_{name}", ("time", "body", "path"), units, f"{meaning} {words}", storage, "", source,
            (slice(0, 3),), read=read,
        ),
        Variable(
            f"body_{rotation}", ("time", "body", "rotation"), units.replace("m", "rad", 1),
            f"{turning} {words}", storage, "", source, (slice(3, 6),), read=read,
        ),
    )  # fmt: skip


def _patch(column, units, meaning, name="", absent=np.nan, when="", read=False):
    """Row of a variable of the contact patches."""
    dims = ("time", "wheel", "patch")
    return Variable(
        f"patch_{name or column}", dims, units, meaning, "f4", when, "work.patches", (), column, absent, read
    )


def _check_rail(name, units, meaning, part):
    """Row of a variable of check rails."""
    dims = ("time", "wheel", "axis") if isinstance(part, slice) else ("time", "wheel")
    return Variable(f"check_rail_{name}", dims, units, meaning, "f4", CHECK_RAIL, "work.beside", (part,))


def _body(column, units, meaning, storage="f4"):
    """Row of a variable of the bodies that a kernel puts into work.body_columns[body, BODY.column]."""
    return Variable(f"body_{column}", ("time", "body"), units, meaning, storage, "", "work.body_columns", (), column)


def _element(row, name, units, meaning):
    """Row of a variable of the force elements."""
    return Variable(
        f"element_{name}", ("time", "element", "axis"), units, f"{meaning}, {_ELEMENT_AXES}", when="elements",
        source="watch.elements", part=(row, slice(None)),
    )  # fmt: skip


_ELEMENT_AXES = (
    "along (moment, rotation: about) the axes of the body in which the element's laws are given; dampers, rods, "
    "friction elements and stops: x is their line or axis"
)
_ENERGY = {
    "kinetic": "kinetic energy of the vehicle, modes of its wheelsets included",
    "weight": "potential energy of the vehicle's weight, from the height of the track's start",
    "suspension": "elastic energy of the force elements, from the nominal pose",
    "modes": "elastic energy of the modes of flexible wheelsets and bodies",
    "contact": "elastic energy taken up by contacts and local compliance of the wheels since the start",
    "rails_kinetic": "kinetic energy of rails and sleepers",
    "rails_elastic": "elastic energy of rails, fasteners and foundation",
    "lost_dampers": "energy lost in dampers of the vehicle, including those of springs and stops",
    "lost_friction": "energy lost in friction elements of the vehicle",
    "lost_creep": "energy lost by creep, including spin",
    "lost_contact": "energy lost in the normal damping of the contacts",
    "lost_modes": "energy lost in the structural damping of wheelsets and flexible bodies",
    "lost_rails": "energy lost in the material damping of the rails",
    "lost_pads": "energy lost in the dampers of fasteners; rails without sleepers: in the dampers under the wheels",
    "lost_ballast": "energy lost in the dampers of the foundation",
    "lost_layers": "energy lost in the absorbing layers at the ends of the track window",
    "lost_window": "energy of the rails that the moving track window leaves behind",
    "in_drive": "energy put in by the drive",
    "in_outside": "energy put in by couplers, resistance and brake of a train",
    "in_carried": "energy put in by an error of the model: the contact normal has no component along the rail where "
    "rails rise and fall and where a yawed wheel touches ahead of its axle",
    "residual": "residual of the energy balance: stored now less stored at the start, plus lost, less put in",
}
ENERGY = namedtuple("EnergyColumns", _ENERGY, module=__name__)(*range(len(_ENERGY)))
"""Terms of the energy ledger: stored, lost since the start, put in since the start, left over."""


_JOURNAL, _MODE = ("time", "flexible", "interface", "axis"), ("time", "flexible", "mode")
_CONTROL = ("time", "control_node", "point")
_WHEEL_AXIS = ("time", "wheel", "axis")
_PROFILE = (1, "y", "m", "lateral place"), (2, "z", "m", "height"), (3, "roll", "rad", "roll"), (5, "yaw", "rad", "yaw")
VEHICLE = (
    *_motion("position", "m", "place of the body", "state.history.0.0", "f8", True),
    *_motion("velocity", "m s-1", "time derivative of the place", "state.history.0.1", "f8", True),
    *_motion("acceleration", "m s-2", "second time derivative of the place", "state.history.0.2", "f4"),
    Variable(
        "wheel_force", ("time", "wheel", "force"), "N",
        "force of the wheel on the rail, track axes: longitudinal positive forward, Y positive to the field side of "
        "its own rail, Q positive downward", source="state.wrench", read=True,
    ),
    Variable(
        "contact_force", _WHEEL_AXIS, "N", "force of the rail on the wheel, track axes",
        source="state.wrench", part=(slice(0, 3),), read=True,
    ),
    Variable(
        "contact_moment", _WHEEL_AXIS, "N m",
        "moment of the rail on the wheel about its profile origin P, track axes",
        source="state.wrench", part=(slice(3, 6),), read=True,
    ),
    Variable(
        "patch_count", ("time", "wheel"), "1", "number of separate contact patches", "i4", source="work.patch_count",
        read=True,
    ),
    _patch("y_rail", "m", "lateral place of the load on the rail profile, positive to the field side", read=True),
    _patch("y_wheel", "m", "lateral place of the load on the wheel profile, positive to the field side"),
    _patch("normal_force", "N", "normal force, positive in compression", absent=0.0, read=True),
    _patch("force_x", "N", "creep force on the wheel along rolling, patch frame", "creep_force_x", 0.0),
    _patch("force_y", "N", "lateral creep force on the wheel, patch frame, to the field side", "creep_force_y", 0.0),
    _patch("spin_moment", "N m", "creep moment on the wheel about the patch normal", absent=0.0),
    _patch("xi", "1", "longitudinal creepage"),
    _patch("eta", "1", "lateral creepage"),
    _patch("phi", "m-1", "spin creepage"),
    _patch("area", "m2", "area of the patch", absent=0.0, read=True),
    _patch("peak_pressure", "Pa", "largest normal pressure", absent=0.0, read=True),
    _patch("contact_angle", "rad", "angle of the patch to the track plane"),
    _patch("half_length", "m", "half length along rolling", read=True),
    _patch("half_width", "m", "half width across", read=True),
    _patch("approach", "m", "approach of the bodies"),
    _patch("x_contact", "m", "place of the patch ahead of the wheel's lowest point", read=True),
    _patch("share", "1", "weight of the patch where two merge; 1 elsewhere", absent=0.0, when="asked"),
    *(
        Variable(
            f"profile_{name}", ("time", "wheel"), units,
            f"{meaning} of the wheel's profile against its rail: tread datum from crown, y to the field side; "
            "roll and yaw mirrored on the right", when="asked", source="work.pose", part=(part,),
        )
        for part, name, units, meaning in _PROFILE
    ),
    _check_rail("force", "N", "force of check rails on the wheel, track axes; part of contact_force", slice(0, 3)),
    _check_rail("normal_force", "N", "normal force of check rails on the flange back", BESIDE.normal_force),
    _check_rail("friction_force", "N", "size of the friction forces of check rails", BESIDE.friction_force),
    _check_rail("gap", "m", "gap between flange back and check rail, negative under load; nan beside none", BESIDE.gap),
    _check_rail("lead", "m", "place of check_rail_normal_force ahead of the wheel's profile origin", BESIDE.lead),
    Variable(
        "rail_displacement", _WHEEL_AXIS, "m", "rail under the wheel: along, left, up",
        source="work.rail", part=(0, slice(0, 3)),
    ),
    Variable("rail_roll", ("time", "wheel"), "rad", "rail under the wheel: roll", source="work.rail", part=(0, 3)),
    Variable(
        "rail_velocity", _WHEEL_AXIS, "m s-1", "time derivative of rail_displacement",
        source="work.rail", part=(1, slice(0, 3)),
    ),
    Variable(
        "rail_roll_rate", ("time", "wheel"), "rad s-1", "time derivative of rail_roll", source="work.rail", part=(1, 3)
    ),
    Variable(
        "irregularity", ("time", "wheel", "direction"), "m",
        "irregularity of the rail under the wheel, left and up positive", source="work.irregularity",
        part=(slice(0, 2),), read=True,
    ),
    Variable(
        "out_of_roundness", ("time", "wheel"), "m", "radius of the wheel where it touches less the nominal one",
        when="asked", source="work.roundness", part=(0,),
    ),
    Variable(
        "body_measured_acceleration", ("time", "body", "axis"), "m s-2",
        "acceleration of the body's centre less gravity, as an accelerometer there measures it: 9.81 upward at rest; "
        "axes of the frame that yaws and rolls with the body and neither pitches nor spins", source="work.measured",
    ),
    Variable(
        "axle_box_measured_acceleration", _WHEEL_AXIS, "m s-2",
        "acceleration of the axle box at that end of the wheelset less gravity, at the mass centre of the box; of the "
        "journal centre where the vehicle has no boxes; axes of the frame that yaws and rolls with the wheelset",
        source="work.box_measured",
    ),
    Variable(
        "modal_coordinate", _MODE, "m",
        "coordinates of modes with a modal mass of 1 kg, in the spinning mesh (lagrangian) or the non-turning mesh; "
        "rates are those of the material (seen from the spinning wheel) where the attribute modal_rates says so",
        when="flexible wheelset", source="state.history.0.0", read=True,
    ),
    Variable(
        "modal_velocity", _MODE, "m s-1", "derivative of modal_coordinate", when="flexible wheelset",
        source="state.history.0.1", read=True,
    ),
    Variable(
        "modal_acceleration", _MODE, "m s-2", "second derivative of modal_coordinate",
        when="flexible wheelset", source="state.history.0.2", read=True,
    ),
    Variable(
        "interface_force", _JOURNAL, "N", "force on the wheelset at the journal, axes of the non-spinning wheelset "
        "frame E", when="flexible wheelset", source="state.interface_force", part=(slice(0, 3),), read=True,
    ),
    Variable(
        "interface_moment", _JOURNAL, "N m", "moment on the wheelset at the journal, axes of frame E",
        when="flexible wheelset", source="state.interface_force", part=(slice(3, 6),), read=True,
    ),
    Variable(
        "body_point_displacement", ("time", "body_point", "axis"), "m",
        "elastic displacement of an attachment or control node of a flexible body, against the frame in its mass "
        "centre, axes of the body", when="flexible body", source="work.place_motion", part=(0, slice(None)),
    ),
    Variable(
        "body_point_acceleration", ("time", "body_point", "axis"), "m s-2",
        "acceleration there less gravity, as an accelerometer measures it, axes of the body", when="flexible body",
        source="work.place_motion", part=(1, slice(None)),
    ),
    Variable(
        "body_point_stress", ("time", "body_point", "stress_component"), "Pa",
        "stress at a control node of a flexible body, axes of the body; not a number at attachments",
        when="flexible body", source="work.place_stress",
    ),
    _element(
        0, "force", "N", "force of a force element against the growth of its stroke: tension positive; of the drive "
        "the tractive force",
    ),
    _element(1, "moment", "N m", "moment of a force element against the growth of its turn; of the drive the torque"),
    _element(
        2, "stroke", "m", "way of the element's end on body b from that on body a since the nominal pose, elongation "
        "positive; of the drive the way behind the speed held",
    ),
    _element(3, "turn", "rad", "turn of body b against body a since the nominal pose"),
    _element(4, "rate", "m s-1", "rate of element_stroke"),
    _element(5, "turn_rate", "rad s-1", "angular velocity of body b less that of body a"),
    *(
        Variable(f"energy_{name}", ("time",), "J", meaning, "f8", "energy", "watch.terms", (k,))
        for k, (name, meaning) in enumerate(_ENERGY.items())
    ),
    *(
        Variable(
            f"{of}_{part}_rate", (*_JOURNAL[:-1], "derivative", "axis"), units, "n-th time derivative, times 1e-4^n "
            f"s^n, of the {part} on the wheelset at the {at} of this side, axes of frame E; central differences over "
            "steps of the run",
            when="flexible wheelset", source=f"state.loads.{of}_rate", part=(slice(None), place),
        )
        for of, at in (("load", "wheel"), ("interface", "journal"))
        for part, units, place in (("force", "N", slice(0, 3)), ("moment", "N m", slice(3, 6)))
    ),
)  # fmt: skip
MOVING = "x_contact", "y_wheel", "normal_force", "half_length", "half_width", "contact_angle", "force_y"
"""Columns of a patch whose rates the time loop forms, for control nodes in the field of a patch."""
PATCH_FIELD = "patch field"
"""`when` of what a run has where a control node lies in the field of a patch."""


def _patch_rates():
    """Rows of the rates of the patches' MOVING columns."""
    dims, source = ("time", "flexible", "interface", "rate", "patch"), "state.loads.patch_rate"
    of = {variable.column: variable for variable in VEHICLE if variable.source == "work.patches"}
    meaning = "first and second time derivative, times 1e-4 s and 1e-8 s2, of the"
    return (
        Variable(
            f"{of[column].name}_rate", dims, of[column].units, f"{meaning} {of[column].meaning}", when=PATCH_FIELD,
            source=source, part=(k, slice(None)),
        )
        for k, column in enumerate(MOVING)
    )  # fmt: skip


VEHICLE = (*VEHICLE, *_patch_rates())
"""What the time loop of a vehicle stores."""

_AFTER = "control nodes"
DERIVED = (
    Variable(
        "displacement", (*_CONTROL, "axis"), "m",
        "flexible displacement in section axes: tangential, axial, towards the axle", when=_AFTER,
    ),
    Variable("radial_displacement", _CONTROL, "m", "flexible displacement away from the axle", when=_AFTER),
    Variable(
        "velocity", (*_CONTROL, "axis"), "m s-1", "material velocity seen from the spinning wheel, section axes",
        when=_AFTER,
    ),
    Variable(
        "acceleration", (*_CONTROL, "axis"), "m s-2",
        "material acceleration seen from the spinning wheel, section axes", when=_AFTER,
    ),
    Variable(
        "absolute_acceleration", (*_CONTROL, "axis"), "m s-2",
        "acceleration with the motion of the wheelset included, section axes", when=_AFTER,
    ),
    Variable("stress", (*_CONTROL, "stress_component"), "Pa", "stress tensor in section axes", when=_AFTER),
    Variable("von_mises", _CONTROL, "Pa", "equivalent stress of von Mises", when=_AFTER),
)  # fmt: skip
"""What is computed after the run at the control nodes; point is `rotating` or `fixed`."""


def vehicle_variables():
    """What the time loop of a vehicle can store: VEHICLE, and what systems coupled to it add."""
    return (*VEHICLE, *(variable for system in COUPLED_SYSTEMS.values() for variable in system.variables))


def variables(kind=VEHICLE_KIND):
    """Variables of a kind of run, name -> Variable."""
    return {variable.name: variable for variable in KINDS[kind].variables}


def named(name, table):
    """Names of the variables of a table that a name means; one that ends in `*` all that begin so."""
    return {v.name for v in table if v.name == name or (name.endswith("*") and v.name.startswith(name[:-1]))}


def _columns(source):
    """Names of the columns of a record that kernels fill."""
    return tuple(variable.column for variable in VEHICLE if variable.column and variable.source == source)


PatchColumns = namedtuple("PatchColumns", _columns("work.patches"), module=__name__)
BodyColumns = namedtuple("BodyColumns", _columns("work.body_columns"), module=__name__)
PATCH = PatchColumns(*range(len(PatchColumns._fields)))
"""Columns of a kernel's record of a contact patch: PATCH.normal_force is the number of that column."""
BODY = BodyColumns(*range(len(BodyColumns._fields)))
"""Columns of what kernels record of a body beside its motion: `_body` makes a row of the table; none is shipped."""


def force_on_rail(wrench):
    """Longitudinal force, Y and Q (..., wheel, 3) on the rail of the wrench (..., wheel, 6) on the wheel.

    Y is positive to the field side: to the left on left wheels, to the right on right wheels.
    """
    side = np.where(np.arange(wrench.shape[-2]) % 2 == 0, 1.0, -1.0)
    return np.stack([-wrench[..., 0], -side * wrench[..., 1], wrench[..., 2]], axis=-1)
