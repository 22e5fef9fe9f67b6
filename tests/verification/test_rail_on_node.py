"""A load on a node of the rail, and a hair beside it: one place, one receptance."""

from dataclasses import replace

import numpy as np

from flexwheel.numerics.integration import newmark
from flexwheel.track.flexible_build import make_window
from flexwheel.track.loaded_element import TOLERANCE
from flexwheel.track.track_parameters import flexible_track
from flexwheel.verification.benches.struck_rail import START, struck_window

BAY = 0.61  # with 71 bays of window a place one rounding before the node is rounded onto it or not, as it is computed


def test_a_load_beside_a_node_is_one_on_it():
    coefficients = newmark(5e-5)
    model = make_window(replace(flexible_track(), bay=BAY), coefficients, elements=4, window_bays=71)
    node, element, frequency = START * model.bay, model.element, np.array([300.0, 700.0, 1000.0, 1259.0])
    beside = [-2e-12, -3e-14, 0.0, 3e-14, 2e-12]  # elements
    places = [x * element for x in beside] + [n * np.spacing(node) for n in range(-3, 4)]
    found = np.array([struck_window(model, coefficients, x, frequency, 0.03) for x in places])
    before, after = (struck_window(model, coefficients, x * element, frequency, 0.03) for x in (-1e-6, 1e-6))
    smooth = np.abs(after / before - 1.0)  # over 2e-6 of an element, a million times as far
    # columns of the inverse mass are cut where TOLERANCE of their momentum is left, a node further from one element on;
    # its receptance in front of all others', a resonance's twenty fold
    assert np.all(np.abs(found / before - 1.0) < smooth + 20.0 * TOLERANCE)
