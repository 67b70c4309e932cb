"""PD controllers of joints, with or without an integral part, and the references that they follow."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import Field, PlainValidator, ValidationInfo, model_validator

from flexarm.catalogue import JointType
from flexarm.description.motion.followed_result import FollowedResult
from flexarm.description.motion.move import Moves, angle_over_time, moves_text, timed
from flexarm.description.motion.shaper import Shaper, shaped, shaper_faults
from flexarm.description.motion.time_table import TabledSignal, TimeTable, signal_or_table
from flexarm.description.values.expression import Expression
from flexarm.description.values.frequency import Frequency
from flexarm.description.values.input_model import InputModel, absent, key, located, wrong
from flexarm.description.values.quantities import FixedTime, NonNegative, angle

Reference = Expression | TimeTable | FollowedResult


def _reference(value: Any, info: ValidationInfo) -> Reference:
    if isinstance(value, FollowedResult):
        return value
    if isinstance(value, dict):
        if "result" in value:
            return FollowedResult.model_validate(value, context=info.context)
        if "feedforward" in value:
            fault = wrong(
                "only a reference from a result has a torque to feed forward",
                "give it as torque, beside pd; or write reference: {result: FILE}",
            )
            raise located([(("feedforward",), fault)])
        value = {"interpolation": "cubic", **value}
    if isinstance(value, str) and "deg" in value:
        return Expression.constant(angle(value))
    reference = signal_or_table(value, info)
    return Expression.constant(reference) if isinstance(reference, int | float) else reference


class PD(InputModel):
    """PD controller with an integral part: the torque ``kp e + kd e_d + ki int e dt`` of e = reference - q.

    In an arm the reference is known, whether it was typed or follows from a move. The integral starts at 0, or, where
    the arm starts in its equilibrium, at what holds it there. Where the drive's torque is at the motor's limit
    (`saturate`), the integral follows ``e + (torque - demanded torque)/kp``: back-calculation with the time constant
    kp/ki, so that it does not wind up [AstromHagglund1995].

    With `measure`, `derivative_filter`, `period` or `delay` it is a `pid` of the error of what is measured, blocks
    among the controllers of its arm: see :mod:`~flexarm.description.arm.control.measured_pd`.
    """

    kp: NonNegative = key("position gain", "N m/rad, prismatic: N/m")
    kd: NonNegative = key("rate gain", "N m s/rad, prismatic: N s/m")
    ki: NonNegative | None = key(
        "integral gain; without it there is no integral part", "N m/(rad s), prismatic: N/(m s)", default=None
    )
    reference: (
        Annotated[
            Reference,
            PlainValidator(
                _reference, json_schema_input_type=float | str | TimeTable | TabledSignal | FollowedResult
            ),
        ]
        | None
    ) = key(
        'joint angle to follow: an expression of t, a number or an angle such as "30 deg", a table (cubic spline '
        "unless interpolation: linear), or {result: FILE} = that of an inverse run",
        "rad, prismatic: m",
        default=None,
    )
    move: Moves | None = key("move, or moves, that the reference makes, instead of it", default=None)
    shaper: Shaper | None = key("input shaper of the reference, or of its move", default=None)
    measure: Annotated[str, Field(strict=True)] | None = key(
        "name of the sensor that it reads; the joint itself unless given, behind a spring its motor",
        default=None,
    )
    derivative_filter: Frequency | None = key(
        "cut-off frequency of the filter that the rate of the error passes through; what is measured, or sampled, "
        "needs one if kd > 0",
        "Hz",
        default=None,
    )
    period: FixedTime | None = key(
        "time between the instants at which it computes; its torque is held in between", "s", default=None
    )
    delay: FixedTime | None = key(
        "how long before the instant at which it computes it measures; it needs a period", "s", default=None
    )

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
        if faults := list(shaper_faults(self.shaper, self.reference, "reference")):
            raise located(faults)
        if self.ki is not None and not self.kp:
            fault = wrong("got an integral part without a proportional one", "give kp > 0, or remove ki")
            raise located([(("ki",), fault)])
        if self.delay is not None and self.period is None:
            fault = wrong("a delay needs a period: it belongs to single measurements", "give period")
            raise located([(("delay",), fault)])
        if self.is_measured and self.kd and self.derivative_filter is None:
            fault = wrong(
                "the rate of what is measured, or sampled, needs a filter, or noise and steps have no bound",
                "e.g. derivative_filter: 50 Hz",
            )
            raise located([(("kd",), fault)])
        return self

    @property
    def is_measured(self) -> bool:
        """True if it is a block of what is measured, rather than a torque that follows the joint's motion itself."""
        return any(
            each is not None for each in (self.measure, self.derivative_filter, self.period, self.delay)
        )

    @property
    def on_joint(self) -> PD:
        """Same gains on the exact motion of the joint: what it is where nothing moves, and nearly for slow motions."""
        exact: dict[str, None] = dict.fromkeys(("measure", "derivative_filter", "period", "delay"))
        return self.model_copy(update=exact) if self.is_measured else self

    def described(self, joint: JointType) -> str:
        """Say the gains of a joint of some type, and what is followed."""
        name, integral = ("PD", "") if self.ki is None else ("PID", f", ki {self.ki:g}")
        follows = moves_text(self.move, joint.unit) if self.move else f"reference {self.reference}"
        shaped = "" if self.shaper is None else f", {self.shaper}"
        measured = "" if self.measure is None else f", of {self.measure}"
        sampled = "" if self.period is None else f", every {self.period:g} s"
        return f"{name}, kp {self.kp:g}, kd {self.kd:g}{integral}{measured}{sampled}, {follows}{shaped}"

    @property
    def followed(self) -> Expression | TimeTable:
        """The reference as a signal over time [rad]; of a move only in an arm, which knows where it starts."""
        assert self.reference is not None
        return self.reference.motion if isinstance(self.reference, FollowedResult) else self.reference

    @property
    def feedforward(self) -> TimeTable | None:
        """Torque [N m] of the run whose result is followed, if it is to be added."""
        followed = self.reference
        return followed.torque if isinstance(followed, FollowedResult) and followed.feedforward else None

    def resolved(self, joint: int, angle: float) -> PD:
        """Same controller of a joint, from 0, with its move as a reference from an initial coordinate [rad or m]."""
        if self.move is not None:
            moves = timed(self.move, angle)
            reference = shaped(self.shaper, angle_over_time(moves, angle))
            return self.model_copy(update={"move": moves, "reference": reference})
        if isinstance(self.reference, Expression) and self.shaper is not None:
            return self.model_copy(update={"reference": self.shaper.shaped(self.reference)})
        if isinstance(self.reference, FollowedResult):
            return self.model_copy(update={"reference": self.reference.of_joint(joint)})
        return self
