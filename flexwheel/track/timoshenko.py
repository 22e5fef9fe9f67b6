"""Two-node Timoshenko beam element that is exact in statics: shape functions, stiffness, mass, clamped compliance.

Nodal values (w1, b1, w2, b2): deflection w and rotation b in the sense of dw/dx, shear angle dw/dx - b. The shape
functions satisfy the static equations of the unloaded element, so there is no shear locking and nodal values of a
static solution are exact. phi = 12 EI / (kGA l^2).

Source: Friedman and Kosmatka 1993, Computers & Structures 47(3), 473-481.
Verified in tests/verification/test_track_rail.py.
"""

import numpy as np

from flexwheel.kernels import kernel


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
    return (
        -a,
        f * (1.0 - 4.0 * x + 3.0 * x * x + phi * (0.5 - x)),
        a,
        f * (3.0 * x * x - 2.0 * x - phi * (0.5 - x)),
    )


@kernel(inline="always")
def rotation_shape(x, l, phi):
    """Rotation b at x per nodal (w1, b1, w2, b2)."""
    f = 1.0 / (1.0 + phi)
    a = 6.0 * f * x * (1.0 - x) / l
    return (
        -a,
        f * (1.0 - 4.0 * x + 3.0 * x * x + phi * (1.0 - x)),
        a,
        f * (3.0 * x * x - 2.0 * x + phi * x),
    )


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


def vertical_mass(density, area, inertia, l, phi):
    """Consistent mass (6, 6) of plane V, nodal (w, b, u) twice; inertia [m4] of the section about y."""
    mass = np.zeros((6, 6))
    for x, weight in _gauss(l):
        w, b, u = np.zeros(6), np.zeros(6), np.zeros(6)
        w[[0, 1, 3, 4]] = deflection_shape(x, l, phi)
        b[[0, 1, 3, 4]] = rotation_shape(x, l, phi)
        u[[2, 5]] = 1.0 - x, x
        mass += weight * density * (area * (np.outer(w, w) + np.outer(u, u)) + inertia * np.outer(b, b))
    return mass


def lateral_mass(density, area, inertia, polar, centroid_above, l, phi):
    """Consistent mass (6, 6) of plane L, nodal (v, theta_z, roll) twice.

    v and roll are taken at the shear centre; the mass sits centroid_above [m] it and moves by v - centroid_above*roll.
    inertia [m4] is about z, polar [m4] about the centroid's x axis.
    """
    mass = np.zeros((6, 6))
    for x, weight in _gauss(l):
        v, b, roll = np.zeros(6), np.zeros(6), np.zeros(6)
        v[[0, 1, 3, 4]] = deflection_shape(x, l, phi)
        b[[0, 1, 3, 4]] = rotation_shape(x, l, phi)
        roll[[2, 5]] = 1.0 - x, x
        moved = v - centroid_above * roll
        mass += weight * density * area * np.outer(moved, moved)
        mass += weight * density * (inertia * np.outer(b, b) + polar * np.outer(roll, roll))
    return mass


def lumped_vertical_mass(density, area, inertia, l):
    """Half of the element's mass and rotary inertia at each node (6, 6)."""
    return 0.5 * density * l * np.diag([area, inertia, area] * 2)


def lumped_lateral_mass(density, area, inertia, polar, centroid_above, l):
    """Half of the element's mass and inertias at each node (6, 6), the mass at the centroid."""
    node = np.diag([area, inertia, polar + area * centroid_above**2])
    node[0, 2] = node[2, 0] = -area * centroid_above
    mass = np.zeros((6, 6))
    mass[:3, :3] = mass[3:, 3:] = 0.5 * density * l * node
    return mass


def _gauss(l):
    """Points in (0, 1) and weights [m] that integrate the element's mass exactly."""
    x, w = np.polynomial.legendre.leggauss(4)
    return zip(0.5 + 0.5 * x, 0.5 * l * w, strict=True)


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
