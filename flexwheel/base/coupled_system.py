"""A system coupled to a vehicle and advanced with it, such as the train around it.

A section of the vehicle's scenario switches it on. It is declared by one value, an entry point in the group
"flexwheel.coupled_systems"; a vehicle runs with one of them at most.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from flexwheel.base.errors import ScenarioError
from flexwheel.base.registry import Registry


@dataclass(frozen=True)
class CoupledSystem:
    """What can be coupled to a vehicle."""

    name: str  # of its section in the scenario, and of what its variables are stored with (`when`)
    meaning: str
    keys: type  # Section
    variables: tuple  # Variable, of the vehicle's results besides; sources begin with `coupled`
    require: Callable[[Any], None]  # (scenario): raises where other sections do not go with it
    check: Callable  # (section, VehicleOnTrack): raises what is wrong with its files; nothing is compiled
    build: Callable  # (scenario, VehicleOnTrack) -> Coupled


@dataclass(frozen=True)
class Coupled:
    """A coupled system ready to run."""

    system: CoupledSystem
    moving: tuple  # NamedTuple of arrays and numbers, for the kernel; its arrays move with the run
    run_steps: Callable  # kernel, in place of simulate.run_steps, with `moving` behind the arguments
    labels: tuple = ()  # of the values of its files, with their source and confidence
    warnings: tuple[str, ...] = ()
    attributes: Callable[[], dict] = dict  # of the results, after the run


COUPLED_SYSTEMS = Registry("coupled system", "flexwheel.coupled_systems", CoupledSystem)


def coupled_section(scenario):
    """(CoupledSystem, section) of a scenario; (None, None) where nothing is coupled to the vehicle."""
    asked = [(system, getattr(scenario, name)) for name, system in COUPLED_SYSTEMS.items()]
    asked = [(system, section) for system, section in asked if section is not None]
    if len(asked) > 1:
        names = " and ".join(f"[{system.name}]" for system, _ in asked)
        raise ScenarioError(f"give one of {names}: one system can be coupled to the vehicle")
    return asked[0] if asked else (None, None)
