"""Free flight of one spinning flexible body: what must be conserved, and how well a step keeps it.

The body flies without gravity along a straight level track frame, in the coordinates of a running wheelset
(s, y, z, yaw, roll, spin, modes), with the same kernels and integrators as the coupled step.

Verified in tests/verification/test_floating_frame_conservation.py.
"""

from dataclasses import dataclass

import numpy as np

from flexwheel.base.errors import ConvergenceError
from flexwheel.numerics.integration import advance, predict, start_history
from flexwheel.numerics.kernels import kernel
from flexwheel.vehicle.floating_frame import inertia_forces, pack_inertia
from flexwheel.vehicle.kinematics import (
    add_generalised_force,
    bodies_accelerations,
    bodies_velocities,
    make_body_motion,
    make_track_frames,
)
from flexwheel.vehicle.row_slices import slice_rows
from flexwheel.vehicle.step.vectors import solve_columns
from flexwheel.vehicle.structural import (
    geometric_forces,
    spin_stiffness,
    structural_energy,
    structural_forces,
)
from flexwheel.verification.benches.momentum import dense_inertia, moment_scratch, momenta

ITERATIONS = 30


@dataclass(frozen=True)
class FreeFlight:
    """Histories of one flight, global axes, angular momentum about the mass centre of the undeformed body."""

    time: np.ndarray  # (T,) [s]
    linear: np.ndarray  # (T, 3) [kg m/s]
    angular: np.ndarray  # (T, 3) [kg m2/s]
    energy: np.ndarray  # (T,) [J] kinetic, elastic and of the centrifugal prestress
    flexible: np.ndarray  # (T,) [J] energy of the modes alone, |w'|^2/2 + elastic
    coordinates: np.ndarray  # (T, 6 + H)

    def drifts(self):
        """Largest change relative to the start: linear and angular momentum (vector), energy."""
        return tuple(
            float(np.linalg.norm(x - x[0], axis=1).max() / np.linalg.norm(x[0]))
            for x in (self.linear, self.angular, self.energy[:, None])
        )


SPIN_RATE, WOBBLE = 48.3, 0.1  # [rad/s] initial angular velocity (WOBBLE, SPIN_RATE, 0)
AMPLITUDE = 1e-3  # [m] initial displacement at the axle ends, of the first mode of order 1 (bending)
SPEED = 22.2  # [m/s] of the mass centre along x


