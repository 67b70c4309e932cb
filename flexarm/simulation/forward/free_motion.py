"""Forward dynamics of an arm without contact, from its initial state; its samples are recorded block by block."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from flexarm.catalogue import METHODS
from flexarm.codegen.native import NativeFunction
from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError, SolverError
from flexarm.progress import Progress
from flexarm.simulation.forces.break_points import has_kinked_motion, smooth_intervals
from flexarm.simulation.forward.fixed_step import unstable_step
from flexarm.simulation.forward.motion_impulses import MotionImpulses, motion_impulse_datasets
from flexarm.simulation.forward.parametric_model import ModelInstance, ParametricModel
from flexarm.simulation.forward.run import BLOCK, ForwardRun, sample_times
from flexarm.simulation.state.initial_state import InitialState, initial_state, mass_matrix_faults
from flexarm.solvers.base import InitialValueProblem, Integration, Jump, start


@dataclass
class SingleRun(ForwardRun):
    """A run that is integrated by itself: iterate over :meth:`blocks`, then read its attributes."""

    integration: Integration
    jump: Jump | None = None

    @property
    def instants(self) -> dict[str, np.ndarray]:
        """Datasets of impacts, and of impulses of prescribed motions."""
        arm, found = self.instance.arm, self.impacts
        if isinstance(jump := self.jump, MotionImpulses):
            found = found | motion_impulse_datasets(jump.impulses, arm.run.duration)
        return found

    @property
    def remark(self) -> str:
        """What should be said of the run while it is under way; empty if nothing."""
        return ""

    @cached_property
    def unstable_step(self) -> str:
        """Say that the fixed step of the run lets vibrations grow from its start on; empty if it does not."""
        problem = self.integration.problem
        return self._unstable_step(problem.t0, problem.y0)

    def blocks(self, progress: Progress | None = None) -> Iterator[dict[str, np.ndarray]]:
        """Integrate and yield the recorded datasets (k, ..), in the units of the schema, block by block.

        A failing integrator and Ctrl-C end the iteration early; status and message then say why.

        Raises
        ------
        SolverError
            Not even the first sample could be computed.
        """
        self.state_equation.native_observables.at(
            self.instance.parameters
        )  # nothing is lost if this takes too long
        for first in range(0, self.n_samples, BLOCK):
            times = sample_times(self.instance.arm, first, min(first + BLOCK, self.n_samples))
            states = self._integrate(times, progress)
            if len(states):
                times = times[: len(states)]
                evaluated = self.integration.problem.within(times)
                observed = self.state_equation.observe(evaluated, states, self.instance.parameters)
                yield {"time": times, **observed}
            if self.message:
                if first == len(states) == 0:
                    raise SolverError(self.message)
                return
        self.status = "complete"

    def _integrate(self, times: np.ndarray, progress: Progress | None) -> np.ndarray:
        """States at the given times, or at the first of them if the run stops there and `message` says why."""
        arm, pieces, begin = self.instance.arm, [], time.perf_counter()
        self.message = ""
        try:
            for piece in self.integration.pieces(times):
                self.solve_seconds += time.perf_counter() - begin
                pieces.append(piece)
                if progress is not None:
                    progress(min(self.integration.t / arm.run.duration, 1.0), self.integration.t)
                begin = time.perf_counter()
        except KeyboardInterrupt:
            self.message = f"interrupted at t = {self.integration.t:.6g} s"
        states = np.concatenate(pieces) if pieces else np.empty((0, self.state_equation.layout.size))
        if not self.message and (failure := self.integration.failure) is not None:
            cause = self.unstable_step
            if not cause and len(states):
                cause = self._unstable_step(times[len(states) - 1], states[-1])
            remedy = "shorten it, or take method: dop853, which chooses its steps"
            self.message = str(replace(failure, reason=cause, remedy=remedy) if cause else failure)
        return states

    def _unstable_step(self, t: float, y: np.ndarray) -> str:
        return unstable_step(self.instance, self.state_equation, t, y[: self.state_equation.layout.size])


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
    return replace(problem, jacobian=model.state_equation.native_jacobian.at(instance.parameters))


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
    """Initial states of many instances; for one that cannot start, the error that says why."""
    if model.state_equation.layout.size == 0:
        reason = "nothing can move freely: every joint is held and every link rigid"
        return [ModelError(f"{instance.arm.name}: {reason}") for instance in instances]
    states: dict[int, InitialState] = {}
    faults: dict[int, Exception] = {}
    for k, instance in enumerate(instances):
        try:
            states[k] = initial_state(instance.arm, instance.chain)
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
    problem = InitialValueProblem(
        rhs=rhs,
        t0=0.0,
        y0=state_equation.layout.state(*initial),
        p=p,
        rtol=run.rtol,
        atol=run.atol,
        step=run.step,
        max_steps=run.max_steps,
        intervals=intervals,
        jump=jump,
    )
    return problem if intervals is None else problem.from_interval(0, problem.y0)
