"""Rail heads of EN 13674-1 and -4 from their arcs, which touch each other without a corner, and their straight sides.

Given are the radii and the widths at which one arc ends and the next begins, as the drawings of the standard have them.

Source: radii and widths as stated in the public Swift package rohrbecka/EN13674 (2022, after EN 13674-1:2017 and
EN 13674-4:2020), read 2026-11-27; dimensions only, no code of it. The standard itself was not read. Checked: 60E1
against this package's own, widths of the heads against the nominal ones.
Verified in tests/contact/test_profile_library_verified.py.
"""

from functools import partial

import numpy as np

from flexwheel.contact.profiles.profile import Profile, incline
from flexwheel.contact.profiles.profile_library import LibraryProfile

_DEPTH = 30.0  # [mm] of the sides
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
    list of (centre y, centre z, radius, first angle, last angle), mm with z up from the crown, rad from upward
    """
    arcs, angle, y, z = [], 0.0, 0.0, 0.0
    for radius, width in zip(radii, (*widths, None), strict=True):
        centre_y, centre_z = y - radius * np.sin(angle), z - radius * np.cos(angle)
        end = np.arctan(side) if width is None else np.arcsin((0.5 * width - centre_y) / radius)
        arcs.append((centre_y, centre_z, radius, angle, end))
        angle, y, z = end, centre_y + radius * np.sin(end), centre_z + radius * np.cos(end)
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
    columns = []
    for centre_y, centre_z, radius, first, last in head_arcs(radii, widths, side):
        turn = np.linspace(first, last, 2 + int(radius * (last - first) / (1e3 * spacing)))
        y, z = centre_y + radius * np.sin(turn), centre_z + radius * np.cos(turn)
        columns.append(np.array([y, z, -np.tan(turn), np.full_like(turn, -1.0 / radius)])[:, 1 if columns else 0 :])
    y, z = columns[-1][:2, -1]
    z_side = np.arange(z - 1e3 * spacing, -_DEPTH, -1e3 * spacing)
    straight = np.ones_like(z_side)
    columns.append(np.array([y + (z - z_side) / side, z_side, -side * straight, 0.0 * straight]))
    half = np.concatenate(columns, axis=1)
    y, z, slope, curvature = np.concatenate([half[:, :0:-1] * [[-1.0], [1.0], [-1.0], [1.0]], half], axis=1)
    return incline(Profile(name.upper(), "rail", 1e-3 * y, 1e-3 * z, slope, 1e3 * curvature), inclination)


def _declared(name):
    return LibraryProfile(name, "rail", partial(rail_head, name), _SOURCE, "dimensions")


RAIL_45E1, RAIL_46E1, RAIL_49E1, RAIL_49E5, RAIL_50E3, RAIL_50E6 = map(_declared, list(HEADS)[:6])
RAIL_54E1, RAIL_54E2, RAIL_54E3, RAIL_54E4, RAIL_56E1, RAIL_60E2 = map(_declared, list(HEADS)[6:])
