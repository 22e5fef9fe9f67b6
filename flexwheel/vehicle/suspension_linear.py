"""Force elements in linear analysis, as their laws declare it; stiffness and damping matrices about a given pose."""

import numpy as np

from flexwheel.vehicle.elements.columns import DAMPER_TABLE, FORCE_TABLE, LAW, Poses, SuspensionElements
from flexwheel.vehicle.elements.force_law import LAWS, place_of
from flexwheel.vehicle.suspension import forces_at


def _small_rotation(vector):
    """Rotation matrix of a rotation vector (Rodrigues)."""
    angle = np.linalg.norm(vector)
    if angle == 0.0:
        return np.eye(3)
    x, y, z = vector / angle
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


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


def suspension_matrices(elements, poses, state, step=1e-6):
    """Stiffness and damping by central differences of the forces, internal states held.

    Parameters
    ----------
    elements, poses, state : SuspensionElements, Poses, SuspensionState
    step : float     of displacement [m, rad] and of velocity [m/s, rad/s]

    Returns
    -------
    stiffness, damping : (6 B, 6 B)    minus the derivative of the wrenches by (displacement, small
                                       rotation vector)
                                       of each body and by their rates, global axes
    """
    position, rotation, velocity, omega = poses
    bodies = len(position)
    size = 6 * bodies

    def forces(p, r, v, o):
        return forces_at(elements, Poses(p, r, v, o), state).ravel()

    stiffness, damping = np.empty((size, size)), np.empty((size, size))
    for b in range(bodies):
        for i in range(6):
            ends = []
            for sign in (1.0, -1.0):
                p, r = position.copy(), rotation.copy()
                shift = np.zeros(3)
                shift[i % 3] = sign * step
                if i < 3:
                    p[b] += shift
                else:
                    r[b] = _small_rotation(shift) @ r[b]
                v, o = velocity.copy(), omega.copy()
                (v if i < 3 else o)[b] += shift
                ends.append((forces(p, r, velocity, omega), forces(position, rotation, v, o)))
            stiffness[:, 6 * b + i] = (ends[1][0] - ends[0][0]) / (2 * step)
            damping[:, 6 * b + i] = (ends[1][1] - ends[0][1]) / (2 * step)
    return stiffness, damping
