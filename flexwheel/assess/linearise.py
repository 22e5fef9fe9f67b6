"""Linearised equations of the vehicle on its rails, from the same residual as the time step.

    M x'' + C x' + K x + P z = 0,    z' = A z + B x

about steady straight running, contact wrenches eliminated through the contact law. z are the internal states of the
force elements: the piston of every damper in series with a spring, z' = (s/c) (e - z) at elongation e. Dry friction
sticks (the slider is held) or slides as it is told; tabulated laws and bump stops are taken by their slope where they
stand, and refused where that slope is not one. Modal coordinates are those of
the non-turning mesh (exact change of variables of `eulerian`), so that the matrices are constant: with the generator
J of the modes' rotation and the spin rate Omega, w' = w_E' - Omega J w_E and w'' = w_E'' - 2 Omega J w_E'
+ Omega^2 J^2 w_E.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from scipy.linalg import eig, lu_factor, lu_solve

from flexwheel.assess.linear.stability import onset_of_growth
from flexwheel.assess.linear.suspension_notes import linear_notes
from flexwheel.base.disagreements import disagree
from flexwheel.base.errors import ConvergenceError
from flexwheel.base.variables import PATCH
from flexwheel.numerics.kernels import handle
from flexwheel.vehicle.step.balance import balance, balance_arguments, on_rail_heads
from flexwheel.vehicle.step.coordinate_labels import coordinate_labels
from flexwheel.vehicle.step.growth import LEAST_RATE, largest_growth
from flexwheel.vehicle.step.iteration_matrix import contact_rows
from flexwheel.vehicle.suspension_linear import kinks, linear_elements, relaxations

# a displacement well above the wander of the first-touch point on its search grid, well below a profile's features;
# with half of it as well, differences of the contact law are good to 2e-7 of the largest entry
DISPLACEMENT_STEP, RATE_STEP, FORCE_STEP = 5e-7, 5e-5, 10.0
SPIN_STEP = 1e-5  # [rad/s]
BALANCE = 5.0  # [N, N m] left out of balance in steady running
SIDES = (1.0, -1.0, 0.5, -0.5)  # of the step, at which `derivative` wants the values
SETTLED, HELD = 0.0, -1.0  # what the internal states do in `balance`
PLACE = (PATCH.x_contact, PATCH.y_wheel, PATCH.half_length, PATCH.half_width)
"""Columns of a patch's record that say where it lies and how large it is [m]."""


class OpenContact(NamedTuple):
    """Derivatives with contact wrenches and rails as inputs of their own, for F = 12 W wrench components of all wheels.

    Outputs y (Y): wrenches by the contact law (6 a wheel), forces on the rail heads (4 a wheel), wrenches on the
    wheelsets at their journals (12 a wheelset), PLACE of the heaviest patch (4 a wheel).
    """

    force: np.ndarray  # (N, F) of the residual by the wrenches
    output_motion: np.ndarray  # (3, Y, N) by the coordinates, their rates and accelerations, mesh not turning
    output_force: np.ndarray  # (Y, F)
    output_rail: np.ndarray  # (3, Y, 8 W) by displacement (x, y, z, roll) of the heads, velocity, slope along the track
    output_state: np.ndarray  # (Y, Z) by the internal states
    output: np.ndarray  # (Y,) in steady running


@dataclass(frozen=True)
class LinearModel:
    """M, C, K (N, N), P (N, Z), A (Z, Z), B (Z, N) about running at `speed`; C and K also without contact."""

    speed: float  # [m/s]
    mass: np.ndarray  # (N, N)
    damping: np.ndarray
    stiffness: np.ndarray
    free_damping: np.ndarray  # without contact forces
    free_stiffness: np.ndarray
    contact_rows: np.ndarray  # (W, 2, 6, N) pose of each profile by the coordinates
    residual_compliance: np.ndarray  # (W, 2, 6, 6)
    labels: tuple[str, ...] = ()  # (N,) body and coordinate; the modes of a pair share one
    state_force: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))  # (N, Z) P
    state_rate: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))  # (Z, Z) A [1/s]
    state_drive: np.ndarray = field(default_factory=lambda: np.zeros((0, 0)))  # (Z, N) B [1/s]
    steady: tuple = ()  # coordinates, velocities, accelerations (N,), contact wrenches (W, 2, 6): where it was taken
    notes: tuple[str, ...] = ()  # how the force elements were taken
    warnings: tuple[str, ...] = ()  # slopes that are not one, accepted
    contact: OpenContact | None = None  # the same with wrenches and rails left open
    along: tuple[int, ...] = ()  # arc lengths, of the reference body first
    spins: tuple[int, ...] = ()  # spin angles of the wheelsets
    patches: np.ndarray | None = None  # (W, 2, P, columns) records of the contact patches, load 0 where there is none


