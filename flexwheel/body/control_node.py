"""How a control node is named."""

from dataclasses import dataclass

PRESETS = tuple(
    f"{place}_{side}" for place in ("web_fillet", "web_middle", "web_rim", "tread") for side in ("left", "right")
)


@dataclass(frozen=True)
class ControlNode:
    """A node to watch: a preset name, the name of a node set, an id of the mesh file, or the node next to a place.

    Presets, each with _left or _right: web_fillet (inner web face at the hub), web_middle, web_rim (at the rim),
    tread (profile node next to the tread datum); all in the lowest section.
    """

    name: str = ""
    id: int | None = None
    position: tuple[float, float, float] | None = None  # [m] mesh coordinates


UNASKED = tuple(
    tuple(ControlNode(name) for name in names)
    for names in (("web_fillet_right", "web_rim_right", "tread_right"), ("web_fillet_right", "tread_right"))
)
"""What is watched where nobody names a node: by a reduction, and by a scenario."""
