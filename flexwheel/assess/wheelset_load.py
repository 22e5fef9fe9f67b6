"""Contact of a wheelset, or of one wheel, standing or rolling in a given position under given loads.

Given are lateral shift, yaw, the vertical load of each wheel, and, when it rolls, speed and curvature. Roll follows
from one height of the axle for both wheels, unless given (then each wheel finds its own height, as benchmarks of
single wheels do); the speed of rotation follows from no torque about the axle, unless given. Creep forces count in
the vertical balance.

Track axes: x forward, y left, z up, forces on the wheel; the right wheel is solved mirrored and turned back. Patch
values stay in the left-like frame of their wheel.

Verified in tests/verification/test_wheelset_load_verified.py.
"""

from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import brentq

from flexwheel.assess.exact_patches import exact_load, exact_patches
from flexwheel.assess.exact_wheelset import MIRROR, axle_torque, exact_free_spin, exact_wheels, rolling_spin
from flexwheel.base.errors import ContactError
from flexwheel.base.variables import PATCH
from flexwheel.contact.contact_tables import (
    frictionless,
    make_contact_result,
    make_contact_scratch,
    make_contact_tables,
)
from flexwheel.contact.creepage import creepages, patch_directions
from flexwheel.contact.friction.law import coefficient_of_friction
from flexwheel.contact.geometry import contact_geometry, first_touch, profile_origin, wheel_arm
from flexwheel.contact.semi_hertzian import STRIP, empty_strips
from flexwheel.contact.tangential import equivalent_ellipse, patch_creep_force
from flexwheel.contact.wheel_rail import CLIMB_ETA, FLANGE_CLIMB, OK, STATUS_TEXT, WheelMotion, wheel_rail_contact
from flexwheel.numerics.kernels import handle

LOWERED = 60  # tenths of a millimetre that a wheel is let down to carry its load
LOAD_WITHIN = 1e-3  # of the load: what an equilibrium may lack, the wheel's steps of force are smaller
_ROUNDS = 25  # of normal load against vertical creep force


@dataclass(frozen=True)
class WheelLoad:
    """One loaded wheel."""

    side: str  # "left" or "right"
    pose: np.ndarray  # (6,) d of P as `wheel_rail_contact` takes it, left-like frame
    force: np.ndarray  # (3,) [N] on the wheel, track axes
    moment: np.ndarray  # (3,) [N m] about P, track axes
    patches: list  # by falling load, left-like frame; see `PATCH_KEYS`
    turn: float = 0.0  # [rad] largest angle between the outermost normals of a patch; exact patches only


PATCH_KEYS = (
    "x", "x_track", "y_rail", "z_rail", "y_wheel", "y_track", "x_reference", "y_reference", "angle", "rail_angle",
    "normal_force", "area", "peak_pressure", "approach", "half_length", "half_width", "xi", "eta", "phi", "force_x",
    "force_y", "spin_moment", "share",
)  # fmt: skip


@dataclass(frozen=True)
class WheelsetLoad:
    """A loaded wheelset; spin is 0 when it stands."""

    shift: float
    yaw: float
    roll: float
    spin: float
    lift: float  # [m] axle's centre over the crowns, mean of the wheels, minus the first wheel's radius
    wheels: tuple


@dataclass(frozen=True)
class LoadCase:
    """What is asked."""

    shift: float  # [m] to the left
    yaw: float = 0.0  # [rad] to the left
    load_left: float = 50e3  # [N] vertical, on each wheel
    load_right: float = 50e3
    roll: float | None = None  # [rad] None: both wheels at one height of the axle
    speed: float = 0.0  # [m/s] 0: standing, without friction
    spin: float | None = None  # [rad/s] None: no torque about the axle
    curvature: float = 0.0  # [1/m] of the track, positive to the left


