"""How every kernel of the package is compiled."""

from numba import njit
from numba.extending import is_jitted

from flexwheel.numerics.kernels.cache import keep
from flexwheel.numerics.kernels.compiler import KernelCompiler, KernelDispatcher

FAST = {"contract", "reassoc", "nsz", "arcp"}
"""Freedoms with sums, products and signs of zero that a kernel may be given as `fastmath`; not-a-numbers stay."""

REGIME = {"nogil": True, "error_model": "numpy", "_nrt": False, "no_cfunc_wrapper": True}


def kernel(function=None, *, fastmath=False, inline="never", forceinline=False):
    """Decorator of a kernel, with or without options.

    A kernel that takes a NamedTuple of arrays, or reads them from a handle, would otherwise count every array up and
    down, which costs time at every call and in compilation. It may make views, but neither create nor return arrays.

    All options are handed to numba, the defaults too: what is not, a kernel takes from the caller that it is first
    compiled for, so that its code would depend on who comes first.

    Parameters
    ----------
    function    : Python function of numbers, arrays, NamedTuples and handles
    fastmath    : set of LLVM's flags by which sums of this kernel may be rearranged
    inline      : "always" to paste the source into each caller, so that a call costs neither time nor compilation
    forceinline : True to have LLVM inline the compiled code
    """

    def decorate(function):
        options = {"fastmath": fastmath, "inline": inline, "forceinline": forceinline, "pipeline_class": KernelCompiler}
        dispatcher = njit(**options, **REGIME)(function)
        if is_jitted(dispatcher):  # it is not under NUMBA_DISABLE_JIT
            dispatcher.__class__ = KernelDispatcher
            keep(dispatcher)
        return dispatcher

    return decorate if function is None else decorate(function)
