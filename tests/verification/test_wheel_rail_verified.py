"""One wheel on one rail against the Manchester contact benchmark A-2.2 (Shackleton and Iwnicki 2006, CONTACT)."""

import numpy as np
import pytest

from flexwheel.assess.static_contact import static_contact
from flexwheel.base.errors import ScenarioError
from flexwheel.base.variables import PATCH
from flexwheel.contact.contact_tables import make_contact_result, make_contact_scratch, make_contact_tables
from flexwheel.contact.profiles.placement import place
from flexwheel.contact.profiles.rail_60e1 import rail_60e1, rail_uic60_manchester
from flexwheel.contact.profiles.s1002 import s1002, s1002_height
from flexwheel.contact.wheel_rail import (
    FLANGE_CLIMB,
    NOT_FINITE,
    OFF_PROFILE,
    OK,
    WheelMotion,
    wheel_rail_contact,
)
from flexwheel.numerics.kernels import handle
from flexwheel.verification.reference_rows import reference_rows

R0 = 0.46
SPEED = 2.0  # m/s


def _contact(tables, d, v=None, gap_rate=(0.0, 0.0, 0.0), speed=SPEED):
    """Status, wrench, patches and both tangents at one pose."""
    result = make_contact_result()
    v = np.array([0.0, 0.0, 0.0, 0.0, speed / R0, 0.0]) if v is None else np.asarray(v, float)
    motion = WheelMotion(np.asarray(d, float), v, np.array(gap_rate), speed)
    status, count = wheel_rail_contact(handle(tables), R0, motion, handle(make_contact_scratch(tables)), handle(result))
    return status, result.wrench, result.patches[:count], result.jac_d, result.jac_v


def _column(patches, name):
    return patches[:, PATCH._fields.index(name)]


@pytest.fixture(scope="module")
def manchester():
    rail = rail_uic60_manchester(1 / 40)
    at = place(rail, gauge=1.435, flange_back=1.360, radius=R0)
    return at, make_contact_tables(s1002(), rail, at, strips=24, friction=0.30, shear_modulus=82e9, poisson=0.28)


def _benchmark(row, at, tables):
    """Largest patch of one benchmark position, at the height that carries the benchmark's load.

    Turning the axes about x by half a turn brings y right, z down to y left, z up: y, z and yaw change sign.
    """
    roll, yaw, spin = row["roll_rad"], -row["yaw_rad"], -row["vpitch_rad_s"]
    cr, sr, cy, sy = np.cos(roll), np.sin(roll), np.cos(yaw), np.sin(yaw)
    turn = np.array([[cy, -sy, 0.0], [sy, cy, 0.0], [0.0, 0.0, 1.0]]) @ np.array(
        [[1.0, 0.0, 0.0], [0.0, cr, -sr], [0.0, sr, cr]]
    )
    arm = turn @ [0.0, at.wheel_y, -R0]
    omega = turn @ [0.0, spin, 0.0]
    centre = np.array([0.0, -1e-3 * row["y_ws_mm"], R0 - 1e-3 * row["z_ws_mm"]])
    v = np.concatenate([[SPEED, 0.0, 0.0] + np.cross(omega, arm), omega])
    d = np.array([0.0, centre[1] + arm[1] - at.wheel_y, 0.0, roll, 0.0, yaw])
    low, high = centre[2] + arm[2] - 3e-4, centre[2] + arm[2] + 3e-4
    for _ in range(40):
        d[2] = 0.5 * (low + high)
        _, wrench, patches, _, _ = _contact(tables, d, v)
        low, high = (low, d[2]) if wrench[2] < row["Fz_tr_N"] else (d[2], high)
    patch = patches[np.argmax(_column(patches, "normal_force"))]
    return dict(zip(PATCH._fields, patch, strict=True)), arm[0]


