"""Receptances of the rails of a scenario under moving loads, of every rail model that has one."""

import numpy as np

from flexwheel.assess.linear.moving_receptance import MovingReceptance, moving_receptance
from flexwheel.base.errors import ScenarioError
from flexwheel.extensions.rails.massless import springs_and_dampers

LEAST_STEP = 0.05  # [Hz]
STEADY_MARGIN = 6  # waves beyond the harmonics of the steady load's answer


def rail_table(track, supports, speed, highest_hz, distances, settings):
    """MovingReceptance up to highest_hz and the harmonics beyond, and that of a steady load with all its harmonics.

    Parameters
    ----------
    track : TrackSection
    supports : FlexibleTrack or None
    distances : (L,) [m]
    settings : with step_hz, harmonics

    Returns
    -------
    MovingReceptance, MovingReceptance or None      None: the rail is the same everywhere
    """
    if track.model == "flexible":
        passing = speed / supports.bay
        step = max(min(settings.step_hz, passing), LEAST_STEP)
        beyond = highest_hz + (settings.harmonics + 1) * passing
        rail = moving_receptance(supports, speed, beyond, distances, settings.harmonics, step)
        most = int(np.ceil(highest_hz / passing))
        steady = moving_receptance(supports, speed, 0.0, distances, most, passing, most + STEADY_MARGIN)
        return rail, steady
    if track.model not in ("massless", "rigid"):
        raise ScenarioError(
            f"track.model must be 'flexible', 'massless' or 'rigid' for a response, got {track.model!r}"
        )
    frequency = np.arange(0.0, highest_hz + 3.0 * settings.step_hz, settings.step_hz)
    s = 2j * np.pi * frequency[:, None]
    table = np.zeros((2, len(distances), 1, len(frequency), 4, 4), dtype=complex)
    if track.model == "massless":
        stiffness, damping = springs_and_dampers(track)
        own = np.argmin(np.abs(distances))
        table[0, own, 0][:, range(4), range(4)] = 1.0 / (stiffness + s * damping)
        table[1, own, 0][:, range(4), range(4)] = s / (stiffness + s * damping)
    return MovingReceptance(frequency, settings.step_hz, np.zeros(1, dtype=int), np.asarray(distances), *table), None
