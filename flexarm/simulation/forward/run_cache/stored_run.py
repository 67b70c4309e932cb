"""Runs found again: what an earlier process derived of the same arm, so that this one need not derive it.

Equations are derived only to find their machine code, which is kept already. So of a run are stored, under a key of all
that they depend on (:mod:`~flexarm.simulation.forward.run_cache.run_key`): where its machine code and that of its
integrator are, its initial state, and what it records.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from flexarm.catalogue import METHODS
from flexarm.codegen.native_function import BoundFunction, NativeFunction, Program
from flexarm.codegen.object_cache import kept_object, read_object
from flexarm.description.arm.arm import Arm
from flexarm.simulation.forward.run import run_problem
from flexarm.simulation.forward.run_cache.run_key import STORED_RUNS
from flexarm.simulation.forward.single_run import SingleRun
from flexarm.simulation.forward.stored_equations import StoredEquations, StoredFunction, StoredInstance
from flexarm.simulation.state.layout import StateLayout
from flexarm.simulation.state.places import Place
from flexarm.solvers.base import DeferredJacobian, start
from flexarm.solvers.compiled.kernel_code import kernel_keys, know_kernel_keys


def stored_run(key: str, arm: Arm, command: str) -> SingleRun | None:
    """The run of an arm as an earlier process stored it; None if it or its machine code is not there."""
    text = read_object(STORED_RUNS, key)
    if text is None:
        return None
    record = json.loads(text)
    functions = [NativeFunction.stored(_program(record[name])) for name in ("rhs", "observables")]
    rhs, observables = (None if f is None else StoredFunction(f) for f in functions)
    if rhs is None or observables is None:
        return None
    know_kernel_keys(record["kernels"])
    places = {
        name: Place(slice(start, stop), tuple(shape))
        for name, (start, stop, shape) in record["places"].items()
    }
    instance = StoredInstance(arm)
    equations = StoredEquations(StateLayout(*record["layout"]), places, rhs, observables)
    problem = run_problem(arm.run, rhs.f, np.array(record["y0"]), instance.parameters)
    if METHODS[arm.run.method].needs_jacobian:
        problem = replace(problem, jacobian=DeferredJacobian(partial(_derived_jacobian, arm)))
    return SingleRun(instance, equations, start(arm.run.method, problem), command=command)


def store_run(key: str, run: SingleRun) -> None:
    """Store a run for later processes, if it is one that needs nothing but machine code.

    Contacts, tables over time and break points need more, and exact Jacobians unless they are needed later, if at all.
    """
    from flexarm.simulation.state.state_equation import StateEquation

    equations, problem, method = (
        run.state_equation,
        run.integration.problem,
        METHODS[run.instance.arm.run.method],
    )
    if (
        type(run) is not SingleRun
        or not isinstance(equations, StateEquation)
        or equations.tables
        or equations.n_parameters
        or (method.needs_jacobian and not method.starts_with)
        or problem.intervals is not None
        or problem.jump is not None
    ):
        return
    rhs, observables = (
        function.at(run.instance.parameters).f
        for function in (equations.native_rhs, equations.native_observables)
    )
    record = {
        "layout": [equations.layout.theta_rows, equations.layout.rows, equations.layout.n_integrals],
        "y0": problem.y0.tolist(),
        "places": {
            name: [columns.start, columns.stop, shape]
            for name, (columns, shape) in equations.observables.places.items()
        },
        "rhs": rhs.program,
        "observables": observables.program,
        "kernels": kernel_keys(),
    }
    kept_object(STORED_RUNS, key, json.dumps(record).encode)


def _derived_jacobian(arm: Arm) -> BoundFunction:
    """Jacobian of the equations of an arm, which have to be derived for it."""
    from flexarm.simulation.forward.parametric_model import ParametricModel

    model = ParametricModel([arm])
    return model.state_equation.native_jacobian.at(model.instance(arm).parameters)


def _program(stored: list[Any]) -> Program:
    """Return a program as it was stored: JSON has lists in the place of tuples."""
    key, n_y, n_p, shape, *more = stored
    return Program(key, n_y, n_p, tuple(shape), *more)
