"""Trial run of an arm: its motion roughly, to see how far its links bend before it is computed in earnest."""

from __future__ import annotations

from contextlib import suppress
from time import monotonic
from typing import NamedTuple

import numpy as np

from flexarm.catalogue import METHODS
from flexarm.description.arm.arm import Arm
from flexarm.errors import SolverError
from flexarm.progress import stage
from flexarm.simulation.forward.parametric_model import ParametricModel
from flexarm.simulation.forward.prepare import prepare_run
from flexarm.simulation.forward.single_run import SingleRun

RTOL, ATOL = 1e-3, 1e-5
"""Tolerances of a trial, unless those of the run are looser."""
INSTANTS = 500
"""Times of a trial at which its posture is looked at, spread evenly; as many as the run has samples, if more."""
MOST_INSTANTS = 5000
OPERATIONS = 1e10
"""Operations of the equations after which a trial ends, about ten seconds: the same on any machine."""
EVALUATIONS_OF_A_STEP = 12
"""Of dop853, which has the most."""
LONGEST = 60.0
"""Time [s] after which a trial ends whatever it does: events and implicit steps take more than their evaluations."""


class TrialRun(NamedTuple):
    """Postures of an arm in a trial run.

    Attributes
    ----------
    theta : (k, n_theta) [rad, m, 1]
    reached : float [s]
        Time up to which they reach.
    """

    theta: np.ndarray
    reached: float


def run_trial(arm: Arm, model: ParametricModel) -> TrialRun:
    """Compute the motion of an arm roughly, or the first part of it if the whole takes too long.

    Raises
    ------
    ModelError
        The arm cannot start.
    """
    rhs = model.state_equation.rhs
    with stage("trial run for segments: auto") as shown:
        most = max(int(OPERATIONS / (EVALUATIONS_OF_A_STEP * max(rhs.n_instructions(), 1))), 1)
        run = prepare_run(_loosened(arm, most), model=model)
        end, duration = monotonic() + LONGEST, arm.run.duration
        count = min(max(INSTANTS, run.n_samples), MOST_INSTANTS)
        size = run.state_equation.layout.size
        states = [np.empty((0, size))]
        with suppress(SolverError):  # as far as it came
            for piece in run.integration.pieces(np.linspace(0.0, duration, count)):
                states.append(piece[:, :size])  # forces of contacts follow
                reached = min(run.integration.t, duration)
                shown.text = f"trial run for segments: auto, t = {reached:.3g} of {duration:g} s"
                if monotonic() > end:
                    break
    return TrialRun(_postures(run, np.concatenate(states)), min(run.integration.t, duration))


def _loosened(arm: Arm, most_steps: int) -> Arm:
    """The arm with loose tolerances, integrated by an adaptive method in no more than so many steps."""
    run = arm.run
    update = {
        "method": run.method if METHODS[run.method].adaptive else next(iter(METHODS)),
        "step": None,
        "rtol": max(run.rtol, RTOL),
        "atol": max(run.atol, ATOL),
        "max_steps": min(run.max_steps, most_steps),
    }
    return arm.model_copy(update={"run": run.model_copy(update=update)})


def _postures(run: SingleRun, states: np.ndarray) -> np.ndarray:
    """Coordinates theta (k, n_theta) of states; those of prescribed joints, which bend nothing, are zero."""
    layout = run.state_equation.layout
    theta = np.zeros((len(states), run.instance.chain.coordinates.n_theta))
    theta[:, layout.theta_rows] = states[:, : len(layout.theta_rows)]
    return theta[np.isfinite(theta).all(axis=1)]
