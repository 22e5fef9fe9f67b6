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
from flexwheel.contact.saturation import saturation_factor
from flexwheel.numerics.kernels import Entry, entry, far_call, kernel, types

_FASTSIM, _LINEAR, _BY_ADDRESS = range(3)


class RollingPatch(NamedTuple):
    """What a tangential law is given of a patch."""

    ellipse: Ellipse  # equivalent one: semi-axes, shear modulus times initial slope, Kalker's coefficients
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
    # kernel numbers (k,), RollingPatch -> Fx, Fy [N], Mz [N m] on the wheel, patch frame; the step's tangent is that of
    # its differences
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
DIFFERENCE = 1e-7  # of a law's tangents, to the creepage at which a force without friction's limit is the bound
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
    return Ellipse(a, a / ratio, tables.creep_modulus, *log_table_4(tables.kalker, math.log(ratio)))


@kernel(fastmath=FAST)
def patch_creep_force(tables, ellipse, strip, n, load, creepage, force):
    """Fill force (3,) = Fx, Fy [N], Mz [N m] on the wheel, patch frame, and give how it changes.

    Parameters
    ----------
    tables : ContactTables
    ellipse : Ellipse             equivalent one of the patch
    strip : (13, >=n)             strips of the patch, as `fastsim_strips` takes them
    n : int                       strips
    load : float [N], float       normal force and coefficient of friction
    creepage : (3,) [-, -, 1/m]   xi, eta, phi; wheel minus rail
    force : (3,)                  out

    Returns
    -------
    Tangent
    """
    law, bound = tables.tangential_law, load[0] * load[1]
    if law.model == _FASTSIM:
        return fastsim_strips(n, strip, bound, creepage, flexibilities(ellipse), tables.cells, force)
    xi, eta, phi = creepage[0], creepage[1], creepage[2]
    x, y, m = _formula(tables, ellipse, load, xi, eta, phi)
    force[0], force[1], force[2] = x, y, m
    ab = ellipse.a * ellipse.b
    h = DIFFERENCE * bound / (ellipse.shear_modulus * ab * ellipse.c11)
    if not h > 0.0:
        return Tangent(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    turn, per = h / math.sqrt(ab), -1.0 / h
    xx, yx, px = _formula(tables, ellipse, load, xi + h, eta, phi)
    xy, yy, py = _formula(tables, ellipse, load, xi, eta + h, phi)
    xp, yp, pp = _formula(tables, ellipse, load, xi, eta, phi + turn)
    spin = -1.0 / turn
    return Tangent(
        (xx - x) * per, (xy - x) * per, (xp - x) * spin,
        (yx - y) * per, (yy - y) * per, (yp - y) * spin,
        (px - m) * per, (py - m) * per, (pp - m) * spin,
    )  # fmt: skip


@kernel(fastmath=FAST)
def _formula(tables, ellipse, load, xi, eta, phi):
    """Fx, Fy [N], Mz [N m] of a law without strips; load as above."""
    normal_force, friction = load
    law, bound = tables.tangential_law, normal_force * friction
    if law.model == _LINEAR:
        x, y, m = linear_force(ellipse, xi, eta, phi)
        keep = saturation_factor(math.sqrt(x * x + y * y), bound)
        return keep * x, keep * y, keep * m
    poisson = 1.0 - tables.shear_modulus / tables.normal.contact_modulus
    patch = RollingPatch(ellipse, poisson, normal_force, friction, xi, eta, phi)
    return _force(law.entry, (law.numbers, patch))
