"""Four, eight or sixteen numbers at a time, written as one: a formula serves a number or lanes.

A kernel called with a float, with `Lanes4` and with `Lanes16` is compiled for each; no compiler finds lanes across
table look-ups by itself. +, -, *, /, comparisons, min, max, sqrt and log take lanes, or lanes and a float; comparisons
give a mask for `where`.
"""

import math
import operator

from llvmlite import ir
from numba import types
from numba.core.cgutils import get_or_insert_function
from numba.core.datamodel import models
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, register_model

from flexwheel.numerics.kernels.lanes import EIGHT, LANES, SIXTEEN, VECTOR, spread

_DOUBLE, _I32 = ir.DoubleType(), ir.IntType(32)
_FREE = ("contract", "reassoc", "nsz", "arcp")
_LOG_SERIES = [2.0 / (2 * k + 1) for k in range(8)]  # log m = 2 artanh(s), s = (m - 1)/(m + 1) within 0.172: to 1e-14


class MaskType(types.Type):
    """Type of as many truth values."""

    def __init__(self, count):
        self.count = count
        super().__init__(f"LaneMask{count}")


@register_model(MaskType)
class _MaskModel(models.PrimitiveModel):
    def __init__(self, manager, kind):
        super().__init__(manager, kind, ir.VectorType(ir.IntType(1), kind.count))


MASKS = {kind: MaskType(kind.count) for kind in (LANES, EIGHT, SIXTEEN)}


def _of_lanes(x):
    return isinstance(x.type, ir.VectorType)


def _like(x, kind):
    """Vector of integers, or another kind, with as many lanes as x."""
    return ir.VectorType(kind, x.type.count)


def _spread(builder, x, count):
    """x in every lane, where it is a single number."""
    return x if _of_lanes(x) else spread(builder, x, count)


def _shuffle(builder, a, b, *order):
    return builder.shuffle_vector(a, b, ir.Constant(ir.VectorType(_I32, len(order)), list(order)))


def _constant(kind, x):
    """x in every lane, or alone."""
    return ir.Constant(kind, [x] * kind.count if isinstance(kind, ir.VectorType) else x)


def _call(builder, name, x):
    """LLVM's function of one number, or of lanes."""
    name = f"llvm.{name}.{f'v{x.type.count}f64' if _of_lanes(x) else 'f64'}"
    return builder.call(get_or_insert_function(builder.module, ir.FunctionType(x.type, [x.type]), name), [x])


def _declare(operation, build, *cases):
    """Let a function of Python take lanes."""
    template = type(f"Lanes_{operation.__name__}", (ConcreteTemplate,), {"key": operation, "cases": list(cases)})
    infer_global(operation)(template)
    for case in cases:
        lower_builtin(operation, *case.args)(
            lambda context, builder, sig, arguments: build(
                builder, *(_spread(builder, x, _count(sig.args)) for x in arguments)
            )
        )


def _count(kinds):
    """Lanes of the first of types that has some."""
    return next(kind.count for kind in kinds if kind in MASKS)


def _declare_pair(operation, build, compares=False):
    cases = []
    for lanes, mask in MASKS.items():
        pairs = (lanes, lanes), (lanes, types.float64), (types.float64, lanes)
        cases += [signature(mask if compares else lanes, *pair) for pair in pairs]
    _declare(operation, build, *cases)


def _declare_single(operation, build):
    _declare(operation, build, *(signature(lanes, lanes) for lanes in MASKS))


def _compared(sign):
    return lambda builder, a, b: builder.fcmp_ordered(sign, a, b)


def _chosen(sign):
    return lambda builder, a, b: builder.select(builder.fcmp_ordered(sign, a, b), a, b)


def _log(builder, x):
    """Of positive normal numbers: exponent and a mantissa in [sqrt(1/2), sqrt(2)) from the bits."""
    vector, whole = x.type, _like(x, ir.IntType(64))
    low = _constant(whole, 0x3FE6A09E00000000)  # the bits of sqrt(1/2)
    above = builder.sub(builder.bitcast(x, whole), low)
    exponent = builder.sitofp(builder.trunc(builder.ashr(above, _constant(whole, 52)), _like(x, _I32)), vector)
    m = builder.bitcast(builder.add(builder.and_(above, _constant(whole, 0x000FFFFFFFFFFFFF)), low), vector)
    one = _constant(vector, 1.0)
    s = builder.fdiv(builder.fsub(m, one), builder.fadd(m, one))
    q = builder.fmul(s, s)
    series = _constant(vector, _LOG_SERIES[-1])
    for c in _LOG_SERIES[-2::-1]:
        series = builder.fadd(_constant(vector, c), builder.fmul(q, series, flags=_FREE), flags=_FREE)
    part = builder.fmul(exponent, _constant(vector, math.log(2.0)), flags=_FREE)
    return builder.fadd(part, builder.fmul(s, series, flags=_FREE), flags=_FREE)


