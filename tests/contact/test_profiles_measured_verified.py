"""Measured profiles: the shipped sections written as instruments and other codes write them must come back.

Reference: S1002 (EN 13715) and 60E1 (EN 13674-1) themselves. A rail leaned by 1:40 must be seen to lean by 1:40.
"""

import numpy as np
import pytest

from flexwheel.base.disagreements import DISAGREEMENTS
from flexwheel.base.errors import ScenarioError
from flexwheel.contact.profiles.chosen_profile import chosen_profile, head_lean
from flexwheel.contact.profiles.placement import place
from flexwheel.contact.profiles.profile import profile_height
from flexwheel.contact.profiles.profile_file import ProfileFile, read_profile
from flexwheel.contact.profiles.rail_60e1 import rail_60e1
from flexwheel.contact.profiles.s1002 import s1002, s1002_height
from flexwheel.run.build.build_contact import build_profiles
from flexwheel.run.keys.contact_keys import ContactSection
from flexwheel.run.keys.reader import parse_scenario

INNER = np.linspace(-0.025, 0.05, 301)


def _points(profile, every=5):
    """y and z down [mm]."""
    sign = 1.0 if profile.kind == "wheel" else -1.0
    return 1e3 * profile.y[::every], sign * 1e3 * profile.height[::every]


def _write(path, y, z, form="{:.6f} {:.6f}", head=""):
    path.write_bytes((head + "\n".join(form.format(a, b) for a, b in zip(y, z, strict=True))).encode("latin-1"))
    return path


def test_miniprof(tmp_path):
    y, z = _points(s1002())
    head = f"ProgramName=MiniProf\nRemark=\xfcber 3\nXYPOINTS={y.size}\nColumnDef=A,X,Y,*\n\n"
    path = _write(tmp_path / "w.whl", -y, -z, "0\t{:.6f}\t{:.6f}\t1", head)
    wheel = read_profile(path, "wheel", mirror_y=True, mirror_z=True)
    np.testing.assert_allclose(profile_height(wheel, INNER)[0], s1002_height(INNER), atol=2e-7)
    with pytest.raises(ScenarioError, match="set mirror_z"):
        read_profile(path, "wheel")
    _write(path, -y[:-3], -z[:-3], "0\t{:.6f}\t{:.6f}\t1", head)
    with pytest.raises(ScenarioError, match=f"XYPOINTS={y.size}, but {y.size - 3} lines"):
        read_profile(path, "wheel", mirror_y=True, mirror_z=True)


def test_decimal_commas(tmp_path):
    y, z = _points(s1002())
    path = _write(tmp_path / "w.txt", y, z)
    path.write_text(path.read_text().replace(".", ","))
    with pytest.raises(ScenarioError, match="set decimal to comma"):
        read_profile(path, "wheel")
    wheel = read_profile(path, "wheel", decimal="comma")
    np.testing.assert_allclose(profile_height(wheel, INNER)[0], s1002_height(INNER), atol=2e-7)


@pytest.mark.parametrize("mirrored", [False, True])
def test_wheel_from_its_flange_back(tmp_path, mirrored):
    y, z = _points(s1002())
    path = _write(tmp_path / "w.txt", (-1.0 if mirrored else 1.0) * (y + 70.0), z)
    if mirrored:
        with pytest.raises(ScenarioError, match="on the field side: set mirror_y"):
            read_profile(path, "wheel")
    with pytest.raises(ScenarioError, match="set shift_y_mm = -70"):
        read_profile(path, "wheel", mirror_y=mirrored)
    wheel = read_profile(path, "wheel", mirror_y=mirrored, shift_y_mm=-70.0)
    np.testing.assert_allclose(profile_height(wheel, INNER)[0], s1002_height(INNER), atol=2e-7)


@pytest.mark.parametrize("inclination", [0.0, 1 / 40])
def test_lean_of_a_head_is_seen(inclination):
    assert head_lean(rail_60e1(inclination)) == pytest.approx(inclination, abs=2e-4)


