"""Material and cross-section of a link, and the stiffness and inertia that follow from them.

Axes of the link frame: x along the link, y and z across it. Deflection along y bends about z, so
``EI.y = E * second_moment_z`` with ``second_moment_z = int y^2 dA``: the height (along y) counts cubed.

Notes
-----
Areas and second moments: Gere & Goodno, *Mechanics of Materials*, appendix on properties of plane areas.
Torsion: Timoshenko & Goodier, *Theory of Elasticity*, chapter on torsion.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

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


_ZETA_5 = 1.0369277551433699  # sum of 1/n^5


def _shape() -> Any:
    return key("circle, tube, rectangle or box")


class _Round(InputModel, ABC):
    """Cross-section that is the same in all directions."""

    @property
    @abstractmethod
    def second_moment_y(self) -> float:
        """``int z^2 dA`` [m^4]."""

    @property
    def second_moment_z(self) -> float:
        """``int y^2 dA`` [m^4]."""
        return self.second_moment_y

    @property
    def torsion_constant(self) -> float:
        """J of Saint-Venant torsion [m^4]: the polar moment."""
        return 2 * self.second_moment_y


class CircularSection(_Round):
    """Solid round bar."""

    shape: Literal["circle"] = _shape()
    diameter: Positive = key("diameter", "m")

    @property
    def area(self) -> float:
        """Area [m^2]."""
        return math.pi * self.diameter**2 / 4

    @property
    def second_moment_y(self) -> float:
        """``int z^2 dA`` [m^4]."""
        return math.pi * self.diameter**4 / 64


class TubularSection(_Round):
    """Round tube."""

    shape: Literal["tube"] = _shape()
    diameter: Positive = key("outer diameter", "m")
    thickness: Positive = key("wall thickness, at most half the diameter", "m")

    @model_validator(mode="after")
    def _check(self) -> Self:
        _check_wall(self.thickness, self.diameter, "diameter")
        return self

    @property
    def area(self) -> float:
        """Area [m^2]."""
        return math.pi * self.thickness * (self.diameter - self.thickness)

    @property
    def second_moment_y(self) -> float:
        """``int z^2 dA`` [m^4]."""
        inner = self.diameter - 2 * self.thickness
        return self.area * (self.diameter**2 + inner**2) / 16


class RectangularSection(InputModel):
    """Solid rectangular bar."""

    shape: Literal["rectangle"] = _shape()
    width: Positive = key("width, along z (counts cubed for deflection along z)", "m")
    height: Positive = key("height, along y (counts cubed for deflection along y, in the xy plane)", "m")

    @property
    def area(self) -> float:
        """Area [m^2]."""
        return self.width * self.height

    @property
    def second_moment_y(self) -> float:
        """``int z^2 dA`` [m^4]."""
        return self.height * self.width**3 / 12

    @property
    def second_moment_z(self) -> float:
        """``int y^2 dA`` [m^4]."""
        return self.width * self.height**3 / 12

    @property
    def torsion_constant(self) -> float:
        """J of Saint-Venant torsion [m^4], to round-off.

        Notes
        -----
        Timoshenko & Goodier: J = a b^3 (1/3 - 64/pi^5 b/a sum tanh(n pi a / 2b) / n^5) over odd n, a >= b.
        Here the sum of 1/n^5 is taken out, 31/32 zeta(5); what is left falls like exp(-n pi).
        """
        a, b = max(self.width, self.height), min(self.width, self.height)
        remainder = sum((1 - math.tanh(n * math.pi * a / (2 * b))) / n**5 for n in range(1, 15, 2))
        return a * b**3 * (1 / 3 - 64 / math.pi**5 * b / a * (31 / 32 * _ZETA_5 - remainder))


class BoxSection(InputModel):
    """Rectangular hollow section of constant wall thickness."""

    shape: Literal["box"] = _shape()
    width: Positive = key("outer width, along z (counts cubed for deflection along z)", "m")
    height: Positive = key(
        "outer height, along y (counts cubed for deflection along y, in the xy plane)", "m"
    )
    thickness: Positive = key("wall thickness, at most half the smaller side", "m")

    @model_validator(mode="after")
    def _check(self) -> Self:
        _check_wall(self.thickness, min(self.width, self.height), "smaller side")
        return self

    @property
    def _inner(self) -> tuple[float, float]:
        return self.width - 2 * self.thickness, self.height - 2 * self.thickness

    @property
    def area(self) -> float:
        """Area [m^2]."""
        return 2 * self.thickness * (self.width + self.height - 2 * self.thickness)

    @property
    def second_moment_y(self) -> float:
        """``int z^2 dA`` [m^4]."""
        width, height = self._inner
        return (self.height * self.width**3 - height * width**3) / 12

    @property
    def second_moment_z(self) -> float:
        """``int y^2 dA`` [m^4]."""
        width, height = self._inner
        return (self.width * self.height**3 - width * height**3) / 12

    @property
    def torsion_constant(self) -> float:
        """J of Saint-Venant torsion [m^4] by Bredt's formula for thin walls.

        Notes
        -----
        J = 4 A^2 t / s with the area A inside the wall's middle line and its length s (Timoshenko & Goodier,
        thin tubes). Walls of finite thickness are stiffer than that: in a square box by 2.5 % at a twentieth
        of the side, 6 % at a tenth, 15 % at a fifth. Give GJ itself where that matters.
        """
        width, height = self.width - self.thickness, self.height - self.thickness
        return 2 * self.thickness * (width * height) ** 2 / (width + height)


Section = Annotated[
    CircularSection | TubularSection | RectangularSection | BoxSection, Field(discriminator="shape")
]


def _check_wall(thickness: float, size: float, name: str) -> None:
    if thickness > size / 2:
        message = f"got {thickness}, expected at most half the {name}, {size / 2} m"
        raise located([(("thickness",), wrong(message))])
