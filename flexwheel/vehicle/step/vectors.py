"""Small vector kernels of the step: everything in place, nothing allocated."""

import numpy as np

from flexwheel.numerics.kernels import kernel


@kernel(inline="always")
def cross(a, b, out):
    """out = a x b; out must not alias a or b."""
    out[0] = a[1] * b[2] - a[2] * b[1]
    out[1] = a[2] * b[0] - a[0] * b[2]
    out[2] = a[0] * b[1] - a[1] * b[0]


@kernel(inline="always")
def add_cross(a, b, out):
    """out += a x b; out must not alias a or b."""
    out[0] += a[1] * b[2] - a[2] * b[1]
    out[1] += a[2] * b[0] - a[0] * b[2]
    out[2] += a[0] * b[1] - a[1] * b[0]


@kernel(inline="always")
def rotate(matrix, a, out):
    """out = matrix a, (3, 3) by (3,)."""
    for i in range(3):
        out[i] = matrix[i, 0] * a[0] + matrix[i, 1] * a[1] + matrix[i, 2] * a[2]


@kernel(inline="always")
def rotate_back(matrix, a, out):
    """out = matrix^T a, (3, 3) by (3,)."""
    for i in range(3):
        out[i] = matrix[0, i] * a[0] + matrix[1, i] * a[1] + matrix[2, i] * a[2]


@kernel(inline="always")
def turn_y(angle, a, out):
    """out = Ry(angle) a."""
    c = np.cos(angle)
    s = np.sin(angle)
    x = a[0]
    z = a[2]
    out[0] = c * x + s * z
    out[1] = a[1]
    out[2] = -s * x + c * z


@kernel
def solve_columns(matrix, columns, n):
    """Gaussian elimination with partial pivoting; columns (n, n) become the solutions. Returns 0, or 1 if singular."""
    for k in range(n):
        p = k
        for i in range(k + 1, n):
            if abs(matrix[i, k]) > abs(matrix[p, k]):
                p = i
        if not abs(matrix[p, k]) > 0.0:
            return 1
        if p != k:
            for j in range(n):
                t = matrix[k, j]
                matrix[k, j] = matrix[p, j]
                matrix[p, j] = t
                t = columns[k, j]
                columns[k, j] = columns[p, j]
                columns[p, j] = t
        for i in range(k + 1, n):
            f = matrix[i, k] / matrix[k, k]
            if f != 0.0:
                for j in range(k + 1, n):
                    matrix[i, j] -= f * matrix[k, j]
                for j in range(n):
                    columns[i, j] -= f * columns[k, j]
    for k in range(n - 1, -1, -1):
        for i in range(k + 1, n):
            f = matrix[k, i]
            if f != 0.0:
                for j in range(n):
                    columns[k, j] -= f * columns[i, j]
        for j in range(n):
            columns[k, j] /= matrix[k, k]
    return 0


@kernel
def invert_spd(matrix, n, out, work):
    """Inverse of a symmetric positive definite matrix by Cholesky; work (n, n). Returns 0, or 1 if not definite."""
    for j in range(n):
        s = matrix[j, j]
        for k in range(j):
            s -= work[j, k] * work[j, k]
        if s <= 0.0:
            return 1
        d = np.sqrt(s)
        work[j, j] = d
        for i in range(j + 1, n):
            s = matrix[i, j]
            for k in range(j):
                s -= work[i, k] * work[j, k]
            work[i, j] = s / d
    # inverse of the factor, in its upper triangle transposed into `out`, then out = L^-T L^-1
    for j in range(n):
        out[j, j] = 1.0 / work[j, j]
        for i in range(j + 1, n):
            s = 0.0
            for k in range(j, i):
                s -= work[i, k] * out[k, j]
            out[i, j] = s / work[i, i]
    for i in range(n):
        for j in range(i + 1):
            s = 0.0
            for k in range(i, n):
                s += out[k, i] * out[k, j]
            work[i, j] = s
    for i in range(n):
        for j in range(i + 1):
            out[i, j] = work[i, j]
            out[j, i] = work[i, j]
    return 0
