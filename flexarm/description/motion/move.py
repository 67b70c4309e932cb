"""Move of a joint: from one angle to another in a given time, by a time law of the catalogue."""

from __future__ import annotations

from math import comb

from flexarm.catalogue import TIME_LAWS
from flexarm.description.motion.path_shapes import LAW, Law
from flexarm.description.values.expression import Expression
from flexarm.description.values.input_model import InputModel, key
from flexarm.description.values.quantities import Angle, NonNegative, Positive

FLAT = 0.01
"""Part of the time at either end over which the smooth step is 0 or 1 to the last digit."""
RAMP = 0.25
"""Part of the time that a trapezoidal velocity profile takes to gain speed, and to lose it."""


class Move(InputModel):
    """Move of a joint from rest to rest; before it the joint stays where it begins, after it where it ends."""

    end: Angle = key("angle, or position, to go to", "rad, prismatic: m", alias="to")
    duration: Positive = key("time that it takes", "s")
    law: Law = key(LAW, default="quintic")
    start: NonNegative = key("time at which it begins", "s", default=0.0)
    begin: Angle | None = key(
        "where to start from; where the joint is initially unless given",
        "rad, prismatic: m",
        default=None,
        alias="from",
    )

    def angle(self, initial: float) -> Expression:
        """Coordinate of the joint over time, from its initial one [rad or m] unless another was given."""
        begin = initial if self.begin is None else self.begin
        values = {"q_0": begin, "q_1": self.end, "t_0": self.start, "T": self.duration}
        return Expression(
            f"q_0 + (q_1 - q_0)*({law_text(self.law, 'min(max((t - t_0)/T, 0), 1)')})", tuple(values.items())
        )

    def text(self, unit: str) -> str:
        """Say where to, in the unit of the joint's coordinate, when and how."""
        return f"move to {self.end:g} {unit} in {self.duration:g} s from t = {self.start:g} s, {self.law}"


def step_polynomial(vanishing: int) -> list[int]:
    """Powers of x, highest first, from 0 to 1 with so many rates 0 at both ends; degree 2 vanishing + 1."""
    n = vanishing
    rising = [(-1) ** k * comb(n + k, k) * comb(2 * n + 1, n - k) for k in range(n + 1)]
    return [*rising[::-1], *[0] * (n + 1)]


def law_text(law: str, x: str) -> str:
    """Time law as an expression: the fraction of a way as x goes from 0 to 1."""
    if law == "trapezoidal":
        ramp, speed = RAMP, 1 / (1 - RAMP)
        square = speed / (2 * ramp)
        return (
            f"{square!r}*min({x}, {ramp})**2 + {speed!r}*(min(max({x}, {ramp}), {1 - ramp}) - {ramp})"
            f" + {square!r}*({ramp}**2 - (1 - max({x}, {1 - ramp}))**2)"
        )
    vanishing = TIME_LAWS[law].vanishing
    if not vanishing:
        inside = f"min(max({x}, {FLAT}), {1 - FLAT})"
        return f"0.5 + 0.5*tanh(0.5/(1 - {inside}) - 0.5/{inside})"
    first, *others = step_polynomial(vanishing)[: vanishing + 1]
    text = f"{first}"
    for coefficient in others:
        text = f"({coefficient} + {x}*{text})"
    return f"({x})**{vanishing + 1}*{text}"
