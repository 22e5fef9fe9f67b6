"""An accelerometer above the front end of a car body with a low-pass of 20 Hz, and the motion of its place derived."""

import numpy as np

import flexwheel as fw


def main(x=9.5, **changes):
    changes = {"irregularity.spectrum": "erri_b176", "run.end_position_m": 49.0} | changes
    results = fw.run(fw.Scenario.example("manchester_s_curve", changes))
    sensor = fw.Sensor("car_body", place=(x, 0.0, 0.0), direction="z", low_pass_hz=20.0)
    up = sensor.of(results) - 9.81  # at rest it shows 1 g
    z, pitch = results.body_position.sel(path="z"), results.body_angle.sel(rotation="spin")
    moved = np.gradient(np.gradient((z - x * pitch).sel(body="car_body"), results.time), results.time)
    print(f"rms {up.std().item():.2e} m/s2, off by {abs(up - moved)[50:-50].max().item():.0e} m/s2")
    assert abs(up - moved)[50:-50].max() < 0.01 * abs(up).max()  # differences at 1 ms miss 0.5 % at 20 Hz


if __name__ == "__main__":
    main()
