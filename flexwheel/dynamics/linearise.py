"""Linearised equations of the vehicle on its rails, from the same residual as the time step.

    M x'' + C x' + K x = 0

about steady straight running, contact wrenches eliminated through the contact law. Modal coordinates are those of
the non-turning mesh (exact change of variables of `eulerian`), so that the matrices are constant: with the generator
J of the modes' rotation and the spin rate Omega, w' = w_E' - Omega J w_E and w'' = w_E'' - 2 Omega J w_E'
+ Omega^2 J^2 w_E.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eig, lu_factor, lu_solve

from flexwheel.bodies.suspension_linear import linear_elements
from flexwheel.dynamics.balance import balance
from flexwheel.dynamics.iteration_matrix import contact_rows
from flexwheel.errors import ConvergenceError
from flexwheel.handles import handle

DISPLACEMENT_STEP, RATE_STEP, FORCE_STEP = 1e-6, 1e-4, 10.0


@dataclass(frozen=True)
class LinearModel:
    """M, C, K (N, N) about running at `speed`; the same without contact, and the rows of the contacts."""

    speed: float  # [m/s]
    mass: np.ndarray  # (N, N)
    damping: np.ndarray
    stiffness: np.ndarray
    free_damping: np.ndarray  # without contact forces
    free_stiffness: np.ndarray
    contact_rows: np.ndarray  # (W, 2, 6, N) pose of each profile by the coordinates
    residual_compliance: np.ndarray  # (W, 2, 5, 5)


def linearise(model, assembly, state, work, contact_work, rail_compliance, friction_dampers="sticking"):
    """Linear model about the equilibrium held in `state` (after `static_equilibrium`), at the model's speed.

    Parameters
    ----------
    rail_compliance : (4, 4)     static, of the rail head; zeros for rigid rails
    friction_dampers : str       "sticking" (spring of the dry-friction element) or "sliding" (no force)
    """
    model = model._replace(suspension=linear_elements(model.suspension, friction_dampers))
    speed = model.speed
    n = assembly.coordinate_count
    q0 = state.history[0, 0].copy()
    v0 = np.zeros(n)
    a0 = np.zeros(n)
    turn = np.zeros((n, n))
    offset = assembly.units.offset
    v0[offset[: len(assembly.body_specs)]] = speed
    rates = np.zeros(n)
    for w, spec in enumerate(assembly.wheelset_specs):
        o = offset[assembly.wheelsets.unit[w]]
        h = int(assembly.wheelsets.mode_count[w])
        omega = speed / spec.radius
        v0[o], v0[o + 5] = speed, omega
        j = assembly.wheelsets.generator[w, :h, :h]
        turn[o + 6 : o + 6 + h, o + 6 : o + 6 + h] = j
        rates[o + 6 : o + 6 + h] = omega
        v0[o + 6 : o + 6 + h] = -omega * j @ q0[o + 6 : o + 6 + h]
        a0[o + 6 : o + 6 + h] = omega**2 * j @ j @ q0[o + 6 : o + 6 + h]
    f0 = state.wrench.copy()

    compiled = [handle(item) for item in (model, state, work, contact_work)]
    offset_of_rails = np.zeros((*f0.shape[:2], 4))
    forces = np.zeros(f0.shape)

    def residual(q, v, a, f):
        work.q[:], work.qd[:], work.qdd[:] = q, v, a
        state.wrench[:] = f
        if balance(*compiled, rail_compliance, offset_of_rails, forces) != 0:
            raise ConvergenceError("linearisation: a wheel leaves its rail")
        return work.residual.copy(), forces.ravel().copy()

    def columns(count, step, call):
        r, f = np.empty((n, count)), np.empty((f0.size, count))
        for k in range(count):
            e = np.zeros(count)
            e[k] = step
            rp, fp = call(e)
            rm, fm = call(-e)
            r[:, k], f[:, k] = (rp - rm) / (2 * step), (fp - fm) / (2 * step)
        return r, f

    residual(q0, v0, a0, f0)  # settles the sliders of friction elements at the equilibrium
    work.spring_state.accepted[:] = work.spring_state.proposed
    r_q, f_q = columns(n, DISPLACEMENT_STEP, lambda e: residual(q0 + e, v0, a0, f0))
    r_v, f_v = columns(n, RATE_STEP, lambda e: residual(q0, v0 + e, a0, f0))
    r_a, _ = columns(n, 1.0, lambda e: residual(q0, v0, a0 + e, f0))
    r_f, f_f = columns(f0.size, FORCE_STEP, lambda e: residual(q0, v0, a0, f0 + e.reshape(f0.shape)))
    state.wrench[:] = f0
    solve = lu_factor(np.eye(f0.size) - f_f)
    wj = rates[:, None] * turn
    k_free, c_free = r_q - r_v @ wj + r_a @ wj @ wj, r_v - 2.0 * r_a @ wj
    k_contact = r_f @ lu_solve(solve, f_q - f_v @ wj)
    c_contact = r_f @ lu_solve(solve, f_v)
    rows = np.zeros((*f0.shape[:2], 6, n))
    wheelsets = handle(model.wheelsets)
    for w in range(f0.shape[0]):
        o, end = offset[assembly.wheelsets.unit[w]], offset[assembly.wheelsets.unit[w] + 1]
        for side in range(2):
            g = np.zeros((6, end - o))
            contact_rows(wheelsets, w, side, work.shift[w, side], work.tread[w, side], g)
            rows[w, side, :, o:end] = g
    return LinearModel(
        speed, r_a, c_free + c_contact, k_free + k_contact, c_free, k_free, rows, model.wheelsets.residual.copy()
    )


def eigenvalues(linear):
    """Eigenvalues [1/s] and displacement shapes (N, 2 N), ascending in frequency; zero modes of running kept out."""
    n = len(linear.mass)
    a = np.block(
        [
            [np.zeros((n, n)), np.eye(n)],
            [-np.linalg.solve(linear.mass, linear.stiffness), -np.linalg.solve(linear.mass, linear.damping)],
        ]
    )
    values, vectors = eig(a)
    keep = (np.abs(values) > 1e-2) & (values.imag >= 0.0)
    order = np.argsort(np.abs(values[keep].imag), kind="stable")
    return values[keep][order], vectors[:n, keep][:, order]


def critical_speed(linear_at, low, high, tolerance=0.05, least_hz=0.2):
    """Lowest speed [m/s] between low and high at which an oscillation grows; nan where none does.

    linear_at : callable   speed [m/s] -> LinearModel
    """

    def growth(speed):
        values, _ = eigenvalues(linear_at(speed))
        swing = values[values.imag > 2.0 * np.pi * least_hz]
        return np.max(swing.real)

    speeds = np.linspace(low, high, 13)
    previous = speeds[0]
    if growth(previous) > 0.0:
        return float(previous)
    for speed in speeds[1:]:
        if growth(speed) > 0.0:
            a, b = previous, speed
            while b - a > tolerance:
                middle = 0.5 * (a + b)
                a, b = (a, middle) if growth(middle) > 0.0 else (middle, b)
            return float(0.5 * (a + b))
        previous = speed
    return float("nan")


def wheel_receptance(linear, wheelset, side, frequency_hz, static_residual=True):
    """Receptance (F, 3, 3) [m/N] of the wheel at its profile origin, x, y, z, free of contact forces."""
    g = linear.contact_rows[wheelset, side, :3]
    found = np.empty((len(frequency_hz), 3, 3), dtype=complex)
    for i, f in enumerate(frequency_hz):
        s = 2j * np.pi * f
        found[i] = g @ np.linalg.solve(linear.mass * s * s + linear.free_damping * s + linear.free_stiffness, g.T)
        if static_residual:
            found[i] += linear.residual_compliance[wheelset, side, :3, :3]
    return found
