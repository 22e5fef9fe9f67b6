"""`fw.realtime`: a locomotive that takes its steps when asked, with inputs set between them."""

from __future__ import annotations

from pathlib import Path

from flexwheel.base.errors import ScenarioError
from flexwheel.face.calls import scenario_of
from flexwheel.face.scenario import Scenario
from flexwheel.systems.locomotive.build_locomotive import build_locomotive_run, locomotive_of
from flexwheel.systems.locomotive.simulator import RealtimeLocomotive


def realtime(scenario: Scenario | str | Path) -> RealtimeLocomotive:
    """Locomotive of a scenario of kind realtime, in its state at the start.

    Parameters
    ----------
    scenario : Scenario, or path of one

    Raises
    ------
    ScenarioError           another kind; see also `Scenario.read`

    Example
    -------
    >>> locomotive = fw.realtime(fw.Scenario.example("feve3000_curve"))
    >>> locomotive.set_motor_torque(300.0)
    >>> locomotive.step(1000)
    """
    chosen = scenario_of(scenario)
    if chosen.kind != "realtime":
        raise ScenarioError(f"{chosen.source.path}: kind must be 'realtime', got {chosen.kind!r}")
    return build_locomotive_run(locomotive_of(chosen.source))
