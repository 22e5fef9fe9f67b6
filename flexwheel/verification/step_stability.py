"""Eigenvalues of the linearised step of a vehicle on rails that do not move, from the matrices of `linearise`.

The step in material coordinates with equal or unequal gains g (step_gain), R the turn of the modes in a step:

    d* = R (d + h v + (h^2/2 - g) a),  v* = R (v + h/2 a),  M a+ + C v+ + K d+ = 0,  d+ = d* + g a+,  v+ = v* + h/2 a+

Pistons of dampers in series with a spring are eliminated as at rest.
"""

import numpy as np
from scipy.linalg import expm

from flexwheel.assess.linear_analysis import straight_scenario
from flexwheel.assess.linearise import linearise, mode_turning
from flexwheel.base.shipped import EXAMPLES
from flexwheel.numerics.integration import newmark
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.reduced_bodies import flexible_wheelsets
from flexwheel.vehicle.step.assemble import prepare
from flexwheel.vehicle.step.coupling_renewal import judge_coupling
from flexwheel.vehicle.step.step_gain import gain_in_phase
from flexwheel.verification.check_registry import bound, check, exact, information

STEPS = (2.5e-5, 5e-5, 1e-4, 2e-4)  # [s]
VEHICLES = {"AS4": "as4_curve.toml", "Manchester passenger coach": "manchester_tight_curve.toml"}


def step_radius(linear, turning, gain, step):
    """Largest modulus of an eigenvalue of the step.

    Parameters
    ----------
    linear : LinearModel          matrices in axes that do not turn with the modes
    turning : (N, N) [rad/s]      spin rate times generator of the modes' rotation, on the coordinates
    gain : (N,) [s2]              of `step_gain`
    step : float [s]
    """
    n = len(linear.mass)
    damping = linear.damping + 2.0 * linear.mass @ turning
    stiffness = linear.stiffness + damping @ turning - linear.mass @ turning @ turning
    if len(linear.state_rate):
        stiffness = stiffness - linear.state_force @ np.linalg.solve(linear.state_rate, linear.state_drive)
    one = np.eye(n)
    turn = expm(turning * step)
    place = turn @ np.hstack([one, step * one, np.diag(0.5 * step**2 - gain)])
    rate = turn @ np.hstack([0.0 * one, one, 0.5 * step * one])
    matrix = linear.mass + 0.5 * step * damping + stiffness * gain
    new = -np.linalg.solve(matrix, stiffness @ place + damping @ rate)
    values = np.linalg.eigvals(np.vstack([place + gain[:, None] * new, rate + 0.5 * step * new, new]))
    return float(np.max(np.abs(values)))


def radii(scenario, bodies, steps=STEPS):
    """For each step: spectral radius with gains in phase, with equal gains, and smallest beta in use."""
    rigid = scenario.track.model_copy(update={"model": "rigid"})
    straight = straight_scenario(scenario.model_copy(update={"track": rigid}), scenario.run.speed)
    s = build_simulation(straight, bodies)
    linear = linearise(s.model, s.assembly, s.state, s.work, s.contact_work, np.zeros((4, 4)), accepted=scenario.accept)
    offset, turning = s.assembly.units.offset, mode_turning(s.assembly)
    for w, u in enumerate(s.assembly.wheelsets.unit):
        turning[offset[u] : offset[u + 1]] *= s.model.speed / s.assembly.wheelsets.radius[w]
    found = []
    for step in steps:
        model = s.model._replace(coefficients=newmark(step))
        prepare(model, s.work)
        equal = step_radius(linear, turning, s.work.gain, step)
        gain_in_phase(model, s.state, s.work, judge_coupling(model, s.work))
        found.append((step_radius(linear, turning, s.work.gain, step), equal, s.work.gain.min() / step**2))
    return found


@check(
    "Stability of the step", subject="Time step", slow=True,
    ground=exact("a vehicle below its critical speed grows by nothing; 1e-6 for the rounding of the double eigenvalue "
                 "1 of running along the track, the square root of 1e-16 times its size"),
)  # fmt: skip
def stability_of_the_step():
    """Spectral radius of the linearised step of shipped vehicles, wheelsets in phase, on rails that do not move."""
    rows = []
    for name, example in VEHICLES.items():
        scenario = read_scenario(EXAMPLES / example)
        bodies = {key: made.body for key, made in flexible_wheelsets(scenario).items()}
        for step, (radius, equal, beta) in zip(STEPS, radii(scenario, bodies), strict=True):
            text = f"{name}, {1e6 * step:g} us"
            rows.append(bound(f"{text}: spectral radius less 1", radius - 1.0, 1e-6))
            rows.append(information(f"{text}: the same with beta = 1/4 throughout", equal - 1.0))
            rows.append(information(f"{text}: smallest beta", beta))
    return rows