def linearise(model, assembly, state, work, contact_work, rails, friction_dampers="sticking", accepted=()):
    """Linear model about steady straight running at the model's speed.

    Parameters
    ----------
    state                        at rest, after `static_equilibrium`; left as it was
    rails : (4, 4) or (W, 2, 3, 4)   static compliance of a rail head, zeros for rigid rails; or displacement,
                                 velocity and slope along the track of each head, which stay so
    friction_dampers : str       "sticking" (spring of the dry-friction element) or "sliding" (no force)
    accepted : sequence of str   disagreements that are meant: "kink" takes the mean of two slopes

    Raises
    ------
    ConvergenceError             no steady running
    ScenarioError                a force law has two slopes where it stands
    """
    in_a_run = model.suspension
    model = model._replace(suspension=linear_elements(in_a_run, friction_dampers))
    speed = model.speed
    n = assembly.coordinate_count
    offset = assembly.units.offset
    turn = mode_turning(assembly)
    f0 = state.wrench.copy()
    held = work.spring_state.accepted.copy()

    compiled = balance_arguments(model, state, work, contact_work)
    heads, compliance = np.zeros((*f0.shape[:2], 3, 4)), np.zeros((4, 4))
    if np.ndim(rails) == 4:
        heads[:] = rails
    else:
        compliance[:] = rails
    forces, outputs = np.zeros(f0.shape), 2 * f0.size + heads[:, :, 0].size + len(PLACE) * f0[..., 0].size
    heaviest = np.zeros(f0.shape[:2], dtype=np.int64)  # slots of the patches that carry most, once running is steady

    def residual(q, v, a, f, states=SETTLED):
        work.q[:], work.qd[:], work.qdd[:] = q, v, a
        state.wrench[:] = f
        if balance(*compiled, compliance, heads, states, forces) != 0:
            raise ConvergenceError("linearisation: a wheel leaves its rail")
        parts = forces, on_rail_heads(model, work, f), state.interface_force, _place(work, heaviest)
        return work.residual.copy(), np.concatenate([part.ravel() for part in parts])

    def columns(count, step, call):
        r, y = [], []
        for k in range(count):
            e = np.zeros(count)
            e[k] = step
            ends = [call(side * e) for side in SIDES]
            for rows, i in ((r, 0), (y, 1)):
                rows.append(derivative([end[i] for end in ends], step))
        return np.array(r).reshape(count, n).T, np.array(y).reshape(count, outputs).T

    def steady(q, spin):
        """Velocities and accelerations of steady running with spins (W,), mesh coordinates non-turning."""
        v = np.zeros(n)
        v[offset[: len(assembly.body_specs)]] = speed
        rates = np.zeros(n)
        for w, u in enumerate(assembly.wheelsets.unit):
            o, h = offset[u], int(assembly.wheelsets.mode_count[w])
            v[o], v[o + 5] = speed, spin[w]
            rates[o + 6 : o + 6 + h] = spin[w]
        wj = rates[:, None] * turn
        return v - wj @ q, wj @ wj @ q, wj

    q0 = state.history[0, 0].copy()
    spin = speed / assembly.wheelsets.radius
    v0, a0, wj = steady(q0, spin)
    residual(q0, v0, a0, f0)  # settles the sliders of friction elements at the equilibrium
    work.spring_state.accepted[:] = work.spring_state.proposed
    q0, spin, f = steady_running(assembly, steady, residual, q0, spin, f0)
    v0, a0, wj = steady(q0, spin)
    residual(q0, v0, a0, f)
    heaviest[:] = np.argmax(_records(work)[..., PATCH.normal_force], axis=2)
    work.spring_state.accepted[:] = work.spring_state.proposed
    warnings = refuse_kinks(model, assembly, work, accepted)
    notes = linear_notes(in_a_run, work.poses, friction_dampers)
    series, rate = relaxations(model.suspension)
    lengths, piston = [], work.spring_state.accepted[:, 0]

    def displaced(e):
        found = residual(q0 + e, v0, a0, f, HELD)
        lengths.append(work.spring_state.proposed[series, 1].copy())
        return found

    def with_pistons(e):
        piston[series] += e
        found = residual(q0, v0, a0, f, HELD)
        piston[series] -= e
        return found

    def with_rails(level):
        def call(e):
            heads[:, :, level] += e.reshape(heads[:, :, level].shape)
            found = residual(q0, v0, a0, f, HELD)
            heads[:, :, level] -= e.reshape(heads[:, :, level].shape)
            return found

        return columns(heads[:, :, 0].size, (DISPLACEMENT_STEP, RATE_STEP, RATE_STEP / speed)[level], call)[1]

    r_q, y_q = columns(n, DISPLACEMENT_STEP, displaced)
    r_v, y_v = columns(n, RATE_STEP, lambda e: residual(q0, v0 + e, a0, f, HELD))
    r_a, y_a = columns(n, 1.0, lambda e: residual(q0, v0, a0 + e, f, HELD))
    r_f, y_f = columns(f0.size, FORCE_STEP, lambda e: residual(q0, v0, a0, f + e.reshape(f.shape), HELD))
    r_z, y_z = columns(len(series), DISPLACEMENT_STEP, with_pistons)
    y_e = np.stack([with_rails(level) for level in range(3)])
    f_q, f_v, f_f = (y[: f0.size] for y in (y_q, y_v, y_f))
    motion = np.stack([y_q - y_v @ wj + y_a @ wj @ wj, y_v - 2.0 * y_a @ wj, y_a])
    contact = OpenContact(r_f, motion, y_f, y_e, y_z, residual(q0, v0, a0, f)[1])
    patches = _records(work)
    state.wrench[:] = f0
    work.spring_state.accepted[:] = held
    lengths = np.array(lengths).reshape(n, len(SIDES), len(series))
    drive = rate[:, None] * derivative(np.moveaxis(lengths, 1, 0), DISPLACEMENT_STEP).T
    solve = lu_factor(np.eye(f0.size) - f_f)
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
        speed,
        r_a,
        c_free + c_contact,
        k_free + k_contact,
        c_free,
        k_free,
        rows,
        model.wheelsets.residual.copy(),
        coordinate_labels(assembly),
        r_z,
        np.diag(-rate),
        drive,
        (q0, v0, a0, f),
        notes,
        warnings,
        contact,
        tuple(int(o) for o in offset[:-1]),
        tuple(int(offset[u]) + 5 for u in assembly.wheelsets.unit),
        patches,
    )


