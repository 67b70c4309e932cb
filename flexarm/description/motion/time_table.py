"""Signals given by tables over time, typed in place or in a CSV file."""

from __future__ import annotations

from typing import Any, Literal, Self

from pydantic import ValidationInfo, model_validator

from flexarm.description.values.expression import Expression
from flexarm.description.values.input_model import InputModel, key, located, wrong
from flexarm.description.values.number_tables import Table
from flexarm.description.values.profile import check_increasing
from flexarm.description.values.quantities import Real, signal

Interpolation = Literal["linear", "cubic"]


class TimeTable(InputModel):
    """Signal sampled over time, interpolated in between."""

    times: tuple[Real, ...] = key("times, from 0 to the run's duration", "s")
    values: tuple[Real, ...] = key("values at these times", "N m, prismatic: N")
    interpolation: Interpolation = key(
        "between the samples: straight lines or a cubic spline", default="linear"
    )

    def __str__(self) -> str:
        """Say how long it is."""
        return f"table of {len(self.times)} times"

    @model_validator(mode="after")
    def _check(self) -> Self:
        check_increasing("times", self.times, "values", len(self.values))
        return self


class TabledSignal(InputModel):
    """Signal as a table of times and values."""

    table: Table = key("CSV file with two columns: time [s] and torque [N m, prismatic: N]")
    interpolation: Interpolation = key(
        "between the samples: straight lines or a cubic spline", default="linear"
    )


def signal_or_table(value: Any, info: ValidationInfo) -> float | Expression | TimeTable:
    """Read a number, an expression of t or a table."""
    if isinstance(value, TimeTable):
        return value
    if not isinstance(value, dict):
        return signal(value)
    if "table" not in value:
        return TimeTable.model_validate(value)
    tabled = TabledSignal.model_validate(value, context=info.context)
    if len(tabled.table[0]) != 2:
        fault = wrong(f"got {len(tabled.table[0])} columns, expected 2: time and value")
        raise located([(("table",), fault)])
    times, values = zip(*tabled.table, strict=True)
    return TimeTable(times=times, values=values, interpolation=tabled.interpolation)
