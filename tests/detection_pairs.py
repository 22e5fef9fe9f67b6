"""Profile pairs for the tests of the contact detection."""

import functools

import numpy as np

from flexwheel.contact.contact_tables import make_contact_tables
from flexwheel.contact.detection.detection_tables import make_detection_tables
from flexwheel.contact.profiles.placement import Placement, place
from flexwheel.contact.profiles.profile import Profile
from flexwheel.contact.profiles.rail_60e1 import rail_uic60_manchester
from flexwheel.contact.profiles.s1002 import s1002

R0, WHEEL_Y = 0.46, 0.75


@functools.cache
def manchester(inverse=40):
    """ContactTables of S1002 on UIC60 1:40 or 1:20."""
    rail = rail_uic60_manchester(1 / inverse)
    return make_contact_tables(s1002(), rail, place(rail, radius=R0))


@functools.cache
def detection(inverse=40):
    """DetectionTables of that pair without networks."""
    return make_detection_tables(manchester(inverse))


def circles(wheel_radius, rail_radius):
    """ContactTables of a wheel and a rail whose sections are circles convex to each other, tops facing at y = 0."""
    y = np.arange(-0.035, 0.03500001, 5e-5)

    def arc(name, kind, radius):
        root = np.sqrt(radius**2 - y**2)
        return Profile(name, kind, y, root - radius, -y / root, np.full(y.size, -1.0 / radius))

    place_both = Placement(rail_y=0.75, wheel_y=0.75, radius=R0)
    return make_contact_tables(arc("wheel", "wheel", wheel_radius), arc("rail", "rail", rail_radius), place_both)