def _place(work, slots):
    """PLACE (W, 2, 4) of the patch of each wheel in a slot (W, 2)."""
    return np.take_along_axis(work.patches, slots[..., None, None], axis=2)[:, :, 0, PLACE]


def _records(work):
    """Records of the contact patches (W, 2, P, columns), 0 where there is none."""
    slots = np.arange(work.patches.shape[2]) < work.patch_count[..., None]
    return np.where(slots[..., None], work.patches, 0.0)


def derivative(ends, step):
    """Derivative from values at SIDES times the step: central differences, extrapolated."""
    wide, narrow = (ends[0] - ends[1]) / (2 * step), (ends[2] - ends[3]) / step
    return (4.0 * narrow - wide) / 3.0


def refuse_kinks(model, assembly, work, accepted):
    """Refuse force laws whose slope jumps where they stand, or the lines that say so where that is accepted."""
    found = kinks(model.suspension, work.poses, DISPLACEMENT_STEP, RATE_STEP)
    names = assembly.element_names or tuple(f"force element {k + 1}" for k in range(len(model.suspension.integer)))
    if not found:
        return ()
    text = "; ".join(f"{names[e]}: {slopes}" for e, slopes in found)
    return (disagree("kink", f"no single slope to linearise by, the mean is meant? {text}", accepted),)


