"""The element under a load: its clamped deflection, carried along with its inertia.

An element has seven values in each plane, three at either node and the inner one of its bar or shaft. Within it the
rail deflects by N q + phi F: shape functions, and the static deflection phi(x; xi) of the element clamped at both
nodes under the load F at xi, less what the inner value follows of it. Galerkin's method with both,

    M q'' + C q' + K q + (m F)'' = N(xi)^T F,        m(xi) = integral of N^T J phi(x; xi) dx,
    head displacement = N q + c F - m^T q'',         c(xi) = phi(xi; xi)

needs no coupling in stiffness, because phi is orthogonal to the shape functions in energy. Without m the momentum
of the kink that a load carries along comes into the nodes in jumps when the load passes them: a comb at multiples
of the speed over the element's length. The step works with z = q + M^-1 m F, the projection of the whole motion on
the shape functions, whose acceleration is finite: M z'' = N^T F - K q - C q'. The static compliance of the loaded
element is exact, and its first modes are carried by their inertial share.

Tables: polynomials in xi, highest power first, (15, ROWS); evaluate() fills a row. M_* are columns m of the
head forces, the others are entries of 2 x 2 blocks of (x, z) and (y, roll). Source: own; with q alone it is the
usual finite element under a moving load.
"""

import numpy as np

from flexwheel.numerics.kernels import FAST, kernel, lane_arithmetic  # noqa: F401
from flexwheel.numerics.kernels.lanes import load_lanes, store
from flexwheel.track.rail_mass import SAMPLES, WEIGHTS, element_fields, section_stiffness
from flexwheel.track.timoshenko import clamped_compliance

M_X, M_Z, M_Y, M_ROLL = 0, 7, 14, 21
"""Momentum of the element's values (7,) per force [s2]."""
CLAMPED, ALONG = 28, 36
"""c: static compliance [m/N ...] of the clamped element; derivative of phi along the rail there; two 2 x 2 each."""
PROJECTED, PROJECTED_SLOPE, TWICE = 44, 52, 60
"""N M^-1 m, N M^-1 m' and m^T M^-1 m."""
ROWS = 72  # the last four are empty: rows are evaluated eight at a time
DEGREE = 14
REACH = 48
"""Elements to either side within which columns of M^-1 are taken."""
TOLERANCE = 1e-5
"""Of the columns of M^-1 beyond which they are cut: share of the momentum that is lost."""


def head_of_section(rail, plane):
    """(2, 3): head displacements (ux, uz) or (uy, roll) per (w, b, u) or (v, theta_z, roll) of the section."""
    if plane == 0:
        return np.array([[0.0, -rail.head_above_centroid, 1.0], [1.0, 0.0, 0.0]])
    return np.array([[1.0, 0.0, -rail.head_above_shear_centre], [0.0, 0.0, 1.0]])


def clamped_section(rail, plane, l, x):
    """(3, 3): (w, b, u) at x in [0, 1] of the element clamped at both ends per forces on them there."""
    bending, shear, bar = section_stiffness(rail, plane)
    ww, wb, bb = clamped_compliance(x, l, bending, shear)
    return np.array([[ww, wb, 0.0], [wb, bb, 0.0], [0.0, 0.0, x * (1.0 - x) * l / bar]])


def inner_twist(parts, plane, x):
    """Inner value per bar force or torque at x in [0, 1], the nodes held."""
    return 4.0 * parts.inner[plane] * x * (1.0 - x) / parts.stiffness[plane, 6, 6]


def left_over(rail, plane, parts, x):
    """(3, 3): clamped_section less what the inner value follows."""
    out = clamped_section(rail, plane, parts.length, x)
    out[2, 2] -= 4.0 * parts.inner[plane] * x * (1.0 - x) * inner_twist(parts, plane, x)
    return out


def slope_at_load(rail, plane, parts, x):
    """(3, 3): derivative along the rail [1/m] of `left_over` as a field, at the load at x: mean of both sides.

    Not half the derivative of left_over: under a vertical force the section does not turn, but its turning has a slope.
    """
    l, phi, x = parts.length, parts.phi[plane], min(max(x, 1e-7), 1.0 - 1e-7)
    at, out = clamped_section(rail, plane, l, x), np.zeros((3, 3))
    for size, end, columns in ((x, 1.0, slice(3, 6)), (1.0 - x, 0.0, slice(0, 3))):
        fields = [element_fields(y, size * l, phi / size**2)[:, columns] for y in (end - 1e-4, end + 1e-4)]
        out += 0.5 * (fields[1] - fields[0]) / (2e-4 * size * l) @ at
    out[2, 2] -= 4.0 * parts.inner[plane] * (1.0 - 2.0 * x) / l * inner_twist(parts, plane, x)
    return out


