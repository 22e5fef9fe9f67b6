"""A study: many runs of one scenario, a figure of each, a map."""

import flexwheel as fw


def main(folder, speeds=(50.0, 65.0, 80.0), radii=(250.0, 300.0, 400.0), workers=None, **changes):
    """Guiding force over speed and radius; returns the study and the map."""
    settings = {"wheelset.front.formulation": "rigid", "run.compare_modes": [], "run.duration_s": 5.0} | changes
    railcar = fw.Scenario.example("as4_curve", settings)
    vary = {"run.speed_kmh": list(speeds), "track.layout.2.radius_m": list(radii)}
    figures = [{"of": "safety", "take": "sum_lateral_max", "worst": True, "name": "sum Y"}]
    found = fw.sweep(railcar, vary, figures, folder / "study", workers=workers)
    picture = found.fw.plot.study("sum Y", "map").save(folder / "study.png")
    # 120 mm of cant balance 63 km/h at R = 250 m: faster, the outer rail guides more
    tight = found.fw.grid("sum Y").sel(radius_m=min(radii))
    assert tight.sel(speed_kmh=max(speeds)) > tight.sel(speed_kmh=min(speeds))
    return found, picture
