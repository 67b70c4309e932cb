"""Integrals of the functions by which a bent link shortens, over its mass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from flexarm.formulations.dynamics.outer_products import outer_products
from flexarm.links import FlexibleLink
from flexarm.links.foreshortening import Pairs
from flexarm.links.shapes.shape_functions import Array


@dataclass(frozen=True)
class ShorteningIntegrals:
    """Integrals of the n fields h_r over the mass of a link with m modes; r(j, k) is the field of two modes.

    Attributes
    ----------
    fields : tuple of tuple of (int, int)
        Modes of each field.
    H, G : (n,) [kg/m, kg]
        int h_r dm, int eta h_r dm.
    F : (n, m, 3) [kg/m]
        int h_r r_j dm.
    Q : (n, n) [kg/m^2]
        int h_r h_s dm.
    """

    fields: tuple[Pairs, ...]
    H: Array
    G: Array
    F: Array
    Q: Array

    @classmethod
    def of(cls, link: FlexibleLink, fields: tuple[Pairs, ...]) -> ShorteningIntegrals:
        """Read them from the modal integrals, whose fields behind the modes are length h_r x."""
        C, m, per_length = link.integrals, link.n_modes, 1 / link.length
        return cls(
            fields,
            H=_scaled(C.C1[m:, 0], per_length),
            G=_scaled(outer_products(C.C6[m:])[:, 0, 0], per_length),
            F=_scaled(outer_products(C.C8[m:, :m])[..., 0], per_length),
            Q=_scaled(C.C3[m:, m:], per_length**2),
        )

    def by_modes(self, values: Array) -> Array:
        """Arrange values of the fields, (n, ...), by both modes: (m, m, ...), zero where there is no field."""
        m = self.F.shape[1]
        arranged = np.zeros((m, m, *values.shape[1:]), dtype=values.dtype)
        for pairs, value in zip(self.fields, values, strict=True):
            for j, k in pairs:
                arranged[j, k] = arranged[k, j] = value
        return arranged


def _scaled(values: Array, factor: Any) -> Array:
    """Multiply numbers or symbols by a number or a symbol; zeros stay numbers."""
    if isinstance(factor, float):
        return values * factor
    scaled = np.zeros(values.shape, dtype=object)
    for index, value in np.ndenumerate(values):
        if not (isinstance(value, float) and value == 0):
            scaled[index] = value * factor
    return scaled
