"""LLVM assembly text of the function called from outside: piecewise polynomials, then piece after piece."""

from __future__ import annotations

from collections.abc import Sequence

from flexarm.codegen.llvm.vector_types import value_name

_PIECEWISE_POLYNOMIAL = """
define internal double @piecewise_polynomial(double %time, ptr %breaks, i64 %n, ptr %coefficients, i64 %n_rows) {
entry:
  %first = load double, ptr %breaks
  %last_at = getelementptr double, ptr %breaks, i64 %n
  %last = load double, ptr %last_at
  %not_before = call double @llvm.maxnum.f64(double %time, double %first)
  %t = call double @llvm.minnum.f64(double %not_before, double %last)
  br label %search
search: ; breaks[low] <= t, and t < breaks[high] or high = n
  %low = phi i64 [ 0, %entry ], [ %new_low, %search ]
  %high = phi i64 [ %n, %entry ], [ %new_high, %search ]
  %sum = add i64 %low, %high
  %middle = lshr i64 %sum, 1
  %middle_at = getelementptr double, ptr %breaks, i64 %middle
  %break = load double, ptr %middle_at
  %right = fcmp ole double %break, %t
  %new_low = select i1 %right, i64 %middle, i64 %low
  %new_high = select i1 %right, i64 %high, i64 %middle
  %width = sub i64 %new_high, %new_low
  %found = icmp ule i64 %width, 1
  br i1 %found, label %polynomial, label %search
polynomial:
  %start_at = getelementptr double, ptr %breaks, i64 %new_low
  %start = load double, ptr %start_at
  %offset = fsub double %t, %start
  br label %horner
horner:
  %row = phi i64 [ 0, %polynomial ], [ %next_row, %horner ]
  %at = phi i64 [ %new_low, %polynomial ], [ %next_at, %horner ]
  %value = phi double [ 0.0, %polynomial ], [ %next_value, %horner ]
  %coefficient_at = getelementptr double, ptr %coefficients, i64 %at
  %coefficient = load double, ptr %coefficient_at
  %next_value = call double @llvm.fmuladd.f64(double %value, double %offset, double %coefficient)
  %next_row = add i64 %row, 1
  %next_at = add i64 %at, %n
  %done = icmp eq i64 %next_row, %n_rows
  br i1 %done, label %end, label %horner
end:
  ret double %next_value
}
declare double @llvm.maxnum.f64(double, double)
declare double @llvm.minnum.f64(double, double)
"""

_ATTRIBUTES = "attributes #0 = { nounwind memory(none) }\nattributes #1 = { nounwind }\n"


def entry_text(n_pieces: int, n_work: int, tables: Sequence[tuple[int, int]], lanes: int = 1) -> str:
    """Write ``void @f(t, y, p, out)``: evaluate the piecewise polynomials, then call piece after piece.

    Parameters
    ----------
    tables : sequence of (rows, columns)
        Shape of the coefficients of each piecewise polynomial. The arrays stay where they are, so a long one costs no
        compile time: ``@tables`` is to be filled with the addresses of breaks and coefficients of each.
    lanes : int
        All arguments are pointers to numbers, as many for each element as there are lanes.
    """
    v = value_name(lanes)
    lines = [f"%work = alloca {v}, i64 {max(n_work, 1)}", *table_lines(tables, lanes)]
    lines += [
        f"call void @piece_{k}({v} %t, ptr %y, ptr %p, ptr %u, ptr %out, ptr %work)" for k in range(n_pieces)
    ]
    return framed(lines, tables)


def framed(lines: Sequence[str], tables: Sequence[tuple[int, int]]) -> str:
    """Write ``void @f(time, y, p, out)`` of some lines, and what they call."""
    signature = "ptr noalias %time, ptr noalias %y, ptr noalias %p, ptr noalias %out"
    entry = [f"define void @f({signature}) #1 {{", *lines, "ret void", "}"]
    addresses = f"@tables = global [{max(2 * len(tables), 1)} x ptr] zeroinitializer"
    return "\n".join([_PIECEWISE_POLYNOMIAL, addresses, *entry, _ATTRIBUTES])


def table_lines(tables: Sequence[tuple[int, int]], lanes: int = 1) -> list[str]:
    """Write what loads the time, %t, and evaluates the piecewise polynomials, %u."""
    v = value_name(lanes)
    lines = [f"%t = load {v}, ptr %time, align 8", f"%u = alloca {v}, i64 {max(len(tables), 1)}"]
    for k, (n_rows, n_columns) in enumerate(tables):
        lines += [
            f"%b{k}_at = getelementptr ptr, ptr @tables, i64 {2 * k}",
            f"%c{k}_at = getelementptr ptr, ptr @tables, i64 {2 * k + 1}",
            f"%b{k} = load ptr, ptr %b{k}_at",
            f"%c{k} = load ptr, ptr %c{k}_at",
        ]
        for lane in range(lanes):
            time = "%t" if lanes == 1 else f"%t{k}_{lane}"
            if lanes > 1:
                lines.append(f"{time} = extractelement {v} %t, i32 {lane}")
            lines += [
                f"%s{k}_{lane} = call double @piecewise_polynomial("
                f"double {time}, ptr %b{k}, i64 {n_columns}, ptr %c{k}, i64 {n_rows})",
                f"%u{k}_{lane} = getelementptr double, ptr %u, i64 {k * lanes + lane}",
                f"store double %s{k}_{lane}, ptr %u{k}_{lane}",
            ]
    return lines