def test_benchmark_left_wheel(manchester):
    at, tables = manchester
    force_errors = []
    for row in reference_rows("manchester_a22_left.csv"):
        patch, x_origin = _benchmark(row, at, tables)
        scale = row["FN_N"] * 0.30
        force_errors.append(max(abs(patch["force_x"] + row["FX_N"]), abs(patch["force_y"] - row["FS_N"])) / scale)
        if row["case"] == 1:
            continue  # centred: a wide flat patch, here two regions
        assert 1e3 * (patch["x_contact"] + x_origin) == pytest.approx(row["x_cp_tr_mm"], abs=0.3)
        assert 1e3 * (patch["y_rail"] + at.rail_y) == pytest.approx(-row["y_cp_tr_mm"], abs=0.3)
        assert patch["contact_angle"] == pytest.approx(row["delta_rad"], abs=1e-3)
        assert patch["xi"] == pytest.approx(-row["cksi"], rel=0.01, abs=1e-5)
        assert patch["eta"] == pytest.approx(row["ceta"], rel=0.01, abs=1e-6)
        assert patch["phi"] == pytest.approx(1e3 * row["cphi_1_mm"], rel=0.01)
        assert patch["normal_force"] == pytest.approx(row["FN_N"], rel=1e-3)
    force_errors = np.array(force_errors)
    assert np.sum(force_errors < 0.05) >= 18  # mu N
    assert force_errors.max() < 0.10


def test_contact_leads_on_a_yawed_wheel(manchester):
    _, tables = manchester
    _, _, patches = static_contact(tables, R0, 20e3, lateral_shift=6.8e-3, yaw=-0.024)
    steep = np.argmax(patches["contact_angle"])
    angle = patches["contact_angle"][steep]
    eta = patches["y_wheel"][steep]
    radius = R0 + s1002_height(eta)
    # the wheel's normal has no component along the rail at x = r tan(delta) tan(yaw), in wheel axes
    lead = radius * np.tan(angle) * np.tan(-0.024) - np.sin(-0.024) * eta
    assert abs(angle) > 1.0
    assert patches["x_contact"][steep] == pytest.approx(lead, rel=0.02)


def test_pure_rolling_leaves_spin_and_what_the_rolling_radius_adds(manchester):
    _, tables = manchester
    _, _, patches, _, _ = _contact(tables, [0, -4e-3, -2.6e-4, 0, 0, 0])
    taken = -s1002_height(_column(patches, "y_wheel")[0]) / R0  # (v - omega r)/v at the radius R0 + height
    assert _column(patches, "xi")[0] == pytest.approx(taken, rel=0.01)  # mean height of the patch: 2 um of 230
    angle = _column(patches, "contact_angle")[0]
    np.testing.assert_allclose(_column(patches, "phi")[0], -np.sin(angle) / R0, rtol=1e-3)
    assert _column(patches, "eta")[0] == pytest.approx(0.0, abs=1e-12)


def test_lifted_wheel_feels_nothing(manchester):
    _, tables = manchester
    status, wrench, patches, jac_d, jac_v = _contact(tables, [0, 0, 1e-3, 0, 0, 0])
    assert status == OK and len(patches) == 0
    assert not np.any(wrench) and not np.any(jac_d) and not np.any(jac_v)


def test_status_of_a_lost_wheel(manchester):
    _, tables = manchester
    assert _contact(tables, [0, 0.035, 0.0255, 0, 0, 0])[0] == FLANGE_CLIMB
    assert _contact(tables, [0, 0.12, -0.01, 0, 0, 0])[0] == OFF_PROFILE
    assert _contact(tables, [0, np.nan, 0, 0, 0, 0])[0] == NOT_FINITE


@pytest.mark.parametrize("d", [[0, -4e-3, -3e-4, 0, 0, 0.002], [0, 3e-3, -5e-5, 0.001, 0, 0.003]])
def test_normal_tangent_is_the_derivative(d):
    rail = rail_60e1(1 / 40)
    tables = make_contact_tables(s1002(), rail, place(rail), friction=0.0)
    _, _, _, jac_d, _ = _contact(tables, d)
    for axis in (1, 2):
        step = np.zeros(6)
        step[axis] = 1e-8
        numerical = (_contact(tables, d + step)[1] - _contact(tables, d - step)[1]) / 2e-8
        # 10 %: the tangent keeps the patch's place and shape
        assert jac_d[2, axis] == pytest.approx(numerical[2], rel=0.10)


