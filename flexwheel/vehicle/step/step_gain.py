"""Newmark's beta coordinate by coordinate, so that a wheelset's frequencies do not hang on the step.

Newmark 1/4 lowers a frequency by (omega dt)^2/12. Beta of `integration.beta_in_phase` does not, so the rigid
coordinates of a wheelset take 1/12, its modes each their own, everything else keeps the integrator's 1/4. The stiff
modes matter as well: what an axle box of 100 kg does at 1 kHz it does through journal shapes of 5 kHz, and with their
1/4 weighs (omega dt)^2/6 too much. Statics are exact whatever the betas.

Stability: without damping M a + K d = 0 and d = dt^2 ((mu^2 - 1)/4 + B) a, mu = (z + 1)/(z - 1), have |z| <= 1 if
dt^2 M^-1/2 K M^-1/2 (1/4 - B) has no eigenvalue above 1, which only the coordinates with beta < 1/4 enter, all others
held. K counts the modes' own stiffness, a contact stiffness and the stiffest suspension (from the contraction of the
iteration without it), M the axle boxes. Where it would exceed MOST, (1/4 - beta) of the stiff modes is reduced, of
each by its share in the eigenvector; where these are not to blame, all in proportion.

The modal damping, a force by a velocity that the step finds (x / tan x) too low, x = omega dt/2, is raised by as much.
Gyroscopic and creep forces keep that error of second order: an implicit step that is stable for any damping has no
higher order (Dahlquist 1963, BIT 3, 27-43).
"""

import numpy as np
import scipy

from flexwheel.numerics.integration import beta_in_phase
from flexwheel.numerics.kernels import handle
from flexwheel.vehicle.step.iteration_matrix import contact_rows, unit_matrix

RESOLVED = 0.5 * np.pi  # [rad] omega dt up to which a mode is not a stiff one: four steps a period
HIGHEST = 0.9 * np.pi  # [rad] up to which it has a beta of its own; 1/12 beyond
CONTACT_STIFFNESS = 3e9  # [N/m] of a wheel, across and up: two patches of 100 kN by Hertz
MOST = 0.75  # of the limit of stability 1
REDUCTIONS = 200  # of stiff modes at most
LEAST_PAIR = 1e-6  # relative difference of frequencies that are one


def gain_in_phase(model, state, work, contraction):
    """Fill work.gain for wheelsets in phase; the model with their damping as the step needs it.

    Parameters
    ----------
    model, state, work           of a run about to start; `work` holds the rows of `prepare`
    contraction : (E,)           of `judge_coupling`; with stiff elements in the iteration matrix nothing is changed

    Returns
    -------
    Model

    Verified in tests/verification/test_step_gain_verified.py and `flexwheel verify step`.
    """
    coefficients = model.coefficients
    if coefficients.beta != 0.25 or coefficients.depth != 1 or work.coupling.active[0] == 1:
        return model
    dt = coefficients.dt
    damping = model.wheelsets.damping.copy()
    instant = handle(model._replace(coefficients=coefficients._replace(dt=1e-12)))
    held = 4.0 / 6.0 * float(np.sum(contraction))  # dt^2 K/M by at most 1/6
    for w, u in enumerate(model.wheelsets.unit):
        h = int(model.wheelsets.mode_count[w])
        first = int(model.units.offset[u])
        groups, angle = _pairs(dt * model.wheelsets.frequency[w, :h])
        below = angle < RESOLVED
        less = np.zeros(int(model.units.offset[u + 1]) - first)  # 1/4 - beta
        less[:6] = 0.25 - beta_in_phase(0.0)
        less[6 : 6 + h] = 0.25 - beta_in_phase(np.where(angle < HIGHEST, angle, 0.0))
        less, part = _stable(less, *_loaded(model, instant, work, w, len(less)), groups, below, MOST - held)
        work.gain[first : first + len(less)] = (0.25 - less) * dt * dt
        half = 0.5 * angle[below]
        damping[w, :h][below] *= 1.0 + part * (np.tan(half) / half - 1.0)
    state.mesh_angle_of_matrix[:] = np.nan  # the matrices of `prepare` are those of equal gains
    return model._replace(wheelsets=model.wheelsets._replace(damping=damping))


def _pairs(frequency):
    """Group (H,) of every frequency, with those that differ by rounding, so that a turned pair has one beta; means."""
    order = np.argsort(frequency)
    groups = np.empty(len(order), dtype=np.int64)
    groups[order] = np.cumsum(np.diff(frequency[order], prepend=frequency[order][:1]) > LEAST_PAIR * frequency[order])
    mean = np.bincount(groups, frequency) / np.bincount(groups) if len(order) else np.zeros(0)
    return groups, mean[groups] if len(order) else mean


def _stable(less, stiffness, mass, groups, below, most):
    """1/4 - beta (n,) no larger than is stable, and the part that is left of those that are not of stiff modes."""
    h = len(groups)
    for _ in range(REDUCTIONS):
        root = np.sqrt(less)
        values, vectors = scipy.linalg.eigh(
            root[:, None] * stiffness * root, mass, subset_by_index=[len(less) - 1, len(less) - 1]
        )
        if values[0] <= most:
            return less, 1.0
        share = vectors[6 : 6 + h, 0] ** 2 / np.sum(vectors[:, 0] ** 2)
        share = np.where(below, 0.0, np.bincount(groups, share)[groups]) if h else share
        if np.sum(share) < 0.5:
            break
        less = less.copy()
        less[6 : 6 + h] *= 1.0 - share * min(0.5, 1.5 * (1.0 - most / values[0]))
    part = max(most, 0.0) / values[0]
    return part * less, part


def _loaded(model, instant, work, w, n):
    """dt^2 K (n, n), wheels held by CONTACT_STIFFNESS, and M, the matrix of an instant step, with the axle boxes."""
    u, h = int(model.wheelsets.unit[w]), int(model.wheelsets.mode_count[w])
    mass = np.zeros((n, n))
    none = np.zeros(len(work.gain))
    unit_matrix(instant, u, 0.0, none, np.zeros((6, max(h, 1))), np.zeros(n), mass)
    stiffness = np.zeros((n, n))
    stiffness[6 : 6 + h, 6 : 6 + h] = np.diag(model.wheelsets.frequency[w, :h] ** 2)
    wheelsets = handle(model.wheelsets)
    for side in range(2):
        rows = np.zeros((6, n))
        contact_rows(wheelsets, w, side, np.zeros(6), work.tread[w, side], rows)
        stiffness += CONTACT_STIFFNESS * rows[1:3].T @ rows[1:3]
    return model.coefficients.dt**2 * stiffness, mass
