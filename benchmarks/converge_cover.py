"""Whether what `flexwheel converge` states covers the true change of step and rail: ten scenarios of the AS4.

`python benchmarks/converge_cover.py`. Each is run as given, with all that `converge` refines, and with a quarter of the
step (25 us) and eight elements a bay, sampled at every step, which stand for the truth: at the samples of the run as
given what such short steps excite above 5 kHz would fold into its bands. Stated is the total that `converge` prints;
beside it stands what its runs with half the step and twice the elements, and without iteration noise, state alone.
Straight and curve, speeds, bays, friction and steps vary; every other front wheelset is flexible, the others are rigid
on flexible rails. Covered: no group of signals (Q, Y, acceleration and stress at the control nodes) has a third octave
from 50 Hz on that changes by more than the largest that is stated for the group, nor than 0.05 dB. Single bands that
change by more than is stated for them are counted. Ten take some minutes of one core.
"""

import time

import numpy as np

from flexwheel.assess.convergence import (
    NOISE,
    WITHIN_DB,
    groups_of,
    signals_of,
    third_octaves_of,
    tighter,
    total_error,
    variations,
)
from flexwheel.base.shipped import EXAMPLES
from flexwheel.numerics.spectra import level_difference
from flexwheel.results.evaluate.span import settled
from flexwheel.run.keys.reader import parse_scenario, read_scenario_source
from flexwheel.run.reduced_bodies import flexible_wheelsets
from flexwheel.run.simulation import run_scenario

STRAIGHT = ("track.layout=[{kind = 'straight', length_m = 2000.0}]", "run.start_position_m=20")
CURVE = ("run.start_position_m=70",)  # in the arc of 300 m
RIGID = ("wheelset.front.formulation=rigid",)
CASES = {
    "curve 80": (CURVE, 80, ()),
    "curve 80 rigid": (CURVE, 80, RIGID),
    "straight 160": (STRAIGHT, 160, ()),
    "straight 120 rigid": (STRAIGHT, 120, RIGID),
    "curve 60, friction 0.5": (CURVE, 60, ("contact.friction=0.5",)),
    "curve 70, bay 0.65 rigid": (CURVE, 70, (*RIGID, "track.bay_m=0.65")),
    "straight 100, bay 0.5": (STRAIGHT, 100, ("track.bay_m=0.5",)),
    "straight 80, bay 0.75, 3 elements rigid": (STRAIGHT, 80, (*RIGID, "track.bay_m=0.75", "track.elements_per_bay=3")),
    "straight 140, 80 us, 3 elements": (
        STRAIGHT, 140, ("run.step_s=8e-5", "run.output_step_s=8e-5", "track.elements_per_bay=3"),
    ),
    "curve 80, bay 0.75 rigid": (CURVE, 80, (*RIGID, "track.bay_m=0.75")),
}  # fmt: skip
SECONDS, SETTLING, LOWEST_HZ, NOTHING_DB = 1.5, 0.5, 50.0, 0.05


def spectrum(source, overrides):
    """Names of the signals, middles (B,) of third octaves [Hz] and rms (B, S) of a run, nan if it does not converge."""
    scenario = parse_scenario(source.text, source.path, overrides)
    results = run_scenario(scenario, None, source.text, flexible_wheelsets(scenario, lambda line: None))
    names, series, step = signals_of(settled(results))
    centres, rms = third_octaves_of(series, step)
    return names, centres, rms if results.attrs["complete"] else np.full_like(rms, np.nan)


def main(cases=tuple(CASES)):
    """Print the stated and the true change of each group and scenario, and how many are covered."""
    source, covered = read_scenario_source(EXAMPLES / "as4_curve.toml"), np.zeros(2, int)
    start = time.process_time()
    for name in cases:
        place, speed, own = CASES[name]
        length = f"run.duration_s={SECONDS + SETTLING}", f"run.settling_s={SETTLING}", "run.compare_modes=[]"
        given = (*place, f"run.speed_kmh={speed}", *own, *length, "irregularity.ramp_m=5")
        scenario = parse_scenario(source.text, source.path, given)
        refined = [tighter(scenario), *variations(scenario)]
        step = scenario.run.step_s / 4.0
        truth = f"run.step_s={step!r}", f"run.output_step_s={step!r}", "track.elements_per_bay=8"
        names, centres, base = spectrum(source, given)
        levels = [spectrum(source, (*given, *o))[2] for o in (*(v.overrides for v in refined), truth)]
        *changes, true = (level_difference(rms, base, WITHIN_DB) for rms in levels)
        errors = np.array([v.factor * change for v, change in zip(refined, changes, strict=True)])
        stated = total_error(errors)
        alone = total_error(errors[[v.name in (NOISE, "step and rail") for v in refined]])
        true = np.abs(true)
        held, held_alone, said = True, True, []
        for group, members in groups_of(names).items():
            columns = np.ix_(centres > LOWEST_HZ, [names.index(member) for member in members])
            most = [np.nanmax(part[columns]) for part in (stated, alone, true)]
            held &= most[2] <= max(most[0], NOTHING_DB)
            held_alone &= most[2] <= max(most[1], NOTHING_DB)
            bands = np.nanmax(stated[columns], axis=1), np.nanmax(true[columns], axis=1)
            off = np.count_nonzero(bands[1] > np.maximum(bands[0], NOTHING_DB))
            said.append(f"{group} {'/'.join(f'{part:.3f}' for part in most)}{f' ({off} bands off)' if off else ''}")
        covered += np.array([held, held_alone])
        words = f"{'' if held else 'NOT '}covered, {'' if held_alone else 'NOT '}by step and rail alone"
        used = time.process_time() - start
        print(
            f"{name}: stated/by step and rail alone/true [dB] {', '.join(said)}: {words}; {used:.0f} CPU s", flush=True
        )
    print(f"covered: {covered[0]} of {len(cases)}, by step and rail alone {covered[1]}")


if __name__ == "__main__":
    main()