def free_flight(body, coefficients, revolutions=100.0, centrifugal="both", damping=False, samples=400) -> FreeFlight:
    """Fly a spinning body and record what it conserves.

    Parameters
    ----------
    body : ReducedBody or BeamRotor
    coefficients : IntegratorCoefficients
    revolutions : float
    centrifugal : "both", "paper" or "none"
    damping : bool                      with the structural damping of the modes
    samples : int                       records over the flight

    Raises
    ------
    ConvergenceError                    the step did not converge
    """
    inertia = pack_inertia(body.invariants)
    h = inertia.mode_count
    frequency = 2 * np.pi * np.asarray(body.frequency_hz, dtype=float)
    ratio = np.asarray(body.damping_ratio, dtype=float) * (1.0 if damping else 0.0)
    stiffness = np.ascontiguousarray(spin_stiffness(body, centrifugal), dtype=float)
    geometric = slice_rows(stiffness[None], 0.0), stiffness
    use_geometric = centrifugal != "paper"
    d, v, a = np.zeros(6 + h), np.zeros(6 + h), np.zeros(6 + h)
    v[0], v[4], v[5] = SPEED, WOBBLE, SPIN_RATE
    if h:
        which = int(np.flatnonzero(np.asarray(body.order) == 1)[0])
        reach = np.linalg.norm(body.interface_rows[:, :3, which], axis=1).max()
        d[6 + which] = AMPLITUDE / reach
    body_data = (inertia, frequency, ratio, geometric, use_geometric, dense_inertia(body.invariants))
    work = _make_work(6 + h)
    _solve_accelerations(body_data, 0.0, 0.0, d, v, a, work)
    history = np.ascontiguousarray(start_history(coefficients, d, v, a))
    steps = int(round(revolutions * 2 * np.pi / SPIN_RATE / coefficients.dt))
    every = max(1, steps // samples)
    record = np.zeros((steps // every + 1, 8))
    track = np.zeros((steps // every + 1, 6 + h))
    failed = _fly(body_data, coefficients, history, d, v, a, steps, every, record, track, work)
    if failed:
        raise ConvergenceError(f"free flight of {body.name}: step {failed} of {steps} did not converge")
    return FreeFlight(
        time=np.arange(len(record)) * every * coefficients.dt,
        linear=record[:, :3],
        angular=record[:, 3:6],
        energy=record[:, 6],
        flexible=record[:, 7],
        coordinates=track,
    )


def _make_work(size):
    """Scratch: track frame, motion, residual, small vectors, inverse, coordinates; rigid inertia, moments of mass."""
    return (
        make_track_frames(1),
        make_body_motion(1),
        np.zeros(size),
        np.zeros((10, 3)),
        np.zeros((6, 6)),
        np.zeros((1, 6)),
        np.zeros((1, 6)),
        np.zeros((1, 6)),
        np.ones(1, dtype=np.bool_),
        np.zeros((6, 6)),
        moment_scratch(),
    )


@kernel
def _turn(angle, vector, out):
    """out = Ry(angle) vector."""
    c, s = np.cos(angle), np.sin(angle)
    out[0] = c * vector[0] + s * vector[2]
    out[1] = vector[1]
    out[2] = c * vector[2] - s * vector[0]


@kernel
def _residual(body, d, v, a, work):
    """Generalised inertia and internal forces; zero in free flight."""
    inertia, frequency, ratio, geometric, use_geometric, _ = body
    track, motion, residual, u, _, q, qd, qdd, spins, _, _ = work
    for i in range(6):
        q[0, i], qd[0, i], qdd[0, i] = d[i], v[i], a[i]
    track.position[0, 0] = d[0]
    bodies_velocities(q, qd, spins, track, motion)
    bodies_accelerations(qdd, motion)
    acc, omega, alpha, force, moment = u[0], u[1], u[2], u[3], u[4]
    _turn(-d[5], motion.acceleration[0], acc)
    _turn(-d[5], motion.omega[0], omega)
    _turn(-d[5], motion.alpha[0], alpha)
    inertia_forces(inertia, acc, omega, alpha, d[6:], v[6:], a[6:], force, moment, residual[6:])
    structural_forces(frequency, ratio, d[6:], v[6:], residual[6:])
    if use_geometric:
        geometric_forces(geometric[0], omega, alpha, d[6:], v[6:], moment, residual[6:])
    _turn(d[5], force, u[5])
    _turn(d[5], moment, u[6])
    residual[:6] = 0.0
    add_generalised_force(motion, 0, u[5], u[6], residual[:6])


@kernel
def _rigid_inverse(body, spin, work):
    """Inverse of J^T diag(m, I_E) J of the undeformed body."""
    inertia = body[0]
    motion, matrix = work[1], work[4]
    p = inertia.p_xx
    trace = p[0, 0] + p[1, 1] + p[2, 2]
    jacobian, u = motion.jacobian[0], work[3]
    for i in range(6):
        _turn(-spin, jacobian[3:, i], u[0])
        for a in range(3):
            u[1, a] = trace * u[0, a] - p[a, 0] * u[0, 0] - p[a, 1] * u[0, 1] - p[a, 2] * u[0, 2]
        _turn(spin, u[1], u[2])
        for j in range(6):
            matrix[i, j] = 1.0 if i == j else 0.0
            work[9][i, j] = 0.0
            for a in range(3):
                work[9][i, j] += inertia.mass * jacobian[a, i] * jacobian[a, j] + u[2, a] * jacobian[3 + a, j]
    solve_columns(work[9], matrix, 6)


@kernel
def _solve_accelerations(body, displacement_gain, velocity_gain, d, v, a, work):
    """Newton on the accelerations: d and v follow with the given gains. Returns 0, or 1 if not converged."""
    frequency, ratio = body[1], body[2]
    residual = work[2]
    size = d.shape[0]
    for i in range(size):  # on entry d and v are predictors without a
        d[i] += displacement_gain * a[i]
        v[i] += velocity_gain * a[i]
    best = np.inf
    inverse = work[4]
    for iteration in range(ITERATIONS):
        _residual(body, d, v, a, work)
        if iteration == 0:
            _rigid_inverse(body, d[5], work)
        largest = 0.0
        for i in range(size):
            if i < 6:
                change, scale = 0.0, 1.0
                for j in range(6):
                    change += inverse[i, j] * residual[j]
            else:
                w = frequency[i - 6]
                change = residual[i] / (1.0 + 2.0 * velocity_gain * ratio[i - 6] * w + displacement_gain * w * w)
                scale = 1.0 + w * w * abs(d[i])
            a[i] -= change
            d[i] -= displacement_gain * change
            v[i] -= velocity_gain * change
            largest = max(largest, abs(change) / scale)
        if not np.isfinite(largest):
            return 1
        if largest < 1e-13 or (largest >= best and best < 1e-9):
            return 0
        best = min(best, largest)
    return 1


@kernel
def _record(body, d, v, work, row):
    """Momenta and energies of the present state, global axes."""
    inertia, frequency, _, geometric, use_geometric, dense = body
    _, motion, _, u, _, q, qd, _, spins, _, _ = work
    for i in range(6):
        q[0, i], qd[0, i] = d[i], v[i]
    work[0].position[0, 0] = d[0]
    bodies_velocities(q, qd, spins, work[0], motion)
    velocity, omega, linear, angular = u[0], u[1], u[2], u[3]
    _turn(-d[5], motion.velocity[0], velocity)
    _turn(-d[5], motion.omega[0], omega)
    row[6] = momenta(dense, velocity, omega, d[6:], v[6:], linear, angular, work[10])
    row[6] += structural_energy(frequency, d[6:])
    if use_geometric:
        square = 0.0
        for i in range(inertia.mode_count):
            for j in range(inertia.mode_count):
                square += d[6 + i] * geometric[1][i, j] * d[6 + j]
        angular[1] -= omega[1] * square
        row[6] -= 0.5 * omega[1] * omega[1] * square
    _turn(d[5], linear, u[4])
    _turn(d[5], angular, u[5])
    for i in range(3):
        row[i], row[3 + i] = 0.0, 0.0
        for j in range(3):
            row[i] += motion.rotation[0, i, j] * u[4, j]
            row[3 + i] += motion.rotation[0, i, j] * u[5, j]
    row[7] = structural_energy(frequency, d[6:])
    for i in range(inertia.mode_count):
        row[7] += 0.5 * v[6 + i] * v[6 + i]


@kernel
def _fly(body, coefficients, history, d, v, a, steps, every, record, coordinates, work):
    """March all steps from d, v, a; returns 0 or the step that failed."""
    size = history.shape[2]
    _record(body, d, v, work, record[0])
    for i in range(size):
        coordinates[0, i] = d[i]
    displacement_gain = coefficients.beta * coefficients.dt**2
    velocity_gain = coefficients.gamma * coefficients.dt
    for n in range(1, steps + 1):
        predict(coefficients, history, d, v)
        if _solve_accelerations(body, displacement_gain, velocity_gain, d, v, a, work) != 0:
            return n
        advance(history, d, v, a)
        if n % every == 0:
            _record(body, d, v, work, record[n // every])
            for i in range(size):
                coordinates[n // every, i] = d[i]
    return 0