for _name, _instruction in (("add", "fadd"), ("sub", "fsub"), ("mul", "fmul"), ("truediv", "fdiv")):
    for _operation in (getattr(operator, _name), getattr(operator, "i" + _name)):
        _declare_pair(_operation, lambda builder, a, b, name=_instruction: getattr(builder, name)(a, b))
for _operation, _sign in ((operator.lt, "<"), (operator.le, "<="), (operator.gt, ">"), (operator.ge, ">=")):
    _declare_pair(_operation, _compared(_sign), compares=True)
_declare_pair(max, _chosen(">"))
_declare_pair(min, _chosen("<"))
_declare_single(operator.neg, lambda builder, x: builder.fsub(_constant(x.type, -0.0), x))
_declare_single(abs, lambda builder, x: _call(builder, "fabs", x))
_declare_single(math.sqrt, lambda builder, x: _call(builder, "sqrt", x))
_declare_single(math.log, _log)


@intrinsic
def both(typing_context, a, b):
    """Whether both conditions hold, of numbers or lanes."""
    return a(a, a), lambda context, builder, sig, x: builder.and_(*x)


@intrinsic
def either(typing_context, a, b):
    """Whether one of both holds."""
    return a(a, a), lambda context, builder, sig, x: builder.or_(*x)


@intrinsic
def where(typing_context, condition, a, b):
    """a where the condition holds, else b; of numbers or lanes."""
    result = next((lanes for lanes, mask in MASKS.items() if mask == condition), types.float64)

    def generate(context, builder, sig, x):
        return builder.select(x[0], *(_spread(builder, y, result.count) if result in MASKS else y for y in x[1:]))

    return result(condition, a, b), generate


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

    return types.float64(a, k), generate


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

    return types.int64(mask), generate


@intrinsic
def bits_of(typing_context, mask):
    """The lanes that hold as bits, the first lowest."""

    def generate(context, builder, sig, x):
        return builder.zext(builder.bitcast(x[0], ir.IntType(mask.count)), ir.IntType(64))

    return types.int64(mask), generate


@intrinsic
def lowest_bit(typing_context, bits):
    """Place of the lowest bit that is set, of some."""

    def generate(context, builder, sig, x):
        whole, flag = ir.IntType(64), ir.IntType(1)
        zeros = get_or_insert_function(builder.module, ir.FunctionType(whole, [whole, flag]), "llvm.cttz.i64")
        return builder.call(zeros, [x[0], ir.Constant(flag, 1)])

    return types.int64(types.int64), generate


@intrinsic
def any_lane(typing_context, mask):
    """Whether any lane of a mask holds."""

    def generate(context, builder, sig, x):
        bits = ir.IntType(mask.count)
        return builder.icmp_unsigned("!=", builder.bitcast(x[0], bits), ir.Constant(bits, 0))

    return types.boolean(mask), generate


@intrinsic
def total(typing_context, a):
    """Sum of the lanes."""

    def generate(context, builder, sig, x):
        part, count = x[0], a.count // 2
        while count > 1:
            low, high = (_shuffle(builder, part, part, *range(k, k + count)) for k in (0, count))
            part, count = builder.fadd(low, high), count // 2
        return builder.fadd(*(builder.extract_element(part, ir.Constant(_I32, k)) for k in (0, 1)))

    return types.float64(a), generate


@intrinsic
def cell(typing_context, t, last):
    """Whole part of t within 0 ... last, as a float; of numbers or lanes."""

    def generate(context, builder, sig, x):
        t, last = x[0], builder.sitofp(x[1], _DOUBLE)
        last = _spread(builder, last, t.type.count) if _of_lanes(t) else last
        t = _chosen(">")(builder, t, _constant(t.type, 1e-300))
        whole = builder.fptosi(_chosen("<")(builder, t, last), _like(t, _I32) if _of_lanes(t) else _I32)
        return builder.sitofp(whole, t.type)

    return t(t, types.int64), generate


