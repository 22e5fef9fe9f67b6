"""Constant data of one wheel-rail profile pair for the contact kernels.

Everything a wheel needs at run time, tabulated once: both profiles on fine uniform grids, the zone factors of
the equivalent ellipse and Kalker's coefficients against the logarithm of their arguments.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.variables import PATCH, PATCH_MAX
from flexwheel.contact.beside import NONE, BesideCall
from flexwheel.contact.fastsim import BOUNDS, Cells, cells_along
from flexwheel.contact.friction.coefficient import FRICTION, INITIAL_SLOPE
from flexwheel.contact.friction.law import PLAIN, FrictionCall, friction_call
from flexwheel.contact.gap import CELL, COARSE, SPARE, ProfilePair
from flexwheel.contact.kalker_coefficients import kalker_coefficients
from flexwheel.contact.log_table import RATIOS
from flexwheel.contact.normal import NORMAL, NORMAL_LAWS, NormalTables, normal_tables
from flexwheel.contact.profile_cells import FINE_STEP, uniform_cells
from flexwheel.contact.rail_along import UNIFORM, RailAlong
from flexwheel.contact.regions import Peaks, RegionColumns
from flexwheel.contact.semi_hertzian import StripRows
from flexwheel.contact.tangential import KALKER_LINEAR, TANGENTIAL_LAWS, TangentialCall, tangential_call
from flexwheel.numerics.kernels.lanes import aligned

RANGES = {
    "shear_modulus": (1e8, 1e12),
    "poisson": (0.0, 0.5),
    FRICTION.name: (FRICTION.low, FRICTION.high),
    INITIAL_SLOPE.name: (INITIAL_SLOPE.low, INITIAL_SLOPE.high),
    "normal_damping": (0.0, 1e9),
    "damping_onset": (1e-6, 1e9),
    "strips": (4, 400),
    "cells": (4, 400),
}
"""Least and largest value of each option."""

COARSE_EVERY = 10  # fine steps
SYSTEM_ROWS = 26


class ContactTables(NamedTuple):
    """Profiles, material and options of one wheel-rail pair; arrays and plain numbers only."""

    pair: ProfilePair
    coarse_wheel: np.ndarray  # (9, nc) every tenth point of the wheel, rows gap.COARSE
    offset: float  # [m] wheel profile origin minus rail crown, wheelset centred
    normal: NormalTables
    kalker: np.ndarray  # (n, 4) against ln(a/b): c11, c22, c23, c33
    shear_modulus: float  # [Pa] of both bodies
    creep_modulus: float  # [Pa] the same, times the initial slope of creep forces
    friction: float  # [-] coefficient of friction, as the law takes it
    friction_law: FrictionCall
    normal_damping: float  # [N s/m] per wheel
    damping_onset: float  # [N] elastic load at which half of the damping acts
    tangential_law: TangentialCall
    cells: Cells  # of a strip
    along: RailAlong = UNIFORM  # sections of the rail along the track; `pair.rail` is then the one under the wheel
    beside: BesideCall = NONE  # check rails
    detection: object = None  # contact.detection.detect.Detection of any other method; None: the profiles are scanned


class ContactScratch(NamedTuple):
    """Scratch arrays of one wheel; made once."""

    depth: np.ndarray  # (n,) penetration at the coarse wheel points
    peaks: Peaks  # first-touch points on the wheel
    parts: np.ndarray  # (3, 2) edges of the parts of a patch
    regions: np.ndarray  # (2 PATCH_MAX, 7) columns regions.REGION
    normal: np.ndarray  # (2 PATCH_MAX, 13) columns normal.NORMAL
    strips: np.ndarray  # (2 PATCH_MAX, 13, 3 strips) rows semi_hertzian.STRIP
    system: np.ndarray  # (SYSTEM_ROWS + 4 n, n) all strips of a wheel, for laws that take it as a whole, else empty
    creepage: np.ndarray  # (3,)
    force: np.ndarray  # (3,)
    arm: np.ndarray  # (3, 6) wrench directions of x, t, n
    lift: np.ndarray  # (n, n) [m/N] of a patch by others' loads
    press: np.ndarray  # (n, 12) [N/m, N] change of its load with the pose, and that while others keep theirs
    stiffness: np.ndarray  # (6, 6) [N/m, N, N m] of all patches, of laws that take a wheel as a whole
    columns: np.ndarray  # (6, 6) wrenches beside the pose, for differences


class ContactResult(NamedTuple):
    """What the contact law fills for one wheel."""

    patches: np.ndarray  # (PATCH_MAX, K) one row per patch, columns variables.PATCH; while two regions merge, the
    # merged and the separate readings stand in it with shares that add up to one
    wrench: np.ndarray  # (6,) [N, N m] force and moment about P on the wheel
    jac_d: np.ndarray  # (6, 6) d wrench / d d, by the normal force and the creep force's growth with it
    jac_v: np.ndarray  # (6, 6) d wrench / d v, creep and damping
    BY_VALUE = True


@dataclass(frozen=True)
class ContactOptions:
    """Material and models of a wheel-rail pair.

    Raises
    ------
    ScenarioError                    for an unknown model or a value out of range
    """

    shear_modulus: float = 82e9  # [Pa] of both bodies
    poisson: float = 0.28
    friction: float = FRICTION.default  # [-]
    friction_law: str = "constant"  # of FRICTION_LAWS
    friction_keys: dict = field(default_factory=dict)  # of the law, those left out at their defaults
    friction_rows: tuple = ()  # (n, k) of a rail, for laws with a table
    initial_slope: float = INITIAL_SLOPE.default  # of creep forces, over Kalker's
    normal_damping: float = 0.0  # [N s/m] per wheel, along the patch normal
    damping_onset: float = 1000.0  # [N] the damping grows as N/(N + damping_onset) from first touch
    normal_law: str = NORMAL_LAWS.default  # of NORMAL_LAWS
    normal_keys: dict = field(default_factory=dict)  # likewise
    tangential_law: str = TANGENTIAL_LAWS.default  # of TANGENTIAL_LAWS
    tangential_keys: dict = field(default_factory=dict)  # likewise
    bound: str = "elliptic"  # traction bound of FASTSIM: elliptic (nearer to exact solutions) or parabolic
    strips: int | None = None  # per connected part of a patch; None: the normal law's own
    cells: int = 14  # per strip

    def __post_init__(self):
        if self.bound not in BOUNDS:
            raise ScenarioError(f"contact bound must be one of {', '.join(sorted(BOUNDS))}, got {self.bound!r}")
        if self.strips is None:
            object.__setattr__(self, "strips", NORMAL_LAWS.require(self.normal_law, "contact normal_law").strips)
        for name, (low, high) in RANGES.items():
            value = getattr(self, name)
            if not (np.isfinite(value) and low <= value <= high):
                raise ScenarioError(f"contact {name} must be {low:g} to {high:g}, got {value!r}")


def make_contact_tables(wheel, rail, placement, **options) -> ContactTables:
    """Tables of one wheel-rail pair for `wheel_rail_contact`.

    Parameters
    ----------
    wheel, rail : Profile            rail inclined, origin at its crown
    placement : Placement            of both profiles
    options                          fields of ContactOptions

    Raises
    ------
    ScenarioError                    for an unknown model, a value out of range or profiles that cannot meet
    """
    _check_kinds(wheel, rail)
    options = ContactOptions(**options)
    wheel_start, wheel_table = uniform_cells(wheel)
    rail_start, rail_table = uniform_cells(rail)
    modulus = float(options.shear_modulus / (1.0 - options.poisson))
    return ContactTables(
        pair=ProfilePair(wheel_table, wheel_start, rail_table, rail_start, 1.0 / FINE_STEP),
        coarse_wheel=_coarse(wheel_start, wheel_table),
        offset=float(placement.offset),
        normal=normal_tables(options.normal_law, options.normal_keys, modulus, int(options.strips)),
        kalker=np.ascontiguousarray(kalker_coefficients(RATIOS, options.poisson, "smooth").T),
        shear_modulus=float(options.shear_modulus),
        creep_modulus=float(options.shear_modulus * options.initial_slope),
        friction=float(options.friction),
        friction_law=friction_call(options.friction_law, options.friction_rows, **options.friction_keys),
        normal_damping=float(options.normal_damping),
        damping_onset=float(options.damping_onset),
        tangential_law=tangential_call(options.tangential_law, **options.tangential_keys),
        cells=cells_along(int(options.cells), BOUNDS[options.bound]),
    )


def with_friction(tables, friction) -> ContactTables:
    """Tables with a constant coefficient of friction."""
    return tables._replace(friction=friction, friction_law=PLAIN)


def frictionless(tables) -> ContactTables:
    """Tables without friction, with the law that then costs least."""
    return with_friction(tables, 0.0)._replace(tangential_law=tangential_call(KALKER_LINEAR.name))


def padded(tables, count) -> ContactTables:
    """Tables whose coarse wheel has `count` points, those added far from any rail: one scratch then serves several."""
    wheel = tables.coarse_wheel
    had = wheel.shape[1]
    if had == count:
        return tables
    coarse = _far_wheel(count, wheel[COARSE.y, 0])
    for row in (COARSE.height, COARSE.slope, COARSE.second, COARSE.near):
        coarse[row, :had] = wheel[row]
    return tables._replace(coarse_wheel=_with_fourths(coarse))


def make_contact_scratch(tables):
    """Scratch arrays for one wheel with these tables, or those of as many coarse points."""
    most, strips = 2 * PATCH_MAX, tables.normal.nodes.place.size
    together = most * strips + 8 if tables.normal.whole else 0  # every part of a zone has a peak
    return ContactScratch(
        depth=np.zeros(tables.coarse_wheel.shape[1]),
        peaks=Peaks(np.zeros(most), np.zeros(most), np.zeros(most), np.zeros(most)),
        parts=np.zeros((3, 2)),
        regions=np.zeros((most, len(RegionColumns._fields))),
        normal=np.zeros((most, len(NORMAL))),
        strips=aligned(np.zeros((most, len(StripRows._fields), 3 * strips))),
        system=aligned(np.zeros((SYSTEM_ROWS + 4 * together, together))),
        creepage=np.zeros(3),
        force=np.zeros(3),
        arm=np.zeros((3, 6)),
        lift=np.zeros((most, most)),
        press=np.zeros((most, 12)),
        stiffness=np.zeros((6, 6)),
        columns=np.zeros((6, 6)),
    )


def make_contact_result():
    """Empty record of the patches, force and tangents of one wheel."""
    return ContactResult(np.zeros((PATCH_MAX, len(PATCH))), np.zeros(6), np.zeros((6, 6)), np.zeros((6, 6)))


def _check_kinds(wheel, rail):
    if wheel.kind != "wheel" or rail.kind != "rail":
        raise ScenarioError(f"contact pair must be a wheel and a rail, got a {wheel.kind} and a {rail.kind}")
    if wheel.y[0] > -0.030 or wheel.y[-1] < 0.010:
        raise ScenarioError(f"profile {wheel.name}: y from {wheel.y[0]:g} to {wheel.y[-1]:g} m leaves out the tread")
    if rail.y[0] > -0.010 or rail.y[-1] < 0.010:
        raise ScenarioError(f"profile {rail.name}: y from {rail.y[0]:g} to {rail.y[-1]:g} m leaves out the crown")


def _coarse(start, table):
    """(9, n) rows gap.COARSE; the gap within which the finer scan is needed is larger on the flange."""
    rows = table[::COARSE_EVERY]
    n = len(rows)
    coarse = _far_wheel((n + SPARE + 3) // 4 * 4, start)
    coarse[COARSE.height, :n], coarse[COARSE.slope, :n] = rows[:, CELL.height], rows[:, CELL.slope]
    coarse[COARSE.second, :n] = rows[:, CELL.second]
    near = 1e-3 * (0.05 + np.minimum(1.0, 4.0 * rows[:, CELL.slope] ** 2))
    near = np.maximum(near, np.append(near[4:], near[-4:]))[::4]
    coarse[COARSE.near, : len(near)] = near
    return _with_fourths(coarse)


def _far_wheel(count, start):
    """A coarse wheel of as many points from `start` [m] on, far from any rail."""
    coarse = np.zeros((len(COARSE), count))
    coarse[COARSE.y] = start + COARSE_EVERY * FINE_STEP * np.arange(count)
    coarse[COARSE.height] = -1.0
    return coarse


def _with_fourths(coarse):
    """The coarse wheel with the rows of every fourth point filled from those of all."""
    fourth = coarse[: COARSE.fourth_y, ::4]
    coarse[COARSE.fourth_y : COARSE.near, : fourth.shape[1]] = fourth
    coarse[COARSE.fourth_height, fourth.shape[1] :] = -1.0
    return coarse
