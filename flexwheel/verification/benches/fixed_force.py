"""A force fixed in space on a spinning wheelset: steady displacement by each way of running, and without time steps.

The wheelset spins steadily about an axle that is held as a rigid body; a constant wrench acts at the lowest point of
one tread. In space nothing moves once the transient has died, so the displacement there has a direct solution of the
non-rotating equations, K_E w = rows^T F, which each way of running must reach by integration.

Verified in tests/verification/test_bodies_fixed_force_verified.py.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from flexwheel.assess.linear.linear_rotor import linearised_matrices
from flexwheel.numerics.integration import advance, predict, start_history
from flexwheel.numerics.kernels import kernel
from flexwheel.vehicle.between_sections import between_sections
from flexwheel.vehicle.eulerian_map import check_closed, interpolate_modes, mode_pairs, pair_turns, turn_modes
from flexwheel.vehicle.tread_contact import DISTRIBUTIONS, TreadTable, contact_rows_at, tread_table

VARIANTS = {"lagrangian": 0, "eulerian_interpolated": 1, "eulerian": 2}
WRENCH = np.array([5e3, 1e4, 1e5, 0.0, 0.0, 0.0])  # [N, N m] on the left wheel about the profile origin
SPIN_RATE = 48.3  # [rad/s]


@dataclass(frozen=True)
class FixedForce:
    """Displacement of the lowest point of the loaded tread, E axes: shift [m] and rotation [rad]."""

    direct: np.ndarray  # (6,) without time stepping
    mean: np.ndarray  # (6,) of the last revolution
    ripple: np.ndarray  # (6,) half the range over the last revolution

    def error(self):
        """Distance of the mean shift from the direct solution, relative."""
        return float(np.linalg.norm(self.mean[:3] - self.direct[:3]) / np.linalg.norm(self.direct[:3]))


def fixed_force_response(
    body,
    variant,
    coefficients,
    revolutions=12,
    distribution="shape_functions",
    between="smooth",
) -> FixedForce:
    """Integrate one variant to its steady state and compare.

    Parameters
    ----------
    body : ReducedBody
    variant : "lagrangian", "eulerian_interpolated" or "eulerian"
    coefficients : IntegratorCoefficients
    revolutions : float            the last one is averaged; the transient must have died before
    distribution : str             key of `tread_contact.DISTRIBUTIONS`
    between : "smooth" or "linear"  rows between sections
    """
    kind = DISTRIBUTIONS[distribution]
    table = tread_table(body.treads[0], between_sections(body.generator, body.closure_defect, between))
    rows = np.empty((6, len(body.frequency_hz)))
    contact_rows_at(table, kind, 0.0, 0.0, 0.0, 0.0, rows)
    standing = linearised_matrices(body, SPIN_RATE, "non_rotating", "both")[2][6:, 6:]
    steady = np.linalg.solve(standing, rows.T @ WRENCH)
    direct = rows @ steady

    mass, damping, stiffness = (
        np.ascontiguousarray(m[6:, 6:]) for m in linearised_matrices(body, SPIN_RATE, "material", "both")
    )
    dt = coefficients.dt
    effective = np.linalg.inv(mass + coefficients.gamma * dt * damping + coefficients.beta * dt * dt * stiffness)
    if variant == "eulerian":
        check_closed(body, body.name)
    # start near the answer: the standing pattern, seen by the turning material
    turn = SPIN_RATE * body.generator
    velocity = -turn @ steady
    acceleration = turn @ turn @ steady
    history = np.ascontiguousarray(start_history(coefficients, steady, velocity, acceleration))
    steps = int(round(revolutions * 2 * np.pi / SPIN_RATE / dt))
    record = np.empty((steps, 6))
    sector_map = np.ascontiguousarray(body.sector_map)
    pair, order = mode_pairs(body.generator)
    turns = np.empty((len(order), 2))
    pair_turns(order, SPIN_RATE * dt, turns)
    mesh = TurningMesh(VARIANTS[variant], kind, table, pair, turns, sector_map, body.sector_angle)
    loaded = LoadedModes(damping, stiffness, effective, WRENCH, SPIN_RATE)
    _march(mesh, loaded, coefficients, history, rows, record, tuple(np.zeros((5, history.shape[2]))))
    last = record[-int(round(2 * np.pi / SPIN_RATE / dt)) :]
    return FixedForce(direct, last.mean(axis=0), 0.5 * np.ptp(last, axis=0))


class TurningMesh(NamedTuple):
    """How the mesh turns under the force, and its running surface."""

    variant: int  # of VARIANTS
    kind: int  # of tread_contact.DISTRIBUTIONS
    table: TreadTable
    pair: np.ndarray  # (K, 2)
    turn: np.ndarray  # (K, 2) of `pair_turns`, of a step
    sector_map: np.ndarray  # (H, H)
    sector_angle: float  # [rad]


class LoadedModes(NamedTuple):
    """Linear modal equations and the force on them."""

    damping: np.ndarray  # (H, H)
    stiffness: np.ndarray  # (H, H)
    effective: np.ndarray  # (H, H) inverse of the step's matrix
    wrench: np.ndarray  # (6,) fixed in space
    spin_rate: float  # [rad/s]


@kernel
def _march(mesh, loaded, coefficients, history, rows, record, vectors):
    """Linear modal equations under a force fixed in space; the mesh is put back after each step if Eulerian."""
    size = history.shape[2]
    spin_rate, wrench, damping, stiffness = loaded.spin_rate, loaded.wrench, loaded.damping, loaded.stiffness
    d, v, a, load, scratch = vectors
    dt = coefficients.dt
    angle = 0.0
    for n in range(record.shape[0]):
        if mesh.variant == 0:
            angle += spin_rate * dt
            contact_rows_at(mesh.table, mesh.kind, angle, 0.0, 0.0, 0.0, rows)
        elif mesh.variant == 1:
            for i in range(coefficients.depth):
                for j in range(3):
                    interpolate_modes(mesh.sector_map, mesh.sector_angle, spin_rate * dt, history[i, j], scratch)
        else:
            for i in range(coefficients.depth):
                for j in range(3):
                    turn_modes(mesh.pair, mesh.turn, history[i, j])
        predict(coefficients, history, d, v)
        for k in range(size):
            load[k] = 0.0
            for c in range(6):
                load[k] += rows[c, k] * wrench[c]
        for k in range(size):
            for m in range(size):
                load[k] -= damping[k, m] * v[m] + stiffness[k, m] * d[m]
        for k in range(size):
            a[k] = 0.0
            for m in range(size):
                a[k] += loaded.effective[k, m] * load[m]
        for k in range(size):
            d[k] += coefficients.beta * dt * dt * a[k]
            v[k] += coefficients.gamma * dt * a[k]
        advance(history, d, v, a)
        for c in range(6):
            record[n, c] = 0.0
            for k in range(size):
                record[n, c] += rows[c, k] * d[k]
