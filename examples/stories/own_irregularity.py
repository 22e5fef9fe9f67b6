"""An irregularity of an array: both rails sink 5 mm over 20 m, and the leading wheelset follows."""

import numpy as np

import flexwheel as fw


def main(**changes):
    s = np.arange(0.0, 250.0, 0.25)
    z = np.where(abs(s - 38.0) < 10.0, -2.5e-3 * (1.0 + np.cos(np.pi * (s - 38.0) / 10.0)), 0.0)
    dip = {"file": fw.irregularity(s, left_vertical=z, right_vertical=z), "ramp_m": 0.0}
    changes = {"irregularity": dip, "run.end_position_m": 49.0} | changes
    results = fw.run(fw.Scenario.example("manchester_s_curve", changes))
    place = results.body_position.sel(body="wheelset_1")
    rise = place.sel(path="z") - place.sel(path="z")[0]
    print(f"down to {1e3 * float(rise.min()):.3f} mm, Q {results.wheel_force.sel(force='Q').min().item():.0f} N")
    assert np.allclose(rise, np.interp(place.sel(path="s"), s, z), atol=2e-5)  # the contact yields less


if __name__ == "__main__":
    main()
