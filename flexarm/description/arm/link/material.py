"""Material of a link."""

from __future__ import annotations

from typing import Self

from pydantic import model_validator

from flexarm.description.values.input_model import InputModel, key, located, wrong
from flexarm.description.values.quantities import Positive, Real


class Material(InputModel):
    """Linear elastic, isotropic material."""

    E: Positive = key("Young's modulus", "Pa")
    rho: Positive = key("density", "kg/m^3")
    nu: Real | None = key(
        "Poisson's ratio, from which G = E / (2 (1 + nu)); needed for torsion", "-", default=None
    )
    G: Positive | None = key("shear modulus, instead of nu", "Pa", default=None)
    strength: Positive | None = key(
        "stress that the material bears, such as its yield stress; over the largest stress it is the safety factor",
        "Pa",
        default=None,
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.nu is not None and self.G is not None:
            raise located([(("G",), wrong("got both nu and G, expected one of them"))])
        if self.nu is not None and not -1 < self.nu <= 0.5:
            raise located([(("nu",), wrong(f"got {self.nu}, expected a number > -1 and <= 0.5"))])
        return self

    @property
    def shear_modulus(self) -> float | None:
        """G [Pa]; None where neither G nor nu is known."""
        return self.G if self.nu is None else self.E / (2 * (1 + self.nu))
