"""Variational equations: the state equation with its directional derivatives, as one state equation."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

import numpy as np

from flexarm.catalogue import METHODS
from flexarm.codegen.directional_function import DirectionalFunction
from flexarm.codegen.native import state_jacobian
from flexarm.codegen.native_function import LEAST_OPTIMISATION
from flexarm.codegen.parameter_hoisting import ParametricFunction
from flexarm.description.arm.arm import Arm
from flexarm.description.motion.run_settings import RunSettings
from flexarm.errors import SolverError
from flexarm.progress import Progress
from flexarm.simulation.forces.break_points import smooth_intervals
from flexarm.simulation.forward.run import run_problem, sample_count, sample_times
from flexarm.simulation.forward.sampling.sampled_updates import firing
from flexarm.simulation.forward.single_run import SingleRun
from flexarm.simulation.state.state_equation import StateEquation
from flexarm.solvers.base import DeferredJacobian, InitialValueProblem, Integration, start
from flexarm.sweeps.sensitivity.break_points.break_point_jumps import BreakPointJumps
from flexarm.sweeps.sensitivity.break_points.sampled_jumps import sampled_jumps, update_with_derivatives
from flexarm.sweeps.sensitivity.directional import with_derivatives
from flexarm.sweeps.sensitivity.directions.directions import Directions, parameters_of

LEAST = {"rtol": 1e-9, "atol": 1e-12}
"""Tolerances of runs whose equations have kinks: a step over one of them is as short as the tolerance."""
Series = dict[str, np.ndarray]


def tolerant_settings(arm: Arm) -> RunSettings:
    """Run settings of an arm; where motors reach their limits derivatives of its equations jump: not too tight ones."""
    if not any(drive is not None and drive.saturate for drive in arm.drive):
        return arm.run
    return arm.run.model_copy(
        update={name: max(getattr(arm.run, name), least) for name, least in LEAST.items()}
    )


class VariationalEquations:
    """Variational equations of a parametric model, compiled once for all of its arms.

    Parameters
    ----------
    equation : StateEquation
    count : int
        Directions.

    Attributes
    ----------
    rhs : DirectionalFunction
    """

    def __init__(self, equation: StateEquation, count: int):
        self.equation, self.count = equation, count
        self.rhs = DirectionalFunction(equation.rhs, count, equation.n_parameters, equation.tables)
        self._update: ParametricFunction | None = None

    @cached_property
    def jacobian(self) -> ParametricFunction:
        """Jacobian of the equations by the whole state."""
        f = state_jacobian(with_derivatives(self.equation.rhs, self.count))
        return ParametricFunction(f, self.equation.n_parameters * (self.count + 1), self.equation.tables)

    @cached_property
    def _output(self) -> DirectionalFunction:
        return DirectionalFunction(
            self.equation.output,
            self.count,
            self.equation.n_parameters,
            self.equation.tables,
            optimisation=LEAST_OPTIMISATION,
        )

    def problem(self, found: Directions) -> InitialValueProblem:
        """Initial value problem of an arm and its derivatives."""
        arm, p = found.instance.arm, parameters_of(found)
        rhs = self.rhs.at(p)
        y0, jumps = self.break_points(found)
        problem = run_problem(tolerant_settings(arm), rhs.f, y0, rhs.h)
        if METHODS[arm.run.method].needs_jacobian:
            problem = replace(problem, jacobian=DeferredJacobian(lambda: self.jacobian.at(p)))
        if jumps is None:
            return problem
        return replace(problem, intervals=jumps.intervals, jump=jumps.jump(rhs)).from_interval(0, y0)

    def break_points(self, found: Directions) -> tuple[np.ndarray, BreakPointJumps | None]:
        """State with derivatives in which an arm starts, and what its break points do to them, if it has any."""
        y0, intervals = np.concatenate([found.y0, found.states.ravel()]), smooth_intervals(found.instance.arm)
        if intervals is None:
            return y0, None
        update, sampled = None, np.zeros(intervals.breaks.size, dtype=bool)
        if found.instance.arm.clocks:
            self._update = self._update or update_with_derivatives(found)
            update, y0 = sampled_jumps(found, self._update, intervals)
            sampled = np.any(firing(found.instance.arm.clocks, intervals.breaks), axis=1)
        return y0, BreakPointJumps.of(found, intervals, update, sampled)

    def observe(self, found: Directions, times: np.ndarray, states: np.ndarray) -> list[Series]:
        """Datasets (m, ..) at times (m,) [s] and states (m, n_y (count + 1)), then their derivatives, in scales."""
        f, h = self._output.at(parameters_of(found))
        parts = np.split(f.map(times, states, h), self.count + 1, axis=1)
        return [self.equation.observables.datasets(part) for part in parts]


def variational_equations(found: Directions) -> VariationalEquations:
    """Variational equations of the model of some directions, the same for all of its arms."""
    model, count = found.model, len(found.scales)
    return model.once(
        ("variational equations", count), lambda: VariationalEquations(model.state_equation, count)
    )


def run_with_derivatives(
    found: Directions, progress: Progress | None = None
) -> tuple[np.ndarray, Series, list[Series], SingleRun]:
    """Simulate an arm with the derivatives of its motion.

    Returns
    -------
    times : (m,) [s]
    values : dict
        Datasets (m, ..).
    derivatives : list of dict
        Those of each direction, times its scale.
    run : SingleRun
        The run, complete.

    Raises
    ------
    SolverError
        The integration failed.
    """
    instance, equations = found.instance, variational_equations(found)
    problem = equations.problem(found)
    run = SingleRun(instance, equations.equation, start(instance.arm.run.method, problem))
    times = sample_times(instance.arm, 0, sample_count(instance.arm))
    states = integrated(run.integration, times, instance.arm.name, progress)
    run.status, run.message = "complete", ""
    values, *derivatives = equations.observe(found, problem.within(times), states)
    return times, values, derivatives, run


def integrated(
    integration: Integration, times: np.ndarray, name: str, progress: Progress | None = None
) -> np.ndarray:
    """States (m, n) of the integration of an arm of this name at times (m,) [s].

    Raises
    ------
    SolverError
        It failed.
    """
    pieces, done = [], 0
    for piece in integration.pieces(times):
        pieces.append(piece)
        done += len(piece)
        if progress is not None:
            progress(done / times.size, float(times[max(done - 1, 0)]))
    if done < times.size:
        raise SolverError(f"{name}: stopped at t = {times[max(done - 1, 0)]:.4g} s: {integration.failure}")
    return np.concatenate(pieces)