class LoadedWheel:
    """One wheel with its tables and scratch arrays.

    Parameters
    ----------
    pair : WheelPair
    side : str                   "left" or "right"
    patches_of : function        exact normal contact: `exact_patches` or `conformal_patches`
    options : keyword arguments of `make_contact_tables` (friction, tangential_law, bound, ...)
    """

    def __init__(self, pair, side, patches_of=exact_patches, **options):
        self.pair, self.side, self.patches_of = pair, side, patches_of
        self.sign = 1.0 if side == "left" else -1.0
        self.rolling = make_contact_tables(
            pair.wheel, pair.rail, pair.placement, **{"strips": 48, "cells": 48, **options}
        )
        self.standing = frictionless(self.rolling)
        self.found = make_contact_result()
        parts = self.rolling, self.standing, make_contact_scratch(self.rolling), self.found
        self.law = [handle(part) for part in parts]  # as a run has it

    def pose(self, case, roll):
        """d (6,) of P with the axle's centre at its nominal height."""
        return profile_origin(self.pair.placement, self.sign * case.shift, 0.0, self.sign * roll, self.sign * case.yaw)

    def velocity(self, case, roll, spin):
        """Velocity (6,) of the material at P and angular velocity, relative to the rail, left-like frame."""
        arm = wheel_arm(self.pair.placement, self.sign * roll, self.sign * case.yaw)
        roll, yaw, curvature = self.sign * roll, self.sign * case.yaw, self.sign * case.curvature
        axle = np.array([-np.sin(yaw) * np.cos(roll), np.cos(yaw) * np.cos(roll), np.sin(roll)])
        turned = spin * axle + np.array([0.0, 0.0, curvature * case.speed])
        place = np.array([0.0, self.sign * case.shift, 0.0])
        ahead = np.array([case.speed, 0.0, 0.0]) + np.cross([0.0, 0.0, curvature * case.speed], place)
        return np.concatenate([ahead + np.cross(turned, arm), turned])

    def touch(self, d, v, speed):
        """Status and number of patches at a pose; fills `found`."""
        rolling, standing, scratch, found = self.law
        motion = WheelMotion(d, v, np.zeros(3), speed if speed > 0.0 else 1.0)
        return wheel_rail_contact(
            rolling if speed > 0.0 else standing, self.pair.placement.radius, motion, scratch, found
        )

    def stand(self, case, roll, spin, load):
        """Pose (6,) at which the wheel carries a vertical load, axle height, patches; fills `found`."""
        d = self.pose(case, roll)
        v = self.velocity(case, roll, spin) if case.speed > 0.0 else np.zeros(6)
        start = d[2]

        def missing(height):
            d[2] = height
            self.touch(d, v, case.speed)
            return self.found.wrench[2] - load

        high = first_touch(self.pair, d[1], d[3], d[5])[0] + 1e-7
        low = high - 1e-4
        for _ in range(LOWERED):
            if missing(low) > 0.0:
                break
            high, low = low, low - 1e-4
        else:
            raise ContactError(
                f"{self.side} wheel at a shift of {1e3 * case.shift:g} mm and a yaw of {1e3 * case.yaw:g} mrad: no "
                f"height down to {0.1 * LOWERED:g} mm below its first touch carries {load:g} N"
            )
        d[2] = brentq(missing, low, high, xtol=1e-12, rtol=1e-14)
        place = f"{self.side} wheel at a shift of {1e3 * case.shift:g} mm and a yaw of {1e3 * case.yaw:g} mrad"
        status, count = self.touch(d, v, case.speed)
        if status != OK:
            raise ContactError(f"{place}: {STATUS_TEXT[status]}")
        if count == 0 or abs(self.found.wrench[2] - load) > LOAD_WITHIN * load:
            above, below = (load + missing(d[2] + side) for side in (1e-9, -2e-9))
            raise ContactError(
                f"{place}: no height carries {load:g} N; the vertical force jumps from {above:g} to {below:g} N"
            )
        return d, d[2] - start + self.pair.placement.radius, count

    def result(self, d, count):
        """WheelLoad of `found`."""
        patches = []
        for row in self.found.patches[:count]:
            patch = dict(zip(PATCH._fields, row.tolist(), strict=True))
            patch["x"], patch["angle"] = patch.pop("x_contact"), patch.pop("contact_angle")
            patch["x_reference"], patch["y_reference"] = patch["x"], patch["y_rail"]
            patch["rail_angle"] = patch["angle"]
            patch["z_rail"] = float(np.interp(patch["y_rail"], self.pair.rail.y, self.pair.rail.height))
            patches.append(self._finished(patch, d))
        return self._wheel(d, self.found.wrench, patches)

    def _finished(self, patch, d):
        arm = wheel_arm(self.pair.placement, d[3], d[5])
        patch["x_track"] = patch["x"] + arm[0]
        patch["y_track"] = self.sign * (patch["y_rail"] + self.pair.placement.rail_y)
        patch["x_reference"] += arm[0]
        patch["y_reference"] = self.sign * (patch["y_reference"] + self.pair.placement.rail_y)
        return {name: patch[name] for name in PATCH_KEYS}

    def _wheel(self, d, wrench, patches):
        turned = wrench if self.side == "left" else MIRROR * wrench
        patches = sorted(patches, key=lambda patch: -patch["normal_force"])
        return WheelLoad(self.side, d.copy(), turned[:3].copy(), turned[3:].copy(), patches)

    def exact(self, case, roll, spin, load):
        """WheelLoad with the exact pressure, and FASTSIM (or the tables' method) on its rows; height of the axle.

        Normal load and vertical creep force are brought to agree by repetition.
        """
        tables, d = self.rolling, self.pose(case, roll)
        start, added, tried = d[2], 0.0, []
        v = self.velocity(case, roll, spin) if case.speed > 0.0 else np.zeros(6)
        height, modulus = None, tables.normal.contact_modulus
        for _ in range(_ROUNDS if case.speed > 0.0 else 1):
            height, found = exact_load(self.pair, d[1], d[3], d[5], load, modulus, height, added, self.patches_of)
            d[2] = height
            wrench, patches = np.zeros(6), []
            for patch in found:
                alone = sum(other.plane_angle == patch.plane_angle for other in found) == 1
                row, one = self._exact_patch(d, patch, alone, v, case.speed)
                wrench += one
                patches.append(row)
            vertical = wrench[2]
            if case.speed == 0.0 or abs(vertical - load) < 3e-4 * load:
                break
            tried.append((added, vertical - sum(p.normal_force * np.cos(p.force_angle) for p in found)))
            added = _next_guess(tried)
        else:
            raise ContactError(f"{self.side} wheel at {1e3 * case.shift:g} mm: creep force and load do not settle")
        if min(patch.y_wheel for patch in found) < CLIMB_ETA:
            raise ContactError(f"{self.side} wheel at {1e3 * case.shift:g} mm: {STATUS_TEXT[FLANGE_CLIMB]}")
        turn = max(patch.turn for patch in found)
        return replace(self._wheel(d, wrench, patches), turn=turn), height - start + self.pair.placement.radius

    def _exact_patch(self, d, patch, alone, v, speed):
        """One patch's dictionary and its wrench (6,) about P, left-like frame.

        Creepages are counted at the reference point of the plane; of several patches in one plane each counts its
        own, at its centroid and in the direction of the rail there, because the flexibilities of FASTSIM belong to
        spin about the middle of a patch.
        """
        tables = self.rolling
        s, width, half, offset = patch.strips
        row_load = patch.pressure.sum(axis=0)
        if alone:
            angle, point = patch.plane_angle, patch.reference
        else:
            angle, point = patch.angle, np.array([patch.x, patch.y_rail, patch.z_wheel])
            s, offset = s - row_load @ s / row_load.sum(), offset + patch.reference[0] - patch.x
        foot, arm = np.array([0.0, tables.offset + d[1], d[2]]), np.zeros((3, 6))
        at = point - foot
        patch_directions(*at, np.cos(angle), np.sin(angle), arm)
        creepage, force = np.zeros(3), np.zeros(3)
        if speed > 0.0:
            pace = speed - 0.5 * (v[0] + v[4] * at[2] - v[5] * at[1])
            creepage = creepages(at, angle, v, pace)
            strip = strips_of(s, width, half, offset, row_load)
            ellipse = equivalent_ellipse(tables, patch.area, patch.half_length / patch.half_width)
            of_patch = patch.normal_force, patch.area, patch.y_rail, patch.angle
            friction, _ = coefficient_of_friction(tables, pace, creepage, of_patch, 0.0)
            patch_creep_force(tables, ellipse, strip, s.size, (patch.normal_force, friction), creepage, force)
        wrench = force[0] * arm[0] + force[1] * arm[1]
        wrench[3:] += force[2] * arm[2, :3]
        turned = np.cos(patch.force_angle), np.sin(patch.force_angle)
        patch_directions(patch.x, patch.y_rail - foot[1], patch.z_wheel - foot[2], *turned, arm)
        wrench += patch.normal_force * arm[2]
        row = {name: getattr(patch, name) for name in PATCH_KEYS[:17] if hasattr(patch, name)}
        row |= {"angle": patch.force_angle, "rail_angle": patch.angle}
        row |= {"x_reference": float(point[0]), "y_reference": float(point[1])}
        row |= dict(zip(("xi", "eta", "phi"), creepage.tolist(), strict=True))
        row |= dict(zip(("force_x", "force_y", "spin_moment"), force.tolist(), strict=True))
        return self._finished(row | {"share": 1.0}, d), wrench


