"""Drives of joints: torques that add up, a motor fed by a voltage, or a prescribed motion."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, Field, PlainValidator, ValidationInfo, model_validator

from flexarm.catalogue import JointType
from flexarm.description.motion.move import Moves, angle_over_time, moves_text, timed
from flexarm.description.motion.pd import PD
from flexarm.description.motion.shaper import Shaper, shaped, shaper_faults
from flexarm.description.motion.time_table import TabledSignal, TimeTable, signal_or_table
from flexarm.description.values.expression import Expression
from flexarm.description.values.input_model import InputModel, key, located, wrong
from flexarm.description.values.quantities import Flag

TORQUES = ("torque", "pd", "gravity_compensation", "controller")
"""Keys of a drive whose torques add up."""
KINDS = (*TORQUES, "voltage", "motion", "move")


def _motion(value: Any, info: ValidationInfo) -> Expression | TimeTable | Literal["hold"]:
    if value == "hold":
        return "hold"
    motion = signal_or_table({"interpolation": "cubic", **value} if isinstance(value, dict) else value, info)
    if isinstance(motion, TimeTable) and motion.interpolation == "linear":
        fault = wrong(
            "got 'linear', but a motion needs an acceleration", "leave it out: motions are cubic splines"
        )
        raise located([(("interpolation",), fault)])
    return Expression.constant(float(motion)) if isinstance(motion, int | float) else motion


SignalOrTable = Annotated[
    float | Expression | TimeTable,
    PlainValidator(signal_or_table, json_schema_input_type=float | str | TimeTable | TabledSignal),
]


class Drive(InputModel):
    """Drive of one joint: torques that add up, a motor fed by a voltage, or a prescribed motion.

    `torque`, `pd`, `gravity_compensation` and `controller` go together. A motor fed by the voltage u gives the joint
    the torque ``gear torque_constant (u - torque_constant gear q_d)/resistance``; its inductance is left out. In an arm
    the motion is known, whether it was typed or follows from a move.
    """

    torque: SignalOrTable | None = key(
        "joint torque, or force: a number, an expression of t or a table", "N m, prismatic: N", default=None
    )
    pd: PD | None = key("PD controller on the joint angle, with an integral part if it has ki", default=None)
    gravity_compensation: Flag = key(
        "whether to add the static torque of the rigid arm, payload included, at the measured joint angles",
        default=False,
    )
    controller: Annotated[str, Field(strict=True)] | None = key(
        "name of a controller of the arm whose output is a torque of the joint", default=None
    )
    voltage: SignalOrTable | None = key(
        "voltage of a DC motor: a number, an expression of t or a table; its resistance and torque_constant stand "
        "under joints[].motor",
        "V",
        default=None,
    )
    saturate: Flag = key(
        "whether the torque stays within the motor's stall_torque and no_load_speed (joints[].motor)",
        default=False,
    )
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
    shaper: Shaper | None = key(
        "input shaper of the motion, or of the move; of a reference it stands in pd", default=None
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        given = [name for name in KINDS if self._has(name)]
        alone = [name for name in given if name not in TORQUES]
        if not given:
            message = f"got none of {', '.join(KINDS[:-1])} and {KINDS[-1]}, expected one of them"
            raise wrong(message, "write null for a free joint")
        if alone and len(given) > 1:
            others = ", ".join(name for name in KINDS if name != alone[0])
            message = f"got {' and '.join(given)}, but {alone[0]} goes with no other of {others}"
            raise wrong(message, f"only {', '.join(TORQUES[:-1])} and {TORQUES[-1]} add up")
        if self.saturate and alone and alone[0] != "voltage":
            fault = wrong(f"a joint driven by a {alone[0]} takes what torque it needs", "remove saturate")
            raise located([(("saturate",), fault)])
        if faults := list(shaper_faults(self.shaper, self.motion, "motion", self.move is not None)):
            raise located(faults)
        return self

    def described(self, joint: JointType) -> str:
        """Say what drives a joint of some type."""
        shaped_by = f"; {self.shaper}" * (self.shaper is not None)
        if self.move is not None:
            return moves_text(self.move, joint.unit) + shaped_by
        given = (joint.force, self.torque), ("voltage", self.voltage), ("motion", self.motion)
        parts = [f"{name}: {signal}" for name, signal in given if signal is not None]
        parts += [self.pd.described(joint)] if self.pd is not None else []
        parts += ["gravity compensation"] * self.gravity_compensation
        parts += [f"controller {self.controller}"] if self.controller is not None else []
        parts += ["within its motor's limits"] * self.saturate
        return "; ".join(parts) + shaped_by

    def _has(self, name: str) -> bool:
        return getattr(self, name) is not None and getattr(self, name) is not False

    @property
    def regulates(self) -> bool:
        """True if the torque depends on how the joint moves, apart from the motor's limits."""
        return self.pd is not None or self.gravity_compensation or self.voltage is not None

    @property
    def moves_freely(self) -> bool:
        """True if nothing leads the joint to an angle: it is driven by a torque, or by a voltage."""
        return self.pd is None and self.motion is None and self.move is None

    @property
    def own_shaper(self) -> Shaper | None:
        """Shaper of what leads the joint, a motion or a reference; None if nothing is shaped."""
        return self.shaper if self.pd is None else self.pd.shaper

    def with_shaper(self, shaper: Shaper) -> Drive:
        """Return the same drive with another shaper in the place of its own, not resolved yet."""
        own = {"shaper": shaper}
        return self.model_copy(update=own if self.pd is None else {"pd": self.pd.model_copy(update=own)})

    @property
    def needs_motor(self) -> bool:
        """True if the torque depends on the data of the motor."""
        return self.voltage is not None or self.saturate

    @property
    def is_combined(self) -> bool:
        """True if the torque has several parts, or a limit, that one wants to see apart."""
        several = sum(self._has(name) for name in TORQUES) > 1
        pd = self.pd
        parted = pd is not None and (pd.ki is not None or pd.feedforward is not None or pd.is_measured)
        return several or parted or self.saturate or self.controller is not None

    @property
    def torque_parts(self) -> tuple[str, ...]:
        """Names of the parts of the torque; none of what leads the joint to an angle."""
        pd = self.pd
        acts = pd is not None and not pd.is_measured
        has = {
            "feedforward": self.torque is not None or (pd is not None and pd.feedforward is not None),
            "proportional": acts,
            "derivative": acts,
            "integral": acts and pd is not None and pd.ki is not None,
            "gravity_compensation": self.gravity_compensation,
            "controller": self.controller is not None or (pd is not None and pd.is_measured),
            "voltage": self.voltage is not None,
            "back_emf": self.voltage is not None,
            "limit": self.saturate,
        }
        return tuple(name for name, part in has.items() if part)

    def resolved(self, joint: int, angle: float) -> Drive:
        """Same drive of a joint, from 0, moves as motions or references, from an initial coordinate [rad, m]."""
        if self.move is not None:
            moves = timed(self.move, angle)
            return self.model_copy(
                update={"move": moves, "motion": shaped(self.shaper, angle_over_time(moves, angle))}
            )
        if isinstance(self.motion, Expression) and self.shaper is not None:
            return self.model_copy(update={"motion": self.shaper.shaped(self.motion)})
        return self if self.pd is None else self.model_copy(update={"pd": self.pd.resolved(joint, angle)})


def _free_if_empty(value: Any) -> Any:
    return None if value == {} else value


DriveInput = Annotated[Drive | None, BeforeValidator(_free_if_empty)]
