"""Sections of rails at stations along the track: read, put on one grid, checked.

Verified in tests/contact/test_rail_along_verified.py.
"""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.contact.profile_cells import FINE_STEP, cells_of, touchable
from flexwheel.contact.profiles.placement import gauge_point
from flexwheel.contact.profiles.profile import Profile, profile_height
from flexwheel.contact.profiles.profile_file import oriented_points, section_curve
from flexwheel.contact.profiles.profile_format import PROFILE_FORMATS, ProfileReading
from flexwheel.contact.rail_along import FLOOR, RailAlong, RailSections
from flexwheel.run.build.build_contact import chosen_rail, file_options

STEEPEST_RISE = 0.1  # along the track, of the surface along its normal
DEEPEST_HEAD = 0.020  # [m] below z = 0 of a section that stands in its file as in the track
_MARGIN = 3.0 * FINE_STEP  # [m] of no rail beside sections of different widths
_SEEN, _EDGE = -0.010, 0.7  # [m] height above which rises are checked; cosine below which an edge may shift sideways


@dataclass(frozen=True)
class RailAtStation:
    """Section of a rail at a station."""

    place: float  # [m] along the track
    name: str
    heads: tuple[Profile, ...]  # one, or several beside each other; height 0: the running surface of the plain rail
    shift: float  # [m] from their y to that from the track centre line, left side


def read_stations(section, side, rail):
    """Sections of a rail along the track, and disagreements; rail: its own profile, where a station names none."""
    half, found, doubts = 0.5e-3 * section.gauge_mm, [], []
    for k, station in enumerate(section.along):
        key, file = f"contact.along.{k}", station.file
        if station.datum == "file" and file.inclined is False:
            raise ScenarioError(f"{key}.file.inclined must be true or left out with datum = 'file', got false")
        if station.rail not in (side, "both"):
            continue
        rows, beyond = slices_of(station.profile)
        doubts += beyond
        for ahead, name in rows:
            if station.datum == "file":
                options = replace(file_options(file, f"{key}.file"), shift_y_mm=station.shift_y_mm)
                heads, shift = read_heads(name, options), half
            elif name:
                profile, more = chosen_rail(section, name, file, f"{key}.file", f"{key}.profile", station.inclination)
                heads, shift = (profile,), half - gauge_point(profile)
                doubts += more
            else:
                heads, shift = (rail,), half - gauge_point(rail)
            place = station.at_m + ahead
            if found and not place > found[-1].place:
                raise ScenarioError(f"{key}: at {place:g} m, expected more than the {found[-1].place:g} m before it")
            found.append(RailAtStation(place, name or rail.name, heads, shift))
    return tuple(found), doubts


def slices_of(path):
    """(place [m], file) of a list of sections along the track, (0, the name itself) of any other; disagreements."""
    suffix = Path(path).suffix.lower()
    lists = (item.slices for item in PROFILE_FORMATS.values() if item.slices and suffix in item.suffixes)
    found = next(lists, None)
    return (((0.0, path),), ()) if found is None else found(ProfileReading(Path(path)))


def read_heads(path, options) -> tuple[Profile, ...]:
    """Heads of a rail's section from a file, as they stand in it: its own y, heights over its z = 0.

    A head is a part no deeper than DEEPEST_HEAD. A nose and a wing rail with a flangeway between them are two.

    Raises
    ------
    ScenarioError             what `read_profile` refuses but the sizes of a plain rail; no head
    """
    points, y, height, line = oriented_points(path, "rail", options)
    ends = np.flatnonzero(np.diff(np.pad(height > -DEEPEST_HEAD, 1).astype(int))).reshape(-1, 2)
    if not ends.size:
        raise ScenarioError(
            f"{points.source}: nothing of it is above z = {1e3 * DEEPEST_HEAD:g} mm, expected the running surface at "
            f"z = 0, z down (see {options.label('mirror_z')})"
        )
    for a, b in ends:
        part = height[a:b]
        if part.max() - min(part[0], part[-1]) < 0.5 * np.ptp(part):
            raise ScenarioError(f"{points.source}: a head is hollow with z down: set {options.label('mirror_z')}")
    parts = [section_curve(points, "rail", y[a:b], height[a:b], line[a:b], options) for a, b in ends]
    return tuple(Profile(points.source, "rail", *part) for part in parts)


def with_sections(tables, sections, placement):
    """ContactTables of a wheel on a rail of RailSections, the first one laid.

    Raises
    ------
    ScenarioError        two neighbours between which the rail rises by more than STEEPEST_RISE along the track
    """
    parts = []  # of each section: profile, its shift and ends
    for section in sections:
        shift = section.shift - placement.rail_y
        parts.append([(head, shift, *touchable(head, int(np.argmax(head.height)))) for head in section.heads])
    firsts = [min(first + shift for _, shift, first, _ in heads) for heads in parts]
    lasts = [max(last + shift for _, shift, _, last in heads) for heads in parts]
    start, end = min(firsts), max(lasts)
    if max(firsts) - start > 1e-9 or end - min(lasts) > 1e-9:  # the end cells are extended: let them be level
        start, end = start - _MARGIN, end + _MARGIN
    y = start + FINE_STEP * np.arange(int((end - start) / FINE_STEP + 1e-9) + 1)
    table = np.zeros((len(parts), y.size, 2))
    table[:, :, 0] = FLOOR
    for row, heads in zip(table, parts, strict=True):
        for head, shift, first, last in heads:
            here = (y - shift >= first - 1e-12) & (y - shift <= last)
            height, slope, _ = profile_height(head, np.maximum(y[here] - shift, first))
            row[here] = np.where((height > row[here, 0])[:, None], np.column_stack([height, slope]), row[here])
    _check_rises(sections, table, y)
    place = np.array([section.place for section in sections])
    height, slope = np.ascontiguousarray(np.moveaxis(table, 2, 0))
    first = np.stack([height[0], slope[0], np.zeros(y.size)])
    along = RailAlong(place, height, slope, first, placement.radius, np.full(1, -1, dtype=np.int64))
    pair = tables.pair._replace(rail=cells_of(*table[0].T), rail_start=float(start))
    return tables._replace(pair=pair, along=along)


def _steepest_rise(a, b, before, after):
    """Largest rise along the track between RailSections a and b, tables (nr, 2), and the number of its node."""
    cosine = 1.0 / np.sqrt(1.0 + np.maximum(before[:, 1] ** 2, after[:, 1] ** 2))
    rise = np.abs(after[:, 0] - before[:, 0]) * cosine / (b.place - a.place)
    ends = (np.minimum(before[:, 0], after[:, 0]) <= FLOOR) & (cosine < _EDGE)
    rise[(np.maximum(before[:, 0], after[:, 0]) < _SEEN) | ends] = 0.0
    return rise.max(), int(np.argmax(rise))


def _check_rises(sections, table, y):
    """Refuse neighbours between which the rail rises too steeply along the track."""
    for k, (a, b) in enumerate(zip(sections[:-1], sections[1:], strict=True)):
        rise, i = _steepest_rise(a, b, table[k], table[k + 1])
        if rise > STEEPEST_RISE:
            raise ScenarioError(
                f"contact.along: from {a.name} at {a.place:g} m to {b.name} at {b.place:g} m the rail changes by "
                f"{1e3 * abs(table[k + 1, i, 0] - table[k, i, 0]):.3g} mm at {1e3 * y[i]:.1f} mm from the crown, 1:"
                f"{1.0 / rise:.2g} along the track, expected 1:{1.0 / STEEPEST_RISE:g} at most: put sections between"
            )


STATIONS = RailSections("stations", read_stations, with_sections)
