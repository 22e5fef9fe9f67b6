"""Contact in pictures: the strips found again are those of the contact law, patches keep their numbers."""

import numpy as np
import pytest

from flexwheel.assess.evaluate.contact_strips import PATCH_NAMES, wheel_strips
from flexwheel.assess.figures.contact_figures import patch_tracks
from flexwheel.base.errors import FlexwheelError
from flexwheel.base.variables import PATCH
from flexwheel.contact.contact_tables import make_contact_result, make_contact_scratch, make_contact_tables
from flexwheel.contact.profiles.placement import place
from flexwheel.contact.profiles.rail_60e1 import rail_60e1
from flexwheel.contact.profiles.s1002 import s1002
from flexwheel.contact.wheel_rail import OK, WheelMotion, wheel_rail_contact
from flexwheel.numerics.kernels import handle

R0, SPEED = 0.46, 22.0
MOVING = SPEED, 0.0
DRAWN = 0.15  # of an area: 8 strips by their middles have 2 % of a half-ellipse too much, wide ones at its ends more


def pressed(shift, yaw, creep):
    """Contact tables, the patches (count, columns) of a wheel that bears what one of a vehicle does, and as stored."""
    rail = rail_60e1(1 / 40)
    tables = make_contact_tables(s1002(), rail, place(rail), friction=0.3)
    result = make_contact_result()
    motion = WheelMotion(
        np.array([0.0, shift, 2e-3, 0.003, 0.0, yaw]),
        np.array([creep * SPEED, -yaw * SPEED, 0.0, 0.0, SPEED / R0, 0.0]), np.zeros(3), SPEED,
    )  # fmt: skip
    for _ in range(400):
        status, count = wheel_rail_contact(
            handle(tables), R0, motion, handle(make_contact_scratch(tables)), handle(result)
        )
        if result.wrench[2] > 7e4:
            break
        motion.d[2] -= 2e-5
    assert status == OK
    stored = {name: np.zeros(4, np.float32) for name in PATCH_NAMES}
    for name in PATCH_NAMES:
        stored[name][:count] = result.patches[:count, PATCH._fields.index(name)]
    return tables, result.patches[:count], {name: values.astype(float) for name, values in stored.items()}


@pytest.mark.parametrize(
    ("shift", "yaw", "creep"), [(0.002, 0.0, 0.0002), (-0.005, -0.008, 0.003), (-0.003, 0.004, 0.0)]
)
def test_strips_found_again_are_those_of_the_law(shift, yaw, creep):
    tables, rows, stored = pressed(shift, yaw, creep)
    found = wheel_strips(tables, R0, stored, (yaw, 0.0), MOVING)
    assert len(found) == len(rows)
    off = {name: np.zeros(4) for name in PATCH_NAMES}
    assert wheel_strips(tables, R0, off, (yaw, 0.0), MOVING) == []
    for patch in found:
        row = rows[np.argmin(np.abs(rows[:, PATCH.y_rail] - patch.stored["y_rail"]))]
        area = float((2.0 * patch.half) @ patch.width)
        assert area == pytest.approx(row[PATCH.area], rel=DRAWN)
        # that between the strips and cells of the largest is half of its fall to the next ones
        assert patch.pressure.max() == pytest.approx(row[PATCH.peak_pressure], rel=0.06)
        cell = np.outer(patch.half * patch.width, patch.length)
        assert np.sum(cell * patch.pressure) == pytest.approx(row[PATCH.normal_force], rel=0.01)
        force = np.einsum("nca,nc->a", patch.traction, cell)
        np.testing.assert_allclose(
            force, row[[PATCH.force_x, PATCH.force_y]], atol=0.005 * 0.3 * row[PATCH.normal_force]
        )
        most = np.linalg.norm(patch.traction, axis=2)[patch.slides]
        assert patch.slides.any() and np.all(most > 0.0)
        assert patch.slides.mean() > 0.5 or creep < 1e-3


def test_zones_that_merge_have_strips():
    """Of readings of zones that merge, those of the larger share, each with its whole load."""
    tables, rows, stored = pressed(0.0054, -0.008, 0.003)
    assert len(rows) == 3 and rows[:, PATCH.share] == pytest.approx([0.95, 0.05, 0.95], abs=0.02)
    found = wheel_strips(tables, R0, stored, (-0.008, 0.0), MOVING)
    kept = rows[[0, 2]]
    loads = [patch.stored["normal_force"] for patch in found]
    assert loads == pytest.approx(kept[:, PATCH.normal_force] / kept[:, PATCH.share], rel=1e-4)
    assert sum(loads) == pytest.approx(rows[:, PATCH.normal_force].sum(), rel=0.01)
    areas = [float((2.0 * patch.half) @ patch.width) for patch in found]
    assert areas == pytest.approx(kept[:, PATCH.area], rel=DRAWN)
    assert max(patch.apart for patch in found) < 0.01  # a fifth of what is refused


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", ["area", "peak_pressure"])
def test_strips_of_damaged_results_are_refused(name):
    tables, _, stored = pressed(0.002, 0.0, 0.0002)
    with pytest.raises(FlexwheelError, match="strips found again are of nothing that is stored"):
        wheel_strips(tables, R0, {**stored, name: np.zeros(4)}, (0.0, 0.0), MOVING)
    for changed in (name, "y_wheel", "xi"):
        with pytest.raises(FlexwheelError, match="not finite"):
            wheel_strips(tables, R0, {**stored, changed: np.full(4, np.nan)}, (0.0, 0.0), MOVING)


def test_patches_keep_their_numbers():
    place_mm = np.array([[-4, 0], [-4, 0], [-4, -34], [-4, -34], [-34.5, 0], [-34, 0], [-35, -4], [-35, -20]], float)
    load = np.array([[1, 0], [1, 0], [1, 1], [1, 1], [1, 0], [1, 0], [1, 1], [1, 1]], float)
    track = patch_tracks(1e-3 * place_mm, load)
    assert track.tolist() == [[0, -1], [0, -1], [0, 1], [0, 1], [1, -1], [1, -1], [1, 0], [1, 0]]
    alone = patch_tracks(1e-3 * np.array([[-4.0], [-34.0], [-4.5]]) * (1.0, 0.0), np.ones((3, 1)) * (1.0, 0.0))
    assert alone[:, 0].tolist() == [0, 1, 0]  # a jump is to another place, not the same patch on its way
