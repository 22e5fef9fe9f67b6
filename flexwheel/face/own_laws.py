"""`fw.register`: what the running program adds to a registry."""

from __future__ import annotations

import sys
from typing import Any, TypeVar

from flexwheel.base.errors import ScenarioError
from flexwheel.base.registry import Registry

KEYS_READ = "flexwheel.run.keys.reader"
"""Module that makes the keys of all scenarios, those of registered laws among them."""
Value = TypeVar("Value")


def register(value: Value) -> Value:
    """Add a law, element, excitation, kind of run .. of this program to its registry; docs/plugins.md has their forms.

    Parameters
    ----------
    value               fw.FrictionLaw, fw.TangentialLaw, fw.NormalLaw, fw.ForceElement, fw.Excitation ..

    Returns
    -------
    value

    Raises
    ------
    ScenarioError       a value of no registry, a name that is taken, a law whose keys come too late: the first
                        scenario of this Python has been made already

    Example
    -------
    >>> fw.register(fw.FrictionLaw("mine", "falls with sliding", coefficient=mine))
    """
    kind = type(value)
    found = vars(sys.modules[kind.__module__]).values()
    own: Any = next((item for item in found if isinstance(item, Registry) and item.type is kind), None)
    if own is None:
        raise ScenarioError(f"register: value must be one that docs/plugins.md names, got {kind.__name__}")
    if KEYS_READ in sys.modules and own.group.rpartition(".")[2] in (
        "friction_laws", "normal_laws", "tangential_laws", "excitations", "coupled_systems", "rail_models",
    ) and getattr(value, "name", None) not in own:  # fmt: skip
        raise ScenarioError(
            f"register: {own.noun} {value.name!r} must be registered before the first scenario, vehicle or track is "
            "made in this Python: its keys become part of theirs then; put it first, or start Python anew"
        )
    return own.register(value)
