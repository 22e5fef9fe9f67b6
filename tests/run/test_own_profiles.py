"""A wheel or rail with a profile of its own: the mirror image of it on the other side, and the wear at its datum."""

import numpy as np
import pytest

from flexwheel.base.errors import ScenarioError
from flexwheel.base.shipped import EXAMPLES
from flexwheel.contact.profiles.s1002 import s1002
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.keys.reader import read_scenario

MIRROR = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])
STRAIGHT = (
    "wheelset.front.formulation=rigid", "track.model=rigid", "irregularity.spectrum=none", "run.compare_modes=[]",
    "irregularity.roughness=none", 'track.layout=[{kind="straight", length_m=2000.0}]',
)  # fmt: skip


@pytest.fixture(scope="module")
def worn(tmp_path_factory):
    """File of an S1002 with a hollow of 0.6 mm about the tread datum; z counts from the new wheel's."""
    p = s1002()
    y = np.arange(p.y[0] + 2e-5, p.y[-1], 2e-4)
    z = np.interp(y, p.y, p.height) - 6e-4 * np.exp(-((y / 0.02) ** 2))
    path = tmp_path_factory.mktemp("worn") / "worn.csv"
    path.write_text("\n".join(f"{1e3 * a:.6f},{1e3 * b:.6f}" for a, b in zip(y, z, strict=True)), encoding="utf-8")
    return path


def at_rest(tmp_path, text):
    path = tmp_path / "s.toml"
    base = (EXAMPLES / "as4_curve.toml").read_text(encoding="utf-8").replace("../meshes/", f"{EXAMPLES.parent}/meshes/")
    path.write_text(base + text, encoding="utf-8")
    return build_simulation(read_scenario(path, STRAIGHT), {})


def of_wheel(name, file, heights):
    return f"[contact.wheels.'{name}']\nprofile = '{file}'\nheights = '{heights}'\n"


def test_a_worn_wheel_on_the_other_side_is_the_mirror_image(tmp_path, worn):
    """Wrenches at rest and tables of both sides change places, with the rail of that side."""
    rail = "[contact.rails.{0}]\nprofile = 'UIC60'\n"
    left = at_rest(tmp_path, of_wheel("front left", worn, "file") + rail.format("left"))
    right = at_rest(tmp_path, of_wheel("front right", worn, "file") + rail.format("right"))
    np.testing.assert_allclose(left.static_wrench[:, 0], right.static_wrench[:, 1] * MIRROR, atol=2.0)
    np.testing.assert_allclose(left.static_wrench[:, 1], right.static_wrench[:, 0] * MIRROR, atol=2.0)
    assert abs(left.static_wrench[0, 0, 2] - left.static_wrench[0, 1, 2]) > 20.0
    for k, own in enumerate(left.model.contact):
        assert own.offset == right.model.contact[k ^ 1].offset
    front = left.model.contact[0].pair.wheel[:, 0], left.model.contact[1].pair.wheel[:, 0]
    sizes = {own.coarse_wheel.shape[1] for own in left.model.contact}
    assert abs(len(front[0]) - len(front[1])) < 5 and len(sizes) == 1


def test_heights_of_the_file_make_the_wheel_smaller(tmp_path, worn):
    """Both wheels of the front wheelset worn by 0.6 mm at their datum: the axle stands lower by as much."""
    both = ["".join(of_wheel(f"front {side}", worn, h) for side in ("left", "right")) for h in ("file", "tread_datum")]
    low, kept = (at_rest(tmp_path, text) for text in both)
    at = low.assembly.units.offset[low.assembly.wheelsets.unit[0]] + 2
    drop = kept.state.history[0, 0, at] - low.state.history[0, 0, at]
    assert drop == pytest.approx(6e-4, rel=0.02)


def test_unknown_wheels_and_sides_are_refused(tmp_path, worn):
    with pytest.raises(ScenarioError, match="contact.wheels.middle left must name a wheel of the vehicle .front left"):
        at_rest(tmp_path, of_wheel("middle left", worn, "file"))
    with pytest.raises(ScenarioError, match="roundness.middle left must name a wheel of the vehicle .front left"):
        at_rest(tmp_path, "[roundness.'middle left']\nfile = 'none.csv'\n")
    with pytest.raises(ScenarioError, match="contact.rails"):
        at_rest(tmp_path, "[contact.rails.middle]\nprofile = 'UIC60'\n")
    with pytest.raises(ScenarioError, match="contact.wheels.front left.profile must be a file, got .*none.csv"):
        at_rest(tmp_path, of_wheel("front left", "none.csv", "file"))
