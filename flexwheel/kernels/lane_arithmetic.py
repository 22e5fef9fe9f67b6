"""Four numbers at a time, written as one: operators and functions by which a formula serves a number or four lanes.

A kernel called with a float and with `Lanes4` is compiled for each; no compiler finds lanes across table look-ups by
itself. +, -, *, /, comparisons, min, max, sqrt and log take lanes, or lanes and a float; comparisons give a mask for
`where`.
"""

import math
import operator

from llvmlite import ir
from numba import types
from numba.core.cgutils import get_or_insert_function
from numba.core.datamodel import models
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, register_model

from flexwheel.kernels.lanes import LANES, VECTOR

_DOUBLE, _I32 = ir.DoubleType(), ir.IntType(32)
_MASK, _WHOLE, _NARROW = (ir.VectorType(ir.IntType(bits), 4) for bits in (1, 64, 32))
_FREE = ("contract", "reassoc", "nsz", "arcp")
_LOG_SERIES = [2.0 / (2 * k + 1) for k in range(8)]  # log m = 2 artanh(s), s = (m - 1)/(m + 1) within 0.172: to 1e-14


class MaskType(types.Type):
    """Type of four truth values."""

    def __init__(self):
        super().__init__("LaneMask4")


@register_model(MaskType)
class _MaskModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, _MASK)


MASK = MaskType()


def _of_lanes(x):
    return isinstance(x.type, ir.VectorType)


def _spread(builder, x):
    """x in every lane, where it is a single number."""
    if _of_lanes(x):
        return x
    one = builder.insert_element(ir.Constant(VECTOR, ir.Undefined), x, ir.Constant(_I32, 0))
    return builder.shuffle_vector(one, one, ir.Constant(_NARROW, [0, 0, 0, 0]))


def _shuffle(builder, a, b, *order):
    return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(_I32, len(order)), list(order)))


def _constant(kind, x):
    """x in every lane, or alone."""
    return ir.Constant(kind, [x] * 4 if isinstance(kind, ir.VectorType) else x)


def _call(builder, name, x):
    """LLVM's function of one number, or of lanes."""
    name = f"llvm.{name}.{'v4f64' if _of_lanes(x) else 'f64'}"
    return builder.call(get_or_insert_function(builder.module, ir.FunctionType(x.type, [x.type]), name), [x])


def _declare(operation, build, *cases):
    """Let a function of Python take lanes."""
    template = type(f"Lanes_{operation.__name__}", (ConcreteTemplate,), {"key": operation, "cases": list(cases)})
    infer_global(operation)(template)
    for case in cases:
        lower_builtin(operation, *case.args)(
            lambda context, builder, sig, arguments: build(builder, *(_spread(builder, x) for x in arguments))
        )


def _declare_pair(operation, build, result=LANES):
    pairs = (LANES, LANES), (LANES, types.float64), (types.float64, LANES)
    _declare(operation, build, *(signature(result, *pair) for pair in pairs))


def _compared(sign):
    return lambda builder, a, b: builder.fcmp_ordered(sign, a, b)


def _chosen(sign):
    return lambda builder, a, b: builder.select(builder.fcmp_ordered(sign, a, b), a, b)


def _log(builder, x):
    """Of positive normal numbers: exponent and a mantissa in [sqrt(1/2), sqrt(2)) from the bits."""
    low = _constant(_WHOLE, 0x3FE6A09E00000000)  # the bits of sqrt(1/2)
    above = builder.sub(builder.bitcast(x, _WHOLE), low)
    exponent = builder.sitofp(builder.trunc(builder.ashr(above, _constant(_WHOLE, 52)), _NARROW), VECTOR)
    m = builder.bitcast(builder.add(builder.and_(above, _constant(_WHOLE, 0x000FFFFFFFFFFFFF)), low), VECTOR)
    one = _constant(VECTOR, 1.0)
    s = builder.fdiv(builder.fsub(m, one), builder.fadd(m, one))
    q = builder.fmul(s, s)
    series = _constant(VECTOR, _LOG_SERIES[-1])
    for c in _LOG_SERIES[-2::-1]:
        series = builder.fadd(_constant(VECTOR, c), builder.fmul(q, series, flags=_FREE), flags=_FREE)
    part = builder.fmul(exponent, _constant(VECTOR, math.log(2.0)), flags=_FREE)
    return builder.fadd(part, builder.fmul(s, series, flags=_FREE), flags=_FREE)


for _name, _instruction in (("add", "fadd"), ("sub", "fsub"), ("mul", "fmul"), ("truediv", "fdiv")):
    for _operation in (getattr(operator, _name), getattr(operator, "i" + _name)):
        _declare_pair(_operation, lambda builder, a, b, name=_instruction: getattr(builder, name)(a, b))
for _operation, _sign in ((operator.lt, "<"), (operator.le, "<="), (operator.gt, ">"), (operator.ge, ">=")):
    _declare_pair(_operation, _compared(_sign), MASK)
_declare_pair(max, _chosen(">"))
_declare_pair(min, _chosen("<"))
_declare(operator.neg, lambda builder, x: builder.fsub(_constant(VECTOR, -0.0), x), signature(LANES, LANES))
_declare(abs, lambda builder, x: _call(builder, "fabs", x), signature(LANES, LANES))
_declare(math.sqrt, lambda builder, x: _call(builder, "sqrt", x), signature(LANES, LANES))
_declare(math.log, _log, signature(LANES, LANES))


@intrinsic
def both(typing_context, a, b):
    """Whether both conditions hold, of numbers or lanes."""
    return a(a, a), lambda context, builder, sig, x: builder.and_(*x)


