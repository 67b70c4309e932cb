"""What controllers are made of: state-space matrices, PID, filters, delays and limits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, ValidationInfo, WithJsonSchema, model_validator

from flexarm.description.values.frequency import Frequency
from flexarm.description.values.input_model import Faults, InputModel, expected, key, located, wrong
from flexarm.description.values.quantities import FixedTime, Flag, NonNegative, Positive, Real, is_number

MOST_STATES = 200
MOST_ORDER = 10
"""Of a Pade approximation: beyond it round-off of its coefficients shows."""

Matrix = tuple[tuple[float, ...], ...]


def _rows(value: Any) -> Any:
    if is_number(value):
        return ((value,),)
    if isinstance(value, list | tuple) and all(map(is_number, value)) and value:
        return (tuple(value),)
    if not isinstance(value, list | tuple) or not all(isinstance(row, list | tuple) for row in value):
        raise expected("a matrix: a list of rows such as [[0, 1], [-4, -2]], or a number")
    return value


MatrixInput = Annotated[
    tuple[tuple[Real, ...], ...],
    BeforeValidator(_rows),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number"},
                {"type": "array", "items": {"type": "number"}},
                {"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
            ]
        }
    ),
]


def size(matrix: Matrix) -> tuple[int, int]:
    """Numbers of rows and of columns."""
    return len(matrix), len(matrix[0]) if matrix else 0


def is_zero(entry: Any) -> bool:
    """Whether an entry of a matrix is the number 0, and no symbol that stands for several numbers."""
    return isinstance(entry, int | float) and not entry


class StateSpace(InputModel):
    """State-space controller x_d = A x + B u, y = C x + D u."""

    A: MatrixInput = key("matrix A, states by states", "1/s")
    B: MatrixInput = key("matrix B, states by signals", "per signal")
    C: MatrixInput = key("matrix C, outputs by states", "of outputs")
    D: MatrixInput | None = key("matrix D, outputs by signals; 0 unless given", "of outputs", default=None)

    @property
    def direct(self) -> Matrix:
        """Matrix D, outputs by inputs."""
        return self.D if self.D is not None else ((0.0,) * size(self.B)[1],) * size(self.C)[0]

    @model_validator(mode="after")
    def _check(self) -> Self:
        if faults := list(self._faults()):
            raise located(faults)
        return self

    def _faults(self) -> Faults:
        for name in "ABCD":
            matrix = getattr(self, name)
            if matrix is not None and len({len(row) for row in matrix}) != 1:
                yield (name,), wrong("got rows of several lengths, or none", "expected a list of equal rows")
                return
        n = len(self.A)
        if n > MOST_STATES:
            yield ("A",), wrong(f"got {n} states, expected at most {MOST_STATES}")
            return
        inputs, outputs = size(self.B)[1], size(self.C)[0]
        for name, shape in {"A": (n, n), "B": (n, inputs), "C": (outputs, n), "D": (outputs, inputs)}.items():
            matrix = getattr(self, name)
            if matrix is not None and size(matrix) != shape:
                got, right = ("{} x {}".format(*each) for each in (size(matrix), shape))
                yield (name,), wrong(f"got {got} numbers, expected {right}", "rows x columns")


def _state_space(value: Any, info: ValidationInfo) -> Any:
    if isinstance(value, dict | StateSpace):
        return value
    if not isinstance(value, str):
        raise expected("the name of an .npz file, or {A: .., B: .., C: .., D: ..}")
    read = (info.context or {}).get("read_state_space")
    if read is None:
        raise wrong(
            f"got the file {value!r}, but this text has no folder to look for files in",
            "write the matrices themselves: {A: .., B: .., C: .., D: ..}",
        )
    return read(value)


StateSpaceInput = Annotated[
    StateSpace | None, BeforeValidator(_state_space, json_schema_input_type=str | StateSpace)
]
"""Matrices of a controller; typed as the name of an .npz file beside the arm's, or as its keys."""


class PIDTerms(InputModel):
    """PID of one input e: kp e + ki int e dt + kd e_d, the rate through a filter of first order."""

    kp: Real = key("gain of the signal", "output/signal", default=0.0)
    ki: Real | None = key("gain of its integral, if it has one", "output/(signal s)", default=None)
    kd: Real | None = key("gain of its rate, if it has one", "output s/signal", default=None)
    derivative_filter: Frequency | None = key(
        "cut-off frequency of the filter that the rate passes through", "Hz", default=None
    )
    anti_windup: Flag = key(
        "whether the integral follows e + (torque - demanded torque)/kp where the drive that takes its output is at "
        "the motor's limit (saturate)",
        default=False,
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.kd is not None and self.derivative_filter is None:
            fault = wrong(
                "a rate needs a filter, or noise and steps have no bound", "e.g. derivative_filter: 50 Hz"
            )
            raise located([(("kd",), fault)])
        if self.anti_windup and not (self.ki is not None and self.kp > 0):
            fault = wrong("got anti_windup, which needs ki and kp > 0", "give both, or remove it")
            raise located([(("anti_windup",), fault)])
        return self


class LowPass(InputModel):
    """Low-pass filter of first or second order, with gain 1 at frequency 0."""

    frequency: Frequency = key("cut-off frequency", "Hz")
    order: Annotated[int, Field(strict=True, ge=1, le=2)] = key("order, 1 or 2", default=1)
    damping: Positive = key("damping ratio of one of order 2", "-", default=math.sqrt(0.5))


class Notch(InputModel):
    """Notch (s^2 + 2 depth width w s + w^2)/(s^2 + 2 width w s + w^2)."""

    frequency: Frequency = key("frequency that is held back", "Hz")
    width: Positive = key("damping ratio of the denominator: how wide it is", "-", default=0.5)
    depth: NonNegative = key("gain at that frequency, 0 = nothing passes", "-", default=0.0)


class Lead(InputModel):
    """Lead (1 + s/zero)/(1 + s/pole); with the pole below the zero a lag."""

    zero: Frequency = key("frequency from which on the gain rises", "Hz")
    pole: Frequency = key("frequency from which on it stays", "Hz")


class Delay(InputModel):
    """Delay by a time: exact if it is sampled, else a Pade approximation of numerator and denominator of one order."""

    time: FixedTime = key("how late the output is", "s")
    order: Annotated[int, Field(strict=True, ge=1, le=MOST_ORDER)] = key(
        f"order of the approximation, at most {MOST_ORDER}", default=3
    )


class RateLimit(InputModel):
    """Limit of a rate: y follows u with y_d = w (u - y), but no faster than the rate."""

    rate: Positive = key("largest rate", "output/s")
    frequency: Frequency = key("w: how closely slower signals are followed", "Hz", default=100.0)


def bounds(value: Any) -> Any:
    """Two numbers, the lesser first."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise expected("a list of 2 numbers, [least, largest]")
    return value


Bounds = Annotated[tuple[Real, Real], BeforeValidator(bounds)]


def bounds_faults(name: str, value: Sequence[float] | None) -> Faults:
    """Fault of bounds that are the wrong way round."""
    if value is not None and not value[0] < value[1]:
        yield (name,), wrong(f"got {value[0]:g} to {value[1]:g}, expected the least before the largest value")
