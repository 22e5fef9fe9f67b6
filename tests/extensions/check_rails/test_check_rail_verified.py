"""Check rails: depth against the turned disc point by point, Hertz, mounting, tangents, dissipation, a curve."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from flexwheel.base.errors import ScenarioError
from flexwheel.base.gravity import GRAVITY
from flexwheel.base.variables import BESIDE, PATCH
from flexwheel.contact.beside import WheelBeside
from flexwheel.contact.contact_tables import make_contact_result, make_contact_tables
from flexwheel.contact.profiles.placement import gauge_point, place
from flexwheel.contact.profiles.rail_60e1 import rail_60e1
from flexwheel.contact.profiles.s1002 import s1002
from flexwheel.extensions.check_rails.check_rail import (
    CHECK,
    flange_back,
    hertz_stiffness,
    numbers_of,
    press_check_rails,
    touch,
)
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.keys.track_keys import CheckRailSection
from flexwheel.run.simulation import run_scenario

R0, SPEED, MU, MODULUS = 0.46, 8.0, 0.3, 114e9
RAIL = rail_60e1(1 / 40)
AT = place(RAIL, radius=R0)
PROFILES = SimpleNamespace(wheel=s1002(), rail=RAIL, placement=AT)
SECTION = dict(
    side="left", start_m=0.0, end_m=50.0, flangeway_mm=41.0, height_mm=20.0, edge_radius_mm=13.0, flare_length_m=3.0,
    flare_opening_mm=30.0,
)  # fmt: skip
BACK, WIDE = -0.070, 20.0


def laid(**more):
    """Numbers of one check rail beside S1002 on 60E1."""
    tables = make_contact_tables(PROFILES.wheel, RAIL, AT, friction=MU, normal_damping=1e4)
    section = CheckRailSection(**(SECTION | more))
    return np.array(numbers_of("track.check_rail.0", section, tables, PROFILES, MODULUS))


def wheel(y=0.0, yaw=0.0, roll=0.0, v=None, rate=None, at=WIDE, curvature=0.0):
    d = np.array([0.0, y, 0.0, roll, 0.0, yaw])
    rolling = np.array([0.0, 0.0, 0.0, 0.0, SPEED / R0, 0.0])
    return WheelBeside(d, rolling if v is None else v, np.zeros(6) if rate is None else rate, at, SPEED, curvature)


def pressed(numbers, motion):
    result, record = make_contact_result(), np.zeros(len(BESIDE))
    press_check_rails(numbers, motion, result, record)
    return result, record


def gap_of_disc(motion, lean):
    """Least distance across the track of the turned flange back, as points, from the face of the check rail."""
    _, y, z, roll, _, yaw = motion.d
    edge, top = 0.013, 0.007
    slope = np.geomspace(1e-3, 0.2, 100)  # of the rim's arc against the plane of the back
    cosine = 1.0 / np.sqrt(1.0 + slope**2)
    rho = R0 + 0.009519 + np.append(np.linspace(-0.03, 0.0, 61), 0.0205 * slope * cosine)
    aside = np.append(np.zeros(61), 0.0205 * (1.0 - cosine))
    angle = np.linspace(-0.4, 0.4, 801)[:, None]
    points = np.array([rho * np.sin(angle), BACK + aside + 0.0 * angle, R0 - rho * np.cos(angle)])  # from P
    c, s = math.cos(yaw), math.sin(yaw)
    about_z = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    c, s = math.cos(roll), math.sin(roll)
    about_x = np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])
    x, across, height = np.einsum("ij,j...->i...", about_z @ about_x, points)
    over = np.clip(z + height - top, 0.0, edge)
    face = gauge_point(RAIL) - 0.041 + 0.5 * motion.curvature * x**2 - lean * (z + height + 0.014)
    face = face - edge + np.sqrt(edge**2 - over**2)
    return np.where(over < edge, AT.offset + y + across - face, 1.0).min()


@pytest.mark.parametrize("yaw", [0.0, 0.004, -0.015, 0.03])
@pytest.mark.parametrize(("roll", "lean"), [(0.0, 0.0), (0.003, 0.0), (-0.004, 0.0), (0.0, 0.05)])
def test_depth_is_that_of_the_turned_disc(yaw, roll, lean):
    """Small angles are kept to second order: left is their third power times the wheel's radius, 12 um at 30 mrad."""
    numbers, motion = laid(face_inclination=lean), wheel(-0.004, yaw, roll, curvature=1.0 / 150.0)
    ends = [touch(numbers, 0, motion, way) for way in (1.0, -1.0)]
    across = max(depth / normal[1] for depth, _, normal in ends)
    assert -across == pytest.approx(gap_of_disc(motion, lean), abs=1.2e-5)


