"""Moments and nominal stress of an axle's sections in a run, by statics of the run's own loads.

What EN 13103 takes from load assumptions is here of the wheel and journal forces of a run and the inertia of the
wheelset's parts. The part of the wheelset beyond a section y (towards journal 1, the left one) is in equilibrium,

    wrench of the section = loads beyond it - inertia beyond it,

with the acceleration of the rigid body that the loads give, so that both sides of a section say the same, and that of
the modes: of a particle with displacement u, velocity v and acceleration a seen from the spinning wheel,
a + 2 W e_y x v + W^2 e_y x (e_y x u) + W' e_y x u, W the spin rate. Nothing is taken from the stress of the mesh.
Frame E: x along running, y to the left along the axle, z upwards; it does not spin.
Verified in tests/assess/test_section_moments.py; against stress of a mesh: benchmarks/axle_of_run.py.
"""

from typing import NamedTuple

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.body.assembly import assemble
from flexwheel.results.evaluate.mode_turning import material_rates
from flexwheel.results.evaluate.span import nothing_left, settled_rows

ABOUT_Y = np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])
"""e_y x r = ABOUT_Y r."""


class AxleRun(NamedTuple):
    """A run's wrenches at sections of an axle after settling."""

    time: np.ndarray  # (T,) [s]
    spin: np.ndarray  # (T,) [rad] turned since the start
    wrench: np.ndarray  # (T, n, 6) [N, N m] of the part beyond each section about its centre, frame E
    way: float  # [m]


def axle_run(run, y, reduced=None) -> AxleRun:
    """AxleRun of a StressOfRun at sections y (n,) [m], body frame; reduced: what `run.body_of_nodes` found of any node.

    Raises
    ------
    ScenarioError       a section outside the journals
    FlexwheelError      nothing left after settling
    """
    rows = settled_rows(run.results)
    if not rows.any():
        raise nothing_left(run.results)
    body, shapes = reduced or run.body_of_nodes([_inner_node(run.mesh)], submodel=False)
    left, right = body.interface_position[:, 1]
    if not np.all((np.asarray(y) <= left) & (np.asarray(y) >= right)):
        raise ScenarioError(f"an axle section must be at 0 to {left - right:g} m, the journals, got {left - y} m")
    places = np.concatenate([[(0.0, t.lateral, -t.radius) for t in body.treads], body.interface_position])
    parts = OutboardParts(shapes, run.options.formulation, y)
    found = [parts.wrench(body, history, places) for history in run.blocks(len(body.frequency_hz))]
    s = run.results.body_position.sel(body=run.wheelset, path="s").values[rows]
    spin = run.results.body_angle.sel(body=run.wheelset).values[rows][:, 2]
    return AxleRun(run.results.time.values[rows], spin, np.concatenate(found)[rows], float(s[-1] - s[0]))


