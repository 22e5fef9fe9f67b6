"""Worn pairs: no contact is lost where a rail ends, nor where patches merge in more ways than a result has rows."""

import numpy as np
import pytest

from flexwheel.base.variables import PATCH, PATCH_MAX
from flexwheel.contact.contact_tables import make_contact_result, make_contact_scratch, make_contact_tables
from flexwheel.contact.gap import CELL, OFF, depth_at, locus_point, make_pose
from flexwheel.contact.geometry import first_touch
from flexwheel.contact.rail_along import lay_at
from flexwheel.contact.wheel_rail import OK, WheelMotion, elastic_load, wheel_rail_contact
from flexwheel.extensions.sections.stations import RailAtStation, with_sections
from flexwheel.numerics.kernels import handle, kernel
from flexwheel.verification.worn_profiles import worn_pairs, worn_rail


@kernel
def _depths(pair, pose, places, depths):
    for i in range(places.size):
        depths[i] = depth_at(pair, pose, places[i])


def laid(tables, pair):
    """The same rail as the first of two sections along the track, the other one wider."""
    sections = [
        RailAtStation(place, rail.name, (rail,), pair.placement.rail_y)
        for place, rail in ((0.0, pair.rail), (1.0, worn_rail()))
    ]
    tables = with_sections(tables, sections, pair.placement)
    lay_at(tables, -1.0)
    return tables


@pytest.mark.parametrize(("yaw", "along"), [(-0.0415, False), (0.0, False), (0.0, True)])
def test_the_deepest_overlap_carries_load_where_the_rail_ends(yaw, along):
    """Half-way between two points of the scan, 0.5 mm apart, a face of 75 degrees falls by 2 mm.

    Two maxima within one step are read as one, not always the deeper.
    """
    pair = worn_pairs()["both on corner 3"]
    tables = make_contact_tables(pair.wheel, pair.rail, pair.placement, friction=0.0)
    if along:
        tables = laid(tables, pair)
    places = tables.pair.wheel_start + 2e-5 * np.arange(1600)  # the flange, every 20 um
    depths = np.zeros(places.size)
    tried = 0
    for shift in np.linspace(0.0077, 0.0110, 12):
        height = 0.0
        for _ in range(8):  # to where the flange touches
            d = np.array([0.0, shift, height, 0.0, 0.0, yaw])
            _depths(tables.pair, make_pose(tables.offset, pair.placement.radius, d), places, depths)
            height += depths.max()
        d[2] = height - 3e-4
        _depths(tables.pair, make_pose(tables.offset, pair.placement.radius, d), places, depths)
        deepest = int(depths.argmax())
        if deepest + 1 == places.size or min(depths[deepest - 1], depths[deepest + 1]) < OFF:
            continue  # in the throat, or on the very end of the rail
        tried += 1
        scratch, result = make_contact_scratch(tables), make_contact_result()
        motion = WheelMotion(d, np.zeros(6), np.zeros(3), 1.0)
        _, count = wheel_rail_contact(handle(tables), pair.placement.radius, motion, handle(scratch), handle(result))
        found = np.abs(scratch.peaks.places - places[deepest]) < 5e-4
        assert count > 0 and scratch.peaks.heights[found].max(initial=0.0) > 0.5 * depths[deepest], shift
    assert tried >= 3


def test_more_readings_than_rows_bear_as_those_beside_them():
    """Facets on the gauge corner, pressed 0.18 to 0.21 mm deep: load goes on as readings exceed rows.

    By Hertz the load grows with depth^1.5, by 0.8 % in a step of 1 um; three times that is allowed. The heaviest have
    the rows.
    """
    pair = worn_pairs()["new on ground"]
    tables = make_contact_tables(pair.wheel, pair.rail, pair.placement, friction=0.0)
    scratch, result, radius = make_contact_scratch(tables), make_contact_result(), pair.placement.radius
    compiled, kept = handle(tables), handle(scratch)
    d = np.array([0.0, 0.006595, 0.0, -0.003221, 0.0, 0.0])
    touch, loads, fits = first_touch(pair, d[1], d[3], 0.0)[0], [], []
    for depth in np.arange(180e-6, 210e-6, 1e-6):
        d[2] = touch - depth
        motion = WheelMotion(d, np.zeros(6), np.zeros(3), 1.0)
        status, count = wheel_rail_contact(compiled, radius, motion, kept, handle(result))
        fits.append(elastic_load(compiled, radius, d, kept)[1])
        loads.append(result.wrench[2])
        assert status == OK and count <= PATCH_MAX
        rows = result.patches[:count]
        borne = rows[:, PATCH.normal_force] @ np.cos(rows[:, PATCH.contact_angle])
        assert borne == pytest.approx(loads[-1], rel=1e-9 if fits[-1] else 1.0 / PATCH_MAX)
    assert not all(fits)
    assert np.abs(np.diff(np.log(loads))).max() < 0.025


def test_an_edge_between_two_samples_is_found_and_its_depth_known():
    """The flange on the edge of a facet, 23 to 57 um deep between samples of the scan that stand 60 um apart from it.

    Loads of punches grow with a power of the depth from 1 (flat) to 2 (cone); a tenth more is allowed each way.
    """
    pair = worn_pairs()["new on ground"]
    tables = make_contact_tables(pair.wheel, pair.rail, pair.placement, friction=0.0)
    scratch, result, radius = handle(make_contact_scratch(tables)), make_contact_result(), pair.placement.radius
    d = np.array([0.0, 6.56e-3, 0.0, 0.0, 0.0, 0.0])
    touch, depths, loads = first_touch(pair, d[1], 0.0, 0.0)[0], np.arange(64e-6, 130e-6, 1e-6), []
    for depth in depths:
        d[2] = touch - depth
        motion = WheelMotion(d, np.zeros(6), np.zeros(3), 1.0)
        status, count = wheel_rail_contact(handle(tables), radius, motion, scratch, handle(result))
        flange = result.patches[:count, PATCH.y_wheel] < -0.038
        assert status == OK and np.count_nonzero(flange) == 1, depth
        loads.append(float(result.patches[:count][flange, PATCH.normal_force][0]))
    growth = np.diff(np.log(loads)) / np.diff(np.log(depths))
    assert 0.9 < growth.min() and growth.max() < 2.2


def test_a_rail_goes_on_straight_beyond_its_end():
    """Its first cell is bent: half a cell before it the height is that of the tangent there, to rounding."""
    pair = worn_pairs()["new on new"]
    tables = make_contact_tables(pair.wheel, pair.rail, pair.placement, friction=0.0)
    cells = tables.pair.rail.copy()
    cells[0, CELL.c2] += 2e-5
    bent = tables.pair._replace(rail=cells)
    half = 0.5 / bent.inverse_step
    wheel_y = 0.0
    for ahead in (-half, -0.5 * half):
        pose = make_pose(
            0.0, pair.placement.radius, np.array([0.0, bent.rail_start + ahead - wheel_y, 0.0, 0.0, 0.0, 0.0])
        )
        found = locus_point(bent, pose, wheel_y)
        assert found.slope == pytest.approx(locus_point(tables.pair, pose, wheel_y).slope, abs=1e-9)
