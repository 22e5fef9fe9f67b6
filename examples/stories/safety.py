"""Running safety after EN 14363 of a coach in an S-curve, and the report on it."""

import flexwheel as fw


def main(out="out/safety", **changes):
    coach = fw.Scenario.example("manchester_s_curve", changes)
    results = fw.run(coach, out)
    safety = results.fw.safety()
    for wheel, share in safety.unloading:
        print(f"{wheel}: unloaded by {100 * share:.0f} % at most")
    print(fw.report(out), results.fw.plot.safety().save(f"{out}/safety.png"))
    largest = results.fw.statistics().quotient_max.max()
    assert largest <= max(climb.largest for climb in safety.climbs)  # a mean over 2 m beside every sample


if __name__ == "__main__":
    main()