def test_inclination_of_a_rail_file_is_asked_for(tmp_path):
    upright = _write(tmp_path / "upright.txt", *_points(rail_60e1(0.0)))
    leaned = _write(tmp_path / "leaned.txt", *_points(rail_60e1(1 / 40)))
    expected = place(rail_60e1(1 / 40)).rail_y
    for path, inclined in ((upright, False), (leaned, True)):
        with pytest.raises(ScenarioError, match="does the rail stand inclined in its file"):
            chosen_profile(str(path), "rail", ProfileFile(), inclination=1 / 40)
        rail, doubts = chosen_profile(str(path), "rail", ProfileFile(), inclination=1 / 40, inclined=inclined)
        assert not doubts
        assert place(rail).rail_y == pytest.approx(expected, abs=2e-6)
        ((name, text),) = chosen_profile(str(path), "rail", ProfileFile(), inclination=1 / 40, inclined=not inclined)[1]
        assert name in DISAGREEMENTS and "leans by" in text


@pytest.mark.parametrize("inclined", [None, True, False])
def test_upright_rails_need_not_be_told_apart(tmp_path, inclined):
    """A rail drawn upright on upright rails: whatever is said of it, it is the same; one that leans does not fit."""
    upright, leaned = (_write(tmp_path / f"{i}.txt", *_points(rail_60e1(i))) for i in (0.0, 1 / 40))
    rail, doubts = chosen_profile(str(upright), "rail", ProfileFile(), inclination=0.0, inclined=inclined)
    assert not doubts and place(rail).rail_y == pytest.approx(place(rail_60e1(0.0)).rail_y, abs=2e-6)
    ((name, text),) = chosen_profile(str(leaned), "rail", ProfileFile(), inclination=0.0, inclined=inclined)[1]
    assert name in DISAGREEMENTS and "leans by 0.025" in text
    said = "" if inclined is None else f"[contact.rail_file]\ninclined = {str(inclined).lower()}\n"
    text = f"[run]\nduration_s = 1.0\n[contact]\nrail_profile = '{upright}'\nrail_inclination = 0.0\n{said}"
    assert build_profiles(parse_scenario(text).contact)[2] == []


def test_scenario_keys_read_the_file(tmp_path):
    y, z = _points(s1002())
    wheel = _write(tmp_path / "w.txt", 1e-3 * -(y + 70.0), 1e-3 * -z, "{:.9f} {:.9f}")
    rail = _write(tmp_path / "r.txt", *_points(rail_60e1(1 / 40)))
    section = ContactSection(
        wheel_profile=str(wheel), rail_profile=str(rail), rail_file={"inclined": True},
        wheel_file={"unit": "m", "mirror_y": True, "mirror_z": True, "shift_y_mm": -70.0},
    )  # fmt: skip
    found, stands, warnings = build_profiles(section)
    assert not warnings
    np.testing.assert_allclose(profile_height(found, INNER)[0], s1002_height(INNER), atol=2e-7)
    assert place(stands).rail_y == pytest.approx(place(rail_60e1(1 / 40)).rail_y, abs=2e-6)
    with pytest.raises(ScenarioError, match="say contact.rail_file.inclined = true"):
        build_profiles(section.model_copy(update={"rail_file": type(section.rail_file)()}))


def _with_groove(y, z):
    """A keeper rail 60 mm beside the running one, behind a groove 14 mm deep."""
    beside = np.arange(37.0, 90.0, 0.5)
    lip = 12.0 * np.clip(np.abs(beside - 75.0) / 30.0, 0.0, 1.0)
    keep = np.abs(y) <= 36.0
    return np.concatenate([y[keep], beside]), np.concatenate([z[keep], lip])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_with_groove, "must be a plain rail.*got two heads: from a groove"),
        (lambda y, z: (0.35 * y, z), "a crossing nose is narrower"),
        (lambda y, z: (1.4 * y, z), "a wing rail wider"),
    ],
)
def test_no_plain_rail_is_refused(tmp_path, change, message):
    path = _write(tmp_path / "r.txt", *change(*_points(rail_60e1())))
    with pytest.raises(ScenarioError, match=message):
        read_profile(path, "rail")


@pytest.mark.parametrize(
    ("points", "message"),
    [
        (_points(rail_60e1()), "the flange"),  # a rail's head
        ((np.linspace(-60.0, 60.0, 241), 40.0 * np.linspace(1.0, -1.0, 241)), "tread"),  # a slope of 1:1.5
    ],
)
def test_what_is_no_wheel_is_refused(tmp_path, points, message):
    path = _write(tmp_path / "w.txt", *points)
    with pytest.raises(ScenarioError, match=message):
        read_profile(path, "wheel")


def test_variable_profiles_are_refused(tmp_path):
    path = tmp_path / "switch.slcs"
    path.write_text("S_SCALE 1\n")
    with pytest.raises(ScenarioError, match="a variable profile"):
        read_profile(path, "rail")