def test_a_flange_back_is_found_in_its_profile():
    """EN 13715: the back ends 9.52 mm below the tread datum, an arc of 20.5 mm follows."""
    assert flange_back(s1002(), BACK) == pytest.approx((9.519259302e-3, 20.5e-3), abs=2e-7)


def test_one_end_is_a_point_of_hertz_on_a_mounting():
    """Equal arcs crossed at right angles are a sphere on a plane; the mounting's spring is in series."""
    assert hertz_stiffness(0.02, 0.02, 0.5 * math.pi, MODULUS) == pytest.approx(4.0 / 3.0 * MODULUS * math.sqrt(0.02))
    numbers, motion = laid(stiffness_n_m=4e7), wheel(-0.005, -0.015)
    load = pressed(numbers, motion)[1][BESIDE.normal_force]
    depth = touch(numbers, 0, motion, 1.0)[0]
    assert touch(numbers, 0, motion, -1.0)[0] < 0.0 < load
    assert depth == pytest.approx(load / 4e7 + (load / numbers[CHECK.hertz]) ** (2.0 / 3.0), rel=1e-9)


def test_both_ends_carry_alike_without_yaw_and_nothing_jumps():
    numbers = laid()
    yaws = np.linspace(-1e-3, 1e-3, 401)
    found = np.array([pressed(numbers, wheel(-0.0036, yaw, v=np.zeros(6)))[0].wrench for yaw in yaws])
    np.testing.assert_allclose(found[:, 1], found[::-1, 1], rtol=1e-12)
    assert abs(found[200, 5]) < 1e-3 * found[200, 1]  # 0.1 m of lever would be one end alone
    assert np.abs(np.diff(found, axis=0)).max() < 0.03 * np.ptp(found, axis=0).max()


@pytest.mark.parametrize("stiffness", [None, 4e7])
@pytest.mark.parametrize(("y", "yaw"), [(-0.0045, -0.015), (-0.0037, 2e-4)])
def test_tangents_are_those_of_differences(stiffness, y, yaw):
    """By velocities exact; by the pose but for damping, which grows with the load, and the point of contact.

    That moves by h / x of the yaw, and turns normal and slip by as much: 4 times 40 kN beside 40 kN/mm times 0.13 m."""
    numbers = laid(stiffness_n_m=stiffness)
    v = np.array([0.05, -0.02, 0.1, 0.01, SPEED / R0, 0.02])
    rate = np.array([0.0, -0.01, 0.02, 0.01, 0.0, 0.005])
    result, _ = pressed(numbers, wheel(y, yaw, v=v, rate=rate))
    for k in (1, 2, 3, 5):
        step = np.eye(6)[k]
        ends = [pressed(numbers, wheel(y, yaw, v=v + h * step, rate=rate + h * step))[0].wrench for h in (1e-6, -1e-6)]
        change = (ends[0] - ends[1]) / 2e-6
        np.testing.assert_allclose(result.jac_v[:, k], change, atol=1e-5 * np.abs(change).max())
    for k, within in ((1, 2e-3), (5, 0.1)):
        ends = []
        for h in (1e-8, -1e-8):
            motion = wheel(y, yaw, v=v, rate=rate)
            motion.d[k] += h
            ends.append(pressed(numbers, motion)[0].wrench)
        change = (ends[0] - ends[1]) / 2e-8
        np.testing.assert_allclose(result.jac_d[:, k], change, atol=within * np.abs(change).max())


