"""Pictures of the five cases of paper 001: both models in each panel."""

from flexwheel.base.shipped import EXAMPLES
from flexwheel.run.keys.reader import read_scenario_source
from flexwheel.systems.reduced.reduced_figures import force_figure, level_figure, wheelset_figure
from flexwheel.systems.reduced.reduced_run import run_both

CASES = ("wheelset_curve", "wheelset_small_curve", "ml95_curve", "ml95_small_curve", "ml95_straight")


def figures():
    """(name, (figure, attributes)): kinematics and contact forces of the curves, response by level on the straight."""
    for number, name in enumerate(CASES, 1):
        results = run_both(read_scenario_source(EXAMPLES / f"{name}.toml"))
        drawn = (
            {"levels": level_figure} if "straight" in name else {"wheelsets": wheelset_figure, "forces": force_figure}
        )
        for what, draw in drawn.items():
            yield f"case_{number}_{what}", (draw(results), results.attrs)
