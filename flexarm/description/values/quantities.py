"""Numbers, angles, vectors and signals as they are typed in YAML; inside, all are SI and radians."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainValidator,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    WrapValidator,
)

from flexarm.description.values.expression import Expression
from flexarm.description.values.input_model import expected

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_ANGLE = re.compile(rf"\s*({_NUMBER})\s*(deg|rad)\s*")
_ANGULAR_RATE = re.compile(rf"\s*({_NUMBER})\s*(deg|rad)/s\s*")

Real = Annotated[float, Field(strict=True, allow_inf_nan=False)]
Positive = Annotated[float, Field(strict=True, allow_inf_nan=False, gt=0)]
NonNegative = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0)]
FixedTime = Annotated[Positive, AfterValidator(lambda value: Fixed(value))]
Flag = Annotated[bool, Field(strict=True)]


def _whole(value: Any) -> Any:
    """Let ``1e6`` count as a whole number."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


WHOLE = BeforeValidator(_whole)
Count = Annotated[int, Field(strict=True, ge=1, le=10**12), WHOLE]


def is_number(value: Any) -> bool:
    """True if `value` is a plain number (YAML's true and false are not)."""
    return isinstance(value, int | float) and not isinstance(value, bool)


class TypedAngle(float):
    """Angle [rad], or its rate, that was typed with its unit: it cannot be the position of what slides."""


class Fixed(float):
    """Number that belongs to the structure of an arm: arms that differ in it share no equations."""


def angle(value: Any) -> Any:
    """An angle in rad, from a number or a text such as ``30 deg``."""
    return _with_unit(value, _ANGLE, 'a number in rad or an angle such as "30 deg"')


def angular_rate(value: Any) -> Any:
    """A rate in rad/s, from a number or a text such as ``30 deg/s``."""
    return _with_unit(value, _ANGULAR_RATE, 'a number in rad/s or a rate such as "30 deg/s"')


def _with_unit(value: Any, pattern: re.Pattern[str], what: str) -> Any:
    if is_number(value):
        return value
    found = pattern.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise expected(what)
    number = float(found[1])
    return TypedAngle(math.radians(number) if found[2] == "deg" else number)


def read_by(read: Callable[[Any], Any]) -> WrapValidator:
    """Validator of numbers that may be typed with a unit of angle, which it does not forget."""

    def validated(value: Any, real: ValidatorFunctionWrapHandler) -> float:
        number = read(value)
        return TypedAngle(real(number)) if isinstance(number, TypedAngle) else real(number)

    return WrapValidator(validated)


def _number_or_text(pattern: str, example: str) -> dict[str, Any]:
    text = {"type": "string", "pattern": pattern, "examples": [example]}
    return {"anyOf": [{"type": "number"}, text]}


ANGLE_SCHEMA = _number_or_text(rf"^\s*{_NUMBER}\s*(deg|rad)\s*$", "30 deg")
_RATE_SCHEMA = _number_or_text(rf"^\s*{_NUMBER}\s*(deg|rad)/s\s*$", "30 deg/s")
Angle = Annotated[Real, read_by(angle), WithJsonSchema(ANGLE_SCHEMA)]
AngularRate = Annotated[Real, read_by(angular_rate), WithJsonSchema(_RATE_SCHEMA)]


def _three(value: Any) -> Any:
    if not isinstance(value, list | tuple) or len(value) != 3:
        raise expected("a list of 3 numbers [x, y, z]")
    return value


def _about_z(value: Any) -> Any:
    if is_number(value):
        return (0.0, 0.0, value)
    if not isinstance(value, list | tuple) or len(value) != 3:
        raise expected("a number (about z) or 3 numbers about x, y, z")
    return value


def _three_of(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item, "minItems": 3, "maxItems": 3}


