"""At which frequency a polygon of 20 waves and 30 um on one wheel shows in its force."""

import math

import flexwheel as fw


def main(**changes):
    smooth = {"irregularity.spectrum": "none", "irregularity.roughness": "none", "run.compare_modes": []}
    straight = {"track.layout": [{"kind": "straight", "length_m": 500.0}], "run.duration_s": 4.0}
    polygon = {"roundness.front left.orders": [{"order": 20, "amplitude_mm": 0.03}]}
    railcar = fw.Scenario.example("as4_curve", smooth | straight | polygon | changes)
    force = fw.run(railcar).fw.psd("wheel_force", force="Q", wheel="front left")
    passing = 20 * railcar["run.speed_kmh"] / 3.6 / (2 * math.pi * railcar.vehicle.file.wheel["radius_m"])
    print(f"largest at {float(force.idxmax()):.0f} Hz; waves pass at {passing:.1f} Hz")
    assert abs(float(force.idxmax()) - passing) <= 2.0  # a line of the spectrum


if __name__ == "__main__":
    main()
