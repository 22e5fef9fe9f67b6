"""The rail models of track.model: each file declares its own, entry points name them."""

from flexwheel.base.registry import Registry
from flexwheel.track.rail_model import RailDeclaration

RAIL_MODELS = Registry("rail model", "flexwheel.rail_models", RailDeclaration, "flexible")
