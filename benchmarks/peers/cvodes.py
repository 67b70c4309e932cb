"""CVODES as CasADi brings it along, given flexarm's machine code by its address: no interpreter between them.

SUNDIALS' C interface (version 2) is called through ctypes. Its Adams methods need nothing but the right-hand side; they
suit undamped vibrations, for which the backward differentiation formulas are unstable above order 2.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, byref, c_double, c_int, c_long, c_void_p
from functools import cache
from pathlib import Path

import casadi
import numpy as np
from llvmlite import binding as llvm

from flexarm.codegen.native_function import NativeFunction, target_machine

ADAMS, FUNCTIONAL_ITERATION, NORMAL = 1, 1, 1
MAX_STEPS = 10_000_000

TRAMPOLINE = """
define i32 @rhs(double %t, ptr %y, ptr %y_d, ptr %p) {{
  %y_content = load ptr, ptr %y
  %y_d_content = load ptr, ptr %y_d
  %y_place = getelementptr i8, ptr %y_content, i64 16
  %y_d_place = getelementptr i8, ptr %y_d_content, i64 16
  %y_data = load ptr, ptr %y_place
  %y_d_data = load ptr, ptr %y_d_place
  %f = inttoptr i64 {address} to ptr
  %time = alloca double
  store double %t, ptr %time
  call void %f(ptr %time, ptr %y_data, ptr %p, ptr %y_d_data)
  ret i32 0
}}
"""
"""f(t, y, p, out) as SUNDIALS calls it: an N_Vector begins with its content, and this with two integers."""


class Cvodes:
    """Adams methods of CVODES for y' = f(t, y).

    Parameters
    ----------
    f : NativeFunction
        Without parameters.
    y0 : (n,)

    Attributes
    ----------
    evaluations : int
        Of f, in the last solution.
    """

    def __init__(self, f: NativeFunction, y0: np.ndarray):
        self._library, self._f, self._y0 = _library(), f, y0
        module = llvm.parse_assembly(TRAMPOLINE.format(address=f.address))
        self._engine = llvm.create_mcjit_compiler(module, target_machine(optimisation=2))
        self._engine.finalize_object()
        self._rhs = self._engine.get_function_address("rhs")
        self.evaluations = 0

    def solve(self, times: np.ndarray, rtol: float, atol: float) -> np.ndarray:
        """States (k, n) at times (k,), of which the first is that of y0."""
        library, y = self._library, np.array(self._y0)
        vector = library.N_VMake_Serial(y.size, y.ctypes.data)
        memory = c_void_p(library.CVodeCreate(ADAMS, FUNCTIONAL_ITERATION))
        states, reached = np.empty((times.size, y.size)), c_double()
        states[0] = y
        try:
            self._check(library.CVodeInit(memory, self._rhs, times[0], vector))
            self._check(library.CVodeSStolerances(memory, rtol, atol))
            self._check(library.CVodeSetMaxNumSteps(memory, MAX_STEPS))
            for k in range(1, times.size):
                self._check(library.CVode(memory, times[k], vector, byref(reached), NORMAL))
                states[k] = y
            evaluations = c_long()
            self._check(library.CVodeGetNumRhsEvals(memory, byref(evaluations)))
            self.evaluations = evaluations.value
        finally:
            library.CVodeFree(byref(memory))
            library.N_VDestroy_Serial(vector)
        return states

    @staticmethod
    def _check(flag: int) -> None:
        if flag < 0:
            raise RuntimeError(f"CVODES gave up with flag {flag}")


@cache
def _library() -> ctypes.CDLL:
    library = ctypes.CDLL(str(Path(casadi.__file__).parent / "libcasadi_integrator_cvodes.so"))
    for name, result, *arguments in (
        ("N_VMake_Serial", c_void_p, c_long, c_void_p),
        ("N_VDestroy_Serial", None, c_void_p),
        ("CVodeCreate", c_void_p, c_int, c_int),
        ("CVodeInit", c_int, c_void_p, c_void_p, c_double, c_void_p),
        ("CVodeSStolerances", c_int, c_void_p, c_double, c_double),
        ("CVodeSetMaxNumSteps", c_int, c_void_p, c_long),
        ("CVode", c_int, c_void_p, c_double, c_void_p, POINTER(c_double), c_int),
        ("CVodeGetNumRhsEvals", c_int, c_void_p, POINTER(c_long)),
        ("CVodeFree", None, POINTER(c_void_p)),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library