def test_friction_takes_energy_and_is_coulombs():
    numbers, rng = laid(), np.random.default_rng(3)
    for _ in range(200):
        v = rng.normal(size=6) * [1.0, 1.0, 1.0, 1.0, 10.0, 1.0]
        yaw = 0.02 * rng.normal()
        rubbed, record = pressed(numbers, wheel(-0.0045, yaw, v=v))
        normal, _ = pressed(numbers, wheel(-0.0045, yaw, v=np.zeros(6)))
        assert (rubbed.wrench - normal.wrench) @ v <= 0.0
        assert record[BESIDE.friction_force] <= MU * record[BESIDE.normal_force] * (1.0 + 1e-12)
    rolling, record = pressed(numbers, wheel(-0.0045, -0.015))  # the leading end comes down, friction lifts the wheel
    lifted = rolling.wrench[2] / record[BESIDE.normal_force]
    assert record[BESIDE.lead] > 0.1 and 0.9 * MU < lifted <= MU + 0.015 * R0 / 0.12


def test_a_flare_opens_the_ends():
    """30 mm over 3 m: at half the flare 15 mm, at the flange back's leading end, not at the axle."""
    numbers, y, yaw = laid(), 0.0, -0.01
    inside, place, normal = touch(numbers, 0, wheel(y, yaw), 1.0)
    for at in (1.5, 48.5):
        motion = wheel(y, yaw, at=at - place[0])
        found, _, leaning = touch(numbers, 0, motion, 1.0)
        assert inside / normal[1] - found / leaning[1] == pytest.approx(0.015, abs=1e-12)
        assert abs(leaning[0] / leaning[1]) == pytest.approx(0.01)
        assert pressed(numbers, motion)[1][BESIDE.gap] == pytest.approx(-found)
    assert math.isnan(pressed(numbers, wheel(y, yaw, at=-1.0))[1][BESIDE.gap])


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"end_m": 5.0}, "end_m must be start_m . 2 flare_length_m = 6 or more, got 5"),
        ({"flangeway_mm": 30.0}, "flangeway_mm must be 32.5 or more for a wheel to pass, got 30"),
        ({"height_mm": -10.0}, "height_mm - edge_radius_mm must be above -9.0, .* got -23"),
    ],
)
def test_what_no_wheel_can_pass_is_refused(more, words):
    with pytest.raises(ScenarioError, match=f"track.check_rail.0.{words}"):
        laid(**more)


TEXT = """[run]
speed_kmh = 18.0
start_position_m = 1.0
end_position_m = {end}
step_s = 1e-3
output_step_s = 0.01
[vehicle]
file = "free_wheelset"
[track]
model = "rigid"
layout = [
    {{ kind = "straight", length_m = 3.0 }},
    {{ kind = "transition", length_m = 5.0 }},
    {{ kind = "arc", length_m = 100.0, radius_m = {radius} }},
]
{more}
[irregularity]
spectrum = "none"
roughness = "none"
"""
CHECKED = """[[track.check_rail]]
side = "right"
start_m = 2.0
end_m = 60.0
flangeway_mm = 41.0
height_mm = 20.0
edge_radius_mm = 13.0
flare_length_m = 2.0
flare_opening_mm = 30.0
stiffness_n_m = 5e7
"""


def run_of(folder, more, end=20.0, radius=-150.0):
    path = folder / "s.toml"
    path.write_text(TEXT.format(more=more, end=end, radius=radius))
    return run_scenario(read_scenario(path))


