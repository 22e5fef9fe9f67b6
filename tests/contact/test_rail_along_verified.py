"""Rails that change along the track: a crossing against its exact geometry in three dimensions, and a ramp.

The crossing is made here: nose and wing rail are rounded heads of known heights. The exact wheel is one of revolution;
its first touch is searched over both directions on heights that no code of the package has made.
"""

import numpy as np
import pytest

from flexwheel.base.errors import ScenarioError
from flexwheel.base.variables import PATCH
from flexwheel.contact.contact_tables import make_contact_result, make_contact_scratch
from flexwheel.contact.gap import CELL, FAR
from flexwheel.contact.profiles.s1002 import s1002
from flexwheel.contact.rail_along import lay_at
from flexwheel.contact.wheel_rail import WheelMotion, wheel_rail_contact
from flexwheel.numerics.kernels import handle
from flexwheel.run.build.build_contact import build_contacts, placed_profiles, profiles_of_wheels
from flexwheel.run.keys.reader import parse_scenario

RADIUS, HALF_GAUGE, DATUM = 0.46, 0.7175, 0.75
WHEEL = {"radius_m": RADIUS, "flange_back_m": 1.36}
STATIONS = np.arange(0.0, 1.01, 0.1)  # [m] of the crossing
FRICTIONLESS = "friction = 0.0\n"


def head(y, middle, half):
    """Height [m] of a head over its crown: rounded, with rolled edges; nan beside it."""
    u = np.abs(y - middle)
    edge = np.maximum(u - (half - 0.010), 0.0)
    return np.where(u <= half + 1e-9, -(u**2) / 0.6 - edge**2 / 0.008, np.nan)


def nose_height(s):
    """The nose rises from 12 mm below the running surface by 1:50."""
    return np.minimum(-0.012 + s / 50.0, 0.0)


def wing_height(s):
    """The wing rail stands higher for the wheel's cone, and falls away by 1:60."""
    return 0.0025 - np.maximum(s - 0.3, 0.0) / 60.0


HEADS = ((0.024, 0.020, nose_height), (0.078, 0.022, wing_height))


def write_crossing(folder):
    """Files of the sections, y from the running edge, z down, in mm; names by station."""
    names = []
    for k, s in enumerate(STATIONS):
        rows = []
        for middle, half, crown in HEADS:
            y = middle + half * np.linspace(-1.0, 1.0, 201)
            z = -(head(y, middle, half) + crown(s))
            rows += [(y[0] - 0.0005, 0.040), *zip(y, z, strict=True), (y[-1] + 0.0005, 0.040)]
        names.append(folder / f"section_{k}.csv")
        names[-1].write_text("".join(f"{1e3 * a:.6f},{1e3 * b:.6f}\n" for a, b in rows))
    return names


def stations(side, rows):
    return "".join(f"[[contact.along]]\nrail = '{side}'\nat_m = {s:g}\n{more}" for s, more in rows)


def contact_keys(text):
    return parse_scenario("[run]\nduration_s = 0.1\nspeed_kmh = 36.0\n[contact]\n" + text).contact


def left_tables(text):
    """ContactTables of the left wheel."""
    section = contact_keys(text)
    common = placed_profiles(section, WHEEL)
    return build_contacts(section, profiles_of_wheels(section, WHEEL, common, ["front"]))[0], common.placement


@pytest.fixture(scope="module")
def crossing(tmp_path_factory):
    names = write_crossing(tmp_path_factory.mktemp("crossing"))
    rows = [(10.0 + s, f"profile = '{name}'\ndatum = 'file'\n") for s, name in zip(STATIONS, names, strict=True)]
    return left_tables(FRICTIONLESS + stations("left", rows))


def exact_height(s, shift):
    """Height of the wheel's profile origin [m] over z = 0 at its first touch, shifted across the track [m]."""
    wheel, x = s1002(), np.arange(-0.09, 0.09, 2.5e-4)
    touch = -1.0
    for middle, half, crown in HEADS:
        y = middle + half * np.linspace(-1.0, 1.0, 401)
        eta = y + HALF_GAUGE - DATUM - shift
        radius = RADIUS + np.interp(eta, wheel.y, wheel.height, left=-1.0, right=-1.0)
        here = radius > 0.3
        bottom = np.sqrt(radius[here, None] ** 2 - x**2) - RADIUS  # below the profile origin
        along = np.interp(s + x, STATIONS, crown(STATIONS))
        touch = max(touch, np.max(head(y, middle, half)[here, None] + along + bottom))
    return touch


def law_of(tables):
    """(pose (6,), speed) -> number of patches and ContactResult, by the law of a run."""
    kept = make_contact_result()
    given, scratch, result = handle(tables), handle(make_contact_scratch(tables)), handle(kept)

    def law(pose, speed=0.0):
        motion = WheelMotion(np.asarray(pose, float), np.zeros(6), np.zeros(3), speed)
        status, count = wheel_rail_contact(given, RADIUS, motion, scratch, result)
        assert status == 0
        return count, kept

    return law


def test_path_over_nose_and_wing(crossing):
    """Vertical path of the first touch: 0.05 mm, the limit of the task; the wheel changes from wing to nose."""
    tables, placement = crossing
    law, on = law_of(tables), set()
    for shift in (0.0, 0.004):
        for s in np.linspace(-0.05, 1.05, 23):
            lay_at(tables, 10.0 + s)
            apart, touching = 0.02, -0.02
            while apart - touching > 1e-7:
                middle = 0.5 * (apart + touching)
                count, found = law([0.0, shift, middle, 0.0, 0.0, 0.0])
                apart, touching = (apart, middle) if count else (middle, touching)
            _, found = law([0.0, shift, touching - 1e-6, 0.0, 0.0, 0.0])
            assert touching == pytest.approx(exact_height(s, shift), abs=5e-5), (s, shift)
            on.add("nose" if found.patches[0, PATCH.y_rail] + placement.rail_y - HALF_GAUGE < 0.050 else "wing")
    assert on == {"nose", "wing"}


