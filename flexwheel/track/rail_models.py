"""The rail models of track.model: each file declares its own, this one lists them."""

from flexwheel.track.flexible_build import FLEXIBLE
from flexwheel.track.inertial import INERTIAL
from flexwheel.track.massless import MASSLESS, RIGID

RAIL_MODELS = {model.name: model for model in (RIGID, MASSLESS, INERTIAL, FLEXIBLE)}
