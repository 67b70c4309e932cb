"""Input shapers: impulses with which a reference is convolved, so that it does not excite a mode of the arm.

Impulses of amplitudes A_i at t_i leave a vibration of natural frequency w and damping ratio zeta which is, over that of
one impulse, ``exp(-zeta w t_n) |sum A_i exp((zeta + j sqrt(1 - zeta^2)) w t_i)|`` [SingerSeering1990]. Amplitudes of
the undamped shapers below are multiplied by ``exp(-zeta w t_i)``, then scaled to the sum 1: what is left of the mode is
then 0, or, of those that leave some, at most their tolerance.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, Self

from pydantic import BeforeValidator, Field, WithJsonSchema, model_validator

from flexarm.description.values.expression import Expression
from flexarm.description.values.frequency import TYPED, hertz
from flexarm.description.values.input_model import (
    Faults,
    InputModel,
    at_least_one,
    at_most,
    expected,
    key,
    wrong,
)
from flexarm.description.values.quantities import is_number
from flexarm.description.values.shaped_expression import ShapedExpression


class UndampedShaper(NamedTuple):
    """Shaper of a mode without damping.

    Attributes
    ----------
    amplitudes : callable
        From the tolerance to the impulses, whose sum is 1.
    spacing : float
        Time between two of them, over the period of the vibration.
    has_tolerance : bool
        Whether it leaves some vibration of the mode, the tolerance, to leave little over a wider band.
    description : str
    """

    amplitudes: Callable[[float], tuple[float, ...]]
    spacing: float
    has_tolerance: bool
    description: str


def _two_humps(tolerance: float) -> tuple[float, ...]:
    v2 = tolerance**2
    x = (v2 * (math.sqrt(1 - v2) + 1)) ** (1 / 3)
    first = (3 * x**2 + 2 * x + 3 * v2) / (16 * x)
    return first, 0.5 - first, 0.5 - first, first


def _three_humps(tolerance: float) -> tuple[float, ...]:
    first = (1 + 3 * tolerance + 2 * math.sqrt(2 * (tolerance**2 + tolerance))) / 16
    second = (1 - tolerance) / 4
    return first, second, 1 - 2 * (first + second), second, first


SHAPERS: dict[str, UndampedShaper] = {
    "zv": UndampedShaper(lambda _: (0.5, 0.5), 0.5, False, "zero vibration, half a period longer"),
    "zvd": UndampedShaper(
        lambda _: (0.25, 0.5, 0.25), 0.5, False, "and zero slope over the frequency, 1 period"
    ),
    "zvdd": UndampedShaper(
        lambda _: (0.125, 0.375, 0.375, 0.125), 0.5, False, "and zero second derivative, 1.5 periods"
    ),
    "mzv": UndampedShaper(
        lambda _: (1 - math.sqrt(0.5), math.sqrt(2) - 1, 1 - math.sqrt(0.5)),
        0.375,
        False,
        "zero vibration by three impulses, 0.75 periods",
    ),
    "ei": UndampedShaper(
        lambda v: ((1 + v) / 4, (1 - v) / 2, (1 + v) / 4), 0.5, True, "extra-insensitive, 1 period"
    ),
    "2hump-ei": UndampedShaper(_two_humps, 0.5, True, "in a wider band, 1.5 periods"),
    "3hump-ei": UndampedShaper(_three_humps, 0.5, True, "in a still wider one, 2 periods"),
}
"""Shapers by name: [SingerSeering1990], [SinghoseSeeringSinger1994] and, of several humps, [SinghosePorter1997]."""

MOST_MODES = 4
"""Modes shaped at once: the impulses of their shapers multiply."""
MOST_DAMPED = 0.5
"""Damping ratio up to which a vibration is worth a shaper: of more, less than a sixth is left after half a period."""

if TYPE_CHECKING:
    ShaperType = str
else:
    ShaperType = Literal[tuple(SHAPERS)]


class ShapedMode(NamedTuple):
    """Mode that a shaper does not excite: its natural frequency [Hz], undamped, and its damping ratio."""

    frequency: float
    damping: float


def _auto_or_several(value: Any) -> Any:
    if value == "auto":
        return value
    several = value if isinstance(value, list | tuple) else [value]
    if not all(map(is_number, several)):
        raise expected("auto, a number or a list of numbers")
    return several


def _auto_or_frequencies(value: Any) -> Any:
    several = value if isinstance(value, list | tuple) else [value]
    found = [hertz(each) for each in several]
    if value != "auto" and None in found:
        raise expected('auto, a frequency in Hz such as 1.8, "1.8 Hz" or "11 rad/s", or a list of them')
    return value if value == "auto" else found


_NUMBERS = {"anyOf": [{"const": "auto"}, {"type": "number"}, {"type": "array", "items": {"type": "number"}}]}
_HERTZ = {"anyOf": [*_NUMBERS["anyOf"], TYPED]}
Frequencies = Annotated[
    Literal["auto"] | tuple[Annotated[float, Field(strict=True, gt=0, allow_inf_nan=False)], ...],
    at_most(MOST_MODES, "frequencies"),
    at_least_one("frequency"),
    BeforeValidator(_auto_or_frequencies),
    WithJsonSchema(_HERTZ),
]
Dampings = Annotated[
    Literal["auto"] | tuple[Annotated[float, Field(strict=True, ge=0, lt=1)], ...],
    at_least_one("damping ratio"),
    BeforeValidator(_auto_or_several),
    WithJsonSchema(_NUMBERS),
]


class Shaper(InputModel):
    """Input shaper of a reference or of a prescribed motion: convolution with a few impulses, whose sum is 1."""

    type: ShaperType = key("; ".join(f"{name}: {one.description}" for name, one in SHAPERS.items()))
    frequency: Frequencies = key(
        "natural frequency of the mode that is not to be excited, or of several; auto = the arm's lowest lightly "
        "damped one where the motion ends, its joints driven as they are",
        "Hz",
        default="auto",
    )
    damping: Dampings | None = key(
        "damping ratio of each mode; auto = that of the arm's mode; by default auto if the frequency is, else 0",
        "-",
        default=None,
    )
    tolerance: Annotated[float, Field(strict=True, gt=0, lt=1)] | None = key(
        "residual vibration that ei, 2hump-ei and 3hump-ei leave of the mode, over that without a shaper; by default "
        "0.05",
        "-",
        default=None,
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.tolerance is not None and not SHAPERS[self.type].has_tolerance:
            raise wrong(
                f"got a tolerance, but {self.type} leaves no vibration of its mode",
                "remove it, or take type: ei",
            )
        if self.frequency == "auto" and self.damping not in (None, "auto"):
            raise wrong(
                "got a damping ratio, but no frequency that has it", "give the frequency, or remove it"
            )
        if (
            self.frequency != "auto"
            and isinstance(self.damping, tuple)
            and len(self.damping) not in (1, len(self.frequency))
        ):
            raise wrong(f"got {len(self.damping)} damping ratios for {len(self.frequency)} frequencies")
        return self

    def __str__(self) -> str:
        """Say type and modes: ``zv shaper at 1.802 Hz (damping 0.005)``."""
        if self.is_open:
            return f"{self.type} shaper at the arm's own frequency"
        each = (f"{f:.4g} Hz" + f" (damping {z:.3g})" * (z > 0) for f, z in self.modes)
        return f"{self.type} shaper at {' and '.join(each)}"

    @property
    def is_open(self) -> bool:
        """True if the arm has to say what frequency, or what damping ratio, the mode has."""
        return "auto" in (self.frequency, self.damping)

    @property
    def modes(self) -> tuple[ShapedMode, ...]:
        """The modes; none while they are open."""
        if self.is_open:
            return ()
        damping = self.damping or (0.0,)
        ratios = damping * len(self.frequency) if len(damping) == 1 else damping
        return tuple(itertools.starmap(ShapedMode, zip(self.frequency, ratios, strict=True)))  # pyright: ignore

    @property
    def impulses(self) -> tuple[tuple[float, float], ...]:
        """Impulses (amplitude, time [s]), ascending; (1, 0) while the modes are open."""
        found = {0.0: 1.0}
        for mode in self.modes:
            combined: dict[float, float] = {}
            for (t1, a1), (a2, t2) in itertools.product(found.items(), self._impulses_of(mode)):
                combined[t1 + t2] = combined.get(t1 + t2, 0.0) + a1 * a2
            found = combined
        return tuple((amplitude, time) for time, amplitude in sorted(found.items()))

    @property
    def delay(self) -> float:
        """Time [s] by which the shaped motion ends later."""
        return self.impulses[-1][1]

    def with_modes(self, modes: Sequence[ShapedMode]) -> Shaper:
        """Return the same shaper of these modes."""
        frequency, damping = zip(*modes, strict=True)
        return self.model_copy(update={"frequency": frequency, "damping": damping})

    def shaped(self, signal: Expression) -> Expression:
        """Convolve a signal with the impulses; a shaped one anew."""
        return ShapedExpression(signal.text, signal.parameters, self.impulses)

    def _impulses_of(self, mode: ShapedMode) -> list[tuple[float, float]]:
        own = SHAPERS[self.type]
        step = own.spacing / (mode.frequency * math.sqrt(1 - mode.damping**2))
        decay = math.exp(-2 * math.pi * mode.frequency * mode.damping * step)
        damped = [a * decay**k for k, a in enumerate(own.amplitudes(self.tolerance or 0.05))]
        return [(a / sum(damped), k * step) for k, a in enumerate(damped)]


def shaped(shaper: Shaper | None, signal: Expression) -> Expression:
    """Signal as a drive follows it, shaped if there is a shaper."""
    return signal if shaper is None else shaper.shaped(signal)


def shaper_faults(shaper: Shaper | None, signal: object, name: str, moves: bool = False) -> Faults:
    """Faults of a shaper of what it cannot shape: a table that was measured or computed, what does not change."""
    if shaper is None or (signal is None and (moves or name == "reference")):
        return
    if isinstance(signal, Expression):
        if "t" not in signal.names:
            yield ("shaper",), wrong(f"got a shaper of a {name} that stays", "let it change, e.g. by move")
    elif signal is None:
        where = "the shaper of a PD's reference stands in pd, beside reference or move"
        yield ("shaper",), wrong("got a shaper, but neither motion nor move", where)
    elif signal == "hold":
        yield ("shaper",), wrong("got a shaper of a joint that stays", "remove it")
    else:
        hint = f"give the {name} as an expression of t or as move, or shape the table yourself"
        yield ("shaper",), wrong(f"got a shaper of a {name} given by a table", hint)
