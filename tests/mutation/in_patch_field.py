"""Mutations of the field of contact patches in control nodes, of ties between meshes and of the rest in a curve."""

from .mutation import Mutation

SPACE, MOTION, WAVES = "body/half_space_field.py", "vehicle/patch_motion.py", "assess/linear/near_waves.py"
LOADS = "vehicle/patch_loads.py"
HALF_SPACE = ("body/test_half_space_field_verified.py",)
FIELD = ("verification/test_tread_field_verified.py",)
ASSEMBLY = ("verification/test_assembly_verified.py",)
REST = ("run/test_rest_in_curves_verified.py",)

PATCH_FIELD = (
    Mutation(
        "patch-depth", SPACE, "half_space_rows",
        "[a + depth * b", "[a - depth * b",
        "sign of what grows with the depth before it decays", HALF_SPACE,
    ),
    Mutation(
        "patch-load-along-the-surface", SPACE, "half_space_rows",
        "sign = -1.0 if across else 1.0", "sign = 1.0",
        "sign of the waves under a load along the surface", HALF_SPACE,
    ),
    Mutation(
        "patch-rate-of-moving-field", SPACE, "add_moving_field",
        "2.0 * v * u1 * force[1, t, a]", "v * u1 * force[1, t, a]",
        "half of the acceleration by the rate of a load that moves", HALF_SPACE,
    ),
    Mutation(
        "patch-on-the-other-side", SPACE, "add_moving_field",
        "place[t, 1] < 0.0", "place[t, 1] > 0.0",
        "sides of a patch across which its field changes sign", HALF_SPACE,
    ),
    Mutation(
        "patch-that-grows", SPACE, "ellipsoid_wave",
        "-3.0 * second", "3.0 * second",
        "sign of the change of a patch's field with its size", FIELD,
    ),
    Mutation(
        "patch-inclined-surface", MOTION, "surface_axes",
        "[zero, c, -s], [zero, s, c]", "[zero, c, s], [zero, -s, c]",
        "sense in which a surface rises", FIELD,
    ),
    Mutation(
        "patch-side-of-wheel", LOADS, "placed",
        "tread.side * patch[..., Y]", "-tread.side * patch[..., Y]",
        "side of the tread datum on which a patch is", FIELD,
    ),
    Mutation(
        "patch-place-of-node", MOTION, "patch_field",
        "along = -tread.radius", "along = tread.radius",
        "a node ahead of the patch is behind it", FIELD,
    ),
    Mutation(
        "patch-speed-of-node", MOTION, "patch_field",
        "-tread.radius * rates", "tread.radius * rates",
        "sense in which a node passes the patch", FIELD,
    ),
    Mutation(
        "patch-two-directions", LOADS, "_part",
        "b * sum_c - c * sum_b", "b * sum_c + c * sum_b",
        "parts of a force in two patches of different directions", FIELD,
    ),
    Mutation(
        "patch-moves-twice", "results/evaluate/control_nodes.py", "rates_of_moves",
        "2.0 * once[:, 3:] + twice", "once[:, 3:] + twice",
        "acceleration of a fixed point under a patch that moves", FIELD,
    ),
    Mutation(
        "patch-leap-is-motion", "vehicle/step/patch_rates.py", "form_patch_rates",
        "LEAP * found[WIDTH] / spacing", "1e3 * found[WIDTH]",
        "rates of a contact that leaps", ("vehicle/test_patch_rates_verified.py",),
    ),
    Mutation(
        "patch-moment-on-smooth-load", WAVES, "_under",
        "wide[..., at + 2] -= arm * moments", "wide[..., at + 2] += arm * moments",
        "moment of a force beside the profile origin, in a response", FIELD,
    ),
    Mutation(
        "patch-order-along", WAVES, "_half_space",
        "kx = -order[:, None]", "kx = order[:, None]",
        "sense of the orders along a patch, in a response", FIELD,
    ),
    Mutation(
        "patch-move", WAVES, "with_patch",
        "(steady[c] - steady[c + len(MOVES)])", "(steady[c + len(MOVES)] - steady[c])",
        "sign of what a move of the patch does, in a response", FIELD,
    ),
    Mutation(
        "patch-lines-of-moves", "assess/linear/move_limits.py", "rms_moves",
        "random + 0.5 * np.sum", "random + 0.0 * np.sum",
        "moves by the steady load over the sleepers", FIELD,
    ),
    Mutation(
        "patch-edge-near-fixed-point", "assess/linear/move_limits.py", "relative_move",
        "np.maximum([patch[HALF_WIDTH], away], 1e-12)", "np.maximum([away, patch[HALF_WIDTH]], 1e-12)",
        "ways of the turning node and of the fixed point", FIELD,
    ),
    Mutation(
        "tie-equation", "body/ties.py", "_equation",
        "-tie.coefficients.ravel() / pivot", "tie.coefficients.ravel() / pivot",
        "sign of what follows in an equation", ASSEMBLY,
    ),
    Mutation(
        "tie-nearest-place", "extensions/formats/import_steps/place_on_faces.py", "_project",
        "at + np.linalg.solve", "at - np.linalg.solve",
        "a node's place on a face is sought the wrong way", ASSEMBLY,
    ),
    Mutation(
        "tie-rotation-of-rigid-set", "body/ties.py", "_rigid",
        "rigid_modes(places, places.mean(axis=0))", "rigid_modes(places[:, ::-1], places.mean(axis=0))",
        "levers of a rigid set", ASSEMBLY,
    ),
    Mutation(
        "rest-way-down", "vehicle/step/equilibrium.py", "relaxed",
        "np.diag(damping / time), -force)", "np.diag(damping / time), force)",
        "a vehicle that seeks its rest goes against its forces", REST,
    ),
    Mutation(
        "rest-following-laws", "vehicle/step/equilibrium.py", "relaxed",
        "by_wrench @ followed[:, :count]", "0.0 * by_wrench @ followed[:, :count]",
        "stiffness of a vehicle at rest without that of its contacts", REST,
    ),
)  # fmt: skip
