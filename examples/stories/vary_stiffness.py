"""A stiffness is varied: frequency of the bounce of a coach by the vertical stiffness of its primary springs."""

import numpy as np

import flexwheel as fw


def main(primary=(0.6e6, 1.22e6, 2.44e6), **changes):
    coach = fw.Scenario.example("manchester_s_curve", changes)
    for vertical in primary:
        spring = {"vehicle.elements.primary_spring.stiffness_n_per_m": [3.1391e7, 3.884e6, vertical]}
        found = fw.eigen(coach.changed(spring), [80.0], critical=False).isel(speed=0)
        bounce = found.frequency[found.dominant == "car_body vertical"].min().item()
        series = 1.0 / (1.0 / (4 * 4.3e5) + 1.0 / (8 * vertical))  # 4 secondary springs upon 8 primary springs
        print(f"{vertical:.3g} N/m: {bounce:.3f} Hz")
        assert abs(bounce / (np.sqrt(series / 32e3) / 2.0 / np.pi) - 1.0) < 0.02  # frames without mass or dampers


if __name__ == "__main__":
    main()
