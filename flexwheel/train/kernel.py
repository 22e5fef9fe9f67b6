"""How the kernels of this room are compiled.

Without numba's reference counting: counting the dozens of arrays of a `Chain` in and out of every small function
costs ten times the arithmetic. It also makes the compiler refuse a kernel that
allocates. In turn a kernel must not return an array.
"""

from numba import njit

kernel = njit(cache=True, _nrt=False, nogil=True, error_model="numpy")
