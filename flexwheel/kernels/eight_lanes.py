"""Eight numbers at a time, for dense loops over many right sides: one register where it is that wide, else two.

As `lanes`: load and store take a flat index into a contiguous array of doubles.
"""

from llvmlite import ir
from numba import types
from numba.core.datamodel import models
from numba.extending import intrinsic, register_model

VECTOR = ir.VectorType(ir.DoubleType(), 8)
CONTRACT = ("contract",)


class EightLanesType(types.Type):
    """Type of eight doubles."""

    def __init__(self):
        super().__init__("Lanes8")


@register_model(EightLanesType)
class _EightLanesModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, VECTOR)


EIGHT = EightLanesType()


def _place(context, builder, kind, array, index):
    """Pointer to eight doubles from a flat index on."""
    data = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(data, [index]), VECTOR.as_pointer())


@intrinsic
def load(typing_context, array, index):
    """Eight doubles of an array from a flat index on."""

    def generate(context, builder, signature, arguments):
        return builder.load(_place(context, builder, signature.args[0], *arguments), align=8)

    return EIGHT(array, types.int64), generate


@intrinsic
def store(typing_context, array, index, value):
    """Put eight doubles into an array from a flat index on."""

    def generate(context, builder, signature, arguments):
        builder.store(arguments[2], _place(context, builder, signature.args[0], *arguments[:2]), align=8)
        return context.get_dummy_value()

    return types.void(array, types.int64, EIGHT), generate


@intrinsic
def fill(typing_context, x):
    """x in every lane."""

    def generate(context, builder, signature, arguments):
        zero = ir.Constant(ir.IntType(32), 0)
        one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), arguments[0], zero)
        return builder.shuffle_vector(one, one, ir.Constant(ir.VectorType(ir.IntType(32), 8), [0] * 8))

    return EIGHT(types.float64), generate


@intrinsic
def times(typing_context, a, b):
    """a b."""
    return EIGHT(EIGHT, EIGHT), lambda context, builder, signature, x: builder.fmul(*x, flags=CONTRACT)


@intrinsic
def less(typing_context, a, b, c):
    """a - b c."""

    def generate(context, builder, signature, x):
        return builder.fsub(x[0], builder.fmul(x[1], x[2], flags=CONTRACT), flags=CONTRACT)

    return EIGHT(EIGHT, EIGHT, EIGHT), generate
