"""A stiffness from measured values: secondary springs of a coach by how its car body answers the rails, 2 % noise."""

import numpy as np

import flexwheel as fw


def main(true=4.3e5, hz=(0.6, 0.8, 1.0, 1.1, 1.2, 1.5, 2.0, 3.0), **changes):
    coach = fw.Scenario.example("manchester_s_curve", changes)

    def answer(vertical):
        spring = {"vehicle.elements.secondary_spring.stiffness_n_per_m": [1.6e5, 1.6e5, vertical]}
        system = fw.linear(coach.changed(spring), speed_kmh=80.0)
        return abs(system.transfer(hz).sel(output="car_body vertical acceleration").isel(input=1)).values

    measured = answer(true) * (1.0 + 0.02 * np.random.default_rng(1).normal(size=len(hz)))
    found = fw.fit(answer, measured, {"vertical": 3.9e5}, sigma=0.02 * measured)
    print(found)
    assert abs(found.value["vertical"] - true) < 3.0 * found.standard_error["vertical"] < 0.05 * true


if __name__ == "__main__":
    main()
