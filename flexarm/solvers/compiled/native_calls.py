"""Calls of native functions by their address from numba-compiled code.

The address is plain data: one compiled loop that takes it as an argument serves every model.
"""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


def _call_native(typing_context, address, t, y, p, out):
    def generate(context, builder, signature, arguments):
        pointer = ir.DoubleType().as_pointer()
        function_type = ir.FunctionType(ir.VoidType(), [pointer] * 4)
        data = [
            context.make_array(kind)(context, builder, array).data
            for kind, array in zip(signature.args[1:], arguments[1:], strict=True)
        ]
        builder.call(builder.inttoptr(arguments[0], function_type.as_pointer()), data)
        return context.get_dummy_value()

    return types.void(types.uint64, t, y, p, out), generate


#: ``call_native(address, t, y, p, out)`` calls the native function at this address from compiled code;
#: all but the address are contiguous arrays of float64, with as many numbers for each element as it has lanes.
call_native: Callable[..., None] = intrinsic(_call_native)