def strips_of(s, width, half, offset, row_load):
    """Rows of a pressure field as strips of FASTSIM, whose bound goes with the square of their half-length.

    The half-lengths follow the rows' loads and keep the area; rows semi_hertzian.STRIP.
    """
    root, strip, n = np.sqrt(row_load), empty_strips(s.size), s.size
    strip[STRIP.s, :n], strip[STRIP.width, :n], strip[STRIP.offset, :n] = s, width, offset
    strip[STRIP.half, :n] = root * (half * width).sum() / (root * width).sum()
    return strip


def _next_guess(tried):
    """Next vertical creep force from pairs (assumed, found): secant on their difference, at first the one found."""
    (x1, f1) = tried[-1][0], tried[-1][1] - tried[-1][0]
    if len(tried) < 2:
        return x1 + f1
    (x0, f0) = tried[-2][0], tried[-2][1] - tried[-2][0]
    return x1 + f1 if f1 == f0 else x1 - f1 * (x1 - x0) / (f1 - f0)


def wheelset_load(left, right, case, *, exact=True) -> WheelsetLoad:
    """Contact of a wheelset, or of one wheel, under its loads.

    Parameters
    ----------
    left, right : LoadedWheel or None   None: there is only the other wheel
    case : LoadCase                     with one wheel, roll None means 0
    exact : bool                        pressure of the wheels' `patches_of`; False: the tables' normal model, as in
                                        runs

    Raises
    ------
    ContactError                        a load that is not positive, no height or roll that carries it
    """
    wheels = [wheel for wheel in (left, right) if wheel is not None]
    loads = {"left": case.load_left, "right": case.load_right}
    for wheel in wheels:
        if not (np.isfinite(loads[wheel.side]) and loads[wheel.side] > 0.0):
            raise ContactError(f"{wheel.side} wheel: load must be a positive number, got {loads[wheel.side]!r} N")
    if not all(np.isfinite(x) for x in (case.shift, case.yaw, case.speed, case.curvature)):
        raise ContactError("wheelset: shift, yaw, speed and curvature must be finite")
    spin = 0.0 if case.speed == 0.0 else case.spin
    if exact:
        if case.speed == 0.0 or case.spin is not None:
            results, lifts, roll = exact_wheels(wheels, case, spin, loads)
        else:
            results, lifts, roll, spin = exact_free_spin(wheels, case, *_near(wheels, case, loads), loads)
    else:
        spin = _free_spin(wheels, case, loads) if spin is None else spin
        roll = _roll(wheels, case, loads, spin)
        stands = [(wheel, *wheel.stand(case, roll, spin, loads[wheel.side])) for wheel in wheels]
        lifts = [lift for _, _, lift, _ in stands]
        results = [wheel.result(d, count) for wheel, d, _, count in stands]
    lift = float(np.mean(lifts)) - wheels[0].pair.placement.radius
    return WheelsetLoad(case.shift, case.yaw, roll, float(spin), lift, tuple(results))


