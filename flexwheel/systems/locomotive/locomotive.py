"""Symbolic multibody model of a locomotive with two two-axle bogies (paper 000, section 3).

Coordinates, 30 for the FEVE 3000: vehicle body x, y, z, yaw, pitch, roll; per bogie the slider's yaw, the frame's
height, roll and tilt; per wheelset its height and roll in the frame and its spin; per motor the housing's angle about
the axle and the rotor's angle, relative to the non-spinning wheelset frame. The yaw between slider and frame is removed
(anti-yaw bars), the suspenders are fixed to the frame, the axle boxes to the non-spinning wheelset frame.

Mass goes to the points tree, rotational inertia to the bases tree: the rotor rides on the housing but turns relative
to the wheelset frame.

A spring between two bodies is three linear springs and dampers in the axes of its first body; its couple r x f acts on
that body, so that the element creates neither momentum nor energy.

Source: paper 000, section 3.1. Verified in tests/systems/locomotive/test_realtime_model_verified.py.
"""

from dataclasses import dataclass

from flexwheel.base.errors import ScenarioError
from flexwheel.systems.locomotive.locomotive_parameters import checked_parameters
from flexwheel.systems.symbolic.expression import symbol
from flexwheel.systems.symbolic.points import position
from flexwheel.systems.symbolic.symbolic_vectors import Tensor, Vector
from flexwheel.systems.symbolic.system import System
from flexwheel.systems.symbolic.virtual_power import MovingBody, VirtualPower

SIDES = (("left", 1.0), ("right", -1.0))


@dataclass(frozen=True)
class LocomotiveWheelset:
    """A wheelset in the model."""

    name: str  # such as "front.1"
    centre: object  # Point
    fixed: object  # Base that does not spin
    spinning: object  # Base
    height: int  # coordinate chosen as dependent on the normal constraints; so is roll
    roll: int
    coordinates: tuple  # indices of all coordinates that move it


@dataclass(frozen=True)
class Locomotive:
    """System, bodies and applied forces."""

    system: System
    bodies: tuple[MovingBody, ...]
    wheelsets: tuple[LocomotiveWheelset, ...]  # from the front
    springs: tuple  # (first point, second point, base of the first, k, c, free vector)
    torques: tuple  # of Expression: motor torques, then brake torques [N m]
    load: object  # function(VirtualPower), adds all applied forces but contact
    pivots: tuple  # elimination order of coordinates, multipliers as number of coordinates + wheel


def build_locomotive(values, motored=(False, True)) -> Locomotive:
    """Symbolic model.

    Parameters
    ----------
    values : dict            parameter name -> float, the keys of flexwheel/vehicle/files/feve3000.toml
    motored : (bool, bool)   whether the wheelsets of the front and rear bogie have motors

    Raises
    ------
    ScenarioError            when a parameter is missing or impossible
    """
    return _Builder(checked_parameters(values)).build(motored)


