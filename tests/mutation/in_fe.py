"""Mutations of finite elements in room body: quadrature, rigid motions, prestress, stress, cyclic harmonics, masses."""

from .mutation import Mutation

ISO = "body/isoparametric.py"
ELEMENTS = ("verification/test_fe_elements.py",)
PRESTRESS = ("verification/test_fe_prestress_coupling.py",)
STATICS = ("verification/test_fe_statics_verified.py", "-k", "pure_bending")
MASSES = ("verification/test_attached_mass_verified.py",)
HARMONICS = ("verification/test_cyclic_verified.py",)
REDUCTION = ("verification/test_reduction_verified.py",)
SPREAD = (
    "verification/test_tread_compliance_verified.py",
    "-k",
    "half_space or unit_wrench or nodal_forces or on_quadratic",
)

FE = (
    Mutation(
        "fe-shear-stiffness", ISO, "full_stiffness",
        "l0 * h1 + s1 * h0", "l0 * h1 - s1 * h0",
        "sign of the shear stiffness between x and y", ELEMENTS,
    ),
    Mutation(
        "fe-inverse-jacobian", ISO, "inverse_jacobian",
        "(j02 * j21 - j01 * j22) * f", "(j01 * j22 - j02 * j21) * f",
        "sign of an entry of the inverse Jacobian", ELEMENTS,
    ),
    Mutation(
        "fe-internal-modes-patch-test", ISO, "gradients_at",
        "ratio = centre_det / det", "ratio = det / centre_det",
        "internal modes do work on constant stress", ELEMENTS,
    ),
    Mutation(
        "fe-internal-modes-eliminated", ISO, "eliminate_internal",
        "ke[r, c] -= s", "ke[r, c] += s",
        "internal modes stiffen the element", STATICS,
    ),
    Mutation(
        "fe-lumped-mass", ISO, "lump",
        "me[i, j] * total / trace", "me[i, j] * trace / total",
        "scale of the lumped mass", ELEMENTS,
    ),
    Mutation(
        "fe-derivatives-of-shape-functions", "body/elements.py", "shape_gradients",
        "terms = exponents[:, axis] *", "terms = -exponents[:, axis] *",
        "sign of the derivatives of the shape functions", ELEMENTS,
    ),
    Mutation(
        "fe-derivative-of-bubble", "body/elements.py", "element_tables",
        "bubbles=np.ascontiguousarray(-2.0 * stiffness.points[:, internal])",
        "bubbles=np.ascontiguousarray(-1.0 * stiffness.points[:, internal] ** 2)",
        "gradient of the internal modes is even, not odd", (*ELEMENTS, "-k", "patch"),
    ),
    Mutation(
        "fe-wedge-rule", "body/quadrature.py", "wedge",
        "[[1 / 6, 1 / 6], [2 / 3, 1 / 6], [1 / 6, 2 / 3]]", "[[1 / 6, 1 / 6], [2 / 3, 1 / 6], [1 / 6, 1 / 6]]",
        "a point of the triangle's rule stands twice", ELEMENTS,
    ),
    Mutation(
        "fe-stress-of-shear", "body/stress.py", "_stress_of_unit_displacement",
        "column[a] += 2 * shear * g[a]", "column[a] += shear * g[a]",
        "normal stress with half of its shear part", ELEMENTS,
    ),
    Mutation(
        "fe-rigid-rotation", "body/rigid_motion.py", "rigid_modes",
        "modes[:, 1, 3], modes[:, 2, 3] = -z, y", "modes[:, 1, 3], modes[:, 2, 3] = z, y",
        "sign of the rotation about x", ELEMENTS,
    ),
    Mutation(
        "fe-parallel-axes", "body/mesh_properties.py", "_integrals",
        "second - mass * np.outer", "second + mass * np.outer",
        "parallel axis theorem in the wrong direction", (*ELEMENTS, *MASSES),
    ),
    Mutation(
        "fe-geometric-stiffness", "body/geometric_stiffness.py", "_add_geometric",
        "sigma[a, a] += dilatation", "sigma[a, a] -= dilatation",
        "sign of the dilatation's part of the prestress", PRESTRESS,
    ),
    Mutation(
        "fe-centrifugal-load-along-axis", "body/geometric_stiffness.py", "centrifugal_load",
        "    arm[:, axis] = 0.0\n    load", "    arm[:, axis] *= 1.0\n    load",
        "centrifugal load along the axis of spin", MASSES,
    ),
    Mutation(
        "fe-centrifugal-load-of-masses", "body/geometric_stiffness.py", "centrifugal_load",
        "own.ravel() - points.rows @ arm.ravel()", "own.ravel() + points.rows @ arm.ravel()",
        "centrifugal load of attached masses counted wrongly", MASSES,
    ),
    Mutation(
        "fe-attached-mass-lever", "body/attached_mass.py", "mass_points",
        "motion[:3] + cross @ motion[3:]", "motion[:3] - cross @ motion[3:]",
        "sign of the lever of an attached mass", MASSES,
    ),
    Mutation(
        "fe-attached-inertia", "body/attached_mass.py", "_points",
        "0.5 * np.trace(item.inertia) * np.eye(3) - item.inertia",
        "0.5 * np.trace(item.inertia) * np.eye(3) + item.inertia",
        "second moment of an attached mass from its inertia", MASSES,
    ),
    Mutation(
        "fe-harmonics-sine-part", "body/cyclic.py", "SectorMatrix.folded",
        "data = data + sum(np.sin(half * h)", "data = data - sum(np.sin(half * h)",
        "sign of the coupling of sine and cosine in a Fourier order", HARMONICS,
    ),
    Mutation(
        "fe-turned-modes", "body/rotation_map.py", "step_map",
        "x = c * turned[:, 0] + s * turned[:, 2]", "x = c * turned[:, 0] - s * turned[:, 2]",
        "turn of the modes by a sector", (*REDUCTION, "-k", "generator_turns_the_modes"),
    ),
    Mutation(
        "fe-inertia-invariants", "body/invariants.py", "inertia_invariants",
        "p_xh=(positions.T @ moved).reshape(3, 3, modes)",
        "p_xh=(positions.T @ moved).reshape(3, 3, modes).transpose(1, 0, 2)",
        "order of position and mode in the inertia shape integrals", MASSES,
    ),
    Mutation(
        "fe-profile-about-the-axle", "body/tread.py", "profile_operator",
        "motion[:, 0, 5] = d_z, -d_y", "motion[:, 0, 5] = -d_z, -d_y",
        "turn of the profile about the axle", (*REDUCTION, "-k", "tread_rows_of_rigid_motions"),
    ),
    Mutation(
        "fe-half-space-along", "body/tread_compliance.py", "half_space_compliance",
        "1.0 - nu * np.cos(angle) ** 2", "1.0 + nu * np.cos(angle) ** 2",
        "Cerruti's half-space along the load", SPREAD,
    ),
    Mutation(
        "fe-pressure-of-spread-load", "body/tread_compliance.py", "nodal_shares",
        "1.0 - np.abs(at - place) / half", "np.abs(at - place) / half",
        "pressure that grows from the middle outwards", SPREAD,
    ),
    Mutation(
        "fe-spread-along", "body/tread_compliance.py", "spread_load",
        "1.0 - np.abs(offset) * spacing / along", "1.0 - np.abs(offset) * spacing * along",
        "pressure of a spread load along the rail", SPREAD,
    ),
    Mutation(
        "fe-spread-over-mid-side-nodes", "body/tread_compliance.py", "_serendipity_shares",
        "0.5 * (along + np.roll", "0.5 * (along - np.roll",
        "share of a corner beside its mid-side nodes along", SPREAD,
    ),
)  # fmt: skip
