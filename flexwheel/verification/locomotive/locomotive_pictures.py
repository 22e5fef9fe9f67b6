"""Pictures of figures 7 to 9 and 11 to 14 of paper 000."""

from flexwheel.assess.figures.style import COLOURS, label, new_figure
from flexwheel.systems.locomotive.build_locomotive import build_locomotive_run, read_realtime_scenario
from flexwheel.systems.locomotive.operation_counts import patterns
from flexwheel.systems.locomotive.realtime_figures import creep_figure, pattern_figure, trajectory_figure
from flexwheel.systems.locomotive.run_realtime import realtime_results
from flexwheel.verification.locomotive.realtime_core import EXAMPLE

EXIT_M = (290.0, 420.0)  # figure 12: where the second curve ends
MARKS_S = (5.0, 10.0, 15.0)  # figure 13: middles of the curves, and from where only irregularities are left


def figures():
    """(name, (figure, attributes)) of each."""
    runs = {amplitude: _run(f"track.amplitude_mm={amplitude}") for amplitude in (10, 5)}
    as_paper, locomotive = runs[10]
    for name, title, pattern, size in patterns(locomotive.generated):
        yield name.removesuffix(".png"), (pattern_figure(title, pattern, size), as_paper.attrs)
    yield "figure_11", (trajectory_figure(as_paper), as_paper.attrs)
    yield "figure_12", (_exit({amplitude: run for amplitude, (run, _) in runs.items()}), as_paper.attrs)
    figure = creep_figure(as_paper)
    for axis in figure.axes:
        for mark in MARKS_S:
            axis.axvline(mark, color="0.4", linewidth=0.8, linestyle=":")
    yield "figure_13", (figure, as_paper.attrs)
    light = _run("track.amplitude_mm=3")[0]
    yield "figure_14", (_iterations({"10 mm": as_paper, "3 mm": light}), as_paper.attrs)


def _run(*settings):
    source = read_realtime_scenario(EXAMPLE, ["run.output_step_s=0.001", *settings])
    built = build_locomotive_run(source)
    return realtime_results(source, built)[0], built


def _exit(runs):
    """Lateral path of the body at the end of the second curve, by the amplitude of the irregularities [mm]."""
    figure, (axis,) = new_figure(1, "Path of the vehicle body, end of the second curve")
    for k, (amplitude, run) in enumerate(runs.items()):
        x, y = (run.position.sel(coordinate=c).values for c in "xy")
        shown = (x > EXIT_M[0]) & (x < EXIT_M[1])
        text = f"irregularities {amplitude} mm{', as published' if amplitude == 10 else ''}"
        axis.plot(x[shown], y[shown], color=COLOURS[k], linewidth=1.0, label=text)
    label(axis, "x [m]", "y [m]")
    return figure


def _iterations(runs):
    """The paper's two panels for each run."""
    figure, axes = new_figure(2 * len(runs), "Newton iterations of a step, tolerance 1e-6", height=8.5)
    kinds = (("normal_iterations", "phi_n = 0"), ("tangent_iterations", "phi_d = 0"))
    panels = [(name, run, *kind) for name, run in runs.items() for kind in kinds]
    for axis, (name, run, variable, text) in zip(axes, panels, strict=True):
        axis.plot(run.time.values, run[variable].values, drawstyle="steps", color=COLOURS[0], linewidth=0.6)
        axis.set(xlim=(0.0, 35.0), ylim=(-0.1, 1.1), yticks=[0, 1])
        axis.set_title(f"solve {text}; irregularities {name}", fontsize=9, loc="left")
    label(axes[-1], "t [s]", legend=False)
    return figure
