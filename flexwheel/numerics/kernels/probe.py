"""Whether the numba at hand holds arrays and tuples in memory, and calls kernels by address, as this room takes it to.

Handles are written word by word, as numba reads them. A small kernel writes a sample of all that a handle may hold as
numba itself holds it, and the two are compared: a numba with another layout is an error, never a wrong number.
"""

from typing import NamedTuple

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from flexwheel.base.errors import KernelError
from flexwheel.numerics.kernels.decorator import kernel
from flexwheel.numerics.kernels.far_call import Entry, compiled_entry, far_call

ADMITTED = "numba>=0.60,<0.69"  # as in pyproject.toml; `python -m tests.numba_versions` runs both ends


class _Inner(NamedTuple):
    BY_VALUE = True
    place: Entry
    cube: np.ndarray


class _Sample(NamedTuple):
    """Everything a handle may hold."""

    BY_VALUE = True
    nothing: None
    count: int
    rows: np.ndarray
    ratio: float
    inner: _Inner
    counts: np.ndarray


@intrinsic
def _store(typing_context, value, words):
    """Write a tuple as a structure of its fields to words (n,), uint64, if there is room; its size in bytes."""

    def generate(context, builder, signature, arguments):
        kind, target = signature.args
        layout = ir.LiteralStructType([context.get_value_type(field) for field in kind.types])
        size = context.get_constant(types.int64, context.get_abi_sizeof(layout))
        array = context.make_array(target)(context, builder, arguments[1])
        room = builder.mul(array.nitems, array.itemsize)
        with builder.if_then(builder.icmp_signed("<=", size, room)):
            place = builder.bitcast(array.data, layout.as_pointer())
            for index, item in enumerate(cgutils.unpack_tuple(builder, arguments[0])):
                builder.store(item, builder.gep(place, [cgutils.int32_t(0), cgutils.int32_t(index)]))
        return size

    return types.int64(value, words), generate


@kernel
def _called(rows, factor, turned):
    rows[0] *= -factor if turned else factor
    return rows.shape[0], rows[0]


_call = far_call(_called, types.Tuple((types.int64, types.float64)))


@kernel
def _probe(at, sample, words, rows):
    count, first = _call(at, (rows, 1.5, True))
    return _store(sample, words), count, first


def check_layout(lay_out):
    """Compare what lay_out(sample) -> type, words makes of a sample with what numba makes of it, and call by address.

    Raises
    ------
    KernelError    they differ, or numba lacks what this room asks of it
    """
    cube = np.arange(24.0).reshape(2, 3, 4)
    sample = _Sample(None, -3, cube[1, ::2, ::3], 0.1, _Inner(Entry(-5, 7), cube), np.arange(5)[1::2])
    rows, reason = np.array([2.0, 0.0, 0.0]), "its arrays and tuples lie otherwise in memory"
    try:
        kind, expected = lay_out(sample)
        words = np.zeros(2 * len(expected), np.uint64)
        size, *called = _probe(compiled_entry(_called, (rows, 1.0, True)), sample, words, rows)
        same = words[: len(expected)] == np.array(expected).view(np.uint64)
        if size == 8 * len(expected) and np.all(same | _owners(kind)) and called == [3, -3.0]:
            return
    except Exception as error:  # whatever numba makes of this room, it is not what it was written for
        reason = " ".join(str(error).split())[:200]
    raise KernelError(f"numba must be {ADMITTED}, got {numba.__version__}: {reason}")


def _owners(kind):
    """Of every word of a type, whether it holds the owner of an array, which kernels of this package never read."""
    if isinstance(kind, types.Array):
        return np.arange(5 + 2 * kind.ndim) < 2
    if isinstance(kind, types.BaseTuple):
        return np.concatenate([_owners(part) for part in kind.types])
    return np.zeros(1, bool)
