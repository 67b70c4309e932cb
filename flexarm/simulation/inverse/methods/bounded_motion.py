"""Boundary value problem of stable inversion: no unstable motion at the far end, no other one at the near end.

The conditions are those of an exponential dichotomy, with which the problem is well conditioned on any interval:
[Coppel1978], [AscherMattheijRussell1995] section 3.4.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from flexarm.errors import SolverError
from flexarm.memory import check_memory
from flexarm.simulation.inverse.internal_dynamics import Motion
from flexarm.simulation.inverse.methods.actuation import ActuationInterval
from flexarm.simulation.inverse.methods.end_conditions import EndConditions
from flexarm.simulation.inverse.methods.first_guess import rescaled, unbent
from flexarm.simulation.inverse.methods.remedy import remedy
from flexarm.simulation.inverse.problem import InverseProblem
from flexarm.simulation.inverse.task.reference_trajectory import ReferenceSamples
from flexarm.simulation.inverse.tracking_equations import TrackingEquations
from flexarm.simulation.inverse.zeros.dichotomy import Dichotomy, dichotomy
from flexarm.solvers.boundary_value_problem import ITERATIONS, collocate
from flexarm.solvers.collocation import STAGES, CollocationSolution, Scheme

CONVERGED = 1e-9
"""Change of the links' elastic amplitude, of the largest, and of the joint angles [rad] that ends Newton's method."""
NEGLIGIBLE = 1e-9
"""Deflection, of the arm's length, that need not be resolved."""
POLISHING, POLISHED = 2, 1e-3
"""Corrections of a motion at given times, and the largest ones, of the size of the components."""
OSCILLATION, MOST_INTERVALS = 3.0, 400
"""Phase [rad] of an oscillation in an interval up to which it is resolved; intervals up to which it is worth while."""
BETWEEN = np.concatenate([[0.0], 0.5 * (1 + np.polynomial.legendre.leggauss(STAGES)[0]), [1.0]])
BETWEEN = 0.5 * (BETWEEN[1:] + BETWEEN[:-1])
"""Fractions of an interval, between the Gauss points, at which a solution is judged."""


@dataclass(frozen=True)
class BoundedMotion:
    """A solution on one mesh.

    Attributes
    ----------
    states : CollocationSolution
        States of the internal dynamics over time.
    speed : float
        Of the speed of the trajectory, with which it is followed.
    defects : (m,)
        Largest defect of the equations in each interval between the Gauss points: of the forces on the modes, each
        divided by the root of its stiffness, of their largest norm; of the joint rates, of the largest one.
    tip_errors : (m,) [m, rad]
        Largest error of the task in each interval.
    """

    states: CollocationSolution
    speed: float
    defects: np.ndarray
    tip_errors: np.ndarray


