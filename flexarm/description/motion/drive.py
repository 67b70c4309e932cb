"""Drives of joints: a torque over time, a PD controller, or a prescribed motion."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, PlainValidator, ValidationInfo, model_validator

from flexarm.description.motion.move import Moves, angle_over_time
from flexarm.description.values.expression import Expression
from flexarm.description.values.input_model import InputModel, absent, key, located, wrong
from flexarm.description.values.number_tables import Table
from flexarm.description.values.profile import check_increasing
from flexarm.description.values.quantities import NonNegative, Real, angle, signal

Interpolation = Literal["linear", "cubic"]


class TimeTable(InputModel):
    """Signal sampled over time, interpolated in between."""

    times: tuple[Real, ...] = key("times, from 0 to the run's duration", "s")
    values: tuple[Real, ...] = key("values at these times", "N m, prismatic: N")
    interpolation: Interpolation = key(
        "between the samples: straight lines or a cubic spline", default="linear"
    )

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


def _torque(value: Any, info: ValidationInfo) -> float | Expression | TimeTable:
    if isinstance(value, TimeTable):
        return value
    if not isinstance(value, dict):
        return signal(value)
    if "table" not in value:
        return TimeTable.model_validate(value)
    tabled = TabledSignal.model_validate(value, context=info.context)
    if len(tabled.table[0]) != 2:
        fault = wrong(f"got {len(tabled.table[0])} columns, expected 2: time and torque")
        raise located([(("table",), fault)])
    times, values = zip(*tabled.table, strict=True)
    return TimeTable(times=times, values=values, interpolation=tabled.interpolation)


def _reference(value: Any) -> Expression:
    if isinstance(value, str) and "deg" in value:
        return Expression.constant(angle(value))
    reference = signal(value)
    return reference if isinstance(reference, Expression) else Expression.constant(reference)


class PD(InputModel):
    """PD controller: the torque ``kp (reference - q) + kd (d reference/dt - q_d)``.

    In an arm the reference is known, whether it was typed or follows from a move.
    """

    kp: NonNegative = key("position gain", "N m/rad, prismatic: N/m")
    kd: NonNegative = key("rate gain", "N m s/rad, prismatic: N s/m")
    reference: Annotated[Expression, PlainValidator(_reference, json_schema_input_type=float | str)] = key(
        'joint angle to follow: an expression of t, a number or an angle such as "30 deg"',
        "rad, prismatic: m",
        default=None,
    )
    move: Moves | None = key("move, or moves, that the reference makes, instead of it", default=None)

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.reference is None and self.move is None:
            raise located(
                [
                    (
                        ("reference",),
                        absent("joint angle to follow [rad, prismatic: m], or move: {to: .., duration: ..}"),
                    )
                ]
            )
        if self.reference is not None and self.move is not None:
            raise located([(("move",), wrong("got move besides reference", "remove one of them"))])
        return self


def _motion(value: Any, info: ValidationInfo) -> Expression | TimeTable | Literal["hold"]:
    if value == "hold":
        return "hold"
    motion = _torque({"interpolation": "cubic", **value} if isinstance(value, dict) else value, info)
    if isinstance(motion, TimeTable) and motion.interpolation == "linear":
        fault = wrong(
            "got 'linear', but a motion needs an acceleration", "leave it out: motions are cubic splines"
        )
        raise located([(("interpolation",), fault)])
    return Expression.constant(float(motion)) if isinstance(motion, int | float) else motion


class Drive(InputModel):
    """Drive of one joint: a torque, a PD controller, or a prescribed motion.

    In an arm the motion is known, whether it was typed or follows from a move.
    """

    torque: (
        Annotated[
            float | Expression | TimeTable,
            PlainValidator(_torque, json_schema_input_type=float | str | TimeTable | TabledSignal),
        ]
        | None
    ) = key(
        "joint torque, or force: a number, an expression of t or a table",
        "N m, prismatic: N",
        default=None,
    )
    pd: PD | None = key("PD controller on the joint angle", default=None)

    motion: (
        Annotated[
            Expression | TimeTable | Literal["hold"],
            PlainValidator(
                _motion, json_schema_input_type=float | Literal["hold"] | str | TimeTable | TabledSignal
            ),
        ]
        | None
    ) = key(
        "prescribed joint angle, or position: an expression of t, a table (cubic spline) or hold = the "
        "initial one; the torque or force that this takes is part of the result",
        "rad, prismatic: m",
        default=None,
    )

    move: Moves | None = key("prescribed move, or moves, of the joint, instead of a motion", default=None)

    @model_validator(mode="after")
    def _check(self) -> Self:
        given = [name for name in ("torque", "pd", "motion", "move") if getattr(self, name) is not None]
        if len(given) != 1:
            got = " and ".join(given) or "none"
            message = f"got {got} of torque, pd, motion and move, expected one"
            raise wrong(message, "write null for a free joint")
        return self

    def starting_at(self, angle: float) -> Drive:
        """Same drive with its move as a motion, or as a reference, from an initial coordinate [rad or m]."""
        if self.move is not None:
            return self.model_copy(update={"motion": angle_over_time(self.move, angle)})
        if self.pd is not None and self.pd.move is not None:
            pd = self.pd.model_copy(update={"reference": angle_over_time(self.pd.move, angle)})
            return self.model_copy(update={"pd": pd})
        return self


def _free_if_empty(value: Any) -> Any:
    return None if value == {} else value


DriveInput = Annotated[Drive | None, BeforeValidator(_free_if_empty)]
