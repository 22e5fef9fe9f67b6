"""Friction by a table: closed forms over place, rail and region, creep curves of Polach 2005, broken files."""

import math
from unittest.mock import MagicMock

import numpy as np
import pytest

from flexwheel.assess import linear_analysis
from flexwheel.assess.linear_analysis import of_the_start
from flexwheel.assess.linearise import LinearModel
from flexwheel.base.errors import ScenarioError
from flexwheel.base.shipped import EXAMPLES, TRACK
from flexwheel.contact.friction.law import Sliding
from flexwheel.contact.kalker_coefficients import kalker_coefficients
from flexwheel.extensions.friction.friction_table import TABLE, read_friction
from flexwheel.extensions.tangential_laws.polach import polach
from flexwheel.run.build.build_contact import build_contacts, largest_friction, placed_profiles
from flexwheel.run.keys.reader import read_scenario

ANGLES = [20.0, 45.0]


def sliding(w, place=0.0, angle=0.0):
    return Sliding(w, 22.0, 1e5, 1e-4, 0.0, place, angle)


def falls(mu, ratio, decay, w):
    """mu ((1 - A) exp(-B w) + A), and its derivative."""
    fall = mu * (1.0 - ratio) * math.exp(-decay * w)
    return fall + mu * ratio, -decay * fall


TABLE_TEXT = """# wet, sanded from 200 to 260 m; gauge face of the right rail lubricated
place_m,rail,region,friction,limit_ratio,decay_s_m
199,,,0.30,0.4,0.2
200,,,0.55,0.4,0.6
260,,,0.55,0.4,0.6
261,,,0.30,0.4,0.2
10,right,gauge_face,0.10,,
20,right,gauge_face,0.20,,
0,right,top,0.40,,
"""


@pytest.mark.parametrize(
    ("side", "place", "angle", "wanted"),
    [
        (0, -5.0, 0.0, (0.3, 0.4, 0.2)), (0, 230.0, 1.2, (0.55, 0.4, 0.6)), (0, 1e4, 0.0, (0.3, 0.4, 0.2)),
        (1, 0.0, 0.0, (0.4, 1.0, 0.0)), (1, 15.0, 1.2, (0.15, 1.0, 0.0)), (1, 17.5, 1.2, (0.175, 1.0, 0.0)),
        (1, 99.0, 1.2, (0.2, 1.0, 0.0)),
    ],
)  # fmt: skip
def test_table_over_place_rail_and_region(tmp_path, side, place, angle, wanted):
    (tmp_path / "friction.csv").write_text(TABLE_TEXT)
    numbers = np.append(ANGLES, read_friction(tmp_path / "friction.csv")[side])
    for w in (0.0, 1.3):
        assert TABLE.coefficient(9.9, numbers, sliding(w, place, angle)) == pytest.approx(falls(*wanted, w), rel=1e-12)
    halfway = TABLE.coefficient(
        9.9, np.append(ANGLES, read_friction(tmp_path / "friction.csv")[0]), sliding(1.3, 199.5)
    )
    means = (np.array(falls(0.3, 0.4, 0.2, 1.3)) + falls(0.55, 0.4, 0.6, 1.3)) / 2.0
    assert halfway == pytest.approx(means, rel=1e-12)


def test_each_rail_of_a_run_has_its_own_friction(tmp_path):
    (tmp_path / "own.csv").write_text("rail,friction\nleft,0.2\nright,0.4\n")
    keys = ["contact.friction_law=table", f"contact.friction_file={tmp_path / 'own.csv'}"]
    section = read_scenario(EXAMPLES / "manchester_s_curve.toml", keys).contact
    profiles = placed_profiles(section, {"radius_m": 0.46})
    left, right = build_contacts(section, (profiles, profiles))
    for tables, mu in ((left, 0.2), (right, 0.4)):
        assert TABLE.coefficient(9.9, tables.friction_law.numbers, sliding(1.0)) == (mu, 0.0)
    assert largest_friction(section) == 0.4


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("mu\n0.3\n", r":1: the header must name friction, and any of place_m, rail"),
        ("friction\nwet\n", r":2: friction must be 0 to 1\.5, got 'wet'"),
        ("friction,place_m\n0.3\n", ":2 must have 2 cells, as the header, got 1"),
        ("friction,place_m\n0.3,5\n0.2,5\n", "place_m must rise, of rail left, region top"),
        ("friction,rail\n0.3,outer\n", ":2: rail must be left or right or empty, got 'outer'"),
        ("friction,rail\n0.3,left\n", "must have a line for rail right, region top, or one without"),
    ],
)
def test_broken_tables_are_refused(tmp_path, text, told):
    (tmp_path / "friction.csv").write_text(text)
    with pytest.raises(ScenarioError, match=told):
        read_friction(tmp_path / "friction.csv")


def test_creep_curves_of_dry_and_wet_rail():
    """Polach 2005, equations (2), (3), (5): f = 2 mu/pi (kA e/(1 + (kA e)^2) + atan(kS e)), e = C pi a^2 b s/(4 mu Q),
    C = G c11/a, mu of the sliding velocity; the parameters of track/friction. Wet rail: optimum later and lower."""
    a, b, load, speed, best = 6e-3, 4e-3, 1e5, 10.0, []
    c11 = kalker_coefficients(a / b, 0.28)[0]
    for name, (k_a, k_s) in {"dry": (1.0, 0.4), "wet": (0.3, 0.1)}.items():
        rows, peaks = read_friction(TRACK / "friction" / f"{name}.csv")[0], []
        mu0, ratio, decay = rows[0, 1:4]
        for slip in np.geomspace(1e-4, 0.5, 40):
            mu = mu0 * ((1.0 - ratio) * math.exp(-decay * slip * speed) + ratio)
            e = 82e9 * c11 * math.pi * a * b * slip / (4.0 * mu * load)
            force = 2.0 * mu * load / math.pi * (k_a * e / (1.0 + (k_a * e) ** 2) + math.atan(k_s * e))
            own, _ = TABLE.coefficient(9.9, np.append(ANGLES, rows), sliding(slip * speed))
            factors = {"k_adhesion": k_a, "k_slip": k_s}
            assert polach(a, b, load, own, (-slip, 0.0, 0.0), **factors)[0] == pytest.approx(force, rel=1e-12)
            peaks.append((force, slip))
        best.append(max(peaks))
    (dry, early), (wet, late) = best
    assert wet < dry and late > early


def test_a_linear_analysis_says_that_friction_is_that_of_the_start(monkeypatch):
    def scenario(*more):
        return read_scenario(EXAMPLES / "manchester_car_body.toml", more)

    table = "contact.friction_law=table"
    assert not of_the_start(scenario()) and not of_the_start(scenario(table, "contact.friction_file=dry.csv"))
    changes = scenario(table, "contact.friction_file=wet_sanded_lubricated.csv", "run.start_position_m=150.0")
    for name in ("build_simulation", "static_rail_compliance", "static_equilibrium"):
        monkeypatch.setattr(linear_analysis, name, MagicMock())
    found = LinearModel(16.0, *[np.zeros((0, 0))] * 7, warnings=("a kink",))
    monkeypatch.setattr(linear_analysis, "linearise", lambda *_: found)
    first, said = linear_analysis.running_at(changes, {}, "sticking")(16.0).warnings
    assert first == "a kink" and "friction changes along the track" in said and "s = 150 m" in said