@dataclass(frozen=True)
class BoundedMotionProblem:
    """The boundary value problem, to be solved on different meshes and at different speeds of the trajectory.

    Attributes
    ----------
    problem : InverseProblem
    interval : ActuationInterval
    scheme : Scheme
        Of the collocation: one that tells growing from decaying motions, or one in which oscillations do not grow.
    free : bool
        Whether oscillations are free at both ends even if they are slow enough to be resolved: on the way they may
        change from decaying to growing, or to pairs of growing and decaying motions, so that none of them can be asked
        to begin at rest. They and the changes of the links' accelerations are least then. Where a pair of zeros goes
        through infinity, one condition more holds for a motion to be smooth: the accelerations of all others grow as
        the inverse of the time to it, so that the least ones are those of a smooth motion.
    """

    problem: InverseProblem
    interval: ActuationInterval
    scheme: Scheme = Scheme.TWICE
    free: bool = False

    @property
    def amplitude(self) -> np.ndarray:
        """Amplitudes of the modes that take the same energy each, (modes,) [m]."""
        return 1 / np.sqrt(self.interval.first.linear.stiffness)

    @cached_property
    def fast(self) -> float:
        """Size of zeros from which on oscillations are not resolved [1/s]."""
        reference = self.interval.reference
        return 0.0 if self.free else OSCILLATION * MOST_INTERVALS / (reference.end - reference.start)

    @cached_property
    def longest(self) -> float:
        """Longest interval that resolves the oscillations that are slow enough for it [s]."""
        if self.scheme is Scheme.GAUSS:
            return np.inf
        sizes = [np.abs(end.linear.oscillations) for end in (self.interval.first, self.interval.last)]
        slow = np.concatenate([size[size <= self.fast] for size in sizes])
        return OSCILLATION / slow.max() if slow.size else np.inf

    @cached_property
    def conditions(self) -> tuple[Dichotomy, Dichotomy]:
        """Rows of the conditions, as at the start and as at the end.

        Raises
        ------
        SolverError
            The zero dynamics is of a different kind at both ends.
        """
        fast = np.inf if self.scheme is Scheme.GAUSS and not self.free else self.fast
        first, last = (dichotomy(rest.linear, fast) for rest in (self.interval.first, self.interval.last))
        missing = first.start.shape[1] - len(first.start) - len(last.end)
        if self.free and last.free + missing >= 0:
            return first, last.freed(missing)
        if missing:
            raise SolverError(
                f"{self.problem.where}: {len(first.end) - first.free} motions of the links grow at the start and "
                f"{len(last.end) - last.free} at the end of the trajectory, oscillations apart; stable inversion needs "
                "as many at both",
                hint=remedy(self.problem),
            )
        return first, last

    @cached_property
    def scale(self) -> np.ndarray:
        """Size of the components of the state, (n_y,)."""
        dynamics, scale = self.problem.dynamics, np.ones(self.problem.dynamics.n_y)
        linear = self.interval.first.linear
        scale[dynamics.undriven_rows] = linear.amplitude
        scale[dynamics.rate_rows] = linear.amplitude * linear.frequency
        return scale

    def solve(
        self,
        mesh: np.ndarray,
        guess: BoundedMotion | None = None,
        speed: float = 1.0,
        report: Callable[[int], None] | None = None,
        iterations: int = ITERATIONS,
    ) -> BoundedMotion:
        """Solve on a mesh (m + 1,) [s], in times of the trajectory at its own speed, from another solution if any.

        Raises
        ------
        ModelError
            The mesh does not fit into memory.
        ConvergenceError
            Newton's method stalls.
        """
        self.check_memory(mesh.size - 1)
        equations = TrackingEquations(self.problem.dynamics, self._slowed(speed), self.amplitude)
        states, rates = (
            unbent(self.problem, self.interval, mesh, speed)
            if guess is None
            else rescaled(self.problem.dynamics, guess.states, guess.speed, mesh, speed)
        )
        found = collocate(
            equations,
            EndConditions(self.problem, self.interval, *self.conditions, self.scale, self.free).boundary(),
            mesh / speed,
            states,
            rates,
            scheme=self.scheme,
            scale=self.scale,
            measure=self._size,
            converged=CONVERGED,
            iterations=iterations,
            progress=report,
        )
        return BoundedMotion(found, speed, *self._errors(found, equations))

    def motion(self, found: BoundedMotion, times: np.ndarray) -> Motion:
        """Whole motion at times (k,) [s].

        The second rates of the deflections are those of the polynomials, polished for the equations to hold at each of
        these times: they alone where little is enough, together with the amplitudes, by as little as possible of both,
        where the matrix of the second rates is ill conditioned; not where the trajectory jumps.
        """
        dynamics, desired = self.problem.dynamics, self.interval.reference(times)
        states, slopes = found.states(times), found.states.slope(times)
        modes, n_q, m = dynamics.undriven_rows, len(dynamics.joint_rows), len(dynamics.undriven_rows)
        rates = slopes[:, [*dynamics.joint_rows, *dynamics.rate_rows]]
        size = (
            np.concatenate([np.abs(x).max(axis=0, initial=0.0) for x in (states[:, modes], rates[:, n_q:])])
            + 1e-300
        )
        # a base that floats stays where it is
        size[:m] *= np.isin(modes, self.problem.chain.coordinates.all_modes)
        for _ in range(POLISHING if m else 0):
            linear = dynamics.linearised(times, states, desired, rates)
            rows = np.concatenate([linear.by_state[:, n_q:, modes], linear.by_rate[:, n_q:, n_q:]], axis=2)
            rows = rows * size * self.amplitude[:, None]
            missing = (linear.residual[:, n_q:] * self.amplitude)[..., None]
            both = (np.linalg.pinv(rows) @ missing)[..., 0]
            alone = np.zeros_like(both)
            alone[:, m:] = (np.linalg.pinv(rows[:, :, m:]) @ missing)[..., 0]
            change = np.where(np.abs(alone).max(axis=1, keepdims=True) < POLISHED, alone, both)
            change *= size * (np.abs(change).max(axis=1, keepdims=True) < POLISHED)
            states[:, modes] -= change[:, :m]
            rates[:, n_q:] -= change[:, m:]
        return dynamics.full_motion(times, states, desired, rates[:, n_q:])

    def _slowed(self, speed: float) -> Callable[[ArrayLike], ReferenceSamples]:
        reference = self.interval.reference
        if speed == 1.0:
            return reference

        def slowed(times: ArrayLike) -> ReferenceSamples:
            p, p_d, p_dd = reference(np.asarray(times) * speed)
            return ReferenceSamples(p, speed * p_d, speed**2 * p_dd)

        return slowed

    def _elastic(self, states: np.ndarray) -> np.ndarray:
        """Norm (..,) of deflections (.., n_y), each divided by its amplitude: root of about twice the strain energy."""
        return np.linalg.norm(states[..., self.problem.dynamics.undriven_rows] / self.amplitude, axis=-1)

    def _largest(self, states: np.ndarray) -> float:
        least = NEGLIGIBLE * self.problem.kinematics.size / self.amplitude.max(initial=1e-300)
        return float(self._elastic(states).max() + least)

    def _size(self, dY: np.ndarray, Y: np.ndarray) -> float:
        """Size of a correction of the states at the mesh: of the largest deflections, and of the joint angles."""
        joints = self.problem.dynamics.joint_rows
        with np.errstate(over="ignore", invalid="ignore"):
            bent = self._elastic(dY).max() / self._largest(Y) if self.amplitude.size else 0.0
            return float(max(bent, np.abs(dY[:, joints]).max()))

    def _errors(
        self, found: CollocationSolution, equations: TrackingEquations
    ) -> tuple[np.ndarray, np.ndarray]:
        """Defects of the equations and errors of the task in all intervals, (m,) each."""
        mesh, kinematics, n_q = found.mesh, self.problem.kinematics, len(self.problem.dynamics.joint_rows)
        times = (mesh[:-1, None] + np.diff(mesh)[:, None] * BETWEEN).ravel()
        states, slopes = found(times), found.slope(times)
        rates = slopes[:, equations.implicit]
        residual = equations.residual(times, states, rates)
        least = NEGLIGIBLE * np.abs(found.states[:, : self.problem.start.size]).max() / (mesh[-1] - mesh[0])
        turning = np.abs(residual[:, :n_q]).max(axis=1) / (np.abs(rates[:, :n_q]).max() + least + 1e-300)
        bending = (
            np.linalg.norm(residual[:, n_q:], axis=1) / self._largest(found.states)
            if self.amplitude.size
            else 0.0 * turning
        )
        p = kinematics.map(states[:, : self.problem.start.size])[0]
        off = np.abs(kinematics.task.error(equations.reference(times).p, p)).max(axis=1)
        shape = (mesh.size - 1, BETWEEN.size)
        return np.maximum(turning, bending).reshape(shape).max(axis=1), off.reshape(shape).max(axis=1)

    def check_memory(self, intervals: float) -> None:
        """Refuse a mesh of so many intervals if it does not fit into memory."""
        n, e = self.problem.dynamics.n_y, len(self.problem.dynamics.joint_rows) + len(self.amplitude)
        # matrices of the stages and their inverses, derivatives, the band
        numbers = 3 * (STAGES * e) ** 2 + 3 * STAGES * e * (n + e) + 7 * n**2
        what = f"{self.problem.where}: a mesh of {intervals:.3g} intervals"
        check_memory(8 * intervals * numbers, what, "give a larger `step`")
