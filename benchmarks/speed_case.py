"""One case of benchmarks/speed.py in a process of its own, of whatever version of the package the path names first.

    python benchmarks/speed_case.py CASE FOLDER [KEY=VALUE ...]

FOLDER holds the examples. Prints a line of JSON: processor seconds of each piece of the work (what a
run costs before its first step taken off), steps (or simulated seconds) of a piece, iterations a step. Every version
does the same pieces, so that pieces compare one by one.
"""

import json
import sys
import time
from pathlib import Path

import numpy as np

PIECES, PIECE = 10, 0.2
"""Pieces of a run, simulated seconds of each."""


def vehicle(path, overrides, piece=PIECE, pieces=PIECES):
    """Processor seconds of each piece of a vehicle's run, steps of a piece, iterations a step, wheel loads at rest."""
    try:
        from flexwheel.run.build.build_simulation import build_simulation
        from flexwheel.run.keys.reader import read_scenario
    except ImportError:  # as named until 2026-11-20
        from flexwheel.build import build_simulation
        from flexwheel.io.scenario import read_scenario
    from flexwheel.run.reduced_bodies import flexible_wheelsets
    from flexwheel.run.simulation import take_steps

    scenario = read_scenario(path, [f"run.duration_s={piece * pieces:g}", *overrides])
    simulation = build_simulation(scenario, {k: v.body for k, v in flexible_wheelsets(scenario).items()})
    take_steps(simulation, 0.0)
    take_steps(simulation, 10 * scenario.run.step_s)
    call = np.inf  # of a run of no duration: what a run costs before its first step
    for _ in range(5):
        begun = time.thread_time()
        take_steps(simulation, 0.0)
        call = min(call, time.thread_time() - begun)
    seconds, iterations, unconverged = [], 0.0, 0
    for _ in range(pieces):
        begun = time.thread_time()
        outcome = take_steps(simulation, piece)
        seconds.append(time.thread_time() - begun - call)
        if not outcome.complete:
            raise SystemExit(outcome.message)
        iterations += outcome.iterations_mean / pieces
        unconverged += outcome.unconverged
    bays = getattr(simulation.rail_state, "sleeper", None)
    return {
        "seconds": seconds,
        "steps": outcome.steps,
        "iterations": iterations,
        "unconverged": unconverged,
        "bays": 0 if bays is None else bays.shape[1] - 1,
        "patches": int(simulation.work.patch_count.sum()),
        "units": [int(n) for n in simulation.model.units.offset],
        "wheel_loads_kn": [round(1e-3 * q, 2) for q in simulation.static_wrench[..., 2].ravel()],
    }


def train(path, repeats=1, **changed):
    """Processor seconds of train 4 alone, whole, with fields of its run changed."""
    from dataclasses import replace

    try:
        from flexwheel.systems.train.train_run import read_train_scenario
    except ImportError:
        from flexwheel.io.train_scenario import read_train_scenario
    from flexwheel.systems.train.simulate_train import simulate

    run = replace(read_train_scenario(path).run, account=False, **changed)
    simulate(replace(run, duration=20.0))
    seconds = min(simulate(run).seconds for _ in range(repeats))
    return {"seconds": [seconds], "steps": run.duration}


def locomotive(path, batches=60, batch=500):
    """Processor seconds of batches of steps of the locomotive in the real-time core."""
    try:
        from flexwheel.systems.locomotive.build_locomotive import build_locomotive_run, read_realtime_scenario
    except ImportError:
        from flexwheel.io.realtime_scenario import build_locomotive_run, read_realtime_scenario
    running = build_locomotive_run(read_realtime_scenario(path))
    running.step(10)
    seconds = []
    for _ in range(batches):
        begun = time.thread_time()
        running.step(batch)
        seconds.append(time.thread_time() - begun)
    return {"seconds": seconds, "steps": batch}


def simplified(path, repeats=9):
    """Processor seconds of the simplified model over its scenario."""
    try:
        from flexwheel.run.keys.reader import read_scenario_source

        scenario = read_scenario_source(path).scenario
        reduced = scenario.reduced
    except ImportError:
        from flexwheel.io.reduced_scenario import read_reduced_scenario

        source = read_reduced_scenario(path)
        scenario, reduced = source.scenario, source.reduced
    from flexwheel.systems.reduced.reduced_run import build_reduced
    from flexwheel.systems.reduced.simulate_reduced import run

    model = build_reduced(scenario, reduced)
    stride = round(scenario.run.output_step_s / reduced.step_s)
    run(model, 0.1, reduced.step_s, stride, method=reduced.method)
    seconds = []
    for _ in range(repeats):
        begun = time.thread_time()
        outcome = run(model, scenario.run.duration, reduced.step_s, stride, method=reduced.method)
        seconds.append(time.thread_time() - begun)
    return {"seconds": [min(seconds)], "steps": outcome.steps}


AS4 = ("as4_curve.toml", "run.compare_modes=[]")
OLD_SIZES = (  # defaults until 2026-11-21
    "wheelset.front.fixed_interface_modes=29",
    "track.elements_per_bay=2",
    "track.window_margin_bays=30",
)
CASES = {
    "AS4, eulerian, sizes of 32e8ffb": lambda f, s: vehicle(f / AS4[0], [AS4[1], *OLD_SIZES, *s]),
    "AS4, eulerian": lambda f, s: vehicle(f / AS4[0], [AS4[1], *s]),
    "AS4, lagrangian": lambda f, s: vehicle(f / AS4[0], [AS4[1], "wheelset.front.mode=lagrangian", *s]),
    "coach, four flexible wheelsets": lambda f, s: vehicle(f / "manchester_flexible.toml", s),
    "coach, rigid, S-curve": lambda f, s: vehicle(f / "manchester_s_curve.toml", s, 1.0),
    "locomotive": lambda f, s: locomotive(f / "feve3000_curve.toml"),
    "simplified model, ML95": lambda f, s: simplified(f / "ml95_curve.toml"),
    "train 4": lambda f, s: train(f / "train_4.toml"),
    "train 4, tolerance 1e-4": lambda f, s: train(f / "train_4.toml", tolerance=1e-4),
}


if __name__ == "__main__":
    print(json.dumps(CASES[sys.argv[1]](Path(sys.argv[2]), sys.argv[3:])))
