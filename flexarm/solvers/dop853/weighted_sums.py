"""Weighted sums of the stages' slopes of DOP853 for numba-compiled code: loops made from the tableau."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from flexarm.solvers.dop853.layout import LANES
from flexarm.solvers.dop853.tableau import E3, E5, A, D

ERROR_5, ERROR_3, DENSE_3, DENSE_4, DENSE_5, DENSE_6 = range(len(A), len(A) + 6)
_WEIGHTS = [*A, E5, E3, *D]


def _sums(row, finish):
    """Intrinsic of arrays of which the last but one is k and the last one takes what `finish` makes of each sum.

    It goes register by register, which takes nearly half the time of what LLVM makes of a loop over numbers, and then
    number by number where a single integration has some left. No product is fused with a sum, so both do the same.
    """

    def generate(context, builder, signature, arguments):
        *others, slopes, results = (
            context.make_array(kind)(context, builder, array)
            for kind, array in zip(signature.args[1:], arguments[1:], strict=True)
        )
        weights, n = _WEIGHTS[row.literal_value], results.nitems
        whole = builder.and_(n, ir.Constant(n.type, -LANES))  # the multiple of a power of two
        for start, stop, width in ((ir.Constant(n.type, 0), whole, LANES), (whole, n, 1)):
            kind = ir.DoubleType() if width == 1 else ir.VectorType(ir.DoubleType(), width)

            def place(array, index, kind=kind):
                address = builder.gep(array.data, [index])
                return builder.bitcast(address, kind.as_pointer())

            def constant(value, width=width, kind=kind):
                return ir.Constant(kind, value if width == 1 else [value] * width)

            with cgutils.for_range_slice(builder, start, stop, ir.Constant(n.type, width)) as (i, _):
                total = None
                for j in np.flatnonzero(weights):
                    at = builder.add(builder.mul(n, ir.Constant(n.type, int(j))), i)
                    slope = builder.load(place(slopes, at), align=8)
                    product = builder.fmul(slope, constant(float(weights[j])))
                    total = product if total is None else builder.fadd(total, product)
                here = [builder.load(place(other, i), align=8) for other in others]
                builder.store(finish(builder, total, *here), place(results, i), align=8)
        return context.get_dummy_value()

    return generate


def _stage_state(typing_context, row, y, h, k, state):
    def finish(builder, total, y_i, h_i):
        return builder.fadd(y_i, builder.fmul(h_i, total))

    return types.void(row, y, h, k, state), _sums(row, finish)


def _weighted_sum(typing_context, row, k, total):
    return types.void(row, k, total), _sums(row, lambda builder, total: total)


def _scaled_sum(typing_context, row, h, active, before, k, total):
    def finish(builder, total, h_i, active_i, before_i):
        takes_part = builder.fcmp_unordered("!=", active_i, ir.Constant(active_i.type, None))
        return builder.select(takes_part, builder.fmul(h_i, total), before_i)

    return types.void(row, h, active, before, k, total), _sums(row, finish)


#: ``stage_state(s, y, h, k, state)``: state[i] = y[i] + h[i] sum_j a_sj k[j, i]; all arrays are contiguous.
stage_state: Callable[..., None] = intrinsic(prefer_literal=True)(_stage_state)

#: ``weighted_sum(row, k, total)``: total[i] = sum_j w_j k[j, i] with the weights w of an error estimate or of a
#: coefficient of the dense output.
weighted_sum: Callable[..., None] = intrinsic(prefer_literal=True)(_weighted_sum)

#: ``scaled_sum(row, h, active, before, k, total)``: total[i] = h[i] sum_j w_j k[j, i] where active[i] is not zero, else
#: before[i].
scaled_sum: Callable[..., None] = intrinsic(prefer_literal=True)(_scaled_sum)