class OutboardParts:
    """Inertia of what lies beyond each section of a mesh."""

    def __init__(self, shapes, formulation, y):
        """shapes: WheelsetShapes, y: (n,) [m] body frame; a node in a section counts half."""
        place = shapes.mesh.nodes - shapes.origin
        mass = assemble(shapes.mesh, formulation)[1]
        rigid = np.zeros((len(place), 3, 6))
        rigid[:, range(3), range(3)] = 1.0
        for k, axis in enumerate(np.eye(3)):
            rigid[:, :, 3 + k] = np.cross(axis, place)
        modes = shapes.modes.shapes.reshape(3 * len(place), -1)
        moved = (mass @ modes).reshape(len(place), 3, -1)
        moving = (mass @ rigid.reshape(-1, 6)).reshape(len(place), 3, 6)
        beyond = [1.0 * (place[:, 1] > at) + 0.5 * (place[:, 1] == at) for at in y]
        self.y, self.share = np.asarray(y, dtype=float), []
        self.modal = [np.stack([self._rows(w, rigid, t @ moved) for w in (*beyond, 1.0)])
                      for t in (np.eye(3), ABOUT_Y, ABOUT_Y @ ABOUT_Y)]  # fmt: skip
        whole = np.einsum("nak,nal->kl", rigid, moving)
        self.share = np.stack([self._rows(w, rigid, moving) for w in beyond]) @ np.linalg.inv(whole)

    @staticmethod
    def _rows(weight, rigid, moved):
        """Wrench (6, H) about the origin of inertia (N, 3, H) of the nodes with their weights (N,)."""
        return np.einsum("nak,nah->kh", rigid * np.reshape(weight, (-1, 1, 1)), moved, optimize=True)

    def wrench(self, body, history, places):
        """(T, n, 6) about the sections' centres, frame E, of a WheelsetHistory; places (L, 3) of its loads."""
        loads = np.concatenate([history.tread_wrench, history.interface_wrench], axis=1)
        loads[..., 3:] += np.cross(places, loads[..., :3])
        flexible = self._flexible(body, history)
        total = loads.sum(axis=1) - flexible[:, -1]
        out = np.empty((len(loads), len(self.y), 6))
        for k, y in enumerate(self.y):
            out[:, k] = loads[:, places[:, 1] > y].sum(axis=1) - flexible[:, k] - total @ self.share[k].T
            out[:, k, 3:] -= np.cross([0.0, y, 0.0], out[:, k, :3])
        return out

    def _flexible(self, body, history):
        """Inertia (T, n + 1, 6) of the modes beyond each section and of the whole, frame E, about the origin."""
        w, v, a = history.modal_position, history.modal_velocity, history.modal_acceleration
        rate, faster = history.body_velocity[:, 5], history.body_acceleration[:, 5]
        if history.mode != "lagrangian" and history.rates == "spatial":
            v, a = material_rates(body.generator, w, v, a, rate, faster)
        rate, faster = rate[:, None], faster[:, None]
        terms = zip(self.modal, (a, 2.0 * rate * v + faster * w, rate**2 * w), strict=True)
        found = sum(np.einsum("nkh,th->tnk", rows, x, optimize=True) for rows, x in terms)
        if history.mode != "lagrangian":
            return found
        c, s = np.cos(history.spin)[:, None, None], np.sin(history.spin)[:, None, None]
        x, y, z = np.moveaxis(found.reshape(*found.shape[:2], 2, 3), -1, 0)
        return np.stack([c * x + s * z, y, -s * x + c * z], axis=-1).reshape(found.shape)


def point_stress(run, k, size, point):
    """Bending and torsion (2, T) [Pa] at a point of the k-th section of an AxleRun as it turns.

    size : (diameter, bore) [m];  point : (2,) x, z [m] of the point at the start, body frame
    """
    second = np.pi / 64.0 * (size[0] ** 4 - size[1] ** 4)
    c, s = np.cos(run.spin), np.sin(run.spin)
    x, z = point[0] * c + point[1] * s, point[1] * c - point[0] * s
    moment = run.wrench[:, k, 3:]
    return np.stack([x * moment[:, 2] - z * moment[:, 0], 0.5 * np.hypot(*point) * moment[:, 1]]) / second


def nominal_tensors(run, k, section, angle, at_bore=False):
    """K times the nominal stress (T, 6) [Pa] xx yy zz xy yz zx at a point of the k-th section of an AxleRun.

    section : (diameter, bore, K) [m];  angle : [rad] at the start, from the lowest place forwards
    """
    point = 0.5 * section[1 if at_bore else 0] * np.array([np.sin(angle), -np.cos(angle)])
    found = np.zeros((len(run.time), 6))
    found[:, [1, 3]] = section[2] * point_stress(run, k, section[:2], point).T
    return found


def _inner_node(mesh):
    """Id of a node off the axle's middle line and far within the treads, which costs no field of patches."""
    radius = np.hypot(mesh.nodes[:, 0], mesh.nodes[:, 2])
    return int(mesh.node_ids[np.argmin(np.where(radius > 0.01 * radius.max(), radius, np.inf))])
