"""Coupling systems as data: loading and unloading tables, clearance, hooks and buffers, bars.

Deflections are those of the whole coupling system (both draft gears), draft and buff each from their own
contact; `CouplingSide.in_series` turns the table of one draft gear into that of two.
"""

from dataclasses import dataclass, field

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.systems.train.coupler_force import CouplerTables


@dataclass(frozen=True)
class CouplingSide:
    """One side (draft or buff) of a coupling system."""

    deflection: np.ndarray  # (k,) [m] compression of the side, first 0, strictly rising
    loading: np.ndarray  # (k,) [N] F_L, first 0, not falling
    unloading: np.ndarray  # (k,) [N] F_U, first 0, not falling, nowhere above F_L
    solid_stiffness: float  # [N/m] slope of both curves beyond the table (the gear is solid)

    def in_series(self, gears):
        """The same side with `gears` equal draft gears one behind the other."""
        return CouplingSide(self.deflection * gears, self.loading, self.unloading, self.solid_stiffness / gears)

    def stiffest(self):
        """Largest slope of either curve [N/m]."""
        slopes = [np.diff(curve) / np.diff(self.deflection) for curve in (self.loading, self.unloading)]
        return max(self.solid_stiffness, *(float(s.max()) for s in slopes))


@dataclass(frozen=True)
class Coupler:
    """A coupling system between two vehicles."""

    name: str
    draft: CouplingSide | None = None  # a hook has no buff side, a buffer no draft side
    buff: CouplingSide | None = None
    # [m] deflection at which a side engages: clearance/2 each for a coupler; negative where buffers are pre-compressed
    # by a tightened hook
    draft_free: float = 0.0
    buff_free: float = 0.0
    transition_speed: float = 0.01  # [m/s] v_eps of equation (7)
    damping: float = 0.0  # [N s/m] viscous part, while a side is engaged
    rigid: bool = False  # a rigid bar: no deflection, its force is a reaction
    source: str = field(default="", compare=False)


def elastic_side(stiffness, unloading_ratio=1.0, travel=1.0):
    """A straight line: F_L = stiffness*delta, F_U = unloading_ratio*F_L."""
    deflection = np.array([0.0, travel])
    return CouplingSide(deflection, stiffness * deflection, unloading_ratio * stiffness * deflection, float(stiffness))


def linear_coupler(name, stiffness, unloading_ratio=1.0, clearance=0.0, transition_speed=0.01, damping=0.0):
    """A coupler with straight curves, equal in draft and buff."""
    side = elastic_side(stiffness, unloading_ratio)
    return Coupler(name, side, side, clearance / 2, clearance / 2, transition_speed, damping)


def rigid_bar(name="rigid_bar"):
    """A bar without deflection, as inside a wagon pair."""
    return Coupler(name, rigid=True)


def check_coupler(coupler):
    """Refuse tables the law cannot use.

    Raises
    ------
    ScenarioError   one line: coupler, side, row, what came, what was expected
    """
    where = f"coupler '{coupler.name}'"
    if coupler.rigid:
        return
    if coupler.draft is None and coupler.buff is None:
        raise ScenarioError(f"{where}: has neither a draft nor a buff table; give at least one")
    if not coupler.transition_speed > 0:
        raise ScenarioError(f"{where}: transition_speed must be > 0, got {coupler.transition_speed} m/s")
    if not coupler.damping >= 0:
        raise ScenarioError(f"{where}: damping must be >= 0, got {coupler.damping} N s/m")
    for side_name, side in (("draft", coupler.draft), ("buff", coupler.buff)):
        if side is not None:
            _check_side(f"{where}, {side_name} table", side)


