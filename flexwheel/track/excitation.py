"""What a geometric excitation of the rails declares: heights by place, such as those of dips, joints or corrugation.

A section [irregularity.NAME] of a scenario switches it on; heights of several add up, and add to spectra and roughness.
The run takes them as a spline of the declared spacing, `response` as the mean spectrum over the length of the run; the
simplified model refuses them by name. Values are entry points in the group "flexwheel.excitations".
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from flexwheel.base.registry import Registry


@dataclass(frozen=True)
class Excitation:
    """A geometric excitation."""

    name: str  # of its section within [irregularity]
    meaning: str
    keys: type  # Section
    # section, places (n,) [m] -> (n, 4) [m] left lateral, left vertical, right lateral, right vertical; left and up
    heights: Callable
    spacing: Callable  # section -> [m] between knots of the spline: a sixth of its shortest wave, or less


EXCITATIONS = Registry("excitation", "flexwheel.excitations", Excitation)


def excitations_of(section):
    """(Excitation, section) of those that a section [irregularity] asks for."""
    asked = [(value, getattr(section, name)) for name, value in EXCITATIONS.items()]
    return [(value, keys) for value, keys in asked if keys is not None]


def sampled_heights(section, first, last):
    """(heights (n, 4) [m], spacing [m]) of the excitations of [irregularity] from `first` [m] on; None without any."""
    asked = excitations_of(section)
    if not asked:
        return None
    spacing = min(value.spacing(keys) for value, keys in asked)
    place = first + spacing * np.arange(int(np.ceil((last - first) / spacing)) + 1)
    return sum(np.asarray(value.heights(keys, place), dtype=float) for value, keys in asked), spacing