class _Builder:
    def __init__(self, values):
        self.values = values
        self.system = System()
        self.bodies, self.wheelsets, self.springs, self.gears = [], [], [], []
        self.pivots_yaw, self.bushings, self.motors, self.brakes, self.pivots = [], [], [], [], []

    def p(self, name):
        """Parameter symbol."""
        if name not in self.values:
            raise ScenarioError(f"locomotive: parameter {name!r} must be given in the vehicle file")
        return self.system.parameter(name, self.values[name])

    def build(self, motored):
        s = self.system
        s.lift = self.p("gravity")
        body = s.point("vehicle_body", s.origin, [s.coordinate(n) for n in ("x", "y", "z")], s.ground)
        base = s.ground
        for name, axis in (("yaw", 2), ("pitch", 1), ("roll", 0)):
            base = s.rotation(name, base, axis, s.coordinate(name))
        cg = [self.p(f"vehicle_body.cg_{c}") for c in "xyz"]
        self.body("vehicle_body", s.point("vehicle_body.cg", body, cg, base), base)
        for bogie, sign, has_motors in (("front", 1.0, motored[0]), ("rear", -1.0, motored[1])):
            self.bogie(bogie, sign, has_motors, body, base)
        self.pivots += [s.names.index(n) for n in ("pitch", "roll", "yaw", "z", "y", "x")]
        return Locomotive(
            s, tuple(self.bodies), tuple(self.wheelsets), tuple(self.springs),
            (*self.motors, *self.brakes), self.load,
            tuple(k if k >= 0 else len(s.q) - k - 1 for k in self.pivots),
        )  # fmt: skip

    def bogie(self, bogie, sign, has_motors, body, base):
        s, p = self.system, self.p
        slider = s.point(f"{bogie}.slider", body, [sign * 0.5 * p("geometry.bogie_pivot_distance"), 0.0, 0.0], base)
        slider_base = s.rotation(f"{bogie}.slider", base, 2, s.coordinate(f"{bogie}.slider_yaw"))
        self.pivots_yaw.append((base, slider_base, s.qd[-1]))
        self.body("slider", slider, slider_base, f"{bogie}.slider")
        frame = s.point(f"{bogie}.frame", slider, [0.0, 0.0, s.coordinate(f"{bogie}.frame_z")], slider_base)
        rolled = s.rotation(f"{bogie}.frame_roll", slider_base, 0, s.coordinate(f"{bogie}.frame_roll"))
        frame_base = s.rotation(f"{bogie}.frame_tilt", rolled, 1, s.coordinate(f"{bogie}.frame_tilt"))
        cg = s.point(f"{bogie}.frame.cg", frame, [0.0, 0.0, p("bogie_frame.cg_z")], frame_base)
        self.body("bogie_frame", cg, frame_base, f"{bogie}.frame")
        seat = p("geometry.suspender_z") - p("geometry.suspender_length")
        for _, side in SIDES:
            for along in (1.0, -1.0):
                x, y = along * p("geometry.slider_spring_x"), side * p("geometry.slider_spring_y")
                top = s.point("secondary.top", slider, [x, y, 0.0], slider_base)
                bottom = s.point("secondary.bottom", frame, [x, y, seat], frame_base)
                self.spring("secondary", top, bottom, slider_base, -p("geometry.secondary_spring_free_length"))
        for number, along in ((1, 1.0), (2, -1.0)):
            self.wheelset(f"{bogie}.{number}", along, has_motors, frame, frame_base)
        self.pivots += [s.names.index(f"{bogie}.{n}") for n in ("frame_z", "frame_roll", "frame_tilt", "slider_yaw")]

    def wheelset(self, name, along, has_motor, frame, frame_base):
        s, p = self.system, self.p
        x = along * p("geometry.semi_wheelbase")
        height = s.coordinate(f"{name}.z")
        centre = s.point(name, frame, [x, 0.0, height], frame_base)
        fixed = s.rotation(f"{name}.fixed", frame_base, 0, s.coordinate(f"{name}.roll"))
        spinning = s.rotation(f"{name}.spin", fixed, 1, s.coordinate(f"{name}.spin"), spinning=True)
        self.body("wheelset", centre, spinning, name, extra_yy="wheelset.gear_wheel_Iyy_extra" if has_motor else None)
        for side_name, side in SIDES:
            y = side * p("geometry.primary_lateral_semi_spacing")
            box = s.point(f"{name}.axle_box_{side_name}", centre, [0.0, y, 0.0], fixed)
            self.body("axle_box", box, fixed, f"{name}.axle_box_{side_name}")
            for fore in (1.0, -1.0):
                dx = fore * p("geometry.axle_box_spring_semi_spacing")
                top = s.point("primary.top", frame, [x + dx, y, p("geometry.primary_attach_z_on_bogie")], frame_base)
                bottom = s.point(
                    "primary.bottom", box, [dx, 0.0, -p("geometry.axle_box_spring_seat_below_axle")], fixed
                )
                self.spring("primary", top, bottom, frame_base, -p("geometry.primary_spring_free_length"))
        brake = symbol(s.graph, f"brake.{name}")
        self.brakes.append(brake)
        if has_motor:
            self.motor(name, along, frame, frame_base, centre, fixed, spinning)
        names = [f"{name}.rotor", f"{name}.housing"] if has_motor else []
        order = [s.names.index(n) for n in (*names, f"{name}.spin", f"{name}.z", f"{name}.roll")]
        wheel = 2 * len(self.wheelsets)
        self.pivots += [*order, -1 - wheel, -2 - wheel]
        moved = _moved(s, centre, spinning)
        self.wheelsets.append(
            LocomotiveWheelset(
                name, centre, fixed, spinning, s.names.index(f"{name}.z"), s.names.index(f"{name}.roll"), moved
            )
        )

    def motor(self, name, along, frame, frame_base, centre, fixed, spinning):
        s, p = self.system, self.p
        housing_angle = s.coordinate(f"{name}.housing")
        housing = s.rotation(f"{name}.housing", fixed, 1, housing_angle)
        rotor_angle = s.coordinate(f"{name}.rotor")
        rotor = s.rotation(f"{name}.rotor", fixed, 1, rotor_angle, spinning=True)
        towards = -along  # the motor lies between the axle and the bogie's centre
        at = s.point(f"{name}.rotor", centre, [towards * p("geometry.gear_centre_distance"), 0.0, 0.0], housing)
        self.body("rotor", at, rotor, f"{name}.rotor")
        cg = s.point(f"{name}.housing.cg", centre, [towards * p("motor_housing.cg_from_axle"), 0.0, 0.0], housing)
        self.body("motor_housing", cg, housing, f"{name}.housing")
        reach = p("geometry.gear_centre_distance") + p("geometry.motor_bushing_to_rotor")
        on_frame = [along * p("geometry.motor_bushing_x_on_bogie"), 0.0, p("motor_bushing.z_on_bogie")]
        first = s.point("motor_bushing.frame", frame, on_frame, frame_base)
        second = s.point("motor_bushing.housing", centre, [towards * reach, 0.0, 0.0], housing)
        self.spring("motor_bushing", first, second, frame_base, 0.0)
        roll = s.q[s.names.index(f"{name}.roll")]
        self.bushings.append((frame_base, fixed, roll, s.rate(roll), housing, housing_angle, s.rate(housing_angle)))
        spin = s.q[s.names.index(f"{name}.spin")]
        self.gears.append((spinning, housing, rotor, spin, housing_angle, rotor_angle))
        self.motors.append(symbol(s.graph, f"motor.{name}"))

    def body(self, kind, centre, base, name=None, extra_yy=None):
        s, p = self.system, self.p
        diagonal = [p(f"{kind}.Ixx"), p(f"{kind}.Iyy"), p(f"{kind}.Izz")]
        if base.spinning:
            diagonal[2] = diagonal[0]
        if extra_yy is not None:
            diagonal[1] = diagonal[1] + p(extra_yy)
        zero = s.number(0.0)
        rows = [[diagonal[i] if i == j else zero for j in range(3)] for i in range(3)]
        self.bodies.append(MovingBody(name or kind, centre, base, p(f"{kind}.mass"), Tensor(rows, base)))

    def spring(self, kind, first, second, base, free_z):
        self.springs.append((first, second, base, self.p(f"{kind}.k"), self.p(f"{kind}.c"), free_z))

    def load(self, power: VirtualPower):
        """Suspension, motor bushings, gears, motor and brake torques."""
        s, p = self.system, self.p
        zero = s.number(0.0)
        for first, second, base, k, c, free_z in self.springs:
            r = position(first, second, base).components
            stretch = (r[0], r[1], r[2] - free_z)
            force = Vector([k * x + c * s.time_derivative(y) for x, y in zip(stretch, r, strict=True)], base)
            power.force_between(second, first, force)
            power.torque(base, Vector(r, base).cross(force))
        for frame_base, fixed, roll, roll_rate, housing, angle, rate in self.bushings:
            k, c = p("motor_bushing.k_rot"), p("motor_bushing.c_rot")
            power.torque_between(frame_base, fixed, Vector([-(k * roll + c * roll_rate), zero, zero], fixed))
            power.torque_between(frame_base, housing, Vector([zero, -(k * angle + c * rate), zero], housing))
        motors = iter(self.motors)
        for spinning, housing, rotor, spin, angle, rotor_angle in self.gears:
            ratio = p("gear.teeth_wheel") / p("gear.teeth_rotor")
            rotor_radius = p("geometry.gear_centre_distance") / (1.0 + ratio)
            wheel_radius = rotor_radius * ratio
            mesh = wheel_radius * (spin - angle) + rotor_radius * (rotor_angle - angle)
            force = p("gear.k_mesh") * mesh + p("gear.c_mesh") * s.time_derivative(mesh)
            power.torque_between(housing, spinning, Vector([zero, -(wheel_radius * force), zero], spinning))
            power.torque_between(housing, rotor, Vector([zero, -(rotor_radius * force), zero], rotor))
            motor = next(motors)
            power.torque_between(housing, rotor, Vector([zero, -motor, zero], rotor))
        for base, slider_base, rate in self.pivots_yaw:
            power.torque_between(base, slider_base, Vector([zero, zero, -(p("slider.c_yaw") * rate)], slider_base))
        for wheelset, brake in zip(self.wheelsets, self.brakes, strict=True):
            power.torque_between(wheelset.fixed, wheelset.spinning, Vector([zero, -brake, zero], wheelset.spinning))


def generalized_forces(locomotive, with_load=True):
    """delta: inertia forces at q'' = 0, gravity, and applied forces; without contact."""
    power = VirtualPower(locomotive.system)
    power.inertia(locomotive.bodies)
    if with_load:
        locomotive.load(power)
    return power.generalized_forces()


def _moved(system, point, base):
    """Coordinates that move a point or turn a base, in the order of declaration."""
    return tuple(
        k
        for k, _ in enumerate(system.q)
        if any(k == j for p in point.path for j, _ in p.partial_velocities())
        or any(k == j for b in base.path for j, _ in b.partial_velocities())
    )
