"""Atoms: equal expressions are one atom, derivatives agree with complex steps, substitution with evaluation."""

import cmath

import numpy as np
import pytest

from flexwheel.base.errors import FlexwheelError
from flexwheel.systems.symbolic.atoms import Graph
from flexwheel.systems.symbolic.calculus import Derivative, differentiate, evaluate, jacobian, substitute
from flexwheel.systems.symbolic.counts import count_operations
from flexwheel.systems.symbolic.expression import atan, constant, cos, exp, log, sin, sqrt, symbols

ROUNDING = 1e-12  # some tens of operations in double precision


def some_expression(x, y):
    return sin(x * y) / (2.0 + cos(x)) - sqrt(1.0 + x * x) * exp(y / 3.0) + log(2.0 + y * y) * atan(x - y) + x**3


def test_equal_operations_are_one_atom():
    g = Graph()
    x, y = symbols(g, "x y")
    assert (x + y).same_as(y + x)
    assert (x * y).same_as(y * x)
    assert (x - y).same_as(-(y - x))
    assert (sin(-x)).same_as(-sin(x))
    assert (cos(-x)).same_as(cos(x))
    assert (2.0 * (3.0 * x)).same_as(6.0 * x)
    before = len(g)
    some_expression(x, y)
    first = len(g)
    some_expression(x, y)
    assert first > before
    assert len(g) == first


def test_zeros_and_ones_vanish():
    g = Graph()
    x, y = symbols(g, "x y")
    assert (x - x).is_zero()
    assert (0.0 * x + y * 1.0).same_as(y)
    assert (x / x).same_as(constant(g, 1.0))
    with pytest.raises(ZeroDivisionError):
        x / 0.0
    with pytest.raises(TypeError):
        bool(x)


@pytest.mark.parametrize("seed", range(5))
def test_derivative_equals_complex_step(seed):
    rng = np.random.default_rng(seed)
    g = Graph()
    x, y = symbols(g, "x y")
    e = some_expression(x, y)
    a, b, h = rng.normal(), rng.normal(), 1e-30
    for variable, point in ((x, {"x": a + 1j * h, "y": b + 0j}), (y, {"x": a + 0j, "y": b + 1j * h})):
        (value,) = evaluate([differentiate(e, variable)], {"x": a, "y": b})
        (stepped,) = evaluate([e], point)
        assert value == pytest.approx(stepped.imag / h, rel=ROUNDING)
    total = Derivative(g, {x: y, y: 2.0})(e)
    parts = [differentiate(e, x), differentiate(e, y)]
    (t,), (dx, dy) = evaluate([total], {"x": a, "y": b}), evaluate(parts, {"x": a, "y": b})
    assert t == pytest.approx(dx * b + 2.0 * dy, rel=ROUNDING)


def test_jacobian_leaves_out_zeros():
    g = Graph()
    x, y, z = symbols(g, "x y z")
    assert set(jacobian([x * y, sin(z)], [x, y, z])) == {(0, 0), (0, 1), (1, 2)}


def test_substitution_equals_evaluation():
    g = Graph()
    x, y, z = symbols(g, "x y z")
    e = some_expression(x, y)
    (s,) = substitute([e], {x: z * z, y: 0.3})
    assert evaluate([s], {"z": 0.7})[0] == pytest.approx(evaluate([e], {"x": 0.49, "y": 0.3})[0], rel=ROUNDING)


def test_count_by_hand():
    g = Graph()
    x, y = symbols(g, "x y")
    c, s = cos(x), sin(x)
    count = count_operations([c * y - s, s * y + c, -(c * y - s)], run_time=[y])
    assert (count.total, count.at_run_time, count.functions) == (6, 4, 2)


def test_missing_value_is_named():
    g = Graph()
    x, y = symbols(g, "x y")
    with pytest.raises(FlexwheelError, match="'y'"):
        evaluate([x + y], {"x": 1.0})


def test_complex_evaluation_is_analytic():
    g = Graph()
    (x,) = symbols(g, "x")
    z = 0.3 + 0.4j
    assert evaluate([sin(x) * sqrt(x)], {"x": z})[0] == pytest.approx(cmath.sin(z) * cmath.sqrt(z), rel=ROUNDING)
