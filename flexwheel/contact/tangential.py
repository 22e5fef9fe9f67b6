"""Creep force of one patch by the chosen method, with the equivalent ellipse of the patch.

Flexibilities and Kalker coefficients are those of the ellipse of equal area and equal length-to-width ratio.
"""

import math

from flexwheel.contact.fastsim import fastsim_strips, flexibilities
from flexwheel.contact.gap import FAST
from flexwheel.contact.kalker_linear import linear_force
from flexwheel.contact.polach import polach_force
from flexwheel.contact.saturation import saturation_factor
from flexwheel.contact.semi_hertzian import log_table_4
from flexwheel.contact.tables import LOG_COUNT, LOG_MAX, LOG_MIN
from flexwheel.kernels import kernel

FASTSIM, LINEAR_SATURATED, POLACH = 0, 1, 2
_LOG_SCALE = (LOG_COUNT - 1) / (LOG_MAX - LOG_MIN)


@kernel(fastmath=FAST)
def patch_creep_force(tables, strip, n, area, half_length, half_width, load, creepage, flexibility, force):
    """Fill force (3,) = Fx, Fy [N], Mz [N m] on the wheel, patch frame, and give its secant slopes.

    Returns
    -------
    slope_x, slope_y [N], slope_spin [N m^2]
        positive: -dF/dcreepage, Kalker's slopes lowered in the ratio of actual to linear force
    """
    ratio = half_length / half_width
    a = math.sqrt(area * ratio / math.pi)
    b = a / ratio
    log_ratio = math.log(ratio)
    c11, c22, c23, c33 = log_table_4(tables.kalker, LOG_MIN, _LOG_SCALE, log_ratio)
    G, mu = tables.shear_modulus, tables.friction
    xi, eta, phi = creepage[0], creepage[1], creepage[2]
    lx, ly, lm = linear_force(a, b, G, c11, c22, c23, c33, xi, eta, phi)
    linear = math.sqrt(lx * lx + ly * ly)
    if tables.tangential_model == FASTSIM:
        L1, L2, L3 = flexibilities(a, b, G, c11, c22, c23)
        flexibility[0], flexibility[1], flexibility[2] = L1, L2, L3
        fastsim_strips(n, strip, load, mu, creepage, flexibility, tables.bound, tables.cells, force)
    elif tables.tangential_model == POLACH:
        force[0], force[1] = polach_force(a, b, G, c11, c22, c23, xi, eta, phi, load, mu, 1.0, 1.0)
        force[2] = 0.0
    else:
        keep = saturation_factor(linear, mu * load)
        force[0], force[1], force[2] = keep * lx, keep * ly, keep * lm
    actual = math.sqrt(force[0] * force[0] + force[1] * force[1])
    keep = min(1.0, actual / linear) if linear > 1e-12 * (mu * load + 1e-300) else 1.0
    ab = a * b
    return keep * G * ab * c11, keep * G * ab * c22, keep * G * ab * ab * c33
