"""Mass matrices and forces against kinetic energy, Lagrange's equations and closed forms (paper 000, figure 2)."""

import numpy as np
import pytest

from flexwheel.base.errors import FlexwheelError
from flexwheel.systems.symbolic.calculus import evaluate
from flexwheel.systems.symbolic.composite_bodies import composite_mass_matrix
from flexwheel.systems.symbolic.points import position
from flexwheel.systems.symbolic.symbolic_vectors import Tensor, Vector
from flexwheel.systems.symbolic.system import System
from flexwheel.systems.symbolic.virtual_power import MovingBody, VirtualPower, equations_of_motion

ROUNDING = 1e-12


def chain():
    """Two turning links about crossing axes, a housing and a rotor that turns relative to the link, not the housing."""
    s = System()
    a, b, h, r, z = (s.coordinate(n) for n in ("a", "b", "h", "r", "z"))
    zero = s.number(0.0)

    def tensor(base, x, y, w):
        return Tensor([[s.number(x), zero, zero], [zero, s.number(y), zero], [zero, zero, s.number(w)]], base)

    one = s.rotation("one", s.ground, 2, a)
    two = s.rotation("two", one, 0, b)
    housing = s.rotation("housing", two, 1, h)
    rotor = s.rotation("rotor", two, 1, r, spinning=True)
    lift = s.point("lift", s.origin, [0.0, 0.0, z], one)
    elbow = s.point("elbow", lift, [0.7, 0.0, 0.0], one)
    g1 = s.point("g1", lift, [0.3, 0.1, 0.0], one)
    g2 = s.point("g2", elbow, [0.2, 0.4, -0.1], two)
    carried = s.point("carried", elbow, [0.5, 0.0, 0.2], housing)
    m = s.number
    bodies = [
        MovingBody("one", g1, one, m(2.0), tensor(one, 0.3, 0.2, 0.4)),
        MovingBody("two", g2, two, m(1.5), tensor(two, 0.1, 0.3, 0.2)),
        MovingBody("housing", carried, housing, m(0.8), tensor(housing, 0.2, 0.1, 0.15)),
        MovingBody("rotor", carried, rotor, m(0.6), tensor(rotor, 0.05, 0.09, 0.05)),
    ]
    return s, bodies


def state(s, seed, scale=1.0):
    rng = np.random.default_rng(seed)
    q, qd = rng.normal(size=len(s.names)), scale * rng.normal(size=len(s.names))
    return q, qd, {**dict(zip(s.names, q, strict=True)), **{f"{n}'": v for n, v in zip(s.names, qd, strict=True)}}


def dense(s, mass, values):
    matrix = np.zeros((len(s.q), len(s.q)))
    for (i, j), number in zip(mass, evaluate(list(mass.values()), values), strict=True):
        matrix[i, j] = number
    return matrix


@pytest.mark.parametrize("seed", range(3))
def test_composite_equals_differentiated(seed):
    s, bodies = chain()
    mass, _ = equations_of_motion(s, bodies, lambda power: None)
    composite = composite_mass_matrix(s, bodies)
    _, _, values = state(s, seed)
    full = dense(s, mass, values)
    assert np.abs(dense(s, composite, values) - full).max() <= ROUNDING * np.abs(full).max()
    assert np.abs(full - full.T).max() <= ROUNDING * np.abs(full).max()


@pytest.mark.parametrize("seed", range(3))
def test_mass_matrix_is_kinetic_energy(seed):
    s, bodies = chain()
    _, qd, values = state(s, seed)
    energy = 0.0
    for body in bodies:
        v = np.array(evaluate(list(body.centre.velocity().components), values))
        w = np.array(evaluate(list(body.base.angular_velocity().components), values))
        inertia = np.array([evaluate(list(row), values) for row in body.inertia.rows])
        energy += 0.5 * evaluate([body.mass], values)[0] * v @ v + 0.5 * w @ inertia @ w
    matrix = dense(s, composite_mass_matrix(s, bodies), values)
    assert 0.5 * qd @ matrix @ qd == pytest.approx(energy, rel=ROUNDING)


@pytest.mark.parametrize("seed", range(3))
def test_velocity_terms_are_lagranges(seed):
    """delta = -dM/dt q' + d(q'M q'/2)/dq, derivatives of M by complex steps."""
    s, bodies = chain()
    mass, delta = equations_of_motion(s, bodies, lambda power: None)
    q, qd, values = state(s, seed)
    n, h = len(q), 1e-30
    slopes = np.zeros((n, n, n))
    for k in range(n):
        stepped = {**values, s.names[k]: q[k] + 1j * h}
        for (i, j), number in zip(mass, evaluate(list(mass.values()), stepped), strict=True):
            slopes[i, j, k] = complex(number).imag / h
    expected = -np.einsum("ijk,k,j->i", slopes, qd, qd) + 0.5 * np.einsum("ijk,i,j->k", slopes, qd, qd)
    assert evaluate(delta, values) == pytest.approx(expected, rel=1e-11, abs=1e-12)


def test_velocity_and_acceleration_are_derivatives_of_position():
    s, bodies = chain()
    q, qd, values = state(s, 4)
    point = bodies[2].centre
    at = position(s.origin, point, s.ground).components
    speed = point.velocity().in_base(s.ground).components
    h = 1e-30
    stepped = {**values, **{n: x + 1j * h * v for n, x, v in zip(s.names, q, qd, strict=True)}}
    assert evaluate(list(speed), values) == pytest.approx(
        [complex(x).imag / h for x in evaluate(list(at), stepped)], rel=ROUNDING
    )
    numbers = [complex(x).imag / h for x in evaluate(list(speed), stepped)]
    assert evaluate(list(point.acceleration().in_base(s.ground).components), values) == pytest.approx(
        numbers, rel=1e-11
    )


