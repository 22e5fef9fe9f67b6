"""Half-space solution against Hertz (exact elliptic integrals) and Love's rectangle against quadrature."""

import numpy as np
import pytest
from scipy.integrate import dblquad

from flexwheel.assess.half_space import HalfSpace, rectangle_influence
from tests.hertz_contact import solve

MODULUS = 82e9 / 0.72


@pytest.mark.parametrize(("A", "B"), [(1.087, 1.6), (1.087, 20.0), (1.087, 0.1)])
def test_hertz_ellipse(A, B):
    hertz = solve(A, B, 50e3, MODULUS)
    nx, ny = 50, 60
    dx, dy = 2.6 * hertz.a / nx, 2.6 * hertz.b / ny
    x = (np.arange(nx) - 0.5 * nx + 0.5) * dx
    y = (np.arange(ny) - 0.5 * ny + 0.5) * dy
    distance = A * x[:, None] ** 2 + B * y**2 - hertz.approach
    pressure = HalfSpace((nx, ny), dx, dy, MODULUS).solve(distance)
    # 40 cells across: counted area to 3 %, the rest far better
    assert pressure.sum() * dx * dy == pytest.approx(hertz.load, rel=1e-3)
    assert pressure.max() == pytest.approx(hertz.peak_pressure, rel=2e-3)
    assert (pressure > 0.0).sum() * dx * dy == pytest.approx(hertz.area, rel=0.03)


def test_contact_conditions_hold_on_two_joined_patches():
    rng = np.random.default_rng(3)
    nx, ny = 40, 90
    dx = dy = 2e-4
    x = (np.arange(nx) - 0.5 * nx + 0.5) * dx
    y = (np.arange(ny) - 0.5 * ny + 0.5) * dy
    hollow = np.minimum(30.0 * (y + 4e-3) ** 2, 20.0 * (y - 4e-3) ** 2 + 4e-6)
    distance = 1.1 * x[:, None] ** 2 + hollow - 2e-5 + 1e-7 * rng.standard_normal((nx, ny))
    solver = HalfSpace((nx, ny), dx, dy, MODULUS)
    pressure = solver.solve(distance)
    gap = distance + solver.displacement(pressure)
    assert pressure.min() >= 0.0
    assert np.abs(gap[pressure > 0.0]).max() < 2e-9  # m, of an overlap of 2e-5
    assert gap[pressure == 0.0].min() > -2e-9


def test_no_overlap_no_pressure():
    assert not HalfSpace((8, 8), 1e-4, 1e-4, MODULUS).solve(np.full((8, 8), 1e-6)).any()


@pytest.mark.parametrize("point", [(0.0, 0.0), (3e-4, -2e-4), (1e-4, 0.0)])
def test_rectangle_is_the_integral(point):
    dx, dy = 2e-4, 3e-4
    closed = rectangle_influence(np.array(point[0]), np.array(point[1]), dx, dy)
    if point == (0.0, 0.0):  # four corners of a rectangle: a asinh(b/a) + b asinh(a/b), twice
        expected = 2.0 * (dy * np.arcsinh(dx / dy) + dx * np.arcsinh(dy / dx))
    else:
        expected, _ = dblquad(
            lambda v, u: 1.0 / np.hypot(u - point[0], v - point[1]), -dx / 2, dx / 2, -dy / 2, dy / 2, epsabs=1e-10
        )
    assert float(closed) == pytest.approx(expected, rel=2e-4)
