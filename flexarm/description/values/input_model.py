"""Base class of all parts of an input file, and the faults that validators raise: frozen, no unknown keys.

Validators raise :func:`expected` or :func:`wrong`; a check that concerns other keys than its own raises
:func:`located`, which places each fault below the model that found it. ``messages.py`` turns all of them, and
pydantic's own, into lines that name file, line and key.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WrapValidator, model_validator
from pydantic_core import InitErrorDetails, PydanticCustomError, ValidationError

from flexarm.description.values.magnitudes import RANGES, fault_of_size, unit_of

KeyPath = tuple[str | int, ...]
"""Keys and list indices that lead to a value of an input file."""

Faults = Iterator[tuple[KeyPath, PydanticCustomError]]
"""Faults of one model, each with the path of its key below that model."""


class InputModel(BaseModel):
    """A part of an input file: values in SI units and radians, never changed after validation."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    __slots__ = ("_hash",)

    def __hash__(self) -> int:
        """Hash once: parts of a description are keys of caches again and again."""
        try:
            return _HASH.__get__(self)
        except AttributeError:
            _HASH.__set__(self, found := hash(tuple(self.__dict__.values())))
            return found

    @model_validator(mode="after")
    def _of_sensible_size(self) -> Self:
        for name, unit in _measured(type(self)):
            if fault := fault_of_size(unit, self.__dict__[name]):
                raise located([((name,), wrong(fault))])
        return self

    def _assign(self, **values: Any) -> None:
        """Set, during validation, frozen fields whose final value depends on other fields."""
        for name, value in values.items():
            object.__setattr__(self, name, value)


@cache
def _measured(kind: type[InputModel]) -> list[tuple[str, str]]:
    """Fields of a model whose numbers have a sensible range, with their units."""
    units = ((name, unit_of(field)) for name, field in kind.model_fields.items())
    return [(name, unit) for name, unit in units if unit in RANGES]


# The slot itself: pydantic makes a long story of an attribute that is missing.
_HASH = InputModel.__dict__["_hash"]


def key(description: str, unit: str = "", **constraints: Any) -> Any:
    """Field of a model with its meaning and unit, as editors show them and messages quote them."""
    return Field(description=f"{description} [{unit}]" if unit else description, **constraints)


def validated_as(kind: type[InputModel]) -> WrapValidator:
    """Validator that passes instances of `kind` unchanged; pydantic would validate them once more."""
    return WrapValidator(lambda value, validate: value if isinstance(value, kind) else validate(value))


def at_least_one(what: str) -> BeforeValidator:
    """Validator that refuses an empty list or mapping: "expected at least one `what`"."""

    def check(value: Any) -> Any:
        if value in ([], {}):
            raise expected(f"at least one {what}")
        return value

    return BeforeValidator(check)


def at_most(count: int, what: str) -> BeforeValidator:
    """Validator that refuses a list of more entries before any of them is looked at."""

    def check(value: Any) -> Any:
        if isinstance(value, list) and len(value) > count:
            raise wrong(f"got {len(value)} {what}, expected at most {count}")
        return value

    return BeforeValidator(check)


def expected(what: str, hint: str = "") -> PydanticCustomError:
    """Fault whose message reads "got X, expected `what`"; X is the offending input itself."""
    return PydanticCustomError("expected", "expected {what}", {"what": what, "hint": hint})


def wrong(
    message: str, hint: str = "", *, source: str | None = None, line: int | None = None
) -> PydanticCustomError:
    """Fault with a message of its own; `source` and `line` point into another file, e.g. a table."""
    context = {"message": message, "hint": hint, "source": source, "line": line}
    return PydanticCustomError("wrong", "{message}", context)


def absent(hint: str, message: str = "missing") -> PydanticCustomError:
    """Fault of a key that other keys require; pydantic itself finds keys that are always required."""
    return PydanticCustomError("absent", "{message}", {"message": message, "hint": hint})


def located(faults: Sequence[tuple[KeyPath, PydanticCustomError]]) -> ValidationError:
    """Error of several faults, each with the path of its key below the model that raises it."""
    details = [InitErrorDetails(type=fault, loc=path, input=None) for path, fault in faults]
    return ValidationError.from_exception_data("faults", details)


def dotted(path: KeyPath) -> str:
    """Path of a key as users write it: ``links[1].EI``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text
