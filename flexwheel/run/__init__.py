"""From a scenario to results: everything is built, brought to rest, run and recorded."""

from flexwheel.run.simulation import prepare, run_scenario

__all__ = ["prepare", "run_scenario"]
