"""From a scenario to results: model built, brought to rest, run, recorded; then pictures."""

from flexwheel.run.simulation import run_scenario

__all__ = ["run_scenario"]
