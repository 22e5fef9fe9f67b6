"""A vehicle of one's own: a file of bodies, wheelsets and force elements, and its run into a curve."""

import flexwheel as fw

VEHICLE = """
name = "Two-axle wagon"
kind = "freight_wagon"

[wheel]
radius_m = 0.46
flange_back_m = 1.36

[bodies.car_body]
mass_kg = 24000.0
roll_inertia_kg_m2 = 3.0e4
pitch_inertia_kg_m2 = 3.0e5
yaw_inertia_kg_m2 = 3.0e5
position_m = [-4.5, 0.0, 1.5]

[wheelsets.front]
frame = "car_body"
position_m = 0.0
mass_kg = 1300.0
roll_inertia_kg_m2 = 750.0
spin_inertia_kg_m2 = 100.0
journal_y_m = 1.0

[wheelsets.rear]
frame = "car_body"
position_m = -9.0
mass_kg = 1300.0
roll_inertia_kg_m2 = 750.0
spin_inertia_kg_m2 = 100.0
journal_y_m = 1.0

[elements.suspension]  # one at every axle box
kind = "spring"
other_body = "frame"
point_a_m = [0.0, 0.0, 0.0]
point_b_m = [0.0, 0.0, 0.0]
stiffness_n_per_m = [3.0e6, 3.0e6, 1.2e6]
damping_n_s_per_m = [1.0e4, 1.0e4, 2.0e4]
static_share = "car_body"
"""


def main(folder, duration_s=4.0, model="flexible"):
    """Write the file, run it into a curve; returns the results and a picture of its forces."""
    (folder / "wagon.toml").write_text(VEHICLE, encoding="utf-8")
    wagon = fw.Scenario.of(
        {
            "run": {"title": "two-axle wagon", "speed_kmh": 60.0, "duration_s": duration_s},
            "vehicle": {"file": str(folder / "wagon.toml")},
            "track": {
                "model": model,
                "layout": [
                    {"kind": "straight", "length_m": 10.0},
                    {"kind": "transition", "length_m": 40.0},
                    {"kind": "arc", "length_m": 400.0, "radius_m": 400.0, "cant_mm": 60.0},
                ],
            },
            "irregularity": {"spectrum": "none", "roughness": "none"},
            "contact": {"friction": 0.35},
        }
    )
    print(*wagon.check(), sep="\n")
    results = fw.run(wagon)
    picture = results.fw.plot.forces().save(folder / "own_vehicle.png")
    # statics: 24 t on two wheelsets of 1.3 t
    assert abs(sum(results.attrs["static_wheel_load_n"]) - 9.81 * 26600.0) < 1.0
    return results, picture
