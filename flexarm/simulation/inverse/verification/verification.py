"""Verification of an inverse motion: its torques, fed to the forward dynamics, must lead the tip along the path.

The simulation knows the torques as functions of time alone: nothing leads it back. Where the arm by itself falls away
from the motion, as a pendulum that is held upright does, the least error grows until it shows. Such a motion is
simulated in pieces, each from the computed state on, so short that errors grow by no more than :data:`GROWTH` in them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from flexarm.errors import SolverError
from flexarm.progress import Progress
from flexarm.simulation.inverse.solution import Solution
from flexarm.simulation.inverse.verification.open_loop import OpenLoopMotion

REFUTED = 1e-5
"""Distance of the simulated tip from its path, of the arm's length, from which on a motion is refuted."""
LOOKED_INTO = 1e-7
"""Distance, of the arm's length, from which on it is found out whether the arm itself falls away from the motion."""
DISTURBANCE = 1e-6
"""Turn of all joints [rad] whose growth tells how errors grow."""
GROWTH = 10.0
"""Growth of a disturbance that ends a piece; errors of a computed motion, 1e-8 of the arm's length, stay unseen."""
BLOCK = 10
"""Samples between two looks at the growth."""
CHEAP = 5.0
"""Time of a simulation that is worth while in any case; others may take as long as the inversion took [s]."""


@dataclass(frozen=True)
class Verification:
    """What the simulation has found.

    Attributes
    ----------
    error : float [m, rad]
        Largest distance of the tip from its path; of angles that are prescribed the largest error counts as well.
    pieces : int
        Into how many the trajectory was cut, because the arm by itself falls away from the motion.
    failure : str
        Why the simulation ended early; empty if it did not.
    """

    error: float
    pieces: int = 1
    failure: str = ""


def verify(solution: Solution, tracks: bool = True, progress: Progress | None = None) -> Verification:
    """Feed the torques of a solution to the forward dynamics, from the computed state at the start on.

    Parameters
    ----------
    solution : Solution
    tracks : bool
        Whether its torques should lead the tip along the path.
    """
    motion = OpenLoopMotion(solution)
    found = _in_one_piece(motion, progress)
    if not tracks or not (found.failure or found.error > LOOKED_INTO * solution.problem.kinematics.size):
        return found
    return _in_pieces(motion, progress) or found


def verified_error(solution: Solution, progress: Progress | None = None) -> float:
    """The same, the error alone [m].

    Raises
    ------
    SolverError
        The integration fails.
    """
    found = verify(solution, progress=progress)
    if found.failure:
        raise SolverError(f"the simulation of the computed torques {found.failure}")
    return found.error


def allowed_error(solution: Solution) -> float:
    """Error [m, rad] up to which a motion is not refuted."""
    return REFUTED * solution.problem.kinematics.size


def refusal(solution: Solution, found: Verification) -> str:
    """Why a motion whose verification has come to this is none to rely on; empty if it is one."""
    if found.failure:
        return f"the motion is not verified: the simulation of its torques {found.failure}"
    allowed = allowed_error(solution)
    if found.error <= allowed:
        return ""
    where = (
        f" in one of {found.pieces} pieces, in which errors grow {GROWTH:.0f}-fold at most"
        if found.pieces > 1
        else ""
    )
    return (
        f"the motion is refuted: simulated under its torques, the tip leaves its path by {found.error:.2g} m{where}, "
        f"and more than {allowed:.2g} m is no round-off"
    )


def _in_one_piece(motion: OpenLoopMotion, progress: Progress | None) -> Verification:
    times = motion.times
    states, integration = motion.simulated(motion.state(0.0), times, progress)
    failure = "" if integration.failure is None else str(integration.failure)
    return Verification(motion.tip_error(times[: len(states)], states), 1, failure)


def _in_pieces(motion: OpenLoopMotion, progress: Progress | None) -> Verification | None:
    """The largest error of all pieces; none if a single one is short enough."""
    begin, error, pieces, times = 0, 0.0, 0, motion.times
    while begin < times.size - 1:
        y = motion.state(times[begin])
        runs = [
            motion.started(times[begin], y),
            motion.started(times[begin], y + DISTURBANCE * motion.turn),
        ]
        done, grown = begin, False
        while done < times.size - 1 and not grown:
            block = times[done + 1 : done + 1 + BLOCK]
            states, disturbed = (np.concatenate([*run.pieces(block)]) for run in runs)
            if runs[0].failure is not None:
                return Verification(error, pieces + 1, str(runs[0].failure)) if pieces else None
            apart = np.full(len(block), np.inf)  # a disturbed run that fails has grown
            apart[: len(disturbed)] = np.abs(disturbed - states[: len(disturbed)])[:, motion.joints].max(
                axis=1
            )
            grown = bool(apart.max() > GROWTH * DISTURBANCE)
            count = max(1, int(np.argmax(apart > GROWTH * DISTURBANCE))) if grown else len(block)
            error = max(error, motion.tip_error(block[:count], states[:count]))
            done += count
            if progress is not None:
                progress(done / times.size, float(times[done]))
        if begin == 0 and done == times.size - 1 and not grown:
            return None
        begin, pieces = done, pieces + 1
    return Verification(error, pieces)


def too_costly(solution: Solution, solve_seconds: float) -> str:
    """Why the verification of a solution that took so long is left out unless asked for; empty if it costs little."""
    seconds = OpenLoopMotion(solution).estimated_seconds()
    if seconds <= max(CHEAP, solve_seconds):
        return ""
    return f"not verified: simulating the motion would take about {seconds:.2g} s (ask for it with `verify`)"
