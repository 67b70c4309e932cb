"""Moves of a joint: from one angle to another in a given time, by a time law of the catalogue; one or several."""

from __future__ import annotations

from math import comb
from typing import Annotated, Any

from pydantic import AfterValidator, BeforeValidator

from flexarm.catalogue import TIME_LAWS
from flexarm.description.motion.path_shapes import LAW, Law
from flexarm.description.values.expression import Expression
from flexarm.description.values.input_model import (
    InputModel,
    at_least_one,
    at_most,
    expected,
    key,
    located,
    wrong,
)
from flexarm.description.values.quantities import Angle, NonNegative, Positive

FLAT = 0.01
"""Part of the time at either end over which the smooth step is 0 or 1 to the last digit."""
RAMP = 0.25
"""Part of the time that a trapezoidal velocity profile takes to gain speed, and to lose it."""
MOST_MOVES = 8
"""Moves in a sequence, as many as make an expression that is not too long."""


class Move(InputModel):
    """Move of a joint from rest to rest; before it the joint stays where it begins, after it where it ends."""

    end: Angle = key("angle, or position, to go to", "rad, prismatic: m", alias="to")
    duration: Positive = key("time that it takes", "s")
    law: Law = key(LAW, default="quintic")
    start: NonNegative | None = key(
        "time at which it begins; by default 0, or the end of the move before", "s", default=None
    )
    begin: Angle | None = key(
        "where to start from; by default where the joint is initially",
        "rad, prismatic: m",
        default=None,
        alias="from",
    )


def _one_or_several(value: Any) -> Any:
    """List of moves, from such a list or a single one."""
    if isinstance(value, dict | Move):
        return [value]
    if not isinstance(value, list | tuple):
        raise expected("{to: .., duration: ..} or a list of such moves")
    return value


def _in_sequence(moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """Check that each move begins where and after the one before ends, and give it the time at which it begins."""
    ready, free = [], 0.0
    for k, move in enumerate(moves):
        if k and move.begin is not None:
            raise located(
                [((k, "from"), wrong("got it in a later move, which begins where the one before ends"))]
            )
        start = free if move.start is None else move.start
        if start < free - 1e-9 * free:
            message = f"got {start:g} s, but the move before ends at {free:g} s"
            raise located([((k, "start"), wrong(message, "leave it out to continue at once"))])
        free = start + move.duration
        ready.append(move.model_copy(update={"start": start}))
    return tuple(ready)


Moves = Annotated[
    tuple[Move, ...],
    AfterValidator(_in_sequence),
    at_most(MOST_MOVES, "moves; a longer motion belongs into a table"),
    at_least_one("move"),
    BeforeValidator(_one_or_several, json_schema_input_type=Move | list[Move]),
]
"""Moves of a joint one after the other; it rests in between."""


def angle_over_time(moves: tuple[Move, ...], initial: float) -> Expression:
    """Coordinate [rad, m] over time of a joint that makes these moves, from its initial one unless they say another."""
    begin = moves[0].begin
    values, text = {"a0": initial if begin is None else begin}, "a0"
    for k, move in enumerate(moves, start=1):
        values |= {f"a{k}": move.end, f"s{k}": move.start, f"T{k}": move.duration}
        text += f" + (a{k} - a{k - 1})*({law_text(move.law, f'min(max((t - s{k})/T{k},0),1)')})"
    return Expression(text, tuple(values.items()))


def moves_text(moves: tuple[Move, ...], unit: str) -> str:
    """Say where to, in the unit of the joint's coordinate, when and how."""
    said = (f"{m.end:g} {unit} in {m.duration:g} s from t = {m.start:g} s, {m.law}" for m in moves)
    return "move to " + ", then to ".join(said)


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
