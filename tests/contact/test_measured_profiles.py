"""The measured profiles of examples/measured, copied by hand from their public source: no slip of a digit, no mirror.

Reference: some lines of the source; its MiniProf header of the average high rail states 147 points, of which one is
left out. A slip of a digit is a point off its neighbours; what the instrument leaves is below 0.02 mm.
"""

from pathlib import Path

import numpy as np
import pytest

from flexwheel.base.errors import ScenarioError
from flexwheel.contact.geometry import WheelPair, first_touch
from flexwheel.contact.profiles.placement import place
from flexwheel.contact.profiles.profile_file import read_profile

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "measured"
WHEEL, MINIPROF_RAIL = {"shift_y_mm": -70.0}, {"mirror_y": True, "mirror_z": True}
# file, how it is read, points, two lines of the source [mm]
FILES = {
    "wheel_car7216": (WHEEL, 177, ((43.6524, 2.3901), (126.1138, -5.5331))),
    "wheel_car7358": (WHEEL, 178, ((41.6412, 2.6491), (119.1772, -2.6015))),
    "wheel_car7813": (WHEEL, 186, ((35.1382, 4.4237), (105.6136, -1.3864))),
    "wheel_high_mileage": (WHEEL, 200, ((86.284575, -0.326874), (30.207133, 10.773754))),
    "rail_high_average": (MINIPROF_RAIL, 146, ((26.79, -2.01), (44.04, -10.98))),
    "rail_low_average": (MINIPROF_RAIL, 187, ((-40.37, -1.08), (24.71, -10.01))),
    "rail_high_site_b": ({}, 216, ((-27.632974, 8.752486), (34.573897, 6.116672))),
}


@pytest.fixture(scope="module")
def profiles():
    return {
        name: read_profile(FOLDER / f"{name}.txt", name.split("_")[0], **given) for name, (given, _, _) in FILES.items()
    }


@pytest.mark.parametrize("name", FILES)
def test_points_are_those_of_the_source(profiles, name):
    _, count, lines = FILES[name]
    table = np.loadtxt(FOLDER / f"{name}.txt")
    assert len(table) == count
    for line in lines:
        assert np.any(np.all(np.isclose(table, line, atol=1e-9), axis=1))
    assert np.abs(profiles[name].quality.distance).max() < 0.02e-3
    head = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert "eve70a/CONTACT" in head and "Apache-2.0" in head


def test_flanges_meet_the_gauge_side(profiles):
    """The crown of the worn rails lies beyond the middle, toward the field side; every wheel stands on every rail."""
    for name, profile in profiles.items():
        if name.startswith("wheel"):
            assert profile.y[np.argmax(profile.height)] < -0.045
            continue
        assert profile.y[0] + profile.y[-1] < -0.010
        for wheel in (one for other, one in profiles.items() if other.startswith("wheel")):
            assert np.isfinite(first_touch(WheelPair(wheel, profile, place(profile)), 0.0, 0.0, 0.0)[0])


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith("wheel")])
def test_a_wheel_that_is_not_placed_is_refused_with_the_shift_of_its_source(name):
    """The flange's back is not in these files: their first point is its tip, 17 mm from the back."""
    with pytest.raises(ScenarioError, match=r"flange back is at the file's y = 0 mm set shift_y_mm = -70$"):
        read_profile(FOLDER / f"{name}.txt", "wheel")
