"""Rail head 60E1 from its arcs 300, 80 and 13 mm and the 1:20 side, in two digitisations.

`rail_60e1` follows EN 13674-1 (the 300 mm arc ends at 10.228 mm), `rail_uic60_manchester` the file of the
Manchester contact benchmark (10.5 mm). At a contact near the change of arc the two differ by a third in
peak pressure, so say which one is meant.

Sources: EN 13674-1; Manchester contact benchmark (Shackleton and Iwnicki 2006).
Verified in tests/contact/test_profiles_verified.py.
"""

import numpy as np

from flexwheel.contact.profiles.profile import Profile, incline

# mm, z down from the crown: (y_from, y_to, centre y, centre z, radius)
_EN = (
    (0.0, 10.228, 0.0, 300.0, 300.0),
    (10.228, 26.0265, 7.500533333333333, 80.12789626759023, 80.0),
    (26.0265, 35.99981082207864, 23.016030416666666, 14.949147044725608, 13.0),
)
_MANCHESTER = (
    (0.0, 10.5, 0.0, 300.0, 300.0),
    (10.5, 25.988023881, 7.700000000, 80.134791292, 80.0),
    (25.988023881, 36.000000405, 23.016220000, 14.908926753, 13.0),
)
# the benchmark file counts y from a point this far beside the crown of the rail leaned 1:40 [m]
MANCHESTER_ORIGIN = -5.963e-6
_SIDE_SLOPE = 20.0
_SIDE_DEPTH = 30.0


def rail_60e1(inclination=0.0, spacing=5e-5):
    """60E1 after EN 13674-1 as a Profile of kind "rail", leaned by `inclination` (1/40, 1/20).

    Parameters
    ----------
    inclination : float [-]   tangent of the lean toward the track centre
    spacing : float [m]       distance of points along the arcs
    """
    return incline(head_of_arcs("60E1", _EN, spacing), inclination)


def rail_uic60_manchester(inclination=0.0, spacing=5e-5):
    """UIC60 as digitised in the Manchester contact benchmark, leaned by `inclination`."""
    return incline(head_of_arcs("UIC60_Manchester", _MANCHESTER, spacing), inclination)


def head_of_arcs(name, arcs, spacing=5e-5, side=_SIDE_SLOPE):
    """Upright head of a rail as a Profile, both halves, its sides straight to 30 mm below the crown.

    Parameters
    ----------
    name : str
    arcs : (n, 5) float [mm]  of the half y >= 0 from the crown outward: y from, y to, centre y, centre z (down), radius
    spacing : float [m]       of points along the arcs
    side : float              slope of the straight side
    """
    columns = []
    for start, end, centre_y, centre_z, radius in arcs:
        angle = np.arcsin((np.array([start, end]) - centre_y) / radius)
        turn = np.linspace(*angle, 2 + int(radius * np.ptp(angle) / (1e3 * spacing)))
        z = -(centre_z - radius * np.cos(turn))
        columns.append(
            np.array([centre_y + radius * np.sin(turn), z, -np.tan(turn), np.full_like(turn, -1.0 / radius)])
        )
    share = np.linspace(0.0, 1.0, 2 + int((_SIDE_DEPTH - 14.3) / (1e3 * spacing)))[1:]
    depth = -columns[-1][1, -1] + share * (_SIDE_DEPTH + columns[-1][1, -1])
    y = columns[-1][0, -1] + (depth + columns[-1][1, -1]) / side
    columns.append(np.array([y, -depth, np.full_like(y, -side), np.zeros_like(y)]))
    half = np.concatenate([columns[0], *[c[:, 1:] for c in columns[1:]]], axis=1)
    mirror = half[:, :0:-1] * np.array([[-1.0], [1.0], [-1.0], [1.0]])
    y, z, slope, curvature = np.concatenate([mirror, half], axis=1)
    return Profile(name, "rail", 1e-3 * y, 1e-3 * z, slope, 1e3 * curvature)
