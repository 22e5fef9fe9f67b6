"""The FEVE 3000 as free bodies and force elements, for the general multibody model.

The same parameters as the symbolic model's (flexwheel/vehicle/files/feve3000.toml). What that model leaves out of its
coordinates is held here by stiff springs: the slider on the body in all but yaw; the frame on the slider in x, y and
yaw; the axle boxes, which turn about the axle, on the frame in x, y and pitch. Their stiffness is a number of this
file, not of the locomotive.

A motor is a housing that hangs between both axle boxes, free to pitch, and on the frame by its bushing; in it a rotor
that spins at the speed the gear gives it. The gear itself is missing, because no element of the general model joins the
spin of one body to that of another: the rotor keeps its speed, and its inertia does not load the axle's.
"""

from flexwheel.vehicle.vehicle_file import VehicleFile

JOINT = 5e9  # [N/m, N m/rad] stiffness of what is a joint in the symbolic model
JOINT_DAMPING = 5e5  # [N s/m, N m s/rad]
FLANGE_BACK = 0.930  # [m]
WHEEL_RADIUS = 0.5  # [m]
AXLE_IN_FRAME = 0.0434  # [m] nominal height of the axles above the origin of the frame, near equilibrium
SLIDER_ABOVE_FRAME = 0.1287  # [m] nominal height of the slider plane above it
HANDHOLD = 1.0  # [N m/rad] holds the angle of a rotor, which nothing else does, while the equilibrium is sought


def feve3000_bodies(values, motored=(False, False), torque=0.0) -> VehicleFile:
    """Vehicle for `vehicle_bodies`, `vehicle_wheelsets` and `vehicle_suspension`.

    Parameters
    ----------
    values : dict                    parameter name -> float
    motored : (bool, bool)           whether the wheelsets of the front and rear bogie have motors
    torque : float [N m]             on each wheelset with a motor, from its housing; on each without one as a brake,
                                     from its frame
    """
    v = values
    pivot, wheelbase = 0.5 * v["geometry.bogie_pivot_distance"], v["geometry.semi_wheelbase"]
    middle = -(pivot + wheelbase)  # of the vehicle, from the leading wheelset
    frame_z = WHEEL_RADIUS - AXLE_IN_FRAME
    slider_z = frame_z + SLIDER_ABOVE_FRAME
    centre = [v[f"vehicle_body.cg_{c}"] for c in "xyz"]
    bodies = {"car_body": _body(v, "vehicle_body", [middle + centre[0], centre[1], slider_z + centre[2]])}
    wheelsets, elements = {}, {}
    for name, sign, has_motors in (("front", 1.0, motored[0]), ("rear", -1.0, motored[1])):
        at = middle + sign * pivot
        bodies[f"{name}_slider"] = _body(v, "slider", [at, 0.0, slider_z])
        bodies[f"{name}_frame"] = _body(v, "bogie_frame", [at, 0.0, frame_z + v["bogie_frame.cg_z"]])
        for number, along in ((1, 1.0), (2, -1.0)):
            wheelsets[f"{name}_{number}"] = {
                "position_m": at + along * wheelbase,
                "mass_kg": v["wheelset.mass"],
                "roll_inertia_kg_m2": v["wheelset.Ixx"],
                "spin_inertia_kg_m2": v["wheelset.Iyy"] + has_motors * v["wheelset.gear_wheel_Iyy_extra"],
                "journal_y_m": v["geometry.primary_lateral_semi_spacing"],
                "frame": f"{name}_frame",
            }
            source, sign_of_torque = (f"{name}_{number}_housing", 1.0) if has_motors else (f"{name}_frame", -1.0)
            if torque:
                elements |= _couple(f"{name}_{number}", source, sign_of_torque * torque)
            if has_motors:
                motor, held = _motor(v, f"{name}_{number}", f"{name}_frame", at + along * wheelbase, along)
                bodies |= motor
                elements |= held
        elements |= _bogie(v, name, sign, pivot, centre)
    elements["primary_spring"] = _primary(v, frame_z)
    elements["axle_guide"] = _joint("frame", [1.0, 1.0, 0.0], [0.0, 0.1, 0.0], 0.0, 0.5 * JOINT) | {"axes_of": "b"}
    return VehicleFile(
        name="FEVE 3000, free bodies",
        path="feve3000_bodies.py",
        wheel={"radius_m": WHEEL_RADIUS, "flange_back_m": FLANGE_BACK},
        bodies=bodies,
        wheelsets=wheelsets,
        axle_box={
            "mass_kg": v["axle_box.mass"],
            "roll_inertia_kg_m2": v["axle_box.Ixx"],
            "pitch_inertia_kg_m2": v["axle_box.Iyy"],
            "yaw_inertia_kg_m2": v["axle_box.Izz"],
            "centre_m": [0.0, 0.0, 0.0],
            "revolute": True,
        },
        elements=elements,
        labels=(),
    )


def _body(v, kind, position):
    return {
        "mass_kg": v[f"{kind}.mass"],
        "roll_inertia_kg_m2": v[f"{kind}.Ixx"],
        "pitch_inertia_kg_m2": v[f"{kind}.Iyy"],
        "yaw_inertia_kg_m2": v[f"{kind}.Izz"],
        "position_m": position,
    }


def _joint(other, axes, turns, z, stiffness=JOINT, damping=JOINT_DAMPING):
    """Stiff spring between body a and `other` at height z from the centre of body a."""
    return {
        "kind": "spring",
        "other_body": other,
        "point_a_m": [0.0, 0.0, z],
        "point_b_m": [0.0, 0.0, z],
        "stiffness_n_per_m": [stiffness * x for x in axes],
        "damping_n_s_per_m": [damping * (x > 0.0) for x in axes],
        "rotational_stiffness_n_m_per_rad": [stiffness * x for x in turns],
        "rotational_damping_n_m_s_per_rad": [0.1 * damping * (x > 0.0) for x in turns],
    }


