"""Impulses of several coupled contacts with friction in circular cones: a semismooth Newton method."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flexarm.simulation.contact.impact_laws.friction_polygons import ConePolygons, polygon_impulses
from flexarm.simulation.contact.impact_laws.impact_problem import ImpactProblem

STEPS, HALVINGS = 30, 10
"""Of Newton's method and of each of its steps; 9 were the most in a few hundred random problems."""
CONVERGED = 1e-13
"""Residual, in units of the largest speed."""
PENALTIES = (1.0, 0.3, 3.0)
"""Impulses for a unit of speed, in units of equal inertia; another one where Newton's method fails with the first."""


def cone_impulses(problem: ImpactProblem, given: NDArray[np.float64]) -> NDArray[np.float64]:
    """Impulses (k, d) of contacts that neither pull nor enter, with friction in the cones.

    Parameters
    ----------
    problem : ImpactProblem
        In units of equal inertia; restitution plays no part.
    given : (k,)
        Normal impulses that act in any case.

    Raises
    ------
    SolverError
        No impulses keep the arm outside.

    Notes
    -----
    In the plane the solution of :func:`~flexarm.simulation.contact.impact_laws.friction_polygons.polygon_impulses`,
    whose cones are exact. In space it starts Newton's method for the conditions written as equations
    [AlartCurnier1991]: ``P_n = given + max(0, P_n - given - r u_n)``, and ``P_t`` the point of the disk of radius
    mu P_n that is closest to ``P_t - r u_t``, r > 0 being any. Should that not converge, the polygons' impulses stand.
    """
    towards = -problem.speeds[:, 1:]
    polygons = polygon_impulses(problem, given, ConePolygons.of(problem.friction, towards))
    if problem.n_directions == 2:
        return polygons
    for penalty in PENALTIES:
        impulses = _newton(problem, given, polygons, penalty)
        if impulses is not None:
            return impulses
    return polygons


def _newton(
    problem: ImpactProblem, given: NDArray[np.float64], impulses: NDArray[np.float64], penalty: float
) -> NDArray[np.float64] | None:
    """Impulses (k, d) by Newton's method from those given; None where it does not converge."""
    size = np.abs(problem.speeds).max(initial=0.0)
    residual = _residual(problem, given, impulses, penalty)
    for _ in range(STEPS):
        if np.linalg.norm(residual) <= CONVERGED * max(size, np.abs(impulses).max()):
            impulses[:, 0] = np.maximum(impulses[:, 0], given)
            return impulses
        matrix = _derivative(problem, given, impulses, penalty)
        change = np.linalg.lstsq(matrix, -residual.ravel(), rcond=1e-12)[0].reshape(impulses.shape)
        share = 1.0
        for _ in range(HALVINGS):
            further = _residual(problem, given, impulses + share * change, penalty)
            if np.linalg.norm(further) < (1 - share / 10) * np.linalg.norm(residual):
                break
            share /= 2
        impulses, residual = impulses + share * change, further
    return None


def _residual(
    problem: ImpactProblem, given: NDArray[np.float64], impulses: NDArray[np.float64], penalty: float
) -> NDArray[np.float64]:
    """Differences (k, d) of both sides of the equations."""
    closer = impulses - penalty * problem.speeds_after(impulses)
    residual = np.empty_like(impulses)
    residual[:, 0] = impulses[:, 0] - np.maximum(closer[:, 0], given)
    radius, length, unit = _disk(problem, impulses, closer)
    inside = np.minimum(length, radius)
    residual[:, 1:] = impulses[:, 1:] - inside[:, None] * unit
    return residual


def _derivative(
    problem: ImpactProblem, given: NDArray[np.float64], impulses: NDArray[np.float64], penalty: float
) -> NDArray[np.float64]:
    """Derivative (k d, k d) of the residual by the impulses."""
    k, d = impulses.shape
    closer = impulses - penalty * problem.speeds_after(impulses)
    identity = np.eye(k * d).reshape(k, d, -1)
    of_closer = identity - penalty * problem.G.reshape(k, d, -1)
    radius, length, unit = _disk(problem, impulses, closer)
    matrix = identity.copy()
    matrix[:, 0] -= (closer[:, 0] > given)[:, None] * of_closer[:, 0]
    slips = length > radius
    stretch = np.where(slips, radius / np.where(slips, length, 1.0), 1.0)
    across = np.eye(d - 1) - slips[:, None, None] * unit[:, :, None] * unit[:, None, :]
    matrix[:, 1:] -= stretch[:, None, None] * (across @ of_closer[:, 1:])
    grows = slips * problem.friction * (impulses[:, 0] > 0)
    matrix[:, 1:] -= grows[:, None, None] * unit[:, :, None] * identity[:, :1]
    return matrix.reshape(k * d, k * d)


def _disk(
    problem: ImpactProblem, impulses: NDArray[np.float64], closer: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Radii (k,) of the disks of friction; lengths (k,) and directions (k, d - 1) of the vectors put into them."""
    radius = problem.friction * np.maximum(impulses[:, 0], 0.0)
    length = np.linalg.norm(closer[:, 1:], axis=1)
    return radius, length, closer[:, 1:] / np.where(length > 0, length, 1.0)[:, None]
