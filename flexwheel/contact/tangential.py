"""Creep force of one patch by the chosen law, with the equivalent ellipse of the patch, and what such a law declares.

Flexibilities and Kalker coefficients are those of the ellipse of equal area and equal length-to-width ratio. Laws are
entry points in the group "flexwheel.tangential_laws"; those of the package are called directly, others by address.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from flexwheel.base.option import Option, option_values
from flexwheel.base.registry import Registry
from flexwheel.contact.fastsim import Tangent, fastsim_strips, flexibilities
from flexwheel.contact.gap import FAST
from flexwheel.contact.kalker_coefficients import Ellipse
from flexwheel.contact.kalker_linear import linear_force
from flexwheel.contact.log_table import log_table_4
from flexwheel.contact.polach import polach_force
from flexwheel.contact.saturation import saturation_factor
from flexwheel.numerics.kernels import Entry, entry, far_call, kernel, types

_FASTSIM, _LINEAR, _POLACH, _BY_ADDRESS = range(4)


class RollingPatch(NamedTuple):
    """What a tangential law is given of a patch."""

    ellipse: Ellipse  # equivalent one: semi-axes, shear modulus, Kalker's coefficients
    poisson: float
    normal_force: float  # [N]
    friction: float  # coefficient, as the friction law gives it here; their product is the largest force
    xi: float  # creepages, wheel minus rail
    eta: float
    phi: float  # [1/m]
    BY_VALUE = True


class TangentialCall(NamedTuple):
    """A tangential law in the contact tables."""

    model: int
    strips: bool
    entry: Entry  # of its kernel
    numbers: np.ndarray  # (k,) of its keys


@dataclass(frozen=True, eq=False)
class TangentialLaw:
    """A law of the creep force; found through TANGENTIAL_LAWS.

    A scenario chooses it by `contact.tangential = NAME`, and sets its keys in the section `[contact.NAME_tangential]`.
    """

    name: str
    meaning: str
    keys: tuple[Option, ...] = ()  # the kernel has their values in this order
    # kernel numbers (k,), RollingPatch -> Fx, Fy [N], Mz [N m] on the wheel, patch frame. The step's tangent is made
    # from the force, by Kalker's slopes and the curve of Vermeulen and Johnson
    force: Callable | None = None
    strips: bool = False  # slip and traction are known strip by strip, for wear and pictures
    model: int = _BY_ADDRESS  # the package's own: how `patch_creep_force` calls it


TANGENTIAL_LAWS = Registry("tangential law", "flexwheel.tangential_laws", TangentialLaw, "fastsim")
FASTSIM = TangentialLaw("fastsim", "Kalker's simplified theory on strips", strips=True, model=_FASTSIM)
KALKER_LINEAR = TangentialLaw(
    "kalker_linear",
    "linear theory, saturated, is up to 0.06 mu N off Kalker's exact theory without spin, 0.22 where spin alone asks "
    "for 0.3 to 1 mu N, 0.32 beyond, as on a flange",
    model=_LINEAR,
)
POLACH = TangentialLaw("polach", "closed formula of Polach 1999, no spin moment", model=_POLACH)

_ROLE = "creep force"
_force = far_call(_ROLE, types.UniTuple(types.float64, 3))


def tangential_call(name, **values) -> TangentialCall:
    """A tangential law with its keys, those left out at their defaults; its kernel is compiled if it is not yet.

    Raises
    ------
    ScenarioError    no such law or key, or a value out of range
    """
    law = TANGENTIAL_LAWS.require(name, "contact tangential_law")
    numbers = option_values(law.keys, values, f"{TANGENTIAL_LAWS.noun} {name!r}")
    at = Entry(0, 0)
    if law.model == _BY_ADDRESS:
        at = entry(law.force, numbers, RollingPatch(Ellipse(*[1.0] * 7), *[1.0] * 6), role=_ROLE)
    return TangentialCall(law.model, law.strips, at, numbers)


@kernel(fastmath=FAST)
def equivalent_ellipse(tables, area, ratio):
    """Ellipse of a patch's area [m^2] and length-to-width ratio."""
    a = math.sqrt(area * ratio / math.pi)
    return Ellipse(a, a / ratio, tables.shear_modulus, *log_table_4(tables.kalker, math.log(ratio)))


@kernel(fastmath=FAST)
def patch_creep_force(tables, ellipse, strip, n, load, creepage, force):
    """Fill force (3,) = Fx, Fy [N], Mz [N m] on the wheel, patch frame, and give how it changes.

    Parameters
    ----------
    tables : ContactTables
    ellipse : Ellipse             equivalent one of the patch
    strip : (11, >=n)             strips of the patch, as `fastsim_strips` takes them
    n : int                       strips
    load : float [N], float       normal force and coefficient of friction
    creepage : (3,) [-, -, 1/m]   xi, eta, phi; wheel minus rail
    force : (3,)                  out

    Returns
    -------
    Tangent, slope_spin [N m^2]     -dMz/dphi: Kalker's, lowered in the ratio of actual to linear force
    """
    xi, eta, phi = creepage[0], creepage[1], creepage[2]
    normal_force, friction = load
    law, bound = tables.tangential_law, friction * normal_force
    lx, ly, lm = linear_force(ellipse, xi, eta, phi)
    linear = math.sqrt(lx * lx + ly * ly)
    if law.model == _FASTSIM:
        tangent = fastsim_strips(n, strip, bound, creepage, flexibilities(ellipse), tables.cells, force)
    elif law.model == _POLACH:
        force[0], force[1] = polach_force(ellipse, xi, eta, phi, bound, 1.0, 1.0)
        force[2] = 0.0
    elif law.model == _LINEAR:
        keep = saturation_factor(linear, bound)
        force[0], force[1], force[2] = keep * lx, keep * ly, keep * lm
    else:
        poisson = 1.0 - tables.shear_modulus / tables.normal.contact_modulus
        patch = RollingPatch(ellipse, poisson, normal_force, friction, xi, eta, phi)
        force[0], force[1], force[2] = _force(law.entry, (law.numbers, patch))
    actual = math.sqrt(force[0] * force[0] + force[1] * force[1])
    keep = min(1.0, actual / linear) if linear > 1e-12 * (bound + 1e-300) else 1.0
    ab, stiffness = ellipse.a * ellipse.b, keep * ellipse.shear_modulus
    if law.model != _FASTSIM:
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
