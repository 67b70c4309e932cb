"""Forward dynamics: integrate an arm from its initial state and record it block by block."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from flexarm.catalogue import METHODS
from flexarm.codegen.native import NativeFunction
from flexarm.codegen.piecewise_polynomial import PiecewisePolynomial
from flexarm.description.arm.arm import Arm
from flexarm.description.values.expression import Expression
from flexarm.errors import ModelError, SolverError
from flexarm.progress import Progress
from flexarm.simulation.forward.parametric_model import ModelInstance, ParametricModel
from flexarm.simulation.forward.run import BLOCK, Run, sample_times
from flexarm.simulation.state.initial_state import initial_state, mass_matrix_faults
from flexarm.simulation.state.state_equation import StateEquation
from flexarm.solvers.base import Integration, Problem, start

State = tuple[np.ndarray, np.ndarray]
"""theta (n_theta,) and theta_d (n_dof,)."""


@dataclass
class ForwardRun(Run):
    """A prepared run: iterate over :meth:`blocks` to compute it, then read its attributes."""

    integration: Integration

    def blocks(self, progress: Progress | None = None) -> Iterator[dict[str, np.ndarray]]:
        """Integrate and yield the recorded datasets, each with time as its leading axis, block by block.

        A failing integrator and Ctrl-C end the iteration early; status and message then say why.

        Raises
        ------
        SolverError
            Not even the first sample could be computed.
        """
        for first in range(0, self.n_samples, BLOCK):
            times = sample_times(self.member.arm, first, min(first + BLOCK, self.n_samples))
            states = self._integrate(times, progress)
            if len(states):
                times = times[: len(states)]
                yield {"time": times, **self.system.observe(times, states, self.member.parameters)}
            if self.message:
                if first == len(states) == 0:
                    raise SolverError(self.message)
                return
        self.status = "complete"

    def _integrate(self, times: np.ndarray, progress: Progress | None) -> np.ndarray:
        """States at the given times, or at the first of them if the run stops there and `message` says why."""
        arm, pieces, done = self.member.arm, [], 0
        try:
            while done < times.size and self.integration.failure is None:
                begin = time.perf_counter()
                pieces.append(self.integration.advance(times[done:]))
                self.solve_seconds += time.perf_counter() - begin
                done += len(pieces[-1])
                if progress is not None:
                    progress(min(self.integration.t / arm.run.duration, 1.0), self.integration.t)
        except KeyboardInterrupt:
            self.message = f"interrupted at t = {self.integration.t:.6g} s"
        else:
            self.message = str(self.integration.failure or "")
        return np.concatenate(pieces) if pieces else np.empty((0, self.system.unknowns.size))


def prepare(arm: Arm, command: str = "", family: ParametricModel | None = None) -> ForwardRun:
    """Set up the integration of an arm, with the equations of its family or else its own.

    Raises
    ------
    ModelError
        See :func:`start_of`.
    """
    family = family or ParametricModel([arm])
    member, system = family.member(arm), family.system
    problem = free_motion(family, member, start_of(family, member))
    if METHODS[arm.run.method].needs_jacobian:
        problem = replace(problem, jacobian=system.native_jacobian.at(member.parameters))
    return ForwardRun(member, system, start(arm.run.method, problem), command=command)


def prepare_run(arm: Arm, command: str = "", family: ParametricModel | None = None) -> ForwardRun:
    """Set up the simulation of an arm: a flight with impacts if there are walls; parameters and errors as there."""
    if arm.contact is None:
        return prepare(arm, command, family)
    from flexarm.simulation.forward.motion_with_contact import (
        prepare_flight,  # arms without walls start quicker without
    )

    return prepare_flight(arm, command, family)


def start_of(family: ParametricModel, member: ModelInstance) -> State:
    """Find the state at t = 0 and check that forces have a finite effect there.

    Raises
    ------
    ModelError
        Nothing can move, the mass matrix is singular, or there is no equilibrium to start from.
    """
    (start,) = initial_states(family, [member])
    if isinstance(start, Exception):
        raise start
    return start


def initial_states(family: ParametricModel, members: Sequence[ModelInstance]) -> list[State | Exception]:
    """Find the states of many arms at t = 0, or why an arm cannot start."""
    if family.system.unknowns.size == 0:
        reason = "nothing can move freely: every joint is held and every link rigid"
        return [ModelError(f"{member.arm.name}: {reason}") for member in members]
    starts: dict[int, State] = {}
    faults: dict[int, Exception] = {}
    for k, member in enumerate(members):
        try:
            starts[k] = initial_state(member.arm, member.chain)
        except Exception as fault:  # one arm does not stop the others
            faults[k] = fault
    matrices = family.mass_matrices([members[k] for k in starts], [theta for theta, _ in starts.values()])
    found = mass_matrix_faults(matrices, family.labels)
    faults |= {k: fault for k, fault in zip(starts, found, strict=True) if fault is not None}
    return [faults[k] if k in faults else starts[k] for k in range(len(members))]


def free_motion(family: ParametricModel, member: ModelInstance, at: State) -> Problem:
    """Pose the motion of an arm from theta and theta_d on, as long as it touches nothing."""
    return initial_value_problem(family.system, member, at, *family.system.native_rhs.at(member.parameters))


def initial_value_problem(
    system: StateEquation, member: ModelInstance, at: State, rhs: NativeFunction, p: np.ndarray
) -> Problem:
    """Pose the same with these equations and what they read of the arm's parameters."""
    run = member.arm.run
    return Problem(
        rhs=rhs,
        t0=0.0,
        y0=system.unknowns.state(*at),
        p=p,
        rtol=run.rtol,
        atol=run.atol,
        step=run.step,
        max_steps=run.max_steps,
        max_step=longest_step(member.arm, system.signals),
    )


def longest_step(arm: Arm, tables: Sequence[PiecewisePolynomial]) -> float:
    """Longest step that cannot pass over a short change of a drive or load: a sample, or the spacing of a table [s].

    What an arm at rest does not feel yet, an adaptive method would not see coming.
    """
    torques = [drive.torque for drive in arm.drive if drive is not None and drive.motion is None]
    components = [component for load in arm.loads for component in (*load.force, *load.moment)]
    steady = all(isinstance(torque, int | float) for torque in torques) and not any(
        isinstance(component, Expression) for component in components
    )
    if steady:
        return math.inf
    return min([arm.run.sample, *(float(np.diff(table.breaks).min()) for table in tables)])
