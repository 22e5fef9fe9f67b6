"""Wheels with a conical tread, 1:20 and 1:40, and the flange of EN 13715 (that of S1002) with an arc of 13 mm between.

A cone's definition ends at its tread; which flange and which arc follow is assumed here, and said so in the library.
"""

from functools import partial

import numpy as np

from flexwheel.contact.profiles.profile import Profile
from flexwheel.contact.profiles.profile_library import LibraryProfile
from flexwheel.contact.profiles.s1002 import FACE, s1002

_THROAT = 0.013  # [m] radius between tread and flange, assumed
_FACE_HEIGHT, _FACE = 1e-3 * FACE[0], FACE[1]


def cone(taper, spacing=5e-5):
    """A wheel with a conical tread as a Profile of kind "wheel".

    Parameters
    ----------
    taper : float [-]     1/20, 1/40: fall of the radius toward the field side
    spacing : float [m]   of points
    """
    tread, face = np.arctan(-taper), np.arctan(_FACE)
    # the throat's centre lies a radius beside both lines, toward the rail
    rise = np.array([[taper, 1.0], [-_FACE, 1.0]])
    lines = np.array([0.0, _FACE_HEIGHT]) + _THROAT * np.sqrt(np.array([1.0 + taper**2, 1.0 + _FACE**2]))
    centre_y, centre_h = np.linalg.solve(rise, lines)
    angle = np.linspace(face, tread, 2 + int(_THROAT * (tread - face) / spacing))
    throat = np.array([centre_y + _THROAT * np.sin(angle), centre_h - _THROAT * np.cos(angle), np.tan(angle)])
    y = np.arange(throat[0, -1] + spacing, 0.060, spacing)
    flange = s1002(spacing)
    own = flange.y < -0.0385  # of the face and what follows it
    y_face = np.arange(flange.y[own][-1] + spacing, throat[0, 0] - 0.1 * spacing, 0.35 * spacing)
    parts = (
        (flange.y[own], flange.height[own], flange.slope[own], flange.curvature[own]),
        (y_face, _FACE_HEIGHT + _FACE * y_face, np.full_like(y_face, _FACE), np.zeros_like(y_face)),
        (*throat, np.full_like(angle, 1.0 / _THROAT)),
        (y, -taper * y, np.full_like(y, -taper), np.zeros_like(y)),
    )
    columns = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Profile(f"cone 1:{1.0 / taper:.0f}", "wheel", *columns)


_SOURCE = "definition; flange of EN 13715, throat of 13 mm assumed"
CONE_20 = LibraryProfile("cone20", "wheel", partial(cone, 1 / 20), _SOURCE, "none needed")
CONE_40 = LibraryProfile("cone40", "wheel", partial(cone, 1 / 40), _SOURCE, "none needed")
