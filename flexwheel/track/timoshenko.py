"""Two-node Timoshenko beam element that is exact in statics: shape functions, stiffness, clamped compliance.

Nodal values (w1, b1, w2, b2): deflection w and rotation b in the sense of dw/dx, shear angle dw/dx - b. The shape
functions satisfy the static equations of the unloaded element, so there is no shear locking and nodal values of a
static solution are exact. phi = 12 EI / (kGA l^2).

Source: Friedman and Kosmatka 1993, Computers & Structures 47(3), 473-481.
Verified in tests/verification/test_track_rail_verified.py.
"""

import numpy as np

from flexwheel.numerics.kernels import kernel


@kernel(inline="always")
def deflection_shape(x, l, phi):
    """Deflection at x = position / l per nodal (w1, b1, w2, b2)."""
    f = 1.0 / (1.0 + phi)
    y = 1.0 - x
    return (
        f * y * (1.0 + x - 2.0 * x * x + phi),
        f * l * x * y * (y + 0.5 * phi),
        f * x * (3.0 * x - 2.0 * x * x + phi),
        -f * l * x * y * (x + 0.5 * phi),
    )


@kernel(inline="always")
def slope_shape(x, l, phi):
    """d(deflection)/d(position) per nodal (w1, b1, w2, b2)."""
    f = 1.0 / (1.0 + phi)
    a = f * (6.0 * x * (1.0 - x) + phi) / l
    return (-a, f * (1.0 - 4.0 * x + 3.0 * x * x + phi * (0.5 - x)), a, f * (3.0 * x * x - 2.0 * x - phi * (0.5 - x)))


@kernel(inline="always")
def rotation_shape(x, l, phi):
    """Rotation b at x per nodal (w1, b1, w2, b2)."""
    f = 1.0 / (1.0 + phi)
    a = 6.0 * f * x * (1.0 - x) / l
    return (-a, f * (1.0 - 4.0 * x + 3.0 * x * x + phi * (1.0 - x)), a, f * (3.0 * x * x - 2.0 * x + phi * x))


@kernel(inline="always")
def rotation_slope_shape(x, l, phi):
    """d(rotation b)/d(position) per nodal (w1, b1, w2, b2)."""
    f = 1.0 / ((1.0 + phi) * l)
    a = 6.0 * f * (1.0 - 2.0 * x) / l
    return -a, f * (6.0 * x - 4.0 - phi), a, f * (6.0 * x - 2.0 + phi)


def beam_stiffness(bending, shear, l):
    """Stiffness (4, 4) [N/m ...] from EI [N m2], kGA [N] and length l [m]."""
    phi = 12.0 * bending / (shear * l * l)
    c = bending / (l**3 * (1.0 + phi))
    near, far = (4.0 + phi) * l * l, (2.0 - phi) * l * l
    return c * np.array(
        [
            [12.0, 6.0 * l, -12.0, 6.0 * l],
            [6.0 * l, near, -6.0 * l, far],
            [-12.0, -6.0 * l, 12.0, -6.0 * l],
            [6.0 * l, far, -6.0 * l, near],
        ]
    )


def bar_stiffness(axial, l):
    """Stiffness (2, 2) of a bar or shaft from EA [N] or GJ [N m2] and length l [m]."""
    return axial / l * np.array([[1.0, -1.0], [-1.0, 1.0]])


@kernel(inline="always")
def clamped_compliance(x, l, bending, shear):
    """Static compliance of the element clamped at both nodes, at x in (0, 1), for a force and a moment there.

    Returns (deflection per force [m/N], deflection per moment [1/N] = rotation per force, rotation per moment
    [rad/(N m)]). It is what the shape functions miss of the deflection under a load within the element.
    """
    if x < 1e-9 or x > 1.0 - 1e-9:
        return 0.0, 0.0, 0.0
    p, q = x * l, (1.0 - x) * l
    fp, fq = 12.0 * bending / (shear * p * p), 12.0 * bending / (shear * q * q)
    cp, cq = bending / (p * p * p * (1.0 + fp)), bending / (q * q * q * (1.0 + fq))
    k11 = 12.0 * (cp + cq)
    k12 = 6.0 * (q * cq - p * cp)
    k22 = (4.0 + fp) * p * p * cp + (4.0 + fq) * q * q * cq
    det = k11 * k22 - k12 * k12
    return k22 / det, -k12 / det, k11 / det
