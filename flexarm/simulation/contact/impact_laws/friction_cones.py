"""Impulses of several coupled contacts with friction in circular cones: a semismooth Newton method."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from flexarm.simulation.contact.impact_laws.friction_polygons import ConePolygons, polygon_impulses
from flexarm.simulation.contact.impact_laws.impact_problem import ImpactProblem

SIDES = (8, 32, 64)
"""Sides of the polygons at which Newton's method starts; the next ones where it fails: 3 of 8837 random problems."""
STEPS = 40
"""Of Newton's method; it takes 4 in the median."""
CONVERGED, DIVERGED = 1e-13, 1e12
"""Residual, in units of the largest speed or impulse."""
PENALTIES = (1.0, 10.0, 100.0, 3.0, 30.0, 0.3)
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
    mu P_n that is closest to ``P_t - r u_t``, r > 0 being any. Where that does not converge, finer polygons start it.
    Should it never converge, the impulses of the finest stand, with friction of up to 0.12 % less than the cone's.
    """
    towards, impulses = -problem.speeds[:, 1:], np.zeros_like(problem.speeds)
    for sides in SIDES:
        impulses = polygon_impulses(problem, given, ConePolygons.of(problem.friction, towards, sides))
        if problem.n_directions == 2:
            return impulses
        cones = _newton(problem, given, impulses)
        if cones is not None:
            return cones
        towards = -problem.speeds_after(impulses)[:, 1:]
    return impulses


def _newton(
    problem: ImpactProblem, given: NDArray[np.float64], start: NDArray[np.float64]
) -> NDArray[np.float64] | None:
    """Impulses (k, d) by Newton's method from those given; None where it does not converge."""
    size = max(np.abs(problem.speeds).max(), np.abs(start).max())
    for penalty in PENALTIES:
        impulses = start.copy()
        for _ in range(STEPS):
            residual = _residual(problem, given, impulses, penalty)
            violation = float(np.linalg.norm(residual))
            if violation <= CONVERGED * size:
                impulses[:, 0] = np.maximum(impulses[:, 0], given)
                return impulses
            if not violation < DIVERGED * size:
                break
            derivative = _derivative(problem, given, impulses, penalty)
            impulses -= np.linalg.lstsq(derivative, residual.ravel(), rcond=1e-12)[0].reshape(impulses.shape)
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
