"""Stress range of a wheel's web under load cases like those of EN 13979-1, by direct statics on the mesh.

The stress is that of a run's nodes: plane on a free surface, with the estimated error of the mesh. The axle is held in
its middle plane; the wheel carries in each case a part of Q, the static load of a wheel, at the
tread datum and a lateral force at a place of the flange. As the wheel turns, every node of a ring meets the stresses
of all others: range of the stress in the direction of the largest principal stress over the ring and the cases.

The standard's load factors, places and permissible ranges were not read: they are inputs.
Verified in tests/body/test_wheel_standard_verified.py against CalculiX.
"""

from dataclasses import dataclass

import numpy as np

from flexwheel.base.errors import MeshError, ScenarioError
from flexwheel.body.assembly import assemble
from flexwheel.body.control_rings import STRESS_PAIRS, section_axes, turned_stress
from flexwheel.body.free_surface import free_surface
from flexwheel.body.revolution import detect_revolution
from flexwheel.body.section_outline import section_outline
from flexwheel.body.statics import static_solution
from flexwheel.body.stress_error import stress_and_error
from flexwheel.body.surface import outer_surface
from flexwheel.body.tread import TreadOptions, find_treads, profile_operator

SOURCE = "EN 13979-1: method; load factors, places and limits as given (the standard was not read)"
WHEEL_LOADS = (10e3, 500e3)  # [N]: below (t) and above them (N) is another unit
WEB = (0.15, 0.85)  # part of the radius between hub and running surface that counts as web
OFF_SECTION = 5e-3  # [m] a place from the outline: chords of the coarse shipped mesh leave its profile by 2.8 mm


@dataclass(frozen=True)
class WheelCase:
    """Forces on a wheel over Q and the place where both act, from the tread datum; at the datum with no lateral one."""

    name: str
    vertical: float
    lateral: float = 0.0  # outwards positive
    inwards: float = 0.0  # [m]
    below: float = 0.0  # [m]


def load_cases(mesh, treads, side, load, cases):
    """Nodal forces (D, C) [N] of the cases on the wheel of a side (1 left, -1 right) under Q = load [N]."""
    tread = next(t for t in treads if t.side == side)
    rows = profile_operator(tread.profile, tread.lateral, tread.radius).reshape(6, -1, 3)
    forces = np.zeros((len(mesh.nodes), 3, len(cases)))
    for c, case in enumerate(cases):
        f_z, f_y = case.vertical * load, side * case.lateral * load
        arm_y, arm_z = (-side * case.inwards, -case.below) if case.lateral else (0.0, 0.0)
        moment = arm_y * f_z - arm_z * f_y  # about x, at the profile origin
        nodal = np.einsum("k,kpa->pa", np.array([0.0, f_y, f_z, moment, 0.0, 0.0]), rows)
        np.add.at(forces[:, :, c], tread.nodes[0], tread.weights[0][:, :, None] * nodal[:, None])
    return forces.reshape(-1, len(cases))


def on_the_wheel(outline, tread, cases):
    """Raise ScenarioError where a lateral force of the cases acts beside the section of the wheel: unit or sign."""
    for case in (case for case in cases if case.lateral):
        place = np.array([tread.lateral - tread.side * case.inwards, tread.radius + case.below])
        first, last = np.stack([outline.y, outline.radius], axis=-1).swapaxes(0, 1)
        edge = last - first
        share = np.sum((place - first) * edge, axis=1) / np.maximum(np.sum(edge**2, axis=1), 1e-300)
        off = float(np.linalg.norm(first + np.clip(share, 0.0, 1.0)[:, None] * edge - place, axis=1).min())
        if off > OFF_SECTION:
            raise ScenarioError(
                f"--case {case.name}: the lateral force must act on the wheel's section, inwards and below the tread "
                f"datum in mm, got {1e3 * case.inwards:g}:{1e3 * case.below:g}, {1e3 * off:.0f} mm beside it"
            )