def test_normal_damping_resists_approach_and_never_pulls():
    rail = rail_60e1(1 / 40)
    d = [0, 0, -2.6e-4, 0, 0, 0]
    damped = make_contact_tables(s1002(), rail, place(rail), friction=0.0, normal_damping=1e5)
    rest = _contact(damped, d)[1][2]
    status, wrench, _, _, jac_v = _contact(damped, d, gap_rate=(0.0, -0.05, 0.0))
    assert status == OK
    force = wrench[2]
    share = rest / (rest + 1000.0)
    assert force - rest == pytest.approx(1e5 * 0.05 * share, rel=0.01)
    assert jac_v[2, 2] == pytest.approx(-1e5 * share, rel=0.01)
    assert _contact(damped, d, gap_rate=(0.0, 10.0, 0.0))[1][2] == 0.0


@pytest.mark.parametrize(
    ("option", "value"),
    [("normal_law", "boussinesq"), ("tangential_law", "heuristic"), ("bound", "round"), ("friction", -0.1)],
)
def test_unknown_options_are_named(option, value):
    rail = rail_60e1(1 / 40)
    with pytest.raises(ScenarioError, match=option):
        make_contact_tables(s1002(), rail, place(rail), **{option: value})


def test_swapped_profiles_are_refused():
    rail = rail_60e1(1 / 40)
    with pytest.raises(ScenarioError, match="must be a wheel and a rail"):
        make_contact_tables(rail, s1002(), place(rail))


@pytest.mark.parametrize(
    ("law", "fine", "most"),
    [("semi_hertzian", 200, (0.003, 0.005)), ("balanced_strips", 32, (0.03, 0.03))],  # the latter: accepted of a run
)
def test_default_strips_and_cells_are_near_a_fine_grid(law, fine, most):
    """Load of each patch, and creep force over mu N, beside those of a fine grid; medians half of that. Of strips that
    feel all others, over the wheel's load.

    Poses of the AS4 in a curve of 300 m, tread and flange, with creepages from adhesion to sliding.
    """
    rail, random = rail_60e1(1 / 40), np.random.default_rng(18)
    makers = [
        make_contact_tables(s1002(), rail, place(rail), normal_law=law, **grid)
        for grid in ({}, dict(strips=fine, cells=200))
    ]
    curve = [
        (-11.908, -0.406, 0.4, -15.1),
        (6.482, 0.514, -3.7, 14.9),
        (6.22, 0.466, -1.6, 7.6),
        (-8.2, -0.491, 7.2, -7.6),
    ]
    errors = []
    for k in range(60):
        y, z, roll, yaw = 1e-3 * (np.array(curve[k % 4]) + random.uniform(-1.0, 1.0, 4) * [0.05, 0.02, 0.2, 0.5])
        slip = 22.0 * random.choice([-1.0, 1.0], 2) * 10 ** random.uniform(-4.0, -2.0, 2)
        v = np.array([*slip, 0.0, 0.0, 22.0 / R0, 0.0])
        own, fine = (_contact(tables, [0.0, y, z, roll, 0.0, yaw], v, speed=22.0)[2] for tables in makers)
        assert len(own) == len(fine) > 0
        load = _column(fine, "normal_force")
        scale = load if law == "semi_hertzian" else load.sum()
        apart = np.hypot(*(_column(own, name) - _column(fine, name) for name in ("force_x", "force_y")))
        errors.append(
            np.stack([np.abs(_column(own, "normal_force") - load) / scale, apart / (0.4 * scale)])[:, load > 1e3]
        )
    errors = np.concatenate(errors, axis=1)
    assert errors.shape[1] > 60
    assert np.all(errors.max(axis=1) < most)
    assert np.all(np.median(errors, axis=1) < np.divide(most, 2.0))
