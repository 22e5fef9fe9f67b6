"""The Manchester coach built in Python, its bogie defined once; its run is that of the vehicle file to the bit."""

import numpy as np

import flexwheel as fw

FRAME = fw.Body(2615.0, 1722.0, 1476.0, 3067.0, (-1.28, 0.0, 0.6))
WHEELSET = dict(mass_kg=1813.0, roll_inertia_kg_m2=1120.0, spin_inertia_kg_m2=112.0, journal_y_m=1.0)
BUMP = dict(
    displacement_m=[0.0, 0.005, 0.010, 0.015, 0.020, 0.025, 0.030, 0.035, 0.040],
    force_n=[0.0, 600.0, 1760.0, 3730.0, 6870.0, 11580.0, 17170.0, 29200.0, 230000.0],
)


def primary(kind, height, **keys):
    """Element at every journal, to the bogie frame at a height."""
    points = dict(point_a_m=(0.0, 0.0, 0.46), point_b_m=(0.0, 0.0, height))
    return dict(kind=kind, other_body="frame", heights="rail", **points, **keys)


def secondary(kind, a, b, **keys):
    """Element between each bogie frame and the car body, from point a to point b."""
    points = dict(heights="rail", point_a_m=a, point_b_m=b)
    return dict(kind=kind, body_a=["front_bogie", "rear_bogie"], other_body="car_body", **points, **keys)


def coach(primary_vertical=1.22e6):
    """The vehicle; its vertical primary stiffness [N/m] of an axle box."""
    spring, seat, stop, rod = (0.0, 1.0, 0.525), (0.0, 1.0, 1.13), (0.0, 0.0, 0.65), (0.0, 0.0, 0.6)
    bar = secondary("anti_roll_bar", None, None, roll_stiffness_n_m_per_rad=9.4e5)
    elements = {
        "primary_spring": primary("spring", 0.46, stiffness_n_per_m=[3.1391e7, 3.884e6, primary_vertical],
                                  damping_n_s_per_m=[1.5e4, 2.0e3, 0.0], static_share=["car_body", "frame"]),
        "primary_vertical_damper": primary("damper", 1.0, damping_n_s_per_m=4.0e3, series_stiffness_n_per_m=1.0e6),
        "secondary_spring": secondary("coil_spring", spring, seat, stiffness_n_per_m=[1.6e5, 1.6e5, 4.3e5],
                                      rotational_stiffness_n_m_per_rad=[1.05e4, 1.05e4, 0.0], static_share="car_body"),
        "secondary_vertical_damper": secondary("damper", spring, seat, damping_n_s_per_m=2.0e4,
                                               series_stiffness_n_per_m=6.0e6),
        "secondary_lateral_damper": secondary("damper", (0.0, 0.2, 0.65), (0.0, 0.7, 0.65), damping_n_s_per_m=3.2e4,
                                              series_stiffness_n_per_m=6.0e6),
        "lateral_bump_stop": secondary("bump_stop", stop, stop, sides="middle", axis=[0.0, 1.0, 0.0],
                                       clearance_m=0.025, force_table=BUMP),
        "anti_roll_bar": {key: bar[key] for key in ("kind", "body_a", "other_body", "roll_stiffness_n_m_per_rad")},
        "traction_rod": secondary("spring", rod, rod, sides="middle", axes_of="b", stiffness_n_per_m=[5.0e6, 0.0, 0.0],
                                  damping_n_s_per_m=[2.5e4, 0.0, 0.0]),
    }  # fmt: skip
    axles = [("front_bogie", 0.0), ("front_bogie", -2.56), ("rear_bogie", -19.0), ("rear_bogie", -21.56)]
    return fw.Vehicle(
        "Manchester coach", kind="coach", wheel=dict(radius_m=0.46, flange_back_m=1.36), elements=elements,
        bodies={"car_body": fw.Body(32000.0, 56800.0, 1.97e6, 1.97e6, (-10.78, 0.0, 1.8)),
                "front_bogie": FRAME, "rear_bogie": FRAME.moved(-19.0)},
        wheelsets={f"wheelset_{k + 1}": dict(frame=f, position_m=x, **WHEELSET) for k, (f, x) in enumerate(axles)},
    )  # fmt: skip


def main(**changes):
    scenario = fw.Scenario.example("manchester_s_curve", changes)
    of_file, own = fw.run(scenario), fw.run(scenario.changed({"vehicle": coach()}))
    different = [name for name in of_file if not np.array_equal(of_file[name], own[name], equal_nan=True)]
    print(f"{len(of_file)} variables, {len(different)} different")
    assert set(of_file) == set(own) and not different


if __name__ == "__main__":
    main()
