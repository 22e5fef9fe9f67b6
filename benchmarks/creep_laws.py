"""Power and tangents of every tangential law on random patches.

    python benchmarks/creep_laws.py [patches]

20,000 ellipses of 1 to 12 mm, creepages from sticking to sliding, factors and initial slopes. Printed: cases that gain
energy, and the error of the tangents by xi, eta, phi against central differences, median, p90 and largest. Then of
every tangential and friction law the patches that gain energy under as many wheels, and on 400 random poses of S1002 on
60E1 up to the flange with roll, yaw and slip: errors of the wheel's tangents by velocity, from the nearest of those
between both one-sided differences, and by pose as they come with a force and with `exact`, where both sides agree.
"""

from __future__ import annotations

import sys

import numpy as np

from flexwheel.base.variables import PATCH
from flexwheel.contact.contact_tables import make_contact_result, make_contact_scratch, make_contact_tables
from flexwheel.contact.friction.law import FRICTION_LAWS
from flexwheel.contact.geometry import WheelPair, first_touch
from flexwheel.contact.profiles.placement import place
from flexwheel.contact.profiles.rail_60e1 import rail_60e1
from flexwheel.contact.profiles.s1002 import s1002
from flexwheel.contact.semi_hertzian import STRIP, empty_strips
from flexwheel.contact.tangential import TANGENTIAL_LAWS, equivalent_ellipse, patch_creep_force
from flexwheel.contact.wheel_rail import WheelMotion, wheel_rail_contact
from flexwheel.numerics.kernels import handle, kernel

LOAD, FRICTION, STRIPS = 5e4, 0.3, 16
RADIUS, SPEED = 0.46, 22.0
LENGTHS = np.array([1.0, 1.0, 1.0, RADIUS, RADIUS, RADIUS])  # [m] by which moments count as forces
DIRECTIONS = ("x", "y", "z", "roll", "pitch", "yaw")
TABLE = np.array([[0.0, 0.3, 0.4, 0.2, 0.15, 0.8, 0.1], [200.0, 0.55, 0.4, 0.6, 0.2, 0.8, 0.1]])  # of a rail
STEPS = 2e-7, 1e-4  # [m, rad] of the pose and [m/s, rad/s] of the velocity
KINK = 0.01  # of the slope: both sides differ by more
WORST_GAIN = 1e-12  # of mu N and creepage: rounding


@kernel
def force_of(tables, area, ratio, strip, load, creepage, force):
    """Creep force of an ellipse; gives its tangents."""
    return patch_creep_force(tables, equivalent_ellipse(tables, area, ratio), strip, STRIPS, load, creepage, force)


def main(count=20_000):
    """Figures of each law: cases that gain energy, and errors (3, 2) of the tangents by each creepage."""
    found = {}
    for name in TANGENTIAL_LAWS:
        rail, rng = rail_60e1(1 / 40), np.random.default_rng(7)
        law = {"k_adhesion": 0.3, "k_slip": 0.1} if name == "polach" else {}
        made = [
            handle(make_contact_tables(s1002(), rail, place(rail), tangential_law=name, tangential_keys=keys))
            for keys in ({}, law)
        ]
        gains, errors, force = 0, [[], [], []], np.zeros(3)
        for case in range(count):
            tables = made[case % 2]
            a, b = np.exp(rng.uniform(np.log(1e-3), np.log(1.2e-2), 2))
            strip, u = empty_strips(STRIPS), -1.0 + (2.0 * np.arange(STRIPS) + 1.0) / STRIPS
            strip[STRIP.half, :STRIPS], strip[STRIP.s, :STRIPS] = a * np.sqrt(1.0 - u**2), b * u
            strip[STRIP.width, :STRIPS] = 2.0 * b / STRIPS
            scale = np.array([1.0, 1.0, 1.0 / np.sqrt(a * b)])
            creepage = rng.normal(0, 1, 3) * 10.0 ** rng.uniform(-6, -1) * scale
            patch = tables, np.pi * a * b, a / b, strip, (LOAD, FRICTION)
            tangent = np.array(force_of(*patch, creepage, force)).reshape(3, 3) * scale
            gains += force @ creepage > WORST_GAIN * FRICTION * LOAD * np.linalg.norm(creepage / scale)
            if case % 20:
                continue
            least = FRICTION * LOAD / (82e9 * a * b)
            for k in range(3):
                step = 1e-5 * max(least, abs(creepage[k] / scale[k])) * scale[k] * np.eye(3)[k]
                sides = []
                for way in (1.0, -1.0):
                    force_of(*patch, creepage + way * step, force)
                    sides.append(force.copy())
                right = (sides[1] - sides[0]) / (2.0 * step[k]) * scale[k] * scale
                own = tangent[:, k] * scale
                if np.linalg.norm(right) > 1e-3 * 82e9 * a * b:
                    errors[k].append(np.linalg.norm(own - right) / np.linalg.norm(right))
        found[name] = gains, [_spread(e) for e in errors]
        figures = ", ".join(map(_text, found[name][1]))
        print(f"{name}: {gains} of {count} gain energy; tangents by xi, eta, phi {figures}", flush=True)
    return found


def _spread(errors):
    return np.median(errors), np.percentile(errors, 90), np.max(errors)


def _text(spread):
    return " / ".join(f"{100 * value:.2g}" for value in spread) + " %"


