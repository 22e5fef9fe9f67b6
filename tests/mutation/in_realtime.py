"""Mutations of room realtime: wheel forces, contact table, locomotive, rails, geometry, steps."""

from .mutation import Mutation

FORCES, LOCOMOTIVE = "systems/locomotive/wheel_forces.py", "systems/locomotive/locomotive.py"
CONTACT = ("systems/locomotive/test_realtime_contact_verified.py",)
MODEL = ("systems/locomotive/test_realtime_model_verified.py",)
FORMS = ("systems/locomotive/test_realtime_forms_verified.py",)
RUN = ("systems/locomotive/test_realtime_run_verified.py",)

REALTIME = (
    Mutation(
        "realtime-c23-of-books", FORCES, "creep_coefficients",
        "factor * root * c23", "factor * ab * c23",
        "power of the semi-axes at Kalker's c23", CONTACT,
    ),
    Mutation(
        "realtime-saturated-sum", FORCES, "creep_coefficients",
        "f22 * vy + f23 * spin", "f22 * vy - f23 * spin",
        "sign of spin's part in what is saturated", CONTACT,
    ),
    Mutation(
        "realtime-size-of-ellipse", FORCES, "creep_coefficients",
        "normal / (long + across)", "normal * (long + across)",
        "size of the ellipse by the curvatures", CONTACT,
    ),
    Mutation(
        "realtime-explicit-c23", FORCES, "add_creep_forces",
        "-c22 * vy - c23 * spin", "-c22 * vy + c23 * spin",
        "sign of the lateral force from spin in the explicit step", (*CONTACT, "-k", "augmented"),
    ),
    Mutation(
        "realtime-lateral-stop-damper", FORCES, "add_stop_forces",
        "+ law.flange_damping * rate", "- law.flange_damping * rate",
        "the stop's damper pushes wheels the way they go", (*CONTACT, "-k", "lateral_stop"),
    ),
    Mutation(
        "realtime-axes-of-table", "systems/locomotive/hertz_kalker.py", "hertz_kalker_table",
        "np.where(t > 0.0, g * long, long), np.where(t > 0.0, long, g * long)",
        "np.where(t > 0.0, long, g * long), np.where(t > 0.0, g * long, long)",
        "long and short semi-axis exchanged", CONTACT,
    ),
    Mutation(
        "realtime-shear-modulus", "systems/locomotive/hertz_kalker.py", "shear_modulus",
        "young / (2.0 * (1.0 + nu)) if", "young / (2.0 * (1.0 - nu)) if",
        "sign of Poisson's ratio in the shear modulus", CONTACT,
    ),
    Mutation(
        "realtime-suspension-damper", LOCOMOTIVE, "_Builder.load",
        "k * x + c * s.time_derivative(y)", "k * x - c * s.time_derivative(y)",
        "dampers of the suspension drive", (*MODEL, "-k", "dampers or free_locomotive"),
    ),
    Mutation(
        "realtime-couple-of-spring", LOCOMOTIVE, "_Builder.load",
        "power.torque(base, Vector(r, base).cross(force))", "power.torque(base, force.cross(Vector(r, base)))",
        "sign of the couple that a spring leaves on its first body",
        (*MODEL, "-k", "suspension_gives_no_resultant or free_locomotive"),
    ),
    Mutation(
        "realtime-gear-ratio", LOCOMOTIVE, "_Builder.load",
        'p("gear.teeth_wheel") / p("gear.teeth_rotor")', 'p("gear.teeth_rotor") / p("gear.teeth_wheel")',
        "gear ratio the other way round", (*MODEL, *RUN),
    ),
    Mutation(
        "realtime-gear-mesh", LOCOMOTIVE, "_Builder.load",
        "+ rotor_radius * (rotor_angle - angle)", "- rotor_radius * (rotor_angle - angle)",
        "sense of rotation of the gears", MODEL,
    ),
    Mutation(
        "realtime-yaw-damper", LOCOMOTIVE, "_Builder.load",
        '-(p("slider.c_yaw") * rate)', 'p("slider.c_yaw") * rate',
        "yaw dampers drive", (*MODEL, "-k", "damper or free_locomotive"),
    ),
    Mutation(
        "realtime-side-of-rails", "systems/locomotive/rail_curves.py", "_beside",
        "np.stack([-np.sin(heading), np.cos(heading)])", "np.stack([np.sin(heading), np.cos(heading)])",
        "rails beside the centre line of a curve", (*CONTACT, *RUN),
    ),
    Mutation(
        "realtime-second-derivative", "systems/locomotive/wheel_rail_geometry.py", "_cubic",
        "2.0 * (first + half)", "2.0 * (first - half)",
        "curvature of a profile's piece", CONTACT,
    ),
    Mutation(
        "realtime-twist-of-rail", "systems/locomotive/wheel_rail_geometry.py", "contact_geometry",
        "line.square - dot3(offset, second)", "line.square + dot3(offset, second)",
        "length of a rail's path beside its base line", (*CONTACT, "-k", "twisting_rail"),
    ),
    Mutation(
        "realtime-joined-pieces", "systems/locomotive/cubic_pieces.py", "checked_pieces",
        "(3 * a * h + 2 * b) * h + c", "(3 * a * h + b) * h + c",
        "slope at the end of a profile's piece", CONTACT,
    ),
    Mutation(
        "realtime-trapezoidal-rule", "systems/locomotive/trapezoidal.py", "advance_trapezoidal",
        "h = 0.5 * dt", "h = 0.4 * dt",
        "weight of the trapezoidal rule", (*FORMS, "-k", "trapezoidal_rule"),
    ),
)  # fmt: skip