@intrinsic
def where(typing_context, condition, a, b):
    """a where the condition holds, else b; of numbers or lanes."""
    single = condition != MASK

    def generate(context, builder, sig, x):
        return builder.select(x[0], *(x[1:] if single else (_spread(builder, y) for y in x[1:])))

    return (types.float64 if single else LANES)(condition, a, b), generate


@intrinsic
def lanes_of(typing_context, a, b, c, d):
    """Four numbers side by side."""

    def generate(context, builder, sig, x):
        value = ir.Constant(VECTOR, ir.Undefined)
        for k in range(4):
            value = builder.insert_element(value, x[k], ir.Constant(_I32, k))
        return value

    return LANES(*[types.float64] * 4), generate


@intrinsic
def lane(typing_context, a, k):
    """Lane k."""

    def generate(context, builder, sig, x):
        place = sig.args[1]
        k = ir.Constant(_I32, place.literal_value) if isinstance(place, types.IntegerLiteral) else x[1]
        return builder.extract_element(x[0], k)

    return types.float64(LANES, k), generate


@intrinsic
def held_before(typing_context, mask):
    """Number of first lanes that hold, where no other one does; else -1."""

    def generate(context, builder, sig, x):
        whole = ir.IntType(64)
        bits = builder.zext(builder.bitcast(x[0], ir.IntType(4)), whole)
        above = builder.add(bits, ir.Constant(whole, 1))
        count_ones = get_or_insert_function(builder.module, ir.FunctionType(whole, [whole]), "llvm.ctpop.i64")
        first = builder.icmp_unsigned("==", builder.and_(bits, above), ir.Constant(whole, 0))
        return builder.select(first, builder.call(count_ones, [bits]), ir.Constant(whole, -1))

    return types.int64(MASK), generate


@intrinsic
def any_lane(typing_context, mask):
    """Whether any lane of a mask holds."""

    def generate(context, builder, sig, x):
        return builder.icmp_unsigned("!=", builder.bitcast(x[0], ir.IntType(4)), ir.Constant(ir.IntType(4), 0))

    return types.boolean(MASK), generate


@intrinsic
def total(typing_context, a):
    """Sum of the lanes."""

    def generate(context, builder, sig, x):
        half = _shuffle(builder, x[0], x[0], 0, 1)
        pair = builder.fadd(half, _shuffle(builder, x[0], x[0], 2, 3))
        return builder.fadd(*(builder.extract_element(pair, ir.Constant(_I32, k)) for k in (0, 1)))

    return types.float64(LANES), generate


@intrinsic
def cell(typing_context, t, last):
    """Whole part of t within 0 ... last, as a float; of numbers or lanes."""

    def generate(context, builder, sig, x):
        t, last = x[0], builder.sitofp(x[1], _DOUBLE)
        last = _spread(builder, last) if _of_lanes(t) else last
        t = _chosen(">")(builder, t, _constant(t.type, 1e-300))
        return _call(builder, "trunc", _chosen("<")(builder, t, last))

    return t(t, types.int64), generate


def _row(context, builder, kind, table, row, first=0):
    """Pointers from column `first` on in the rows of a contiguous table that `row` or its lanes name."""
    array = context.make_array(kind)(context, builder, table)
    columns = builder.extract_value(array.shape, 1)
    if _of_lanes(row):
        row = builder.fptosi(row, _NARROW)
        rows = [builder.extract_element(row, ir.Constant(_I32, k)) for k in range(4)]
    else:
        rows = [builder.fptosi(row, _I32)]
    places = [builder.mul(builder.zext(i, columns.type), columns) for i in rows]
    return [builder.gep(array.data, [builder.add(p, ir.Constant(columns.type, first))]) for p in places]


@intrinsic
def first_four(typing_context, table, row):
    """Columns 0 to 3 of the rows of a contiguous table (n, m >= 4), row as `cell` gives it; of numbers or lanes."""

    def generate(context, builder, sig, x):
        rows = [
            builder.load(builder.bitcast(p, VECTOR.as_pointer()), align=8)
            for p in _row(context, builder, sig.args[0], *x)
        ]
        if len(rows) == 1:
            return context.make_tuple(
                builder, sig.return_type, [builder.extract_element(rows[0], ir.Constant(_I32, k)) for k in range(4)]
            )
        ab, cd = (
            [_shuffle(builder, *pair, 0, 4, 2, 6), _shuffle(builder, *pair, 1, 5, 3, 7)]
            for pair in (rows[:2], rows[2:])
        )
        columns = [
            _shuffle(builder, ab[k % 2], cd[k % 2], *((0, 1, 4, 5) if k < 2 else (2, 3, 6, 7))) for k in range(4)
        ]
        return context.make_tuple(builder, sig.return_type, columns)

    return types.UniTuple(row, 4)(table, row), generate


@intrinsic
def next_two(typing_context, table, row):
    """Columns 4 and 5 likewise."""

    def generate(context, builder, sig, x):
        pair = ir.VectorType(_DOUBLE, 2)
        rows = [
            builder.load(builder.bitcast(p, pair.as_pointer()), align=8)
            for p in _row(context, builder, sig.args[0], *x, first=4)
        ]
        if len(rows) == 1:
            columns = [builder.extract_element(rows[0], ir.Constant(_I32, k)) for k in range(2)]
        else:
            ab, cd = _shuffle(builder, *rows[:2], 0, 2, 1, 3), _shuffle(builder, *rows[2:], 0, 2, 1, 3)
            columns = [_shuffle(builder, ab, cd, 0, 1, 4, 5), _shuffle(builder, ab, cd, 2, 3, 6, 7)]
        return context.make_tuple(builder, sig.return_type, columns)

    return types.UniTuple(row, 2)(table, row), generate
