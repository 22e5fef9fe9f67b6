"""run: from a scenario to results, for every kind of run.

In: a scenario, and the files that it names. Out: the values that a time loop takes, its results, messages to the user.

`keys` declares, reads and writes scenario keys. `check_scenario` checks all that a run would read. `build` makes
track, contact tables and the whole simulation, `reduced_bodies` the flexible wheelsets. `any_kind` runs a scenario of
any kind, `simulation` that of a vehicle; `run_vehicle` prints what it does and declares the kind. `resume` continues an
interrupted run. Begin with `simulation`.
"""

__all__ = ["run_scenario"]


def __getattr__(name):
    """`run_scenario`, imported with all it needs when it is asked for; a check of a scenario needs none of it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from flexwheel.run.simulation import run_scenario

    return run_scenario
