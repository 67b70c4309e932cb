"""Motion of an arm period by period, over the break points of its own drives, loads and sampled controllers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from flexarm.description.arm.arm import Arm
from flexarm.errors import ModelError, SolverError
from flexarm.simulation.forward.free_motion import free_motion, initial_state_of
from flexarm.simulation.forward.parametric_model import ParametricModel
from flexarm.simulation.forward.sampling.sampled_updates import SAME_INSTANT
from flexarm.simulation.forward.stepping.arguments import with_drives
from flexarm.solvers.base import InitialValueProblem
from flexarm.solvers.dop853.periods import Dop853Periods


class SteppedEquations:
    """Equations of an arm whose drives take torques from outside, which any number of motions share.

    Parameters
    ----------
    arm : Arm
    joints : sequence of int
        Joints, from 0, that take these torques.
    asked : sequence of str
        Outputs.
    """

    def __init__(self, arm: Arm, joints: Sequence[int], asked: Sequence[str]):
        self.arm = with_drives(arm, joints)
        self.model = ParametricModel([self.arm], datasets=(), inputs=joints)
        self.outputs, read = self.model.readings(asked)
        self._instance = self.model.instance(self.arm)
        self._initial = initial_state_of(self.model, self._instance)
        self.read = read.at(np.zeros(len(joints))).f

    def problem(self, seed: int, u: np.ndarray) -> InitialValueProblem:
        """Initial value problem with the noise of a seed; all that it evaluates reads the torques u (n_u,) [N m]."""
        run = self.arm.run.model_copy(update={"seed": seed})
        instance = replace(
            self._instance, arm=self.arm.model_copy(update={"run": run}), parameters=u
        )  # there are no other parameters
        return free_motion(self.model, instance, self._initial)


class SteppedMotion:
    """One motion, from break point to break point.

    Parameters
    ----------
    equations : SteppedEquations
    seed : int
    period : float [s]

    Attributes
    ----------
    u : (n_u,) [N m]
        Torques, changed in place.
    periods : Dop853Periods
        The integration.
    """

    def __init__(self, equations: SteppedEquations, seed: int, period: float):
        self.u = np.zeros(equations.model.n_inputs)
        problem = equations.problem(seed, self.u)
        self.periods = Dop853Periods(problem)
        self._intervals, self._jump = problem.intervals, problem.jump
        self._same, self._arm = SAME_INSTANT * period, equations.arm
        self._t = np.zeros(1)
        self._read = equations.read.on(self._t, self.periods.y, self.u)

    def read(self, t: float) -> np.ndarray:
        """Outputs (n_outputs,) at the present state, at a time t [s]."""
        self._t[0] = t
        return self._read()

    def advance(self, t: float, end: float) -> None:
        """Move on from a time t to an end [s], and over a break point there.

        Raises
        ------
        SolverError
            The integration fails.
        ModelError
            The end is beyond the run, and there are break points to be known beforehand.
        """
        self.periods.p[:] = self.u
        if self._intervals is None:
            self._to(t, end)
            return
        duration = self._arm.run.duration
        if end > duration + self._same:
            message = f"{self._arm.name}: its signals and instants are known up to t = {duration:g} s"
            raise ModelError(message, hint="raise run.duration")
        starts, ends, breaks, longest = (
            self._intervals.starts,
            self._intervals.ends,
            self._intervals.breaks,
            self._intervals.longest_steps,
        )
        k = int(np.searchsorted(breaks, t + self._same, side="right"))
        t = max(t, float(starts[k]))
        while k < breaks.size and breaks[k] <= end + self._same:
            self._to(t, float(ends[k]), float(longest[k]))
            if self._jump is not None:
                self.periods.y[:] = self._jump(k, self.periods.y)
            k, t = k + 1, float(starts[k + 1])
        self._to(t, min(end, float(ends[k])), float(longest[k]))

    def _to(self, t: float, end: float, longest_step: float = np.inf) -> None:
        if t < end and (failure := self.periods.advance(t, end, longest_step)) is not None:
            raise SolverError(f"{self._arm.name}: {failure}")
