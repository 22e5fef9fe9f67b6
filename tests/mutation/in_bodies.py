"""Mutations of room bodies: floating frame, motion in the track frame, tread rows, turning of the modes, suspension."""

from .mutation import Mutation

FRAME, MOTION, ROTOR = "vehicle/floating_frame.py", "vehicle/kinematics.py", "assess/linear/linear_rotor.py"
NODAL_SUMS = ("verification/test_floating_frame_verified.py", "-k", "inertia_forces_equal_nodal_sums")
IN_TRACK = ("vehicle/test_bodies_kinematics_verified.py", "-k", "velocity_and_acceleration")
FLIGHT = ("verification/test_floating_frame_conservation.py", "-k", "drift_of_newmark or structural_damping")
WHIRL = ("assess/test_floating_frame_rotor_verified.py",)
TREAD = ("vehicle/test_bodies_tread_contact_verified.py",)
TURN = ("vehicle/test_bodies_eulerian_map_verified.py",)
ELEMENTS = ("vehicle/test_suspension_elements_verified.py",)
WORK = ("vehicle/test_suspension.py",)

BODIES = (
    Mutation(
        "bodies-coriolis-of-modes", FRAME, "inertia_forces",
        "ev, fill(4.0 * oy))", "ev, fill(-4.0 * oy))",
        "sign of the Coriolis forces between modes", NODAL_SUMS,
    ),
    Mutation(
        "bodies-coriolis-of-body", FRAME, "inertia_forces",
        "tx = oy * sz - oz * sy + 2.0 * vx", "tx = oy * sz - oz * sy",
        "Coriolis force of the body's moving mass centre dropped along x", NODAL_SUMS,
    ),
    Mutation(
        "bodies-gyroscopic-moment", FRAME, "inertia_forces",
        "oy * hz - oz * hy", "oz * hy - oy * hz",
        "sign of the gyroscopic moment about x", NODAL_SUMS,
    ),
    Mutation(
        "bodies-euler-force", FRAME, "inertia_forces",
        "less(out, ew, fill(2.0 * ly))", "more(out, ew, fill(2.0 * ly))",
        "sign of the Euler force between modes", NODAL_SUMS,
    ),
    Mutation(
        "bodies-centrifugal-softening", FRAME, "inertia_forces",
        "bxx, byy, bzz = -oy * oy - oz * oz,", "bxx, byy, bzz = oy * oy + oz * oz,",
        "sign of the centrifugal softening along x", NODAL_SUMS,
    ),
    Mutation(
        "bodies-force-of-accelerating-modes", FRAME, "inertia_forces",
        "oy * tz - oz * ty + gx", "oy * tz - oz * ty",
        "inertia force of the accelerating modes dropped along x", NODAL_SUMS,
    ),
    Mutation(
        "bodies-curve-acceleration", MOTION, "body_velocities",
        "+ sd * (ky * pz - kz * py)", "- sd * (ky * pz - kz * py)",
        "sign of the acceleration in a curve", IN_TRACK,
    ),
    Mutation(
        "bodies-coriolis-in-curve", MOTION, "body_velocities",
        "sd * uy + 2.0 * yd", "sd * uy + yd",
        "half of the Coriolis acceleration of lateral motion in a curve", IN_TRACK,
    ),
    Mutation(
        "bodies-yaw-rate-times-spin", MOTION, "body_velocities",
        "+ wf[b, 0] * spind", "- wf[b, 0] * spind",
        "sign of the angular acceleration of a rolling, spinning body about z", IN_TRACK,
    ),
    Mutation(
        "bodies-length-beside-centre-line", MOTION, "body_velocities",
        "1.0 + ky * z - kz * y", "1.0 + ky * z + kz * y",
        "a body left of the centre line of a left curve goes faster, not slower", IN_TRACK,
    ),
    Mutation(
        "bodies-structural-damping", "vehicle/structural.py", "structural_forces",
        "+ 2.0 * damping[k] * wd[k]", "- 2.0 * damping[k] * wd[k]",
        "structural damping feeds energy into the modes", FLIGHT,
    ),
    Mutation(
        "bodies-centrifugal-stiffening", "vehicle/structural.py", "geometric_forces",
        "times(force, fill(rate * rate))", "times(force, fill(-rate * rate))",
        "centrifugal prestress softens in place of stiffening", FLIGHT,
    ),
    Mutation(
        "bodies-prestress-reaction-on-spin", "vehicle/structural.py", "geometric_forces",
        "alpha[1] * square + 2.0 * rate * change", "alpha[1] * square - 2.0 * rate * change",
        "sign of the reaction of the prestress on the spin", FLIGHT,
    ),
    Mutation(
        "bodies-gyroscopic-part-of-spin-stiffness", "vehicle/structural.py", "spin_stiffness",
        "+ 2.0 * gyroscopic @ turn", "- 2.0 * gyroscopic @ turn",
        "sign of the gyroscopic part where centrifugal terms are left out", WHIRL,
    ),
    Mutation(
        "bodies-linear-coriolis", ROTOR, "linearised_matrices",
        "acc = xidd + 2 * spin_rate", "acc = xidd - 2 * spin_rate",
        "sign of the Coriolis term of a spinning body, linearised", WHIRL,
    ),
    Mutation(
        "bodies-non-rotating-axes", ROTOR, "linearised_matrices",
        "damping - 2 * spin_rate * mass @ turn", "damping + 2 * spin_rate * mass @ turn",
        "gyroscopic matrix in axes that do not turn", WHIRL,
    ),
    Mutation(
        "bodies-moment-of-contact-point", "vehicle/tread_contact.py", "contact_rows_at",
        "rows[1, m] -= rz * x - rx * z", "rows[1, m] -= rz * x + rx * z",
        "lever of a lateral force about the profile origin", TREAD,
    ),
    Mutation(
        "bodies-section-axes", "vehicle/tread_contact.py", "add_turned",
        "c * z - s * x", "c * z + s * x",
        "turn of a section's displacement into axes that do not spin", TREAD,
    ),
    Mutation(
        "bodies-weights-of-sections", "vehicle/tread_contact.py", "profile_rows_at",
        "right = np.sin(past) /", "right = np.sin(span - past) /",
        "weights of the two neighbouring sections exchanged", TREAD,
    ),
    Mutation(
        "bodies-turn-of-mode-pair", "vehicle/eulerian_map.py", "turn_modes",
        "c * x - s * y", "c * x + s * y",
        "a pair of modes is sheared, not turned", TURN,
    ),
    Mutation(
        "bodies-rolling-backwards", "vehicle/eulerian_map.py", "interpolate_modes",
        "sector_map[k, i] if forward else sector_map[i, k]", "sector_map[i, k] if forward else sector_map[k, i]",
        "modes turn against the wheel", TURN,
    ),
    Mutation(
        "bodies-series-damper", "extensions/elements/damper.py", "series_propose",
        "np.exp(-ratio) - c * (x - before)", "np.exp(-ratio) + c * (x - before)",
        "a damper in series with a spring pushes where it should pull", ELEMENTS,
    ),
    Mutation(
        "bodies-spring-force", "vehicle/elements/spring.py", "spring_force",
        "number[e, PRELOAD + i] - law", "number[e, PRELOAD + i] + law",
        "springs push away from rest", (*ELEMENTS, "-k", "coil_spring"),
    ),
    Mutation(
        "bodies-rate-in-turning-axes", "vehicle/elements/spring.py", "between",
        "pb[6] - pa[6] - (oy * dz - oz * dy)", "pb[6] - pa[6] + (oy * dz - oz * dy)",
        "dampers feel the turning of their own axes", WORK,
    ),
    Mutation(
        "bodies-rotational-damper", "vehicle/elements/spring.py", "turn_moments",
        "- number[e, TURN_DAMPING + i] * rate", "+ number[e, TURN_DAMPING + i] * rate",
        "rotational dampers drive", WORK,
    ),
    Mutation(
        "bodies-turn-of-rows", "vehicle/between_sections.py", "turn_columns",
        "rows[k, i] = c * x + s * y", "rows[k, i] = c * x - s * y",
        "rows between sections are sheared, not turned", TREAD,
    ),
    Mutation(
        "bodies-slope-of-turned-rows", "vehicle/between_sections.py", "turned_slope",
        "slope[k, j] -= n * rows[k, i]", "slope[k, j] += n * rows[k, i]",
        "rate of the rows with the angle", TREAD,
    ),
    Mutation(
        "bodies-slope-between-sections", "vehicle/between_sections.py", "hermite",
        "part * (3.0 * part - 2.0)", "part * (2.0 - 3.0 * part)",
        "slope of the rows at the end of a section", TREAD,
    ),
)  # fmt: skip
