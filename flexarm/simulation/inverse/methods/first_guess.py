"""First guesses of a bounded motion: the unbent arm, or a motion that was found at another speed or on another mesh."""

from __future__ import annotations

import numpy as np

from flexarm.simulation.inverse.internal_dynamics import InternalDynamics
from flexarm.simulation.inverse.methods.actuation import ActuationInterval
from flexarm.simulation.inverse.problem import InverseProblem
from flexarm.simulation.inverse.task.reference_trajectory import ReferenceSamples
from flexarm.solvers.collocation import CollocationSolution, gauss_times


def unbent(
    problem: InverseProblem, interval: ActuationInterval, mesh: np.ndarray, speed: float
) -> tuple[np.ndarray, np.ndarray]:
    """States at a mesh and rates at its Gauss points: deflections between those of both equilibria, task fulfilled.

    The joint rates are those of the task, so that the guess is as smooth as the trajectory: what is rough in it
    would come back in the second correction, multiplied by the square of the fastest zero.
    """
    first, last, dynamics = interval.first, interval.last, problem.dynamics
    modes, n_q = dynamics.undriven_rows, len(dynamics.joint_rows)
    inner = gauss_times(mesh)
    times = np.concatenate([mesh, inner.ravel()])
    order = np.argsort(times, kind="stable")
    desired = interval.reference(times)
    theta = first.state[: problem.start.size]
    thetas = np.empty((times.size, theta.size))
    share = ((times - times[0]) / (times.max() - times[0]))[:, None]
    deflected = (1 - share) * first.state[modes] + share * last.state[modes]
    kinematics = problem.kinematics
    thetas[order] = kinematics.follow_bent(
        times[order], desired.p[order], theta, deflected[order], problem.where
    )
    states = dynamics.state(thetas)
    at_gauss = ReferenceSamples(*(values[mesh.size :] for values in desired))
    none = np.zeros((inner.size, n_q + len(modes)))
    none[:, :n_q] = speed * dynamics.residual(inner.ravel(), states[mesh.size :], at_gauss, none)[:, :n_q]
    return states[: mesh.size], none.reshape(*inner.shape, -1)


def rescaled(
    dynamics: InternalDynamics, found: CollocationSolution, own_speed: float, mesh: np.ndarray, speed: float
) -> tuple[np.ndarray, np.ndarray]:
    """States at a mesh and rates at its Gauss points, of a solution at another speed."""
    ratio = speed / own_speed
    inner = gauss_times(mesh)
    states = found(mesh / own_speed)
    rates = found.slope(inner.ravel() / own_speed)
    rates = rates[:, [*dynamics.joint_rows, *dynamics.rate_rows]].reshape(*inner.shape, -1)
    states[:, dynamics.rate_rows] *= ratio
    rates *= np.repeat([ratio, ratio**2], [len(dynamics.joint_rows), len(dynamics.rate_rows)])
    return states, rates
