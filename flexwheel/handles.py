"""NamedTuples handed to compiled code by pointer.

A compiled function takes a tuple argument by value: every array of it becomes a dozen machine arguments, at every
call. A step over tuples of a hundred arrays would spend its time, and the compiler's, on copying them. `handle`
turns a NamedTuple, with the NamedTuples in it, into a reference-counted structure of the same field names; kernels
read `model.units.mass` all the same. Arrays are shared, numbers are copied.
"""

from __future__ import annotations

from hashlib import blake2b

from numba import njit, types
from numba.core import cgutils
from numba.experimental import structref
from numba.experimental.jitclass.base import imp_dtor
from numba.extending import intrinsic


@structref.register
class HandleType(types.StructRef):
    """Type of a handle: its fields' names and types.

    Its name stands in the symbol of every kernel that takes a handle: a digest is shorter than all field types.
    """

    def __init__(self, fields):
        super().__init__(fields)
        self.name = "Handle" + blake2b(self.name.encode(), digest_size=12).hexdigest()

    def preprocess_fields(self, fields):
        """Field types without literal values."""
        return tuple((name, types.unliteral(kind)) for name, kind in fields)


class Handle(structref.StructRefProxy):
    """Python's side of a handle; opaque."""


structref.define_boxing(HandleType, Handle)


@intrinsic
def _structure(typing_context, values):
    """Reference-counted structure with the fields of a NamedTuple."""
    kinds = values.types if hasattr(values, "types") else (values.dtype,) * values.count
    kind = HandleType(tuple(zip(values.fields, kinds, strict=True)))

    def codegen(context, builder, signature, arguments):
        layout = context.data_model_manager[kind.get_data_type()].get_value_type()
        size = context.get_constant(types.uintp, context.get_abi_sizeof(layout))
        meminfo = context.nrt.meminfo_alloc_dtor(builder, size, imp_dtor(context, builder.module, kind))
        pointer = builder.bitcast(context.nrt.meminfo_data(builder, meminfo), layout.as_pointer())
        builder.store(cgutils.get_null_value(layout), pointer)
        data = cgutils.create_struct_proxy(kind.get_data_type())(context, builder, ref=pointer)
        for index, (name, _) in enumerate(kind.field_dict.items()):
            value = builder.extract_value(arguments[0], index)
            context.nrt.incref(builder, kind.field_dict[name], value)
            setattr(data, name, context.cast(builder, value, kinds[index], kind.field_dict[name]))
        instance = context.make_helper(builder, kind)
        instance.meminfo = meminfo
        return instance._getvalue()

    return kind(values), codegen


@njit(cache=True)
def _make(values):
    return _structure(values)


def handle(value):
    """Handle of a NamedTuple; fields that are NamedTuples become handles too.

    A NamedTuple class with BY_VALUE = True stays a tuple: few arrays, and kernels that count no references.
    """
    if getattr(value, "BY_VALUE", False):
        return value
    return _make(type(value)(*(handle(v) if _is_named(v) else v for v in value)))


def _is_named(value):
    return isinstance(value, tuple) and hasattr(value, "_fields")