def _wheel(tangential, friction):
    """Pair of profiles, result and handles of tables, scratch and result of a wheel with these laws."""
    pair = WheelPair(s1002(), rail_60e1(1 / 40), place(rail_60e1(1 / 40)))
    rows = TABLE if FRICTION_LAWS[friction].rows else ()
    tables = make_contact_tables(
        pair.wheel, pair.rail, pair.placement, tangential_law=tangential, friction_law=friction, friction_rows=rows
    )
    result = make_contact_result()
    return pair, result, (handle(tables), handle(make_contact_scratch(tables)), handle(result))


def gains_of_wheels(tangential, friction, count=20_000):
    """(patches that gain energy, patches) under wheels from the field side to the flange, from sticking to sliding."""
    (pair, result, kernels), rng = _wheel(tangential, friction), np.random.default_rng(5)
    shifts = np.linspace(-8e-3, 6.5e-3, 200)
    heights = [first_touch(pair, y, 0.0, 0.0)[0] for y in shifts]
    gains = patches = 0
    for _ in range(count):
        k, slip = rng.integers(len(shifts)), 10.0 ** rng.uniform(-3.0, 0.5)
        d = np.array([0.0, shifts[k], heights[k] - rng.uniform(3e-5, 1.5e-4), 0.0, 0.0, rng.uniform(-4e-3, 4e-3)])
        v = np.array([*rng.normal(0.0, slip, 2), 0.0, *rng.normal(0.0, slip, 3)])
        v[4] += SPEED / RADIUS
        motion = WheelMotion(d, v, v[1:4].copy(), SPEED, 120.0, False)
        found = result.patches[: wheel_rail_contact(kernels[0], RADIUS, motion, *kernels[1:])[1]]
        found = found[found[:, PATCH.normal_force] > 0.0]
        power = found[:, PATCH.force_x] * found[:, PATCH.xi] + found[:, PATCH.force_y] * found[:, PATCH.eta]
        power += found[:, PATCH.spin_moment] * found[:, PATCH.phi]
        gains += np.count_nonzero(power > WORST_GAIN * found[:, PATCH.normal_force])
        patches += len(found)
    return gains, patches


def of_wheels(
    tangential, friction, count=400, directions=((0, 1), (0, 2), (0, 3), (0, 5), *((1, k) for k in range(6)))
):
    """Errors of the tangents of a wheel: (name, direction) -> median, p90 and largest, and kinks; printed."""
    (pair, result, kernels), rng, found = _wheel(tangential, friction), np.random.default_rng(3), {}

    def wrench(d, v, exact=False):
        # the gap's rates are the wheel's: a smooth rail at rest
        wheel_rail_contact(kernels[0], RADIUS, WheelMotion(d, v, v[1:4].copy(), SPEED, 120.0, exact), *kernels[1:])
        return result.wrench / LENGTHS

    for _ in range(count):
        d = np.array([0, rng.uniform(-8e-3, 6.5e-3), 0, rng.uniform(-3e-3, 3e-3), 0, rng.uniform(-4e-3, 4e-3)])
        v = np.array([*rng.normal(0, 0.05, 2), 0.0, *rng.normal(0, 0.2, 3)])
        v[4] += SPEED / RADIUS
        d[2] = first_touch(pair, d[1], d[3], d[5])[0] - rng.uniform(3e-5, 1.3e-4)
        own = {}
        for kind in ("exact", "quick"):
            here = wrench(d, v, kind == "exact")
            own[kind] = (result.jac_d.copy() / LENGTHS[:, None], result.jac_v.copy() / LENGTHS[:, None])
        for x, k in directions:
            sides = []
            for way in (STEPS[x], -STEPS[x]):
                at = [d.copy(), v.copy()]
                at[x][k] += way
                sides.append((wrench(*at) - here) / way)
            for kind in ("exact", "quick"):
                if kind == "quick" or x == 0:
                    name = f"{'velocity' if x else f'pose, {kind}'}, {DIRECTIONS[k]}"
                    found.setdefault(name, []).append(off_both_sides(own[kind][x][:, k], *sides))
    figures = {}
    for name, some in sorted(found.items()):
        errors, bends = np.array(some).T
        kinks = bends > KINK
        figures[name] = *_spread(errors[~kinks] if name.startswith("pose") else errors), np.count_nonzero(kinks)
        text = f"{_text(figures[name][:3])}, {figures[name][3]} kinks"
        print(f"{tangential}, {friction}: {name} {text}", flush=True)
    return figures


def off_both_sides(own, right, left):
    """Distance of a tangent (6,) from those between both one-sided differences, and theirs, over the larger one.

    Where a cell of FASTSIM begins to slide, the law has a kink: both sides have a slope of their own, and every tangent
    between is one.
    """
    size, across = max(np.linalg.norm(right), np.linalg.norm(left)), right - left
    between = np.clip((own - left) @ across / max(across @ across, 1e-300), 0.0, 1.0)
    return np.linalg.norm(own - left - between * across) / size, np.linalg.norm(across) / size


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:]))
    for law in TANGENTIAL_LAWS:
        for of_friction in FRICTION_LAWS:
            print(f"{law}, {of_friction}: {{}} of {{}} patches gain energy".format(*gains_of_wheels(law, of_friction)))
            of_wheels(law, of_friction)
