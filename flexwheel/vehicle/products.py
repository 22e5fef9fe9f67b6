"""Products of rows and matrices, many numbers at once."""

from flexwheel.numerics.kernels import kernel
from flexwheel.numerics.kernels.lane_arithmetic import lane, total
from flexwheel.numerics.kernels.lanes import fill, fill_lanes, load, load_lanes, more, store


@kernel(forceinline=True)
def row_times(a, i, b, first, n):
    """Sum of a[i, k] b[first + k] over k below n; a (rows, width), b (N,), both contiguous."""
    left, right = fill(0.0), fill(0.0)
    at = i * a.shape[1]
    k = 0
    while k + 8 <= n:
        left = more(left, load(a, at + k), load(b, first + k))
        right = more(right, load(a, at + k + 4), load(b, first + k + 4))
        k += 8
    s = total(left) + total(right)
    while k < n:
        s += a[i, k] * b[first + k]
        k += 1
    return s


@kernel(forceinline=True)
def add_columns(a, rows, factor, out, first, n):
    """out[first + k] += sum of factor[c] a[c, k] over c below `rows`, k below n; all contiguous."""
    width = a.shape[1]
    k = 0
    while k + 32 <= n:  # sums that do not wait for each other
        left, right = load_lanes(out, first + k, 16), load_lanes(out, first + k + 16, 16)
        for c in range(rows):
            f = fill_lanes(factor[c], 16)
            left = more(left, load_lanes(a, c * width + k, 16), f)
            right = more(right, load_lanes(a, c * width + k + 16, 16), f)
        store(out, first + k, left)
        store(out, first + k + 16, right)
        k += 32
    while k + 8 <= n:
        s = load_lanes(out, first + k, 8)
        for c in range(rows):
            s = more(s, load_lanes(a, c * width + k, 8), fill_lanes(factor[c], 8))
        store(out, first + k, s)
        k += 8
    if k < n and n >= 8:  # the last eight, of which those are added that are left
        s = fill_lanes(0.0, 8)
        for c in range(rows):
            s = more(s, load_lanes(a, c * width + n - 8, 8), fill_lanes(factor[c], 8))
        for i in range(k - n + 8, 8):
            out[first + n - 8 + i] += lane(s, i)
    else:
        while k < n:
            for c in range(rows):
                out[first + k] += a[c, k] * factor[c]
            k += 1


@kernel
def products(factors, a, n, out):
    """out[c, k] = sum of factors[c, i] a[i, k] over i and k below n.

    All contiguous; a multiple of four rows c. Rows of a and out are as wide, a multiple of sixteen, with zeros in a
    from n on; out has zeros there then too.
    """
    width = a.shape[1]
    for c in range(0, out.shape[0], 4):
        for k in range(0, n, 16):
            s0, s1, s2, s3 = fill_lanes(0.0, 16), fill_lanes(0.0, 16), fill_lanes(0.0, 16), fill_lanes(0.0, 16)
            for i in range(n):
                row = load_lanes(a, i * width + k, 16)
                s0 = more(s0, row, fill_lanes(factors[c, i], 16))
                s1 = more(s1, row, fill_lanes(factors[c + 1, i], 16))
                s2 = more(s2, row, fill_lanes(factors[c + 2, i], 16))
                s3 = more(s3, row, fill_lanes(factors[c + 3, i], 16))
            store(out, c * width + k, s0)
            store(out, (c + 1) * width + k, s1)
            store(out, (c + 2) * width + k, s2)
            store(out, (c + 3) * width + k, s3)


@kernel
def responses(rows, solved, gain, n, columns, x, x_gain):
    """x[c, e] = sum of solved[c, k] rows[e, k] over k below n, and the transposed of that with gain[k]; c, e below 12.

    columns : (n, 12)    scratch
    """
    for k in range(n):
        for c in range(12):
            columns[k, c] = rows[c, k]
    for c in range(0, 12, 2):
        a0, b0, p0, q0 = fill_lanes(0.0, 8), fill_lanes(0.0, 8), fill_lanes(0.0, 8), fill_lanes(0.0, 8)
        a1, b1, p1, q1 = fill(0.0), fill(0.0), fill(0.0), fill(0.0)
        for k in range(n):
            g0, g1, s, t = load_lanes(columns, 12 * k, 8), load(columns, 12 * k + 8), solved[c, k], solved[c + 1, k]
            a0, a1 = more(a0, fill_lanes(s, 8), g0), more(a1, fill(s), g1)
            b0, b1 = more(b0, fill_lanes(t, 8), g0), more(b1, fill(t), g1)
            s, t = gain[k] * s, gain[k] * t
            p0, p1 = more(p0, fill_lanes(s, 8), g0), more(p1, fill(s), g1)
            q0, q1 = more(q0, fill_lanes(t, 8), g0), more(q1, fill(t), g1)
        store(x, 12 * c, a0)
        store(x, 12 * c + 8, a1)
        store(x, 12 * c + 12, b0)
        store(x, 12 * c + 20, b1)
        for i in range(8):
            x_gain[i, c], x_gain[i, c + 1] = lane(p0, i), lane(q0, i)
        for i in range(4):
            x_gain[8 + i, c], x_gain[8 + i, c + 1] = lane(p1, i), lane(q1, i)
