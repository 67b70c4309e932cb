"""Run settings: duration, samples, integration method and formulation."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, field_validator, model_validator

from flexarm.catalogue import FORMER_METHODS, FORMULATIONS, FURTHER_QUANTITIES, METHODS
from flexarm.description.values.input_model import (
    Faults,
    InputModel,
    absent,
    at_least_one,
    at_most,
    expected,
    key,
    located,
    wrong,
)
from flexarm.description.values.quantities import WHOLE, Count, Positive, is_number
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

FEWEST_STATIONS, MOST_STATIONS = 2, 1001


class LoadStations(InputModel):
    """Stations of the links at which their section forces are given."""

    at: Annotated[
        tuple[Annotated[float, Field(strict=True, ge=0, le=1)], ...],
        at_least_one("station"),
        at_most(MOST_STATIONS, "stations"),
    ] = key("places along each link, ascending, 0 = start, 1 = end", "-")

    @field_validator("at")
    @classmethod
    def _ascending(cls, at: tuple[float, ...]) -> tuple[float, ...]:
        for before, after in pairwise(at):
            if after <= before:
                raise wrong(f"got {after:g} after {before:g}, expected ascending stations")
        return at


def _stations(value: Any) -> Any:
    if isinstance(value, LoadStations):
        return value
    if isinstance(value, dict):
        return LoadStations.model_validate(value)
    if not is_number(value) or value % 1 or not FEWEST_STATIONS <= value <= MOST_STATIONS:
        raise expected(
            f"a whole number of stations from {FEWEST_STATIONS} to {MOST_STATIONS}, or {{at: [0, 0.5, 1]}}"
        )
    return LoadStations(at=tuple(k / (value - 1) for k in range(int(value))))


Stations = Annotated[
    LoadStations,
    BeforeValidator(
        _stations,
        json_schema_input_type=Annotated[int, Field(ge=FEWEST_STATIONS, le=MOST_STATIONS)] | LoadStations,
    ),
]

FIXED_STEP = listed(name for name, method in METHODS.items() if not method.adaptive)
STIFF = listed(name for name, method in METHODS.items() if method.needs_jacobian and not method.starts_with)
CHANGING = listed(name for name, method in METHODS.items() if method.starts_with)


class RunSettings(InputModel):
    """Run block: duration, samples, integration method, tolerances and formulation."""

    duration: Positive = key("length of the simulated time", "s")
    sample: Positive = key("time between two samples of the result", "s")
    method: MethodName = key(
        f"integrator: {listed(METHODS)}; {FIXED_STEP} with a fixed step, {STIFF} for stiff arms, "
        f"{CHANGING} where you do not know",
        default=next(iter(METHODS)),
    )
    rtol: Annotated[float, Field(strict=True, gt=0, lt=1)] = key("relative tolerance", "-", default=1e-9)
    atol: Positive = key("absolute tolerance, in units of the coordinates", "rad, 1, m", default=1e-11)
    step: Positive | None = key(f"{FIXED_STEP} only: the fixed step", "s", default=None)
    formulation: FormulationName = key("how the equations of motion are derived", default="articulated")
    record: tuple[QuantityName, ...] = key(
        f"further quantities to record, a list of {listed(FURTHER_QUANTITIES)}", default=()
    )
    stations: Stations = key(
        "where each link's section forces are recorded: a number of stations from start to end, or {at: [0, 0.5, 1]}",
        default=11,
        validate_default=True,
    )
    reaction_frame: Literal["link", "base"] = key(
        "axes in which forces and moments of joints are recorded: those of the joint's link, or the base's",
        default="link",
    )
    seed: Annotated[int, Field(strict=True, ge=0, lt=2**63), WHOLE] = key(
        "seed of the noise of sensors: the same seed, the same noise", default=0
    )
    max_steps: Count = key("number of steps after which the integrator gives up", default=10_000_000)

    @property
    def load_stations(self) -> tuple[float, ...]:
        """Stations of each link at which section forces are given, fractions of its length from 0 to 1."""
        return self.stations.at

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
