"""Copy of arrays of any shape, in place."""

from flexwheel.numerics.kernels.decorator import kernel


@kernel
def copy_flat(source, target):
    """Copy a contiguous array."""
    a, b = source.reshape(source.size), target.reshape(target.size)
    for k in range(a.size):
        b[k] = a[k]
