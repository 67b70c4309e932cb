"""The inverse motion integrated forward in time, as [SY94] publishes it, and how it is seen to diverge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from flexarm.codegen.native import compile_native
from flexarm.description.arm.arm import Arm
from flexarm.progress import Progress
from flexarm.simulation.inverse.internal_dynamics import InternalDynamics
from flexarm.simulation.inverse.task.reference_trajectory import ReferenceTrajectory
from flexarm.simulation.inverse.zero_dynamics import ZeroDynamics
from flexarm.solvers.base import Integration, Problem, start

BLOCK = 10
"""Samples after which the deflections are looked at."""
LARGEST_DEFLECTION = 0.5
"""Deflection of a link, of its length, at which the motion counts as diverged."""
LARGEST_ROTATION = np.pi / 2
"""The same for the rotation of its section [rad]."""

LEAST_STEPS = 200
"""Steps over a path at least, so that none passes over a short part of it; what is at rest feels nothing beforehand."""


@dataclass(frozen=True)
class CausalMotion:
    """An inverse motion integrated forward, as far as it goes.

    Attributes
    ----------
    times : (k,) [s]
    states : (k, n_y)
        States of the internal dynamics.
    message : str
        Why it stopped early; empty if it did not.
    integration : Integration
    """

    times: np.ndarray
    states: np.ndarray
    message: str
    integration: Integration


def causal_problem(dynamics: InternalDynamics, path: ReferenceTrajectory, y0: np.ndarray) -> Problem:
    """Compile [SY94] eq. 25 along a path, to be started from y0."""
    run = dynamics.arm.run
    spacings = (float(np.diff(table.breaks).min()) for table in path.tables)
    return Problem(
        rhs=compile_native(dynamics.along(path), path.tables),
        t0=0.0,
        y0=y0,
        p=np.empty(0),
        rtol=run.rtol,
        atol=run.atol,
        max_steps=run.max_steps,
        max_step=min([path.duration / LEAST_STEPS, *spacings]),
    )


def integrate(
    dynamics: InternalDynamics,
    problem: Problem,
    times: np.ndarray,
    rest: Callable[[], ZeroDynamics],
    progress: Progress | None = None,
) -> CausalMotion:
    """Integrate until the last time or until the deflections run away.

    Parameters
    ----------
    times : (k,) [s]
    rest : callable
        Returns the arm at rest at the start of the path, whose unstable zeros explain a divergence.

    Notes
    -----
    Stops at the first sample at which a link is deflected or rotated further than any beam model holds, or where
    the growing motion has led into a singularity of the equations and the integrator cannot go on.
    """
    integration = start("dop853", problem)
    states, limits = np.empty((0, dynamics.n_y)), _limits(dynamics)
    while len(states) < times.size:
        block = integration.advance(times[len(states) : len(states) + BLOCK])
        run_away = min(filter(None, (limit.passed(block) for limit in limits)), default=None)
        states = np.concatenate([states, block[: None if run_away is None else run_away[0]]])
        if run_away is not None or integration.failure is not None:
            if run_away is not None:
                reached, what = times[len(states)], run_away[1]
            else:
                reached, what = integration.t, "the deflections grow too fast for any step"
            message = f"stopped at t = {reached:.6g} s: {what}; {_explanation(dynamics.arm, rest())}"
            return CausalMotion(times[: len(states)], states, message, integration)
        if progress is not None and len(states):
            progress(len(states) / times.size, times[len(states) - 1])
    return CausalMotion(times, states, "", integration)


@dataclass(frozen=True)
class _Limit:
    """How far one station of a link may go.

    Attributes
    ----------
    link : int
        Number of the link, from 1.
    rows : list of int
        Its modal amplitudes in the state.
    bent : (m, 3)
        Displacement by each mode, of the link's length.
    turned : (m, 3) [rad]
        Rotation by each mode.
    """

    link: int
    rows: list[int]
    bent: np.ndarray
    turned: np.ndarray

    def passed(self, states: np.ndarray) -> tuple[int, str] | None:
        """First of some states that lies beyond, and how it does."""
        delta = states[:, self.rows]
        bent = np.linalg.norm(delta @ self.bent, axis=1)
        turned = np.linalg.norm(delta @ self.turned, axis=1)
        beyond = np.flatnonzero((bent > LARGEST_DEFLECTION) | (turned > LARGEST_ROTATION))
        if not beyond.size:
            return None
        k = int(beyond[0])
        return k, f"link {self.link} is deflected by {bent[k]:.0%} of its length and growing"


def _limits(dynamics: InternalDynamics) -> list[_Limit]:
    """Middle and end of every link that bends."""
    chain = dynamics.chain
    return [
        _Limit(i, list(rows), link.displacement(xi) / link.length, link.rotation(xi))
        for i, (rows, link) in enumerate(
            zip(chain.coordinates.modes, chain.flexible_links, strict=True), start=1
        )
        for xi in (0.5, 1.0)
        if rows and not dynamics.rigid
    ]


def _explanation(arm: Arm, rest: ZeroDynamics) -> str:
    """Why an inverse motion diverges, and what to do."""
    zeros = rest.unstable_zeros
    if not zeros.size:
        return "the task asks for more than the links can bear (make it slower, or the links stiffer)"
    families = " or ".join(sorted({modes.family for link in arm.links for modes in link.modes}))
    fastest = float(zeros[-1].real)
    return (
        f"the tip of a {families} link is a non-minimum-phase output: its internal dynamics is unstable (largest zero "
        f"{fastest:.3g} 1/s, growing tenfold every {np.log(10) / fastest:.2g} s) and cannot be integrated forward; "
        "method stable finds the bounded motion"
    )