def _check_side(where, side):
    arrays = (side.deflection, side.loading, side.unloading)
    if len({np.shape(a) for a in arrays}) != 1 or np.ndim(side.deflection) != 1 or len(side.deflection) < 2:
        sizes = ", ".join(str(np.size(a)) for a in arrays)
        raise ScenarioError(
            f"{where}: deflection, loading and unloading must have equally many rows, 2 or more, got {sizes}"
        )
    for label, a in zip(("deflection", "loading", "unloading"), arrays, strict=True):
        if not np.all(np.isfinite(a)):
            raise ScenarioError(f"{where}: {label} has a value that is not a number")
        if a[0] != 0.0:
            raise ScenarioError(f"{where}: {label} must start at 0, got {a[0]:g} (use a steep first row)")
    rise = np.diff(side.deflection)
    if np.any(rise <= 0):
        row = int(np.argmax(rise <= 0)) + 2
        raise ScenarioError(
            f"{where}: deflection must rise strictly, got {side.deflection[row - 2] * 1e3:g} mm, then "
            f"{side.deflection[row - 1] * 1e3:g} mm in row {row}"
        )
    for label, a in (("loading", side.loading), ("unloading", side.unloading)):
        if np.any(np.diff(a) < 0):
            row = int(np.argmax(np.diff(a) < 0)) + 2
            raise ScenarioError(
                f"{where}: {label} must not fall, got {a[row - 2] / 1e3:g}, then {a[row - 1] / 1e3:g} kN in row {row}"
            )
    below = side.loading < side.unloading
    if np.any(below):
        row = int(np.argmax(below)) + 1
        raise ScenarioError(
            f"{where}: loading must not be below unloading, got {side.loading[row - 1] / 1e3:g} kN < "
            f"{side.unloading[row - 1] / 1e3:g} kN in row {row}"
        )
    if not (np.isfinite(side.solid_stiffness) and side.solid_stiffness > 0):
        raise ScenarioError(f"{where}: solid_stiffness must be > 0, got {side.solid_stiffness} N/m")


def is_straight(coupler):
    """Whether the force is one straight line through zero without hysteresis or clearance."""
    sides = (coupler.draft, coupler.buff)
    if None in sides or coupler.draft_free != 0 or coupler.buff_free != 0:
        return False
    k = coupler.draft.solid_stiffness
    return all(
        s.solid_stiffness == k and np.allclose(curve, k * s.deflection, rtol=1e-12, atol=0)
        for s in sides
        for curve in (s.loading, s.unloading)
    )


def pack_couplers(couplers) -> CouplerTables:
    """Arrays of every kind of (non-rigid) coupler, for the kernels.

    Parameters
    ----------
    couplers : sequence of Coupler   kinds, in the order the train's coupler numbers refer to
    """
    kinds = max(1, len(couplers))
    knots = max([2] + [len(s.deflection) for c in couplers for s in (c.draft, c.buff) if s is not None])
    count = np.full((kinds, 2), 2, dtype=np.int64)
    delta = np.zeros((kinds, 2, knots))
    delta[:, :, 1:] = np.arange(1, knots)
    loading, unloading, loading_slope, unloading_slope = (np.zeros_like(delta) for _ in range(4))
    free = np.full((kinds, 2), 1e9)
    speed, damping = np.ones(kinds), np.zeros(kinds)
    for i, coupler in enumerate(couplers):
        check_coupler(coupler)
        speed[i], damping[i] = coupler.transition_speed, coupler.damping
        sides = ((coupler.draft, coupler.draft_free), (coupler.buff, coupler.buff_free))
        for s, (side, at) in enumerate(sides):
            if side is None:
                continue
            n = len(side.deflection)
            count[i, s], free[i, s] = n, at
            delta[i, s, :n] = side.deflection
            curves = ((side.loading, loading, loading_slope), (side.unloading, unloading, unloading_slope))
            for curve, force, slope in curves:
                force[i, s, :n] = curve
                slope[i, s, :n] = np.append(np.diff(curve) / np.diff(side.deflection), side.solid_stiffness)
    smooth = np.array([is_straight(c) for c in couplers] + [True] * (kinds - len(couplers)))
    return CouplerTables(count, delta, loading, unloading, loading_slope, unloading_slope, free, speed, damping, smooth)
