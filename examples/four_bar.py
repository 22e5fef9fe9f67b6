"""Four-bar linkage (paper 000, figure 2): symbolic model, closed by a constraint, and its motion.

Three bars turn about parallel axes; the end of the third is pinned to the ground. The opened chain's mass matrix comes
from the virtual power; the loop is two constraint equations with their derivatives. The run is checked against
conservation of energy, which the equations do not know of.

    python examples/four_bar.py
"""

import numpy as np

from flexwheel.systems.symbolic.calculus import Derivative, evaluate, jacobian
from flexwheel.systems.symbolic.composite_bodies import composite_mass_matrix
from flexwheel.systems.symbolic.counts import count_operations
from flexwheel.systems.symbolic.points import position
from flexwheel.systems.symbolic.symbolic_vectors import Tensor
from flexwheel.systems.symbolic.system import System
from flexwheel.systems.symbolic.virtual_power import MovingBody, VirtualPower

LENGTHS, MASSES, GROUND = (0.4, 1.0, 0.8), (1.0, 2.0, 1.5), 1.1


def build():
    """System, bodies and loop constraints."""
    s = System()
    s.lift = s.parameter("g", 9.81)
    zero = s.number(0.0)
    base, at, bodies = s.ground, s.origin, []
    for k, (length, mass) in enumerate(zip(LENGTHS, MASSES, strict=True), start=1):
        angle = s.coordinate(f"theta{k}")
        base = s.rotation(f"bar{k}", base, 1, angle)
        l, m = s.parameter(f"l{k}", length), s.parameter(f"m{k}", mass)
        centre = s.point(f"centre{k}", at, [0.5 * l, 0.0, 0.0], base)
        inertia = Tensor([[zero] * 3, [zero, m * l * l / 12.0, zero], [zero] * 3], base)
        bodies.append(MovingBody(f"bar{k}", centre, base, m, inertia))
        at = s.point(f"pin{k}", at, [l, 0.0, 0.0], base)
    end = position(s.origin, at, s.ground).components
    return s, bodies, [end[0] - GROUND, end[2]]


def functions(s, bodies, constraints):
    """M, delta, constraints, their Jacobian and gamma = -d2(phi)/dt2 at q'' = 0."""
    power = VirtualPower(s)
    power.inertia(bodies)
    rate = Derivative(s.graph, dict(zip(s.q, s.qd, strict=True)))
    gamma = [-rate(rate(phi)) for phi in constraints]
    mass = composite_mass_matrix(s, bodies)
    return mass, power.generalized_forces(), jacobian(constraints, s.q), gamma


def main(duration=2.0, step=1e-3, verbose=True):
    """Run the linkage; returns the relative change of its energy."""
    s, bodies, constraints = build()
    mass, delta, rows, gamma = functions(s, bodies, constraints)
    if verbose:
        count = count_operations([*mass.values(), *delta, *rows.values(), *gamma])
        print(f"M, delta, Jacobian and gamma: {count.total} operations, {count.functions} of them sine or cosine")
    n, values = len(s.q), s.values()

    def dense(entries, shape, at):
        out = np.zeros(shape)
        for key, number in zip(entries, evaluate(list(entries.values()), at), strict=True):
            out[key] = number
        return out

    def named(q, qd):
        rates = {f"{name}'": x for name, x in zip(s.names, qd, strict=True)}
        return {**values, **dict(zip(s.names, q, strict=True)), **rates}

    def acceleration(q, qd):
        at = named(q, qd)
        a = np.zeros((n + 2, n + 2))
        a[:n, :n] = dense(mass, (n, n), at)
        a[n:, :n] = dense(rows, (2, n), at)
        a[:n, n:] = a[n:, :n].T
        return np.linalg.solve(a, np.array([*evaluate(delta, at), *evaluate(gamma, at)]))[:n]

    def project(q, qd):
        for _ in range(20):
            at = named(q, qd)
            g = dense(rows, (2, n), at)
            change = np.linalg.pinv(g) @ np.array(evaluate(constraints, at))
            q = q - change
            if np.abs(change).max() < 1e-13:
                break
        g = dense(rows, (2, n), named(q, qd))
        return q, qd - np.linalg.pinv(g) @ (g @ qd)

    def energy(q, qd):
        at = named(q, qd)
        heights = [position(s.origin, b.centre, s.ground).components[2] for b in bodies]
        weights = [m * 9.81 * z for m, z in zip(MASSES, evaluate(heights, at), strict=True)]
        return 0.5 * qd @ dense(mass, (n, n), at) @ qd + sum(weights)

    q, qd = project(np.array([-1.2, 0.9, 1.3]), np.zeros(n))
    start, largest = energy(q, qd), 0.0
    for _ in range(round(duration / step)):
        k1v, k1a = qd, acceleration(q, qd)
        k2v, k2a = qd + 0.5 * step * k1a, acceleration(q + 0.5 * step * k1v, qd + 0.5 * step * k1a)
        k3v, k3a = qd + 0.5 * step * k2a, acceleration(q + 0.5 * step * k2v, qd + 0.5 * step * k2a)
        k4v, k4a = qd + step * k3a, acceleration(q + step * k3v, qd + step * k3a)
        q = q + step / 6.0 * (k1v + 2 * k2v + 2 * k3v + k4v)
        qd = qd + step / 6.0 * (k1a + 2 * k2a + 2 * k3a + k4a)
        q, qd = project(q, qd)
        kinetic = 0.5 * qd @ dense(mass, (n, n), named(q, qd)) @ qd
        largest = max(largest, kinetic)
    change = abs(energy(q, qd) - start) / largest
    if verbose:
        print(f"energy changed by {change:.1e} of the largest kinetic energy, {largest:.2f} J")
    assert change < 1e-7, "a linkage without friction keeps its energy"
    return change


if __name__ == "__main__":
    main()
