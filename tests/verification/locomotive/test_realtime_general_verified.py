"""The real-time locomotive beside the general multibody model on a curve: two derivations, one vehicle and law."""

from dataclasses import replace

import numpy as np

from flexwheel.verification.locomotive.realtime_general import (
    PUBLISHED,
    Case,
    general_motion,
    pairs,
    realtime_motion,
    unmotored_values,
)
from flexwheel.verification.norms import largest, rms_relative


def test_entry_into_a_curve():
    """The first 3 s at steps of 0.5 ms (real time) and 0.05 ms; limits of 5 % rms and 2 % of the static load."""
    case, values = Case(duration=3.0), unmotored_values()
    general, real = general_motion(case, values, 5e-5), realtime_motion(case, values, 5e-4)
    assert 0.015 < np.abs(general.lateral).max() < 0.02
    lateral, load = pairs(real, general, general.load[0].mean())
    lateral, load = rms_relative(*lateral), largest(*load)
    assert lateral < 0.02
    assert load < 0.01
    # what it is compared with varies by far more than the limit
    assert np.ptp(general.load[:, 1, 0]) > 0.08 * general.load[0].mean()


def test_motors_and_published_profiles():
    """The first 3 s with motors driving; lateral motion of the entry, and loads, which the torque shifts by 1 %."""
    case, values = replace(PUBLISHED, duration=3.0), unmotored_values()
    general, real = general_motion(case, values, 5e-5), realtime_motion(case, values, 5e-4)
    assert 0.001 < np.abs(general.lateral).max() < 0.004
    lateral, load = pairs(real, general, general.load[0].mean())
    lateral, load = rms_relative(*lateral), largest(*load)
    assert lateral < 0.02
    assert load < 0.015  # at the start, before the gears have settled
    assert np.abs(real.load[30:] - general.load[30:]).max() < 0.004 * general.load[0].mean()
