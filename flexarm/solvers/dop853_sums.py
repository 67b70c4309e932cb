"""Weighted sums of the slopes of DOP853 for numba-compiled code: loops that are made from the tableau."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from flexarm.solvers.dop853_tableau import E3, E5, A, D

ERROR_5, ERROR_3, DENSE_3, DENSE_4, DENSE_5, DENSE_6 = range(len(A), len(A) + 6)
_WEIGHTS = [*A, E5, E3, *D]


def _sums(row, finish):
    """Intrinsic of arrays of which the last but one is k and the last one takes what `finish` makes of each sum."""

    def generate(context, builder, signature, arguments):
        *others, slopes, results = (
            context.make_array(kind)(context, builder, array)
            for kind, array in zip(signature.args[1:], arguments[1:], strict=True)
        )
        weights, n = _WEIGHTS[row.literal_value], results.nitems
        with cgutils.for_range(builder, n) as loop:
            total = None
            for j in np.flatnonzero(weights):
                start = builder.mul(n, ir.Constant(n.type, int(j)))
                slope = builder.load(builder.gep(slopes.data, [builder.add(start, loop.index)]))
                product = builder.fmul(slope, ir.Constant(slope.type, float(weights[j])))
                total = product if total is None else builder.fadd(total, product)
            here = [builder.load(builder.gep(other.data, [loop.index])) for other in others]
            builder.store(finish(builder, total, *here), builder.gep(results.data, [loop.index]))
        return context.get_dummy_value()

    return generate


def _stage_state(typing_context, row, y, h, k, state):
    def finish(builder, total, y_i, h_i):
        return builder.fadd(y_i, builder.fmul(h_i, total))

    return types.void(row, y, h, k, state), _sums(row, finish)


def _weighted_sum(typing_context, row, k, total):
    return types.void(row, k, total), _sums(row, lambda builder, total: total)


#: ``stage_state(s, y, h, k, state)``: state[i] = y[i] + h[i] sum_j a_sj k[j, i]; all arrays are contiguous.
stage_state: Callable[..., None] = intrinsic(prefer_literal=True)(_stage_state)

#: ``weighted_sum(row, k, total)``: total[i] = sum_j w_j k[j, i] with the weights w of an error estimate or of a
#: coefficient of the dense output.
weighted_sum: Callable[..., None] = intrinsic(prefer_literal=True)(_weighted_sum)
