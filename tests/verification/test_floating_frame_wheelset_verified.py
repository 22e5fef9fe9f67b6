"""The reduced wheelset as a floating-frame body against its own coarse mesh: nodal sums, and that mesh in rotation.

Independent rotating solution: tests/benches/rotating_modes.py, the quadratic eigenvalue problem of all degrees of
freedom in axes that turn with the wheelset, without reduction, invariants or floating frame.
"""

from dataclasses import replace

import numpy as np
import pytest

from flexwheel.assess.linear.linear_rotor import linearised_matrices, turning_generator, whirl_frequencies
from flexwheel.body.assembly import assemble
from flexwheel.body.reduce import ReductionOptions, reduce_with_shapes
from flexwheel.numerics.integration import newmark
from flexwheel.vehicle.eulerian_map import check_closed, mode_pairs
from flexwheel.vehicle.floating_frame import inertia_forces, pack_inertia
from flexwheel.verification.benches.free_flight import free_flight
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, wheelset_mesh
from tests.benches.rotating_modes import rotating_modes, spinning_mesh, whirl_hz

MESH = wheelset_mesh(refinement=replace(REFINEMENTS["coarse"], sectors=12))
RADIUS = 0.46


@pytest.fixture(scope="module")
def wheelset():
    return reduce_with_shapes(MESH, ReductionOptions(fixed_interface_modes=29, residual=False, damping_ratio=0.0))


def test_inertia_forces_equal_sums_over_the_mesh(wheelset):
    body, shapes = wheelset
    _, mass = assemble(shapes.mesh)
    between_nodes = mass.tocsr()[::3, ::3]
    position, modes = shapes.mesh.nodes - shapes.origin, shapes.modes.shapes
    inertia, count = pack_inertia(body.invariants), len(body.frequency_hz)
    read = inertia.even.column.shape[0] + inertia.odd.column.shape[0]  # columns of a slice of four rows
    assert read < 0.7 * 2 * (count // 4 + 1) * count  # orders that do not couple cost nothing
    scale = 1e-3 / np.abs(modes).max(axis=(0, 1))
    for seed in range(5):
        rng = np.random.default_rng(seed)
        acc, alpha = rng.normal(size=3) * 30, rng.normal(size=3) * 20
        omega = rng.normal(size=3) * [0.3, 60.0, 0.3]
        w, wd = rng.normal(size=count) * scale, rng.normal(size=count) * scale * 500
        wdd = rng.normal(size=count) * scale * 500**2
        r = position + modes @ w
        a = acc + np.cross(alpha, r) + np.cross(omega, np.cross(omega, r))
        a += 2 * np.cross(omega, modes @ wd) + modes @ wdd
        load = between_nodes @ a
        force, moment, modal = np.empty(3), np.empty(3), np.empty(count)
        inertia_forces(inertia, acc, omega, alpha, w, wd, wdd, force, moment, modal)
        for got, expected in (
            (force, load.sum(axis=0)),
            (moment, np.cross(r, load).sum(axis=0)),
            (modal, np.einsum("na,naj->j", load, modes)),
        ):
            np.testing.assert_allclose(got, expected, rtol=0, atol=1e-9 * np.abs(expected).max())


def test_modes_turn_in_whole_pairs(wheelset):
    body, _ = wheelset
    check_closed(body, "front")
    pair, order = mode_pairs(body.generator)
    assert 2 * len(order) == len(np.unique(pair)) == (body.order > 0).sum()
    np.testing.assert_allclose(np.abs(order), body.order[pair[:, 0]], atol=1e-3)


def test_free_flight_conserves(wheelset):
    linear, angular, energy = free_flight(wheelset[0], newmark(4e-4), revolutions=100).drifts()
    assert linear < 1e-12
    assert angular < 1e-6
    assert energy < 1e-4


def whirl(body, kmh, centrifugal="both"):
    matrices = linearised_matrices(body, kmh / 3.6 / RADIUS, "non_rotating", centrifugal)
    return whirl_frequencies(*matrices, turning_generator(body.generator))


def test_torsion_is_the_same_at_rest_and_at_200_kmh(wheelset):
    body, _ = wheelset
    torsion = body.frequency_hz[0]
    assert body.order[0] == 0
    frequency, direction, _ = whirl(body, 200)
    standing = frequency[np.abs(direction) < 0.1]
    assert np.abs(standing / torsion - 1).min() < 2e-3
    # without the geometric stiffness it is not
    frequency, direction, _ = whirl(body, 200, "paper")
    assert np.abs(frequency[np.abs(direction) < 0.1] / torsion - 1).min() > 0.02


def test_whirl_of_the_first_bending_is_that_of_the_whole_mesh(wheelset):
    """The basis holds the standing modes exactly; gyroscopic coupling to the truncated ones is left: 1e-6 measured."""
    body, shapes = wheelset
    spin = 200 / 3.6 / RADIUS
    turning = spinning_mesh(shapes.mesh, *assemble(shapes.mesh))
    frequency, direction, _ = whirl(body, 200)
    for sign in (1, -1):
        reduced = sign * frequency[(direction * sign > 0.5) & (frequency > 30)][0]
        # seen from the turning axes the forward whirl is slower, the backward one faster
        near = abs(reduced - spin / (2 * np.pi))
        seen = whirl_hz(rotating_modes(turning, spin, 1.01 * near, 4), spin)
        np.testing.assert_allclose(reduced, seen[np.nanargmin(np.abs(seen - reduced))], rtol=1e-4)
