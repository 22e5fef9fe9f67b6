"""Calls of kernels by address.

numba compiles a kernel anew into each of its callers, and the callers of those. Where a large kernel is called once a
step, its caller takes its address instead, so that it is compiled once.
"""

from contextlib import contextmanager
from contextvars import ContextVar
from hashlib import blake2b
from typing import NamedTuple

from numba import typeof, types
from numba.core import cgutils
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic


class Entry(NamedTuple):
    """Where a compiled kernel stands, and a digest of its name and the types it was compiled for."""

    address: int
    identity: int
    BY_VALUE = True


_compiling = ContextVar("compiling", default=True)


@contextmanager
def without_compiling():
    """Within the block `entry` compiles nothing: a call of what it gives raises TypeError."""
    before = _compiling.set(False)
    try:
        yield
    finally:
        _compiling.reset(before)


def entry(kernel, *arguments, role=None) -> Entry:
    """Entry of a kernel for arguments of these types; compiled if it is not yet.

    role : str    what it is called as, where several kernels may stand at one place; default: itself
    """
    return compiled_entry(kernel, arguments, role) if _compiling.get() else Entry(0, 0)


def compiled_entry(kernel, arguments, role=None):
    """As `entry`, wherever."""
    kinds = tuple(typeof(argument) for argument in arguments)
    kernel.compile(kinds)
    compiled = kernel.overloads[kinds]
    address = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name)
    return Entry(address, _identity(_name(role or kernel), types.unliteral(compiled.signature.return_type), kinds))


def _name(role):
    return role if isinstance(role, str) else f"{role.py_func.__module__}.{role.py_func.__qualname__}"


def _identity(name, result, kinds):
    text = f"{name}: " + ", ".join(kind.name for kind in (result, *kinds))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big", signed=True)


def far_call(role, result):
    """A function call(entry, arguments) for kernels: the result, of a given type, of the kernel at an Entry.

    role is that kernel, or the str that its entry was made for. The call raises TypeError where the entry is of another
    role or of other types.
    """
    name = _name(role)

    @intrinsic
    def call(typing_context, at, arguments):
        kinds = arguments.types

        def generate(context, builder, signature, values):
            where, packed = values
            wanted = context.get_constant(types.int64, _identity(name, result, kinds))
            with cgutils.if_unlikely(builder, builder.icmp_signed("!=", builder.extract_value(where, 1), wanted)):
                text = f"{name} was called at the entry of another kernel or of other arguments"
                context.call_conv.return_user_exc(builder, TypeError, (text,))
            function = context.call_conv.get_function_type(result, kinds).as_pointer()
            status, value = context.call_conv.call_function(
                builder,
                builder.inttoptr(builder.extract_value(where, 0), function),
                result,
                kinds,
                cgutils.unpack_tuple(builder, packed),
            )
            with cgutils.if_unlikely(builder, status.is_error):
                context.call_conv.return_status_propagate(builder, status)
            return impl_ret_borrowed(context, builder, result, value)

        return result(at, arguments), generate

    return call
