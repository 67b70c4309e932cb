"""CasADi functions compiled to machine code in this process through LLVM; no C compiler is needed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import casadi as ca
from llvmlite import binding as llvm

from flexarm.codegen.differentiation import jacobian
from flexarm.codegen.instructions import Program as Steps
from flexarm.codegen.instructions import eliminate_common_subexpressions, instructions, share_reciprocals
from flexarm.codegen.llvm.entry_points import entry_text
from flexarm.codegen.llvm.function_bodies import program_text
from flexarm.codegen.llvm.operations import value_type
from flexarm.codegen.llvm.sample_loops import map_text
from flexarm.codegen.native_function import OPTIMISATION, PROGRAMS, NativeFunction, Program, target_machine
from flexarm.codegen.object_cache import kept_object, object_key
from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial
from flexarm.memory import check_memory, rough_duration
from flexarm.progress import grouped, stage

BYTES_PER_OPERATION, SECONDS_PER_OPERATION = 2000.0, 5e-5
"""Of compiling, measured on 1e4 to 1.5e6 operations: 1.4 to 1.9 kB, 35 to 90 us."""

NOTEWORTHY = 5.0  # s: estimates that are shorter are not mentioned


def compile_native(
    f: ca.Function,
    polynomials: Sequence[PiecewisePolynomial] = (),
    lanes: int = 1,
    optimisation: int = OPTIMISATION,
) -> NativeFunction:
    """Compile a CasADi function of time, state and parameters.

    Parameters
    ----------
    f : casadi.Function
        Inputs (t, y, p) or (t, y, p, u), one output.
    polynomials : sequence of PiecewisePolynomial
        The elements of u; the machine code evaluates them at t by itself.
    lanes : int
        How many states to evaluate at once.
    optimisation : int
        LLVM's effort, 0 to 3.

    Raises
    ------
    ModelError
        If f uses an operation that cannot be compiled, or its compilation needs more memory than there is.
    """
    check_inputs(f, len(polynomials))
    with compiling(f.n_instructions()):
        return _compiled(f, polynomials, lanes, optimisation)


@contextmanager
def compiling(count: int) -> Iterator[None]:
    """Stage in which so many operations are compiled.

    Raises
    ------
    ModelError
        It needs more memory than there is.
    """
    seconds = SECONDS_PER_OPERATION * count
    what = f"compiling {grouped(count)} operations"
    check_memory(BYTES_PER_OPERATION * count, what, "take fewer links, segments or modes", seconds)
    with stage(what + (f" ({rough_duration(seconds)})" if seconds > NOTEWORTHY else "")):
        yield


def _compiled(
    f: ca.Function, polynomials: Sequence[PiecewisePolynomial], lanes: int, optimisation: int
) -> NativeFunction:
    program = program_of(f)
    pieces, n_work = program_text(program, lanes)
    n_y = f.numel_in(1)
    functions = value_type(lanes).declarations(name for name, _ in program.steps)
    entry = entry_text(
        len(pieces), n_work, [polynomial.coefficients.shape for polynomial in polynomials], lanes
    )
    text = "\n".join([functions, *pieces, entry, map_text(n_y, f.numel_in(2), f.numel_out(0), lanes)])
    key, code = compile_text(text, optimisation)
    compiled = Program(key, n_y, f.numel_in(2), f.size_out(0), program.n_operations, lanes)
    return NativeFunction(compiled, code, tuple(polynomials))


def program_of(f: ca.Function) -> Steps:
    """Program of a function, without operations that are not needed."""
    return share_reciprocals(eliminate_common_subexpressions(instructions(f)))


def state_jacobian(f: ca.Function) -> ca.Function:
    """Derive d out/d y of a function with inputs (t, y, p) or (t, y, p, u), exactly.

    Returns
    -------
    casadi.Function
        Same inputs; one dense output of shape (n_out, n_y).
    """
    arguments = [ca.SX.sym(f.name_in(i), *f.size_in(i)) for i in range(f.n_in())]
    derivative = ca.densify(jacobian(ca.vec(f.call(arguments)[0]), arguments[1]))
    return ca.Function(f.name() + "_jacobian", arguments, [derivative], f.name_in(), [f.name_out(0)])


def check_inputs(f: ca.Function, n_polynomials: int) -> None:
    """Check that a function has inputs (t, y, p, u) with so many u, and one output; ValueError if not."""
    if f.n_in() not in (3, 4) or f.n_out() != 1 or f.numel_in(0) != 1:
        raise ValueError(f"{f.name()}: expected inputs (t, y, p) or (t, y, p, u) and one output, got {f}")
    n_u = f.numel_in(3) if f.n_in() == 4 else 0
    if n_u != n_polynomials:
        raise ValueError(f"{f.name()}: expected {n_u} piecewise polynomials, got {n_polynomials}")


def compile_text(text: str, optimisation: int = OPTIMISATION) -> tuple[str, bytes]:
    """Turn LLVM assembly text into object code, or find what was made of the same text before; its key comes first."""

    def emit() -> bytes:
        module = llvm.parse_assembly(text)
        with _source_order():
            return target_machine(optimisation).emit_object(module)

    key = object_key(PROGRAMS, f"{optimisation}\n{text}".encode())
    return key, kept_object(PROGRAMS, key, emit)


@contextmanager
def _source_order() -> Iterator[None]:
    """Switch off LLVM's instruction scheduling: the order is good already, and looking for another takes long."""
    llvm.set_option("flexarm", "-enable-misched=false")
    try:
        yield
    finally:
        llvm.set_option("flexarm", "-enable-misched=true")
