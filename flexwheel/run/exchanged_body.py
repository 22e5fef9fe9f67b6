"""A flexible body or wheelset of a scenario by its name, as it is written for another code."""

from types import SimpleNamespace

from flexwheel.base.errors import ScenarioError
from flexwheel.body.flexible_body import FlexibleBody
from flexwheel.body.wheelset_places import wheelset_with_places
from flexwheel.run.flexible_bodies import flexible_unit
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.reduced_bodies import flexible_wheelsets


def body_of_scenario(path, name: str | None, say=lambda line: None) -> tuple[FlexibleBody, tuple[str, ...]]:
    """Flexible body and audit of `[body.NAME]` or of a flexible `[wheelset.NAME]`; with one of them: name None.

    Raises ScenarioError where there is no such body.
    """
    scenario = read_scenario(path)
    wheelsets = {key: part for key, part in scenario.wheelset.items() if part.formulation == "flexible"}
    known = [*scenario.body, *wheelsets]
    chosen = known[0] if name is None and len(known) == 1 else name
    if chosen not in known:
        raise ScenarioError(
            f"{path}: --of must name a flexible body or wheelset ({', '.join(known) or 'none'}), got {name or 'none'}"
        )
    if chosen in scenario.body:
        unit = flexible_unit(chosen, scenario.body[chosen], say)
        return unit.body, unit.audit
    one = SimpleNamespace(wheelset={chosen: wheelsets[chosen]}, accept=scenario.accept)
    found = flexible_wheelsets(one, say)[chosen]
    return wheelset_with_places(found.body), (*found.audit, *found.body.audit)