def test_heads_do_not_overshoot(crossing):
    """No rail in the flangeway, and nothing above the higher of two neighbours, wherever the rail is laid."""
    tables, placement = crossing
    for s in (10.0, 10.001, 10.05, 10.43, 11.0):
        lay_at(tables, s)
        rail, t = tables.pair.rail, np.linspace(0.0, 1.0, 9)[:, None]
        step = 1.0 / tables.pair.inverse_step
        c1 = step * rail[:, CELL.slope]
        height = rail[:, CELL.height] + t * (c1 + t * (rail[:, CELL.c2] + t * rail[:, CELL.c3]))
        # way aside of the foot of a normal, per height over the rail; 1/2 is the largest of any slope
        slope = (c1 + t * (2.0 * rail[:, CELL.c2] + 3.0 * t * rail[:, CELL.c3])) / step
        aside = np.abs(slope) * (rail[:, CELL.cosine] + t * rail[:, CELL.cosine_step]) ** 2
        assert np.max(aside[:, :-1]) < 0.8
        nodes = tables.along.met[0]
        assert np.max(height[:, :-1] - np.maximum(nodes[:-1], nodes[1:])) < 1e-6
        assert np.all((height[:, :-1] > -0.03) | (height[:, :-1] == -FAR))  # a surface or none, nothing between
        y = tables.pair.rail_start + step * np.arange(len(rail)) + placement.rail_y - HALF_GAUGE
        assert np.all(rail[(y > 0.0446) & (y < 0.0555), CELL.height] < -0.03)


def test_end_cells_of_sections_of_different_widths_do_not_rise():
    """The end cells are extended by one cell beyond the rail; there a wheel must meet nothing."""
    tables, _ = left_tables(stations("left", [(10.0, ""), (11.0, "profile = 'UIC60'\n")]))
    for s in (10.0, 10.5, 10.99, 11.0):
        lay_at(tables, s)
        step = 1.0 / tables.pair.inverse_step
        for cell, t in ((tables.pair.rail[0], -1.0), (tables.pair.rail[-2], 2.0)):
            bent = step * cell[CELL.slope]
            assert cell[CELL.height] + t * (bent + t * (cell[CELL.c2] + t * cell[CELL.c3])) < -0.012


def test_a_ramp_is_met_normal_to_it_through_the_axle(tmp_path):
    """On a rise of 1:50 the force leans back by 1:50 and has no moment about the axle; rolling up opens no gap."""
    names = write_ramp(tmp_path, (0.0, 0.010))
    rows = [(10.0 + k * 0.5, f"profile = '{name}'\ndatum = 'file'\n") for k, name in enumerate(names)]
    tables, _ = left_tables(FRICTIONLESS + "normal_damping_ns_m = 1e5\n" + stations("left", rows))
    law = law_of(tables)
    lay_at(tables, 10.25)
    rise, pose = 0.02, [0.0, 0.0, 0.005, 0.0, 0.0, 0.0]
    count, found = law(pose)
    still, upright = found.wrench.copy(), np.cos(found.patches[0, PATCH.contact_angle])
    assert count == 1 and still[2] > 5e4
    assert still[0] == pytest.approx(-rise * still[2], rel=1e-6)
    # about the axle, RADIUS above the profile origin
    assert still[4] - RADIUS * still[0] == pytest.approx(0.0, abs=1e-6 * RADIUS * still[2])
    damping = 1e5 * found.patches[0, PATCH.normal_force] / (found.patches[0, PATCH.normal_force] + 1000.0)
    rolling = law(pose, speed=10.0)[1].wrench[2]
    assert rolling - still[2] == pytest.approx(damping * 10.0 * rise * upright**2, rel=1e-6)
    level = tables.pair.rail[:, CELL.height].max()
    assert level == pytest.approx(0.005 + 0.5 * RADIUS * rise**2, abs=1e-7)  # touched R m ahead


def write_ramp(folder, heights):
    """Files of one rounded head at heights [m]."""
    names = []
    for k, height in enumerate(heights):
        y = 0.001 * np.arange(0.0, 70.1, 0.5)
        z = -(head(y, 0.035, 0.0351) + height)
        names.append(folder / f"ramp_{k}.csv")
        names[-1].write_text("".join(f"{1e3 * a:.6f},{1e3 * b:.6f}\n" for a, b in zip(y, z, strict=True)))
    return names


LOW, HIGH = (f"profile = '{{{k}}}'\ndatum = 'file'\n" for k in (0, 1))
REFUSED = {
    "ascending": ([(10.0, ""), (10.0, "")], "contact.along.1: at 10 m, expected more than the 10 m before it"),
    "leaning": ([(10.0, LOW + "file = {{inclined = false}}\n")], "contact.along.0.file.inclined must be true"),
    "missing": ([(10.0, "profile = 'no.csv'\n")], "contact.along.0.profile"),
    "steep": ([(10.0, LOW), (10.05, HIGH)], "10 mm at .* 1:5 along the track, expected 1:10 at most"),
    "above": ([(10.0, LOW + "file = {{mirror_z = true}}\n")], "hollow with z down: set contact.along.0.file.mirror_z"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(tmp_path, case):
    rows, message = REFUSED[case]
    names = write_ramp(tmp_path, (0.0, 0.010))
    with pytest.raises(ScenarioError, match=message):
        left_tables(stations("left", [(s, more.format(*names)) for s, more in rows]))
