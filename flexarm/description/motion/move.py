"""Moves of a joint: from one angle to another in a given time, by a time law of the catalogue; one or several."""

from __future__ import annotations

import math
from math import comb
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, model_validator

from flexarm.catalogue import TIME_LAWS
from flexarm.description.motion.path_shapes import LAW, Law
from flexarm.description.values.expression import Expression
from flexarm.description.values.input_model import (
    Faults,
    InputModel,
    absent,
    at_least_one,
    at_most,
    expected,
    key,
    located,
    wrong,
)
from flexarm.description.values.quantities import Angle, NonNegative, Positive
from flexarm.hints import listed

FLAT = 0.01
"""Part of the time at either end over which the smooth step is 0 or 1 to the last digit."""
RAMP = 0.25
"""Part of the time that a trapezoidal velocity profile takes to gain speed, and to lose it."""
SHORTEST = 1e-6
"""Time [s] that a move over no distance takes at its largest speed."""
PROFILES = {
    "trapezoidal": ("speed", "acceleration"),
    "s-curve": ("speed", "acceleration", "jerk"),
}
"""Laws that keep to limits, and to which."""
LIMITS = PROFILES["s-curve"]
MOST_MOVES = 8
"""Moves in a sequence, as many as make an expression that is not too long."""


class Move(InputModel):
    """Move of a joint from rest to rest; before it the joint stays where it begins, after it where it ends.

    It takes the time that is typed, or the least that limits of its speed, acceleration and jerk allow.
    """

    end: Angle = key("angle, or position, to go to", "rad, prismatic: m", alias="to")
    duration: Positive | None = key(
        "time that it takes; or give limits instead, speed and acceleration", "s", default=None
    )
    law: Law | None = key(f"{LAW}; by default quintic, with limits trapezoidal or s-curve", default=None)
    start: NonNegative | None = key(
        "time at which it begins; by default 0, or the end of the move before", "s", default=None
    )
    begin: Angle | None = key(
        "where to start from; by default where the joint is initially",
        "rad, prismatic: m",
        default=None,
        alias="from",
    )
    speed: Positive | None = key(
        "largest speed, in the place of a duration", "rad/s, prismatic: m/s", default=None
    )
    acceleration: Positive | None = key(
        "largest acceleration, beside a speed", "rad/s^2, prismatic: m/s^2", default=None
    )
    jerk: Positive | None = key(
        "largest rate of the acceleration, beside both, for an s-curve",
        "rad/s^3, prismatic: m/s^3",
        default=None,
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        given = [name for name in LIMITS if getattr(self, name) is not None]
        if faults := list(self._faults(given)):
            raise located(faults)
        limited = "s-curve" if self.jerk is not None else "trapezoidal"
        self._assign(law=self.law or (limited if given else "quintic"))
        return self

    def _faults(self, given: list[str]) -> Faults:
        if not given:
            if self.duration is None:
                yield ("duration",), absent("time that it takes [s], or limits: speed and acceleration")
            return
        if self.duration is not None:
            yield (
                ("duration",),
                wrong(f"got a duration besides {listed(given)}, which give it", "remove one of them"),
            )
        if self.law not in (None, *PROFILES):
            hint = f"law: {' or '.join(PROFILES)}"
            yield (
                ("law",),
                wrong(f"got {self.law}, whose speed and acceleration have no limits to keep to", hint),
            )
            return
        needed = PROFILES[
            "s-curve" if self.jerk is not None and self.law is None else self.law or "trapezoidal"
        ]
        for name in LIMITS:
            if name in needed and name not in given:
                yield (name,), absent(f"largest {name}, beside {listed(given)}")
            elif name in given and name not in needed:
                yield (name,), wrong(f"got a largest {name}, which {self.law} has not", "law: s-curve")

    @property
    def is_limited(self) -> bool:
        """True if limits of its speed and acceleration say how long it takes."""
        return self.speed is not None

    def phases(self, distance: float) -> tuple[float, float, float]:
        """Time [s] that it takes over a distance [rad, m], that of gaining speed, and that of gaining acceleration.

        The least within its limits [BiagiottiMelchiorri2008]: where the way is too short for the speed, or for the
        acceleration, these stay below their limits. Of moves without a jerk, the last one is 0.
        """
        speed, acceleration = self.speed or math.inf, self.acceleration or math.inf
        jerk = self.jerk or math.inf
        distance = max(distance, SHORTEST * speed)

        def to_speed(v: float) -> tuple[float, float]:
            a = min(acceleration, math.sqrt(v * jerk))
            return a / jerk + v / a, a / jerk

        gain, build = to_speed(speed)
        if speed * gain > distance:  # v gain(v) = distance for a speed below its limit
            build = acceleration / jerk
            gain = build / 2 + math.sqrt(build**2 / 4 + distance / acceleration)
            if gain < 2 * build:
                build = (distance / (2 * jerk)) ** (1 / 3)
                gain = 2 * build
            return 2 * gain, gain, build
        return distance / speed + gain, gain, build


def _one_or_several(value: Any) -> Any:
    """List of moves, from such a list or a single one."""
    if isinstance(value, dict | Move):
        return [value]
    if not isinstance(value, list | tuple):
        raise expected("{to: .., duration: ..} or a list of such moves")
    return value


def _in_sequence(moves: tuple[Move, ...]) -> tuple[Move, ...]:
    """Check that only the first move says where it begins, and, as far as times are known, that none is too early."""
    for k, move in enumerate(moves):
        if k and move.begin is not None:
            raise located(
                [((k, "from"), wrong("got it in a later move, which begins where the one before ends"))]
            )
    if not any(move.is_limited for move in moves):
        if faults := list(start_faults(moves, 0.0)):
            raise located(faults)
        return timed(moves, 0.0)
    return moves


def start_faults(moves: tuple[Move, ...], initial: float) -> Faults:
    """Faults of moves that begin before the one before ends, of a joint that is initially somewhere [rad, m]."""
    free = 0.0
    for k, known in enumerate(timed(moves, initial)):
        start, duration = known.start or 0.0, known.duration or 0.0
        if start < free - 1e-9 * free:
            message = f"got {start:g} s, but the move before ends at {free:g} s"
            yield (k, "start"), wrong(message, "leave it out to continue at once")
        free = start + duration


def timed(moves: tuple[Move, ...], initial: float) -> tuple[Move, ...]:
    """Moves with the times at which they begin, and those that they take where limits say it, from a place [rad, m]."""
    ready, free = [], 0.0
    at = moves[0].begin if moves and moves[0].begin is not None else initial
    for move in moves:
        start = free if move.start is None else move.start
        duration = move.phases(abs(move.end - at))[0] if move.is_limited else move.duration
        assert duration is not None
        ready.append(move.model_copy(update={"start": start, "duration": duration}))
        free, at = start + duration, move.end
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
    """Coordinate [rad, m] over time of a joint that makes timed moves, from its initial one unless they say another."""
    begin = moves[0].begin
    at = initial if begin is None else begin
    values, text = {"a0": at}, "a0"
    for k, move in enumerate(moves, start=1):
        values |= {f"a{k}": move.end, f"s{k}": move.start, f"T{k}": move.duration}
        x, phases = f"(t-s{k})/T{k}", ()
        x = x if move.law == "s-curve" else f"min(max({x},0),1)"
        if move.is_limited:
            whole, *parts = move.phases(abs(move.end - at))
            phases = f"r{k}", f"j{k}"
            values |= dict(zip(phases, (part / whole for part in parts), strict=True))
            if move.law == "trapezoidal":
                del values[f"j{k}"]
        text += f" + (a{k} - a{k - 1})*({law_text(move.law, x, *phases)})"
        at = move.end
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


def law_text(law: str | None, x: str, gain: str = "", build: str = "") -> str:
    """Time law as an expression: the fraction of a way as x goes from 0 to 1; of an s-curve, 0 and 1 beyond.

    ``gain`` and ``build`` are parts of the time in which speed and acceleration are gained, where not the usual ones.
    """
    if law == "trapezoidal":
        ramp = gain or f"{RAMP}"
        square = f"0.5/({ramp}*(1 - {ramp}))"
        return (
            f"{square}*(min({x}, {ramp})**2 + 2*{ramp}*(min(max({x}, {ramp}), 1 - {ramp}) - {ramp})"
            f" + {ramp}**2 - (1 - max({x}, 1 - {ramp}))**2)"
        )
    if law == "s-curve":
        r, j = gain or "3/7", build or "1/7"
        first, second = (_gained(f"min(max({y},0),0.5)", r, j) for y in (x, f"1-{x}"))
        return f"0.5 + ({first} - {second})/(6*({r}-{j})*(1-{r}))"
    vanishing = TIME_LAWS[law or "quintic"].vanishing
    if not vanishing:
        inside = f"min(max({x}, {FLAT}), {1 - FLAT})"
        return f"0.5 + 0.5*tanh(0.5/(1 - {inside}) - 0.5/{inside})"
    first, *others = step_polynomial(vanishing)[: vanishing + 1]
    text = f"{first}"
    for coefficient in others:
        text = f"({coefficient} + {x}*{text})"
    return f"({x})**{vanishing + 1}*{text}"


def _gained(y: str, gain: str, build: str) -> str:
    """Six times the way under a jerk of 1/build, 0 and -1/build until the speed is gained, then at it, as text.

    (y^3 - max(y - j, 0)^3)/j = 3 (y - j/2)^2 + j^2/4 - max(j - y, 0)^3/j, in which no digits are lost where j is short.
    """

    def cubes(y: str) -> str:
        return f"3*({y}-{build}/2)**2-max({build}-{y},0)**3/({build})"

    return f"({cubes(y)}-({cubes(f'max({y}-({gain}-{build}),0)')}))"
