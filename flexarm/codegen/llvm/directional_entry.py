"""LLVM assembly text of a function and its derivatives, of which as many are made at once as there are lanes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from flexarm.codegen.llvm.entry_points import framed, table_lines
from flexarm.codegen.llvm.sample_loops import transpositions
from flexarm.codegen.llvm.vector_types import constant_text, value_name


class Sizes(NamedTuple):
    """Sizes of a function (t, y, [v, h], u) -> out and of its derivatives in some directions.

    Attributes
    ----------
    count : int
        Directions.
    n_y, n_v, n_h, n_out : int
    n_t : int
        1 if directions have a part along t, else 0.
    """

    count: int
    n_y: int
    n_v: int
    n_t: int
    n_h: int
    n_out: int

    @property
    def n_inputs(self) -> int:
        """Numbers in p before h: v and its derivatives, and those of t."""
        return self.n_v * (self.count + 1) + self.n_t * self.count

    def groups(self, lanes: int) -> list[list[int]]:
        """Directions side by side, the last one several times if they are not a multiple of the lanes."""
        last = self.count - 1
        return [[min(first + k, last) for k in range(lanes)] for first in range(0, self.count, lanes)]


class Pieces(NamedTuple):
    """Functions that a program has become: their names, the texts, and the length of their work array."""

    name: str
    texts: list[str]
    n_work: int


def directional_entry_text(
    sizes: Sizes, values: Pieces, changes: Pieces, tables: Sequence[tuple[int, int]], lanes: int
) -> str:
    """Write ``void @f(t, [y; y_1; ..], [v; v_1; ..; t_1; ..; h; h_1 ..], [out; out_1; ..])``.

    Parameters
    ----------
    sizes : Sizes
    values : Pieces
        (t, y, [v, h], u) -> (out, c), of single numbers.
    changes : Pieces
        (t, [y_k, v_k, t_k], c, h_k) -> out_k, in lanes.
    tables : sequence of (rows, columns)
        See :func:`~flexarm.codegen.llvm.entry_points.entry_text`.
    lanes : int
        Directions that go together; h_1 .. have as many in every element, group after group.
    """
    n_y, n_v, n_t, n_h, n_out = sizes[1:]
    v = value_name(lanes)
    lines = [
        *table_lines(tables),
        f"%work = alloca double, i64 {max(1, values.n_work)}",
        f"%changes = alloca {v}, i64 {n_out}",
        f"%seeds = alloca {v}, i64 {max(1, n_y + n_v + n_t)}",
        f"%lanes_work = alloca {v}, i64 {max(1, changes.n_work)}",
        f"%own = alloca double, i64 {n_v + n_h + 1}",
        f"%own_h = getelementptr double, ptr %own, i64 {n_v}",
        f"%h = getelementptr double, ptr %p, i64 {sizes.n_inputs}",
    ]
    if n_v:  # v and h are apart
        lines += [_copy("%own", "%p", n_v), _copy("%own_h", "%h", n_h)]
    own = "%own" if n_v else "%h"
    lines += [
        f"call void @{values.name}_{k}(double %t, ptr %y, ptr {own}, ptr %u, ptr %out, ptr %work)"
        for k in range(len(values.texts))
    ]
    for number, group in enumerate(sizes.groups(lanes)):
        before, seeds = _seeds(sizes, number, group)
        results = "%changes" if lanes > 1 else f"%o{number}"
        at = sizes.n_inputs + n_h * (1 + number * lanes)
        lines += [
            *before,
            f"%h{number} = getelementptr double, ptr %p, i64 {at}",
            f"%o{number} = getelementptr double, ptr %out, i64 {n_out * (1 + group[0])}",
        ]
        lines += [
            f"call void @{changes.name}_{k}({v} {constant_text(0.0, lanes)}, ptr {seeds}, ptr %work, "
            f"ptr %h{number}, ptr {results}, ptr %lanes_work)"
            for k in range(len(changes.texts))
        ]
        if lanes > 1:
            rows = [n_out * (1 + k) for k in group]
            lines += _transposed("from", f"{number}_out", n_out, "%out", rows, "%changes", 0)
    memory = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"
    return "\n".join([memory, *transpositions(lanes), *values.texts, *changes.texts, framed(lines, tables)])


def _seeds(sizes: Sizes, number: int, group: Sequence[int]) -> tuple[list[str], str]:
    """Write what puts [y_k, v_k, t_k] of a group of directions in lanes, and where that is."""
    n_y, n_v, n_t = sizes.n_y, sizes.n_v, sizes.n_t
    if len(group) == 1 and not n_v and not n_t:  # it is there already
        return [f"%s{number} = getelementptr double, ptr %y, i64 {n_y * (1 + group[0])}"], f"%s{number}"
    lines, place = [], 0
    parts = (("%y", n_y, n_y), ("%p", n_v, n_v), ("%p", n_v * (sizes.count + 1), n_t))
    for array, first, size in parts:
        if size:
            rows = [first + size * k for k in group]
            name = f"{number}_{place}"
            lines += _transposed("to", name, size, array, rows, "%seeds", place * len(group))
        place += size
    return lines, "%seeds"


def _copy(target: str, source: str, count: int) -> str:
    return f"call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr {source}, i64 {8 * count}, i1 false)"


def _transposed(
    way: str, name: str, n: int, array: str, rows: Sequence[int], lanes: str, place: int
) -> list[str]:
    """Write rows of n numbers, which begin at these places of an array, to lanes or from them."""
    lines = [f"%r{name}_{k} = getelementptr double, ptr {array}, i64 {first}" for k, first in enumerate(rows)]
    lines.append(f"%r{name} = getelementptr double, ptr {lanes}, i64 {place}")
    pointers = ", ".join(f"ptr %r{name}_{k}" for k in range(len(rows)))
    lines.append(f"call void @{way}_lanes(i64 {n}, {pointers}, ptr %r{name})")
    return lines
