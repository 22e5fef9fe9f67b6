"""Force elements in linear analysis, as their laws declare it."""

import numpy as np

from flexwheel.vehicle.elements.columns import LAW, SuspensionElements
from flexwheel.vehicle.elements.force_law import LAWS, place_of


def linear_elements(elements: SuspensionElements, friction="sticking", series=True) -> SuspensionElements:
    """Elements for a linear analysis: sliders stuck or free; series dampers that damp nothing are without force.

    friction: "sticking" keeps the series stiffness of friction dampers, "sliding" drops it.
    series: False takes the series springs of dampers as rigid, for models that have no state for them.
    """
    if friction not in ("sticking", "sliding"):
        raise ValueError(f"friction must be 'sticking' or 'sliding', got {friction!r}")
    integer = elements.integer.copy()
    for e, row in enumerate(integer):
        law = LAWS[row[LAW]]
        if not series and law.without_state is not None:
            law = law.without_state
        row[LAW] = place_of(law.linear(law, elements, e, friction))
    return elements._replace(integer=integer)


def relaxations(elements: SuspensionElements):
    """Elements (Z,) with a state of their own in linear analysis, and r (Z,) [1/s] of z' = r (x - z)."""
    laws = [LAWS[place] for place in elements.integer[:, LAW]]
    rows = [e for e, law in enumerate(laws) if law.relaxation is not None]
    return np.array(rows, dtype=int), np.array([laws[e].relaxation(elements, e) for e in rows])


def kinks(elements: SuspensionElements, poses, reach, speed_reach):
    """Laws whose slope changes where the elements stand, at rest.

    Parameters
    ----------
    poses : Poses
    reach, speed_reach : float [m], [m/s]     how near a change of slope counts

    Returns
    -------
    list of (element, text)    the text gives both slopes
    """
    laws = (LAWS[place] for place in elements.integer[:, LAW])
    return [(e, text) for e, law in enumerate(laws) for text in law.kinks(elements, e, poses, reach, speed_reach)]
