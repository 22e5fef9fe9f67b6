"""Stress range of a wheel's web under the three load cases of EN 13979-1, by direct statics on the mesh.

The axle is held in its middle plane; the wheel carries Q, the static load of a wheel, in three cases (clause 7.2):
straight 1.25 Q at the tread datum; curve 1.25 Q and 0.6 Q inwards at the flange; switch 1.25 Q and 0.36 Q outwards at
the flange's back. As the wheel turns, every node of a ring meets the stresses of all others: range of the stress in the
direction of the largest principal stress over the ring and the cases.

Factors and permissible ranges are REMEMBERED, not read from the standard (confidence high), and so are the places of
the lateral forces (10 mm below the tread datum; 38 mm and 70 mm inwards of it; confidence medium): `SOURCE` is printed.
Verified in tests/body/test_wheel_standard_verified.py against CalculiX.
"""

import numpy as np

from flexwheel.base.errors import MeshError, ScenarioError
from flexwheel.body.assembly import assemble
from flexwheel.body.control_rings import STRESS_PAIRS, section_axes, turned_stress
from flexwheel.body.revolution import detect_revolution
from flexwheel.body.section_outline import section_outline
from flexwheel.body.statics import static_solution
from flexwheel.body.stress import nodal_stress
from flexwheel.body.surface import outer_surface
from flexwheel.body.tread import TreadOptions, find_treads, profile_operator

SOURCE = "EN 13979-1, factors, places and permissible ranges remembered, not read: check before use"
PERMISSIBLE = {"machined": 360e6, "as forged": 290e6}  # [Pa] range, by the surface of the web
CASES = {"straight": (1.25, 0.0, 0.0), "curve": (1.25, -0.6, 0.038), "switch": (1.25, 0.36, 0.070)}
"""Vertical and lateral (outwards positive) force over Q, place of the lateral force inwards of the tread datum [m]."""
BELOW = 0.010  # [m] of the lateral force below the tread datum
WEB = (0.15, 0.85)  # part of the radius between hub and running surface that counts as web


def load_cases(mesh, treads, side, load):
    """Nodal forces (D, 3) [N] of the cases on the wheel of a side (1 left, -1 right) under Q = load [N]."""
    tread = next(t for t in treads if t.side == side)
    rows = profile_operator(tread.profile, tread.lateral, tread.radius).reshape(6, -1, 3)
    forces = np.zeros((len(mesh.nodes), 3, len(CASES)))
    for c, (vertical, lateral, inwards) in enumerate(CASES.values()):
        f_z, f_y = vertical * load, side * lateral * load
        arm_y, arm_z = -side * inwards, -BELOW if lateral else 0.0
        moment = arm_y * (f_z if lateral else 0.0) - arm_z * f_y  # about x, at the profile origin
        nodal = np.einsum("k,kpa->pa", np.array([0.0, f_y, f_z, moment, 0.0, 0.0]), rows)
        np.add.at(forces[:, :, c], tread.nodes[0], tread.weights[0][:, :, None] * nodal[:, None])
    return forces.reshape(-1, len(CASES))


def web_stress_ranges(mesh, side, load, formulation=None):
    """Stress range of every ring of the web's surface, largest first.

    Parameters
    ----------
    mesh : Mesh             of revolution, axle along y
    side : int              1 left, -1 right wheel
    load : float [N]        Q

    Returns
    -------
    list of dict    y_m, radius_m, range_pa, highest_pa, lowest_pa, case, node (of the ring's largest principal stress)

    Raises
    ------
    MeshError       not of revolution; ScenarioError on a load that is not above 0
    """
    if not (np.isfinite(load) and load > 0.0):
        raise ScenarioError(f"wheel load must be above 0, got {load:g} N")
    revolution, reason = detect_revolution(mesh)
    if revolution is None:
        raise MeshError(f"the mesh must be of revolution for EN 13979-1: {reason}")
    treads = find_treads(mesh, revolution, section_outline(mesh, revolution), TreadOptions())
    forces = load_cases(mesh, treads, side, load)
    stiffness, _ = assemble(mesh, formulation)
    middle = np.abs(mesh.nodes[:, 1] - 0.5 * (treads[0].lateral + treads[1].lateral))
    held = np.flatnonzero(middle <= middle.min() + 1e-6)
    clamped = (3 * held[:, None] + np.arange(3)).ravel()
    stress = nodal_stress(mesh, static_solution(mesh, stiffness, clamped, forces), formulation)  # (N, 6, 3)
    tread = next(t for t in treads if t.side == side)
    wheel = revolution.ring[0][np.isin(revolution.ring[0], outer_surface(mesh).node_rows)]
    near = np.abs(mesh.nodes[wheel, 1] - tread.lateral) < 0.12
    hub = np.hypot(mesh.nodes[held, 0], mesh.nodes[held, 2]).max()
    found = []
    for row in wheel[near]:
        orbit = int(np.flatnonzero(revolution.ring[0] == row)[0])
        radius = float(np.hypot(mesh.nodes[row, 0], mesh.nodes[row, 2]))
        part = (radius - hub) / (tread.radius - hub)
        if WEB[0] <= part <= WEB[1]:
            nodes = revolution.ring[:, orbit]
            found.append(
                _ring_range(stress[nodes], revolution.step) | {"y_m": float(mesh.nodes[row, 1]), "radius_m": radius}
            )
            found[-1]["node"] = int(mesh.node_ids[nodes[found[-1]["node"]]])
    return sorted(found, key=lambda item: -item["range_pa"])


def _ring_range(stress, step):
    """Range of the ring's stress (S, 6, cases) in the direction of its largest principal stress, section frames."""
    turned = np.array([turned_stress(section_axes(s * step).T) @ stress[s] for s in range(len(stress))])
    tensors = np.zeros((len(stress), stress.shape[2], 3, 3))
    for k, (a, b) in enumerate(STRESS_PAIRS):
        tensors[..., a, b] = tensors[..., b, a] = turned[:, k]
    values, vectors = np.linalg.eigh(tensors)
    s, c = np.unravel_index(values[..., 2].argmax(), values.shape[:2])
    along = vectors[s, c, :, 2]
    lowest = float(np.einsum("a,scab,b->sc", along, tensors, along).min())
    highest = float(values[s, c, 2])
    return {
        "range_pa": highest - lowest, "highest_pa": highest, "lowest_pa": lowest, "case": list(CASES)[c],
        "direction": along.tolist(), "node": int(s),
    }  # fmt: skip
