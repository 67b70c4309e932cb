"""Pre- and post-actuation: how long before and after a trajectory the links must move."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.errors import ModelError
from flexarm.simulation.inverse.problem import InverseProblem
from flexarm.simulation.inverse.rigid_motion import rigid_motion
from flexarm.simulation.inverse.task.extended_trajectory import RUN, ExtendedTrajectory
from flexarm.simulation.inverse.zeros.zero_dynamics import ZeroDynamics

DECAY = 1e-6
"""To which part the slowest growing motion decays within the pre- or post-actuation."""


@dataclass(frozen=True)
class ActuationInterval:
    """A trajectory with its pre- and post-actuation.

    Attributes
    ----------
    reference : ExtendedTrajectory
    first, last : ZeroDynamics
        At both far ends, where the task is at rest.
    """

    reference: ExtendedTrajectory
    first: ZeroDynamics
    last: ZeroDynamics


def actuation_interval(
    problem: InverseProblem, pre: float | None = None, post: float | None = None
) -> ActuationInterval:
    """Extend the trajectory by pre- and post-actuation in which the unstable motions decay.

    Parameters
    ----------
    pre, post : float, optional [s]
        Chosen by the caller instead.

    Raises
    ------
    ModelError
        They are too short for the run-up or run-out, or these are out of reach or singular.
    SolverError
        There is no static equilibrium at an end.
    """
    path, where = problem.reference, problem.where
    run = RUN * path.duration
    runs = ExtendedTrajectory(path, run, run, run)
    up, out = runs.runs
    for name, given, least in (("pre", pre, up), ("post", post, out)):
        if given is not None and given < least:
            raise ModelError(
                f"{where}: {name}: got {given:g} s, expected at least {least:g} s, "
                "in which the tip comes from or to rest",
                hint=f"give a longer `{name}`",
            )
    # the postures at both ends, reached along the whole trajectory
    thetas = rigid_motion(problem, runs, np.linspace(-up, path.duration + out, 400))[0]
    first = problem.zero_dynamics_at(-up, runs([-up]).p[0], thetas[0])
    last = problem.zero_dynamics_at(path.duration + out, runs([path.duration + out]).p[0], thetas[-1])
    needed = [_decay_time(end) + least for end, least in ((first, up), (last, out))]
    chosen = [value if given is None else given for value, given in zip(needed, (pre, post), strict=True)]
    return ActuationInterval(ExtendedTrajectory(path, chosen[0], chosen[1], run), first, last)


def _decay_time(end: ZeroDynamics) -> float:
    """Time in which the slowest unstable motion decays [s]."""
    zeros = end.growing_zeros
    return -np.log(DECAY) / float(zeros[0].real) if zeros.size else 0.0
