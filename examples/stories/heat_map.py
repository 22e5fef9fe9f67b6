"""A sweep over speed and radius to a map of the guiding force."""

import flexwheel as fw


def main(out="out/heat_map", speeds=(50.0, 60.0, 70.0, 80.0), radii=(250.0, 300.0, 400.0), workers=None, **changes):
    rigid = {"wheelset.front.formulation": "rigid", "run.compare_modes": [], "run.duration_s": 5.0}
    railcar = fw.Scenario.example("as4_curve", rigid | changes)
    vary = {"run.speed_kmh": list(speeds), "track.layout.2.radius_m": list(radii)}
    figures = [{"of": "safety", "take": "sum_lateral_max", "worst": True, "name": "sum Y"}]
    study = fw.sweep(railcar, vary, figures, out, workers=workers)
    print(study.fw.grid("sum Y"), study.fw.plot.study("sum Y", "map").save(f"{out}/map.png"))
    tight = study.fw.grid("sum Y").sel(radius_m=250.0)
    assert tight.sel(speed_kmh=80.0) > tight.sel(speed_kmh=50.0)  # cant is made for the lower speed


if __name__ == "__main__":
    main()
