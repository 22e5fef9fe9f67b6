"""A wheel or rail profile by the name of a shipped one or by a file, and how the rail of a file stands.

A rail's file shows it upright, as a drawing does, or inclined, as measured in track. Which of both is not guessed: it
is asked for where it matters (not on upright rails, inclination 0), and what is stated is compared with the head's own
lean where both its sides are in the file.

Verified in tests/contact/test_profiles_files_verified.py.
"""

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.base.input_files import exists, expanded
from flexwheel.contact.profiles.profile import incline
from flexwheel.contact.profiles.profile_file import read_profile
from flexwheel.contact.profiles.profile_library import PROFILES

LEAN_WITHIN = 0.0125  # of the stated inclination: half of 1:40
_TOP, _LEAST = 0.0155, 0.004  # [m] below the crown: the sides of the head begin; least depth of both to see a lean


def is_shipped(name, kind):
    """Whether a name is that of a shipped profile."""
    return name.lower() in PROFILES and PROFILES[name.lower()].kind == kind


def chosen_profile(name, kind, options, *, inclination=0.0, inclined=None, place=""):
    """Profile of a shipped name or a file, rails as they stand in the track.

    Parameters
    ----------
    name : str             of the library (`flexwheel profiles`): S1002, 60E1, UIC60 and others; or a path
    kind : str             "wheel" or "rail"
    options : ProfileFile  how to read a file
    inclination : float    tangent of the rail's lean in track
    inclined : bool or None  whether the rail of a file stands inclined in it; None: not said, which needs inclination 0
    place : str            key or option before the name, for messages: "--rail "

    Returns
    -------
    Profile, list of (str, str)   disagreements: name and figures

    Raises
    ------
    ScenarioError          neither shipped nor a file; a rail file that says nothing of its inclination
    """
    if is_shipped(name, kind):
        make = PROFILES[name.lower()].make
        return (make() if kind == "wheel" else make(inclination)), []
    path = expanded(name)
    if not exists(path):
        known = ", ".join(one.name.upper() for one in PROFILES.values() if one.kind == kind)
        raise ScenarioError(f"{place}{name}: neither a shipped {kind} profile ({known}) nor a file")
    profile = read_profile(path, kind, options)
    if kind == "wheel":
        return profile, []
    lean = head_lean(profile)
    seen = "its lean cannot be seen (not both sides of the head are in it)"
    if lean is not None:
        seen = f"the middle between its sides leans by {lean:.4f}" + (f" (1:{1.0 / lean:.0f})" if lean > 0.005 else "")
    if inclined is None and inclination != 0.0:
        raise ScenarioError(
            f"{path}: does the rail stand inclined in its file? {seen}; say {options.label('inclined')} (it stands as "
            f"in track) or {options.label('upright')} (it is then leaned by {options.label('inclination')}, "
            f"{inclination:g})"
        )
    said = options.label("inclined" if inclined else "upright")
    if inclined is None or (inclined and inclination == 0.0):
        said = f"{options.label('inclination')} = 0"
    leans = inclined and inclination != 0.0
    doubts = []
    if lean is not None and (lean < LEAN_WITHIN if leans else abs(lean) > LEAN_WITHIN):
        doubts.append(("rail_inclination", f"{path}: {said}, but {seen}"))
    return (profile if inclined else incline(profile, inclination)), doubts


def head_lean(profile):
    """Lean of a rail's head to the track centre as a tangent: of the middles between its sides; None if not seen."""
    top = int(np.argmax(profile.height))
    deep = min(-profile.height[: top + 1].min(), -profile.height[top:].min())
    if deep < _TOP + _LEAST:
        return None
    depth = np.linspace(_TOP, deep - 2e-4, 40)
    left = np.interp(-depth, profile.height[: top + 1], profile.y[: top + 1])
    right = np.interp(depth, -profile.height[top:], profile.y[top:])
    return float(np.polyfit(depth, 0.5 * (left + right), 1)[0])
