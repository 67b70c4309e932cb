"""Rolled or welded I section."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Literal

from flexarm.description.arm.link.sections.closed_shapes import SHAPES
from flexarm.description.arm.link.sections.cross_section import CrossSection, Size, thick_wall
from flexarm.description.values.input_model import key
from flexarm.description.values.quantities import NonNegative

_SPANDREL = 1 - math.pi / 4  # area between a quarter circle of unit radius and its two tangents
_SPANDREL_CENTROID = (5 / 6 - math.pi / 4) / _SPANDREL  # distance from each tangent
_SPANDREL_MOMENT = (
    1 / 3 - 5 * math.pi / 16 + 2 / 3
)  # second moment about a tangent: square less quarter circle


class ISection(CrossSection):
    """I section with two equal flanges; the web lies along y, the flanges along z."""

    shape: Literal["I"] = key(SHAPES)
    height: Size = key("height over the flanges, along y (counts cubed for deflection along y)", "m")
    width: Size = key("width of the flanges, along z", "m")
    web: Size = key("thickness of the web, at most half the width", "m")
    flange: Size = key("thickness of the flanges, at most half the height", "m")
    radius: NonNegative = key("radius of the fillets between web and flanges; 0 = none", "m", default=0.0)

    def misfits(self) -> Iterator[tuple[str, str]]:
        """Sizes that do not fit the others, as key and message."""
        yield from thick_wall("web", self.web, self.width, "width")
        yield from thick_wall("flange", self.flange, self.height, "height")
        room = min(self.height / 2 - self.flange, (self.width - self.web) / 2)
        if self.radius > max(room, 0.0) * (1 + 1e-12):
            yield (
                "radius",
                f"got {self.radius:g}, expected at most {max(room, 0.0):g} m, which web and flange leave",
            )

    @property
    def clear_height(self) -> float:
        """Height of the web between the flanges [m]."""
        return self.height - 2 * self.flange

    @property
    def area(self) -> float:
        """Area [m^2]."""
        return 2 * self.width * self.flange + self.clear_height * self.web + 4 * _SPANDREL * self.radius**2

    @property
    def second_moment_y(self) -> float:
        """``int z^2 dA`` [m^4]."""
        plates = 2 * self.flange * self.width**3 + self.clear_height * self.web**3
        return plates / 12 + 4 * self._spandrel(self.web / 2, 1)

    @property
    def second_moment_z(self) -> float:
        """``int y^2 dA`` [m^4]."""
        h, inner = self.height, self.clear_height
        plates = self.width * (h**3 - inner**3) + self.web * inner**3
        return plates / 12 + 4 * self._spandrel(inner / 2, -1)

    @property
    def flange_first_moment_z(self) -> float:
        """First moment [m^3] about z of one flange and its fillets."""
        flange = self.width * self.flange * (self.height - self.flange) / 2
        centroid = self.clear_height / 2 - _SPANDREL_CENTROID * self.radius
        return flange + 2 * _SPANDREL * self.radius**2 * centroid

    @property
    def half_sizes(self) -> tuple[float, float]:
        """Largest distances from the centroid along y and along z [m]."""
        return self.height / 2, self.width / 2

    @property
    def torsion_constant(self) -> float:
        """J of Saint-Venant torsion [m^4]; warping is free.

        Notes
        -----
        [EDJ65] for flanges of constant thickness, as tables of rolled sections print it: thin plates, b t^3 / 3, less
        the loss 0.105 t^4 at each end of a flange, plus alpha D^4 at each junction with D the diameter of the largest
        circle within it. Without fillets and for thin plates that is the sum of b t^3 / 3 of thin-walled open sections.
        """
        b, t, s, r = self.width, self.flange, self.web, self.radius
        alpha = s / t * (0.145 + 0.1 * r / t)
        D = ((r + s / 2) ** 2 + (r + t) ** 2 - r**2) / (2 * r + t)
        return 2 / 3 * (b - 0.63 * t) * t**3 + self.clear_height * s**3 / 3 + 2 * alpha * D**4

    def _spandrel(self, edge: float, side: int) -> float:
        """Second moment [m^4] of a fillet that extends from a line at the distance `edge`, outward or inward."""
        r, area = self.radius, _SPANDREL * self.radius**2
        return area * edge**2 + 2 * side * edge * area * _SPANDREL_CENTROID * r + _SPANDREL_MOMENT * r**4
