"""A friction law of one's own, which falls with sliding as the built-in `falling` does: the run is the same."""

import math

import flexwheel as fw


@fw.kernel
def mine(friction, numbers, sliding):
    falls = 0.6 * friction * math.exp(-numbers[0] * sliding.velocity)
    return 0.4 * friction + falls, -numbers[0] * falls  # coefficient, and its derivative by the sliding velocity


fw.register(fw.FrictionLaw("mine", "falls with sliding", (fw.Option("decay_s_m", 0.6, 0.0, 9.0, "decay"),), mine))


def main(**changes):
    coach = fw.Scenario.example("manchester_s_curve", {"contact.tangential": "polach"} | changes)
    laws = [coach.changed({"contact.friction_law": law}) for law in ("mine", "falling", "constant")]
    mine, falling, constant = (abs(fw.run(law).wheel_force.sel(force="Y")).sum() for law in laws)
    print(f"sum of |Y| over wheels and samples: {float(mine / constant):.3f} of that without the fall")
    assert mine.equals(falling) and mine < constant


if __name__ == "__main__":
    main()
