"""Open-loop motion: an arm under the torques of an inverse motion, as functions of time alone."""

from __future__ import annotations

from functools import cached_property

import casadi as ca
import numpy as np

from flexarm.codegen.native import compile_native
from flexarm.codegen.native_function import NativeFunction
from flexarm.formulations.formulation import make_formulation
from flexarm.progress import Progress
from flexarm.simulation.forces.applied_forces import applied_forces, with_drives
from flexarm.simulation.forces.time_functions import Signals
from flexarm.simulation.inverse.problem import SAMPLES
from flexarm.simulation.inverse.solution import Solution
from flexarm.simulation.inverse.task.minimal_coordinates import chain_motion_of, minimal_accelerations
from flexarm.solvers.base import InitialValueProblem, Integration, start
from flexarm.solvers.intervals import Intervals
from flexarm.solvers.solve import solve
from flexarm.solvers.stability import linearised_eigenvalues

RTOL, ATOL = 1e-10, 1e-12
"""Tolerances: the simulation's own error is far below that of any inverse motion."""
PHASE, STAGES = 1.0, 12
"""Phase [rad] of the fastest oscillation that a step covers at these tolerances; evaluations in a step."""
SECONDS = 6e-10
"""Time of an instruction of the equations, by measurement [s]."""


class OpenLoopMotion:
    """Forward dynamics of an arm along the trajectory, without feedback, under the torques of a solution.

    Attributes
    ----------
    solution : Solution
    times : (k,) [s]
        At which the tip is compared with its path: over the trajectory, samples of the solution included.
    """

    def __init__(self, solution: Solution):
        self.solution, self.problem = solution, solution.problem
        duration = self.problem.reference.duration
        sampled = solution.times[(solution.times >= 0) & (solution.times <= duration)]
        self.times = np.union1d(np.linspace(0.0, duration, SAMPLES + 1), sampled)

        self.chain = self.problem.whole_chain

    @property
    def joints(self) -> list[int]:
        """Rows of the joint angles in the state."""
        return list(self.chain.coordinates.moving_joints)

    @property
    def turn(self) -> np.ndarray:
        """Direction in the state space (2 n_dof,) that turns all joints, with their motors, by 1 rad."""
        y = np.zeros(2 * self.chain.coordinates.n_dof)
        y[[*self.joints, *self.chain.coordinates.moving_motors]] = 1.0
        return y

    @cached_property
    def rhs(self) -> NativeFunction:
        """Compiled state equation of [theta, theta_d]."""
        arm, chain = self.problem.arm, self.chain
        n, driven = chain.coordinates.n_dof, list(chain.coordinates.driven_rows)
        t, y, u = ca.SX.sym("t"), ca.SX.sym("y", 2 * n), ca.SX.sym("u", len(driven))
        moving = chain_motion_of(chain, y[:n], y[n:], ca.SX.zeros(n))
        forces = applied_forces(with_drives(arm), chain, Signals(t), moving.theta, moving.theta_d).forces(
            chain
        )
        forces[driven] += u
        accelerations = make_formulation(arm.run.formulation, chain).accelerations(
            moving.theta, moving.theta_d, forces
        )
        theta_dd = minimal_accelerations(chain, y[:n], y[n:], accelerations)
        f = ca.Function(
            "verification", [t, y, ca.SX.sym("p", 0), u], [ca.densify(ca.vertcat(y[n:], theta_dd))]
        )
        return compile_native(f, self.solution.torques)

    def state(self, t: float) -> np.ndarray:
        """State (2 n_dof,) of the solution at a time [s]."""
        times = np.array([t])
        theta, theta_d, _ = self.solution.whole(times, self.solution.at(times))
        return np.concatenate([theta[0], theta_d[0]])

    def started(self, t: float, y: np.ndarray) -> Integration:
        """Integration from a state y (2 n_dof,) at a time [s]."""
        return start("dop853", self._initial_value_problem(t, y))

    def simulated(
        self, y: np.ndarray, times: np.ndarray, progress: Progress | None = None
    ) -> tuple[np.ndarray, Integration]:
        """States (k, 2 n_dof) at times (m,) [s] from y (2 n_dof,) at the first of them on; k < m if it fails."""
        return solve("dop853", self._initial_value_problem(times[0], y), times, progress)

    def _initial_value_problem(self, t: float, y: np.ndarray) -> InitialValueProblem:
        intervals = Intervals.around(self.problem.reference.breaks, float(t), float(self.times[-1]))
        ivp = InitialValueProblem(
            self.rhs, float(t), y, np.empty(0), rtol=RTOL, atol=ATOL, intervals=intervals
        )
        return ivp.from_interval(0, y)

    def tip_error(self, times: np.ndarray, states: np.ndarray) -> float:
        """Largest error of the task in states (k, 2 n_dof) at times (k,) [m; rad of prescribed angles]."""
        problem = self.problem
        layout = self.chain.coordinates
        thetas = np.delete(states[:, : layout.n_dof], layout.moving_motors, axis=1)
        missing = problem.task.error(problem.reference(times).p, problem.kinematics.map(thetas)[0])
        others = np.delete(missing, problem.task.positions, axis=1)
        distances = np.linalg.norm(missing[:, problem.task.positions], axis=1)
        return float(max(distances.max(initial=0.0), np.abs(others).max(initial=0.0)))

    def estimated_steps(self) -> float:
        """Estimate of the steps of a simulation: as short as the fastest motion of the arm asks for."""
        y = self.state(0.0)
        fastest = np.abs(linearised_eigenvalues(self.rhs, 0.0, y, np.empty(0))).max(initial=0.0)
        return float(self.times[-1] * fastest / PHASE)

    def estimated_seconds(self) -> float:
        """Estimate of the time of a simulation [s]; the same however busy the machine is."""
        return self.estimated_steps() * STAGES * self.rhs.instructions * SECONDS
