"""Inertia forces of the floating frame against sums over point masses, their velocities differentiated by
complex step.

A cloud of point masses with random mode shapes at random states stands for any body: no invariants, no
formula of the floating frame beyond the position of a node.
"""

import numpy as np
import pytest

from flexwheel.body.reduced_body import InertiaInvariants
from flexwheel.vehicle.floating_frame import inertia_forces, pack_inertia, rigid_inertia
from flexwheel.verification.benches.momentum import dense_inertia, mass_matrix, moment_scratch, momenta

NODES, MODES = 60, 7


def rotation(angles):
    """Rz Rx Ry of complex or real angles."""
    (cz, cx, cy), (sz, sx, sy) = np.cos(angles), np.sin(angles)
    z = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    x = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    y = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    return z @ x @ y


class Cloud:
    """Point masses on a random motion, polynomials of time."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.mass = rng.uniform(0.5, 2.0, NODES)
        self.X = rng.normal(size=(NODES, 3))
        self.X -= self.mass @ self.X / self.mass.sum()
        self.X += [[0.3, -0.2, 0.1], [0.0, 0.0, 0.0]][seed % 2]  # mass centre off the origin, or in it
        self.H = 0.3 * rng.normal(size=(NODES, 3, MODES))
        self.path = rng.normal(size=(4, 3))
        self.angles = rng.normal(size=(4, 3))
        self.w = rng.normal(size=(4, MODES))

    def invariants(self):
        m, X, H = self.mass, self.X, self.H
        return InertiaInvariants(
            mass=float(m.sum()),
            s_h=np.einsum("n,naj->aj", m, H),
            p_xx=np.einsum("n,na,nb->ab", m, X, X),
            p_xh=np.einsum("n,na,nbj->abj", m, X, H),
            p_hh=np.einsum("n,naj,nbk->abjk", m, H, H),
            s_x=m @ X,
        )

    def polynomial(self, coefficients, t, order=0):
        powers = [[1, t, t**2, t**3], [0, 1, 2 * t, 3 * t**2], [0, 0, 2, 6 * t]][order]
        return sum(p * c for p, c in zip(powers, coefficients, strict=True))

    def positions(self, t):
        u = self.H @ self.polynomial(self.w, t)
        return self.polynomial(self.path, t) + (self.X + u) @ rotation(self.polynomial(self.angles, t)).T

    def spin(self, t):
        """Angular velocity in body axes, of complex or real time."""
        (_, x, y), (zd, xd, yd) = self.polynomial(self.angles, t), self.polynomial(self.angles, t, 1)
        between = np.array([xd, zd * np.sin(x), zd * np.cos(x)]) + np.array([0, yd, 0])
        return rotation(np.array([0 * y, 0 * y, y])).T @ between

    def velocities(self, t):
        """Nodal velocities, of complex or real time."""
        R = rotation(self.polynomial(self.angles, t))
        u, ud = self.H @ self.polynomial(self.w, t), self.H @ self.polynomial(self.w, t, 1)
        return self.polynomial(self.path, t, 1) + (np.cross(self.spin(t)[None], self.X + u) + ud) @ R.T

    def state(self, t):
        R = rotation(self.polynomial(self.angles, t))
        h = 1e-30
        return dict(
            R=R,
            velocity=R.T @ self.polynomial(self.path, t, 1),
            acc=R.T @ self.polynomial(self.path, t, 2),
            omega=self.spin(t),
            alpha=self.spin(t + 1j * h).imag / h,
            w=self.polynomial(self.w, t),
            wd=self.polynomial(self.w, t, 1),
            wdd=self.polynomial(self.w, t, 2),
        )


def kernel_forces(inertia, s):
    force, moment, modal = np.empty(3), np.empty(3), np.empty(len(s["w"]))
    inertia_forces(inertia, s["acc"], s["omega"], s["alpha"], s["w"], s["wd"], s["wdd"], force, moment, modal)
    return force, moment, modal


def relative(a, b):
    return np.abs(a - b).max() / np.abs(b).max()


@pytest.mark.parametrize("seed", range(6))
def test_inertia_forces_equal_nodal_sums(seed):
    cloud, t, h = Cloud(seed), 0.4, 1e-30
    np.testing.assert_allclose(cloud.positions(t + 1j * h).imag / h, cloud.velocities(t), atol=1e-11, rtol=0)
    s = cloud.state(t)
    acceleration = (cloud.velocities(t + 1j * h).imag / h) @ s["R"]  # body axes
    r = cloud.X + cloud.H @ s["w"]
    load = cloud.mass[:, None] * acceleration
    force, moment, modal = kernel_forces(pack_inertia(cloud.invariants()), s)
    assert relative(force, load.sum(axis=0)) < 1e-12
    assert relative(moment, np.cross(r, load).sum(axis=0)) < 1e-12
    assert relative(modal, np.einsum("na,naj->j", load, cloud.H)) < 1e-12


@pytest.mark.parametrize("seed", range(3))
def test_momenta_and_energy_equal_nodal_sums(seed):
    cloud, t = Cloud(seed), 0.4
    s = cloud.state(t)
    v = cloud.velocities(t) @ s["R"]
    r = cloud.X + cloud.H @ s["w"]
    linear, angular = np.empty(3), np.empty(3)
    inertia, scratch = dense_inertia(cloud.invariants()), moment_scratch()
    energy = momenta(inertia, s["velocity"], s["omega"], s["w"], s["wd"], linear, angular, scratch)
    assert relative(linear, cloud.mass @ v) < 1e-13
    assert relative(angular, np.cross(r, cloud.mass[:, None] * v).sum(axis=0)) < 1e-13
    np.testing.assert_allclose(energy, 0.5 * (cloud.mass * (v * v).sum(axis=1)).sum(), rtol=1e-13)


@pytest.mark.parametrize("seed", range(3))
def test_mass_matrix_is_the_part_linear_in_the_accelerations(seed):
    cloud = Cloud(seed)
    inertia = pack_inertia(cloud.invariants())
    s = cloud.state(0.4)
    matrix = np.empty((6 + MODES, 6 + MODES))
    mass_matrix(dense_inertia(cloud.invariants()), s["w"], matrix, moment_scratch())
    at_rest = {**s, "acc": np.zeros(3), "alpha": np.zeros(3), "wdd": np.zeros(MODES)}
    difference = np.concatenate(kernel_forces(inertia, s)) - np.concatenate(kernel_forces(inertia, at_rest))
    assert relative(matrix @ np.r_[s["acc"], s["alpha"], s["wdd"]], difference) < 1e-12
    np.testing.assert_allclose(matrix, matrix.T, rtol=0, atol=1e-12 * np.abs(matrix).max())  # rounding
    assert np.linalg.eigvalsh(matrix).min() > 0


def test_rigid_body_is_the_limit_without_modes():
    tensor = np.diag([700.0, 110.0, 690.0])
    s = dict(
        acc=np.array([1.0, 2.0, 3.0]),
        omega=np.array([0.1, 48.0, -0.2]),
        alpha=np.array([3.0, -1.0, 2.0]),
        w=np.empty(0),
        wd=np.empty(0),
        wdd=np.empty(0),
    )
    force, moment, _ = kernel_forces(rigid_inertia(1200.0, tensor), s)
    np.testing.assert_allclose(force, 1200.0 * s["acc"], rtol=1e-15)
    expected = tensor @ s["alpha"] + np.cross(s["omega"], tensor @ s["omega"])
    np.testing.assert_allclose(moment, expected, rtol=1e-13)


def test_uncoupled_modes_cost_nothing():
    cloud = Cloud(0)
    cloud.H[: NODES // 2, :, :3] = 0.0
    cloud.H[NODES // 2 :, :, 3:] = 0.0
    inertia = pack_inertia(cloud.invariants())
    assert inertia.even.start[-1] == inertia.odd.start[-1] == 3 + 4  # columns of a slice for each group
