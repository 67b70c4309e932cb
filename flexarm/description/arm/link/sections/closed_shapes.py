"""Sections of one solid part or a closed wall: circle, tube, rectangle, box."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

from flexarm.description.arm.link.sections.cross_section import (
    CrossSection,
    RoundSection,
    Size,
    thick_wall,
)
from flexarm.description.values.input_model import key

_ZETA_5 = 1.0369277551433699  # sum of 1/n^5
SHAPES = "circle, tube, rectangle, box or I"


class CircularSection(RoundSection):
    """Solid round bar."""

    shape: Literal["circle"] = key(SHAPES)
    diameter: Size = key("diameter", "m")

    @property
    def area(self) -> float:
        """Area [m^2]."""
        return math.pi * self.diameter**2 / 4

    @property
    def second_moment_y(self) -> float:
        """``int z^2 dA`` [m^4]."""
        return math.pi * self.diameter**4 / 64

    @property
    def half_sizes(self) -> tuple[float, float]:
        """Largest distances from the centroid along y and along z [m]."""
        return self.diameter / 2, self.diameter / 2


class TubularSection(RoundSection):
    """Round tube."""

    shape: Literal["tube"] = key(SHAPES)
    diameter: Size = key("outer diameter", "m")
    thickness: Size = key("wall thickness, at most half the diameter", "m")

    def misfits(self) -> Iterator[tuple[str, str]]:
        """Sizes that do not fit the others, as key and message."""
        yield from thick_wall("thickness", self.thickness, self.diameter, "diameter")

    @property
    def area(self) -> float:
        """Area [m^2]."""
        return math.pi * self.thickness * (self.diameter - self.thickness)

    @property
    def second_moment_y(self) -> float:
        """``int z^2 dA`` [m^4]."""
        inner = self.diameter - 2 * self.thickness
        return self.area * (self.diameter**2 + inner**2) / 16

    @property
    def half_sizes(self) -> tuple[float, float]:
        """Largest distances from the centroid along y and along z [m]."""
        return self.diameter / 2, self.diameter / 2


class RectangularSection(CrossSection):
    """Solid rectangular bar."""

    shape: Literal["rectangle"] = key(SHAPES)
    width: Size = key("width, along z (counts cubed for deflection along z)", "m")
    height: Size = key("height, along y (counts cubed for deflection along y, in the xy plane)", "m")

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
    def half_sizes(self) -> tuple[float, float]:
        """Largest distances from the centroid along y and along z [m]."""
        return self.height / 2, self.width / 2

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


class BoxSection(CrossSection):
    """Rectangular hollow section of constant wall thickness."""

    shape: Literal["box"] = key(SHAPES)
    width: Size = key("outer width, along z (counts cubed for deflection along z)", "m")
    height: Size = key("outer height, along y (counts cubed for deflection along y, in the xy plane)", "m")
    thickness: Size = key("wall thickness, at most half the smaller side", "m")

    def misfits(self) -> Iterator[tuple[str, str]]:
        """Sizes that do not fit the others, as key and message."""
        yield from thick_wall("thickness", self.thickness, min(self.width, self.height), "smaller side")

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
    def half_sizes(self) -> tuple[float, float]:
        """Largest distances from the centroid along y and along z [m]."""
        return self.height / 2, self.width / 2

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