def web_stress_ranges(mesh, side, load, cases, formulation=None, surface=True):
    """Stress range of every ring of the web's surface, largest first.

    Parameters
    ----------
    mesh : Mesh             of revolution, axle along y
    side : int              1 left, -1 right wheel
    load : float [N]        Q
    cases : sequence of WheelCase
    surface : bool          plane stress on a free surface, as in a run; False: the mean over elements alone

    Returns
    -------
    list of dict    y_m, radius_m, range_pa, highest_pa, lowest_pa, case, node (of the ring's largest principal stress),
                    error (estimated, over the range), corner [rad] without a radius, 0 where there is none

    Raises
    ------
    MeshError       not of revolution; ScenarioError on a load beyond WHEEL_LOADS, a place off the wheel
    """
    low, high = WHEEL_LOADS
    if not low <= load <= high:
        raise ScenarioError(f"--wheel-load-kn must be {low / 1e3:g} to {high / 1e3:g}, got {load / 1e3:g}")
    revolution, reason = detect_revolution(mesh)
    if revolution is None:
        raise MeshError(f"the mesh must be of revolution for EN 13979-1: {reason}")
    outline = section_outline(mesh, revolution)
    treads = find_treads(mesh, revolution, outline, TreadOptions())
    on_the_wheel(outline, next(t for t in treads if t.side == side), cases)
    forces = load_cases(mesh, treads, side, load, cases)
    stiffness, _ = assemble(mesh, formulation)
    middle = np.abs(mesh.nodes[:, 1] - 0.5 * (treads[0].lateral + treads[1].lateral))
    held = np.flatnonzero(middle <= middle.min() + 1e-6)
    clamped = (3 * held[:, None] + np.arange(3)).ravel()
    free = free_surface(mesh, np.union1d(held, np.flatnonzero(forces.any(axis=1)) // 3))
    moved = static_solution(mesh, stiffness, clamped, forces)
    stress, error = stress_and_error(mesh, moved, formulation, free if surface else None)  # (N, 6, cases)
    turn = np.zeros(len(mesh.nodes))
    turn[free.corners] = free.turn
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
            found.append(_ring_range(stress[nodes], error[nodes], revolution.step))
            found[-1] |= {"y_m": float(mesh.nodes[row, 1]), "radius_m": radius, "corner": float(turn[nodes].max())}
            found[-1]["node"] = int(mesh.node_ids[nodes[found[-1]["node"]]])
            found[-1]["case"] = cases[found[-1]["case"]].name
    return sorted(found, key=lambda item: -item["range_pa"])


def _ring_range(stress, error, step):
    """Range of the ring's stress (S, 6, cases) in the direction of its largest principal stress, section frames."""
    tensors, errors = (_ring_tensors(part, step) for part in (stress, error))
    values, vectors = np.linalg.eigh(tensors)
    s, c = np.unravel_index(values[..., 2].argmax(), values.shape[:2])
    along = vectors[s, c, :, 2]
    normal = np.einsum("a,scab,b->sc", along, tensors, along)
    low = np.unravel_index(normal.argmin(), normal.shape)
    highest, lowest = float(values[s, c, 2]), float(normal[low])
    off = abs(along @ errors[s, c] @ along) + abs(along @ errors[low] @ along)
    return {
        "range_pa": highest - lowest, "highest_pa": highest, "lowest_pa": lowest, "case": int(c),
        "direction": along.tolist(), "node": int(s), "error": float(off / (highest - lowest)),
    }  # fmt: skip


def _ring_tensors(stress, step):
    """(S, cases, 3, 3) of stresses (S, 6, cases) of a ring, in the axes of each section."""
    turned = np.array([turned_stress(section_axes(s * step).T) @ stress[s] for s in range(len(stress))])
    tensors = np.zeros((len(stress), stress.shape[2], 3, 3))
    for k, (a, b) in enumerate(STRESS_PAIRS):
        tensors[..., a, b] = tensors[..., b, a] = turned[:, k]
    return tensors
