"""Compilation of kernels that only read and fill arrays they are given: without counting references.

A kernel that takes a NamedTuple of arrays would otherwise count every array of it up and down at each call, which costs
more than its arithmetic. Such a kernel may make views but must not create arrays.
"""

from functools import partial

from numba import njit

try:
    njit(_nrt=False)(lambda: 0)
    kernel = partial(njit, cache=True, _nrt=False)
except (KeyError, TypeError):  # the option is numba's own affair: without it kernels are slower, not wrong
    kernel = partial(njit, cache=True)
