"""Newton's impact law with friction, as one problem for all contacts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from flexarm.errors import SolverError
from flexarm.simulation.contact.impact_laws.friction_cones import cone_impulses
from flexarm.simulation.contact.impact_laws.impact_problem import Impact, ImpactProblem
from flexarm.simulation.contact.impact_laws.slip_cases import slip_cases

GAIN = 1e-10
"""Energy that an impact may create by round-off, in units of the largest that one impulse adds or takes."""


def newton(
    G: NDArray[np.float64],
    speeds: NDArray[np.float64],
    friction: NDArray[np.float64],
    restitution: NDArray[np.float64],
) -> Impact:
    """Impact by Newton's law: a contact that pushes leaves with e times the normal speed at which it came.

    Parameters
    ----------
    G : (k d, k d) [1/kg]
        Delassus matrix, d = 2 in the plane and 3 in space; see
        :class:`~flexarm.simulation.contact.impact_laws.impact_problem.ImpactProblem`.
    speeds : (k, d) [m/s]
        Normal and tangential, before.
    friction, restitution : (k,)

    Raises
    ------
    SolverError
        No impulses keep the arm outside, or they would create energy.

    Notes
    -----
    [Moreau1988]: ``u_n+ + e u_n- >= 0``, complementary to the normal impulse, and friction in the cone of that impulse,
    opposed to the slip after the impact; no tangential restitution. A contact that parts before the impact has e = 0.
    Redundant contacts with wedges between them may have no solution, as what the law asks of their speeds is no motion.
    """
    problem = ImpactProblem(G, speeds, friction, restitution)
    scaled, scale = problem.unit_inertia()
    shifted = scaled.speeds.copy()
    shifted[:, 0] += restitution * np.minimum(shifted[:, 0], 0.0)
    try:
        impulses = cone_impulses(replace(scaled, speeds=shifted), np.zeros(len(speeds)))
    except SolverError as failure:
        raise SolverError(f"{failure}; where Newton's law finds none, impact_law: poisson may") from None
    if scaled.energy_gain(impulses) > GAIN * scaled.energy_scale(impulses):
        raise SolverError(
            "this impact would create energy: Newton's law of impact does with friction; impact_law: poisson does not"
        )
    return Impact(scale * impulses, slip_cases(scaled, scaled.speeds_after(impulses), impulses))
