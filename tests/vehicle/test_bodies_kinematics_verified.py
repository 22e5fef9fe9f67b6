"""Track-relative kinematics against complex-step differentiation of the global position and rotation.

The track of the test is exact: angles of its frame are polynomials of s, its centre line their integral by
Gauss-Legendre quadrature, evaluated at complex s.
"""

from types import SimpleNamespace

import numpy as np
import pytest
from paper_layout import paper_layout

from flexwheel.track.layout import track_frame
from flexwheel.vehicle.kinematics import (
    bodies_accelerations,
    bodies_velocities,
    make_body_motion,
    make_track_frames,
)
from flexwheel.vehicle.step import residual

GAUSS = np.polynomial.legendre.leggauss(40)


def rz(a):
    c, s = np.cos(a), np.sin(a)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def rx(a):
    c, s = np.cos(a), np.sin(a)
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]])


def ry(a):
    c, s = np.cos(a), np.sin(a)
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def track_rotation(s):
    """Heading, gradient and cant, all varying: curved, twisted, canted."""
    return rz(2e-3 * s + 4e-5 * s**2) @ ry(-1e-3 * s + 1e-5 * s**2) @ rx(0.05 + 2e-3 * s - 1e-5 * s**2)


def track_position(s):
    nodes, weights = GAUSS
    points = 0.5 * s * (nodes + 1.0)
    return 0.5 * s * sum(w * track_rotation(p)[:, 0] for w, p in zip(weights, points, strict=True))


def vee(matrix):
    return np.array([matrix[2, 1], matrix[0, 2], matrix[1, 0]])


def curvature(s):
    h = 1e-30
    return vee(track_rotation(s).T.real @ track_rotation(s + 1j * h).imag / h)


def coordinates(t):
    """An arbitrary trajectory, large angles on purpose."""
    return np.array(
        [
            30.0 + 22.0 * t + 0.8 * t**2,
            0.1 * np.sin(7 * t + 0.3),
            0.46 + 0.05 * np.cos(5 * t),
            0.3 * np.sin(3 * t + 1.0),
            0.2 * np.cos(4 * t),
            48.0 * t + 0.4 * np.sin(9 * t),
        ]
    )


def pose(t):
    q = coordinates(t)
    A = track_rotation(q[0])
    position = track_position(q[0]) + A @ np.array([0.0, q[1], q[2]])
    frame = A @ rz(q[3]) @ rx(q[4])
    return position, frame, frame @ ry(q[5])


def rates(t):
    """Global velocity of the centre, global angular velocity of E and of the body: complex step."""
    h = 1e-30
    position, frame, body = pose(t + 1j * h)
    spin_e = vee(frame.imag / h @ frame.real.T)
    spin_b = vee(body.imag / h @ body.real.T)
    return position.imag / h, spin_e, spin_b


def derivative(function, t, h=2e-3):
    """Sixth-order central difference."""
    c = (45.0, -9.0, 1.0)
    return sum(c[k] * (function(t + (k + 1) * h) - function(t - (k + 1) * h)) for k in range(3)) / (60.0 * h)


def kernel_motion(t, spins):
    h = 1e-30
    q = coordinates(t)
    qd = coordinates(t + 1j * h).imag / h
    qdd = derivative(lambda x: coordinates(x + 1j * h).imag / h, t)
    track, motion = make_track_frames(1), make_body_motion(1)
    track.position[0] = track_position(q[0])
    track.rotation[0] = track_rotation(q[0])
    track.kappa[0] = curvature(q[0])
    track.dkappa[0] = derivative(curvature, q[0], h=0.1)
    bodies_velocities(q[None], qd[None], np.array([spins]), track, motion)
    bodies_accelerations(qdd[None], motion)
    return motion, qd


@pytest.mark.parametrize("t", [0.0, 0.37, 1.1])
def test_velocity_and_acceleration(t):
    motion, qd = kernel_motion(t, True)
    position, frame, _ = pose(t)
    velocity, omega_frame, omega = rates(t)
    acceleration = derivative(lambda x: rates(x)[0], t)
    alpha = derivative(lambda x: rates(x)[2], t)
    R = motion.rotation[0]
    # rounding of a 40-point quadrature over 50 m
    np.testing.assert_allclose(motion.position[0], position, atol=1e-12 * 50, rtol=0)
    np.testing.assert_allclose(R, frame, atol=1e-13, rtol=0)
    np.testing.assert_allclose(R @ motion.velocity[0], velocity, atol=1e-11, rtol=0)
    np.testing.assert_allclose(R @ motion.omega_frame[0], omega_frame, atol=1e-11, rtol=0)
    np.testing.assert_allclose(R @ motion.omega[0], omega, atol=1e-11, rtol=0)
    # difference quotient of terms up to 22^2/R and 48 rad/s: truncation about 1e-8 of their size
    np.testing.assert_allclose(R @ motion.acceleration[0], acceleration, atol=1e-7, rtol=0)
    np.testing.assert_allclose(R @ motion.alpha[0], alpha, atol=1e-7, rtol=0)
    J = motion.jacobian[0]
    np.testing.assert_allclose(J @ qd, np.r_[motion.velocity[0], motion.omega[0]], atol=1e-12, rtol=0)


