"""Integrals of a link's shapes over a stretch of its length: what a force per length reads of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from flexarm.links.section_motion import SectionMotion, Sections
from flexarm.links.shapes.quadrature import gauss_panels
from flexarm.links.shapes.shape_functions import Array


@dataclass(frozen=True, eq=False)
class LineIntegrals:
    """Integrals over a stretch of a link with m modes.

    Attributes
    ----------
    length : float [m]
        int deta.
    moment : float [m^2]
        int eta deta.
    displacement : (m, 3) [m]
        int r_j deta.
    foreshortening : (m, m) [1] or None
        int h_jk deta; None where the link does not shorten.
    """

    length: float
    moment: float
    displacement: Array
    foreshortening: Array | None


def line_integrals(
    length: float,
    sections: SectionMotion,
    foreshortening: Callable[[float], Array] | None,
    first: float,
    last: float,
) -> LineIntegrals:
    """Integrate over a link of a length [m] between two stations, fractions of it from 0 to 1."""
    assert isinstance(
        sections, Sections
    )  # links given by matrices are refused where the description is checked
    ends = shape_breakpoints(sections)
    xi, weights = gauss_panels([first, *ends[(ends > first) & (ends < last)], last])
    shortened = None
    if foreshortening is not None:
        shortened = length * np.einsum("q,qjk->jk", weights, [foreshortening(float(one)) for one in xi])
    return LineIntegrals(
        length * (last - first),
        length**2 * (last**2 - first**2) / 2,
        length * np.einsum("q,qja->ja", weights, sections.displacement(xi)),
        shortened,
    )


def shape_breakpoints(sections: Sections) -> Array:
    """Stations, (b,) [1], between which shapes are smooth and at most a quarter wave long; from 0 to 1, not sorted."""
    highest = max((shapes.count for _, shapes in sections.shapes), default=1)
    return np.concatenate(
        [np.linspace(0.0, 1.0, 2 * highest + 3), *(shapes.breakpoints for _, shapes in sections.shapes)]
    )
