"""Why no bounded motion was found: what is known of the arm and its trajectory where Newton's method stalls."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flexarm.errors import ModelError, SolverError
from flexarm.simulation.inverse.methods.bounded_motion import BoundedMotion
from flexarm.simulation.inverse.methods.remedy import PATH, remedy
from flexarm.simulation.inverse.problem import InverseProblem
from flexarm.simulation.inverse.zeros.linear_zero_dynamics import LinearZeroDynamics
from flexarm.simulation.inverse.zeros.zero_dynamics import linear_zero_dynamics
from flexarm.solvers.boundary_value_problem import ConvergenceError

POSTURES, BISECTIONS = 60, 20
"""Postures along the trajectory at which the zeros are looked at; steps by which the time of a change is found."""
NEARLY_SINGULAR = 0.01
"""Singular value of the task's derivative by the joints, of its largest on the way, that is called nearly singular."""


def no_solution(
    problem: InverseProblem, failure: ConvergenceError, found: BoundedMotion | None
) -> SolverError:
    """Error for a method that stalls, with the last motion found, if any: on a coarser mesh or at less speed."""
    speed = found.speed if found else 0.0
    row = failure.row - len(problem.dynamics.joint_rows)
    labels = problem.chain.coordinates.labels
    name = labels[(problem.dynamics.joint_rows if row < 0 else problem.dynamics.undriven_rows)[row]]
    reached = f"a bounded motion was found at {speed:.0%} of the speed, " if 0 < speed < 1 else ""
    message = (
        f"{problem.where}: stable inversion finds no bounded motion: {reached}"
        f"{failure.message}; the largest residual is {failure.size:.2g} in {name} at t = {failure.time:.4g} s"
    )
    return _explained(problem, message, found)


def unresolved(problem: InverseProblem, found: BoundedMotion, worst: int) -> SolverError:
    """Error for a motion whose defect does not get smaller as the mesh is refined."""
    mesh = found.states.mesh
    message = (
        f"{problem.where}: stable inversion: at t = {mesh[worst]:.4g} s the equations are fulfilled to "
        f"{found.defects[worst]:.1g} of the forces only, with intervals of {np.diff(mesh)[worst]:.2g} s"
    )
    return _explained(problem, message, found)


def no_equilibrium(problem: InverseProblem, failure: SolverError) -> SolverError:
    """Error for an arm that finds no equilibrium at an end of its trajectory."""
    path = _Path.of(problem)
    reason = path.nearly_singular() if path else ""
    message = f"{problem.where}: {failure.message}"
    hint = PATH if reason else failure.hint
    return SolverError(f"{message}; {reason}" if reason else message, hint=hint)


def obstacle(problem: InverseProblem) -> SolverError | None:
    """Error if the trajectory leads through a posture where the internal dynamics is singular, else none."""
    path = _Path.of(problem)
    reason = path.singular() if path else ""
    if not reason:
        return None
    message = f"{problem.where}: stable inversion finds no bounded motion: {reason}"
    return SolverError(message, hint=remedy(problem, unbent=True))


def _explained(problem: InverseProblem, message: str, found: BoundedMotion | None) -> SolverError:
    """Error with its reason, as far as one is found, and with what helps.

    Where the unbent arm has the trouble too, it is no use to bend it less.
    """
    path = _Path.of(problem, found)
    if path is None or not (reason := path.reason()):
        return SolverError(message, hint=remedy(problem))
    if path.nearly_singular() == reason:
        return SolverError(f"{message}; {reason}", hint=PATH)
    unbent = _Path.of(problem)
    return SolverError(f"{message}; {reason}", hint=remedy(problem, unbent=bool(unbent and unbent.reason())))


