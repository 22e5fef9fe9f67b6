"""Semi-Hertzian normal contact against Hertz (closed form, Johnson 1985), the closed form of plain virtual
penetration, and exact half-space solutions of S1002 on UIC60 (solver CONTACT)."""

import numpy as np
import pytest

from flexwheel.assess.static_contact import static_contact
from flexwheel.base.variables import PATCH
from flexwheel.contact.contact_tables import make_contact_result, make_contact_scratch, make_contact_tables
from flexwheel.contact.profiles.placement import Placement, place
from flexwheel.contact.profiles.profile import Profile
from flexwheel.contact.profiles.rail_60e1 import rail_60e1, rail_uic60_manchester
from flexwheel.contact.profiles.s1002 import s1002
from flexwheel.contact.wheel_rail import WheelMotion, wheel_rail_contact
from flexwheel.numerics.kernels import handle
from flexwheel.verification.contact_laws import normal_contact_table
from flexwheel.verification.reference_rows import reference_rows
from tests.hertz_contact import solve

R0 = 0.46
A = 0.5 / R0
CLOSED_FORM = reference_rows("kp_vs_hertz_closed_form.csv")


def _parabola(kind, curvature):
    """A profile of height -curvature y^2."""
    y = np.linspace(-0.045, 0.045, 1801)
    slope = -2.0 * curvature * y
    return Profile("parabola", kind, y, -curvature * y**2, slope, -2.0 * curvature / (1.0 + slope**2) ** 1.5)


def _contact(B, approach, **options):
    """First patch and normal load of a cylinder on a parabolic rail, B = lateral coefficient."""
    placement = Placement(rail_y=0.75, wheel_y=0.75, radius=R0)
    tables = make_contact_tables(_parabola("wheel", 0.0), _parabola("rail", B), placement, friction=0.0, **options)
    motion = WheelMotion(np.array([0.0, 0.0, -approach, 0.0, 0.0, 0.0]), np.zeros(6), np.zeros(3), 1.0)
    result = make_contact_result()
    scratch = handle(make_contact_scratch(tables))
    assert wheel_rail_contact(handle(tables), R0, motion, scratch, handle(result)) == (0, 1)
    return dict(zip(PATCH._fields, result.patches[0], strict=True)), result.wrench[2], tables.normal.contact_modulus


def _hertz(B, approach, modulus):
    """Contact of Hertz at an approach."""
    return solve(A, B, (approach / solve(A, B, 1.0, modulus).approach) ** 1.5, modulus)


@pytest.mark.parametrize("row", CLOSED_FORM, ids=lambda r: f"{r['hertz_a_over_b']}-{r['epsilon']}")
def test_plain_virtual_penetration(row):
    B, approach = A / row["A_over_B"], 2e-5
    got, load, modulus = _contact(
        B, approach, normal_law="plain_kp", normal_keys={"epsilon": row["epsilon"]}, strips=80
    )
    hertz = _hertz(B, approach, modulus)
    ratios = [
        got["half_length"] / hertz.a,
        got["half_width"] / hertz.b,
        got["area"] / hertz.area,
        got["peak_pressure"] / hertz.peak_pressure,
        load / hertz.load,
    ]
    names = ("a_KP_over_a_H", "b_KP_over_b_H", "area_ratio", "p0_ratio", "N_ratio_at_equal_approach")
    np.testing.assert_allclose(ratios, [row[name] for name in names], rtol=5e-3)


@pytest.mark.parametrize("a_over_b", [0.1, 0.2, 0.5, 0.8, 1.0, 1.5, 3.0, 6.0, 10.0])
@pytest.mark.parametrize("model", ["semi_hertzian", "hertz"])
def test_shape_correction_is_hertz(a_over_b, model):
    ratio = next(row["A_over_B"] for row in _ratios() if row["a_over_b"] == a_over_b)
    B, approach = A / ratio, 3e-5
    got, load, modulus = _contact(B, approach, normal_law=model)
    hertz = _hertz(B, approach, modulus)
    np.testing.assert_allclose(load, hertz.load, rtol=0.02)
    np.testing.assert_allclose(got["peak_pressure"], hertz.peak_pressure, rtol=0.02)
    np.testing.assert_allclose(got["area"], hertz.area, rtol=0.02)
    np.testing.assert_allclose([got["half_length"], got["half_width"]], [hertz.a, hertz.b], rtol=0.02)


def _ratios():
    """A/B of chosen axis ratios, from the exact solution."""
    from scipy.optimize import brentq

    from flexwheel.contact.hertz import zone_factors

    for a_over_b in (0.1, 0.2, 0.5, 0.8, 1.0, 1.5, 3.0, 6.0, 10.0):
        log = brentq(lambda t, g=a_over_b: np.log(zone_factors(np.exp(t))[2] / g), -8.0, 8.0, xtol=1e-12)
        yield {"a_over_b": a_over_b, "A_over_B": np.exp(log)}


@pytest.fixture(scope="module")
def table():
    return normal_contact_table("normal_contact_full.csv")


def test_every_reference_row_is_tabulated(table):
    assert len(table) == len(reference_rows("normal_contact_full.csv"))


def test_single_regions_against_the_exact_solution(table):
    single = [row for row in table if row["regions"] == 1]
    assert len(single) > 60
    for name in ("peak_pressure_ratio", "area_ratio", "approach_ratio"):
        error = np.abs(np.array([row[name] for row in single]) - 1.0)
        assert np.median(error) < 0.05, name
        assert np.mean(error < 0.15) >= 0.90, name


def test_placement_by_contact_positions(table):
    # 0.3 mm: half the reference's grid plus the shift of a load centre; wide flat patches (0 to 2 mm) left out
    ordinary = [r for r in table if r["regions"] == r["patches"] == 1 and not -0.5 < r["shift_mm"] < 2.5]
    assert len(ordinary) > 40
    assert max(abs(row["position_error_mm"]) for row in ordinary) < 0.3
    assert max(abs(row["height_error_um"]) for row in ordinary if row["shift_mm"] < 6.8) < 1.5


# lateral shift [mm], load of the tread and of the gauge-corner region [N], CONTACT, 20 kN on UIC60 (Manchester)
TWO_REGIONS = [(5.0, 14259, 5979), (5.1, 9098, 11364), (5.2, 3788, 17008), (5.3, 29, 20943)]


@pytest.mark.parametrize(("shift_mm", "tread", "corner"), TWO_REGIONS)
def test_two_regions_share_the_load(shift_mm, tread, corner):
    rail = rail_uic60_manchester(1 / 40)
    tables = make_contact_tables(s1002(), rail, place(rail))
    _, _, patches = static_contact(tables, R0, 20e3, lateral_shift=1e-3 * shift_mm)
    load = patches["normal_force"]  # from the flange to the field side
    assert load.size == 2 or tread < 0.002 * corner
    assert load[1:].sum() / load.sum() == pytest.approx(tread / (tread + corner), abs=0.01)  # of the load: CONTACT


def test_three_patches_never_lose_load_where_regions_merge():
    # while two regions merge, both readings stand in the record; their shares add up to one
    rail = rail_60e1(1 / 40)
    tables = make_contact_tables(s1002(), rail, place(rail))
    _, wrench, patches = static_contact(tables, R0, 20e3, lateral_shift=0.0)
    if patches["normal_force"].size == 3:
        assert patches["share"][0] + patches["share"][1] == pytest.approx(1.0, abs=1e-12)
    vertical = np.sum(patches["normal_force"] * np.cos(patches["contact_angle"]))
    assert vertical == pytest.approx(wrench[2], rel=1e-12)
