"""Rails of the library against the nominal widths of their heads, 60E1 of this package, and cones against their taper.

Widths: EN 13674-1's nominal head widths, assumed, no document read. Arcs that
touch each other end on them only if radii and widths of the joints are right; the source gives them to 1e-3 mm.
"""

import numpy as np
import pytest

from flexwheel.assess.commands import profiles_command
from flexwheel.contact.profiles.placement import gauge_point
from flexwheel.contact.profiles.profile import profile_height
from flexwheel.contact.profiles.profile_library import PROFILES
from flexwheel.contact.profiles.rail_60e1 import rail_60e1
from flexwheel.extensions.profiles import rails_of_arcs
from flexwheel.extensions.profiles.cones import cone

WIDTHS = {
    "45e1": 66.67, "46e1": 65.0, "49e1": 67.0, "49e5": 67.0, "50e3": 70.0, "50e6": 65.0, "54e1": 70.0, "54e2": 67.0,
    "54e3": 67.0, "54e4": 67.0, "56e1": 69.85, "60e2": 72.0,
}  # fmt: skip


@pytest.mark.parametrize("name", rails_of_arcs.HEADS)
def test_arcs_end_on_the_nominal_width(name):
    end = rails_of_arcs.head_arcs(*rails_of_arcs.HEADS[name])[-1][1]
    # 0.01 mm: what joints rounded to 1e-3 mm leave of the smallest turn of an arc, 0.1
    assert 2.0 * end == pytest.approx(WIDTHS[name], abs=0.01)


@pytest.mark.parametrize("name", rails_of_arcs.HEADS)
def test_heads_are_smooth_and_stand_in_the_track(name):
    rail = PROFILES[name].make(1 / 40)
    assert rail.kind == "rail" and np.abs(np.diff(np.arctan(rail.slope))).max() < 0.02  # 50 um on a radius of 7.64 mm
    between = np.diff(rail.height) / np.diff(rail.y) - 0.5 * (rail.slope[1:] + rail.slope[:-1])
    flat = np.abs(rail.slope[1:]) < 1.0
    assert np.abs(between[flat]).max() < 1e-5  # slopes are those of the points
    assert -0.045 < gauge_point(rail) < -0.032


def test_60e1_by_the_same_way(monkeypatch):
    monkeypatch.setitem(rails_of_arcs.HEADS, "60e1", ((300.0, 80.0, 13.0), (20.456, 52.053), 20.0))
    built, own = rails_of_arcs.rail_head("60e1"), rail_60e1()
    y = np.linspace(-0.0355, 0.0355, 500)
    np.testing.assert_allclose(profile_height(built, y)[0], profile_height(own, y)[0], atol=1e-7)


@pytest.mark.parametrize("taper", [1 / 20, 1 / 40])
def test_cones(taper):
    wheel = cone(taper)
    height, slope, _ = profile_height(wheel, np.linspace(-0.02, 0.055, 50))
    np.testing.assert_allclose(height, -taper * np.linspace(-0.02, 0.055, 50), atol=1e-12)
    assert np.abs(np.diff(np.arctan(wheel.slope))).max() < 0.02 and wheel.height.max() == pytest.approx(0.028, abs=1e-5)
    assert slope.max() == pytest.approx(-taper)


def test_command_lists_what_there_is(capsys):
    profiles_command.command(as_json=False)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(PROFILES) >= 15
    assert all(f"({one.licence})" in line for one, line in zip(PROFILES.values(), lines, strict=True))
