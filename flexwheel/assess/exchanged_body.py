"""A flexible body or wheelset of a scenario by its name, as it is written for another code."""

from types import SimpleNamespace

from flexwheel.base.errors import ScenarioError
from flexwheel.body.mesh import Mesh
from flexwheel.body.reduced_body import FlexibleBody
from flexwheel.body.wheelset_places import wheelset_with_places
from flexwheel.run.flexible_bodies import flexible_unit
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.reduced_bodies import flexible_wheelsets
from flexwheel.run.wheelset_mesh import mesh_of, wheelset_mesh


def body_of_scenario(
    path, name: str | None, say=lambda line: None
) -> tuple[FlexibleBody, tuple[str, ...], Mesh | None]:
    """Flexible body, audit and mesh (None: of matrices) of `[body.NAME]` or of a flexible `[wheelset.NAME]`; with one
    of them: name None.

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
        section = scenario.body[chosen]
        unit = flexible_unit(chosen, section, say)
        return unit.body, unit.audit, None if section.matrices else mesh_of(section, f"body.{chosen}.{{}}".format)[0]
    one = SimpleNamespace(wheelset={chosen: wheelsets[chosen]}, accept=scenario.accept)
    found = flexible_wheelsets(one, say)[chosen]
    mesh = wheelset_mesh(chosen, wheelsets[chosen], scenario.accept)[0]
    return wheelset_with_places(found.body), (*found.audit, *found.body.audit), mesh
