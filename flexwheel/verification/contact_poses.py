"""Equilibria of a wheel over the whole range of yaw, shift and load, and its flange at large yaw beside the half space.

Limits: a solution is one with contact that carries the load; the peak pressure over a tenth of a millimetre of shift or
a milliradian of yaw cannot triple and fall back, whatever the profiles; 5 % is what one direction for a patch that
turns leaves open under a flange (its angle is known to a degree).
"""

from dataclasses import dataclass

import numpy as np

from flexwheel.assess.wheelset_load import LOAD_WITHIN, LoadCase, LoadedWheel, wheelset_load
from flexwheel.base.errors import ContactError
from flexwheel.base.variables import PATCH
from flexwheel.contact.geometry import WheelPair
from flexwheel.contact.profiles.placement import place
from flexwheel.contact.profiles.rail_60e1 import rail_60e1, rail_uic60_manchester
from flexwheel.contact.profiles.s1002 import s1002
from flexwheel.verification import norms
from flexwheel.verification.check_registry import bound, check, distance, exact, floor, other_code

HALF_SPACE = other_code(
    "half space on the true surfaces; the direction of a patch that turns is open by a degree in the runs: 5 % at 65"
)
LARGEST_YAW, LARGEST_SHIFT, LOADS = 0.175, 7e-3, (1e3, 2e5)  # [rad, m, N]
BESIDE = ((1e-4, 0.0), (0.0, 1e-3))  # shift [m] and yaw [rad] of the neighbours, to both sides


@dataclass(frozen=True)
class PoseSurvey:
    """What random poses gave: numbers of them, the worst ratio of peak pressures, and what was refused, as text."""

    solved: int
    without_contact: int  # or without their load
    worst_ratio: float  # of a peak pressure over the larger of its neighbours'
    refused: tuple[str, ...]


def pose_survey(count, seed) -> PoseSurvey:
    """Equilibria of a left wheel in random poses and beside them, S1002 on UIC60 1:40 and on 60E1 1:20 in turn."""
    rng = np.random.default_rng(seed)
    wheels = _wheels()
    without, worst, solved, refused = 0, 0.0, 0, []
    for k in range(count):
        wheel = wheels[k % len(wheels)]
        shift, yaw = rng.uniform(-LARGEST_SHIFT, LARGEST_SHIFT), rng.uniform(-LARGEST_YAW, LARGEST_YAW)
        load = float(np.exp(rng.uniform(*np.log(LOADS))))
        try:
            patches, vertical, peak = _stand(wheel, shift, yaw, load)
        except ContactError as error:
            refused.append(f"{load:.0f} N: {error}")
            continue
        solved += 1
        without += patches == 0 or not abs(vertical - load) <= LOAD_WITHIN * load
        for aside, turned in BESIDE:
            near = []
            for sign in (-1.0, 1.0):
                try:
                    near.append(_stand(wheel, shift + sign * aside, yaw + sign * turned, load)[2])
                except ContactError:
                    continue
            worst = max(worst, peak / max(near)) if near else worst
    return PoseSurvey(solved, without, worst, tuple(refused))


def _wheels():
    rails = rail_uic60_manchester(1 / 40), rail_60e1(1 / 20)
    return [LoadedWheel(WheelPair(s1002(), rail, place(rail)), "left", strips=24, cells=16) for rail in rails]


def _stand(wheel, shift, yaw, load):
    """Patches, vertical force [N] and largest pressure [Pa] of the equilibrium."""
    _, _, count = wheel.stand(LoadCase(shift, yaw, load, load), 0.0, 0.0, load)
    return count, float(wheel.found.wrench[2]), float(wheel.found.patches[:count, PATCH.peak_pressure].max(initial=0.0))


def lateral_forces(yaw, *, exact):
    """Lateral force [N] of a wheel at the rail: shift 6 mm, 80 kN, S1002 on UIC60 1:40; yaw (n,) [rad]."""
    rail = rail_uic60_manchester(1 / 40)
    wheel = LoadedWheel(WheelPair(s1002(), rail, place(rail)), "left")
    found = [wheelset_load(wheel, None, LoadCase(6e-3, float(y), 80e3), exact=exact).wheels[0].force[1] for y in yaw]
    return np.array(found)


@check(
    "Wheel-rail contact: equilibria of random poses, and the flange at large yaw",
    slow=True,
    ground=exact("an equilibrium carries its load by contact; force and pressure are continuous in shift and yaw"),
)
def random_poses():
    """10,000 poses with yaw to 175 mrad, shift to the flange, 1 to 200 kN; the flange from 70 to 100 mrad."""
    survey = pose_survey(10000, 12)
    yaw = 1e-3 * np.arange(70.0, 100.1, 5.0)
    full, own = lateral_forces(yaw, exact=True), lateral_forces(yaw, exact=False)
    fine = lateral_forces(1e-3 * np.arange(70.0, 100.01, 0.25), exact=False)
    steps = np.abs(np.diff(fine))
    return [
        bound("equilibria without contact or load", survey.without_contact, 0.0, "", "definition"),
        bound("peak pressure over that of its neighbours, worst", survey.worst_ratio, 3.0, "", "continuity"),
        bound("poses refused", len(survey.refused), 0.001 * 10000, "", "one in a thousand, each with its reason"),
        floor("poses solved", survey.solved, 0.999 * 10000),
        distance("lateral force against the half space, 70 to 100 mrad", own, full, 0.05, "",
                 "half space on the true surfaces", norm=norms.each, ground=HALF_SPACE),
        bound("largest change of the lateral force in 0.25 mrad over the mean one", steps.max() / steps.mean(), 3.0, "",
              "continuity"),
    ]  # fmt: skip