def _bogie(v, name, sign, pivot, centre):
    """Secondary springs and the joints of slider and frame."""
    k, c = v["secondary.k"], v["secondary.c"]
    seat = v["geometry.suspender_z"] - v["geometry.suspender_length"] - SLIDER_ABOVE_FRAME
    slider, frame = f"{name}_slider", f"{name}_frame"
    x = v["geometry.slider_spring_x"]
    y = v["geometry.slider_spring_y"]
    spring = {
        "kind": "spring",
        "body_a": slider,
        "other_body": frame,
        "x_m": [x, -x],
        "point_a_m": [0.0, y, 0.0],
        "point_b_m": [0.0, y, seat],
        "stiffness_n_per_m": [k] * 3,
        "damping_n_s_per_m": [c] * 3,
        "preload_n": [0.0, 0.0, -k * (seat + v["geometry.secondary_spring_free_length"])],
    }
    at_pivot = [sign * pivot - centre[0], -centre[1], -centre[2]]
    pin = _joint(slider, [1.0] * 3, [1.0, 1.0, 0.0], 0.0)
    pin["rotational_damping_n_m_s_per_rad"][2] = v["slider.c_yaw"]
    pin |= {"body_a": "car_body", "sides": "middle", "point_a_m": at_pivot, "point_b_m": at_pivot}
    guide = _joint(frame, [1.0, 1.0, 0.0], [0.0, 0.0, 1.0], -SLIDER_ABOVE_FRAME)
    guide |= {"body_a": slider, "sides": "middle"}
    return {f"secondary_{name}": spring, f"{name}_pin": pin, f"{name}_guide": guide}


def _primary(v, frame_z):
    """Springs from the axle boxes (body a) to the frame, in the frame's axes."""
    k, c = v["primary.k"], v["primary.c"]
    dx, low = v["geometry.axle_box_spring_semi_spacing"], -v["geometry.axle_box_spring_seat_below_axle"]
    high = frame_z + v["geometry.primary_attach_z_on_bogie"] - WHEEL_RADIUS
    return {
        "kind": "spring",
        "other_body": "frame",
        "axes_of": "b",
        "x_m": [dx, -dx],
        "point_a_m": [0.0, 0.0, low],
        "point_b_m": [0.0, 0.0, high],
        "stiffness_n_per_m": [k] * 3,
        "damping_n_s_per_m": [c] * 3,
        "preload_n": [0.0, 0.0, k * (v["geometry.primary_spring_free_length"] - (high - low))],
    }


def _motor(v, name, frame, axle, along):
    """Housing and rotor of the wheelset `name`, towards the middle of the bogie, and what holds them."""
    housing, rotor = f"{name}_housing", f"{name}_rotor"
    reach, towards = v["geometry.gear_centre_distance"], -along
    bodies = {
        housing: _body(v, "motor_housing", [axle + towards * v["motor_housing.cg_from_axle"], 0.0, WHEEL_RADIUS]),
        rotor: _body(v, "rotor", [axle + towards * reach, 0.0, WHEEL_RADIUS]),
    }
    light = 0.1 * JOINT, 0.02 * JOINT_DAMPING  # a housing has little inertia in yaw
    on_axle = _joint(housing, [0.5] * 3, [0.0] * 3, 0.0, *light) | {"wheelsets": [name]}
    end = towards * v["geometry.motor_bushing_to_rotor"]
    bushing = {
        "kind": "spring",
        "body_a": housing,
        "other_body": frame,
        "axes_of": "b",
        "sides": "middle",
        "point_a_m": [end, 0.0, 0.0],
        "point_b_m": [end, 0.0, 0.0],
        "stiffness_n_per_m": [v["motor_bushing.k"]] * 3,
        "damping_n_s_per_m": [v["motor_bushing.c"]] * 3,
        "rotational_stiffness_n_m_per_rad": [v["motor_bushing.k_rot"]] * 2 + [0.0],
        "rotational_damping_n_m_s_per_rad": [v["motor_bushing.c_rot"]] * 2 + [0.0],
    }
    bearing = _joint(housing, [0.5] * 3, [0.0] * 3, 0.0, *light) | {"body_a": rotor, "axes_of": "b"}
    bearing |= {"point_a_m": [0.0, 0.3, 0.0], "point_b_m": [0.0, 0.3, 0.0]}
    angle = _joint(housing, [0.0] * 3, [0.0, 1.0, 0.0], 0.0, HANDHOLD, 0.0)
    angle |= {"body_a": rotor, "axes_of": "b", "sides": "middle"}
    elements = {f"{name}_on_axle": on_axle, f"{name}_bushing": bushing}
    return bodies, elements | {f"{name}_bearing": bearing, f"{name}_angle": angle}


def _couple(wheelset, source, torque):
    """Constant torque on a wheelset about its axle, with its reaction on another body: two forces 1 m apart."""
    pair = {}
    for end, x in (("fore", 0.5), ("aft", -0.5)):
        force = {"kind": "spring", "body_a": wheelset, "other_body": source, "sides": "middle"}
        force |= {"point_a_m": [x, 0.0, 0.0], "point_b_m": [x, 0.0, 0.0], "stiffness_n_per_m": [0.0] * 3}
        pair[f"{wheelset}_torque_{end}"] = force | {"preload_n": [0.0, 0.0, 2.0 * x * torque]}
    return pair
