"""Traction and dynamic brake of a locomotive by notch and speed: power at a notch in closed form, or curves as data.

Closed form of a notch: min(starting effort, power/v), and for the dynamic brake the same with a fade to zero below
a speed; both within what adhesion gives. Forces between two notches lie on the straight line between theirs.

Source of the form: Cole, "Longitudinal train dynamics", Handbook of Railway Vehicle Dynamics, 2006. Adhesion:
Curtius and Kniffler, Elektrische Bahnen 20 (1944): 0.161 + 7.5/(44 + V), V in km/h.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.gravity import GRAVITY
from flexwheel.numerics.kernels import kernel

CURTIUS_KNIFFLER = (0.161, 7.5 / 3.6, 44.0 / 3.6)
"""Coefficients a [-], b [m/s], c [m/s] of the adhesion a + b/(c + v)."""


@dataclass(frozen=True)
class NotchPower:
    """Force of a locomotive at each notch: the starting effort, and its power over the speed."""

    name: str
    effort: np.ndarray  # (notches + 1,) [N] traction; row n is notch n, row 0 is zero
    power: np.ndarray  # (notches + 1,) [W] traction; row n is notch n, row 0 is zero
    brake_effort: np.ndarray  # (brake notches + 1,) [N] dynamic brake, positive; only row 0: none
    brake_power: np.ndarray  # (brake notches + 1,) [W] dynamic brake, positive; only row 0: none
    brake_fade_speed: float = 2.0  # [m/s] below it the dynamic brake falls to zero at standstill
    # (3,) [N, N m/s, m/s] largest force a + b/(c + v); default: no limit
    adhesion: tuple[float, float, float] = (1e12, 0.0, 1.0)
    source: str = field(default="", compare=False)

    @property
    def notches(self):
        """Highest notch of traction, and of the dynamic brake."""
        return len(self.effort) - 1, len(self.brake_effort) - 1


@dataclass(frozen=True)
class TractionCurves:
    """Force of a locomotive for each notch as a function of speed."""

    name: str
    speed: np.ndarray  # (k,) [m/s] strictly rising from 0
    traction: np.ndarray  # (notches + 1, k) [N] row n is notch n, row 0 is zero
    brake: np.ndarray  # (brake_notches + 1, k) [N] dynamic brake, positive, row 0 is zero
    source: str = field(default="", compare=False)

    @property
    def notches(self):
        """Highest notch of traction, and of the dynamic brake; 0 where its curves are zero."""
        return len(self.traction) - 1, (len(self.brake) - 1) * int(np.any(self.brake > 0))


class TractionTables(NamedTuple):
    """Every kind of locomotive, for the kernels. Axes: kind, notch, speed."""

    closed: np.ndarray  # (kinds,) bool   by effort and power; else by the curves
    effort: np.ndarray  # (kinds, 2, notches + 1) [N]   0 traction, 1 dynamic brake
    power: np.ndarray  # (kinds, 2, notches + 1) [W]
    fade: np.ndarray  # (kinds,) [m/s]
    adhesion: np.ndarray  # (kinds, 3) [N, N m/s, m/s]
    count: np.ndarray  # (kinds, 3) int   speeds, traction notches, brake notches
    speed: np.ndarray  # (kinds, speeds) [m/s]
    traction: np.ndarray  # (kinds, notches + 1, speeds) [N]
    brake: np.ndarray  # (kinds, notches + 1, speeds) [N]


def notch_power(name, effort, power, brake_effort=0.0, brake_power=0.0, notches=8, **options):
    """Efforts and powers of all notches from those of the highest.

    Traction: effort n/N and power (n/N)^2; dynamic brake: effort n/N and power n/N.

    Source of the shares: Cole, Handbook of Railway Vehicle Dynamics, 2006.
    """
    share = np.arange(notches + 1) / notches
    some = share if brake_effort > 0 else share[:1]
    return NotchPower(name, effort * share, power * share**2, brake_effort * some, brake_power * some, **options)


def adhesion_limit(mass, coefficients=CURTIUS_KNIFFLER):
    """Adhesion of NotchPower from the mass on driven wheels [kg] and a [-], b [m/s], c [m/s] of a + b/(c + v)."""
    a, b, c = coefficients
    return mass * GRAVITY * a, mass * GRAVITY * b, c


def check_notch_power(form):
    """Refuse efforts and powers that are not one per notch, positive, and zero at notch 0."""
    where = f"traction '{form.name}'"
    pairs = ((form.effort, form.power, "traction", 2), (form.brake_effort, form.brake_power, "dynamic brake", 1))
    for effort, power, label, least in pairs:
        if np.ndim(effort) != 1 or np.shape(effort) != np.shape(power) or len(effort) < least:
            raise ScenarioError(
                f"{where}: {label} must have one effort and one power for each notch, got {np.size(effort) - 1} and "
                f"{np.size(power) - 1}"
            )
        for values in (effort, power):
            if not np.all(np.isfinite(values)) or values[0] != 0 or np.any(values[1:] <= 0):
                raise ScenarioError(f"{where}: efforts and powers of the {label} must be > 0, zero at notch 0")
    if not (np.isfinite(form.brake_fade_speed) and form.brake_fade_speed > 0):
        raise ScenarioError(f"{where}: brake_fade_speed must be > 0, got {form.brake_fade_speed} m/s")
    a, b, c = form.adhesion
    if not (np.all(np.isfinite(form.adhesion)) and a >= 0 and b >= 0 and a + b > 0 and c > 0):
        raise ScenarioError(f"{where}: adhesion must be numbers >= 0, got {form.adhesion}")


def check_traction(curves):
    """Refuse what is not a function of notch and speed."""
    if isinstance(curves, NotchPower):
        check_notch_power(curves)
        return
    where = f"traction '{curves.name}'"
    if np.ndim(curves.speed) != 1 or len(curves.speed) < 2:
        raise ScenarioError(f"{where}: needs at least 2 speeds")
    if curves.speed[0] != 0 or np.any(np.diff(curves.speed) <= 0):
        raise ScenarioError(f"{where}: speeds must rise strictly from 0")
    for label, table in (("traction", curves.traction), ("brake", curves.brake)):
        if np.ndim(table) != 2 or table.shape[1] != len(curves.speed) or len(table) < 2:
            raise ScenarioError(
                f"{where}: {label} curves must have shape (notches + 1, {len(curves.speed)}), got {np.shape(table)}"
            )
        if not np.all(np.isfinite(table)) or np.any(table < 0):
            raise ScenarioError(f"{where}: {label} curves must be numbers >= 0")
        if np.any(table[0] != 0):
            raise ScenarioError(f"{where}: {label} notch 0 must be zero force")


def pack_traction(kinds):
    """Arrays of every kind of locomotive, NotchPower or TractionCurves."""
    for curves in kinds:
        check_traction(curves)
    tabled = [c for c in kinds if isinstance(c, TractionCurves)]
    k = max([2] + [len(c.speed) for c in tabled])
    nt = max([2] + [len(c.traction) for c in tabled])
    nb = max([2] + [len(c.brake) for c in tabled])
    size = max(1, len(kinds))
    most = max([2] + [1 + max(c.notches) for c in kinds])
    z = np.zeros
    t = TractionTables(
        z(size, dtype=bool),
        z((size, 2, most)),
        z((size, 2, most)),
        np.ones(size),
        np.ones((size, 3)),
        np.ones((size, 3), dtype=np.int64),
        np.tile(np.arange(float(k)), (size, 1)),
        z((size, nt, k)),
        z((size, nb, k)),
    )
    t.count[:, 0] = 2
    for i, c in enumerate(kinds):
        t.closed[i] = isinstance(c, NotchPower)
        if t.closed[i]:
            t.count[i, 1:] = c.notches
            t.fade[i], t.adhesion[i] = c.brake_fade_speed, c.adhesion
            for side, (effort, power) in enumerate(((c.effort, c.power), (c.brake_effort, c.brake_power))):
                t.effort[i, side, : len(effort)], t.power[i, side, : len(power)] = effort, power
            continue
        n = len(c.speed)
        t.count[i] = n, len(c.traction) - 1, len(c.brake) - 1
        t.speed[i, :n] = c.speed
        t.traction[i, : len(c.traction), :n] = c.traction
        t.brake[i, : len(c.brake), :n] = c.brake
    return t


@kernel
def notch_force(v, effort, power):
    """Force of one notch and its slope: (F, dF/dv)."""
    if power >= effort * v:
        return effort, 0.0
    return power / v, -power / (v * v)


@kernel
def closed_force(level, v, kind, side, tables):
    """Traction (side 0) or dynamic brake (1) at a level >= 0 in closed form: (F, dF/dv, dF/dlevel)."""
    top = tables.count[kind, 1 + side]
    if top == 0:
        return 0.0, 0.0, 0.0
    n = min(int(level), top - 1)
    a = level - n
    lo, lo_v = notch_force(v, tables.effort[kind, side, n], tables.power[kind, side, n])
    hi, hi_v = notch_force(v, tables.effort[kind, side, n + 1], tables.power[kind, side, n + 1])
    f, f_v, f_n = lo + a * (hi - lo), lo_v + a * (hi_v - lo_v), hi - lo
    if side == 1 and v < tables.fade[kind]:
        part = v / tables.fade[kind]
        f, f_v, f_n = f * part, f_v * part + f / tables.fade[kind], f_n * part
    beyond = tables.adhesion[kind, 2] + v
    limit = tables.adhesion[kind, 0] + tables.adhesion[kind, 1] / beyond
    if f > limit:
        return limit, -tables.adhesion[kind, 1] / (beyond * beyond), 0.0
    return f, f_v, f_n


@kernel
def bilinear(level, v, kind, notches, tables, table):
    """Value of one table at a level between notches, with its slopes: (F, dF/dv, dF/dlevel)."""
    n = min(int(level), notches - 1)
    a = level - n
    last = tables.count[kind, 0] - 1
    if v >= tables.speed[kind, last]:
        lo, hi = table[kind, n, last], table[kind, n + 1, last]
        return lo + a * (hi - lo), 0.0, hi - lo
    j = 0
    while v >= tables.speed[kind, j + 1]:
        j += 1
    width = tables.speed[kind, j + 1] - tables.speed[kind, j]
    z = (v - tables.speed[kind, j]) / width
    lo = table[kind, n, j] + z * (table[kind, n, j + 1] - table[kind, n, j])
    hi = table[kind, n + 1, j] + z * (table[kind, n + 1, j + 1] - table[kind, n + 1, j])
    lo_v = (table[kind, n, j + 1] - table[kind, n, j]) / width
    hi_v = (table[kind, n + 1, j + 1] - table[kind, n + 1, j]) / width
    return lo + a * (hi - lo), lo_v + a * (hi_v - lo_v), hi - lo


@kernel
def locomotive_force(level, v, kind, tables):
    """Traction (level > 0, along the travel) or dynamic brake (level < 0, size only).

    Parameters
    ----------
    level : float     notch, between notches interpolated; negative is dynamic brake
    v : float [m/s]   speed, size

    Returns
    -------
    F, dF/dv, dF/dlevel : the size of the force and its slopes; for the brake dF/dlevel is per level of brake
    """
    if tables.closed[kind]:
        side = 0 if level >= 0.0 else 1
        return closed_force(min(abs(level), float(tables.count[kind, 1 + side])), v, kind, side, tables)
    if level >= 0.0:
        top = tables.count[kind, 1]
        return bilinear(min(level, float(top)), v, kind, top, tables, tables.traction)
    top = tables.count[kind, 2]
    return bilinear(min(-level, float(top)), v, kind, top, tables, tables.brake)
