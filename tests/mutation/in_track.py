"""Mutations of room track: alignment, beam elements, rail models, supports, irregularity, bed, receptance."""

from .mutation import Mutation

LAYOUT, BEAM = "track/layout.py", "track/timoshenko.py"
FRAME = ("track/test_track_frame.py",)
ALIGNMENT = ("track/test_track_layout_verified.py",)
RAIL = ("verification/test_track_rail_verified.py",)
MODELS = ("verification/test_track_rail_interface.py",)
LOADED = (*MODELS, "-k", "seen_frequency or mirrored_load or projected_momentum")
MASSLESS = (*MODELS, "-k", "massless")
INERTIAL = (*MODELS, "-k", "inertial")
IRREGULARITY = ("track/test_track_irregularity_verified.py",)
RECEPTANCE = ("verification/test_track_receptance_verified.py",)
BED = ("verification/test_track_bed_verified.py", "-k", "not scenario")
MATCH, STRUCK = "track/rail_match.py", ("verification/test_rolling_wheel_verified.py", "-k", "receptance_of_the_step")

TRACK = (
    Mutation(
        "track-excited-resonance", MATCH, "resonances_asked",
        "wanted = len(alike) * slope *", "wanted = slope *",
        "half of what a force excites of a wave and its mirror image is asked of elements", STRUCK,
    ),
    Mutation(
        "track-shares-of-momentum", MATCH, "errors",
        "momenta = momenta + share", "momenta = momenta - share",
        "elements are matched to a share of the momentum that a force does not take along", STRUCK,
    ),
    Mutation(
        "track-cant", LAYOUT, "track_frame",
        "rotation[2, 1] = pitch_cos * u", "rotation[2, 1] = -pitch_cos * u",
        "sign of the cant", ALIGNMENT,
    ),
    Mutation(
        "track-curvature-of-canted-plane", LAYOUT, "track_frame",
        "kappa[2] = -u * across", "kappa[2] = u * across",
        "sign of a vertical curve's part in the lateral curvature of a canted track", FRAME,
    ),
    Mutation(
        "track-twist", LAYOUT, "track_frame",
        "kappa[0] = droll + dpsi * pitch_sin", "kappa[0] = droll - dpsi * pitch_sin",
        "twist of a curve on a slope", FRAME,
    ),
    Mutation(
        "track-rate-of-curvature", LAYOUT, "track_frame",
        "dkappa[1] = droll * kappa[2]", "dkappa[1] = -droll * kappa[2]",
        "derivative of the curvature along the track", FRAME,
    ),
    Mutation(
        "track-heading-of-transition", LAYOUT, "make_layout",
        "heading[p, 2] * step * step", "2.0 * heading[p, 2] * step * step",
        "heading at the end of a clothoid", ALIGNMENT,
    ),
    Mutation(
        "track-beam-stiffness", BEAM, "beam_stiffness",
        "(2.0 - phi) * l * l", "(2.0 + phi) * l * l",
        "sign of the shear's part between the rotations of a beam", RAIL,
    ),
    Mutation(
        "track-beam-shape", BEAM, "deflection_shape",
        "-f * l * x * y * (x + 0.5 * phi)", "f * l * x * y * (x + 0.5 * phi)",
        "sign of the last shape function of the rail's deflection", RAIL,
    ),
    Mutation(
        "track-slope-shape", BEAM, "slope_shape",
        "(-a, f", "(a, f",
        "sign of the derivative of the first shape function", (*MODELS, "-k", "slope_is_the_derivative"),
    ),
    Mutation(
        "track-mass-off-the-shear-centre", "track/rail_mass.py", "section_inertia",
        "rail.shear_centre_height - rail.centroid_height", "rail.centroid_height - rail.shear_centre_height",
        "side on which the rail's mass sits of its shear centre", RECEPTANCE,
    ),
    Mutation(
        "track-clamped-compliance", BEAM, "clamped_compliance",
        "k12 = 6.0 * (q * cq - p * cp)", "k12 = 6.0 * (p * cp - q * cq)",
        "sign of the slope under a load beside the middle of an element",
        (*RAIL, "-k", "clamped_element"),
    ),
    Mutation(
        "track-massless-old-force", "extensions/rails/massless.py", "relaxation",
        "(mean - decay) / k[j]", "(mean + decay) / k[j]",
        "memory of the last force in a spring with a damper", MASSLESS,
    ),
    Mutation(
        "track-massless-rate", "extensions/rails/massless.py", "relax",
        "= -rigid[SPRING, j] * e / rigid[DAMPER, j]", "= rigid[SPRING, j] * e / rigid[DAMPER, j]",
        "an unloaded rail runs away", MASSLESS,
    ),
    Mutation(
        "track-massless-mobility", "extensions/rails/massless.py", "mobility_of",
        "(1.0 - rigid[SPRING, j]", "(1.0 + rigid[SPRING, j]",
        "rate of the rail by the force", MASSLESS,
    ),
    Mutation(
        "track-head-above-mass-centre", "extensions/rails/inertial.py", "foot_and_head",
        "[1.0, 0.0, -head_above]", "[1.0, 0.0, head_above]",
        "side to which the head goes when the rail rolls", INERTIAL,
    ),
    Mutation(
        "track-inertial-damper", "extensions/rails/inertial.py", "inertial_predict",
        "+ rigid[DAMPING + i, j] * wheel[V, w, j + 1]", "- rigid[DAMPING + i, j] * wheel[V, w, j + 1]",
        "dampers under the rail drive it", INERTIAL,
    ),
    Mutation(
        "track-fastener-damper", "track/flexible_loads.py", "_bear",
        "plus(more(f, twice(bearing, 4)", "plus(less(f, twice(bearing, 4)",
        "dampers of the fasteners drive the rail", RAIL,
    ),
    Mutation(
        "track-rail-damping", "track/flexible_loads.py", "eliminate_loads",
        "c = fill_lanes(model.section", "c = fill_lanes(-model.section",
        "the rail's own damping drives it", (*RAIL, "-k", "energy or harmonic"),
    ),
    Mutation(
        "track-lift-off-damper", "track/support_law.py", "_difference",
        "out -= damper * rate", "out += damper * rate",
        "the damper of a lifted support acts twice", (*MODELS, "-k", "lift_off"),
    ),
    Mutation(
        "track-irregularity-slope", "track/irregularity.py", "spline_weights",
        "(-h * y * y,", "(h * y * y,",
        "sign in the slope of the irregularity", IRREGULARITY,
    ),
    Mutation(
        "track-irregularity-variance", "track/random_waves.py", "random_waves",
        "np.sqrt(0.5 * np.maximum(bins, 0.0))", "np.sqrt(np.maximum(bins, 0.0))",
        "irregularity with twice its variance", IRREGULARITY,
    ),
    Mutation(
        "track-receptance-loss", "track/receptance.py", "receptance",
        "rail_factor = 1.0 + 1j *", "rail_factor = 1.0 - 1j *",
        "the loss factor of the rail feeds energy in", RECEPTANCE,
    ),
    Mutation(
        "track-receptance-inertia", "track/receptance.py", "receptance",
        "- parts.mass[p] * (w**2)", "+ parts.mass[p] * (w**2)",
        "sign of the rail's inertia", RECEPTANCE,
    ),
    Mutation(
        "track-bed-share", "track/bed.py", "bed_matrices",
        "share = one - compliance @ stiffness", "share = one + compliance @ stiffness",
        "share of a sleeper's motion that its damper sees", BED,
    ),
    Mutation(
        "track-frequency-of-step", "track/rail_mass.py", "seen_frequency",
        "1.0 - 4.0 * coefficients.beta * s * s", "1.0 + 4.0 * coefficients.beta * s * s",
        "frequency at which a step evaluates inertia", LOADED,
    ),
    Mutation(
        "track-momentum-of-loaded-element", "track/loaded_element.py", "momentum",
        "out[:3] += a * (1.0 - x) * own_momentum", "out[:3] += a * x * own_momentum",
        "node to which the lumped momentum of a loaded element goes", LOADED,
    ),
    Mutation(
        "track-head-of-loaded-element", "track/loaded_element.py", "head_of_section",
        "[1.0, 0.0, -rail.head_above_shear_centre]", "[1.0, 0.0, rail.head_above_shear_centre]",
        "side to which the head goes when the rail rolls", (*RAIL, "-k", "static_compliance"),
    ),
    Mutation(
        "track-turning-of-head", "track/flexible_head.py", "flexible_free_at",
        "table[ALONG + 4 * p + r] * old_first + table[ALONG + 4 * p + 2 + r]",
        "table[ALONG + 4 * p + 2 * r] * old_first + table[ALONG + 4 * p + 2 * r + 1]",
        "slope of the loaded element's deflection for the rate with the load's place", (*RAIL, "-k", "has_no_comb"),
    ),
    Mutation(
        "track-rate-of-projection", "track/loaded_element.py", "loaded_tables",
        "product(n, derivative(y)) / parts.length", "product(n, derivative(y)) * parts.length",
        "rate of the projected momentum as the load moves on", LOADED,
    ),
)  # fmt: skip
