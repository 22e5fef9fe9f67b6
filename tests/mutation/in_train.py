"""Mutations of room train: couplers, resistance, traction, air brake, equations of motion, integrator, energy."""

from .mutation import Mutation

COUPLER = ("systems/train/test_train_coupler_verified.py",)
PASSIVE = ("systems/train/test_train_properties.py", "-k", "never_gives_energy")
ANGLE = ("systems/train/test_train_coupler_angle_verified.py",)
RESISTANCE = ("systems/train/test_train_resistance_verified.py",)
CYLINDER = ("systems/train/test_train_cylinder_verified.py",)
BRAKE = ("systems/train/test_train_brake_verified.py",)
BALANCE = ("systems/train/test_train_balance_verified.py",)
ORDER = ("systems/train/test_train_integrator_verified.py",)

TRAIN = (
    Mutation(
        "train-coupler-transition", "systems/train/coupler_force.py", "side_force",
        "0.5 * (f_l + f_u) + f_a * rate / v_eps,", "0.5 * (f_l + f_u) - f_a * rate / v_eps,",
        "sign of the friction of a coupler in the transition", COUPLER,
    ),
    Mutation(
        "train-coupler-buff", "systems/train/coupler_force.py", "coupler_force",
        "force += sign * f +", "force += f +",
        "couplers pull when pressed", COUPLER,
    ),
    Mutation(
        "train-coupler-damping", "systems/train/coupler_force.py", "coupler_force",
        "sign * f + tables.damping[kind] * w", "sign * f - tables.damping[kind] * w",
        "viscous damping of a coupler drives", (*COUPLER, *PASSIVE[:1]),
    ),
    Mutation(
        "train-coupler-stored-energy", "systems/train/coupler_force.py", "coupler_energy",
        "+ 0.5 * slope * width * width", "- 0.5 * slope * width * width",
        "energy stored in a coupler", PASSIVE,
    ),
    Mutation(
        "train-coupler-angle", "systems/train/coupler_angle.py", "coupler_angle",
        "(neighbour_offset - offset)", "(neighbour_offset + offset)",
        "angle of a coupler between shifted pivots", ANGLE,
    ),
    Mutation(
        "train-coupler-side", "systems/train/coupler_angle.py", "coupler_components",
        "end * force * np.sin(angle)", "force * np.sin(angle)",
        "side to which the rear coupler pulls", ANGLE,
    ),
    Mutation(
        "train-resistance-of-air", "systems/train/resistance.py", "resistance_coefficients",
        "3.6**2", "3.6",
        "unit of the speed in the air resistance", RESISTANCE,
    ),
    Mutation(
        "train-traction-slope", "systems/train/traction.py", "notch_force",
        "-power / (v * v)", "power / (v * v)",
        "sign of the derivative of the force at constant power", (*RESISTANCE, "-k", "constant_power"),
    ),
    Mutation(
        "train-traction-between-notches", "systems/train/traction.py", "closed_force",
        "lo + a * (hi - lo)", "lo - a * (hi - lo)",
        "force between two notches", (*RESISTANCE, "systems/train/test_train_properties.py"),
    ),
    Mutation(
        "train-gradient", "systems/train/external.py", "vehicle_force",
        "force = -chain.mass[i]", "force = chain.mass[i]",
        "trains are pushed uphill", BALANCE,
    ),
    Mutation(
        "train-resistance-opposes", "systems/train/external.py", "vehicle_force",
        "force -= sign * against", "force += sign * against",
        "brakes and resistance drive", RESISTANCE,
    ),
    Mutation(
        "train-action-and-reaction", "systems/train/relative_equations.py", "evaluate",
        "+ ahead - behind)", "+ ahead + behind)",
        "a coupler pulls both of its vehicles to the same side", BALANCE,
    ),
    Mutation(
        "train-rodas-coefficient", "systems/train/rodas3.py", "",
        "C_43 = -8.0 / 3.0", "C_43 = 8.0 / 3.0",
        "a coefficient of the integrator: order of accuracy", ORDER,
    ),
    Mutation(
        "train-rodas-time-derivative", "systems/train/rodas3.py", "stage_right_side",
        "+ d * rates.rate[g]", "- d * rates.rate[g]",
        "sign of the force's change with time in the integrator", ORDER,
    ),
    Mutation(
        "train-tridiagonal", "systems/train/tridiagonal.py", "solve",
        "r[i] - off[i] * r[i + 1]", "r[i] + off[i] * r[i + 1]",
        "back substitution of the speeds", ORDER,
    ),
    Mutation(
        "train-release-speed", "systems/train/air_brake.py", "pack_air_brake",
        "radio + away / brake.release_speed", "radio + away / brake.apply_speed",
        "speed at which a release runs along the pipe", (*CYLINDER, *BRAKE),
    ),
    Mutation(
        "train-release-overtakes", "systems/train/air_brake.py", "arrival",
        "at = max(at,", "at = min(at,",
        "a release overtakes the application before it", (*BRAKE, "-k", "overtake"),
    ),
    Mutation(
        "train-cylinder-lag", "systems/train/air_brake.py", "cylinder",
        "p = target + (p - target) *", "p = target - (p - target) *",
        "brake cylinder overshoots", (*CYLINDER, *BRAKE),
    ),
    Mutation(
        "train-cylinder-stretch", "systems/train/cylinder.py", "follow",
        "/ slope + dt / stretch", "/ slope + dt * stretch",
        "cylinders far from the source fill faster, not slower", CYLINDER,
    ),
    Mutation(
        "train-cylinder-exponential", "systems/train/cylinder.py", "follow",
        "p = end + (p - end) *", "p = end - (p - end) *",
        "filling by an exponential", CYLINDER,
    ),
    Mutation(
        "train-height-in-ledger", "systems/train/simulate_train.py", "route_height",
        "+ 0.5 * slope * along**2", "- 0.5 * slope * along**2",
        "height in the energy ledger where the gradient changes", (*RESISTANCE, "-k", "their_own_place"),
    ),
)  # fmt: skip
