"""A run that is integrated by itself; its samples are recorded block by block."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from flexarm.errors import SolverError
from flexarm.progress import Progress
from flexarm.simulation.forward.run import BLOCK, ForwardRun, sample_times
from flexarm.solvers.base import Integration, Jump


@dataclass
class SingleRun(ForwardRun):
    """A run that is integrated by itself: iterate over :meth:`blocks`, then read its attributes."""

    integration: Integration
    jump: Jump | None = None

    @property
    def instants(self) -> dict[str, np.ndarray]:
        """Datasets of impacts, and of impulses of prescribed motions."""
        if self.jump is None:
            return self.impacts
        # other arms start quicker without
        from flexarm.simulation.forward.motion_impulses import MotionImpulses, motion_impulse_datasets

        found, duration, jump = self.impacts, self.instance.arm.run.duration, self.jump
        jump = getattr(jump, "before", jump)  # besides what is sampled
        if isinstance(jump, MotionImpulses):
            found = found | motion_impulse_datasets(jump.impulses, duration)
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
        if self.instance.arm.run.step is None:
            return ""
        # most runs choose their steps
        from flexarm.simulation.forward.fixed_step import unstable_step

        return unstable_step(self.instance, self.state_equation, t, y[: self.state_equation.layout.size])
