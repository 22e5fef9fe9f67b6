"""Mutations of room contact: Hertz, Kalker, FASTSIM, saturation, Polach, creepages, half-space, conicity."""

from .mutation import Mutation

HERTZ = ("contact/test_hertz_verified.py",)
ELLIPSE = ("verification/test_semi_hertzian_verified.py", "-k", "shape_correction")
KALKER = ("contact/test_kalker_verified.py",)
FASTSIM = ("verification/test_fastsim_verified.py",)
POLACH = ("verification/test_polach_verified.py",)
WRENCH = ("contact/test_contact_wrench.py",)
HALF_SPACE = ("assess/test_half_space_verified.py",)
CONICITY = ("verification/test_conicity_verified.py",)
WHEEL = ("verification/test_wheel_rail_verified.py",)

CONTACT = (
    Mutation(
        "contact-hertz-load", "extensions/normal_laws/hertz_patch.py", "_ellipse",
        "2.0 / 3.0 * math.pi * factor", "0.5 * math.pi * factor",
        "mean of a semi-elliptic pressure over an ellipse", ELLIPSE,
    ),
    Mutation(
        "contact-hertz-width", "extensions/normal_laws/hertz_patch.py", "_ellipse",
        "0.75 * found.weight", "0.5 * found.weight",
        "width of the parabola that has the area of the overlap", ELLIPSE,
    ),
    Mutation(
        "contact-hertz-axis-ratio", "contact/hertz.py", "axis_ratio",
        "np.exp(2.0 * middle) * D / C", "np.exp(middle) * D / C",
        "g^2 as g in the equation of the axis ratio", HERTZ,
    ),
    Mutation(
        "contact-depth-of-zone", "contact/hertz.py", "zone_factors",
        "np.where(x_is_long, along_short, along_long)", "np.where(x_is_long, along_long, along_short)",
        "depth of the zone across the rail is that along it", HERTZ,
    ),
    Mutation(
        "contact-c23-in-lateral-force", "contact/kalker_linear.py", "linear_force",
        "ellipse.c22 * eta + c * ellipse.c23 * phi", "ellipse.c22 * eta - c * ellipse.c23 * phi",
        "sign of Kalker's c23: lateral force from spin", KALKER,
    ),
    Mutation(
        "contact-c33-in-spin-moment", "contact/kalker_linear.py", "linear_force",
        "ellipse.c23 * eta - c * ellipse.c33 * phi", "ellipse.c23 * eta + c * ellipse.c33 * phi",
        "the spin moment drives the spin", KALKER,
    ),
    Mutation(
        "contact-saturation-cubic", "contact/saturation.py", "saturation_factor",
        "+ f * f / 27.0", "- f * f / 27.0",
        "sign of the cubic term of the saturation", KALKER,
    ),
    Mutation(
        "contact-kalker-between-poisson-ratios", "contact/kalker_coefficients.py", "_at_nu",
        "0.5 * u * u * (high - 2.0 * middle + low)", "0.5 * u * u * (high - 2.0 * middle - low)",
        "Kalker's table between its Poisson's ratios", KALKER,
    ),
    Mutation(
        "contact-fastsim-spin-along", "contact/fastsim.py", "fastsim_strips",
        "(xi - phi * s)", "(xi + phi * s)",
        "sign of the longitudinal slip of spin", FASTSIM,
    ),
    Mutation(
        "contact-fastsim-spin-across", "contact/fastsim.py", "fastsim_strips",
        "half * half * phi", "half * half * -phi",
        "sign of the lateral slip of spin", FASTSIM,
    ),
    Mutation(
        "contact-fastsim-moment", "contact/fastsim.py", "fastsim_strips",
        "- s * sum_x) * cell", "+ s * sum_x) * cell",
        "sign of the moment of longitudinal tractions", FASTSIM,
    ),
    Mutation(
        "contact-fastsim-spin-flexibility", "contact/fastsim.py", "flexibilities",
        "math.pi * a * math.sqrt(a / ellipse.b)", "math.pi * a * math.sqrt(ellipse.b / a)",
        "flexibility of spin", FASTSIM,
    ),
    Mutation(
        "contact-polach-spin", "extensions/tangential_laws/polach.py", "polach_force",
        "-slope * eta - by_spin * phi", "-slope * eta + by_spin * phi",
        "sign of Polach's lateral force from spin", POLACH,
    ),
    Mutation(
        "contact-polach-moment", "extensions/tangential_laws/polach.py", "polach_force",
        "max(rest * cross, by_spin - apart), by_spin + apart)", "max(rest * cross, -by_spin - apart), by_spin + apart)",
        "spin may gain energy", WRENCH,
    ),
    Mutation(
        "contact-tangent-spin", "contact/wheel_rail.py", "_add_patch",
        "at * t.yp + am * t.pp", "at * t.yp - am * t.pp", "moment by spin in the tangent", WRENCH,
    ),
    Mutation(
        "contact-polach-slip", "extensions/tangential_laws/polach.py", "polach_force",
        "(1.0 + adhesion * adhesion) + math.atan(slip)", "(1.0 + adhesion * adhesion) - math.atan(slip)",
        "the area of slip pushes forwards", POLACH,
    ),
    Mutation(
        "contact-love-rectangle", "assess/half_space.py", "rectangle_influence",
        "total + i * k * (", "total + i * i * (",
        "signs at the corners of Love's rectangle", HALF_SPACE,
    ),
    Mutation(
        "contact-half-space-step", "assess/half_space.py", "contact_pressure",
        "pressure - length * direction", "pressure + length * direction",
        "conjugate gradients go uphill", HALF_SPACE,
    ),
    Mutation(
        "contact-conicity-wavelength", "assess/conicity.py", "Conicity.wavelength",
        "(2.0 * self.integration)", "(self.integration)",
        "wave of Klingel without the factor two", CONICITY,
    ),
    Mutation(
        "contact-spin-creepage", "contact/creepage.py", "patch_creepage",
        "+ arm[2, 1] * v[4] +", "- arm[2, 1] * v[4] +",
        "sign of the spin that a tilted contact plane takes from the rolling", (*WHEEL, "-k", "pure_rolling"),
    ),
    Mutation(
        "contact-lever-about-axle", "contact/creepage.py", "patch_directions",
        "cz * ex - cx * ez", "cx * ez - cz * ex",
        "sign of the lever about the axle: rolling adds to the speed in place of taking it away",
        (*WHEEL, "-k", "pure_rolling"),
    ),
    Mutation(
        "contact-elliptic-integral", "contact/elliptic.py", "k_and_difference",
        "e += log * c *", "e -= log * c *",
        "sign of the logarithm in the second elliptic integral",
        ELLIPSE,
    ),
    Mutation(
        "contact-half-space-new-cells", "assess/half_space.py", "contact_pressure",
        "new[opened] -= length * gap[opened]", "new[opened] += length * gap[opened]",
        "cells that come into contact are pulled", HALF_SPACE,
    ),
    Mutation(
        "contact-half-space-distance", "assess/half_space.py", "HalfSpace.__init__",
        "self._size[1] * (np.arange", "(np.arange",
        "distance across between cells on the ring of the fast transform", HALF_SPACE,
    ),
)  # fmt: skip
