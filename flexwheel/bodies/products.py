"""Products of rows, four numbers at once."""

from flexwheel.kernels import kernel
from flexwheel.kernels.lane_arithmetic import total
from flexwheel.kernels.lanes import fill, load, more, store


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
    while k + 16 <= n:  # four sums that do not wait for each other
        at = first + k
        s0, s1, s2, s3 = load(out, at), load(out, at + 4), load(out, at + 8), load(out, at + 12)
        for c in range(rows):
            f, at = fill(factor[c]), c * width + k
            s0, s1 = more(s0, load(a, at), f), more(s1, load(a, at + 4), f)
            s2, s3 = more(s2, load(a, at + 8), f), more(s3, load(a, at + 12), f)
        at = first + k
        store(out, at, s0)
        store(out, at + 4, s1)
        store(out, at + 8, s2)
        store(out, at + 12, s3)
        k += 16
    while k + 4 <= n:
        s = load(out, first + k)
        for c in range(rows):
            s = more(s, load(a, c * width + k), fill(factor[c]))
        store(out, first + k, s)
        k += 4
    while k < n:
        for c in range(rows):
            out[first + k] += a[c, k] * factor[c]
        k += 1
