"""Numbers of a page as they are kept."""

import numpy as np
import pytest

from flexwheel.extensions.web.body_meshes import drawn_mesh
from flexwheel.extensions.web.packing import Packer


def test_numbers_stand_to_a_part_of_their_range_and_none_stays_none():
    rows = np.array([[1.0, np.nan, -3.0, 5.0], [2.0, 2.0, 2.0, 2.0]])
    packer = Packer()
    packer.add_rows("x", rows)
    entry, octets = packer.entries["x"], np.frombuffer(packer._parts[0], np.uint8)[:16].astype(int)
    low, high = np.moveaxis(octets.reshape(2, 2, 4), 1, 0)
    whole = np.cumsum(low + 256 * high, axis=1).astype(np.int16)
    again = np.array(entry["middle"])[:, None] + np.array(entry["scale"])[:, None] * whole
    again[whole == -32768] = np.nan
    np.testing.assert_allclose(again, rows, atol=0.5 * 8.0 / 65534, rtol=1e-9)


def test_faces_of_five_corners_are_drawn(tmp_path):
    """A square of 2 m with a roof of 1 m, as one face: its area is kept."""
    (tmp_path / "house.obj").write_text("v 0 0 0\nv 2 0 0\nv 3 1 0\nv 2 2 0\nv 0 2 0\nf 1 2 3 4 5\n")
    points, faces, count = drawn_mesh(tmp_path / "house.obj", "m")
    a, b, c = (points[faces[:, k]] for k in range(3))
    assert count == 3 and 0.5 * np.cross(b - a, c - a)[:, 2].sum() == pytest.approx(5.0)
