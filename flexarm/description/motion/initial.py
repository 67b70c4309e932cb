"""Initial state of a motion."""

from __future__ import annotations

from typing import Annotated, Any, Self

from pydantic import BeforeValidator, WithJsonSchema, model_validator

from flexarm.description.values.input_model import InputModel, key, located, wrong
from flexarm.description.values.quantities import Angle, AngularRate, Flag, Real, angle, angular_rate


def _pose(value: Any) -> Any:
    """Two or three lengths, then angles."""
    return _from_third_on(value, angle)


def _pose_rate(value: Any) -> Any:
    return _from_third_on(value, angular_rate)


def _from_third_on(value: Any, convert: Any) -> Any:
    lengths = 2 if isinstance(value, list | tuple) and len(value) == 3 and isinstance(value[2], str) else 3
    return (*value[:lengths], *map(convert, value[lengths:])) if isinstance(value, list | tuple) else value


_ANGLE = {"type": "string", "pattern": r"[0-9.]\s*(deg|rad)(/s)?\s*$"}
_NUMBERS = WithJsonSchema({"type": "array", "items": {"anyOf": [{"type": "number"}, _ANGLE]}, "maxItems": 6})
Pose = Annotated[tuple[Real, ...], BeforeValidator(_pose), _NUMBERS]
PoseRate = Annotated[tuple[Real, ...], BeforeValidator(_pose_rate), _NUMBERS]


class Initial(InputModel):
    """Initial state, at t = 0; everything not given is zero."""

    joints: tuple[Angle, ...] = key(
        "joint angles, or positions, one per joint or one per joint that moves",
        "rad, prismatic: m",
        default=(),
    )
    joint_rates: tuple[AngularRate, ...] = key("joint rates, likewise", "rad/s, prismatic: m/s", default=())
    motors: tuple[Angle, ...] = key(
        "angles of the motors of elastic joints behind their gears, one per elastic joint; their joint's unless given, "
        "so that the springs are relaxed",
        "rad, prismatic: m",
        default=(),
    )
    motor_rates: tuple[AngularRate, ...] = key(
        "rates of these motors, likewise", "rad/s, prismatic: m/s", default=()
    )
    modes: tuple[Real, ...] = key("modal amplitudes of all links in order", "1 or m", default=())
    mode_rates: tuple[Real, ...] = key("rates of the modal amplitudes", "1/s or m/s", default=())
    base: Pose = key(
        "floating bases: where the arm begins; planar [x, y], with a body [x, y, turn], free "
        "[x, y, z, r_x, r_y, r_z] with the rotation vector r of its turn",
        "m, rad",
        default=(),
    )
    base_rates: PoseRate = key(
        "floating bases: velocity; planar [v_x, v_y], with a body [v_x, v_y, w], free "
        "[v_x, v_y, v_z, w_x, w_y, w_z] with the angular velocity w; both along the fixed axes",
        "m/s, rad/s",
        default=(),
    )
    equilibrium: Flag = key(
        "start at rest in static equilibrium; joints are then a first guess", default=False
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        computed = ("joint_rates", "motors", "motor_rates", "modes", "mode_rates")
        clashing = [name for name in computed if name in self.model_fields_set]
        if self.equilibrium and clashing:
            message = "got values besides equilibrium: true, which computes them"
            raise located([((name,), wrong(message, "remove one of them")) for name in clashing])
        return self
