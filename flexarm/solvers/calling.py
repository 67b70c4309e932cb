"""Calls of native functions by their address from numba-compiled code.

The address is plain data: a compiled loop that takes it as an argument serves every model and is found in
numba's disk cache by the next process, which a compiled function passed as an argument never is.
"""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic


def cached(signature: str) -> Callable[[Callable], Callable]:
    """Compile a function for one signature and keep the machine code on disk for the next process.

    Notes
    -----
    The cache follows changes of the file of the function itself only, so a kernel calls nothing compiled from
    another file but :func:`call_native`.
    """

    def compile_now(function):
        options = {"nogil": True, "error_model": "numpy", "fastmath": {"contract"}}
        try:
            return njit(signature, cache=True, **options)(function)
        except RuntimeError:  # neither the package's folder nor the user's cache folder is writable
            return njit(signature, **options)(function)

    return compile_now


def _call_native(typing_context, address, t, y, p, out):
    def generate(context, builder, signature, arguments):
        double, pointer = ir.DoubleType(), ir.DoubleType().as_pointer()
        function_type = ir.FunctionType(ir.VoidType(), [double, pointer, pointer, pointer])
        data = [
            context.make_array(kind)(context, builder, array).data
            for kind, array in zip(signature.args[2:], arguments[2:], strict=True)
        ]
        builder.call(builder.inttoptr(arguments[0], function_type.as_pointer()), [arguments[1], *data])
        return context.get_dummy_value()

    return types.void(types.uint64, types.float64, y, p, out), generate


#: ``call_native(address, t, y, p, out)`` calls the native function at this address from compiled code;
#: y, p and out are contiguous arrays of float64.
call_native: Callable[..., None] = intrinsic(_call_native)