def test_euler_parameters_turn_as_the_matrix_does():
    s = System()
    e = [s.coordinate(f"e{k}") for k in range(4)]
    base = s.euler_parameters("body", s.ground, *e)
    again = s.rotation_matrix("again", s.ground, base._matrix)
    rng = np.random.default_rng(5)
    p = rng.normal(size=4)
    p /= np.linalg.norm(p)
    rate = rng.normal(size=4)
    rate -= p * (p @ rate)
    values = {f"e{k}": p[k] for k in range(4)} | {f"e{k}'": rate[k] for k in range(4)}
    first = evaluate(list(base.angular_velocity().components), values)
    assert first == pytest.approx(evaluate(list(again.angular_velocity().components), values), rel=1e-11)
    matrix = np.array([evaluate(list(row), values) for row in base._matrix])
    assert matrix @ matrix.T == pytest.approx(np.eye(3), abs=ROUNDING)


def test_rotor_on_a_housing_keeps_its_row():
    """A rotor that turns relative to another base than its carrier's: M_rr is its axial inertia alone."""
    s, bodies = chain()
    mass = composite_mass_matrix(s, bodies)
    r = s.names.index("r")
    _, _, values = state(s, 1)
    assert evaluate([mass[r, r]], values)[0] == pytest.approx(0.09, rel=ROUNDING)


def test_internal_forces_have_no_resultant():
    """A spring between two points, with its couple on the base of the first, does no work on a translation."""
    s, _ = chain()
    p = s.points[-1]
    f = Vector([s.number(1.0), s.number(2.0), s.number(-0.5)], s.bases[1])
    power = VirtualPower(s)
    power.force_between(s.origin, p, f)
    rows = power.generalized_forces()
    alone = VirtualPower(s)
    alone.force(p, f)
    _, _, values = state(s, 2)
    assert evaluate(rows, values) == pytest.approx(evaluate(alone.generalized_forces(), values), rel=ROUNDING)


def test_four_bar_chain_of_figure_2():
    """The mass matrix that paper 000 prints for the opened four-bar linkage, at random numbers."""
    s = System()
    t = [s.coordinate(f"theta{k}") for k in (1, 2, 3)]
    rng = np.random.default_rng(7)
    l1, l2, l3, m1, m2, m3, c2x, c2z, c3x, c3z, i1, i2, i3 = rng.uniform(0.2, 2.0, 13)
    zero = s.number(0.0)
    base, at, bodies = s.ground, s.origin, []
    data = ((l1, m1, 0.0, 0.0, i1), (l2, m2, c2x, c2z, i2), (l3, m3, c3x, c3z, i3))
    for k, (length, mass, cx, cz, about_joint) in enumerate(data):
        base = s.rotation(f"bar{k}", base, 1, t[k])
        centre = s.point(f"g{k}", at, [cx, 0.0, cz], base)
        iyy = about_joint - mass * (cx**2 + cz**2)
        inertia = Tensor([[zero] * 3, [zero, s.number(iyy), zero], [zero] * 3], base)
        bodies.append(MovingBody(f"bar{k}", centre, base, s.number(mass), inertia))
        at = s.point(f"p{k}", at, [length, 0.0, 0.0], base)
    _, _, values = state(s, 3)
    matrix = dense(s, composite_mass_matrix(s, bodies), values)
    th2, th3 = values["theta2"], values["theta3"]
    a237 = m3 * l2 * (c3x * np.cos(th3) + np.sin(th3) * c3z)
    a253 = m3 * l1 * (c3x * np.cos(th2 + th3) + np.sin(th2 + th3) * c3z) + a237
    a200 = -l1 * np.cos(th2)
    m11 = (
        m3 * (l1**2 - 2 * l2 * a200 + l2**2) + l1**2 * m2 + i3 + i2 + 2 * a253 + i1
        + 2 * (np.sin(th2) * c2z + np.cos(th2) * c2x) * l1 * m2
    )  # fmt: skip
    m12 = np.sin(th2) * l1 * c2z * m2 + m3 * (-l2 * a200 + l2**2) - m2 * c2x * a200 + i3 + a237 + i2 + a253
    m22 = m3 * l2**2 + i3 + 2 * a237 + i2
    expected = [[m11, m12, a253 + i3], [m12, m22, i3 + a237], [a253 + i3, i3 + a237, i3]]
    assert matrix == pytest.approx(np.array(expected), rel=1e-11)


def test_coordinate_at_two_frames_is_refused():
    s = System()
    x = s.coordinate("x")
    zero, one = s.number(0.0), s.number(1.0)
    inertia = Tensor([[one, zero, zero], [zero, one, zero], [zero, zero, one]], s.ground)
    bodies = [
        MovingBody(n, s.point(n, s.origin, [k * x, x, 0.0], s.ground), s.ground, one, inertia)
        for n, k in (("a", 1.0), ("b", 2.0))
    ]
    with pytest.raises(FlexwheelError, match="'x' acts at more than one frame"):
        composite_mass_matrix(s, bodies)
    mass, _ = equations_of_motion(s, bodies, lambda power: None)
    assert evaluate([mass[0, 0]], {"x": 0.0}) == [7.0]
