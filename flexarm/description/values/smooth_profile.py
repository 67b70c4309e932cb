"""Smooth profiles: quantities along a link that follow from sizes which are linear between stations."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Self

from flexarm.description.values.profile import Profile

if TYPE_CHECKING:
    import numpy as np

DEGREE = 4
"""Degree of the polynomial between two knots: that of second moments where sizes are linear."""
WEIGHTS = (7 / 90, 32 / 90, 12 / 90, 32 / 90, 7 / 90)
"""Boole's rule, exact to degree 5: the weights of the stations of a panel of unit length."""


class SmoothProfile(Profile):
    """Profile through values at `DEGREE` + 1 equidistant stations of each panel; a polynomial within each."""

    @classmethod
    def through(cls, knots: Sequence[float], value: Callable[[float], float]) -> Self:
        """Take the values of a function of xi = eta / length between knots that ascend from 0 to 1."""
        eta = [
            start + (end - start) * k / DEGREE
            for start, end in itertools.pairwise(knots)
            for k in range(DEGREE)
        ]
        eta.append(1.0)
        return cls(eta=tuple(eta), values=tuple(value(xi) for xi in eta))

    @property
    def knots(self) -> tuple[float, ...]:
        """Stations between which the profile is a polynomial, as fractions of the length."""
        return self.eta[::DEGREE]

    @property
    def mean(self) -> float:
        """Mean over the length, in the unit of the values."""
        return sum(
            (end - start) * sum(w * v for w, v in zip(WEIGHTS, self.values[DEGREE * k :], strict=False))
            for k, (start, end) in enumerate(itertools.pairwise(self.knots))
        )

    def at(self, xi: np.ndarray) -> np.ndarray:
        """Evaluate the profile at the fractions `xi` of the length, (...) [1]; (...) in the unit of the values."""
        import numpy as np

        knots = np.array(self.knots)
        xi = np.clip(xi, 0.0, 1.0)
        panel = np.clip(np.searchsorted(knots, xi, side="right") - 1, 0, len(knots) - 2)
        s = DEGREE * (xi - knots[panel]) / (knots[panel + 1] - knots[panel])  # 0 to DEGREE within the panel
        nodes, values = range(DEGREE + 1), np.array(self.values)
        terms = [
            values[DEGREE * panel + j] * np.prod([(s - i) / (j - i) for i in nodes if i != j], axis=0)
            for j in nodes  # Lagrange's polynomials
        ]
        return np.sum(terms, axis=0)

    def stretch(self, k: int, n: int) -> Self:
        """Stretch k, from 0, of n equal ones, as a profile of its own."""
        if self.is_constant:
            return self
        inside = [xi * n - k for xi in self.knots if k / n < xi < (k + 1) / n]
        at = self.at
        return self.through((0.0, *inside, 1.0), lambda xi: float(at((xi + k) / n)))  # pyright: ignore
