"""LLVM assembly text of loops over samples: one state after the other, or one in each lane of a register."""

from __future__ import annotations

from flexarm.codegen.llvm.vector_types import value_name

_MAP_LANES = """
define void @{name}(i64 %count, ptr %times, ptr %states, ptr %p, ptr %out) {{
entry:
  %none = icmp eq i64 %count, 0
  br i1 %none, label %end, label %sample
sample:
  %k = phi i64 [ 0, %entry ], [ %next, %sample ]
  %time_start = mul i64 %k, {lanes}
  %time = getelementptr double, ptr %times, i64 %time_start
  %state_start = mul i64 %k, {n_y}
  %state = getelementptr double, ptr %states, i64 %state_start
  %result_start = mul i64 %k, {n_out}
  %result = getelementptr double, ptr %out, i64 %result_start
  call void @f(ptr %time, ptr %state, ptr %p, ptr %result)
  %next = add i64 %k, 1
  %done = icmp eq i64 %next, %count
  br i1 %done, label %end, label %sample
end:
  ret void
}}
"""

_MAP = """
define void @map(i64 %count, ptr %times, ptr %states, ptr %p, ptr %out) {{
entry:
  %time = alloca double, i64 {lanes}
  %state = alloca double, i64 {state_size}
  %parameters = alloca double, i64 {p_size}
  %result = alloca double, i64 {result_size}
  %last = sub i64 %count, 1
  call void @to_lanes(i64 {n_p}, {same}, ptr %parameters)
  %none = icmp eq i64 %count, 0
  br i1 %none, label %end, label %samples
samples:
  %k = phi i64 [ 0, %entry ], [ %next, %samples ]
{places}
  call void @to_lanes(i64 1, {time_rows}, ptr %time)
  call void @to_lanes(i64 {n_y}, {state_rows}, ptr %state)
  call void @f(ptr %time, ptr %state, ptr %parameters, ptr %result)
  call void @from_lanes(i64 {n_out}, {out_rows}, ptr %result)
  %next = add i64 %k, {lanes}
  %more = icmp slt i64 %next, %count
  br i1 %more, label %samples, label %end
end:
  ret void
}}
"""

_TRANSPOSITION = """
define internal void @{name}(i64 %n, {rows}, ptr %lanes) {{
entry:
  %whole = and i64 %n, -{n_lanes}
  br label %squares
squares:
  %first = phi i64 [ 0, %entry ], [ %next_first, %square ]
  %inside = icmp slt i64 %first, %whole
  br i1 %inside, label %square, label %rest
square:
{square}
  %next_first = add i64 %first, {n_lanes}
  br label %squares
rest:
  %i = phi i64 [ %whole, %squares ], [ %next, %element ]
  %left = icmp slt i64 %i, %n
  br i1 %left, label %element, label %end
element:
{copies}
  %next = add i64 %i, 1
  br label %rest
end:
  ret void
}}
"""


def map_text(n_y: int, n_p: int, n_out: int, lanes: int = 1) -> str:
    """Write the functions that call f for many states.

    ``void @map(int64 count, times, states, p, out)`` takes a row of numbers of each for every sample, and one row p; as
    many samples as there are lanes are evaluated at once, the last one several times if they are not a multiple. With
    several lanes ``void @map_lanes`` takes rows of which every element, also of p, is a number for each lane.
    """
    sizes = {"n_y": n_y * lanes, "n_out": n_out * lanes, "lanes": lanes}
    if lanes == 1:
        return _MAP_LANES.format(name="map", **sizes)
    numbers = range(lanes)
    places = []
    for k in numbers:
        places += [
            f"  %own{k} = add i64 %k, {k}",
            f"  %there{k} = icmp slt i64 %own{k}, %count",
            f"  %at{k} = select i1 %there{k}, i64 %own{k}, i64 %last",
        ]
        for name, array, n in (("time", "times", 1), ("state", "states", n_y), ("out", "out", n_out)):
            places += [
                f"  %{name}_start{k} = mul i64 %at{k}, {n}",
                f"  %{name}{k} = getelementptr double, ptr %{array}, i64 %{name}_start{k}",
            ]
    rows = {
        f"{name}_rows": ", ".join(f"ptr %{name}{k}" for k in numbers) for name in ("time", "state", "out")
    }
    loop = _MAP.format(
        lanes=lanes,
        n_y=n_y,
        n_p=n_p,
        n_out=n_out,
        state_size=max(1, n_y * lanes),
        p_size=max(1, n_p * lanes),
        result_size=n_out * lanes,
        places="\n".join(places),
        same=", ".join(["ptr %p"] * lanes),
        **rows,
    )
    return "\n".join([_MAP_LANES.format(name="map_lanes", **sizes), *transpositions(lanes), loop])


def transpositions(lanes: int) -> list[str]:
    """Copy rows of n numbers, one for each lane, to n elements of a number for each lane, and back."""
    numbers, v = range(lanes), value_name(lanes)
    rows = ", ".join(f"ptr %row{k}" for k in numbers)
    places = [
        "  %place = mul i64 %i, " + str(lanes),
        "  %group = getelementptr double, ptr %lanes, i64 %place",
    ]
    for k in numbers:
        places += [
            f"  %lane{k} = getelementptr double, ptr %group, i64 {k}",
            f"  %here{k} = getelementptr double, ptr %row{k}, i64 %i",
        ]
    copies = {}
    for source, target in (("here", "lane"), ("lane", "here")):
        lines = [f"  %value{k} = load double, ptr %{source}{k}" for k in numbers]
        lines += [f"  store double %value{k}, ptr %{target}{k}" for k in numbers]
        copies[target] = "\n".join([*places, *lines])
    square = [
        "  %start = mul i64 %first, " + str(lanes),
        "  %elements = getelementptr double, ptr %lanes, i64 %start",
    ]
    for k in numbers:
        square += [
            f"  %lanes{k} = getelementptr {v}, ptr %elements, i64 {k}",
            f"  %rows{k} = getelementptr double, ptr %row{k}, i64 %first",
        ]
    texts = []
    for name, source, target, side in (
        ("to_lanes", "rows", "lanes", "lane"),
        ("from_lanes", "lanes", "rows", "here"),
    ):
        loads = [f"  %x{k} = load {v}, ptr %{source}{k}, align 8" for k in numbers]
        lines, found = _transposed([f"%x{k}" for k in numbers], lanes)
        stores = [f"  store {v} {found[k]}, ptr %{target}{k}, align 8" for k in numbers]
        body = "\n".join([*square, *loads, *lines, *stores])
        texts.append(
            _TRANSPOSITION.format(name=name, rows=rows, n_lanes=lanes, square=body, copies=copies[side])
        )
    return texts


def _transposed(values: list[str], lanes: int) -> tuple[list[str], list[str]]:
    """Transpose as many registers as they have lanes, a power of two, by exchanging blocks off the diagonal."""
    v, lines, distance = value_name(lanes), [], lanes // 2
    while distance:
        for k in range(lanes):
            if k & distance:
                continue
            a, b = values[k], values[k + distance]
            upper = [j if not j & distance else lanes + j - distance for j in range(lanes)]
            lower = [j + distance if not j & distance else lanes + j for j in range(lanes)]
            for place, mask in ((k, upper), (k + distance, lower)):
                values[place] = f"%x{place}_{distance}"
                indices = ", ".join(f"i32 {j}" for j in mask)
                lines.append(
                    f"  {values[place]} = shufflevector {v} {a}, {v} {b}, <{lanes} x i32> <{indices}>"
                )
        distance //= 2
    return lines, values
