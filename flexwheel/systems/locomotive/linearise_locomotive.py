"""Linearisation of the step: x(k+1) = A x(k) + B u(k) about the present state, by central differences.

The state is (q, q', N): surface coordinates follow from q, q', and the normal force enters the next step's creep
coefficients. The perturbed states are projected on the constraints by the step itself, so A maps the constrained
motion; directions that violate the constraints decay at once (eigenvalue zero). log(eigenvalue)/dt gives continuous
eigenvalues of what the chosen step integrates.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class StepLinearisation:
    """Linear step about a state."""

    state_matrix: np.ndarray  # (m, m) m = 2 n + 8
    input_matrix: np.ndarray  # (m, k) per torque [1/(N m)]
    states: tuple
    inputs: tuple
    time_step: float  # [s]

    def eigenvalues(self, slowest=1e-3):
        """Continuous eigenvalues [1/s] of modes that neither vanish in a step nor stand still, by frequency.

        Returns
        -------
        values : (k,) complex
        vectors : (m, k) complex
        """
        values, vectors = np.linalg.eig(self.state_matrix)
        keep = (np.abs(values) > 1e-6) & (values.imag > 0.0)
        exponents = np.log(values[keep]) / self.time_step
        moving = np.abs(exponents.imag) > slowest
        order = np.argsort(np.abs(exponents[moving].imag))
        return exponents[moving][order], vectors[:, keep][:, moving][:, order]


def linearise_step(locomotive, size=1e-6):
    """Linear step about the present state of a RealtimeLocomotive, which is left as it was.

    Parameters
    ----------
    locomotive : RealtimeLocomotive
    size : float      step of the differences [m, rad, m/s, rad/s]; 1e6 times it for forces and torques
    """
    saved, n = locomotive.save_state(), len(locomotive.coordinates)
    torques = locomotive.torques.copy()
    count = 2 * n + 8
    matrix, inputs = np.empty((count, count)), np.empty((count, len(torques)))

    def after(index=None, change=0.0, torque=None):
        locomotive.restore_state(saved)
        if index is not None:
            state = locomotive.compact_state()
            state[index] += change
            locomotive.set_compact_state(state)
        locomotive.torques[:] = torques
        if torque is not None:
            locomotive.torques[torque] += change
        locomotive.step()
        return locomotive.compact_state()

    for k in range(count):
        h = size if k < 2 * n else 1e6 * size
        matrix[:, k] = (after(k, h) - after(k, -h)) / (2.0 * h)
    for k in range(len(torques)):
        h = 1e6 * size
        inputs[:, k] = (after(torque=k, change=h) - after(torque=k, change=-h)) / (2.0 * h)
    locomotive.restore_state(saved)
    locomotive.torques[:] = torques
    names = locomotive.coordinates
    wheels = tuple(f"normal_force.{locomotive.wheel_name(k)}" for k in range(8))
    states = (*names, *(f"{name}'" for name in names), *wheels)
    return StepLinearisation(matrix, inputs, states, locomotive.inputs, locomotive.time_step)
