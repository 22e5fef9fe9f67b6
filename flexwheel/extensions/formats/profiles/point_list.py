"""Points of a .prw or .prr file: the lists of CONTACT and Simpack.

Such a file has its own unit (`units.len.f`, user units per metre, else the word `units.len`; the given unit counts when
both are missing), its unit of angles (`units.ang.f`, `units.ang`) and its own mirror.y, mirror.z, shift, rotate and
inversion, which are applied.

Verified in tests/contact/test_profiles_files_verified.py.
"""

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.contact.profiles.profile_format import PER_METRE, ProfileFormat, ProfilePoints
from flexwheel.extensions.formats.profiles.profile_text import columns_of, numbers_of

_ROUND = ".slcw"
_IGNORED = ("version", "type", "file", "file.mtime", "comment")
_NOT_APPLIED = ("approx.smooth", "point.dist.min")  # the curve is smoothed by the noise of all points instead
_BOUNDS = ("bound.y.min", "bound.y.max", "bound.z.min", "bound.z.max")
_SWITCHES = ("mirror.y", "mirror.z", "inversion")
_WORDS = {  # user units per metre, per radian
    "units.len": PER_METRE | {"cm": 100.0},
    "units.ang": {"deg": float(np.degrees(1.0)), "rad": 1.0},
}
_NUMBERS = ("shift.y", "shift.z", "rotate", *_SWITCHES, "units.len.f", "units.ang.f")


def _per_unit(path, keys, words, name, given):
    """User units per metre or radian: the number NAME.f, else of the word NAME, else the given ones."""
    word = words.get(name, "").strip("'\"").lower()
    if f"{name}.f" in keys or not word:
        return keys.get(f"{name}.f", given)
    if word not in _WORDS[name]:
        raise ScenarioError(f"{path}: {name} must be one of {', '.join(_WORDS[name])} without {name}.f, got {word}")
    return _WORDS[name][word]


def _points(reading):
    """Points of a .prw/.prr file with its keys applied."""
    path = reading.path
    if path.suffix.lower() == _ROUND:
        raise ScenarioError(
            f"{path}: a variable profile (slices round the wheel) is not supported; give one section of it as a .prw "
            "or text file"
        )
    keys, words, ignored, rows, inside, begun = {}, {}, [], [], False, False
    for number, text in enumerate(reading.lines, start=1):
        text = text.split("!")[0].strip()
        if not text or text in ("header.begin", "header.end", "spline.begin", "spline.end"):
            continue
        if text in ("point.begin", "point.end"):
            inside = text == "point.begin"
            if inside and begun:
                raise ScenarioError(f"{path}, line {number}: a second list of points, expected one profile in a file")
            begun = begun or inside
        elif inside:
            rows.append((*numbers_of(path, number, text)[:2], number))
        elif "=" in text:
            key, value = (part.strip() for part in text.split("=", 1))
            if key in _NUMBERS or key in _BOUNDS:
                keys[key] = numbers_of(path, number, value, least=1)[0]
                if key in _SWITCHES and keys[key] not in (-1.0, 0.0, 1.0):
                    raise ScenarioError(f"{path}, line {number}: {key} must be 1, or 0 or -1 for no, got {value}")
            elif key in _WORDS:
                words[key] = value
            elif key in _NOT_APPLIED:
                if numbers_of(path, number, value, least=1)[0] != 0.0:
                    ignored.append(f"{key} = {value}")
            elif key not in _IGNORED:
                raise ScenarioError(f"{path}, line {number}: unknown key {key!r} in the profile's header")
        else:
            raise ScenarioError(f"{path}, line {number} must be 'key = value', got {text!r}")
    if inside:
        raise ScenarioError(f"{path}: no point.end after {len(rows)} points; is it cut off?")
    y, z, line = columns_of(path, rows)
    scale = _per_unit(path, keys, words, "units.len", reading.per_metre)
    if not scale > 0.0:
        raise ScenarioError(f"{path}: units.len.f must be user units per metre, 1000 for mm, got {scale:g}")
    for axis, column in (("y", y), ("z", z)):
        low, high = keys.get(f"bound.{axis}.min", 0.0), keys.get(f"bound.{axis}.max", 0.0)
        if low < high:
            keep = (column >= low) & (column <= high)
            y, z, line = y[keep], z[keep], line[keep]
            column = column[keep]
    if len(y) < 2:
        raise ScenarioError(f"{path}: its bound.* keys leave {len(y)} points")
    y, z = y + keys.get("shift.y", 0.0), z + keys.get("shift.z", 0.0)
    per_radian = _per_unit(path, keys, words, "units.ang", 1.0)
    if not per_radian > 0.0:
        raise ScenarioError(f"{path}: units.ang.f must be user units per radian, 57.29578 for deg, got {per_radian:g}")
    angle = keys.get("rotate", 0.0) / per_radian
    y, z = np.cos(angle) * y - np.sin(angle) * z, np.sin(angle) * y + np.cos(angle) * z
    y = -y if keys.get("mirror.y", 0.0) == 1.0 else y
    z = -z if keys.get("mirror.z", 0.0) == 1.0 else z
    if keys.get("inversion", 0.0) == 1.0:
        y, z, line = y[::-1], z[::-1], line[::-1]
    return ProfilePoints(y / scale, z / scale, line, str(path), tuple(ignored))


POINT_LIST = ProfileFormat("point_list", "point lists of CONTACT and Simpack", _points, (".prw", ".prr", _ROUND))