def _rows(context, builder, sig, x, first, wide):
    """`wide` columns from column `first` on, of the rows of a contiguous table that `row` or its lanes name."""
    array = context.make_array(sig.args[0])(context, builder, x[0])
    columns, row = builder.extract_value(array.shape, 1), x[1]
    if _of_lanes(row):
        row = builder.fptosi(row, _like(row, _I32))
        rows = [builder.extract_element(row, ir.Constant(_I32, k)) for k in range(row.type.count)]
    else:
        rows = [builder.fptosi(row, _I32)]
    vector, loaded = ir.VectorType(_DOUBLE, wide), []
    for i in rows:
        place = builder.add(builder.mul(builder.zext(i, columns.type), columns), ir.Constant(columns.type, first))
        loaded.append(builder.load(builder.bitcast(builder.gep(array.data, [place]), vector.as_pointer()), align=8))
    return loaded


def _joined(builder, rows):
    """Rows one behind the other in one register."""
    while len(rows) > 1:
        pairs = zip(rows[::2], rows[1::2], strict=True)
        rows = [_shuffle(builder, a, b, *range(2 * a.type.count)) for a, b in pairs]
    return rows[0]


def _across(builder, a, b):
    """Even and odd lanes of two registers side by side, in pairs."""
    n = a.type.count
    pairs = [[k + j + m * n for k in range(0, n, 2) for m in (0, 1)] for j in (0, 1)]
    return [_shuffle(builder, a, b, *order) for order in pairs]


def _columns(builder, rows, wide):
    """Columns of loaded rows."""
    if len(rows) == 1:
        return [builder.extract_element(rows[0], ir.Constant(_I32, k)) for k in range(wide)]
    if wide == 2:
        return _across(builder, _joined(builder, rows[::2]), _joined(builder, rows[1::2]))
    # rows 0 and 4, 1 and 5, 2 and 6, 3 and 7 share a register where there are eight
    a, b, c, d = (_joined(builder, rows[k::4]) for k in range(4))
    ab, cd = _across(builder, a, b), _across(builder, c, d)
    n = len(rows)
    low = [k + j + m * n for k in range(0, n, 4) for m in (0, 1) for j in (0, 1)]
    high = [k + 2 for k in low]
    return [_shuffle(builder, ab[k % 2], cd[k % 2], *(low if k < 2 else high)) for k in range(4)]


@intrinsic
def first_four(typing_context, table, row):
    """Columns 0 to 3 of the rows of a contiguous table (n, m >= 4), row as `cell` gives it; of numbers or lanes."""

    def generate(context, builder, sig, x):
        columns = _columns(builder, _rows(context, builder, sig, x, 0, 4), 4)
        return context.make_tuple(builder, sig.return_type, columns)

    return types.UniTuple(row, 4)(table, row), generate


@intrinsic
def next_two(typing_context, table, row):
    """Columns 4 and 5 likewise."""

    def generate(context, builder, sig, x):
        columns = _columns(builder, _rows(context, builder, sig, x, 4, 2), 2)
        return context.make_tuple(builder, sig.return_type, columns)

    return types.UniTuple(row, 2)(table, row), generate


def _single_root(builder, x):
    """sqrt(x) in single precision."""
    single = _like(x, ir.FloatType())
    root = ir.FunctionType(single, [single])
    root = get_or_insert_function(builder.module, root, f"llvm.sqrt.v{x.type.count}f32")
    return builder.call(root, [builder.fptrunc(x, single)])


@intrinsic
def single_root(typing_context, x):
    """sqrt(x) of lanes within single precision's range, to 6e-8."""
    return x(x), lambda context, builder, sig, arguments: builder.fpext(
        _single_root(builder, *arguments), arguments[0].type
    )


@intrinsic
def inverse_root(typing_context, x):
    """1/sqrt(x) of lanes within single precision's range, by its root and a step of Newton's: to 1e-14."""

    def generate(context, builder, sig, arguments):
        x = arguments[0]
        y = _single_root(builder, x)
        y = builder.fpext(builder.fdiv(_constant(y.type, 1.0), y), x.type)
        square = builder.fmul(builder.fmul(x, y, flags=_FREE), y, flags=_FREE)
        step = builder.fsub(_constant(x.type, 1.5), builder.fmul(_constant(x.type, 0.5), square), flags=_FREE)
        return builder.fmul(y, step, flags=_FREE)

    return x(x), generate