def _near(wheels, case, loads):
    """Speed of rotation and roll to start from: those of the runs' model where it has them, else of rigid contact."""
    try:
        spin = _free_spin(wheels, case, loads)
        return spin, _roll(wheels, case, loads, spin)
    except (ContactError, ValueError):  # of a root that is not between its ends
        return rolling_spin(wheels, case), None


def _free_spin(wheels, case, loads):
    """Speed of rotation [rad/s] without torque about the axle, by the tables' model."""
    near = case.speed / np.mean([wheel.pair.placement.radius for wheel in wheels])
    return brentq(lambda s: _torque(wheels, case, loads, s), 0.93 * near, 1.07 * near, xtol=1e-9 * near)


def _roll(wheels, case, loads, spin):
    """Roll at which all wheels find the same height of the axle."""
    if case.roll is not None:
        return case.roll
    if len(wheels) == 1:
        return 0.0
    left, right = wheels
    near = float(contact_geometry(left.pair, right.pair, [case.shift], yaw=case.yaw).roll[0])

    def difference(roll):
        return left.stand(case, roll, spin, loads["left"])[1] - right.stand(case, roll, spin, loads["right"])[1]

    for reach in (1e-4, 1e-3, 1e-2):
        if difference(near - reach) >= 0.0 >= difference(near + reach):
            return brentq(difference, near - reach, near + reach, xtol=1e-10)
    raise ContactError(f"the wheelset finds no roll under its loads at a shift of {1e3 * case.shift:g} mm")


def _torque(wheels, case, loads, spin):
    """Torque of the contact forces about the axle [N m]."""
    roll, total = _roll(wheels, case, loads, spin), 0.0
    for wheel in wheels:
        wheel.stand(case, roll, spin, loads[wheel.side])
        total += axle_torque(wheel, case, roll, wheel.found.wrench)
    return total
