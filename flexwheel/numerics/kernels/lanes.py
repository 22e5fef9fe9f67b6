"""Four numbers in one register, where no compiler finds them by itself: both rails and planes, four rows of modes.

load and store take a flat index into a contiguous array of doubles; the rest is arithmetic lane by lane.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.core.datamodel import models
from numba.extending import intrinsic, register_model

VECTOR = ir.VectorType(ir.DoubleType(), 4)
CONTRACT = ("contract",)


class LanesType(types.Type):
    """Type of as many doubles: one register, or several of which one waits while another goes on."""

    def __init__(self, count):
        self.count = count
        super().__init__(f"Lanes{count}")


@register_model(LanesType)
class _LanesModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, ir.VectorType(ir.DoubleType(), kind.count))


LANES, EIGHT, SIXTEEN = (LanesType(count) for count in (4, 8, 16))
_BY_COUNT = {kind.count: kind for kind in (EIGHT, SIXTEEN)}


def _place(context, builder, kind, array, index, vector=VECTOR):
    """Pointer to four doubles from a flat index on."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), vector.as_pointer())


def aligned(array):
    """Copy of an array of doubles that starts with a cache line, so that no register is loaded from two lines."""
    array = np.asarray(array, dtype=float)
    room = np.empty(array.size + 8)
    start = -room.ctypes.data // 8 % 8
    out = room[start : start + array.size].reshape(array.shape)
    out[...] = array
    return out


@intrinsic
def load(typing_context, array, index):
    """Four doubles of an array from a flat index on."""

    def generate(context, builder, signature, arguments):
        return builder.load(_place(context, builder, signature.args[0], *arguments), align=8)

    return LANES(array, types.int64), generate


@intrinsic
def load_lanes(typing_context, array, index, count):
    """`count` doubles likewise, 8 or 16."""
    if not isinstance(count, types.IntegerLiteral):
        return None

    def generate(context, builder, signature, arguments):
        vector = ir.VectorType(ir.DoubleType(), count.literal_value)
        return builder.load(_place(context, builder, signature.args[0], *arguments[:2], vector), align=8)

    return _BY_COUNT[count.literal_value](array, types.int64, count), generate


@intrinsic
def store(typing_context, array, index, value):
    """Put four doubles, eight or sixteen into an array from a flat index on."""

    def generate(context, builder, signature, arguments):
        place = _place(context, builder, signature.args[0], *arguments[:2], arguments[2].type)
        builder.store(arguments[2], place, align=8)
        return context.get_dummy_value()

    return types.void(array, types.int64, value), generate


def spread(builder, x, count):
    """x in each of as many lanes."""
    vector = ir.VectorType(ir.DoubleType(), count)
    one = builder.insert_element(ir.Constant(vector, ir.Undefined), x, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), count), [0] * count))


@intrinsic
def fill(typing_context, x):
    """x in each of four lanes."""
    return LANES(types.float64), lambda context, builder, signature, arguments: spread(builder, *arguments, 4)


@intrinsic
def fill_lanes(typing_context, x, count):
    """x in each of `count` lanes, 8 or 16."""
    if not isinstance(count, types.IntegerLiteral):
        return None

    def generate(context, builder, signature, arguments):
        return spread(builder, arguments[0], count.literal_value)

    return _BY_COUNT[count.literal_value](types.float64, count), generate


def _halves(kind):
    return [ir.Constant(ir.VectorType(ir.IntType(32), len(order)), list(order)) for order in kind]


_BOTH, _LOW, _HIGH, _SWAPPED = _halves((range(8), range(4), range(4, 8), (4, 5, 6, 7, 0, 1, 2, 3)))


@intrinsic
def joined(typing_context, a, b):
    """Eight lanes of four and four."""
    return EIGHT(LANES, LANES), lambda context, builder, signature, x: builder.shuffle_vector(*x, _BOTH)


@intrinsic
def first_half(typing_context, x):
    """The first four of eight lanes."""
    return LANES(EIGHT), lambda context, builder, signature, x: builder.shuffle_vector(x[0], x[0], _LOW)


@intrinsic
def second_half(typing_context, x):
    """The last four of eight lanes."""
    return LANES(EIGHT), lambda context, builder, signature, x: builder.shuffle_vector(x[0], x[0], _HIGH)


@intrinsic
def swapped(typing_context, x):
    """Eight lanes with their halves interchanged."""
    return EIGHT(EIGHT), lambda context, builder, signature, x: builder.shuffle_vector(x[0], x[0], _SWAPPED)


@intrinsic
def negative(typing_context, x):
    """-x."""
    return x(x), lambda context, builder, signature, x: builder.fneg(x[0])


@intrinsic
def times(typing_context, a, b):
    """a b."""
    return a(a, a), lambda context, builder, signature, x: builder.fmul(*x, flags=CONTRACT)


@intrinsic
def more(typing_context, a, b, c):
    """a + b c."""

    def generate(context, builder, signature, x):
        return builder.fadd(x[0], builder.fmul(x[1], x[2], flags=CONTRACT), flags=CONTRACT)

    return a(a, a, a), generate


@intrinsic
def less(typing_context, a, b, c):
    """a - b c."""

    def generate(context, builder, signature, x):
        return builder.fsub(x[0], builder.fmul(x[1], x[2], flags=CONTRACT), flags=CONTRACT)

    return a(a, a, a), generate


@intrinsic
def plus(typing_context, a, b):
    """a + b."""
    return a(a, a), lambda context, builder, signature, x: builder.fadd(*x, flags=CONTRACT)


@intrinsic
def minus(typing_context, a, b):
    """a - b."""
    return a(a, a), lambda context, builder, signature, x: builder.fsub(*x, flags=CONTRACT)
