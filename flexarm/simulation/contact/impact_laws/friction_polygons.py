"""Impulses of several coupled contacts with friction in polygons: one linear complementarity problem."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from flexarm.errors import SolverError
from flexarm.simulation.contact.impact_laws.impact_problem import ImpactProblem
from flexarm.solvers.lemke import lemke


@dataclass(frozen=True)
class ConePolygons:
    """Directions of friction of all contacts: two in the plane, the corners of a polygon in space.

    Attributes
    ----------
    directions : (k d, p)
        Unit vectors in the tangential rows of one contact each; none for contacts without friction.
    contact : (p,) int
        The contact of each.
    """

    directions: NDArray[np.float64]
    contact: NDArray[np.intp]

    @classmethod
    def of(cls, friction: NDArray[np.float64], towards: NDArray[np.float64], sides: int) -> ConePolygons:
        """Polygons of contacts with coefficients (k,), each with a corner along a vector (k, d - 1), or anywhere.

        In space friction is up to 1 - cos(pi / sides) less than that of the cone, and up to pi / sides off the slip.
        """
        k, n_tangents = towards.shape
        rubbing = np.flatnonzero(friction > 0)
        sides = 2 if n_tangents == 1 else sides
        directions = np.zeros((k, n_tangents + 1, rubbing.size * sides))
        for place, i in enumerate(rubbing):
            columns = slice(place * sides, (place + 1) * sides)
            directions[i, 1:, columns] = _corners(towards[i], sides)
        return cls(directions.reshape(k * (n_tangents + 1), rubbing.size * sides), np.repeat(rubbing, sides))


def _corners(towards: NDArray[np.float64], sides: int) -> NDArray[np.float64]:
    """Unit vectors (d - 1, sides) to the corners of a regular polygon with one corner along a vector (d - 1,)."""
    if towards.size == 1:
        return np.array([[1.0, -1.0]])
    angles = np.arctan2(towards[1], towards[0]) + 2 * np.pi * np.arange(sides) / sides
    return np.array([np.cos(angles), np.sin(angles)])


def polygon_impulses(
    problem: ImpactProblem, given: NDArray[np.float64], polygons: ConePolygons
) -> NDArray[np.float64]:
    """Impulses (k, d) of contacts that neither pull nor enter, with friction in polygons within the cones.

    Parameters
    ----------
    problem : ImpactProblem
        In units of equal inertia; restitution plays no part.
    given : (k,)
        Normal impulses that act in any case: ``0 <= P - given``, complementary to the normal speeds after.
    polygons : ConePolygons

    Raises
    ------
    SolverError
        No impulses keep the arm outside.

    Notes
    -----
    Unknowns are the normal impulses beyond the given ones, those along the corners, and of each contact the speed s of
    its slip [StewartTrinkle1996]; complementary to them are normal speeds, ``D^T u + s``, and the slack of the cone.
    Unlike the smaller problem with one slack for each sense [PfeifferGlocker1996] the matrix is copositive, and as the
    speeds are those of some motion, Lemke's method finds a solution.
    """
    k, d = problem.speeds.shape
    normal = np.arange(k) * d
    D, contact = polygons.directions, polygons.contact
    rubbing = np.flatnonzero(problem.friction > 0)
    G, n_D, n_s = problem.G, D.shape[1], rubbing.size
    belongs = (contact[:, None] == rubbing).astype(float)
    GD = G @ D
    A = np.zeros((k + n_D + n_s, k + n_D + n_s))
    speeds, corners, slips = slice(0, k), slice(k, k + n_D), slice(k + n_D, None)
    A[speeds, speeds], A[speeds, corners] = G[np.ix_(normal, normal)], GD[normal]
    A[corners, speeds], A[corners, corners], A[corners, slips] = GD[normal].T, D.T @ GD, belongs
    A[slips, speeds] = np.diag(problem.friction)[rubbing]
    A[slips, corners] = -belongs.T
    rebound = G[:, normal] * given
    u = problem.speeds.ravel() + rebound.sum(axis=1)
    terms = max(np.abs(problem.speeds).max(), np.abs(rebound).max())
    result = lemke(A, np.concatenate([u[normal], D.T @ u, (problem.friction * given)[rubbing]]), terms)
    if not result.solved:
        raise SolverError(
            "no impulses of the walls keep the arm outside: it is driven into them, or wedged between them"
        )
    impulses = (D @ result.z[corners]).reshape(k, d)
    impulses[:, 0] = result.z[speeds] + given
    return impulses
