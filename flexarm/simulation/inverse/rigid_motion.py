"""Rigid motion: how an arm with rigid links follows a trajectory; [SY94] figures 3 and 5 compare with it."""

from __future__ import annotations

import numpy as np

from flexarm.errors import SolverError
from flexarm.progress import Progress
from flexarm.simulation.inverse.internal_dynamics import Motion
from flexarm.simulation.inverse.problem import InverseProblem
from flexarm.simulation.inverse.task.extended_trajectory import ExtendedTrajectory
from flexarm.solvers.boundary_value_problem import Boundary, collocate
from flexarm.solvers.collocation import ExplicitEquations

MANY, BLOCK = 2000, 20_000
"""Times at which postures are found one after the other; of more, so many at once, from some of them."""


def rigid_motion(
    problem: InverseProblem,
    reference: ExtendedTrajectory,
    times: np.ndarray,
    progress: Progress | None = None,
) -> Motion:
    """Follow a reference trajectory without deflections.

    Parameters
    ----------
    problem : InverseProblem
    reference : ExtendedTrajectory
        Of the problem.
    times : (k,) [s]
        Ascending, pre- and post-actuation included.
    progress : callable, optional

    Raises
    ------
    ModelError
        The trajectory is out of reach or singular.
    SolverError
        The joint rates of least norm were not integrated.

    Notes
    -----
    With as many task rows as joints the posture follows from the task. With fewer, the rates are those of least norm,
    and their integral, which depends on the path taken, is found by collocation.
    """
    before, after = times[times < 0][::-1], times[times >= 0]
    backward = _followed(problem, reference, before, None)[::-1]
    forward = _followed(problem, reference, after, progress)
    thetas = np.concatenate([backward, forward])
    if problem.task.size < len(problem.kinematics.joints):
        thetas = _least_norm_rates(problem, reference, times, thetas)
    return problem.rigid_dynamics.full_motion(times, thetas, reference(times))


def _followed(
    problem: InverseProblem, reference: ExtendedTrajectory, times: np.ndarray, progress: Progress | None
) -> np.ndarray:
    """Postures (k, n_dof) at times (k,) [s] that lead away from 0: one by one, or where there are many in blocks."""
    kinematics, theta, found = problem.kinematics, problem.start, []
    if times.size <= MANY:
        return kinematics.follow(times, reference(times).p, theta, problem.where)
    undeformed = np.zeros((BLOCK, len(problem.chain.coordinates.all_modes)))
    for begin in range(0, times.size, BLOCK):
        block = times[begin : begin + BLOCK]
        found.append(
            kinematics.follow_bent(block, reference(block).p, theta, undeformed[: block.size], problem.where)
        )
        theta = found[-1][-1]
        if progress is not None:
            progress((begin + block.size) / times.size, float(block[-1]))
    return np.concatenate(found)


def _least_norm_rates(
    problem: InverseProblem, reference: ExtendedTrajectory, times: np.ndarray, guess: np.ndarray
) -> np.ndarray:
    """Postures (k, n_dof) at times (k,) with rates of least norm, from the first of the guess or, at 0, the start."""
    dynamics, joints = problem.rigid_dynamics, problem.kinematics.joints
    first_time, first = (0.0, problem.start) if times[0] > 0 else (times[0], guess[0])
    breaks = reference.breaks[(reference.breaks > first_time) & (reference.breaks < times[-1])]
    few = times[:: -(-times.size // MANY)]
    mesh = np.unique(np.concatenate([[first_time], few, times[-1:], breaks]))
    if mesh.size == 1:
        return guess

    def thetas(states: np.ndarray) -> np.ndarray:
        found = np.tile(first, (len(states), 1))
        found[:, joints] = states
        return found

    def rates(times: np.ndarray, states: np.ndarray) -> np.ndarray:
        return dynamics.residual(times, thetas(states), reference(times), np.zeros_like(states))

    def jacobians(times: np.ndarray, states: np.ndarray) -> np.ndarray:
        found = dynamics.linearised(times, thetas(states), reference(times), np.zeros_like(states))
        return found.by_state[:, :, joints]

    n = len(joints)
    boundary = Boundary(
        start=lambda y: (y - first[joints], np.eye(n)),
        end=lambda y: (np.empty(0), np.empty((0, n))),
    )
    on_mesh = np.array([np.interp(mesh, times, column) for column in guess[:, joints].T]).T
    try:
        return thetas(collocate(ExplicitEquations(n, rates, jacobians), boundary, mesh, on_mesh)(times))
    except SolverError as failure:
        raise SolverError(
            f"{problem.where}: joint rates of least norm: {failure.message}",
            hint="prescribe as many coordinates as there are joints, or sample the trajectory more densely",
        ) from None
