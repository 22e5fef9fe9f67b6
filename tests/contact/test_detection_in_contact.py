"""Contact law with each detection method: the same forces as with the scan, wherever both see the same points."""

import numpy as np
import pytest

from flexwheel.contact.contact_tables import make_contact_result, make_contact_scratch, make_contact_tables
from flexwheel.contact.profiles.placement import place
from flexwheel.contact.profiles.rail_60e1 import rail_60e1
from flexwheel.contact.profiles.s1002 import s1002
from flexwheel.contact.wheel_rail import OK, WheelMotion, wheel_rail_contact
from flexwheel.numerics.kernels import handle
from flexwheel.run.build.build_contact import with_detection

POSES = [(0.0, 0.0, 0.0), (2e-3, 1e-3, 2e-3), (-3e-3, -5e-4, -4e-3), (5e-3, 0.0, 1e-3)]  # y [m], roll, yaw [rad]
LOAD = 60e3  # [N]


def pressed(tables, pose):
    """Height [m] at which the wheel bears LOAD."""
    low, high = -2e-3, 2e-3
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if wrench(tables, pose, middle)[0][2] > LOAD else (low, middle)
    return middle


def wrench(tables, pose, z):
    y, roll, yaw = pose
    result = make_contact_result()
    d, v = np.array([0.0, y, z, roll, 0.0, yaw]), np.array([0.0, 0.0, 0.0, 0.0, 48.3, 0.0])
    motion = WheelMotion(d, v, np.zeros(3), 22.2)
    status, count = wheel_rail_contact(
        handle(tables), 0.46, motion, handle(make_contact_scratch(tables)), handle(result)
    )
    assert status == OK
    return result.wrench, count


@pytest.mark.parametrize("method", ["dist", "grid"])
def test_forces_do_not_depend_on_the_method(method):
    rail = rail_60e1(0.025)
    tables = make_contact_tables(s1002(), rail, place(rail))
    other = with_detection(method, tables)
    for pose in POSES:
        z = pressed(tables, pose)
        expected, count = wrench(tables, pose, z)
        found, same = wrench(other, pose, z)
        assert same == count > 0
        # the scan ends 1e-8 m from the root of DIST
        np.testing.assert_allclose(found, expected, atol=2e-4 * expected[2])
