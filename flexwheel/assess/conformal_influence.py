"""Influence of pressure on a curved surface: strips along a curve across the track, each with its own normal.

A pressure p of strip j acts along that strip's normal n_j; what counts at strip i is the motion along n_i. The answer
of the half-space, p dA/(pi E* r), is taken over the chord between the strips and projected: times n_i . n_j. Tangential
motions under a normal pressure are equal in two bodies of one material and cancel.

Why this form: in plane strain, where curvature counts most, the exact answer of a disc and its cavity of one material
is (1/(pi E*)) (-2 cos(theta) log(2 sin(theta/2)) - 1/2) for each force: the projected chord and a uniform closing,
which changes the difference of the radii by the line load over 2 pi E* (7 um at 5 kN/mm) and is left out. The series
are in the test, which compares with Persson's pressure. With one normal for all strips it is the half space. The
matrix is symmetric and positive definite, since n_i . n_j and 1/r are.

Sources: Persson 1964 (disc in a cavity); Vollebregt and Segal, Vehicle System Dynamics 52 supplement (2014) 455-468
(conformal contact on a curved reference surface); Love 1929.
Verified in tests/verification/test_conformal_patches_verified.py.
"""

import numpy as np
from scipy import fft


class ConformalInfluence:
    """Displacement along local normals under pressures along local normals.

    Parameters
    ----------
    y, z : (m,) float [m]        middles of the strips across the track
    angle : (m,) float [rad]     of their tangents; normal (-sin, cos)
    width : (m,) float [m]       of the strips
    start : (m,) float [m]       x of the first cell of each strip, multiples of dx apart
    count : int                  cells of a strip
    dx : float [m]               length of a cell
    contact_modulus : float [Pa] E* = 1 / ((1 - nu1^2)/E1 + (1 - nu2^2)/E2)
    """

    def __init__(self, y, z, angle, width, start, count, dx, contact_modulus):
        self.count = count
        self._size = fft.next_fast_len(2 * count - 1, real=True)
        step = np.arange(self._size)
        step = np.where(step < count, step, step - self._size)
        chord = np.hypot(y[:, None] - y[None, :], z[:, None] - z[None, :])
        ahead = start[:, None] - start[None, :]
        facing = np.cos(angle[:, None] - angle[None, :])
        kernel = np.empty((self._size, y.size, y.size))
        v_far, v_near = chord + 0.5 * width[None, :], chord - 0.5 * width[None, :]
        corners = [
            _corner(ahead + dx * (k - 0.5), v_far) - _corner(ahead + dx * (k - 0.5), v_near)
            for k in range(1 - count, count + 1)
        ]
        for at, k in enumerate(step):
            inside = 1 - count <= k < count
            kernel[at] = corners[k + count] - corners[k + count - 1] if inside else 0.0
        kernel *= facing / (np.pi * contact_modulus)
        kernel = fft.rfft(kernel, axis=0)
        # what one strip does to another is, area for area, what that does to it: widths may differ
        self._kernel = 0.5 * (kernel + width[None, :] / width[:, None] * kernel.conj().swapaxes(1, 2))

    def displacement(self, pressure):
        """Closing (count, m) [m] along the normals under a pressure (count, m) [Pa]."""
        spread = fft.rfft(pressure, self._size, axis=0)
        spread = np.matmul(self._kernel, spread[:, :, None])[:, :, 0]
        return fft.irfft(spread, self._size, axis=0)[: self.count]


def _corner(u, v):
    """u asinh(v/|u|) + v asinh(u/|v|), continuous at 0: Love's rectangle is its difference over the corners."""
    safe_u, safe_v = np.where(u != 0.0, np.abs(u), 1.0), np.where(v != 0.0, np.abs(v), 1.0)
    one = np.where(u != 0.0, u * np.arcsinh(v / safe_u), 0.0)
    return one + np.where(v != 0.0, v * np.arcsinh(u / safe_v), 0.0)
