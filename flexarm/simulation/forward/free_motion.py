"""Forward dynamics of an arm without contact, from its initial state; its samples are recorded block by block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from flexarm.catalogue import METHODS
from flexarm.codegen.native_function import NativeFunction
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError
from flexarm.simulation.forces.break_points import has_kinked_motion, smooth_intervals
from flexarm.simulation.forward.motion_impulses import MotionImpulses
from flexarm.simulation.forward.parametric_model import ModelInstance, ParametricModel
from flexarm.simulation.forward.run import run_problem
from flexarm.simulation.forward.sampling.function_updates import function_jump
from flexarm.simulation.forward.sampling.sampled_updates import JumpAfterAnother, sampled_updates
from flexarm.simulation.forward.single_run import SingleRun
from flexarm.simulation.state.initial_state import InitialState, initial_state, mass_matrix_faults
from flexarm.solvers.base import DeferredJacobian, InitialValueProblem, start


def prepare_free_motion(arm: Arm, command: str = "", model: ParametricModel | None = None) -> SingleRun:
    """Set up the integration of an arm without contact, with the equations of a parametric model or else its own.

    Raises
    ------
    ModelError
        See :func:`initial_state_of`.
    """
    model = model or ParametricModel([arm])
    instance, state_equation = model.instance(arm), model.state_equation
    problem = with_jacobian(free_motion(model, instance, initial_state_of(model, instance)), model, instance)
    return SingleRun(
        instance, state_equation, start(arm.run.method, problem), command=command, jump=problem.jump
    )


def with_jacobian(
    problem: InitialValueProblem, model: ParametricModel, instance: ModelInstance
) -> InitialValueProblem:
    """The problem with the Jacobian of its equations, if the arm's integration method needs it."""
    if not METHODS[instance.arm.run.method].needs_jacobian:
        return problem
    deferred = DeferredJacobian(lambda: model.state_equation.native_jacobian.at(instance.parameters))
    return replace(problem, jacobian=deferred)


def initial_state_of(model: ParametricModel, instance: ModelInstance) -> InitialState:
    """Initial state of an instance, at which forces have a finite effect.

    Raises
    ------
    ModelError
        Nothing can move, the mass matrix is singular, or there is no equilibrium to start from.
    """
    (initial,) = initial_states(model, [instance])
    if isinstance(initial, Exception):
        raise initial
    return initial


def initial_states(
    model: ParametricModel, instances: Sequence[ModelInstance]
) -> list[InitialState | Exception]:
    """Initial states of many instances; for one that cannot start, the error that says why.

    An arm whose walls have friction 0 has the work of friction among its integrals in a model in which that is open.
    """
    if not model.state_equation.layout.rows:
        reason = "nothing can move freely: every joint is held and every link rigid"
        return [ModelError(f"{instance.arm.name}: {reason}") for instance in instances]
    states: dict[int, InitialState] = {}
    faults: dict[int, Exception] = {}
    for k, instance in enumerate(instances):
        try:
            theta, theta_d, integrals = initial_state(instance.arm, instance.chain)
            missing = model.state_equation.layout.n_integrals - integrals.size
            states[k] = theta, theta_d, np.append(integrals, np.zeros(missing))
        except Exception as fault:  # one arm does not stop the others
            faults[k] = fault
    matrices = model.mass_matrices([instances[k] for k in states], [theta for theta, *_ in states.values()])
    found = mass_matrix_faults(matrices, model.labels)
    faults |= {k: fault for k, fault in zip(states, found, strict=True) if fault is not None}
    return [faults[k] if k in faults else states[k] for k in range(len(instances))]


def free_motion(
    model: ParametricModel, instance: ModelInstance, initial: InitialState
) -> InitialValueProblem:
    """Initial value problem of an arm without contact."""
    rhs, p = model.state_equation.native_rhs.at(instance.parameters)
    return initial_value_problem(model, instance, initial, rhs, p)


def initial_value_problem(
    model: ParametricModel,
    instance: ModelInstance,
    initial: InitialState,
    rhs: NativeFunction,
    p: np.ndarray,
) -> InitialValueProblem:
    """Initial value problem of an instance, with compiled equations and what they read of its parameters (n_p,)."""
    run, state_equation, jump = instance.arm.run, model.state_equation, None
    intervals = smooth_intervals(instance.arm)
    if intervals is not None and has_kinked_motion(instance.arm):
        terms = model.motion_impulse_terms.at(instance.parameters)
        jump = MotionImpulses(terms, instance.chain, state_equation.layout, intervals)
    y0 = state_equation.layout.state(*initial)
    if intervals is not None and instance.arm.clocks:
        f = model.sampled_update.at(instance.parameters)
        sampled, first = sampled_updates(instance.arm, f, intervals)
        if any(one.function is not None for _, one in instance.arm.controllers):
            read = model.function_inputs.at(instance.parameters)
            sampled = function_jump(instance.arm, sampled, first, f, read, model.symbols.first_control_state)
            y0 = sampled(-1, y0)
        else:
            y0 = f(float(intervals.starts[0]), np.append(y0, first))
        jump = sampled if jump is None else JumpAfterAnother(jump, sampled)
    problem = replace(run_problem(run, rhs, y0, p), intervals=intervals, jump=jump)
    return problem if intervals is None else problem.from_interval(0, problem.y0)
