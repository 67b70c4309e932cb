"""Description of a sweep: the arm, the keys that are varied, sampling, and what is recorded of every run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, PrivateAttr, model_validator

from flexarm.catalogue import INVERSE_METHODS
from flexarm.description.sweep.varied_values import FORMS, Range, Varied
from flexarm.description.values.input_model import (
    Faults,
    InputModel,
    KeyPath,
    at_least_one,
    key,
    located,
    wrong,
)
from flexarm.description.values.quantities import WHOLE, Count
from flexarm.errors import InputProblem, SpecError

if TYPE_CHECKING:
    InverseMethodName = str
else:
    InverseMethodName = Literal[tuple(INVERSE_METHODS)]


class Sampling(InputModel):
    """Sampling of the ranges: how many points, and by which method."""

    count: Count = key("number of points")
    seed: Annotated[int, Field(strict=True, ge=0, lt=2**63), WHOLE] = key(
        "which random points; the same seed gives the same points", default=0
    )
    method: Literal["lhs", "sobol"] = key(
        "lhs = Latin hypercube, sobol = scrambled Sobol sequence", default="lhs"
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.method == "sobol" and self.count & (self.count - 1):
            below = 1 << (self.count.bit_length() - 1)
            message = f"got {self.count}, but Sobol's points fill space evenly in powers of two only"
            raise located([(("count",), wrong(message, f"{below} or {2 * below}"))])
        return self


def _one_or_several(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Names = Annotated[tuple[str, ...], BeforeValidator(_one_or_several, json_schema_input_type=str | list[str])]


class SweepDescription(InputModel):
    """Sweep: the arm, the keys that are varied, and what is recorded of every run."""

    arm: str = key("YAML file of the arm, seen from the sweep's file")
    vary: Annotated[dict[str, Varied], at_least_one("key with its values")] = key(
        f"dotted keys of the arm, such as links[0].EI or links[*].EI (indices from 0), and their values: {FORMS}"
    )
    trajectory: str | None = key(
        "YAML file of a trajectory, seen from the sweep's file: every run is then an inverse one along it",
        default=None,
    )
    inverse_method: InverseMethodName | None = key(
        f"method of the inverse runs: {', '.join(INVERSE_METHODS)}; by default the first one", default=None
    )
    sample: Sampling | None = key("how many points are drawn from the ranges LOW:HIGH", default=None)
    record: Names = key("numbers to record from every run; by default the usual ones", default=())
    series: Names = key("datasets to record over time, on the samples of the run block", default=())

    _source: str = PrivateAttr("")
    _lines: dict[KeyPath, int] = PrivateAttr(default_factory=dict)

    def fault(self, entry: str, name: str, message: str, hint: str = "") -> SpecError:
        """Error about a name under vary, record or series, with its line in the sweep's file if there is one."""
        if not self._source:
            return SpecError([InputProblem(entry, None, "", message, hint)])
        line = self._lines.get((entry, name), self._lines.get((entry,)))
        return SpecError([InputProblem(self._source, line, entry, message, hint)])

    @model_validator(mode="after")
    def _check(self) -> Self:
        if faults := list(self._faults()):
            raise located(faults)
        return self

    def _faults(self) -> Faults:
        ranges = [name for name, values in self.vary.items() if isinstance(values, Range)]
        if ranges and self.sample is None:
            yield (
                ("vary", ranges[0]),
                wrong(
                    "got a range LOW:HIGH, but no sample, which says how many points are drawn from it",
                    "or write START:STOP:COUNT",
                ),
            )
        if self.inverse_method is not None and self.trajectory is None:
            yield ("inverse_method",), wrong("got a method of inverse runs, but no trajectory for them")
        if not ranges and self.sample is not None:
            yield ("sample",), wrong("got sample, but no key has a range LOW:HIGH to draw from")
