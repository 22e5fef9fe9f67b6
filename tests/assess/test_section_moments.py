"""Moments of an axle's sections by statics of a run's loads: closed forms of a spinning, bent, accelerated beam.

The wheelset is a bar of lumped masses along y with discs; its inertia by hand, node by node, in the inertial frame.
"""

from types import SimpleNamespace

import numpy as np
import pytest

from flexwheel.assess import section_moments
from flexwheel.assess.evaluate.strength_grades import given_limit
from flexwheel.assess.node_fatigue import section_of_run
from flexwheel.assess.section_moments import AxleRun, OutboardParts, point_stress
from flexwheel.results.evaluate.control_nodes import WheelsetHistory

PLACES = np.array([(0.0, 0.75, -0.46), (0.0, -0.75, -0.46), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0)])
SECTIONS = np.array([0.33, 0.0, -0.61])


def bar(seed=0):
    """(nodes (N, 3), masses (N,), modes (N, 3, 2) orthogonal to rigid motion): eight masses at each of 21 stations."""
    rng = np.random.default_rng(seed)
    angle = np.arange(8) * np.pi / 4.0
    y = np.repeat(np.linspace(-1.0, 1.0, 21), 8)
    radius = np.where(np.abs(np.abs(y) - 0.75) < 0.06, 0.4, 0.08)
    nodes = np.stack([radius * np.tile(np.sin(angle), 21), y, -radius * np.tile(np.cos(angle), 21)], axis=1)
    mass = np.where(radius > 0.1, 40.0, 2.0)
    modes = rng.normal(size=(len(y), 3, 2))
    rigid = np.zeros((len(y), 3, 6))
    rigid[:, range(3), range(3)] = 1.0
    for k, axis in enumerate(np.eye(3)):
        rigid[:, :, 3 + k] = np.cross(axis, nodes)
    flat, m = rigid.reshape(-1, 6), np.repeat(mass, 3)
    modes = modes.reshape(-1, 2)
    modes -= flat @ np.linalg.solve(flat.T @ (m[:, None] * flat), flat.T @ (m[:, None] * modes))
    return nodes, mass, modes.reshape(len(y), 3, 2)


def parts_of(nodes, mass, modes, monkeypatch, y=SECTIONS):
    matrix = np.diag(np.repeat(mass, 3))
    monkeypatch.setattr(section_moments, "assemble", lambda *_: (None, matrix))
    shapes = SimpleNamespace(mesh=SimpleNamespace(nodes=nodes), origin=np.zeros(3), modes=SimpleNamespace(shapes=modes))
    return OutboardParts(shapes, None, y)


def turn(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


@pytest.mark.parametrize("mode", ["lagrangian", "eulerian"])
def test_both_sides_of_a_section_and_the_inertia_of_modes_by_hand(mode, monkeypatch):
    """Loads in equilibrium with masses that accelerate as a rigid body and vibrate in a spinning frame."""
    nodes, mass, modes = bar()
    rng = np.random.default_rng(7)
    spin, rate, faster = 0.7, 48.0, 3.0
    w, v, a = rng.normal(size=(3, 2)) * np.array([[1e-4], [0.05], [40.0]])
    centre, alpha = rng.normal(size=3) * 5.0, rng.normal(size=3) * 8.0
    placed = nodes @ turn(spin).T if mode == "lagrangian" else nodes  # where the particles are now, frame E
    field = turn(spin) if mode == "lagrangian" else np.eye(3)
    u, du, ddu = (np.einsum("ij,njh,h->ni", field, modes, x) for x in (w, v, a))
    omega = np.array([0.0, rate, 0.0])
    moving = ddu + 2.0 * np.cross(omega, du) + np.cross(omega, np.cross(omega, u)) + np.cross([0.0, faster, 0.0], u)
    inertia = mass[:, None] * (centre + np.cross(alpha, placed) + moving)
    loads = rng.normal(size=(4, 6)) * 1e4
    at = np.concatenate([loads[:, :3], loads[:, 3:] + np.cross(PLACES, loads[:, :3])], axis=1).sum(axis=0)
    whole = np.concatenate([inertia.sum(axis=0), np.cross(placed, inertia).sum(axis=0)])
    loads[2, :3] += (whole - at)[:3]  # the left journal takes what is left
    loads[2, 3:] += (whole - at)[3:] - np.cross(PLACES[2], (whole - at)[:3])
    body = SimpleNamespace(generator=np.zeros((2, 2)))
    velocity, acceleration = np.zeros((1, 6)), np.zeros((1, 6))
    velocity[0, 5], acceleration[0, 5] = rate, faster
    history = WheelsetHistory(mode, np.array([spin]), velocity, acceleration, w[None], v[None], a[None],
                              loads[None, :2], loads[None, 2:])  # fmt: skip
    found = parts_of(nodes, mass, modes, monkeypatch).wrench(body, history, PLACES)[0]
    for k, y in enumerate(SECTIONS):
        hand = []
        for side in (1.0, -1.0):
            share = 1.0 * (side * (nodes[:, 1] - y) > 1e-12) + 0.5 * (nodes[:, 1] == y)
            beyond = side * (PLACES[:, 1] - y) > 0.0
            force = loads[beyond, :3].sum(axis=0) - share @ inertia
            moment = (loads[beyond, 3:] + np.cross(PLACES[beyond] - [0.0, y, 0.0], loads[beyond, :3])).sum(axis=0)
            moment -= share @ np.cross(placed - [0.0, y, 0.0], inertia)
            hand.append(np.concatenate([force, moment]))
        assert hand[0] == pytest.approx(-hand[1], abs=1e-6)  # both sides are one
        assert found[k] == pytest.approx(hand[0], rel=1e-8, abs=1e-5)


def test_stress_of_a_point_that_turns_is_rotating_bending():
    """A standing moment bends a turning point by M / W once up and down a turn; one that turns with it does not."""
    spin = np.linspace(0.0, 20.0 * np.pi, 2881)
    wrench = np.zeros((len(spin), 1, 6))
    wrench[:, 0, 3], wrench[:, 0, 4] = -30e3, 4e3
    run = AxleRun(spin / 48.0, spin, wrench, 29.0)
    w = np.pi * 0.16**3 / 32.0
    bending, torsion = point_stress(run, 0, (0.16, 0.0), (0.0, -0.08))
    assert bending[0] == pytest.approx(-30e3 / w)  # lowest point: hollow side of a beam that the journals bend down
    assert np.ptp(bending) == pytest.approx(2.0 * 30e3 / w) and torsion == pytest.approx(0.5 * 4e3 / w)
    found = section_of_run(run, 0, (0.16, 0.0, 1.2), given_limit(200.0))
    assert found["amplitude_pa"] == pytest.approx(1.2 * 30e3 / w, rel=5e-3)  # planes lie 0.2 % apart
    assert found["utilisation"] == pytest.approx(1.2 * 30e3 / w / 200e6, rel=5e-3)
    hollow = section_of_run(run, 0, (0.16, 0.08, 1.0), given_limit(200.0), at_bore=True)
    assert hollow["amplitude_pa"] == pytest.approx(0.5 * 30e3 / w / (1.0 - 0.5**4), rel=5e-3)
    wrench[:, 0, 3], wrench[:, 0, 5] = -30e3 * np.cos(spin), 30e3 * np.sin(spin)
    assert np.ptp(point_stress(run, 0, (0.16, 0.0), (0.0, -0.08))[0]) < 1e-6 * 30e3 / w
