"""Speed profile of a run: the vehicle follows its points, and what no drive or run can have is refused."""

import numpy as np
import pytest

from flexwheel.assess.figures.style import speed_words
from flexwheel.assess.linear_analysis import of_the_start
from flexwheel.assess.safety import safety_of
from flexwheel.base.errors import FlexwheelError, ScenarioError
from flexwheel.base.shipped import EXAMPLES
from flexwheel.run import run_scenario
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.keys.reader import read_scenario

EXAMPLE = EXAMPLES / "as4_curve.toml"
STRAIGHT = [
    "wheelset.front.formulation=rigid", "run.compare_modes=[]", "track.model=massless", "run.step_s=1e-4",
    "track.layout=[{kind='straight', length_m=100.0}]", "irregularity.spectrum=none", "irregularity.roughness=none",
]  # fmt: skip


def test_the_vehicle_follows_the_points():
    """Straight between them, constant behind; way by the trapezia of the speed."""
    settings = [*STRAIGHT, "run.duration_s=0.6", "run.speed_profile_s_kmh=[[0.1, 80.0], [0.4, 78.4]]"]
    scenario = read_scenario(EXAMPLE, settings)
    results = run_scenario(scenario)
    speed = 3.6 * results.body_velocity.sel(body="car_body", path="s").values
    wanted = np.interp(results.time.values, [0.0, 0.1, 0.4], [80.0, 80.0, 78.4])
    # behind by 1.5 m/s2 times 36.9 t over 2e4 N s/m = 10 km/h, did the drive not give that force; the wheelsets, a
    # tenth of all, swing on their springs
    np.testing.assert_allclose(speed, wanted, atol=0.01)
    way = (80.0 * 0.1 + 79.2 * 0.3 + 78.4 * 0.2) / 3.6
    assert scenario.run.place_at(0.6) == pytest.approx(scenario.run.start_position_m + way, rel=1e-12)
    assert scenario.run.place_at(0.25) == pytest.approx((80.0 * 0.1 + 79.6 * 0.15) / 3.6, rel=1e-12)
    assert speed_words({"speed_kmh": 80.0, "speed_profile_s_kmh": [[0.1, 80.0], [0.4, 78.4]]}) == "78.4-80 km/h"
    with pytest.raises(FlexwheelError, match="EN 14363 assesses runs at one speed"):
        safety_of(results)


@pytest.mark.parametrize(
    "settings, words",
    [
        (["run.speed_profile_s_kmh=[[0.5, 80.0], [0.4, 79.0]]"], "times of speed_profile_s_kmh must grow"),
        (["run.speed_profile_s_kmh=[[0.0, 80.0]]"], "must be above 0"),
        (["run.speed_profile_s_kmh=[[1.0, 600.0]]"], "500"),
        (["run.speed_profile_s_kmh=[[1.0]]"], "speed_profile_s_kmh"),
        (["run.speed_profile_s_kmh=[[1.0, 79.0]]", "drive.kind=none"], "is not read with drive.kind = 'none'"),
        (["run.speed_profile_s_kmh=[[1.0, 79.0]]", "run.integrator=dormand_prince"], "is not read with run.integrator"),
        (["run.speed_profile_s_kmh=[[1.0, 60.0]]"], "needs 205 kN for 36.88 t, drive.force_max_kn is 60"),
    ],
)
def test_what_cannot_be_followed_is_refused(settings, words):
    with pytest.raises(ScenarioError, match=words):
        build_simulation(read_scenario(EXAMPLE, [*STRAIGHT, "run.duration_s=2.0", *settings]), {})


def test_a_profile_needs_a_duration():
    with pytest.raises(ScenarioError, match="ends at duration_s, not at end_position_m"):
        read_scenario(EXAMPLES / "manchester_check_rail.toml", ["run.speed_profile_s_kmh=[[1.0, 79.0]]"])


def test_a_linear_analysis_says_that_it_has_one_speed():
    settings = "run.speed_profile_s_kmh=[[1.0, 79.0]]", "run.duration_s=2.0"
    (line,) = of_the_start(read_scenario(EXAMPLE, [*STRAIGHT, *settings]))
    assert line.startswith("run.speed_profile_s_kmh: not read")
