"""The locomotive of the real-time core through its curve: 1 ms steps, faster than the clock."""

import flexwheel as fw


def main(**changes):
    results = fw.run(fw.Scenario.example("feve3000_curve", changes))
    load = results.normal_force.isel(time=-1)
    pace = results.attrs["seconds_per_simulated_second"]
    print(f"{1e3 * pace:.1f} us a step of 1000 us", load.to_series())
    assert pace < 1.0 and (load > 0.0).all()


if __name__ == "__main__":
    main()
