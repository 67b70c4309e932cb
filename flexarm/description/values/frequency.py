"""Frequencies as they are typed in YAML: a number in Hz, or a text with its unit."""

from __future__ import annotations

import math
import re
from typing import Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

from flexarm.description.values.input_model import expected
from flexarm.description.values.quantities import Positive, is_number

_FREQUENCY = re.compile(r"\s*(\d+\.?\d*(?:[eE][-+]?\d+)?)\s*(Hz|rad/s)\s*")
TYPED = {"type": "string", "pattern": r"(Hz|rad/s)\s*$", "examples": ["1.8 Hz"]}
"""JSON schema of a frequency with its unit."""


def hertz(value: Any) -> float | None:
    """Frequency [Hz] that a number, or a text such as ``50 Hz`` or ``314 rad/s``, stands for; None of others."""
    if is_number(value):
        return value
    found = _FREQUENCY.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        return None
    return float(found[1]) / (1.0 if found[2] == "Hz" else 2 * math.pi)


def _frequency(value: Any) -> Any:
    if (found := hertz(value)) is None:
        raise expected('a frequency > 0 in Hz, such as 50, "50 Hz" or "314 rad/s"')
    return found


Frequency = Annotated[
    Positive,
    BeforeValidator(_frequency),
    WithJsonSchema({"anyOf": [{"type": "number", "exclusiveMinimum": 0}, TYPED]}),
]
