"""Mutations of room dynamics: axle boxes, contact wrench on body and modes, couplers of the detailed vehicle, rows."""

from .mutation import Mutation

BOX, RESIDUAL, LINK = "vehicle/step/axle_box.py", "vehicle/step/residual.py", "systems/train/coupler_link.py"
AXLE_BOX = ("vehicle/test_axle_box.py",)
MODES = ("verification/test_rigid_limit_verified.py", "-k", "power_of_the_contact_wrench")
WAGON = (
    "verification/train/test_wagon_in_train_verified.py",
    "-k",
    "lateral_forces or offset_of_a_point or heading_in_the_arc",
)
RUN = ("run/test_run.py", "-k", "whole_results")
ROLLED = ("verification/test_contact_motion_verified.py",)
GAIN = ("verification/test_step_gain_verified.py",)
KLINGEL = ("verification/test_linearise_verified.py", "-k", "klingel_wavelength or critical_speed_with_the_formulas")

DYNAMICS = (
    Mutation(
        "dynamics-journal-coriolis", BOX, "journal_motion",
        "+= 2.0 * spin_rate * zd", "+= -2.0 * spin_rate * zd",
        "sign of the Coriolis acceleration of the journal on a spinning axle", AXLE_BOX,
    ),
    Mutation(
        "dynamics-journal-rate", BOX, "journal_motion",
        "motion[base + 1, 2] -= spin_rate * x", "motion[base + 1, 2] += spin_rate * x",
        "sign of the journal's velocity by the spin", AXLE_BOX,
    ),
    Mutation(
        "dynamics-journal-centripetal", BOX, "journal_motion",
        "spin_rate_dot * z - spin_rate * spin_rate * x", "spin_rate_dot * z",
        "centripetal acceleration of a bent journal dropped", AXLE_BOX,
    ),
    Mutation(
        "dynamics-box-coriolis", BOX, "box_demand",
        "acc[i] + 2.0 * t[i] +", "acc[i] - 2.0 * t[i] +",
        "sign of the Coriolis acceleration of the box in the turning frame", AXLE_BOX,
    ),
    Mutation(
        "dynamics-box-weight", BOX, "box_demand",
        "+ v[i] - gravity[i]", "+ v[i] + gravity[i]",
        "the box lifts the axle by its weight", AXLE_BOX,
    ),
    Mutation(
        "dynamics-box-gyroscopic", BOX, "box_demand",
        "cross(t, i_w, v)", "cross(i_w, t, v)",
        "sign of the gyroscopic moment of the box", AXLE_BOX,
    ),
    Mutation(
        "dynamics-box-lever", BOX, "box_demand",
        "add_cross(c, demand[:3], t)", "add_cross(demand[:3], c, t)",
        "sign of the moment that the box's mass centre takes to the journal", AXLE_BOX,
    ),
    Mutation(
        "dynamics-contact-moment-on-modes", RESIDUAL, "add_contact",
        "load[3 + i] = -m[i]", "load[3 + i] = m[i]",
        "sign of the contact moment on the modes", MODES,
    ),
    Mutation(
        "dynamics-contact-force-on-modes", RESIDUAL, "add_contact",
        "        load[i] = -f[i]", "        load[i] = f[i] if i == 1 else -f[i]",
        "sign of the lateral contact force on the modes", MODES,
    ),
    Mutation(
        "dynamics-accepted-journal-force", "vehicle/step/measured.py", "accept_box",
        "state.interface_force[w, side, i] -= force[i]", "state.interface_force[w, side, i] += force[i]",
        "sign of what the last change of the accelerations does to the force at a journal", RUN,
    ),
    Mutation(
        "dynamics-contact-lever", RESIDUAL, "add_contact",
        "moment[i] -= m[i] + t[i]", "moment[i] -= m[i] - t[i]",
        "sign of the moment of the contact force about the wheelset's centre", MODES,
    ),
    Mutation(
        "dynamics-residual-compliance", "vehicle/step/contact_motion.py", "profile_motion",
        "shift[3] - kappa[0] * x", "-shift[3] - kappa[0] * x",
        "sign of the profile's rotation by the modes", MODES,
    ),
    Mutation(
        "dynamics-rail-turns-the-spin", "vehicle/step/contact_motion.py", "profile_motion",
        "turn_x(-rail[0, 3], rate, 4)", "turn_x(rail[0, 3], rate, 4)",
        "sign of the spin's part about the normal of a rail that rolls", ROLLED,
    ),
    Mutation(
        "dynamics-rail-turns-the-force", "vehicle/step/contact_system.py", "call_law",
        "turn_x(roll, work.contact_force[w, side], at)", "turn_x(-roll, work.contact_force[w, side], at)",
        "direction of the force of a rail that rolls", ROLLED,
    ),
    Mutation(
        "dynamics-rail-lever", "vehicle/step/balance.py", "rail_yields",
        "wrench[3] + y * wrench[2]", "wrench[3] - y * wrench[2]",
        "side of the crown on which a wheel stands", ROLLED,
    ),
    Mutation(
        "dynamics-angular-acceleration-of-frame", RESIDUAL, "update_motion",
        "motion.alpha[u, 0] + spin_rate * omega[2]", "motion.alpha[u, 0] - spin_rate * omega[2]",
        "sign of the spin's part in the angular acceleration of the frame that boxes ride on",
        ("vehicle/test_bodies_kinematics_verified.py", "-k", "axle_boxes_ride_on"),
    ),
    Mutation(
        "dynamics-chord-between-bogies", LINK, "chord_offset",
        "0.5 * (x / bogie + 1.0)", "0.5 * (x / bogie - 1.0)",
        "place of a coupler's pivot on the chord of its vehicle", WAGON,
    ),
    Mutation(
        "dynamics-heading", LINK, "heading_between",
        "a[0, 0] * b[1, 0] - a[1, 0] * b[0, 0]", "a[0, 0] * b[1, 0] + a[1, 0] * b[0, 0]",
        "angle of the track between two vehicles", WAGON,
    ),
    Mutation(
        "dynamics-coupler-lateral-force", LINK, "couple",
        "fy = a[1, 0] * along + a[1, 1] * left", "fy = a[1, 0] * along - a[1, 1] * left",
        "couplers in a curve push to the other side", WAGON,
    ),
    Mutation(
        "dynamics-interface-rows", "vehicle/step/wheelset_rows.py", "journal_rows",
        "-s * x + c * z", "s * x + c * z",
        "turn of the journal's rows from the mesh into axes that do not spin",
        ("vehicle/test_bodies_tread_contact_verified.py", "-k", "interface_rows"),
    ),
    Mutation(
        "dynamics-derivative", "assess/linearise.py", "derivative",
        "(4.0 * narrow - wide)", "(4.0 * narrow + wide)",
        "extrapolation of the differences that linear matrices are made of", KLINGEL,
    ),
    Mutation(
        "dynamics-gain-in-phase", "vehicle/step/step_gain.py", "gain_in_phase",
        "(0.25 - less) * dt * dt", "(0.25 + less) * dt * dt",
        "sign of what the step keeps of a frequency", GAIN,
    ),
    Mutation(
        "dynamics-gain-limit", "vehicle/step/step_gain.py", "_loaded",
        "stiffness += CONTACT_STIFFNESS", "stiffness -= CONTACT_STIFFNESS",
        "contacts loosen in the limit of stability", GAIN,
    ),
    Mutation(
        "dynamics-turned-slip", "vehicle/step/contact_system.py", "steepen_turned_slip",
        "turn * secant > force", "turn * secant < -force",
        "steps that turn the slip round go unseen", ("run/test_run.py", "-k", "walking_pace"),
    ),
    Mutation(
        "dynamics-secant-of-slip", "vehicle/step/contact_system.py", "steepen_turned_slip",
        "excess = secant - tangent", "excess = tangent - secant",
        "the slope is made less steep where it should be steeper", ("run/test_run.py", "-k", "walking_pace"),
    ),
    Mutation(
        "dynamics-damping-in-phase", "vehicle/step/step_gain.py", "gain_in_phase",
        "np.tan(half) / half - 1.0", "1.0 - np.tan(half) / half",
        "modal damping falls with the step in place of staying", GAIN,
    ),
)  # fmt: skip
