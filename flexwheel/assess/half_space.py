"""Exact normal contact of two elastic half-spaces whose undeformed distance is given on a grid.

Pressure is uniform in each cell; the displacement it makes is that of Love's rectangle, by fast convolution. The
conditions pressure >= 0, gap >= 0, pressure * gap = 0 are solved by conjugate gradients on the changing set of cells
in contact. Non-elliptic, multiple and joined patches are all the same to it; the price is about 0.1 s a solution,
so that runs use the semi-Hertzian model.

Sources: Love 1929 (rectangle); Polonsky and Keer, Wear 231 (1999) 206-219 (iteration); Kalker 1990 (planar contact).
Verified in tests/assess/test_half_space_verified.py.
"""

import numpy as np
from scipy import fft

from flexwheel.base.errors import ConvergenceError

TOLERANCE = 1e-5  # change of the pressure, relative
MOST_ITERATIONS = 600


class HalfSpace:
    """Influence of pressure on normal displacement over one grid; made once for many solutions.

    Parameters
    ----------
    shape : (nx, ny)            cells
    dx, dy : float [m]          size of a cell
    contact_modulus : float [Pa] E* = 1 / ((1 - nu1^2)/E1 + (1 - nu2^2)/E2)
    """

    def __init__(self, shape, dx, dy, contact_modulus):
        self.shape = tuple(shape)
        self.cell = dx * dy
        self._size = tuple(fft.next_fast_len(2 * n - 1, real=True) for n in self.shape)
        x = dx * (np.arange(self._size[0]) - self._size[0] * (np.arange(self._size[0]) >= self.shape[0]))
        y = dy * (np.arange(self._size[1]) - self._size[1] * (np.arange(self._size[1]) >= self.shape[1]))
        kernel = rectangle_influence(x[:, None], y[None, :], dx, dy) / (np.pi * contact_modulus)
        self._kernel = fft.rfft2(kernel)

    def displacement(self, pressure):
        """Normal displacement (nx, ny) [m] of both bodies together under a pressure (nx, ny) [Pa]."""
        spread = fft.irfft2(self._kernel * fft.rfft2(pressure, self._size), self._size)
        return spread[: self.shape[0], : self.shape[1]]

    def solve(self, distance):
        """Pressure between bodies of a given undeformed distance.

        Parameters
        ----------
        distance : (nx, ny) float [m]   undeformed, negative where the bodies overlap

        Returns
        -------
        (nx, ny) float [Pa]

        Raises
        ------
        ConvergenceError
        """
        return contact_pressure(distance, self.displacement)


def contact_pressure(distance, displacement, weight=1.0):
    """Pressure >= 0 that leaves no overlap, by conjugate gradients on the changing set of cells in contact.

    Parameters
    ----------
    distance : (...) float [m]          undeformed, negative where the bodies overlap
    displacement : function of (...) [Pa] to (...) [m]   of both bodies together, linear, symmetric under the weight
    weight : float or (...) float       areas of the cells over that of one of them

    Returns
    -------
    (...) float [Pa]

    Raises
    ------
    ConvergenceError
    """
    overlap = distance < 0.0
    if not overlap.any():
        return np.zeros(distance.shape)
    pressure = np.where(overlap, 1e8, 0.0)
    direction, before, keep = np.zeros(distance.shape), 1.0, 0.0
    gap = distance + displacement(pressure)
    for _ in range(MOST_ITERATIONS):
        touching = pressure > 0.0
        square = float(np.sum(weight * gap**2, where=touching))
        direction = np.where(touching, gap + keep * square / before * direction, 0.0)
        before = square
        answer = displacement(direction)
        below = float(np.sum(weight * answer * direction, where=touching))
        if square == 0.0 or below <= 0.0:
            return pressure
        length = float(np.sum(weight * gap * direction, where=touching)) / below
        new = np.maximum(np.where(touching, pressure - length * direction, 0.0), 0.0)
        opened = (new == 0.0) & (gap < 0.0) & overlap
        new[opened] -= length * gap[opened]
        keep = 0.0 if opened.any() else 1.0
        change = float(np.sum(weight * np.abs(new - pressure)))
        pressure = new
        if change <= TOLERANCE * float(np.sum(weight * pressure)):
            return pressure
        gap = distance + displacement(pressure)
    raise ConvergenceError(f"half-space contact: not solved after {MOST_ITERATIONS} iterations")


def rectangle_influence(x, y, dx, dy):
    """Integral of 1/r over a rectangle dx by dy, seen from (x, y) relative to its middle [m].

    Source: Love 1929; Johnson, Contact Mechanics (1985), eq. (3.25).
    """
    total = 0.0
    for i in (1.0, -1.0):
        for k in (1.0, -1.0):
            u, v = x + 0.5 * i * dx, y + 0.5 * k * dy
            total = total + i * k * (_term(u, v) + _term(v, u))
    return total


def _term(u, v):
    """u asinh(v/|u|), continuous at u = 0."""
    safe = np.where(np.abs(u) > 0.0, np.abs(u), 1.0)
    return np.where(np.abs(u) > 0.0, u * np.arcsinh(v / safe), 0.0)
