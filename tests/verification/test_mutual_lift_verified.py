"""Patches that lift each other: closed form of two spheres, exact patches of two measures, tangents by differences."""

import numpy as np
import pytest
from scipy.optimize import brentq

from flexwheel.assess.conformal_patches import conformal_patches
from flexwheel.contact.contact_tables import make_contact_result, make_contact_scratch, make_contact_tables
from flexwheel.contact.mutual_lift import fill_lifts, lift_patches, press_together
from flexwheel.contact.patch import NORMAL
from flexwheel.contact.regions import REGION
from flexwheel.contact.wheel_rail import WheelMotion, wheel_rail_contact
from flexwheel.numerics.kernels import handle
from flexwheel.verification.worn_profiles import worn_pairs

MODULUS = 82e9 / (1.0 - 0.28)


def spheres(radii, depths, apart):
    """Rows of regions, normal contacts and strips of spheres [m] on a half-space side by side, each alone."""
    count = len(radii)
    regions, normal = np.zeros((count, len(REGION))), np.zeros((count, len(NORMAL)))
    for p, (radius, depth) in enumerate(zip(radii, depths, strict=True)):
        regions[p, [REGION.depth, REGION.share, REGION.apart, REGION.first, REGION.last]] = depth, 1.0, 1.0, p, p
        load, a = 4.0 / 3.0 * MODULUS * np.sqrt(radius) * depth**1.5, np.sqrt(radius * depth)
        row = normal[p]
        row[[NORMAL.normal_force, NORMAL.stiffness, NORMAL.cosine]] = load, 1.5 * load / depth, 1.0
        row[[NORMAL.y, NORMAL.half_length, NORMAL.half_width, NORMAL.area]] = p * apart, a, a, np.pi * a * a
    return regions, normal, np.zeros((count, 11, 16))


def lifted(radii, depths, apart):
    """Loads [N] of spheres that lift each other, their lifts and rows."""
    regions, normal, strips = spheres(radii, depths, apart)
    lift = np.zeros((len(radii), len(radii)))
    fill_lifts(MODULUS, regions, len(radii), normal, lift)
    lift_patches(lift, regions, len(radii), normal, strips)
    return normal[:, NORMAL.normal_force].copy(), lift, normal


@pytest.mark.parametrize("apart", [0.02, 0.05])
def test_two_spheres_far_apart(apart):
    """N = 4/3 E* sqrt(R) (h - N/(pi E* s))^1.5 of each; sizes enter with their square over that of the distance."""
    radius, depth = 0.3, 50e-6
    exact = brentq(
        lambda load: load
        - 4 / 3 * MODULUS * np.sqrt(radius) * max(depth - load / (np.pi * MODULUS * apart), 0.0) ** 1.5,
        0.0, 1e6,
    )  # fmt: skip
    alone = 4.0 / 3.0 * MODULUS * np.sqrt(radius) * depth**1.5
    loads, _, _ = lifted((radius, radius), (depth, depth), apart)
    near = radius * depth / apart**2
    assert loads == pytest.approx(exact, rel=2.0 * near)
    assert exact < (0.9 if apart < 0.03 else 0.97) * alone  # the lift itself is far above that


def test_a_lifted_off_patch_carries_nothing():
    """The second of three, under which the surface stands higher than it reaches; those left come first."""
    regions, normal, strips = spheres((0.3, 0.3, 0.3), (80e-6, 2e-6, 60e-6), 0.01)
    strips[2], lift = 7.0, np.zeros((3, 3))
    fill_lifts(MODULUS, regions, 3, normal, lift)
    assert lift_patches(lift, regions, 3, normal, strips) == 2
    two, _, _ = lifted((0.3, 0.3), (80e-6, 60e-6), 0.02)
    assert normal[:2, NORMAL.normal_force] == pytest.approx(two, rel=1e-7)
    assert regions[1, REGION.first] == 2 and np.all(strips[1] == 7.0)


def test_the_loads_have_a_potential():
    """Change of one load with the other's approach is the same both ways, and is that of `press_together`."""
    radii, depths, apart, step = (0.3, 0.08), (60e-6, 40e-6), 0.012, 1e-10
    _, lift, normal = lifted(radii, depths, apart)
    press = np.zeros((2, 12))
    press[0, 0], press[1, 1] = normal[:, NORMAL.stiffness]
    press_together(lift, 2, normal, press)
    by = [
        (lifted(radii, np.add(depths, way), apart)[0] - lifted(radii, np.subtract(depths, way), apart)[0]) / (2 * step)
        for way in ((step, 0.0), (0.0, step))
    ]
    by = np.transpose(by)
    assert press[:, :2] == pytest.approx(by, rel=0.03)  # sizes, which the lifts hang on a little, are held
    assert press[0, 1] == pytest.approx(press[1, 0], rel=1e-3)
    assert press[0, 1] < -0.05 * press[1, 1]


POSES = [
    (0.0056, 0.0, 0.00028),
    (0.0054, 0.01, 0.00022),
    (0.0052, 0.01, 0.0002),
]


@pytest.mark.parametrize(("shift", "yaw", "height"), POSES)
def test_neighbouring_patches_carry_what_exact_ones_do(shift, yaw, height):
    """Two patches within 2 % of the load of the conformal solution; each alone would carry 10 to 30 % more."""
    pair = worn_pairs()["new on new"]
    d = np.array([0.0, shift, height, 0.0, 0.0, yaw])
    patches = conformal_patches(pair, d.copy(), MODULUS)
    exact = sum(p.normal_force * np.array([-np.sin(p.force_angle), np.cos(p.force_angle)]) for p in patches)
    tables = make_contact_tables(pair.wheel, pair.rail, pair.placement, friction=0.0)
    scratch, result = make_contact_scratch(tables), make_contact_result()
    motion = WheelMotion(d, np.zeros(6), np.zeros(3), 1.0)
    wheel_rail_contact(handle(tables), pair.placement.radius, motion, handle(scratch), handle(result))
    off = np.abs(result.wrench[1:3] - exact) / np.hypot(*exact)
    assert len(patches) > 1
    assert np.all(off < 0.02)
