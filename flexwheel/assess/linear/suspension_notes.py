"""What linear analysis takes otherwise than a run does, in words."""

import numpy as np

from flexwheel.vehicle.elements.columns import DAMPER_TABLE, FORCE_TABLE, LAW, SuspensionElements
from flexwheel.vehicle.elements.force_law import LAWS
from flexwheel.vehicle.suspension_linear import linear_elements


def linear_notes(elements: SuspensionElements, poses, friction):
    """Lines on how the force elements, as they are in a run, are taken in linear analysis, at these poses."""
    place = elements.integer[:, LAW]
    same = linear_elements(elements, friction).integer[:, LAW] == place
    lines = []
    for p in np.unique(place):
        if LAWS[p].note is not None:
            lines.append(LAWS[p].note(elements, np.flatnonzero((place == p) & same), poses, friction))
    two_sided = np.array([not LAWS[p].one_sided for p in place], dtype=bool)
    tables = np.any(elements.integer[:, FORCE_TABLE : FORCE_TABLE + 3] >= 0, axis=1) & two_sided
    tables |= elements.integer[:, DAMPER_TABLE] >= 0
    if np.any(tables):
        lines.append(f"{np.sum(tables)} tabulated laws by their slope at rest")
    return tuple(line for line in lines if line)
