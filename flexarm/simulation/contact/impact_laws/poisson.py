"""Poisson's impact law with friction, the default."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flexarm.simulation.contact.impact_laws.coupled_groups import coupled_groups
from flexarm.simulation.contact.impact_laws.impact_problem import OPEN, Impact, ImpactProblem
from flexarm.simulation.contact.impact_laws.impulse_path import impulse_path
from flexarm.simulation.contact.impact_laws.two_phases import two_phases


def poisson(
    G: NDArray[np.float64],
    speeds: NDArray[np.float64],
    friction: NDArray[np.float64],
    restitution: NDArray[np.float64],
) -> Impact:
    """Impact by Poisson's law: the normal impulse of expansion is e times that of compression.

    Contacts without coupling in G are resolved one by one: a single one along its impulse
    (:func:`~flexarm.simulation.contact.impact_laws.impulse_path.impulse_path`), several that are coupled in two
    phases (:func:`~flexarm.simulation.contact.impact_laws.two_phases.two_phases`, which says where this differs).

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
        No impulses keep the arm outside.
    """
    problem = ImpactProblem(G, speeds, friction, restitution)
    scaled, _ = problem.unit_inertia()
    impulses, cases = np.zeros(speeds.shape), np.full(len(speeds), OPEN, dtype=object)
    for group in coupled_groups(scaled.G, problem.n_directions):
        law = impulse_path if group.size == 1 else two_phases
        impulses[group], cases[group] = law(problem.of(group))
    return Impact(impulses, tuple(cases))
