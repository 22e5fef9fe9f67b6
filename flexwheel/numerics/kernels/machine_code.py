"""Machine code that kernels take in: generated functions, by their address, and the processor's clock."""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def call_kernel(typing_context, address, work):
    """Run `void f(double *w)` at an address (int64) on a float64 array."""
    signature = types.void(types.int64, work)

    def generate(context, builder, sig, arguments):
        array = context.make_array(sig.args[1])(context, builder, arguments[1])
        kind = ir.FunctionType(ir.VoidType(), [array.data.type])
        builder.call(builder.inttoptr(arguments[0], kind.as_pointer()), [array.data])
        return context.get_dummy_value()

    return signature, generate


@intrinsic
def clock(typing_context, work):
    """Processor's time stamp; the array only keeps the compiler from moving the reading."""

    def generate(context, builder, signature, arguments):
        kind = ir.FunctionType(ir.IntType(64), [])
        read = builder.module.declare_intrinsic("llvm.readcyclecounter", (), kind)
        return builder.call(read, [])

    return types.int64(work), generate
