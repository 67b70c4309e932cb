"""What every model of an input file shares: frozen, closed to unknown keys, errors in an engineer's words.

Validators raise :func:`expected` or :func:`wrong`; a check that concerns other keys than its own raises
:func:`located`, which places each fault below the model that found it. ``messages.py`` turns all of them, and
pydantic's own, into lines that name file, line and key.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, WrapValidator
from pydantic_core import InitErrorDetails, PydanticCustomError, ValidationError

Path = tuple[str | int, ...]


class SpecModel(BaseModel):
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

    def _settle(self, **values: Any) -> None:
        """Fill in, during validation, fields whose final value depends on other fields."""
        for name, value in values.items():
            object.__setattr__(self, name, value)


# The slot itself: pydantic makes a long story of an attribute that is missing.
_HASH = SpecModel.__dict__["_hash"]


def key(description: str, unit: str = "", **constraints: Any) -> Any:
    """A field with its meaning and unit, as editors show it and messages quote it."""
    return Field(description=f"{description} [{unit}]" if unit else description, **constraints)


def known(kind: type[SpecModel]) -> WrapValidator:
    """A part that was validated before is taken as it is; pydantic would check it against itself once more."""
    return WrapValidator(lambda value, validate: value if isinstance(value, kind) else validate(value))


def expected(what: str, hint: str = "") -> PydanticCustomError:
    """A fault told as "got X, expected `what`"; X is the offending input itself."""
    return PydanticCustomError("expected", "expected {what}", {"what": what, "hint": hint})


def wrong(
    message: str, hint: str = "", *, source: str | None = None, line: int | None = None
) -> PydanticCustomError:
    """A fault told in its own words; `source` and `line` point into another file, e.g. a table."""
    context = {"message": message, "hint": hint, "source": source, "line": line}
    return PydanticCustomError("wrong", "{message}", context)


def absent(hint: str, message: str = "missing") -> PydanticCustomError:
    """A key that is missing because of others; pydantic itself finds keys that are always required."""
    return PydanticCustomError("absent", "{message}", {"message": message, "hint": hint})


def located(faults: Sequence[tuple[Path, PydanticCustomError]]) -> ValidationError:
    """Several faults, each with the path of its key below the model that raises this."""
    details = [InitErrorDetails(type=fault, loc=path, input=None) for path, fault in faults]
    return ValidationError.from_exception_data("faults", details)


def dotted(path: Path) -> str:
    """The path of a key as users write it: ``links[1].EI``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text
