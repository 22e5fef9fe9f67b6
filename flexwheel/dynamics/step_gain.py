"""Newmark's beta coordinate by coordinate, so that a wheelset's frequencies do not hang on the step.

Newmark 1/4 lowers a frequency by (omega dt)^2/12. Beta of `integration.beta_in_phase` does not; it is stable only for
coordinates that the step resolves. So the rigid coordinates of a wheelset take 1/12, its modes below a quarter of the
sampling rate each their own, everything else keeps the integrator's 1/4. Statics are exact whatever the betas.

Stability: without damping M a + K d = 0 and d = dt^2 ((mu^2 - 1)/4 + B) a, mu = (z + 1)/(z - 1), have |z| <= 1 if
dt^2 M^-1/2 K M^-1/2 (1/4 - B) has no eigenvalue above 1, which only the coordinates with beta < 1/4 enter, all others
held. K counts the modes' own stiffness, a contact stiffness and the stiffest suspension (from the contraction of the
iteration without it). Where it would exceed MOST, all (1/4 - beta) are reduced in proportion.

The modal damping, a force by a velocity that the step finds (x / tan x) too low, x = omega dt/2, is raised by as much.
Gyroscopic and creep forces keep that error of second order: an implicit step that is stable for any damping has no
higher order (Dahlquist 1963, BIT 3, 27-43).
"""

import numpy as np
from scipy.linalg import eigh

from flexwheel.dynamics.iteration_matrix import contact_rows, unit_matrix
from flexwheel.integration import beta_in_phase
from flexwheel.kernels import handle

RESOLVED = 0.5 * np.pi  # [rad] omega dt up to which a mode keeps its frequency: four steps a period
CONTACT_STIFFNESS = 3e9  # [N/m] of a wheel, across and up: two patches of 100 kN by Hertz
MOST = 0.5  # of the limit of stability 1
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

    Verified in tests/verification/test_step_gain.py and `flexwheel verify step`.
    """
    coefficients = model.coefficients
    if coefficients.beta != 0.25 or coefficients.depth != 1 or work.coupling.active[0] == 1:
        return model
    dt = coefficients.dt
    damping = model.wheelsets.damping.copy()
    held = 4.0 / 6.0 * float(np.sum(contraction))  # dt^2 K/M by at most 1/6
    for w, u in enumerate(model.wheelsets.unit):
        h = int(model.wheelsets.mode_count[w])
        first = int(model.units.offset[u])
        angle = dt * _pair_means(model.wheelsets.frequency[w, :h])
        below = angle < RESOLVED
        less = np.zeros(int(model.units.offset[u + 1]) - first)  # 1/4 - beta
        less[:6] = 0.25 - beta_in_phase(0.0)
        less[6 : 6 + h][below] = 0.25 - beta_in_phase(angle[below])
        part = min(1.0, MOST / (dt * dt * _largest(model, work, w, less) + held))
        work.gain[first : first + len(less)] = (0.25 - part * less) * dt * dt
        half = 0.5 * angle[below]
        damping[w, :h][below] *= 1.0 + part * (np.tan(half) / half - 1.0)
    state.mesh_angle_of_matrix[:] = np.nan  # the matrices of `prepare` are those of equal gains
    return model._replace(wheelsets=model.wheelsets._replace(damping=damping))


def _pair_means(frequency):
    """Frequencies (H,) with those that differ by rounding made equal, so that a turned pair has one beta."""
    order = np.argsort(frequency)
    groups = np.cumsum(np.diff(frequency[order], prepend=frequency[order][:1]) > LEAST_PAIR * frequency[order])
    mean = np.bincount(groups, frequency[order]) / np.bincount(groups) if len(order) else np.zeros(0)
    out = np.empty(len(order))
    out[order] = mean[groups] if len(order) else out[order]
    return out


def _largest(model, work, w, less):
    """Largest eigenvalue [1/s2] of M^-1 K weighted with `less` (n,), wheels held by CONTACT_STIFFNESS."""
    u, h, n = int(model.wheelsets.unit[w]), int(model.wheelsets.mode_count[w]), len(less)
    instant = model._replace(coefficients=model.coefficients._replace(dt=1e-12))
    mass = np.zeros((n, n))
    none = np.zeros(len(work.gain))
    unit_matrix(handle(instant), u, 0.0, none, np.zeros((6, max(h, 1))), np.zeros(n), mass)
    stiffness = np.zeros((n, n))
    stiffness[6 : 6 + h, 6 : 6 + h] = np.diag(model.wheelsets.frequency[w, :h] ** 2)
    wheelsets = handle(model.wheelsets)
    for side in range(2):
        rows = np.zeros((6, n))
        contact_rows(wheelsets, w, side, np.zeros(5), work.tread[w, side], rows)
        stiffness += CONTACT_STIFFNESS * rows[1:3].T @ rows[1:3]
    root = np.sqrt(less)
    return float(eigh(root[:, None] * stiffness * root, mass, eigvals_only=True, subset_by_index=[n - 1, n - 1])[0])
