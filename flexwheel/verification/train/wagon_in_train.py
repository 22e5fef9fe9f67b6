"""A vehicle in detail inside a train: force element against prescribed forces, lateral coupler force in a curve."""

import functools
from dataclasses import replace
from pathlib import Path

import numpy as np

from flexwheel.base.shipped import EXAMPLES
from flexwheel.results.evaluate.en14363 import safety_quantities
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.simulation import execute
from flexwheel.systems.train.build_train import read_train, route_of
from flexwheel.systems.train.simulate_train import TrainRun, simulate
from flexwheel.systems.train.train_run import make_driving
from flexwheel.verification import norms
from flexwheel.verification.check_registry import bound, check, distance, exact, information, other_code, row

EXAMPLE = EXAMPLES / "wagon_in_train.toml"
HALF_PERCENT = other_code("the train alone; 0.5 % in force and 0.1 % in speed set beforehand")
STEADY_S = 4.0  # [s] at the end of the run over which means are taken


@functools.lru_cache(maxsize=4)
def train_run(*overrides):
    """Results of the example with keys set."""
    return execute(build_simulation(read_scenario(EXAMPLE, overrides), {}))


def steady(results):
    """The last STEADY_S of a run."""
    return results.isel(time=results.time.values > float(results.time[-1]) - STEADY_S)


@check(
    "Wagon in train: force element against prescribed coupler forces", slow=True,
    ground=other_code("the train alone, its forces prescribed; 2 % of wheel forces, 0.01 of the quotient (its limit is "
                      "0.8) and 5 % of coupler forces were chosen as what no assessment would notice"),
)  # fmt: skip
def element_against_prescribed():
    """Wheel-rail forces, coupler forces and speed of both ways, over the whole run."""
    runs = [train_run(f"train.forces={name}") for name in ("element", "prescribed")]
    a, b = (safety_quantities(r) for r in runs)
    rows = []
    for name in ("vertical", "lateral"):
        first, second = (getattr(q, name)[q.evaluated] for q in (a, b))
        text = f"{name} wheel forces, 20 Hz: rms of the difference over that of the fluctuation"
        source = "the train alone, its forces prescribed"
        rows.append(distance(text, first, second, 2.0, "%", source, norms.rms_fluctuation, 100.0))
    quotients = [q.derailment_quotient[a.evaluated] for q in (a, b)]
    rows.append(distance("derailment quotient: largest difference", *quotients, 0.01, "-", norm=norms.largest))
    rows.append(information("largest derailment quotient", np.abs(a.derailment_quotient[a.evaluated]).max(), "-"))
    force = [r.coupler_force.values for r in runs]
    rows.append(distance("coupler forces: largest difference over largest force", *force, 5.0, "%", scale=100.0))
    last = [steady(r).coupler_force.values.mean(0) for r in runs]
    text = "coupler forces in steady braking: difference"
    rows.append(distance(text, *last, 0.5, "%", norm=norms.each, scale=100.0, ground=HALF_PERCENT))
    v = [r.body_velocity.sel(body="car_body", path="s").values for r in runs]
    text = "speed: largest difference"
    rows.append(distance(text, *v, 0.1, "%", norm=norms.each, scale=100.0, ground=HALF_PERCENT))
    return rows


@check("Wagon in train: whole train beside the train alone, 300 s", slow=True, ground=HALF_PERCENT)
def whole_train():
    """Dynamic brake, then traction: largest forces and where they are, speed, against the train alone.

    On a straight: in curves the detailed vehicle finds its resistance in its wheel-rail contact, the train alone by a
    formula, and the speeds of the two part by that.
    """
    layout = '[{kind="straight",length_m=5400.0}]'
    settings = (
        f"track.layout={layout}",
        "run.duration_s=300",
        "run.step_s=1e-3",
        "run.output_step_s=1e-2",
        "train.driving.at=[0.0, 20.0, 30.0, 90.0, 100.0, 140.0, 170.0, 260.0, 280.0]",
        "train.driving.notch=[0.0, 0.0, -4.0, -4.0, 0.0, 0.0, 6.0, 6.0, 0.0]",
    )
    simulation = build_simulation(read_scenario(EXAMPLE, settings), {})
    alone = alone_beside(simulation)
    results = execute(simulation)
    peaks = np.stack([results.attrs["train_peak_draft_n"], results.attrs["train_peak_buff_n"]], axis=1)
    rows = []
    for k, (name, find) in enumerate((("draft", np.argmax), ("buff", np.argmin))):
        ours, theirs = int(find(peaks[:, k])), int(find(alone.peak_force[:, k]))
        text = f"largest {name}, coupler {theirs + 1} of the train alone"
        rows.append(
            row(text, peaks[ours, k] / 1e3, alone.peak_force[theirs, k] / 1e3, "kN", 0.005, source="train alone")
        )
        rows.append(row(f"coupler of the largest {name}", ours + 1, theirs + 1, "", absolute=0.0, source="train alone"))
    place = simulation.scenario.train.place - 1
    v = results.body_velocity.sel(body="car_body", path="s").values
    beside = np.interp(results.time.values, alone.time, alone.speed[:, place])
    text = "speed of the vehicle: largest difference over largest speed"
    rows.append(distance(text, v, beside, 0.1, "%", "train alone", norms.relative, 100.0))
    rows.append(information("wall time per simulated second", results.attrs["seconds_per_simulated_second"], "s"))
    return rows


def alone_beside(simulation):
    """TrainResults of the train of a simulation run by itself."""
    scenario, body = simulation.scenario, simulation.assembly.body_specs[0]
    where = Path("train")
    train, _ = read_train(scenario.train, where)
    place, run = scenario.train.place - 1, scenario.run
    centre = run.start_position_m + body.position[0]
    head = centre + train.place[0] - train.place[place] + 0.5 * train.vehicles[0].length
    route = route_of(simulation.model.layout, centre, train.length)
    driving = replace(make_driving(scenario.train.driving, where, train), tick=0.05)
    return simulate(TrainRun(train, route, driving, head, run.speed, run.duration))


@check(
    "Wagon in train: lateral coupler force in a curve", slow=True,
    ground=exact("equilibrium of chords in a circle, F L/R; terms of the square of L/R are 1 %, 5 % set beforehand"),
)  # fmt: skip
def lateral_coupler_force():
    """Sum of the lateral coupler forces in the arc against F L/R; buff, right-hand curve, outward is left."""
    end = steady(train_run("train.forces=element"))
    force = end.coupler_force.values.mean()
    lateral = end.coupler_lateral_force.values.sum(axis=1).mean()
    length, radius, coupler = 26.4, 300.0, 1.2
    lengths = {"over couplers": length, "between the vehicle's pivots": length - coupler}
    rows = []
    for name, own in lengths.items():
        expected = -force * own / radius / 1e3
        rows.append(row(f"sum of lateral forces, L {name}", lateral / 1e3, expected, "kN", 0.05, source="F L/R"))
    return [
        *rows,
        information("mean coupler force, draft positive", force / 1e3, "kN"),
        bound("outward in buff: minus the lateral force to the left", -lateral / 1e3, 0.0, "kN"),
    ]
