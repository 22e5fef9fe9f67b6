"""Creep force of one patch by the chosen method, with the equivalent ellipse of the patch.

Flexibilities and Kalker coefficients are those of the ellipse of equal area and equal length-to-width ratio.
"""

import math

from flexwheel.contact.fastsim import Tangent, fastsim_strips, flexibilities
from flexwheel.contact.gap import FAST
from flexwheel.contact.kalker_coefficients import Ellipse
from flexwheel.contact.kalker_linear import linear_force
from flexwheel.contact.log_table import log_table_4
from flexwheel.contact.polach import polach_force
from flexwheel.contact.saturation import saturation_factor
from flexwheel.numerics.kernels import kernel

FASTSIM, POLACH = 0, 2
TANGENTIAL_MODELS = {"fastsim": FASTSIM, "linear_saturated": 1, "polach": POLACH}


@kernel(fastmath=FAST)
def equivalent_ellipse(tables, area, ratio):
    """Ellipse of a patch's area [m^2] and length-to-width ratio."""
    a = math.sqrt(area * ratio / math.pi)
    return Ellipse(a, a / ratio, tables.shear_modulus, *log_table_4(tables.kalker, math.log(ratio)))


@kernel(fastmath=FAST)
def patch_creep_force(tables, ellipse, strip, n, bound, creepage, force):
    """Fill force (3,) = Fx, Fy [N], Mz [N m] on the wheel, patch frame, and give how it changes.

    Parameters
    ----------
    tables : ContactTables
    ellipse : Ellipse             equivalent one of the patch
    strip : (11, >=n)             strips of the patch, as `fastsim_strips` takes them
    n : int                       strips
    bound : float [N]             coefficient of friction times normal force
    creepage : (3,) [-, -, 1/m]   xi, eta, phi; wheel minus rail
    force : (3,)                  out

    Returns
    -------
    Tangent, slope_spin [N m^2]     -dMz/dphi: Kalker's, lowered in the ratio of actual to linear force
    """
    xi, eta, phi = creepage[0], creepage[1], creepage[2]
    lx, ly, lm = linear_force(ellipse, xi, eta, phi)
    linear = math.sqrt(lx * lx + ly * ly)
    if tables.tangential_model == FASTSIM:
        tangent = fastsim_strips(n, strip, bound, creepage, flexibilities(ellipse), tables.cells, force)
    elif tables.tangential_model == POLACH:
        force[0], force[1] = polach_force(ellipse, xi, eta, phi, bound, 1.0, 1.0)
        force[2] = 0.0
    else:
        keep = saturation_factor(linear, bound)
        force[0], force[1], force[2] = keep * lx, keep * ly, keep * lm
    actual = math.sqrt(force[0] * force[0] + force[1] * force[1])
    keep = min(1.0, actual / linear) if linear > 1e-12 * (bound + 1e-300) else 1.0
    ab, stiffness = ellipse.a * ellipse.b, keep * ellipse.shear_modulus
    if tables.tangential_model != FASTSIM:
        slope_x, slope_y = stiffness * ab * ellipse.c11, stiffness * ab * ellipse.c22
        tangent = _saturated(bound, force[0], force[1], slope_x, slope_y)
    return tangent, stiffness * ab * ab * ellipse.c33


@kernel(fastmath=FAST)
def _saturated(bound, fx, fy, slope_x, slope_y):
    """Tangent of a creep force from its secants.

    The shape of the curve is Vermeulen and Johnson's, T = mu N (1 - (1 - u/3)^3), entered at the actual force: along
    the force the slope is lower than the secant, across it is the secant, and of T/(mu N) all but u (1 - u/3)^2 grows
    with the bound.
    """
    actual = math.sqrt(fx * fx + fy * fy)
    if actual < 1e-6 * bound or bound <= 0.0:
        return Tangent(slope_x, 0.0, slope_y, 0.0, 0.0)
    used = min(actual / bound, 0.999)  # of the friction
    rest = math.exp(math.log(1.0 - used) / 3.0)
    u = 3.0 * (1.0 - rest)
    slope = max(u * rest * rest / used, 0.05)  # over the secant; not to zero, for the iteration's sake
    slides = (used - u * rest * rest) / used
    ease = math.sqrt(max(1.0 - slope, 0.0)) / actual
    bx, by = ease * math.sqrt(max(slope_x, 0.0)) * fx, ease * math.sqrt(max(slope_y, 0.0)) * fy
    return Tangent(slope_x - bx * bx, -bx * by, slope_y - by * by, slides * fx, slides * fy)
