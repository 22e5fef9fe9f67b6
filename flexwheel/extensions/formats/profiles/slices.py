"""Lists of rail sections along the track, as CONTACT has them (.slcs).

Comments begin with %. S_OFFSET and S_SCALE: a slice stands at S_SCALE (S_OFFSET + S) mm; then the number of slices,
those of features, kinks and accelerations, the method, and a line for each slice: S and the file of its profile, from
the folder of the list. Here heights are interpolated linearly at equal y. Features, kinks and accelerations, which
join points of equal arc length across the sections, and method 2, which smooths along the track, are disagreements.

Source: the lists and the reader of the open CONTACT. Verified in tests/extensions/formats/test_slices.py.
"""

import math
import shlex

from flexwheel.base.errors import ScenarioError
from flexwheel.contact.profiles.profile_format import ProfileFormat
from flexwheel.extensions.formats.profiles.profile_text import plain_number

_HEADER = (2, 1, 3, 1)  # numbers of the four lines before the slices
_FEATURES = ("NFEAT", "NKINK", "NACCEL")


def _numbers(reading, number, words, count):
    try:
        values = [plain_number(word) for word in words[:count]]
    except ValueError:
        values = []
    if len(values) < count or not all(map(math.isfinite, values)):
        raise ScenarioError(
            f"{reading.path}, line {number} must begin with {count} finite number{'s' * (count > 1)}, got "
            f"{' '.join(words)!r}"
        )
    return values


def _slices(reading):
    """Places [m] and files of the slices, and disagreements."""
    path, rows = reading.path, []
    for number, text in enumerate(reading.lines, 1):
        try:
            words = shlex.split(text.partition("%")[0])
        except ValueError as error:
            raise ScenarioError(f"{path}, line {number}: {error}") from None
        if words:
            rows.append((number, words))
    if len(rows) < len(_HEADER):
        raise ScenarioError(f"{path}: cut off, expected S_OFFSET and S_SCALE, NSLC, NFEAT and S_METHOD")
    header = [_numbers(reading, *row, count) for row, count in zip(rows, _HEADER, strict=False)]
    (offset, scale), count = header[0], header[1][0]
    if not scale > 0.0:
        raise ScenarioError(f"{path}, line {rows[0][0]}: S_SCALE must be above 0, got {scale:g}")
    slices = rows[len(_HEADER) :]
    if any(header[2]) and count >= 1.0:  # lines of the features follow
        slices = slices[: int(count)]
    if count < 1.0 or len(slices) != count:
        raise ScenarioError(f"{path}: NSLC must be the number of its slices, got {count:g} and {len(slices)} slices")
    found = []
    for number, words in slices:
        place = 1e-3 * scale * (offset + _numbers(reading, number, words, 1)[0])
        if len(words) != 2:
            raise ScenarioError(f"{path}, line {number} must be a place and a file, got {' '.join(words)!r}")
        if found and not place > found[-1][0]:
            raise ScenarioError(f"{path}, line {number}: places must rise, got {words[0]}")
        found.append((place, str(path.parent / words[1])))
    return tuple(found), _asked_beyond(path, header[2], header[3][0])


def _asked_beyond(path, features, method):
    """Disagreements: what a list asks of the surface between its slices that is not built."""
    asked = [f"{name} = {value:g}" for name, value in zip(_FEATURES, features, strict=True) if value]
    asked += [f"S_METHOD = {method:g}"] if method != 1 else []
    if not asked:
        return ()
    heights = "heights are interpolated linearly at equal y between its slices"
    return (("rail_sections", f"{path}: {', '.join(asked)}, but {heights}"),)


def _refused(reading):
    raise ScenarioError(
        f"{reading.path}: a variable profile, sections along the track: name it in contact.along, or give one section "
        "of it as a .prr or text file"
    )


SLICES = ProfileFormat("slices", "sections along the track, of CONTACT", _refused, (".slcs",), slices=_slices)
