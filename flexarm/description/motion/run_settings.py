"""Run settings: duration, samples, integration method and formulation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from flexarm.catalogue import FORMER_METHODS, FORMULATIONS, FURTHER_QUANTITIES, METHODS
from flexarm.description.values.input_model import Faults, InputModel, absent, key, located, wrong
from flexarm.description.values.quantities import Count, Positive
from flexarm.hints import listed


def _present(name: Any) -> Any:
    """Refuse the name of a method that there was."""
    if isinstance(name, str) and name in FORMER_METHODS:
        raise wrong(f"got {name!r}, which is no method any more", f"write method: {FORMER_METHODS[name]}")
    return name


if TYPE_CHECKING:
    MethodName = FormulationName = QuantityName = str
else:
    MethodName = Annotated[Literal[tuple(METHODS)], BeforeValidator(_present)]
    FormulationName = Literal[tuple(FORMULATIONS)]
    QuantityName = Literal[tuple(FURTHER_QUANTITIES)]

FIXED_STEP = listed(name for name, method in METHODS.items() if not method.adaptive)
STIFF = listed(name for name, method in METHODS.items() if method.needs_jacobian)


class RunSettings(InputModel):
    """Run block: duration, samples, integration method, tolerances and formulation."""

    duration: Positive = key("length of the simulated time", "s")
    sample: Positive = key("time between two samples of the result", "s")
    method: MethodName = key(
        f"integrator: {listed(METHODS)}; {FIXED_STEP} with a fixed step, {STIFF} for stiff arms",
        default=next(iter(METHODS)),
    )
    rtol: Annotated[float, Field(strict=True, gt=0, lt=1)] = key("relative tolerance", "-", default=1e-9)
    atol: Positive = key("absolute tolerance, in units of the coordinates", "rad, 1, m", default=1e-11)
    step: Positive | None = key(f"{FIXED_STEP} only: the fixed step", "s", default=None)
    formulation: FormulationName = key("how the equations of motion are derived", default="articulated")
    record: tuple[QuantityName, ...] = key(
        f"further quantities to record, a list of {listed(FURTHER_QUANTITIES)}", default=()
    )
    max_steps: Count = key("number of steps after which the integrator gives up", default=10_000_000)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if faults := list(self._faults()):
            raise located(faults)
        return self

    def _faults(self) -> Faults:
        if self.sample > self.duration:
            yield ("sample",), wrong(f"got {self.sample}, expected at most the duration, {self.duration} s")
        adaptive = METHODS[self.method].adaptive
        if not adaptive and self.step is None:
            yield ("step",), absent(f"{self.method} has a fixed step [s]: choose it, e.g. a tenth of sample")
        if adaptive and self.step is not None:
            yield (
                ("step",),
                wrong(f"only {FIXED_STEP} has a step, and the method is {self.method}", "remove it"),
            )
        if not adaptive and self.step is not None and self.step > self.duration:
            yield ("step",), wrong(f"got {self.step}, expected at most the duration, {self.duration} s")
