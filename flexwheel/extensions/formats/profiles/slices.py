"""Lists of rail sections along the track, as CONTACT has them (.slcs).

Comments begin with %. S_OFFSET and S_SCALE: a slice stands at S_SCALE (S_OFFSET + S) mm; then the number of slices,
those of features, kinks and accelerations, the method, and a line for each slice: S and the file of its profile, from
the folder of the list. Features, kinks and accelerations join points of equal arc length across the sections; they are
not read: heights are interpolated at equal y. Both methods (1 interpolates, 2 smooths) are taken as linear.

Source: the lists and the reader of the open CONTACT. Verified in tests/extensions/test_slices.py.
"""

import shlex

from flexwheel.base.errors import ScenarioError
from flexwheel.contact.profiles.profile_format import ProfileFormat

_HEADER = (2, 1, 3, 1)  # numbers of the four lines before the slices


def _numbers(reading, number, words, count):
    try:
        return [float(word) for word in words[:count]] if len(words) >= count else 1 / 0
    except (ValueError, ZeroDivisionError):
        raise ScenarioError(
            f"{reading.path}, line {number} must begin with {count} number{'s' * (count > 1)}, got {' '.join(words)!r}"
        ) from None


def _slices(reading):
    """Places [m] and files of the slices."""
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
    (offset, scale), count = header[0], int(header[1][0])
    if not scale > 0.0:
        raise ScenarioError(f"{path}, line {rows[0][0]}: S_SCALE must be above 0, got {scale:g}")
    slices = rows[len(_HEADER) : len(_HEADER) + count]
    if count < 1 or len(slices) < count:
        raise ScenarioError(f"{path}: NSLC must be the number of its slices, got {count} and {len(slices)} slices")
    found = []
    for number, words in slices:
        place = 1e-3 * scale * (offset + _numbers(reading, number, words, 1)[0])
        if len(words) != 2:
            raise ScenarioError(f"{path}, line {number} must be a place and a file, got {' '.join(words)!r}")
        if found and not place > found[-1][0]:
            raise ScenarioError(f"{path}, line {number}: places must rise, got {words[0]}")
        found.append((place, str(path.parent / words[1])))
    return tuple(found)


def _refused(reading):
    raise ScenarioError(
        f"{reading.path}: a variable profile, sections along the track: name it in contact.along, or give one section "
        "of it as a .prr or text file"
    )


SLICES = ProfileFormat("slices", "sections along the track, of CONTACT", _refused, (".slcs",), slices=_slices)
