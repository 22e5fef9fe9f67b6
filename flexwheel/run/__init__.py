"""From a scenario to results: model built, brought to rest, run, recorded; then pictures."""

__all__ = ["run_scenario"]


def __getattr__(name):
    """`run_scenario`, imported with all it needs when it is asked for; a check of a scenario needs none of it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from flexwheel.run.simulation import run_scenario

    return run_scenario