def test_angular_acceleration_of_the_frame_that_axle_boxes_ride_on(monkeypatch):
    """As the equations of motion take it from that of the spinning body."""
    t = 0.37
    motion, qd = kernel_motion(t, True)
    q = coordinates(t)
    qdd = derivative(lambda x: coordinates(x + 1j * 1e-30).imag / 1e-30, t)

    def fill(layout, s, position, rotation, kappa, dkappa):
        position[:], rotation[:] = track_position(s), track_rotation(s)
        kappa[:], dkappa[:] = curvature(s), derivative(curvature, s, h=0.1)

    monkeypatch.setattr(residual, "track_frame", fill)
    monkeypatch.setattr(residual, "places_motion", lambda model, work: None)
    units = SimpleNamespace(mass=np.ones(1), offset=np.zeros(1, dtype=int))
    model = SimpleNamespace(units=units, wheelsets=SimpleNamespace(unit=np.zeros(0, dtype=int)), layout=None)
    poses = SimpleNamespace(**{name: np.zeros((1, 3)) for name in ("position", "velocity", "omega")})
    poses.rotation = np.zeros((1, 3, 3))
    work = SimpleNamespace(q=q, qd=qd, qdd=qdd, track=make_track_frames(1), motion=make_body_motion(1), poses=poses)
    work.q6, work.qd6, work.qdd6 = (np.zeros((1, 6)) for _ in range(3))
    work.spins, work.alpha_frame, work.to_track = np.array([True]), np.zeros((1, 3)), np.zeros((1, 3, 3))
    residual.update_motion.py_func(model, None, work)
    expected = derivative(lambda x: rates(x)[1], t)
    np.testing.assert_allclose(motion.rotation[0] @ work.alpha_frame[0], expected, atol=1e-7, rtol=0)


def test_housing_of_a_pitching_body():
    t = 0.37
    motion, _ = kernel_motion(t, False)
    _, _, body = pose(t)
    velocity, _, omega = rates(t)
    np.testing.assert_allclose(motion.housing_rotation[0], body, atol=1e-12, rtol=0)
    np.testing.assert_allclose(motion.housing_velocity[0], velocity, atol=1e-11, rtol=0)
    np.testing.assert_allclose(motion.housing_omega[0], omega, atol=1e-11, rtol=0)


def test_housing_of_a_wheelset_does_not_spin():
    t = 0.37
    motion, _ = kernel_motion(t, True)
    _, frame, _ = pose(t)
    np.testing.assert_allclose(motion.housing_rotation[0], frame, atol=1e-13, rtol=0)
    np.testing.assert_allclose(motion.housing_omega[0], rates(t)[1], atol=1e-11, rtol=0)


@pytest.mark.parametrize("seconds", [0.6, 1.9, 8.0])
def test_motion_along_a_canted_transition_of_the_shipped_layout(seconds):
    """Velocity and acceleration in the layout of the curve test case, against differences of the position."""
    layout = paper_layout("right", 300.0, cant_mm=100.0)
    track, motion = make_track_frames(1), make_body_motion(1)

    def place(t):
        q = coordinates(t)
        q[0] = 22.0 * t + 0.1 * t**2
        return q

    def move(t):
        h = 1e-30
        q, qd = place(t), place(t + 1j * h).imag / h
        qdd = derivative(lambda x: place(x + 1j * h).imag / h, t)
        track_frame(layout, q[0], track.position[0], track.rotation[0], track.kappa[0], track.dkappa[0])
        bodies_velocities(q[None], qd[None], np.array([True]), track, motion)
        bodies_accelerations(qdd[None], motion)
        return motion

    def velocity(t):
        m = move(t)
        return m.rotation[0] @ m.velocity[0]

    def omega(t):
        m = move(t)
        return m.rotation[0] @ m.omega[0]

    def position(t):
        return move(t).position[0].copy()

    m = move(seconds)
    R = m.rotation[0].copy()
    v, a, alpha = (R @ x[0] for x in (m.velocity, m.acceleration, m.alpha))
    # sixth-order differences at 2 ms of positions of 200 m
    np.testing.assert_allclose(v, derivative(position, seconds), atol=1e-8, rtol=0)
    np.testing.assert_allclose(a, derivative(velocity, seconds), atol=1e-6, rtol=0)
    np.testing.assert_allclose(alpha, derivative(omega, seconds), atol=1e-6, rtol=0)
