"""Falling chains in flexarm: hinged modes, which need no bending moment at either end, or segments; foreshortening."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

import flexarm
from flexarm.simulation.forward.free_motion import prepare_free_motion
from flexarm.solvers.base import start

from .case import LENGTH, Case
from .exact_beams import GRAVITY

ATOL = 1e-2
"""In units of rtol."""


class FlexarmChain:
    """A chain with its equations derived and compiled, ready to be solved as often as wanted.

    Parameters
    ----------
    case : Case
    modes : int
        Of each link or segment; 0: rigid links.
    segments : int
        Of each link.
    family : str
        Of the modes.

    Attributes
    ----------
    build_seconds : float
        Derivation and compilation.
    evaluations : int
        Of the last solution.
    """

    def __init__(self, case: Case, modes: int, segments: int = 1, family: str = "hinged"):
        begin = time.process_time()
        self._case, self._arm = case, _describe(case, modes, segments, family)
        self._problem = prepare_free_motion(self._arm).integration.problem
        self.build_seconds = time.process_time() - begin
        self.evaluations = 0
        self._states = np.empty((0, self._problem.y0.size))

    def solve(self, rtol: float) -> None:
        """Integrate from the start to the end of the case."""
        integration = start("dop853", replace(self._problem, rtol=rtol, atol=ATOL * rtol))
        times, states = self._case.times, []
        while len(states) < times.size:
            states.extend(integration.advance(times[len(states) :]))
            if integration.failure:
                raise RuntimeError(str(integration.failure))
        self.evaluations, self._states = integration.evaluations, np.array(states)

    def tips(self) -> np.ndarray:
        """Where the tip was in the last solution, complex (instants + 1,) [m]."""
        equations = flexarm.motion_equations(self._arm)
        points = np.array([equations.points(y[: equations.n_theta])[-1] for y in self._states])
        return points[:, 0] + 1j * points[:, 1]


def _describe(case: Case, modes: int, segments: int, family: str) -> flexarm.Arm:
    cut = f", segments: {segments}" if segments > 1 else ""
    shapes = f"{{family: {family}, count: {modes}}}"
    bent = f", EI: {case.bending}{cut}, modes: {shapes}" if modes else ""
    links = f"  - {{length: {LENGTH}, mu: {case.mu}{bent}}}\n" * case.n
    angles = ", ".join(f"{angle:.17g}" for angle in case.angles)
    return flexarm.parse_arm(
        f"name: {case.name}\ngravity: [0, {-GRAVITY}, 0]\n"
        f"links:\n{links}initial: {{joints: [{angles}]}}\nrun: {{duration: {case.duration}, sample: 0.01}}\n"
    )
