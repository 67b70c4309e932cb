"""Controllers: blocks with names, each of one kind, that read sensors and one another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, Field, PlainValidator, ValidationInfo, model_validator

from flexarm.description.arm.control.controller_kinds import (
    Bounds,
    Delay,
    Lead,
    LowPass,
    MatrixInput,
    Notch,
    PIDTerms,
    RateLimit,
    StateSpaceInput,
    bounds_faults,
    is_zero,
    size,
)
from flexarm.description.motion.time_table import TabledSignal, TimeTable, signal_or_table
from flexarm.description.values.expression import Expression
from flexarm.description.values.input_model import Faults, InputModel, absent, key, located, wrong
from flexarm.description.values.quantities import Count, Fixed, FixedTime, NonNegative, Real
from flexarm.hints import listed

KINDS = (
    "reference", "gain", "sum", "pid", "state_space", "low_pass", "notch", "lead", "delay", "limit", "rate_limit",
    "function",
)  # fmt: skip
"""Keys of a controller that say what it is: one of them each."""


def _one_or_several(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


def _reference(value: Any, info: ValidationInfo) -> float | Expression | TimeTable:
    return signal_or_table({"interpolation": "cubic", **value} if isinstance(value, dict) else value, info)


class Controller(InputModel):
    """Controller: a block that makes one signal, or several, of others."""

    inputs: Annotated[
        tuple[Annotated[str, Field(strict=True)], ...],
        BeforeValidator(_one_or_several, json_schema_input_type=str | list[str]),
    ] = key(
        "what it reads: names of sensors and of other controllers, of one with several outputs NAME.1, NAME.2 and "
        "so on",
        default=(),
    )
    reference: (
        Annotated[
            float | Expression | TimeTable,
            PlainValidator(_reference, json_schema_input_type=float | str | TimeTable | TabledSignal),
        ]
        | None
    ) = key(
        "a signal of time that others read: a number, an expression of t or a table (cubic spline)",
        "of its readers",
        default=None,
    )
    gain: MatrixInput | None = key(
        "factor of the signal, or a matrix of rows, one for each output", "output/signal", default=None
    )
    sum: tuple[Real, ...] | None = key(
        "weights of the signals in their sum, such as [1, -1] for a difference", "output/signal", default=None
    )
    pid: PIDTerms | None = key("kp, ki and kd of the signal, with a filter of its rate", default=None)
    state_space: StateSpaceInput = key(
        "matrices A, B, C, D of a state-space controller, or the name of an .npz file that has them",
        default=None,
    )
    low_pass: LowPass | None = key("low-pass filter of first or second order", default=None)
    notch: Notch | None = key("notch at a frequency", default=None)
    lead: Lead | None = key("lead or lag", default=None)
    delay: Delay | None = key("delay by a time, as a Pade approximation", default=None)
    limit: Bounds | None = key("least and largest output", "output", default=None)
    rate_limit: RateLimit | None = key("largest rate of the output", default=None)
    function: Annotated[str, Field(strict=True)] | None = key(
        "name of a Python function that flexarm.simulate(arm, functions={..}) is given; it needs a period",
        default=None,
    )
    outputs: Count | None = key("function only: how many numbers it returns, 1 unless given", default=None)

    period: FixedTime | None = key(
        "time between the instants at which it computes; its outputs are held in between. Matrices of a state_space "
        "are then those of x_k+1 = A x_k + B u_k, other kinds are made discrete by the bilinear transform",
        "s",
        default=None,
    )
    offset: Annotated[NonNegative, AfterValidator(lambda value: Fixed(value))] = key(
        "time of its first instant", "s", default=0.0
    )

    @property
    def kind(self) -> str:
        """Key of :data:`KINDS` that says what it is."""
        return next(name for name in KINDS if getattr(self, name) is not None)

    @property
    def n_outputs(self) -> int:
        """Number of its outputs."""
        if self.function is not None:
            return self.outputs or 1
        if self.state_space is not None:
            return size(self.state_space.C)[0]
        return size(self.gain)[0] if self.gain is not None else 1

    @property
    def n_inputs(self) -> int:
        """Number of inputs that it takes."""
        if self.function is not None:
            return len(self.inputs)
        if self.state_space is not None:
            return size(self.state_space.B)[1]
        if self.gain is not None:
            return size(self.gain)[1]
        return len(self.sum) if self.sum is not None else int(self.reference is None)

    @property
    def n_states(self) -> int:
        """Number of its states, without outputs that are held."""
        if self.state_space is not None:
            return len(self.state_space.A)
        if self.pid is not None:
            return (self.pid.ki is not None) + (self.pid.kd is not None)
        if self.delay is not None and self.period is not None:
            return round(self.delay.time / self.period)
        for own in (self.low_pass, self.delay):
            if own is not None:
                return own.order
        return {"notch": 2, "lead": 1, "rate_limit": 1}.get(self.kind, 0)

    @property
    def direct(self) -> tuple[bool, ...]:
        """Whether it follows each of its inputs at once."""
        if self.state_space is not None:
            columns = zip(*self.state_space.direct, strict=True)
            return tuple(not all(map(is_zero, column)) for column in columns)
        late = ("low_pass", "rate_limit") if self.period is None else ("delay",)
        return (self.kind not in late,) * self.n_inputs

    @model_validator(mode="after")
    def _check(self) -> Self:
        given = [name for name in KINDS if getattr(self, name) is not None]
        if len(given) != 1:
            got = " and ".join(given) or "none"
            raise wrong(f"got {got} of {listed(KINDS)}, expected one of them", "a controller is one block")
        if faults := list(self._faults()):
            raise located(faults)
        return self

    def _faults(self) -> Faults:
        if self.gain is not None and len({len(row) for row in self.gain}) != 1:
            yield ("gain",), wrong("got rows of several lengths, or none", "expected a list of equal rows")
            return
        if self.function is not None and self.period is None:
            yield ("function",), wrong("a function needs a period: it is called at instants", "give period")
        if self.outputs is not None and self.function is None:
            yield ("outputs",), wrong(f"a {self.kind} has as many outputs as it has", "remove it")
        if self.offset and self.period is None:
            yield ("offset",), wrong("got an offset without a period", "give period, or remove it")
        yield from bounds_faults("limit", self.limit)
        if self.sum == ():
            yield ("sum",), wrong("got no weights, expected one for each signal")
        elif not self.inputs and self.n_inputs:
            yield ("inputs",), absent("names of the sensors or controllers that it reads")
        elif len(self.inputs) != self.n_inputs:
            message = (
                f"got {len(self.inputs)} signal{'s' * (len(self.inputs) != 1)}, expected {self.n_inputs}"
            )
            hint = {"gain": "one for each column", "sum": "one for each weight"}.get(self.kind, "")
            hint = hint or ("one for each column of B" if self.kind == "state_space" else "")
            yield ("inputs",), wrong(f"{message} of a {self.kind}", hint)


def signals(name: str, controller: Controller) -> tuple[str, ...]:
    """Names of the outputs of a controller: its own, or with numbers if it has several."""
    n = controller.n_outputs
    return (name,) if n == 1 else tuple(f"{name}.{k}" for k in range(1, n + 1))


def outputs_of(controllers: Mapping[str, Controller]) -> dict[str, tuple[str, int]]:
    """Name of every output -> the controller that makes it, and which of its outputs it is."""
    return {
        output: (name, k)
        for name, controller in controllers.items()
        for k, output in enumerate(signals(name, controller))
    }
