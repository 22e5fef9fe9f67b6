"""Nodes over which a contact force is spread: stress there is that of the spreading, not of the wheel.

The contact force acts on the profile as a rigid line (tread): it is spread over the profile nodes of the loaded
section, in the end on single nodes, so that the stress at these nodes and next to them hangs on the mesh. Contact
stresses themselves belong to the contact law (patch_peak_pressure).
"""

import numpy as np

ON_PROFILE = 1e-3  # [m] from the line through the profile nodes
SECTIONS = 1  # loaded beside the lowest one: a mesh that spins carries the force between two


def on_running_surface(treads, y, radius):
    """(n,) bool: points whose place in the half section lies on a profile.

    Parameters
    ----------
    treads : sequence of Tread      profile (P, 2): y, r
    y, radius : (n,) float [m]      mesh coordinates
    """
    points = np.stack([np.atleast_1d(y), np.atleast_1d(radius)], axis=-1)
    found = np.zeros(len(points), dtype=bool)
    for tread in treads:
        for first, last in zip(tread.profile[:-1], tread.profile[1:], strict=True):
            along = last - first
            square = max(float(along @ along), 1e-300)
            part = np.clip((points - first) @ along / square, 0.0, 1.0)
            found |= np.linalg.norm(points - first - part[:, None] * along, axis=1) <= ON_PROFILE
    return found


def spread_nodes(surface, treads, centre):
    """(Ns,) bool: surface nodes that carry a contact force at the lowest point, and those that share a face with them.

    Parameters
    ----------
    surface : SurfaceModes          position counts from the mass centre
    treads : sequence of Tread
    centre : (3,) [m]               mass centre, mesh coordinates
    """
    place = surface.position + np.asarray(centre)
    step = abs(float(treads[0].angle[1] - treads[0].angle[0])) if len(treads[0].angle) > 1 else np.pi
    angle = np.arctan2(surface.position[:, 0], -surface.position[:, 2])
    loaded = on_running_surface(treads, place[:, 1], np.hypot(place[:, 0], place[:, 2]))
    loaded &= np.abs(angle) <= (SECTIONS + 0.01) * step
    marked = loaded.copy()
    for faces in (surface.quads, surface.triangles):
        marked[faces[loaded[faces].any(axis=1)]] = True
    return marked
