"""Integrals of the part of a link beyond one of its stations: what the equations of that part read of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from flexarm.links.dimensionless_link import DimensionlessLink, beyond
from flexarm.links.integrals import ModalIntegrals
from flexarm.links.scaling import ReferenceValues, scaled_integrals


class PartIntegrals(Protocol):
    """Integrals of a link over its part beyond a station, as functions of it."""

    def __call__(self, xi: float) -> ModalIntegrals | None:
        """Integrals from xi = eta / l [1] to the end, with masses at xi; None if they are not known there."""
        ...


@dataclass(frozen=True, eq=False)
class BeamParts:
    """Parts of a beam.

    Attributes
    ----------
    unit : DimensionlessLink
    values : ReferenceValues
        Which scale it.
    """

    unit: DimensionlessLink
    values: ReferenceValues

    def __call__(self, xi: float) -> ModalIntegrals | None:
        """Integrate from xi [1] to the end."""
        return scaled_integrals(beyond(self.unit, xi), self.values)


@dataclass(frozen=True, eq=False)
class EndParts:
    """Parts of a link of which nobody says where along it its mass is: all of it, or what sits at its end.

    Attributes
    ----------
    whole, tip : ModalIntegrals
        Of the link, and of the point mass at its end alone.
    """

    whole: ModalIntegrals
    tip: ModalIntegrals

    def __call__(self, xi: float) -> ModalIntegrals | None:
        """Look up the integrals at xi [1]."""
        return {0.0: self.whole, 1.0: self.tip}.get(xi)