@dataclass(frozen=True)
class _Path:
    """Zero dynamics frozen along a trajectory.

    Attributes
    ----------
    problem : InverseProblem
    times : (k,) [s]
    states : (k, n_y) [rad, m; per s]
    """

    problem: InverseProblem
    times: np.ndarray
    states: np.ndarray

    @classmethod
    def of(cls, problem: InverseProblem, found: BoundedMotion | None = None) -> _Path | None:
        """States along a trajectory, of the motion that was found at the highest speed, else of the unbent arm.

        None if the rigid arm does not reach them all.
        """
        times = np.linspace(0.0, problem.reference.duration, POSTURES)
        if found is not None:
            return cls(problem, times, found.states(times / found.speed))
        try:
            thetas = problem.kinematics.follow(
                times, problem.reference(times).p, problem.start, problem.where
            )
        except ModelError:
            return None
        return cls(problem, times, problem.dynamics.state(thetas))

    def reason(self) -> str:
        """What stands in the way of a bounded motion, as far as it is known."""
        return self.singular() or self.nearly_singular() or self.begins_to_grow()

    def zero_dynamics(self, times: np.ndarray, states: np.ndarray) -> list[LinearZeroDynamics]:
        """Frozen at some states."""
        return linear_zero_dynamics(self.problem.dynamics, times, states, self.problem.reference(times))

    @cached_property
    def frozen(self) -> list[LinearZeroDynamics]:
        """Zero dynamics at all states."""
        return self.zero_dynamics(self.times, self.states)

    def singular(self) -> str:
        """Where the matrix M of the internal dynamics is singular.

        In s = t - t0 one equation is s x'' + d x' + k x = f there: x'' grows with 1/s unless d x' + k x = f at s = 0,
        which is a condition more than those at both ends. A motion that oscillates at one of the ends can fulfil it;
        where no zeros oscillate there, as often with one mode, there is no smooth motion in general.
        """
        signs = np.array([_sign(linear) for linear in self.frozen])
        changes = np.flatnonzero(signs[1:] != signs[:-1])
        if not changes.size:
            return ""
        k = int(changes[0])
        (before, after), (state, other) = self.times[k : k + 2], self.states[k : k + 2]
        for _ in range(BISECTIONS):
            middle, between = (before + after) / 2, (state + other) / 2
            (linear,) = self.zero_dynamics(np.array([middle]), between[None])
            if _sign(linear) == signs[k]:
                before, state = middle, between
            else:
                after, other = middle, between
        of_pair = [linear.zeros[np.argmax(np.abs(linear.zeros))] for linear in self.frozen[k : k + 2]]
        return (
            f"at t = {after:.4g} s the matrix of the internal dynamics is singular: a pair of zeros goes through "
            f"infinity, {_named(of_pair[0])} 1/s at t = {self.times[k]:.4g} s and {_named(of_pair[1])} 1/s at "
            f"t = {self.times[k + 1]:.4g} s, and motions that excite it need torques beyond all bounds there"
        )

    def nearly_singular(self) -> str:
        """Where the joints can hardly move the task in some direction."""
        kinematics = self.problem.kinematics
        thetas = self.states[:, : self.problem.start.size]
        sizes = [np.linalg.svd(kinematics.rows(theta)[1][:, kinematics.joints])[1] for theta in thetas]
        smallest, largest = np.array([size[-1] for size in sizes]), max(size[0] for size in sizes)
        k = int(smallest.argmin())
        if smallest[k] > NEARLY_SINGULAR * largest:
            return ""
        return (
            f"the posture is nearly singular at t = {self.times[k]:.4g} s: in one direction the joints move the task "
            f"by {smallest[k]:.2g} m/rad only, where it is {largest:.2g} m/rad elsewhere"
        )

    def begins_to_grow(self) -> str:
        """Where the number of growing motions changes."""
        growing = [linear.zeros[linear.grows(linear.zeros)] for linear in self.frozen]
        counts = np.array([zeros.size for zeros in growing])
        changes = np.flatnonzero(np.diff(counts))
        if not changes.size:
            return ""
        k = int(changes[0])
        more = growing[k + 1] if counts[k + 1] > counts[k] else growing[k]
        changing = more[np.argmin(np.real(more) / np.abs(more))]
        return (
            f"the number of growing motions changes from {counts[k]} to {counts[k + 1]} between "
            f"t = {self.times[k]:.4g} and {self.times[k + 1]:.4g} s, that with the zeros {_named(changing)} 1/s is new "
            "or ends there"
        )


def _sign(linear: LinearZeroDynamics) -> float:
    return float(np.linalg.slogdet(linear.M)[0])


def _named(zero: complex) -> str:
    """Zero with its conjugate, or with the opposite one that belongs to it."""
    real, imaginary = f"{np.real(zero):.4g}", f"{abs(np.imag(zero)):.4g}i"
    if abs(np.imag(zero)) < 1e-6 * abs(zero):
        return f"±{abs(np.real(zero)):.4g}"
    return f"±{imaginary}" if abs(np.real(zero)) < 1e-3 * abs(zero) else f"{real} ± {imaginary}"
