"""Numbers of a page as they are kept."""

import numpy as np

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
