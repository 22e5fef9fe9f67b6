"""Rail heads of EN 13674-1 and -4 from their arcs, which touch each other without a corner, and their straight sides.

Given are the radii and the widths at which one arc ends and the next begins, as the drawings of the standard have them.

Source: radii and widths as stated in the public Swift package rohrbecka/EN13674 (2022, after EN 13674-1:2017 and
EN 13674-4:2020), read 2026-11-27; dimensions only, no code of it. The standard itself was not read. Checked: 60E1
against this package's own, widths of the heads against the nominal ones.
Verified in tests/contact/test_profile_library_verified.py.
"""

from functools import partial

import numpy as np

from flexwheel.contact.profiles.profile import incline
from flexwheel.contact.profiles.profile_library import LibraryProfile
from flexwheel.contact.profiles.rail_60e1 import head_of_arcs

_UPRIGHT = 200.0  # slope for a vertical side
_SOURCE = "EN 13674-1, dimensions by the public package rohrbecka/EN13674"

# name: radii [mm] from the crown outward, full widths [mm] at which all but the last end, slope of the side
HEADS = {
    "45e1": ((307.0, 12.7), (43.084,), 20.0),
    "46e1": ((300.0, 80.0, 13.0), (18.881, 43.881), _UPRIGHT),
    "49e1": ((300.0, 80.0, 13.0), (15.267, 46.835), 17.2),
    "49e5": ((115.0, 16.5, 15.5, 7.64), (41.342, 62.980, 66.0), 17.2),
    "50e3": ((300.0, 80.0, 13.0), (18.233, 49.982), 20.0),
    "50e6": ((200.0, 60.0, 13.0), (30.942, 43.838), 20.0),
    "54e1": ((300.0, 80.0, 13.0), (20.024, 49.727), 20.0),
    "54e2": ((300.0, 80.0, 13.0), (18.946, 46.310), 20.0),
    "54e3": ((300.0, 80.0, 13.0), (15.267, 46.835), 17.2),
    "54e4": ((115.0, 16.5, 15.5, 7.64), (41.342, 62.980, 66.0), 17.2),
    "56e1": ((305.0, 80.0, 12.7), (11.787, 51.235), 20.0),
    "60e2": ((200.0, 70.0, 16.0, 8.0), (23.778, 48.913, 70.774), 20.0),
}


def head_arcs(radii, widths, side):
    """Arcs of one half of a head, each beginning where and as the one before ends.

    Parameters
    ----------
    radii : (n,) float [mm]      from the crown outward
    widths : (n - 1,) float [mm] full widths at which all but the last end
    side : float                 slope of the straight side, at which the last ends

    Returns
    -------
    list of (y from, y to, centre y, centre z, radius), mm, z down from the crown
    """
    arcs, angle, y, z = [], 0.0, 0.0, 0.0
    for radius, width in zip(radii, (*widths, None), strict=True):
        centre_y, centre_z = y - radius * np.sin(angle), z + radius * np.cos(angle)
        angle = np.arctan(side) if width is None else np.arcsin((0.5 * width - centre_y) / radius)
        start, y, z = y, centre_y + radius * np.sin(angle), centre_z - radius * np.cos(angle)
        arcs.append((start, y, centre_y, centre_z, radius))
    return arcs


def rail_head(name, inclination=0.0, spacing=5e-5):
    """A rail of HEADS as a Profile of kind "rail".

    Parameters
    ----------
    name : str                of HEADS
    inclination : float [-]   tangent of the lean toward the track centre
    spacing : float [m]       of points
    """
    radii, widths, side = HEADS[name]
    return incline(head_of_arcs(name.upper(), head_arcs(radii, widths, side), spacing, side), inclination)


def _declared(name):
    return LibraryProfile(name, "rail", partial(rail_head, name), _SOURCE, "dimensions; no licence found")


RAIL_45E1, RAIL_46E1, RAIL_49E1, RAIL_49E5, RAIL_50E3, RAIL_50E6 = map(_declared, list(HEADS)[:6])
RAIL_54E1, RAIL_54E2, RAIL_54E3, RAIL_54E4, RAIL_56E1, RAIL_60E2 = map(_declared, list(HEADS)[6:])
