"""Parts of a description that have names, as a mapping of names to parts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import AfterValidator, BeforeValidator

from flexarm.description.values.input_model import InputModel, expected, located, wrong

Part = TypeVar("Part", bound=InputModel)

_NAME = re.compile(r"[A-Za-z_]\w{0,59}")


def _mapping(value: Any) -> Any:
    if isinstance(value, tuple):
        return dict(value)
    if not isinstance(value, dict):
        raise expected("names and what they stand for")
    if faults := [
        (
            (name,),
            wrong(f"got the name {name!r}", "a name has letters, digits and _, and begins with no digit"),
        )
        for name in value
        if not isinstance(name, str) or _NAME.fullmatch(name) is None
    ]:
        raise located(faults)
    return value


if TYPE_CHECKING:
    Named = tuple[tuple[str, Part], ...]
else:
    Named = Annotated[
        dict[str, Part], BeforeValidator(_mapping), AfterValidator(lambda value: tuple(value.items()))
    ]
"""Parts by their names; inside, a tuple of pairs of a name and its part, in the order of the description."""
