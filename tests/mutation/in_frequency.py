"""Mutations of room frequency: contact system, rails under moving wheels, turning node, lines, input spectra."""

from .mutation import Mutation

NODE, LINES = "assess/linear/node_motion.py", "assess/linear/lines.py"
PARTS = ("assess/test_frequency_parts_verified.py",)
SWING = (*PARTS, "-k", "of_a_swing")
STEADY = (*PARTS, "-k", "steady_load")
PHASES = (*PARTS, "-k", "phases")
WHOLE = (*PARTS, "-k", "moves_as_a_whole")

FREQUENCY = (
    Mutation(
        "frequency-slope-of-moving-rail", "assess/linear/linear_contact.py", "contact_system",
        "displacement + (s / speed) * slope", "displacement - (s / speed) * slope",
        "sign of the slope under a wheel whose rail moves", WHOLE,
    ),
    Mutation(
        "frequency-slope-of-material", "assess/linear/linear_contact.py", "contact_system",
        "velocity - slope / speed", "velocity + slope / speed",
        "a rail that moves as a whole gets a slope", WHOLE,
    ),
    Mutation(
        "frequency-place-over-sleepers", "assess/linear/on_rails.py", "rail_coupling",
        "np.exp(2j * np.pi * np.outer", "np.exp(-2j * np.pi * np.outer",
        "wheels ahead meet the sleepers later", PHASES,
    ),
    Mutation(
        "frequency-place-on-irregularity", "assess/linear/response_solution.py", "irregularity_inputs",
        "np.exp(2j * np.pi * hz", "np.exp(-2j * np.pi * hz",
        "wheels ahead meet the irregularity later", PHASES,
    ),
    Mutation(
        "frequency-rate-of-material", NODE, "fixed_rows",
        "[:, None, None], 1j * spin", "[:, None, None], -1j * spin",
        "material turns against the wheel", SWING,
    ),
    Mutation(
        "frequency-order-of-modes", NODE, "node_waves",
        "order == -k", "order == k",
        "modes turn against the loads", SWING,
    ),
    Mutation(
        "frequency-home-of-node", NODE, "node_waves",
        "waves * np.exp(1j * place", "waves * np.exp(-1j * place",
        "sense in which a node's home section is counted", SWING,
    ),
    Mutation(
        "frequency-shift-of-turning-node", NODE, "turning_density",
        "shifted = hz + k * spin", "shifted = hz - k * spin",
        "the node that turns sees every order shifted the other way", SWING,
    ),
    Mutation(
        "frequency-steady-orders", LINES, "turning_lines",
        "answer[0] *= 2.0", "answer[0] *= 1.0",
        "half of the lines of a node that turns through a field at rest", STEADY,
    ),
    Mutation(
        "frequency-lines-of-fixed-point", LINES, "turning_lines",
        "rate[..., None] ** 2).sum(1)", "rate[..., None]).sum(1)",
        "velocity as acceleration of the fixed point", STEADY,
    ),
    Mutation(
        "frequency-square-of-line", "assess/linear/bands.py", "line_rms",
        "0.5 * np.abs(amplitude) ** 2", "np.abs(amplitude) ** 2",
        "root-mean-square of a line", ("assess/test_response.py", "-k", "bands_hold"),
    ),
    Mutation(
        "frequency-cross-level", "assess/linear/inputs.py", "spectral_matrix",
        "spectra.half_spacing, 0.0, -spectra.half_spacing", "spectra.half_spacing, 0.0, spectra.half_spacing",
        "cross level lifts both rails", (*PARTS, "-k", "densities"),
    ),
)  # fmt: skip
