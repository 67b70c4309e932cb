"""Rigid inversion: inverse dynamics of the arm with rigid links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from flexarm.progress import Progress
from flexarm.simulation.inverse.internal_dynamics import Motion
from flexarm.simulation.inverse.methods.inverse_method import InverseMethod
from flexarm.simulation.inverse.problem import SAMPLES, InverseProblem
from flexarm.simulation.inverse.rigid_motion import rigid_motion
from flexarm.simulation.inverse.solution import Solution
from flexarm.simulation.inverse.task.extended_trajectory import ExtendedTrajectory


@dataclass(frozen=True)
class RigidInversion(InverseMethod):
    """The motion of the rigid arm: of as many task rows as joints, by inverse kinematics alone."""

    tracks: ClassVar[bool] = False

    def solve(self, problem: InverseProblem, progress: Progress | None = None) -> Solution:
        """Follow the trajectory without deflections."""
        reference, times = ExtendedTrajectory(problem.reference), problem.times()

        def at(times: np.ndarray) -> Motion:
            return rigid_motion(problem, reference, times)

        mesh = problem.mesh(problem.reference.duration / SAMPLES)
        facts: dict[str, object] = {"steps": times.size - 1}
        return Solution(
            problem,
            reference,
            times,
            rigid_motion(problem, reference, times, progress),
            at,
            mesh,
            facts=facts,
            rigid=True,
        )
