"""Kernels: the functions that numba compiles, and the only room that knows numba's insides.

One regime holds for all of them (`@kernel`). A kernel reads and fills what it is given; it creates no array and returns
none, so that nothing counts references, and the compiler refuses one that does. Division by zero follows IEEE 754: the
caller asks whether a result is finite. The interpreter is free while a kernel runs. Many arrays travel as one pointer
(`handle`), a large kernel is compiled once and called by address (`entry`, `far_call`), and what is compiled is kept
until a source file changes that it was made from (`cache`). `types` and `overload` are numba's.
"""

from functools import partial

from numba import types
from numba.extending import overload as numba_overload

from flexwheel.numerics.kernels.compiler import KernelCompiler
from flexwheel.numerics.kernels.decorator import FAST, kernel
from flexwheel.numerics.kernels.far_call import Entry, entry, far_call, without_compiling
from flexwheel.numerics.kernels.handles import Each, handle

overload = partial(numba_overload, jit_options={"pipeline_class": KernelCompiler})

__all__ = ["FAST", "Each", "Entry", "entry", "far_call", "handle", "kernel", "overload", "types", "without_compiling"]
