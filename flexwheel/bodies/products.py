"""Products of rows whose sums do not wait for each other."""

from flexwheel.kernels import kernel


@kernel
def dot(a, b):
    """Sum of a[k] b[k] in four parts, as a single sum waits for each addition in turn."""
    n = a.shape[0]
    s0, s1, s2, s3 = 0.0, 0.0, 0.0, 0.0
    whole = n - n % 4
    for k in range(0, whole, 4):
        s0 += a[k] * b[k]
        s1 += a[k + 1] * b[k + 1]
        s2 += a[k + 2] * b[k + 2]
        s3 += a[k + 3] * b[k + 3]
    for k in range(whole, n):
        s0 += a[k] * b[k]
    return (s0 + s1) + (s2 + s3)
