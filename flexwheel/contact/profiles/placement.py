"""Where the rail and wheel profiles stand across the track.

Gauge is measured between the rails at most 14 mm below their tops (EN 13848-1); the wheels stand at the
flange-back distance with the tread datum 70 mm outside the flange back (EN 13715).
Verified in tests/contact/test_profiles_verified.py.
"""

from dataclasses import dataclass

import numpy as np

from flexwheel.base.errors import ScenarioError

_UNSEEN = 5e-5  # [m] of y: spacing of a profile's points; noise of files is less on most


@dataclass(frozen=True)
class Placement:
    """Lateral positions of the profile origins with the wheelset centred, left side, track axes."""

    rail_y: float  # [m] crown of the inclined rail (origin of its Profile) from the track centre line
    wheel_y: float  # [m] profile origin P (tread datum) from the track centre line
    radius: float  # [m] nominal rolling radius, at the tread datum

    @property
    def offset(self):
        """Wheel profile origin minus rail crown, positive to the field side [m]."""
        return self.wheel_y - self.rail_y


def gauge_point(rail, depth=0.014):
    """Lateral position of the gauge point of an inclined rail relative to its crown [m].

    The point of the head nearest to the track centre within `depth` [m] below the crown. Where the section ends above
    that, upright or cut at a fold, its side goes on straight by _UNSEEN at most.
    """
    side = int(np.argmax(rail.height >= -depth))
    if side:
        (y0, y1), (z0, z1) = (column[side - 1 : side + 1] for column in (rail.y, rail.height))
        return y0 + (y1 - y0) * (-depth - z0) / (z1 - z0)
    beyond = (rail.height[0] + depth) / max(rail.slope[0], 1e-9)
    if beyond > _UNSEEN:
        raise ScenarioError(f"profile {rail.name}: does not reach {1e3 * depth:g} mm below the crown on the gauge side")
    return rail.y[0] - beyond


def place(rail, *, gauge=1.435, flange_back=1.360, tread_datum=0.070, radius=0.460, gauge_depth=0.014) -> Placement:
    """Lateral positions of rail crown and wheel profile origin.

    Parameters
    ----------
    rail : Profile            inclined rail, origin at its crown
    gauge : float [m]         between the gauge points of both rails
    flange_back : float [m]   distance of the inner wheel faces
    tread_datum : float [m]   from the inner wheel face to the profile origin P
    radius : float [m]        nominal rolling radius
    gauge_depth : float [m]   below the crown, 14 mm
    """
    for name, value in (("gauge", gauge), ("flange_back", flange_back), ("radius", radius)):
        if not (np.isfinite(value) and 0.1 < value < 3.0):
            raise ScenarioError(f"{name} must be metres between 0.1 and 3, got {value!r}")
    rail_y = 0.5 * gauge - gauge_point(rail, gauge_depth)
    return Placement(rail_y=rail_y, wheel_y=0.5 * flange_back + tread_datum, radius=radius)
