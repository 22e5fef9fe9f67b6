"""Compilation of kernels that only read and fill arrays they are given: without counting references.

A kernel that takes a NamedTuple of arrays, or reads them from a handle, would otherwise count every array up and down,
which costs time at every call and in compilation (a seventh of a first run's). Such a kernel may make views but
must not create arrays, and must not return one.
"""

from functools import partial

from numba import njit

try:
    njit(_nrt=False, no_cfunc_wrapper=True)(lambda: 0)
    kernel = partial(njit, cache=True, _nrt=False, no_cfunc_wrapper=True)
except (KeyError, TypeError):  # the option is numba's own affair: without it kernels are slower, not wrong
    kernel = partial(njit, cache=True)