def test_a_check_rail_guides_a_wheelset_in_a_curve_of_150_m(tmp_path):
    """The outer flange is relieved, the track's force on the wheelset is the same: that of its acceleration."""
    plain, checked = run_of(tmp_path, ""), run_of(tmp_path, CHECKED)
    assert checked.attrs["complete"] and not any(name.startswith("check_rail") for name in plain.data_vars)
    for run in (plain, checked):
        force = run.contact_force.sel(axis="y").sum("wheel").values
        speed, aside = run.body_velocity.sel(path="s").values[:, 0], run.body_acceleration.sel(path="y").values[:, 0]
        inertia = 1150.0 * (aside[-1] - speed[-1] ** 2 / 150.0)  # mass of the vehicle's file
        assert force[-1] == pytest.approx(inertia, rel=2e-3)  # y of the wheelset against the radius: 4e-5
    relieved, load = (run.wheel_force.sel(wheel="wheelset left", force="Y").values[-1] for run in (checked, plain))
    assert relieved < 0.0 < load
    # the force on the wheel is that of its patches and of the check rail
    right, last = checked.sel(wheel="wheelset right"), -1
    angle, normal = right.patch_contact_angle.values[last], right.patch_normal_force.values[last]
    patches = np.nansum(np.sin(angle) * normal - np.cos(angle) * right.patch_creep_force_y.values[last])
    beside = right.check_rail_force.sel(axis="y").values[last]
    assert right.contact_force.sel(axis="y").values[last] == pytest.approx(beside + patches, abs=1.0)
    assert beside < -1000.0 and right.check_rail_gap.values[last] < 0.0 and right.check_rail_lead.values[last] > 0.1
    assert np.isnan(checked.check_rail_gap.sel(wheel="wheelset left")).all()


def test_a_curve_to_the_left_is_the_mirror_of_one_to_the_right(tmp_path):
    right, left = run_of(tmp_path, CHECKED, 8.0), run_of(tmp_path, CHECKED.replace('"right"', '"left"'), 8.0, 150.0)
    ours, theirs = right.sel(wheel="wheelset right"), left.sel(wheel="wheelset left")
    assert float(ours.check_rail_normal_force.max()) > 1000.0
    largest = float(np.abs(ours.wheel_force).max())
    for name in ("check_rail_force", "contact_force"):
        mirrored = theirs[name].values * [1.0, -1.0, 1.0]
        np.testing.assert_allclose(ours[name].values, mirrored, atol=1e-5 * largest)
    for name in ("check_rail_gap", "check_rail_lead"):  # in the curve; a flange back parallel to the face lies anywhere
        np.testing.assert_allclose(ours[name].values[60:], theirs[name].values[60:], atol=1e-7)


def test_at_rest_a_check_rail_holds_what_pushes_a_wheelset_against_it(tmp_path):
    """On cant at walking pace the wheelset slides inward, to the check rail at the outer rail: weight in the slope."""
    path = tmp_path / "s.toml"
    canted = TEXT.format(more=CHECKED.replace('"right"', '"left"'), end=21.0, radius="-150.0, cant_mm = 150.0")
    canted = canted.replace("speed_kmh = 18.0", "speed_kmh = 1.0")
    path.write_text(canted.replace("position_m = 1.0", "position_m = 20.0"))
    s = build_simulation(read_scenario(path), {})
    slope = s.work.track.rotation[0, 2, 1]  # of the track's y axis, which the wheelset would slide down
    push = 1150.0 * (GRAVITY * slope - math.sqrt(1.0 - slope**2) / 3.6**2 / 150.0)
    held = s.work.beside[0, 0, BESIDE.y]
    for side, sign in enumerate((-1.0, 1.0)):
        for row in s.work.patches[0, side, : s.work.patch_count[0, side]]:
            held += sign * math.sin(row[PATCH.contact_angle]) * row[PATCH.normal_force]
    assert s.work.beside[0, 0, BESIDE.y] > 0.5 * push and s.work.beside[0, 0, BESIDE.gap] < 0.0
    assert held == pytest.approx(push, abs=1.0)  # the equilibrium's own limit is 1 mN an equation
