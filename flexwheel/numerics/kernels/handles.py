"""NamedTuples handed to compiled code by pointer.

A compiled function takes a tuple argument by value: every array of it becomes a dozen machine arguments, at every
call. A step over tuples of a hundred arrays would spend its time, and the compiler's, on copying them. `handle`
lays a NamedTuple, with the NamedTuples in it, out in memory once and hands over the address; kernels read
`model.units.mass` all the same. Arrays are shared, numbers are copied. The fields cannot be set from a kernel.

Several NamedTuples of the same types are an `Each`: a kernel takes one of them by its number.

Nothing in a kernel owns what a handle points to, so no reference is counted: the handle must live as long as the
call, which it does as the caller's argument.
"""

import operator
from functools import cache
from hashlib import blake2b
from struct import Struct

import numpy as np
from llvmlite import ir
from numba import typeof, types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.imputils import impl_ret_borrowed
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_global, signature
from numba.extending import NativeValue, infer_getattr, lower_builtin, lower_getattr_generic, register_model, unbox

from flexwheel.numerics.kernels.probe import check_layout

_NUMBER, _BITS = Struct("=d"), Struct("=q")
_array_types, _tuple_types = {}, {}  # numba takes much longer to find a type than the rest of a handle takes


class HandleType(types.Type):
    """Type of a handle: its fields' names and types.

    Its name stands in the symbol of every kernel that takes a handle: a digest is shorter than all field types.
    """

    def __init__(self, fields):
        self.fields = tuple(fields)
        text = ", ".join(f"{name}: {kind.name}" for name, kind in self.fields)
        super().__init__("Handle" + blake2b(text.encode(), digest_size=12).hexdigest())


class EachType(types.Type):
    """Type of an Each: that of its items."""

    def __init__(self, item):
        self.item = item
        super().__init__(f"Each({item.name})")


class Each(tuple):
    """NamedTuples of the same types, of which a kernel takes one by its number; the number is not checked."""


register_model(HandleType)(models.OpaqueModel)
register_model(EachType)(models.OpaqueModel)


class Handle:
    """Address of a NamedTuple's fields, and what keeps them alive."""

    __slots__ = ("_numba_type_", "address", "kept", "kind")

    def __init__(self, value):
        _check_once()
        kinds, words, self.kept = [], [], [value]
        for item in value:
            kind, memory = _lay_out(item, self.kept)
            kinds.append(kind)
            words += memory
        buffer = np.array(words, dtype=np.int64)
        self.kept.append(buffer)
        self.address, self.kind = buffer.ctypes.data, _one_type(kinds, type(value), _handle_type)
        self._numba_type_ = self.kind


@cache
def _check_once():
    check_layout(lambda sample: _lay_out(sample, []))


def _lay_out(item, kept):
    """Type of a field and its memory in words of eight bytes, as numba lays it out; `kept` takes what it points to."""
    if isinstance(item, float):
        return types.float64, _BITS.unpack(_NUMBER.pack(item))
    if isinstance(item, int):
        return types.int64, [int(item)]
    if isinstance(item, np.ndarray):
        kept.append(item)
        kind = item.dtype, item.ndim, item.flags.num, type(item)
        if kind not in _array_types:
            _array_types[kind] = typeof(item)
        return _array_types[kind], [0, 0, item.size, item.itemsize, item.ctypes.data, *item.shape, *item.strides]
    if isinstance(item, Each):
        inner = {id(part): Handle(part) for part in item}
        kind, *others = {part.kind.name: part.kind for part in inner.values()}.values()
        if others:
            raise TypeError("an Each holds NamedTuples of the same types")
        addresses = np.array([inner[id(part)].address for part in item], dtype=np.int64)
        kept += [*inner.values(), addresses]
        return EachType(kind), [addresses.ctypes.data]
    if isinstance(item, tuple) and getattr(item, "BY_VALUE", False):
        kinds, words = zip(*(_lay_out(part, kept) for part in item), strict=True)
        return _one_type(kinds, type(item), types.BaseTuple.from_types), [word for part in words for word in part]
    if isinstance(item, tuple) and hasattr(item, "_fields"):
        inner = Handle(item)
        kept.append(inner)
        return inner.kind, [inner.address]
    if item is None:
        return types.none, [0]
    if isinstance(item, np.integer | np.bool_ | np.floating):
        return _lay_out(float(item) if isinstance(item, np.floating) else int(item), kept)
    raise TypeError(f"a handle holds arrays, numbers, None and NamedTuples, not {type(item).__name__}")


def handle(value):
    """Handle of a NamedTuple; fields that are NamedTuples become handles too.

    A NamedTuple class with BY_VALUE = True stays a tuple: few arrays, and kernels that count no references.
    """
    return value if getattr(value, "BY_VALUE", False) else Handle(value)


def _one_type(kinds, of, make):
    """Type of a NamedTuple's class and its fields' types, made once; these are kept, the key holds their places."""
    key = of, *map(id, kinds)
    if key not in _tuple_types:
        _tuple_types[key] = make(tuple(kinds), of), kinds
    return _tuple_types[key][0]


def _handle_type(kinds, of):
    return HandleType(zip(of._fields, kinds, strict=True))


@unbox(HandleType)
def _address_of_handle(kind, value, c):
    number = c.pyapi.object_getattr_string(value, "address")
    address = c.pyapi.long_as_longlong(number)
    c.pyapi.decref(number)
    pointer = c.builder.inttoptr(address, c.context.get_value_type(kind))
    return NativeValue(pointer, is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


@infer_getattr
class _HandleFields(AttributeTemplate):
    key = HandleType

    def generic_resolve(self, kind, name):
        """Type of a field."""
        return dict(kind.fields).get(name)


@lower_getattr_generic(HandleType)
def _load_field(context, builder, kind, pointer, name):
    """Load a field; nothing is counted, the handle owns it."""
    index = [field for field, _ in kind.fields].index(name)
    member = kind.fields[index][1]
    layout = ir.LiteralStructType([context.get_value_type(field) for _, field in kind.fields])
    place = builder.gep(
        builder.bitcast(pointer, layout.as_pointer()), [cgutils.int32_t(0), cgutils.int32_t(index)], inbounds=True
    )
    return impl_ret_borrowed(context, builder, member, builder.load(place))


class _OneOfEach(AbstractTemplate):
    key = operator.getitem

    def generic(self, args, kws):
        """Type of an item."""
        each, number = args
        if isinstance(each, EachType) and isinstance(number, types.Integer):
            return signature(each.item, each, types.intp)
        return None


infer_global(operator.getitem)(_OneOfEach)


@lower_builtin(operator.getitem, EachType, types.intp)
def _load_item(context, builder, signature, values):
    """Address of an item."""
    kind, (each, number) = context.get_value_type(signature.return_type), values
    return builder.load(builder.gep(builder.bitcast(each, kind.as_pointer()), [number]))
