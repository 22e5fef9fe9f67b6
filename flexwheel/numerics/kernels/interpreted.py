"""Kernels as plain Python, for what is called a few hundred times and not worth seconds of compilation.

A kernel names other kernels; each of them is taken as plain Python too, so that nothing is compiled. Kernels called by
address (`far_call`) have none: the caller calls the kernel itself. Handles are the NamedTuples themselves.
"""

from types import CodeType, FunctionType

from numba.extending import is_jitted

_made = {}  # of a Python function: the same with interpreted kernels behind its names


def interpreted(kernel):
    """The Python function of a kernel, all kernels that it calls interpreted likewise; other functions as they are."""
    function = kernel.py_func if is_jitted(kernel) else kernel
    if not (is_jitted(kernel) and isinstance(function, FunctionType)):
        return kernel
    if function not in _made:
        scope = dict(function.__globals__)
        made = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, function.__closure__)
        _made[function] = made  # before its names, one of which may be its own
        for name in _names(function.__code__):
            if name in scope:
                scope[name] = interpreted(scope[name])
    return _made[function]


def _names(code):
    """Global names that a piece of code and those within it may ask for."""
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            found |= _names(constant)
    return found