Vector = Annotated[
    tuple[Real, Real, Real], BeforeValidator(_three), WithJsonSchema(_three_of({"type": "number"}))
]
AngleVector = Annotated[tuple[Angle, Angle, Angle], BeforeValidator(_three)]
Inertia3 = Annotated[
    tuple[NonNegative, NonNegative, NonNegative],
    BeforeValidator(_about_z),
    WithJsonSchema(
        {"anyOf": [{"type": "number", "minimum": 0}, _three_of({"type": "number", "minimum": 0})]}
    ),
]


def _six(value: Any) -> Any:
    if is_number(value):
        return (0.0, 0.0, value, 0.0, 0.0, 0.0)
    if not isinstance(value, list | tuple) or len(value) not in (3, 6):
        raise expected("a number (about z), 3 numbers [xx, yy, zz] or 6 numbers [xx, yy, zz, xy, xz, yz]")
    return tuple(value) + (0.0,) * (6 - len(value))


def _positive_semidefinite(value: tuple[float, ...]) -> tuple[float, ...]:
    import numpy as np

    xx, yy, zz, xy, xz, yz = value
    principal = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if principal[0] < -1e-12 * max(abs(principal)):
        raise expected(
            "an inertia whose principal moments are not negative",
            f"the principal moments are {', '.join(f'{moment:.4g}' for moment in principal)} kg m^2",
        )
    return value


def _of_a_mass(value: tuple[float, ...]) -> tuple[float, ...]:
    """Principal moments that some distribution of mass has: none exceeds the sum of the others.

    A moment about z alone, as planar arms need it, says nothing of the others.
    """
    import numpy as np

    xx, yy, zz, xy, xz, yz = value
    if not any((xx, yy, xy, xz, yz)):
        return value
    least, middle, largest = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    if largest > (least + middle) * (1 + 1e-6):
        raise expected(
            "an inertia of which no principal moment exceeds the sum of the other two",
            f"the principal moments are {least:.4g}, {middle:.4g}, {largest:.4g} kg m^2: no body has them",
        )
    return value


_numbers = {"type": "array", "items": {"type": "number"}}
Inertia6 = Annotated[
    tuple[Real, Real, Real, Real, Real, Real],
    BeforeValidator(_six),
    AfterValidator(_positive_semidefinite),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "number", "minimum": 0},
                {**_numbers, "minItems": 3, "maxItems": 3},
                {**_numbers, "minItems": 6, "maxItems": 6},
            ]
        }
    ),
]
BodyInertia = Annotated[Inertia6, AfterValidator(_of_a_mass)]
"""Inertia whose principal moments fulfil the triangle inequality."""


_NUMBER_OR_EXPRESSION = {"anyOf": [{"type": "number"}, {"type": "string"}]}


def _pairs(value: Any) -> Any:
    if not isinstance(value, dict | tuple):
        raise expected("names and values")
    return tuple(value.items()) if isinstance(value, dict) else value


PARAMETERS_TEXT = "named numbers, or expressions of other parameters; any number may be an expression of them"
Parameters = Annotated[
    tuple[tuple[str, Real], ...],
    BeforeValidator(_pairs),
    WithJsonSchema({"type": "object", "additionalProperties": _NUMBER_OR_EXPRESSION}),
]
"""Parameters of a description, each with its value [SI units, rad]."""


def signal(value: Any) -> float | Expression:
    """A number, or an expression of t."""
    if isinstance(value, Expression):
        return value
    if isinstance(value, str):
        if re.fullmatch(rf"\s*{_NUMBER}\s*", value) is None:
            return Expression(value)
        value = float(value)
    if not is_number(value) or not math.isfinite(value):
        raise expected("a finite number or an expression of t such as '5*sin(2*pi*t)'")
    return float(value)


Signal = Annotated[float | Expression, PlainValidator(signal, json_schema_input_type=float | str)]
SignalVector = Annotated[
    tuple[Signal, Signal, Signal],
    BeforeValidator(_three),
    WithJsonSchema(_three_of(_NUMBER_OR_EXPRESSION)),
]