def momentum(rail, plane, parts, x):
    """m (7, 2) of unit head forces at x; parts: Elements, whose mass it belongs to."""
    l, phi, inertia, share = parts.length, parts.phi[plane], parts.inertia[plane], parts.share[plane]
    head = head_of_section(rail, plane)
    at = clamped_section(rail, plane, l, x) @ head.T
    followed = inner_twist(parts, plane, x) * head[:, 2]
    out = np.zeros((7, 2))
    for start, size in ((0.0, x), (x, 1.0 - x)):
        if size < 1e-9:
            continue
        own = phi / size**2  # 12 EI / (kGA l^2) of the piece
        loaded_end = slice(3, 6) if start == 0.0 else slice(0, 3)
        for y, weight in zip(SAMPLES, WEIGHTS, strict=True):
            place = start + size * y
            values = element_fields(place, l, phi, parts.inner[plane])
            deflection = element_fields(y, size * l, own)[:, loaded_end] @ at - np.outer(values[:, 6], followed)
            for part, a in zip(inertia, share, strict=True):
                own_momentum = weight * size * l * part @ deflection
                out += (1.0 - a) * values.T @ own_momentum
                out[:3] += a * (1.0 - x) * own_momentum
                out[3:6] += a * x * own_momentum
    return out + element_fields(x, l, phi, parts.inner[plane]).T @ head.T * parts.along[plane]


def polynomials(function, degree):
    """Coefficients (degree + 1, ...) of an array function of x in [0, 1], lowest power first; exact if it is one."""
    x = 0.5 - 0.5 * np.cos(np.pi * np.arange(degree + 1) / degree)
    values = np.array([function(p) for p in x])
    matrix = np.vander(x, increasing=True)
    return np.linalg.solve(matrix, values.reshape(degree + 1, -1)).reshape(values.shape)


def product(a, b):
    """Matrix product of two polynomials (n, i, j) and (m, j, k)."""
    out = np.zeros((len(a) + len(b) - 1, a.shape[1], b.shape[2]))
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            out[i + j] += x @ y
    return out


def derivative(a):
    """Of a polynomial (n, ...), lowest power first."""
    return a[1:] * np.arange(1, len(a)).reshape(-1, *([1] * (a.ndim - 1)))


def mass_columns(mass):
    """Columns of the inverse mass (7, 2 n, 4) of an endless rail: value of an element, node, component.

    The element's nodes are n - 1 and n; the fourth component of a node is the inner value of the element behind it.
    """
    size = 8 * REACH + 8
    chain = np.zeros((size, size))
    own = np.r_[0:3, 4:7, 3]
    for i in range(2 * REACH + 1):
        chain[np.ix_(4 * i + own, 4 * i + own)] += mass
    chain[:3, :3] += mass[3:6, 3:6]
    chain[-4:-1, -4:-1] += mass[:3, :3]
    chain[-1, -1] = 1.0
    unit = np.zeros((size, 7))
    unit[4 * REACH + own, range(7)] = 1.0
    columns = np.linalg.solve(chain, unit).T.reshape(7, -1, 4)
    largest = np.max(np.abs(columns), axis=1, keepdims=True)
    weight = np.max(np.abs(columns) / np.where(largest > 0.0, largest, 1.0), axis=(0, 2))
    large = np.flatnonzero(weight > TOLERANCE)
    keep = max(REACH - large[0], large[-1] - REACH - 1, 1)
    return columns[:, REACH - keep : REACH + keep + 2]


def loaded_tables(rail, parts):
    """RailModel.loaded (DEGREE + 1, ROWS) and .spread (2, 7, 2 n, 4) for Elements."""
    table = np.zeros((DEGREE + 1, ROWS))
    columns = [mass_columns(m) for m in parts.mass]
    keep = max(c.shape[1] for c in columns)
    spread = np.zeros((2, 7, keep, 4))
    for p in range(2):
        aside = (keep - columns[p].shape[1]) // 2
        spread[p, :, aside : keep - aside] = columns[p]
        pair = own_values(spread[p])
        head = head_of_section(rail, p)

        def put(row, values):
            table[: len(values), row : row + values[0].size] = values.reshape(len(values), -1)

        def fields(x, p=p, head=head):
            return head @ element_fields(x, parts.length, parts.phi[p], parts.inner[p])

        m = polynomials(lambda x, p=p: momentum(rail, p, parts, x), 7)
        n = polynomials(fields, 3)
        c = polynomials(lambda x, p=p, head=head: head @ left_over(rail, p, parts, x) @ head.T, 6)
        y = product(pair[None], m)
        put(14 * p, np.swapaxes(m, 1, 2))
        put(CLAMPED + 4 * p, c)
        along = polynomials(lambda x, p=p, head=head: head @ slope_at_load(rail, p, parts, x) @ head.T, 6)
        put(ALONG + 4 * p, along)
        put(PROJECTED + 4 * p, product(n, y))
        put(PROJECTED_SLOPE + 4 * p, product(n, derivative(y)) / parts.length)
        put(TWICE + 4 * p, product(np.swapaxes(m, 1, 2), y))
    return table[::-1].copy(), spread


def own_values(spread):
    """(7, 7): of a plane of RailModel.spread (7, 2 n, 4), the loaded element's own values."""
    n = spread.shape[1] // 2
    return np.hstack([spread[:, n - 1, :3], spread[:, n, :3], spread[:, n - 1, 3:]])


@kernel(fastmath=FAST)
def evaluate(table, x, out):
    """Every row of the tables at x in [0, 1]."""
    for r in range(0, ROWS, 8):
        value = load_lanes(table, r, 8)
        for k in range(ROWS + r, table.size, ROWS):
            value = value * x + load_lanes(table, k, 8)
        store(out, r, value)
