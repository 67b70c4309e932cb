"""Solution of an initial value problem at given times."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from flexarm.progress import Progress
from flexarm.solvers.base import InitialValueProblem, Integration, start


def solve(
    method: str, problem: InitialValueProblem, times: ArrayLike, progress: Progress | None = None
) -> tuple[NDArray[np.float64], Integration]:
    """Integrate an initial value problem through all sample times, or until the integration fails.

    Parameters
    ----------
    method : str
        A name of :data:`~flexarm.catalogue.METHODS`.
    problem : InitialValueProblem
    times : (m,) [s]
        Increasing, from ``problem.t0`` on.
    progress : callable, optional

    Returns
    -------
    states : (k, n)
        States at times[:k]; k < m if the integration has failed.
    integration : Integration
        With its statistics, and `failure` if there is one.
    """
    times, integration = np.asarray(times, dtype=float), start(method, problem)
    pieces = [np.empty((0, problem.y0.size))]
    for piece in integration.pieces(times):
        pieces.append(piece)
        if progress is not None:
            reached = min(integration.t, times[-1])
            duration = times[-1] - problem.t0
            progress((reached - problem.t0) / duration if duration else 1.0, float(reached))
    return np.concatenate(pieces), integration
