"""The kind of run "coasting": its keys, how it is run, gone on with, told and drawn."""

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from flexwheel.base.input_files import digest
from flexwheel.base.kind import Kind, Pictures
from flexwheel.base.output_files import output_folder
from flexwheel.base.variables import Variable
from flexwheel.results.checkpoint import program_identity
from flexwheel.results.dataset import make_dataset
from flexwheel.run.any_kind import written
from flexwheel.run.keys.section import CheckpointSpacing, NonNegative, Positive, Section, Title, checkpoint_key
from flexwheel.run.keys.toml_text import scenario_toml

CHUNK = 10_000  # steps between two looks at the clock


class RunKeys(Section):
    """How long."""

    title: Title = ""
    duration_s: Positive = Field(description="simulated time")
    step_s: Positive = Field(0.01, description="time step")
    output_steps: Annotated[int, Field(ge=1)] = Field(10, description="steps between samples")
    checkpoint_s: CheckpointSpacing = checkpoint_key(60.0)


class WagonKeys(Section):
    """A wagon."""

    mass_t: Positive = Field(description="with its load")
    speed_kmh: NonNegative = Field(description="at the start")
    resistance_n: NonNegative = Field(description="at standstill")
    resistance_ns_m: NonNegative = Field(0.0, description="part that grows with the speed")
    resistance_ns2_m2: NonNegative = Field(0.0, description="part that grows with its square")
    gradient_permille: float = Field(0.0, description="of the line, rising positive")


class CoastingScenario(Section):
    """A wagon that coasts."""

    kind: Literal["coasting"] = Field(description="a wagon that coasts to a stand")
    run: RunKeys
    wagon: WagonKeys


VARIABLES = (
    Variable("place", ("time",), "m", "way since the start", "f8"),
    Variable("speed", ("time",), "m s-1", "speed", "f8"),
)


def check(source):
    """Warnings of a scenario."""
    w = source.scenario.wagon
    stays = 9.81e3 * w.mass_t * 1e-3 * abs(w.gradient_permille) <= w.resistance_n
    return [] if w.gradient_permille >= 0.0 or stays else ["wagon.gradient_permille: the wagon never comes to a stand"]


def run(source, report, wheelsets, out, checkpoints):
    """Results of a scenario."""
    from flexwheel_example.coasting import coast

    keys, w = source.scenario.run, source.scenario.wagon
    steps, stride = round(keys.duration_s / keys.step_s), keys.output_steps
    wagon = np.array(
        [1e3 * w.mass_t, w.resistance_n, w.resistance_ns_m, w.resistance_ns2_m2, 1e-3 * w.gradient_permille]
    )
    moving, rows = {"state": np.array([0.0, w.speed_kmh / 3.6, 0.0])}, np.zeros((steps // stride + 1, 2))
    rows[0] = moving["state"][:2]
    identity = program_identity("flexwheel_example.coasting") | {"wagon": digest(wagon.tobytes())}
    checkpoint = None if checkpoints is None else checkpoints.of("coasting", identity)
    if checkpoint is not None:
        checkpoint.restore(moving, {"rows": rows})
    status, taken = "complete", int(moving["state"][2])
    saved = taken
    try:
        while taken < steps:
            more = min(CHUNK, steps - taken)
            coast(moving["state"], wagon, keys.step_s, more, stride, rows)
            taken += more
            report(taken / steps, f"t = {taken * keys.step_s:g} s")
            if checkpoint is not None and taken - saved >= checkpoint.steps(keys.step_s):
                checkpoint.save(moving, {"rows": rows[: taken // stride + 1]})
                saved = taken
    except KeyboardInterrupt:
        status = f"interrupted at t = {taken * keys.step_s:g} s"
        if checkpoint is not None:
            checkpoint.save(moving, {"rows": rows[: taken // stride + 1]})
            checkpoint.interrupted = True
    rows = rows[: taken // stride + 1]
    resolved = scenario_toml(source.scenario)
    attributes = {"title": keys.title, "scenario": resolved, "scenario_digest": digest(resolved), "warnings": []}
    labels = {"time": keys.step_s * stride * np.arange(len(rows))}
    arrays = {"place": rows[:, 0], "speed": rows[:, 1]}
    return written(make_dataset("coasting", arrays, labels, taken == steps, status, attributes), out)


def summary(results):
    """Lines for the reader."""
    standing = np.flatnonzero(results.speed.values == 0.0)
    ends = f"stands after {float(results.time[standing[0]]):.1f} s" if len(standing) else "still rolls"
    return [f"{results.attrs['title']}: {float(results.place[-1]):.1f} m, {ends}"]


def draw(results, folder, say, options=None):
    """Speed over way."""
    from matplotlib.figure import Figure

    from flexwheel.assess.figures.style import footer_of, save_figure

    figure = Figure(figsize=(8.0, 4.0))
    axis = figure.add_subplot(xlabel="way [m]", ylabel="speed [km/h]")
    axis.plot(results.place, 3.6 * results.speed)
    path = save_figure(figure, output_folder(folder) / "coasting.png", footer=footer_of(results.attrs))
    say(f"1 picture in {folder}")
    return [path]


COASTING = Kind(
    name="coasting", meaning="a wagon that coasts to a stand", keys=CoastingScenario, variables=VARIABLES,
    check=check, run=run, summary=summary, constant_speed=False,
)  # fmt: skip
PICTURES_OF_COASTING = Pictures("coasting", draw)
