"""A coach with four flexible wheelsets into a curve: loads of its wheels, guiding forces."""

import flexwheel as fw


def main(out="out/coach", **changes):
    coach = fw.Scenario.example("manchester_flexible", changes)
    results = fw.run(coach, out)
    loads = results.wheel_force.sel(force="Q")
    print(loads.mean("time").to_series(), results.fw.plot.forces().save(f"{out}/forces.png"))
    weight = sum(results.attrs["static_wheel_load_n"])
    assert abs(float(loads.sum("wheel").mean()) / weight - 1.0) < 0.05  # cant and friction change it by less


if __name__ == "__main__":
    main()
