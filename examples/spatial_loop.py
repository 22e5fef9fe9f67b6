"""A general closed loop: crank and rocker about skew axes, joined by a rod with ball ends (RSSR), by angles and Euler
parameters.

The rod is a free body: three coordinates and four Euler parameters, seven constraints close the loop. The transmission
is checked against the closed-form condition that the distance of the two crank pins is the rod's length.

    python examples/spatial_loop.py
"""

import numpy as np

from flexwheel.systems.symbolic.calculus import Derivative, evaluate, jacobian
from flexwheel.systems.symbolic.counts import count_operations
from flexwheel.systems.symbolic.points import position
from flexwheel.systems.symbolic.symbolic_vectors import Tensor
from flexwheel.systems.symbolic.system import System
from flexwheel.systems.symbolic.virtual_power import MovingBody, equations_of_motion

CRANK, ROCKER, ROD = 0.3, 0.9, 1.2
PIVOT = (1.0, 0.5, 0.2)


def build():
    """System, bodies, constraints."""
    s = System()
    zero = s.number(0.0)
    crank_base = s.rotation("crank", s.ground, 0, s.coordinate("crank"))
    crank_pin = s.point("crank_pin", s.origin, [0.0, CRANK, 0.0], crank_base)
    pivot = s.point("pivot", s.origin, list(PIVOT), s.ground)
    rocker_base = s.rotation("rocker", s.ground, 2, s.coordinate("rocker"))
    rocker_pin = s.point("rocker_pin", pivot, [ROCKER, 0.0, 0.0], rocker_base)
    centre = s.point("rod", s.origin, [s.coordinate(c) for c in "xyz"], s.ground)
    e = [s.coordinate(f"e{k}") for k in range(4)]
    rod_base = s.euler_parameters("rod", s.ground, *e)
    ends = [s.point(f"end{k}", centre, [sign * ROD / 2, 0.0, 0.0], rod_base) for k, sign in ((1, -1.0), (2, 1.0))]

    def tensor(base, *diagonal):
        return Tensor([[s.number(x) if i == j else zero for j, x in enumerate(diagonal)] for i in range(3)], base)

    bodies = [
        MovingBody("crank", crank_pin, crank_base, s.number(0.5), tensor(crank_base, 0.02, 0.02, 0.02)),
        MovingBody("rocker", rocker_pin, rocker_base, s.number(0.8), tensor(rocker_base, 0.01, 0.05, 0.05)),
        MovingBody("rod", centre, rod_base, s.number(1.0), tensor(rod_base, 0.01, 0.12, 0.12)),
    ]
    loop = [*position(crank_pin, ends[0], s.ground).components, *position(rocker_pin, ends[1], s.ground).components]
    loop.append(e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3] - 1.0)
    return s, bodies, loop


def main(points=13, verbose=True):
    """Turn the crank through a part of its range; returns the largest error of the transmission [rad/rad]."""
    s, bodies, loop = build()
    mass, delta = equations_of_motion(s, bodies, lambda power: None)
    rows = jacobian(loop, s.q)
    rate = Derivative(s.graph, dict(zip(s.q, s.qd, strict=True)))
    gamma = [-rate(rate(phi)) for phi in loop]
    if verbose:
        count = count_operations([*mass.values(), *delta, *rows.values(), *gamma])
        print(f"M, delta, Jacobian and gamma: {count.total} operations")
    n = len(s.q)

    def dense(q):
        values = dict(zip(s.names, q, strict=True))
        out = np.zeros((len(loop), n))
        for key, number in zip(rows, evaluate(list(rows.values()), values), strict=True):
            out[key] = number
        return np.array(evaluate(loop, values)), out

    q = np.array([0.3, 1.9, 0.4, 0.6, 0.2, 0.9, 0.0, 0.0, 0.4])
    worst = 0.0
    for angle in np.linspace(0.3, 1.5, points):
        q[0] = angle
        for _ in range(60):
            residual, g = dense(q)
            q[1:] -= np.linalg.lstsq(g[:, 1:], residual, rcond=None)[0]  # the rod may spin about itself: least squares
        residual, g = dense(q)
        assert np.abs(residual).max() < 1e-10, "the loop does not close"
        ratio = np.linalg.lstsq(g[:, 1:], -g[:, 0], rcond=None)[0][0]
        worst = max(worst, abs(ratio - closed_form(angle, q[1])))
    if verbose:
        print(f"transmission of the loop agrees with the closed form to {worst:.1e}")
    assert worst < 1e-8
    return worst


def closed_form(a, b):
    """d(rocker)/d(crank) from |rocker pin - crank pin|^2 = ROD^2."""
    pin = CRANK * np.array([0.0, np.cos(a), np.sin(a)])
    other = np.array(PIVOT) + ROCKER * np.array([np.cos(b), np.sin(b), 0.0])
    d = other - pin
    by_a = -d @ (CRANK * np.array([0.0, -np.sin(a), np.cos(a)]))
    by_b = d @ (ROCKER * np.array([-np.sin(b), np.cos(b), 0.0]))
    return -by_a / by_b


if __name__ == "__main__":
    main()