def steady_running(assembly, steady, residual, q, spin, wrench, iterations=20):
    """Steady straight running with creep: the wheelsets roll freely, the reference body is drawn along.

    Unknowns are the coordinates but the arc length of the reference body and the spins, the spin rates and the
    contact wrenches; all equations of motion but that of the reference body's arc length hold.

    Parameters
    ----------
    steady : callable     q, spin -> velocities, accelerations, rate of turning
    residual : callable   q, v, a, wrench -> what is out of balance (N,), contact wrenches by the law

    Returns
    -------
    q (N,), spin (W,) [rad/s], wrench (W, 2, 6)

    Raises
    ------
    ConvergenceError
    """
    offset = assembly.units.offset
    free = np.ones(len(q), dtype=bool)
    free[offset[0]] = False
    held = free.copy()
    free[[offset[u] + 5 for u in assembly.wheelsets.unit]] = False
    index, count = np.flatnonzero(free), len(spin)

    def split(z):
        coordinates = q.copy()
        coordinates[index] = z[: len(index)]
        rates = z[len(index) : len(index) + count]
        return coordinates, rates, z[len(index) + count :].reshape(wrench.shape)

    def equations(z):
        coordinates, rates, force = split(z)
        velocity, acceleration, _ = steady(coordinates, rates)
        left, law = residual(coordinates, velocity, acceleration, force)
        return np.concatenate([left[held], law[: force.size] - force.ravel()])

    z = np.concatenate([q[index], spin, wrench.ravel()])
    steps = np.concatenate(
        [np.full(len(index), DISPLACEMENT_STEP), np.full(count, SPIN_STEP), np.full(wrench.size, FORCE_STEP)]
    )
    for _ in range(iterations):
        left = equations(z)
        worst = np.max(np.abs(left))
        if worst < BALANCE:
            return split(z)
        jacobian = np.empty((len(z), len(z)))
        for k, step in enumerate(steps):
            trial = z.copy()
            trial[k] += step
            jacobian[:, k] = (equations(trial) - left) / step
        weight = 1.0 / np.maximum(np.max(np.abs(jacobian), axis=1), 1e-12)
        z = z + np.linalg.lstsq(jacobian * weight[:, None], -left * weight, rcond=1e-13)[0]
    raise ConvergenceError(f"no steady running after {iterations} iterations; {worst:.3g} N out of balance")


def mode_turning(assembly):
    """(N, N) generator J of every wheelset's modes on its coordinates, 0 elsewhere."""
    turn = np.zeros((assembly.coordinate_count,) * 2)
    for w, u in enumerate(assembly.wheelsets.unit):
        h = int(assembly.wheelsets.mode_count[w])
        modes = slice(assembly.units.offset[u] + 6, assembly.units.offset[u] + 6 + h)
        turn[modes, modes] = assembly.wheelsets.generator[w, :h, :h]
    return turn


def dominant_coordinates(linear, vectors):
    """For each shape (N, S): label of the coordinates that hold most of its kinetic energy, and their share.

    The share is that of the sum of |x_k| |(M x)_k|.
    """
    names = sorted(set(linear.labels))
    groups = np.array([names.index(label) for label in linear.labels])
    energy = np.abs(vectors) * np.abs(linear.mass @ vectors)
    shares = np.stack([energy[groups == g].sum(axis=0) for g in range(len(names))])
    shares = shares / np.maximum(shares.sum(axis=0), 1e-300)
    most = np.argmax(shares, axis=0)
    return [names[k] for k in most], shares[most, np.arange(len(most))]


def eigenvalues(linear):
    """Eigenvalues [1/s] and displacement shapes (N, k), ascending in frequency; zero modes of running kept out."""
    n, z = len(linear.mass), len(linear.state_rate)
    force = np.zeros((n, z)) if z == 0 else linear.state_force
    a = np.block(
        [
            [np.zeros((n, n)), np.eye(n), np.zeros((n, z))],
            [-np.linalg.solve(linear.mass, m) for m in (linear.stiffness, linear.damping, force)],
            [np.zeros((z, n)) if z == 0 else linear.state_drive, np.zeros((z, n)), linear.state_rate],
        ]
    )
    values, vectors = eig(a)
    keep = (np.abs(values) > 1e-2) & (values.imag >= 0.0)
    order = np.argsort(np.abs(values[keep].imag), kind="stable")
    return values[keep][order], vectors[:n, keep][:, order]


def critical_speed(linear_at, low, high, tolerance=0.05):
    """Lowest speed [m/s] between low and high at which something grows; nan where nothing does.

    linear_at : callable   speed [m/s] -> LinearModel
    """
    return onset_of_growth(lambda speed: largest_growth(linear_at(speed)) - LEAST_RATE, low, high, tolerance)


def wheel_receptance(linear, wheelset, side, frequency_hz, static_residual=True):
    """Receptance (F, 3, 3) [m/N] of the wheel at its profile origin, x, y, z, free of contact forces."""
    g = linear.contact_rows[wheelset, side, :3]
    found = np.empty((len(frequency_hz), 3, 3), dtype=complex)
    for i, f in enumerate(frequency_hz):
        s = 2j * np.pi * f
        dynamic = linear.mass * s * s + linear.free_damping * s + linear.free_stiffness
        if len(linear.state_rate):
            states = s * np.eye(len(linear.state_rate)) - linear.state_rate
            dynamic = dynamic + linear.state_force @ np.linalg.solve(states, linear.state_drive)
        found[i] = g @ np.linalg.solve(dynamic, g.T)
        if static_residual:
            found[i] += linear.residual_compliance[wheelset, side, :3, :3]
    return found
