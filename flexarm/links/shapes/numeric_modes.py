"""Numeric mode shapes: of a tapered beam by finite elements, and of a table by splines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.interpolate import CubicHermiteSpline, CubicSpline
from scipy.linalg import eigh

from flexarm.errors import ModelError
from flexarm.links.shapes.beam_modes import beam_modes
from flexarm.links.shapes.quadrature import ascending, gauss_panels
from flexarm.links.shapes.shape_functions import Array, PolynomialShapes

if TYPE_CHECKING:
    from flexarm.description.values.profile import Profile

FIXED = {"clamped": (True, True), "pinned": (True, False), "free": (False, False)}
"""End condition -> whether deflection and slope are fixed there."""


@dataclass(frozen=True, eq=False)
class HermiteBeam:
    """Finite-element model of a beam by cubic Hermite elements: C1 deflection with piecewise linear curvature.

    Attributes
    ----------
    nodes : (n,) [1]
        Stations in [0, 1]; the freedoms are the n deflections, then the n slopes d/d xi.
    stiffness, inertia : (2 n, 2 n) [unit of EI, unit of mu]
        int EI N''N'' d xi and int mu N N d xi over the shape functions N(xi).
    """

    nodes: Array
    stiffness: Array
    inertia: Array

    def modes(self, ends: str, count: int) -> tuple[Array, Array]:
        """Solve stiffness x = lambda inertia x without the freedoms that `ends` fix.

        Parameters
        ----------
        ends : str
            Start and tip condition, e.g. "clamped-free".
        count : int
            Number of elastic modes; rigid-body modes come before them and are dropped.

        Returns
        -------
        lambdas, vectors : (count,) [unit of EI / mu], (2 n, count) [1]
            w^2 l^4, ascending, and the modes.

        Raises
        ------
        ModelError
            If the elements are too few for so many modes.
        """
        n = len(self.nodes)
        start, tip = (FIXED[end] for end in ends.split("-"))
        fixed = np.zeros(2 * n, dtype=bool)
        fixed[[0, n]], fixed[[n - 1, 2 * n - 1]] = start, tip
        rigid = 2 - min(2, int(fixed.sum()))
        free = np.flatnonzero(~fixed)
        if rigid + count > len(free):
            raise ModelError(
                f"finite-element modes: {n - 1} elements with {ends} ends have {len(free) - rigid} elastic "
                f"modes, {count} were asked for; give more elements"
            )
        # As the largest eigenvalues of the inverse problem the low modes are accurate; as the smallest of the
        # direct one they would carry the round-off of the highest, 1e9 times theirs. Once the subspace is
        # known, the direct problem in it makes the modes orthogonal to round-off. The shift lets rigid modes
        # through.
        K, M = self.stiffness[np.ix_(free, free)], self.inertia[np.ix_(free, free)]
        shift = np.trace(K) / np.trace(M) / n**4
        last = len(free) - rigid - 1
        _, low = eigh(M, K + shift * M, subset_by_index=[last - count + 1, last])
        lambdas, mix = eigh(low.T @ K @ low, low.T @ M @ low)
        vectors = np.zeros((2 * n, count))
        vectors[free] = low @ mix
        return lambdas, vectors


def hermite_beam(mu: Profile, EI: Profile, elements: int) -> HermiteBeam:
    """Assemble the finite-element model of a tapered link; the integrals are exact.

    Parameters
    ----------
    mu, EI : Profile [any unit]
        Mass per length and bending stiffness along the link, linear between their knots.
    elements : int
        Least number of elements; knots become nodes where they are not too dense, so a few more may come out.
    """
    knots = np.union1d(mu.eta, EI.eta)
    nodes = _nodes(knots, elements)
    unit, zero = np.eye(len(nodes)), np.zeros((len(nodes), len(nodes)))
    N = CubicHermiteSpline(nodes, np.hstack([unit, zero]), np.hstack([zero, unit]))
    xi, weights = gauss_panels(np.concatenate([nodes, knots]), points=4)  # cubic * cubic * linear: degree 7
    deflection, curvature = N(xi), N(xi, nu=2)
    return HermiteBeam(
        nodes=nodes,
        stiffness=curvature.T @ ((weights * EI.at(xi))[:, None] * curvature),
        inertia=deflection.T @ ((weights * mu.at(xi))[:, None] * deflection),
    )


def _nodes(knots: Array, elements: int) -> Array:
    """Put nodes at the knots, save those within half an element of the last one taken, and fill up evenly."""
    gap = 0.5 / elements
    taken = [0.0]
    for knot in knots:
        if knot - taken[-1] > gap and 1 - knot > gap:
            taken.append(float(knot))
    spans = zip(taken, [*taken[1:], 1.0], strict=True)
    pieces = [np.linspace(a, b, 1 + int(np.ceil((b - a) * elements - 1e-9))) for a, b in spans]
    return ascending(np.concatenate(pieces))


def finite_element_modes(mu: Profile, EI: Profile, ends: str, count: int, elements: int) -> PolynomialShapes:
    """Build the first modes of a tapered beam by finite elements, scaled as the published modes of a uniform one.

    Each mode is positive where it first leaves zero at the start, and its mean square int phi^2 d xi equals
    that of the uniform beam's published mode with the same number and ends (1 for clamped-free, whose tip
    value is 2).

    Parameters
    ----------
    mu, EI : Profile [kg/m, N m^2]
        Mass per length and bending stiffness along the link; only their shapes count.
    ends : str
        A key of BEAMS.
    count, elements : int
        Number of modes and least number of elements.
    """
    beam = hermite_beam(mu, EI, elements)
    _, vectors = beam.modes(ends, count)
    n = len(beam.nodes)
    shapes = PolynomialShapes(CubicHermiteSpline(beam.nodes, vectors[:n], vectors[n:]))
    xi, weights = gauss_panels(np.concatenate([beam.nodes, np.linspace(0, 1, 2 * count + 1)]))
    published = weights @ beam_modes(ends, count)(xi) ** 2
    first = {"clamped": 2, "pinned": 1, "free": 0}[ends.split("-")[0]]
    return shapes.scaled(np.sign(shapes(0.0, first)) * np.sqrt(published / (weights @ shapes(xi) ** 2)))


def table_modes(xi: Array, values: Array) -> PolynomialShapes:
    """Draw cubic splines (two continuous derivatives, not-a-knot ends) through sampled modes.

    Parameters
    ----------
    xi : (k,) [1]
        Stations from 0 to 1, ascending, at least 4.
    values : (k, m) [1]
        One column per mode.
    """
    return PolynomialShapes(CubicSpline(xi, values, bc_type="not-a-knot"))
