"""Mutations of room post: motion of control nodes, turning of modes, truncated modes."""

from .mutation import Mutation

NODES = ("results/test_post_control_nodes.py",)
ASSESSMENT = ("assess/test_assessment_verified.py",)
CLIMB = ("assess/test_ride_and_climb_verified.py",)

POST = (
    Mutation(
        "post-material-rates", "results/evaluate/mode_turning.py", "material_rates",
        "- 2.0 * rate * (velocity", "+ 2.0 * rate * (velocity",
        "sign of the Coriolis term of modes held in axes that do not turn", NODES,
    ),
    Mutation(
        "post-turned-pairs", "results/evaluate/mode_turning.py", "sum_turned",
        "waves[t, 1, p] * w", "-waves[t, 1, p] * w",
        "modes turn the other way", (*NODES, "-k", "exponential"),
    ),
    Mutation(
        "post-influence-curvature", "results/evaluate/residual_motion.py", "sum_influences",
        "(3.0 * x - 2.0) / step**2", "(3.0 * x + 2.0) / step**2",
        "second derivative of an influence along the circumference", (*NODES, "-k", "residual_rates"),
    ),
    Mutation(
        "post-residual-coriolis", "results/evaluate/residual_motion.py", "sum_influences",
        "+ 2.0 * rate * turned1", "- 2.0 * rate * turned1",
        "sign of the Coriolis term of the truncated modes", (*NODES, "-k", "residual_rates"),
    ),
    Mutation(
        "post-residual-centripetal", "results/evaluate/residual_motion.py", "sum_influences",
        "rate**2 * turned2", "-(rate**2) * turned2",
        "sign of the centripetal term of the truncated modes", (*NODES, "-k", "residual_rates"),
    ),
    Mutation(
        "post-residual-spin-up", "results/evaluate/residual_motion.py", "sum_influences",
        "+ acceleration * turned +", "- acceleration * turned +",
        "sign of the part of a wheel that spins up in the acceleration of the truncated modes",
        (*NODES, "-k", "residual_rates"),
    ),
    Mutation(
        "dynamics-load-rates-held", "vehicle/step/load_rates.py", "form_rates",
        "loads.place[0] + 1 + tap", "loads.place[0] + tap",
        "place in the history from which the derivatives of the loads are taken",
        ("vehicle/test_load_rates_verified.py", "-k", "swing"),
    ),
    Mutation(
        "post-gyroscopic-acceleration", "results/evaluate/control_nodes.py", "_absolute",
        "acceleration6[:, 4] - yaw_rate * spin_rate", "acceleration6[:, 4] + yaw_rate * spin_rate",
        "sign of the angular acceleration of a spinning axle that yaws", (*NODES, "-k", "absolute"),
    ),
    Mutation(
        "post-wrench-in-frame", "results/evaluate/histories.py", "wrench_in_frame",
        "np.stack([sy, cy * cr, -cy * sr])", "np.stack([sy, cy * cr, cy * sr])",
        "sense of the roll that turns wrenches into the wheelset's frame", NODES,
    ),
    Mutation(
        "post-maximum-deviation", "assess/evaluate/en14363_evaluation.py", "one_dimensional",
        "ddof=1", "ddof=0",
        "deviation of the sections' values in the estimated maximum", ASSESSMENT,
    ),
    Mutation(
        "post-regression-probability", "assess/evaluate/en14363_evaluation.py", "two_dimensional",
        "0.5 + 0.5 * probability", "probability",
        "two-sided probability of the regression's estimated maximum", ASSESSMENT,
    ),
    Mutation(
        "post-point-off-centre", "assess/evaluate/measured_points.py", "MeasuredPoint.acceleration",
        "turn[:, 1], turn[:, 2], turn[:, 0]", "turn[:, 0], turn[:, 1], turn[:, 2]",
        "axes of the angular acceleration of a point off the centre", ASSESSMENT,
    ),
    Mutation(
        "post-climb-duration", "assess/evaluate/flange_climb.py", "flange_climb",
        "np.maximum(SHORT /", "np.minimum(SHORT /",
        "a short peak of Y/Q may be higher", CLIMB,
    ),
    Mutation(
        "post-weighting-step", "assess/evaluate/ride_comfort.py", "weighting",
        "(f6 / f5) ** 2", "(f5 / f6) ** 2",
        "gain of the upward step of the vertical weighting", CLIMB,
    ),
)  # fmt: skip
